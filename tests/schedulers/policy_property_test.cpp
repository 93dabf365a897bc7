// Laws that hold for every workload, on small random ones.
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedulers/registry.hpp"
#include "tests/schedulers/naive_policies.hpp"
#include "tests/schedulers/replay.hpp"

namespace weft::schedulers::testing {
namespace {

std::unique_ptr<Scheduler> make(const std::string& kind,
                                Placement placement = Placement::kPack,
                                std::optional<BackfillOrder> order = std::nullopt) {
  SchedulerConfig config;
  config.kind = kind;
  config.placement = placement;
  config.backfill_order = order;
  return make_scheduler(config);
}

// Small numbers, so that ties of all kinds are common.
Workload random_pool_jobs(std::int64_t units, int count, bool exact) {
  WorkloadBuilder builder;
  std::int64_t submit = 0;
  for (int i = 0; i < count; ++i) {
    submit += *rc::gen::weightedElement<std::int64_t>({{4, 0}, {3, 1}, {2, 2}, {1, 9}});
    const auto need = *rc::gen::inRange<std::int64_t>(1, units + 1);
    const auto limit = *rc::gen::inRange<std::int64_t>(1, 12);
    const auto runtime = exact ? limit : *rc::gen::inRange<std::int64_t>(1, limit + 1);
    builder.job(
        WorkloadBuilder::any_gpus(need), at_seconds(submit), seconds(runtime), seconds(limit));
  }
  return std::move(builder.workload);
}

RequestShape random_node_shape() {
  RequestShape shape;
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      shape = WorkloadBuilder::any_gpus(*rc::gen::inRange<std::int64_t>(1, 10));
      break;
    case 1:
      shape = WorkloadBuilder::per_node(*rc::gen::inRange(1, 4),
                                        gpus(*rc::gen::inRange<std::int64_t>(0, 5)));
      break;
    case 2:
      shape = WorkloadBuilder::per_node(
          *rc::gen::inRange(1, 3), gpu_thousandths(*rc::gen::element<std::int64_t>(250, 500, 700)));
      break;
    case 3:
      shape = WorkloadBuilder::whole_nodes(*rc::gen::inRange(1, 4));
      break;
    default:
      shape = WorkloadBuilder::per_node(1, gpus(*rc::gen::inRange<std::int64_t>(1, 5)));
      break;
  }
  if (*rc::gen::inRange(0, 2) == 0) {
    shape.cpus = cpus(*rc::gen::inRange<std::int64_t>(0, 5));
    shape.memory = bytes(*rc::gen::inRange<std::int64_t>(0, 40));
  }
  if (shape.kind == RequestShape::Kind::kPerNode && shape.gpus.raw() == 0 &&
      shape.cpus.raw() == 0) {
    shape.cpus = cpus(1);  // asks for something
  }
  if (*rc::gen::inRange(0, 4) == 0) {
    shape.gpu_models = 1;
  }
  return shape;
}

Workload random_node_jobs(int count, bool exact) {
  WorkloadBuilder builder;
  std::int64_t submit = 0;
  for (int i = 0; i < count; ++i) {
    submit += *rc::gen::inRange<std::int64_t>(0, 4);
    const auto limit = *rc::gen::inRange<std::int64_t>(1, 20);
    const auto runtime = exact ? limit : *rc::gen::inRange<std::int64_t>(1, limit + 1);
    builder.job(random_node_shape(), at_seconds(submit), seconds(runtime), seconds(limit));
  }
  return std::move(builder.workload);
}

// Two models, CPU-only nodes, two leaves; CPUs and memory bind.
ClusterLayout mixed_nodes() {
  ClusterLayout layout;
  layout.gpu_models = {"A", "B"};
  for (std::uint32_t n = 0; n < 6; ++n) {
    NodeInfo node;
    node.gpu_count = n == 5 ? 0 : 4;
    node.gpu_model = GpuModelId{static_cast<std::uint16_t>(n % 2)};
    node.cpus = cpus(8);
    node.memory = bytes(100);
    node.leaf = LeafId{n / 3};
    layout.nodes.push_back(node);
    layout.node_names.push_back("n" + std::to_string(n));
  }
  layout.leaf_count = 2;
  finish_layout(layout);
  return layout;
}

void equals_naive(const std::string& kind, NaiveKind naive, std::optional<BackfillOrder> order) {
  const auto units = *rc::gen::inRange<std::int64_t>(1, 9);
  const Workload workload =
      random_pool_jobs(units, *rc::gen::inRange(1, 40), *rc::gen::arbitrary<bool>());
  const std::vector<std::int64_t> expected = NaivePool(workload, units).run(naive);

  const ClusterLayout pool = flat_pool(static_cast<std::uint32_t>(units));
  const Outcome flat = Replay(pool, workload).run(*make(kind, Placement::kPack, order));
  RC_ASSERT(flat.fault == "");
  RC_ASSERT(flat.start == expected);
  // The same pool as one node: the other kind of plan.
  const ClusterLayout node = uniform_nodes(1, static_cast<std::uint32_t>(units));
  const Outcome nodes = Replay(node, workload).run(*make(kind, Placement::kPack, order));
  RC_ASSERT(nodes.fault == "");
  RC_ASSERT(nodes.start == expected);
}

RC_GTEST_PROP(PolicyProperty, FcfsEqualsItsDefinition, ()) {
  equals_naive("fcfs", NaiveKind::kFcfs, std::nullopt);
}
RC_GTEST_PROP(PolicyProperty, EasyEqualsItsDefinition, ()) {
  equals_naive("easy", NaiveKind::kEasy, BackfillOrder::kFcfs);
}
RC_GTEST_PROP(PolicyProperty, EasySjfEqualsItsDefinition, ()) {
  equals_naive("easy", NaiveKind::kEasySjf, BackfillOrder::kSjf);
}
RC_GTEST_PROP(PolicyProperty, ConservativeEqualsItsDefinition, ()) {
  equals_naive("conservative", NaiveKind::kConservative, std::nullopt);
}

RC_GTEST_PROP(PolicyProperty, ConservativeStartsNothingLaterThanFcfsOnPoolsWithExactLimits, ()) {
  const auto units = *rc::gen::inRange<std::int64_t>(1, 9);
  const Workload workload = random_pool_jobs(units, *rc::gen::inRange(1, 40), true);
  const ClusterLayout pool = flat_pool(static_cast<std::uint32_t>(units));
  const Outcome fcfs = Replay(pool, workload).run(*make("fcfs"));
  const Outcome conservative = Replay(pool, workload).run(*make("conservative"));
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    RC_ASSERT(conservative.start[j] <= fcfs.start[j]);
  }
}

