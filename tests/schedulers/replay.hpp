// Drives a policy through a workload without the simulation: a plain event loop over a binary
// heap. Within an instant completions come first, then submissions, then one decide(). Every start
// is checked. Test code only; what sim/ does, but small enough to be seen right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

#include "base/cluster.hpp"
#include "base/errors.hpp"
#include "base/job.hpp"
#include "schedulers/cluster_state.hpp"
#include "schedulers/scheduler.hpp"

namespace weft::schedulers::testing {

struct Outcome {
  static constexpr std::int64_t kNotStarted = -1;
  std::vector<std::int64_t> start;  // ns, by job
  std::vector<StartReason> reason;
  std::vector<Allocation> where;
  std::vector<JobId> rejected;
  std::string fault;  // the first wrong decision; empty: none
  std::uint64_t decides = 0;
};

class Replay final : public DecisionSink {
 public:
  // Called after each decide(); for checks on what is waiting.
  std::function<void(const ClusterView&)> after_pass;

  Replay(const ClusterLayout& layout, const Workload& workload, bool keep_places = true)
      : workload_(workload), state_(layout), keep_places_(keep_places) {
    outcome_.start.assign(workload.jobs.size(), Outcome::kNotStarted);
    outcome_.reason.resize(workload.jobs.size());
    outcome_.where.resize(workload.jobs.size());
  }

  // runs_past_limit: jobs run for their runtime even if the limit is shorter.
  Outcome run(Scheduler& scheduler, bool runs_past_limit = false) {
    runs_past_limit_ = runs_past_limit;
    std::size_t next = 0;
    std::vector<Event> events;
    while (outcome_.fault.empty() &&
           (next < workload_.jobs.size() || !ends_.empty() || !wakes_.empty())) {
      std::int64_t now = INT64_MAX;
      if (next < workload_.jobs.size()) {
        now = workload_.jobs[next].submit.ns();
      }
      if (!ends_.empty()) {
        now = std::min(now, std::get<0>(ends_.top()));
      }
      if (!wakes_.empty()) {
        now = std::min(now, wakes_.top());
      }
      now_ = SimTime::at(nanoseconds(now));
      events.clear();
      while (!ends_.empty() && std::get<0>(ends_.top()) == now) {
        const JobId job = std::get<1>(ends_.top());
        ends_.pop();
        state_.give_back(workload_.shape_of(job), outcome_.where[index(job)]);
        if (!keep_places_) {
          outcome_.where[index(job)] = Allocation{};
        }
        events.push_back(Event{Event::Kind::kJobEnded, job});
      }
      while (next < workload_.jobs.size() && workload_.jobs[next].submit.ns() == now) {
        events.push_back(
            Event{Event::Kind::kJobSubmitted, JobId{static_cast<std::uint32_t>(next)}});
        ++next;
      }
      bool woken = false;
      while (!wakes_.empty() && wakes_.top() == now) {
        wakes_.pop();
        woken = true;
      }
      if (woken) {
        events.push_back(Event{Event::Kind::kWakeUp, JobId{}});
      }
      const ClusterView view{now_, workload_, state_};
      scheduler.decide(events, view, *this);
      ++outcome_.decides;
      if (after_pass) {
        after_pass(view);
      }
    }
    return std::move(outcome_);
  }

  void start(JobId job, const Allocation& where, StartReason why) override {
    if (outcome_.start[index(job)] != Outcome::kNotStarted) {
      fault("job " + std::to_string(index(job)) + " started twice");
      return;
    }
    const Job& what = workload_.job(job);
    const std::string wrong = state_.check(workload_.shape_of(job), where);
    if (!wrong.empty()) {
      fault("job " + std::to_string(index(job)) + ": " + wrong);
      return;
    }
    state_.take(workload_.shape_of(job), where);
    outcome_.start[index(job)] = now_.ns();
    outcome_.reason[index(job)] = why;
    outcome_.where[index(job)] = where;
    const Duration runs = runs_past_limit_ ? what.runtime : std::min(what.runtime, what.limit);
    ends_.emplace((now_ + runs).ns(), job);
  }
  void reject(JobId job, std::string_view /*why*/) override { outcome_.rejected.push_back(job); }
  void wake_at(SimTime when) override { wakes_.push(when.ns()); }

  [[nodiscard]] const ClusterState& state() const { return state_; }
  [[nodiscard]] bool started(JobId job) const {
    return outcome_.start[index(job)] != Outcome::kNotStarted;
  }

 private:
  void fault(std::string what) {
    if (outcome_.fault.empty()) {
      outcome_.fault = std::move(what);
    }
  }

  using End = std::tuple<std::int64_t, JobId>;
  const Workload& workload_;
  ClusterState state_;
  bool keep_places_;
  bool runs_past_limit_ = false;
  SimTime now_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> wakes_;
  Outcome outcome_;
};

// Builds workloads job by job.
class WorkloadBuilder {
 public:
  static RequestShape any_gpus(std::int64_t count) {
    RequestShape shape;
    shape.kind = RequestShape::Kind::kAnyGpus;
    shape.gpus = gpus(count);
    return shape;
  }
  static RequestShape per_node(std::int32_t nodes, GpuShare each) {
    RequestShape shape;
    shape.kind = RequestShape::Kind::kPerNode;
    shape.nodes = nodes;
    shape.gpus = each;
    return shape;
  }
  static RequestShape whole_nodes(std::int32_t nodes) {
    RequestShape shape;
    shape.kind = RequestShape::Kind::kWholeNodes;
    shape.nodes = nodes;
    return shape;
  }

  // In order of submission.
  WorkloadBuilder& job(const RequestShape& shape,
                       SimTime submit,
                       Duration runtime,
                       Duration limit) {
    const auto at = std::find(workload.shapes.begin(), workload.shapes.end(), shape);
    Job job;
    job.shape = ShapeId{static_cast<std::uint32_t>(at - workload.shapes.begin())};
    if (at == workload.shapes.end()) {
      workload.shapes.push_back(shape);
    }
    job.submit = submit;
    job.eligible = submit;
    job.runtime = runtime;
    job.limit = limit;
    workload.jobs.push_back(job);
    return *this;
  }
  // Seconds; runs to its limit.
  WorkloadBuilder& job(const RequestShape& shape, std::int64_t submit, std::int64_t limit) {
    return job(shape, at_seconds(submit), seconds(limit), seconds(limit));
  }

  Workload workload;
};

// Nodes with `gpus_each` GPUs, without leaves, CPUs or memory that bind.
inline ClusterLayout uniform_nodes(std::uint32_t count, std::uint32_t gpus_each) {
  ClusterLayout layout;
  layout.name = "test";
  layout.gpu_models = {"G"};
  for (std::uint32_t n = 0; n < count; ++n) {
    NodeInfo node;
    node.gpu_count = gpus_each;
    layout.nodes.push_back(node);
    layout.node_names.push_back("n" + std::to_string(n));
  }
  finish_layout(layout);
  return layout;
}

}  // namespace weft::schedulers::testing
