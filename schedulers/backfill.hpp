// fcfs and easy: the queue in order, with no reservation (fcfs) or one for its head (easy).
// Rules, and how other tools' EASY differs: docs/policies.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/head_plan.hpp"
#include "schedulers/scheduler.hpp"
#include "schedulers/waiting_queue.hpp"

namespace weft::schedulers {

enum class BackfillOrder : std::uint8_t {
  kFcfs,  // candidates in queue order
  kSjf    // candidates with the shortest limit first (ties: queue order)
};

struct BackfillOptions {
  bool backfill = true;  // false: fcfs
  BackfillOrder order = BackfillOrder::kFcfs;
  std::uint64_t depth = UINT64_MAX;  // waiting jobs behind the head that a pass looks at
  Placement placement = Placement::kPack;
};

class BackfillScheduler final : public Scheduler {
 public:
  explicit BackfillScheduler(const BackfillOptions& options);

  [[nodiscard]] std::string_view name() const override;
  void decide(std::span<const Event> events, const ClusterView& view, DecisionSink& sink) override;
  [[nodiscard]] Hold hold(JobId job) const override;
  [[nodiscard]] std::string why_waiting(JobId job, const ClusterView& view) const override;

 private:
  // The next candidate of a class in a pass.
  struct Candidate {
    ShapeId shape{};
    std::uint32_t position = 0;  // in the class
    bool beside = false;         // the class fits beside the head: any limit will do
    std::uint64_t checked = 0;   // value of changes_ when this was found true
  };

  void prepare(const ClusterView& view);
  void submit(JobId job, const ClusterView& view, DecisionSink& sink);
  void start(JobId job, bool beside, StartReason why, const ClusterView& view, DecisionSink& sink);
  void start_heads(const ClusterView& view, DecisionSink& sink);
  void plan_head(const ClusterView& view);
  void backfill_all(const ClusterView& view, DecisionSink& sink);
  void backfill_one(JobId job, const ClusterView& view, DecisionSink& sink);
  [[nodiscard]] std::uint32_t find_in_class(ShapeId shape,
                                            std::uint32_t from,
                                            std::int64_t bound) const;
  [[nodiscard]] bool comes_before(const Candidate& a, const Candidate& b) const;
  // The longest limit that ends by the planned start, in ns.
  [[nodiscard]] std::int64_t gap(SimTime now) const;

  BackfillOptions options_;
  std::unique_ptr<HeadPlan> plan_;
  WaitingQueue queue_;
  std::vector<SimTime> limit_end_;     // by job, of started ones
  std::vector<std::uint8_t> verdict_;  // by shape: fits the empty cluster? 0: not asked yet
  bool planned_ = false;
  JobId planned_head_{};
  SimTime planned_start_;
  std::uint64_t changes_ = 0;  // of the free resources within a pass
  std::uint32_t last_place_ = UINT32_MAX;
  std::vector<Candidate> candidates_;
  Allocation where_;
};

// The time a job started at `now` ends by its limit; kNever if it has none.
[[nodiscard]] SimTime limit_end(const Job& job, SimTime now);

}  // namespace weft::schedulers
