#include "schedulers/waiting_queue.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace weft::schedulers {

void WaitingQueue::prepare(const Workload& workload) {
  classes_.resize(workload.shapes.size());
  for (std::size_t s = 0; s < classes_.size(); ++s) {
    classes_[s].units = total_gpus(workload.shapes[s]);
  }
  active_.reserve(classes_.size());
  position_.assign(workload.jobs.size(), kNone);
}

bool WaitingQueue::comes_before(ShapeId a, ShapeId b) const {
  const GpuShare units_a = classes_[index(a)].units;
  const GpuShare units_b = classes_[index(b)].units;
  return units_a != units_b ? units_a < units_b : a < b;
}

void WaitingQueue::push(JobId job, const Workload& workload) {
  WEFT_ASSERT(!contains(job), "job " + std::to_string(index(job)) + " waits already");
  const Job& what = workload.job(job);
  Class& its = classes_[index(what.shape)];
  if (its.waiting == 0) {
    its.limits.clear();
    its.jobs.clear();
    its.places.clear();
    const auto at =
        std::lower_bound(active_.begin(), active_.end(), what.shape, [this](ShapeId a, ShapeId b) {
          return comes_before(a, b);
        });
    active_.insert(at, what.shape);
  }
  if (waiting_ == 0) {
    order_.clear();
    front_ = 0;
  }
  position_[index(job)] = its.limits.size();
  its.limits.append(what.limit.raw());
  its.jobs.push_back(job);
  its.places.push_back(static_cast<std::uint32_t>(order_.size()));
  ++its.waiting;
  order_.push_back(job);
  ++waiting_;
}

void WaitingQueue::remove(JobId job, ShapeId shape) {
  WEFT_ASSERT(contains(job), "job " + std::to_string(index(job)) + " does not wait");
  Class& its = classes_[index(shape)];
  its.limits.remove(position_[index(job)]);
  position_[index(job)] = kNone;
  --its.waiting;
  if (its.waiting == 0) {
    const auto at =
        std::lower_bound(active_.begin(), active_.end(), shape, [this](ShapeId a, ShapeId b) {
          return comes_before(a, b);
        });
    active_.erase(at);
  }
  --waiting_;
  if (waiting_ > 0) {
    while (!contains(order_[front_])) {
      ++front_;
    }
  }
}

std::uint32_t WaitingQueue::place_behind_front(std::uint64_t count) const {
  std::size_t place = front_;
  for (std::size_t i = front_ + 1; i < order_.size() && count > 0; ++i) {
    if (contains(order_[i])) {
      place = i;
      --count;
    }
  }
  return static_cast<std::uint32_t>(place);
}

std::size_t WaitingQueue::ahead_of(JobId job) const {
  std::size_t ahead = 0;
  visit([&](JobId other) {
    ahead += other != job ? 1 : 0;
    return other == job;
  });
  return ahead;
}

}  // namespace weft::schedulers
