// Small workloads and a recording observer for engine tests. Jobs are written as one-liners:
// job(submit s, runtime s, limit s, processors).
#pragma once

#include <string>
#include <vector>

#include "base/cluster.hpp"
#include "base/job.hpp"
#include "schedulers/registry.hpp"
#include "sim/simulation.hpp"

namespace weft::sim::testing {

class WorkloadMaker {
 public:
  // A job that wants any `processors` GPUs.
  WorkloadMaker& job(std::int64_t submit,
                     std::int64_t runtime,
                     std::int64_t limit,
                     std::int64_t processors) {
    RequestShape shape;
    shape.gpus = gpus(processors);
    return add(submit, runtime, limit, shape);
  }
  // A job that wants `nodes` nodes with `per_node` GPUs each.
  WorkloadMaker& nodes_job(std::int64_t submit,
                           std::int64_t runtime,
                           std::int64_t limit,
                           std::int32_t nodes,
                           std::int64_t per_node,
                           std::uint64_t models = ~std::uint64_t{0},
                           PartitionId partition = kNoPartition) {
    RequestShape shape;
    shape.kind = RequestShape::Kind::kPerNode;
    shape.nodes = nodes;
    shape.gpus = gpus(per_node);
    shape.gpu_models = models;
    shape.partition = partition;
    return add(submit, runtime, limit, shape);
  }
  Job& last() { return workload_.jobs.back(); }
  [[nodiscard]] const Workload& workload() const { return workload_; }

 private:
  WorkloadMaker& add(std::int64_t submit,
                     std::int64_t runtime,
                     std::int64_t limit,
                     const RequestShape& shape) {
    Job job;
    job.submit = at_seconds(submit);
    job.eligible = job.submit;
    job.runtime = seconds(runtime);
    job.limit = seconds(limit);
    job.name = workload_.symbols.intern(std::to_string(workload_.jobs.size() + 1));
    std::size_t known = 0;
    while (known < workload_.shapes.size() && !(workload_.shapes[known] == shape)) {
      ++known;
    }
    if (known == workload_.shapes.size()) {
      workload_.shapes.push_back(shape);
    }
    job.shape = ShapeId{static_cast<std::uint32_t>(known)};
    workload_.jobs.push_back(job);
    return *this;
  }

  Workload workload_;
};

// `nodes` nodes of `per_node` GPUs, all of one model.
inline ClusterLayout uniform_cluster(std::uint32_t nodes, std::uint32_t per_node) {
  ClusterLayout layout;
  layout.name = "uniform";
  layout.gpu_models = {"H100-SXM"};
  for (std::uint32_t n = 0; n < nodes; ++n) {
    NodeInfo node;
    node.gpu_count = per_node;
    layout.nodes.push_back(node);
    layout.node_names.push_back("n" + std::to_string(n));
  }
  finish_layout(layout);
  return layout;
}

// Everything that happened, as lines of text: comparing two runs is comparing two strings.
class Recorder final : public Observer {
 public:
  void job_submitted(SimTime now, JobId job) override { line(now, "submit", job); }
  void job_starts(const JobStart& start) override {
    line(start.now, "start", start.job);
    text += " " + std::string(to_string(start.reason));
    for (const GpuRange& range : start.allocation->gpus) {
      text += " " + std::to_string(range.first) + "+" + std::to_string(range.count);
    }
    if (started.size() <= index(start.job)) {
      started.resize(index(start.job) + 1, kNever);
    }
    started[index(start.job)] = start.now;
  }
  void job_ends(const JobEnd& end) override {
    line(end.now, "end", end.job);
    text += " state " + std::to_string(static_cast<int>(end.state));
    busy += end.allocation->total_share() * (end.now - end.started);
    states.push_back(end.state);
  }
  void job_rejected(SimTime now, JobId job, std::string_view why) override {
    line(now, "reject", job);
    text += " " + std::string(why);
  }
  void idle_changes(SimTime now, std::span<const IdleShare> split) override {
    integrate(now);
    idle_split.assign(split.begin(), split.end());
    text += "\n" + std::to_string(now.ns()) + " idle";
    for (const IdleShare& share : split) {
      text += " " + std::to_string(static_cast<int>(share.account)) + ":" +
              std::to_string(index(share.gpu_model)) + ":" +
              std::to_string(index(share.partition)) + "=" + std::to_string(share.gpus.raw());
    }
  }
  void job_pending(JobId job) override { pending.push_back(job); }
  void run_ends(SimTime at) override {
    integrate(at);
    horizon = at;
  }
  [[nodiscard]] GpuTime idle_in(IdleAccount account) const {
    return idle[static_cast<std::size_t>(account)];
  }
  [[nodiscard]] GpuTime idle_total() const {
    GpuTime total;
    for (const GpuTime& t : idle) {
      total += t;
    }
    return total;
  }

  std::string text;
  std::vector<SimTime> started;
  std::vector<JobState> states;
  std::vector<JobId> pending;
  std::vector<IdleShare> idle_split;
  GpuTime busy;
  GpuTime idle[kIdleAccounts];
  SimTime horizon;

 private:
  void line(SimTime now, const char* what, JobId job) {
    text += "\n" + std::to_string(now.ns()) + " " + what + " " + std::to_string(index(job));
  }
  void integrate(SimTime now) {
    for (const IdleShare& share : idle_split) {
      idle[static_cast<std::size_t>(share.account)] += share.gpus * (now - since_);
    }
    since_ = now;
  }
  SimTime since_;
};

inline RunOutcome run(const ClusterLayout& layout,
                      const Workload& workload,
                      schedulers::Scheduler& policy,
                      Observer& observer) {
  const auto clock = make_plain_clock();
  RunRequest request;
  request.layout = &layout;
  request.workload = &workload;
  request.scheduler = &policy;
  request.clock = clock.get();
  return run_simulation(request, observer);
}

}  // namespace weft::sim::testing
