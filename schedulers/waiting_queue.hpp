// The jobs that wait, in queue order (the order in which they became eligible), by class: jobs of
// one shape are interchangeable for placement, so one verdict serves them all, and what tells them
// apart is their limit. Each class finds the first of its jobs with a limit of at most x in
// O(log n), so that a pass over ten thousand waiting jobs looks at classes, not at jobs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/job.hpp"
#include "schedulers/min_tree.hpp"

namespace weft::schedulers {

class WaitingQueue {
 public:
  static constexpr std::uint32_t kNone = MinTree::kNone;

  // A class; its number is the ShapeId's.
  struct Class {
    GpuShare units;                     // GPUs that one job needs in all
    MinTree limits;                     // ns, in queue order; holes where jobs have left
    std::vector<JobId> jobs;            // the same positions
    std::vector<std::uint32_t> places;  // the same positions: place in the whole queue
    std::uint32_t waiting = 0;
  };

  void prepare(const Workload& workload);

  void push(JobId job, const Workload& workload);
  void remove(JobId job, ShapeId shape);

  [[nodiscard]] bool empty() const { return waiting_ == 0; }
  [[nodiscard]] std::size_t size() const { return waiting_; }
  [[nodiscard]] JobId front() const { return order_[front_]; }  // not empty
  [[nodiscard]] bool contains(JobId job) const { return position_[index(job)] != kNone; }

  [[nodiscard]] const Class& of(ShapeId shape) const { return classes_[index(shape)]; }
  // Classes with waiting jobs, those with the fewest GPUs first.
  [[nodiscard]] std::span<const ShapeId> active() const { return active_; }

  // The place in the queue of the `count`-th waiting job behind the front, or of the last one if
  // there are fewer. O(places between).
  [[nodiscard]] std::uint32_t place_behind_front(std::uint64_t count) const;
  // Waiting jobs ahead of `job`. O(places before it); for messages.
  [[nodiscard]] std::size_t ahead_of(JobId job) const;
  [[nodiscard]] std::uint32_t place_of(JobId job, ShapeId shape) const {
    return of(shape).places[position_[index(job)]];
  }
  // Calls visit(job) for all waiting jobs in queue order until it returns true.
  template <class Visit>
  void visit(Visit visit_job) const {
    for (std::size_t i = front_; i < order_.size(); ++i) {
      if (position_[index(order_[i])] != kNone && visit_job(order_[i])) {
        return;
      }
    }
  }

 private:
  [[nodiscard]] bool comes_before(ShapeId a, ShapeId b) const;

  std::vector<Class> classes_;
  std::vector<ShapeId> active_;
  std::vector<JobId> order_;             // by place; places of jobs that left stay until all have
  std::vector<std::uint32_t> position_;  // by job: in its class; kNone: not waiting
  std::size_t front_ = 0;
  std::size_t waiting_ = 0;
};

}  // namespace weft::schedulers
