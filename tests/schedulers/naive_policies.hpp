// The policies as their definitions read, on a pool of processors: no classes, no pruning, no
// increments. Oracles for the real ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "base/job.hpp"

namespace weft::schedulers::testing {

enum class NaiveKind { kFcfs, kEasy, kEasySjf, kConservative };

class NaivePool {
 public:
  NaivePool(const Workload& workload, std::int64_t units) : workload_(workload), units_(units) {}

  std::vector<std::int64_t> run(NaiveKind kind) {
    const std::size_t n = workload_.jobs.size();
    start_.assign(n, -1);
    planned_.assign(n, -1);
    std::size_t next = 0;
    while (next < n || !running_.empty()) {
      std::int64_t now = INT64_MAX;
      if (next < n) {
        now = workload_.jobs[next].submit.ns();
      }
      for (const std::size_t j : running_) {
        now = std::min(now, end(j));
      }
      const std::size_t before = running_.size();
      std::erase_if(running_, [&](std::size_t j) { return end(j) == now; });
      if (kind == NaiveKind::kConservative && running_.size() != before) {
        for (const std::size_t j : waiting_) {
          if (planned_[j] != now) {
            planned_[j] = -1;
            planned_[j] = earliest(j, now);
          }
        }
      }
      while (next < n && workload_.jobs[next].submit.ns() == now) {
        waiting_.push_back(next);
        if (kind == NaiveKind::kConservative) {
          planned_[next] = earliest(next, now);
        }
        ++next;
      }
      kind == NaiveKind::kConservative ? start_planned(now) : start_heads(kind, now);
    }
    return start_;
  }

 private:
  [[nodiscard]] std::int64_t need(std::size_t j) const {
    return total_gpus(workload_.shapes[index(workload_.jobs[j].shape)]).raw() / 1000;
  }
  [[nodiscard]] std::int64_t limit(std::size_t j) const { return workload_.jobs[j].limit.raw(); }
  [[nodiscard]] std::int64_t end(std::size_t j) const {
    return start_[j] + std::min(workload_.jobs[j].runtime.raw(), limit(j));
  }
  // Free at `t` by limits and, for conservative, plans.
  [[nodiscard]] std::int64_t free(std::int64_t t) const {
    std::int64_t used = 0;
    for (const std::size_t j : running_) {
      used += start_[j] + limit(j) > t ? need(j) : 0;
    }
    for (const std::size_t j : waiting_) {
      used += planned_[j] >= 0 && planned_[j] <= t && t < planned_[j] + limit(j) ? need(j) : 0;
    }
    return units_ - used;
  }
  // Capacity rises where something ends, falls where something begins.
  [[nodiscard]] std::int64_t earliest(std::size_t job, std::int64_t now) const {
    std::vector<std::int64_t> times{now};
    for (const std::size_t j : running_) {
      times.push_back(start_[j] + limit(j));
    }
    for (const std::size_t j : waiting_) {
      if (planned_[j] >= 0) {
        times.push_back(planned_[j]);
        times.push_back(planned_[j] + limit(j));
      }
    }
    std::sort(times.begin(), times.end());
    for (const std::int64_t t : times) {
      if (t < now) {
        continue;
      }
      bool fits = free(t) >= need(job);
      for (const std::int64_t u : times) {
        fits = fits && (u <= t || u >= t + limit(job) || free(u) >= need(job));
      }
      if (fits) {
        return t;
      }
    }
    return -1;
  }
  void start(std::size_t j, std::int64_t now) {
    start_[j] = now;
    planned_[j] = -1;
    running_.push_back(j);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), j));
  }
  void start_planned(std::int64_t now) {
    const std::vector<std::size_t> all = waiting_;
    for (const std::size_t j : all) {
      if (planned_[j] == now) {
        start(j, now);
      }
    }
  }
  void start_heads(NaiveKind kind, std::int64_t now) {
    while (!waiting_.empty() && need(waiting_.front()) <= free(now)) {
      start(waiting_.front(), now);
    }
    if (kind == NaiveKind::kFcfs || waiting_.empty()) {
      return;
    }
    const std::size_t head = waiting_.front();
    std::vector<std::size_t> candidates(waiting_.begin() + 1, waiting_.end());
    if (kind == NaiveKind::kEasySjf) {
      std::stable_sort(candidates.begin(), candidates.end(), [this](std::size_t a, std::size_t b) {
        return limit(a) < limit(b);
      });
    }
    for (const std::size_t j : candidates) {
      if (need(j) > free(now)) {
        continue;
      }
      const std::int64_t shadow = earliest(head, now);
      const bool ends_before = now + limit(j) <= shadow;
      if (ends_before || need(j) <= free(shadow) - need(head)) {
        start(j, now);
      }
    }
  }

  const Workload& workload_;
  std::int64_t units_;
  std::vector<std::int64_t> start_;
  std::vector<std::int64_t> planned_;
  std::vector<std::size_t> running_;
  std::vector<std::size_t> waiting_;
};

}  // namespace weft::schedulers::testing