// The planned time that why_waiting states, in ns, or -1.
std::int64_t stated_plan(const std::string& text) {
  const std::string key = "planned for ";
  const std::size_t at = text.find(key);
  if (at == std::string::npos || text.compare(at + key.size(), 3, "now") == 0) {
    return -1;
  }
  return std::strtoll(text.c_str() + at + key.size(), nullptr, 10) * kNsPerSecond;
}

// On nodes: every job runs, in valid places (Replay checks each), and no planned start is ever
// put off: it only becomes earlier, and is met. easy plans the head, conservative all.
void keeps_its_plans(const std::string& kind) {
  const ClusterLayout layout = mixed_nodes();
  const Workload workload = random_node_jobs(*rc::gen::inRange(1, 40), *rc::gen::arbitrary<bool>());
  const auto placement = *rc::gen::element(
      Placement::kFirstFit, Placement::kBestFit, Placement::kPack, Placement::kSpread);
  const auto scheduler = make(kind, placement);
  Replay replay(layout, workload);
  std::vector<std::int64_t> promised(workload.jobs.size(), INT64_MAX);
  replay.after_pass = [&](const ClusterView& view) {
    bool head = true;
    for (std::uint32_t j = 0; j < workload.jobs.size() && workload.jobs[j].submit <= view.now;
         ++j) {
      if (replay.started(JobId{j})) {
        continue;
      }
      const std::string text = scheduler->why_waiting(JobId{j}, view);
      if (text == "not in the queue") {
        continue;  // rejected
      }
      if (kind == "conservative" || head) {
        const std::int64_t plan = stated_plan(text);
        RC_ASSERT(plan > view.now.ns());
        RC_ASSERT(plan <= promised[j]);
        promised[j] = plan;
      }
      head = false;
    }
  };
  const Outcome outcome = replay.run(*scheduler);
  RC_ASSERT(outcome.fault == "");
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    const bool fits = fits_empty(layout, workload.shapes[index(workload.jobs[j].shape)]);
    RC_ASSERT((outcome.start[j] != Outcome::kNotStarted) == fits);
    RC_ASSERT(outcome.start[j] <= promised[j]);
  }
}

RC_GTEST_PROP(PolicyProperty, EasyNeverPutsTheHeadOffOnNodes, ()) {
  keeps_its_plans("easy");
}
RC_GTEST_PROP(PolicyProperty, ConservativeNeverPutsAnyJobOffOnNodes, ()) {
  keeps_its_plans("conservative");
}

// Late jobs are what a replay of recorded runtimes has.
RC_GTEST_PROP(PolicyProperty, JobsPastTheirLimitsBreakNothing, ()) {
  const bool nodes = *rc::gen::arbitrary<bool>();
  Workload workload = nodes ? random_node_jobs(*rc::gen::inRange(1, 40), false)
                            : random_pool_jobs(6, *rc::gen::inRange(1, 40), false);
  for (Job& job : workload.jobs) {
    job.runtime = seconds(*rc::gen::inRange<std::int64_t>(1, 30));
    if (*rc::gen::inRange(0, 5) == 0) {
      job.limit = kUnlimited;
    }
  }
  const ClusterLayout layout = nodes ? mixed_nodes() : flat_pool(6);
  const auto kind = *rc::gen::element<std::string>("fcfs", "easy", "conservative");
  const Outcome outcome = Replay(layout, workload).run(*make(kind), true);
  RC_ASSERT(outcome.fault == "");
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    const bool fits = fits_empty(layout, workload.shapes[index(workload.jobs[j].shape)]);
    RC_ASSERT((outcome.start[j] != Outcome::kNotStarted) == fits);
  }
}

}  // namespace
}  // namespace weft::schedulers::testing
