// The one reservation of fcfs and easy: when, by the limits of running jobs, the head of the queue
// fits, and what it will leave free then. Two kinds behind one interface: a pool of
// interchangeable GPUs is a counter, nodes are a cluster state per question.
//
// Rules (docs/policies.md): the plan holds at the earliest time the head fits if every running
// job runs to its limit; a job later than its limit counts as ending now; a job without a limit
// ends never. What may run beyond the planned start must fit beside the head, on what is free now
// and then.
#pragma once

#include <memory>
#include <string>

#include "base/allocation.hpp"
#include "base/ids.hpp"
#include "base/job.hpp"
#include "schedulers/placement.hpp"
#include "schedulers/scheduler.hpp"

namespace weft::schedulers {

class HeadPlan {
 public:
  HeadPlan() = default;
  HeadPlan(const HeadPlan&) = delete;
  HeadPlan& operator=(const HeadPlan&) = delete;
  virtual ~HeadPlan() = default;

  // A job was started on `where` (the view shows it), until `limit_end` at most.
  // `beside`: it may run beyond the planned start, on room the head leaves.
  virtual void started(JobId job,
                       const Allocation& where,
                       SimTime limit_end,
                       bool beside,
                       const ClusterView& view) = 0;
  // A job has ended that would have by `limit_end`. Drops the plan.
  virtual void ended(JobId job, SimTime limit_end, const ClusterView& view) = 0;

  [[nodiscard]] virtual bool fits_now(ShapeId shape, const ClusterView& view) = 0;
  // Whether it also fits beside the head when that starts. Needs a plan.
  [[nodiscard]] virtual bool fits_beside(ShapeId shape, const ClusterView& view) = 0;
  // A place on what is free now; `beside`: on what is free now and then.
  [[nodiscard]] virtual bool place(ShapeId shape,
                                   bool beside,
                                   const ClusterView& view,
                                   Allocation& out) = 0;

  // Plans the head, which does not fit now. Returns its planned start; kNever if the running jobs
  // it waits for have no limit.
  virtual SimTime plan(JobId head, const ClusterView& view) = 0;
  // The running job whose release by limit lets the planned head start.
  [[nodiscard]] virtual JobId planned_after() const = 0;
};

// A counter for flat pools whose shapes are all whole GPUs without CPUs and memory.
[[nodiscard]] std::unique_ptr<HeadPlan> make_flat_plan(Placement placement);
[[nodiscard]] std::unique_ptr<HeadPlan> make_node_plan(Placement placement,
                                                       const ClusterView& view);
// Whether the counter will do.
[[nodiscard]] bool is_counting(const ClusterView& view);

}  // namespace weft::schedulers
