// A policy that does what a test tells it.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "schedulers/scheduler.hpp"

namespace weft::sim::testing {

class ScriptedPolicy final : public schedulers::Scheduler {
 public:
  using Decide = std::function<void(std::span<const schedulers::Event>,
                                    const schedulers::ClusterView&,
                                    schedulers::DecisionSink&)>;

  explicit ScriptedPolicy(Decide decide, schedulers::Hold hold = schedulers::Hold::kPlan)
      : decide_(std::move(decide)), hold_(hold) {}

  [[nodiscard]] std::string_view name() const override { return "scripted"; }
  void decide(std::span<const schedulers::Event> events,
              const schedulers::ClusterView& view,
              schedulers::DecisionSink& sink) override {
    decide_(events, view, sink);
  }
  [[nodiscard]] schedulers::Hold hold(JobId /*job*/) const override { return hold_; }
  [[nodiscard]] std::string why_waiting(JobId /*job*/,
                                        const schedulers::ClusterView& /*view*/) const override {
    return "the script does not start it";
  }

 private:
  Decide decide_;
  schedulers::Hold hold_;
};

// Starts nothing.
inline ScriptedPolicy::Decide do_nothing() {
  return [](auto /*events*/, const auto& /*view*/, auto& /*sink*/) {};
}

inline Allocation on(std::vector<std::uint32_t> nodes, std::vector<GpuRange> gpu_ranges) {
  Allocation where;
  for (const std::uint32_t n : nodes) {
    where.nodes.push_back(NodeId{n});
  }
  where.gpus = std::move(gpu_ranges);
  return where;
}

}  // namespace weft::sim::testing
