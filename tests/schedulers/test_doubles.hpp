// Policies for tests of whoever drives a policy: one that does nothing, one that rejects every
// job, and one that takes a chosen wrong decision. Not registered; header only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedulers/placement.hpp"
#include "schedulers/scheduler.hpp"

namespace weft::schedulers {

class DoNothing : public Scheduler {
 public:
  [[nodiscard]] std::string_view name() const override { return "do_nothing"; }
  void decide(std::span<const Event> /*events*/,
              const ClusterView& /*view*/,
              DecisionSink& /*sink*/) override {}
  [[nodiscard]] Hold hold(JobId /*job*/) const override { return Hold::kNotConsidered; }
  [[nodiscard]] std::string why_waiting(JobId /*job*/, const ClusterView& /*view*/) const override {
    return "this policy starts nothing";
  }
};

class RejectAll final : public DoNothing {
 public:
  [[nodiscard]] std::string_view name() const override { return "reject_all"; }
  void decide(std::span<const Event> events,
              const ClusterView& /*view*/,
              DecisionSink& sink) override {
    for (const Event& event : events) {
      if (event.kind == Event::Kind::kJobSubmitted) {
        sink.reject(event.job, "this policy rejects everything");
      }
    }
  }
};

// Starts the first job that is submitted (on the first place that fits) with one thing wrong.
class BadDecision final : public DoNothing {
 public:
  enum class Fault {
    kStartsTwice,
    kUnknownJob,
    kUnknownNode,
    kNoNode,
    kTakenGpu,  // the second job on the first one's GPUs
    kTooFewGpus,
    kGpuOutsideNode,
    kRejectsStarted,
    kWakesInThePast
  };
  explicit BadDecision(Fault fault) : fault_(fault) {}

  [[nodiscard]] std::string_view name() const override { return "bad_decision"; }
  void decide(std::span<const Event> events, const ClusterView& view, DecisionSink& sink) override {
    for (const Event& event : events) {
      if (event.kind == Event::Kind::kJobSubmitted) {
        decide_wrongly(event.job, view, sink);
      }
    }
  }

 private:
  void decide_wrongly(JobId job, const ClusterView& view, DecisionSink& sink) {
    Placer placer(Placement::kFirstFit);
    Allocation where;
    if (!placer.place(view.state, view.workload.shape_of(job), where)) {
      return;
    }
    switch (fault_) {
      case Fault::kStartsTwice:
        sink.start(job, where, StartReason::kHead);
        sink.start(job, where, StartReason::kHead);
        return;
      case Fault::kUnknownJob:
        sink.start(JobId{static_cast<std::uint32_t>(view.workload.jobs.size())},
                   where,
                   StartReason::kHead);
        return;
      case Fault::kUnknownNode:
        where.nodes.back() = NodeId{static_cast<std::uint32_t>(view.state.layout().nodes.size())};
        break;
      case Fault::kNoNode:
        where.clear();
        break;
      case Fault::kTakenGpu:
        if (first_.nodes.empty()) {
          first_ = where;
        }
        sink.start(job, first_, StartReason::kHead);
        return;
      case Fault::kTooFewGpus:
        if (!where.gpus.empty() && --where.gpus.back().count == 0) {
          where.gpus.pop_back();
        }
        break;
      case Fault::kGpuOutsideNode:
        where.gpus.push_back(GpuRange{view.state.layout().gpu_count, 1});
        break;
      case Fault::kRejectsStarted:
        sink.start(job, where, StartReason::kHead);
        sink.reject(job, "after all");
        return;
      case Fault::kWakesInThePast:
        sink.wake_at(view.now - nanoseconds(1));
        return;
    }
    sink.start(job, where, StartReason::kHead);
  }

  Fault fault_;
  Allocation first_;
};

}  // namespace weft::schedulers
