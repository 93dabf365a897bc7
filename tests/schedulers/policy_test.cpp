// The policies on small cases worked out by hand.
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "schedulers/registry.hpp"
#include "tests/schedulers/replay.hpp"
#include "tests/schedulers/test_doubles.hpp"

namespace weft::schedulers::testing {
namespace {

using Builder = WorkloadBuilder;

Outcome run(const SchedulerConfig& config, const ClusterLayout& layout, const Workload& workload) {
  const Outcome outcome = Replay(layout, workload).run(*make_scheduler(config));
  EXPECT_EQ(outcome.fault, "");
  return outcome;
}

std::int64_t start_s(const Outcome& outcome, std::size_t job) {
  return outcome.start[job] / kNsPerSecond;
}

// 4 nodes; R has 3 of them until 100; J1 wants 4 for 100, J2 2 for 10, J3 1 for 50. The free node
// takes J3 until 50, before J1 starts at 100; a pass that looks at one job behind the head sees J2
// only, so J3 runs after J1, at 200.
TEST(Easy, DepthDecidesHowFarAPassLooks) {
  Builder jobs;
  jobs.job(Builder::whole_nodes(3), 0, 100);
  jobs.job(Builder::whole_nodes(4), 0, 100);
  jobs.job(Builder::whole_nodes(2), 0, 10);
  jobs.job(Builder::whole_nodes(1), 0, 50);
  const ClusterLayout layout = uniform_nodes(4, 8);
  SchedulerConfig config;
  config.backfill_depth = 1;
  const Outcome one = run(config, layout, jobs.workload);
  EXPECT_EQ(start_s(one, 1), 100);
  EXPECT_EQ(start_s(one, 3), 200);
  config.backfill_depth = 2;
  const Outcome two = run(config, layout, jobs.workload);
  EXPECT_EQ(start_s(two, 1), 100);
  EXPECT_EQ(start_s(two, 3), 0);
  EXPECT_EQ(two.reason[3], StartReason::kBackfill);
}

// 2 nodes; four 1-GPU jobs and an 8-GPU job, an hour each. Packed, the four share a node.
TEST(Easy, PackingLeavesANodeForTheLargeJob) {
  Builder jobs;
  for (int i = 0; i < 4; ++i) {
    jobs.job(Builder::per_node(1, gpus(1)), 0, 3600);
  }
  jobs.job(Builder::per_node(1, gpus(8)), 0, 3600);
  const ClusterLayout layout = uniform_nodes(2, 8);
  for (const std::string kind : {"fcfs", "easy", "conservative"}) {
    SchedulerConfig config;
    config.kind = kind;
    config.placement = Placement::kPack;
    EXPECT_EQ(start_s(run(config, layout, jobs.workload), 4), 0) << kind;
    config.placement = Placement::kSpread;
    EXPECT_EQ(start_s(run(config, layout, jobs.workload), 4), 3600) << kind;
  }
}

// Pool of 10: 6 until 100; the head wants 8 and is planned for 100, leaving 2. A job of 2 may run
// beyond, one of 3 only if it ends by 100, at 100 exactly too.
TEST(Easy, ALaterJobEndsInTimeOrFitsBesideTheHead) {
  Builder jobs;
  jobs.job(Builder::any_gpus(6), 0, 100);
  jobs.job(Builder::any_gpus(8), 0, 50);
  jobs.job(Builder::any_gpus(3), 0, 101);
  jobs.job(Builder::any_gpus(1), 0, 1000);
  jobs.job(Builder::any_gpus(3), 0, 100);
  const Outcome outcome = run(SchedulerConfig{}, flat_pool(10), jobs.workload);
  EXPECT_EQ(start_s(outcome, 1), 100);
  EXPECT_EQ(start_s(outcome, 2), 150);
  EXPECT_EQ(start_s(outcome, 3), 0);
  EXPECT_EQ(start_s(outcome, 4), 0);
  EXPECT_EQ(outcome.reason[0], StartReason::kHead);
  EXPECT_EQ(outcome.reason[1], StartReason::kHead);
  EXPECT_EQ(outcome.reason[3], StartReason::kBackfill);
}

TEST(Easy, ShortestFirst) {
  Builder jobs;
  jobs.job(Builder::any_gpus(6), 0, 100);
  jobs.job(Builder::any_gpus(10), 0, 50);
  jobs.job(Builder::any_gpus(4), 0, 90);
  jobs.job(Builder::any_gpus(4), 0, 20);
  SchedulerConfig config;
  EXPECT_EQ(start_s(run(config, flat_pool(10), jobs.workload), 2), 0);
  config.backfill_order = BackfillOrder::kSjf;
  const Outcome sjf = run(config, flat_pool(10), jobs.workload);
  EXPECT_EQ(start_s(sjf, 3), 0);
  EXPECT_EQ(start_s(sjf, 2), 150);
}

// Without limits nothing can be planned: a job without a limit may not take what the head needs
// in the end, one with a limit may.
TEST(Easy, JobsWithoutLimits) {
  Builder jobs;
  jobs.job(Builder::any_gpus(6), at_seconds(0), seconds(100), kUnlimited);
  jobs.job(Builder::any_gpus(8), at_seconds(0), seconds(10), kUnlimited);
  jobs.job(Builder::any_gpus(3), at_seconds(0), seconds(10), kUnlimited);
  jobs.job(Builder::any_gpus(2), at_seconds(0), seconds(10), kUnlimited);
  jobs.job(Builder::any_gpus(2), at_seconds(0), seconds(500), seconds(500));
  const Outcome outcome = run(SchedulerConfig{}, flat_pool(10), jobs.workload);
  EXPECT_EQ(start_s(outcome, 2), 110);  // 3 > 10 - 8
  EXPECT_EQ(start_s(outcome, 3), 0);
  EXPECT_EQ(start_s(outcome, 4), 0);
}

// Two nodes of 8: 4 busy on the first until 100. The head wants 8 on each of two nodes: planned
// for 100. A job of 4 for 200 s fits now but not beside the head; for 100 s it does.
TEST(Easy, PlansNodesNotTotals) {
  Builder jobs;
  jobs.job(Builder::per_node(1, gpus(4)), 0, 100);
  jobs.job(Builder::per_node(2, gpus(8)), 0, 50);
  jobs.job(Builder::per_node(1, gpus(4)), 0, 200);
  jobs.job(Builder::per_node(1, gpus(8)), 0, 100);
  const Outcome outcome = run(SchedulerConfig{}, uniform_nodes(2, 8), jobs.workload);
  EXPECT_EQ(start_s(outcome, 1), 100);
  EXPECT_EQ(start_s(outcome, 2), 150);
  EXPECT_EQ(start_s(outcome, 3), 0);
}

TEST(Conservative, StartReasons) {
  Builder jobs;
  jobs.job(Builder::any_gpus(6), 0, 100);
  jobs.job(Builder::any_gpus(8), 0, 50);   // planned for 100
  jobs.job(Builder::any_gpus(4), 0, 100);  // fits until 100: backfill
  jobs.job(Builder::any_gpus(9), 0, 10);   // planned for 150
  jobs.job(Builder::any_gpus(2), 1, 30);   // planned for 100, beside the second
  const Outcome outcome = [&] {
    SchedulerConfig config;
    config.kind = "conservative";
    return run(config, flat_pool(10), jobs.workload);
  }();
  EXPECT_EQ(outcome.reason[0], StartReason::kHead);
  EXPECT_EQ(start_s(outcome, 1), 100);
  EXPECT_EQ(outcome.reason[1], StartReason::kHead);
  EXPECT_EQ(start_s(outcome, 2), 0);
  EXPECT_EQ(outcome.reason[2], StartReason::kBackfill);
  EXPECT_EQ(start_s(outcome, 3), 150);
  EXPECT_EQ(start_s(outcome, 4), 100);
  EXPECT_EQ(outcome.reason[4], StartReason::kReserved);
}

// Limits are exact. The backfilled fourth job breaks up the node that the last one needs whole.
TEST(Conservative, MayStartAJobLaterThanFcfsOnNodes) {
  Builder jobs;
  jobs.job(Builder::per_node(1, gpus(4)), 0, 5);
  jobs.job(Builder::per_node(1, gpus(3)), 0, 5);
  jobs.job(Builder::per_node(1, gpus(2)), 2, 5);
  jobs.job(Builder::per_node(1, gpus(1)), 3, 5);
  jobs.job(Builder::per_node(1, gpus(4)), 5, 2);
  SchedulerConfig config;
  config.placement = Placement::kFirstFit;
  config.kind = "fcfs";
  EXPECT_EQ(start_s(run(config, uniform_nodes(2, 4), jobs.workload), 4), 5);
  config.kind = "conservative";
  const Outcome conservative = run(config, uniform_nodes(2, 4), jobs.workload);
  EXPECT_EQ(start_s(conservative, 3), 3);
  EXPECT_EQ(start_s(conservative, 4), 8);
}

TEST(Policies, RejectWhatFitsNoEmptyCluster) {
  Builder jobs;
  jobs.job(Builder::any_gpus(11), 0, 10);
  jobs.job(Builder::any_gpus(10), 0, 10);
  for (const std::string kind : {"fcfs", "easy", "conservative"}) {
    SchedulerConfig config;
    config.kind = kind;
    const Outcome outcome = run(config, flat_pool(10), jobs.workload);
    EXPECT_EQ(outcome.rejected, std::vector<JobId>{JobId{0}}) << kind;
    EXPECT_EQ(start_s(outcome, 1), 0) << kind;
  }
}

TEST(Policies, SayWhyAJobWaits) {
  Builder jobs;
  jobs.job(Builder::any_gpus(6), 0, 100);
  jobs.job(Builder::any_gpus(8), 0, 50);
  jobs.job(Builder::any_gpus(3), 0, 101);
  jobs.job(Builder::any_gpus(5), 0, 10);
  const ClusterLayout layout = flat_pool(10);
  const auto why = [&](const std::string& kind, std::uint32_t job) {
    SchedulerConfig config;
    config.kind = kind;
    const auto scheduler = make_scheduler(config);
    Replay replay(layout, jobs.workload);
    std::string text;
    replay.after_pass = [&](const ClusterView& view) {
      if (view.now == at_seconds(0)) {
        text = scheduler->why_waiting(JobId{job}, view);
        EXPECT_EQ(scheduler->hold(JobId{job}), Hold::kPlan);
      }
    };
    EXPECT_EQ(replay.run(*scheduler).fault, "");
    return text;
  };
  EXPECT_EQ(why("easy", 1),
            "head of the queue; needs 8 GPUs, 4 GPUs free; planned for 100 s when job 0 reaches "
            "its limit");
  EXPECT_EQ(why("easy", 2),
            "1 job ahead; needs 3 GPUs, 4 GPUs free; it would fit, but head job 1 is planned for "
            "100 s when job 0 reaches its limit, this job could run until 101 s by its limit, and "
            "there is no room for it beside the head");
  EXPECT_EQ(why("easy", 3), "2 jobs ahead; needs 5 GPUs, 4 GPUs free; 1 GPU missing");
  EXPECT_EQ(why("fcfs", 2),
            "1 job ahead; needs 3 GPUs, 4 GPUs free; it would fit, but jobs start in queue order "
            "and job 1 at the head does not fit");
  EXPECT_EQ(why("conservative", 2),
            "1 job ahead; needs 3 GPUs, 4 GPUs free; planned for 150 s; it would fit now, but not "
            "for all of its limit beside the planned starts");
  EXPECT_EQ(why("conservative", 0), "not in the queue");
}

TEST(Registry, RefusesWhatItDoesNotKnow) {
  Registry registry;
  register_builtin(registry);
  EXPECT_THROW(register_builtin(registry), std::logic_error);
  const auto message = [&registry](const SchedulerConfig& config) -> std::string {
    try {
      (void)registry.make(config);
    } catch (const InputErrors& errors) {
      return errors.what();
    }
    return "made";
  };
  SchedulerConfig config;
  config.kind = "eazy";
  EXPECT_NE(message(config).find("scheduler.kind: found 'eazy'"), std::string::npos);
  EXPECT_NE(message(config).find("did you mean 'easy'?"), std::string::npos);
  EXPECT_NE(message(config).find("fcfs, easy, conservative"), std::string::npos);
  config.kind = "fcfs";
  config.backfill_depth = 3;
  EXPECT_NE(message(config).find("scheduler.backfill_depth"), std::string::npos);
  config.kind = "easy";
  EXPECT_EQ(message(config), "made");
  for (const PolicyHelp& help : registry.help()) {
    EXPECT_FALSE(help.help.empty());
    EXPECT_EQ(help.help.find('\n'), std::string_view::npos);
    SchedulerConfig plain;
    plain.kind = help.name;
    EXPECT_EQ(registry.make(plain)->name(), help.name);
  }
  for (const PlacementHelp& help : placements()) {
    EXPECT_EQ(find_placement(help.name), help.placement);
  }
}

TEST(TestDoubles, DoWhatTheySay) {
  Builder jobs;
  jobs.job(Builder::any_gpus(3), 0, 10);
  jobs.job(Builder::any_gpus(3), 1, 10);
  const ClusterLayout layout = flat_pool(10);
  DoNothing nothing;
  EXPECT_EQ(Replay(layout, jobs.workload).run(nothing).start[0], Outcome::kNotStarted);
  RejectAll rejects;
  EXPECT_EQ(Replay(layout, jobs.workload).run(rejects).rejected.size(), 2U);
  using Fault = BadDecision::Fault;
  for (const Fault fault : {Fault::kStartsTwice,
                            Fault::kUnknownNode,
                            Fault::kNoNode,
                            Fault::kTakenGpu,
                            Fault::kTooFewGpus,
                            Fault::kGpuOutsideNode}) {
    BadDecision bad(fault);
    EXPECT_NE(Replay(layout, jobs.workload).run(bad).fault, "") << static_cast<int>(fault);
  }
}

}  // namespace
}  // namespace weft::schedulers::testing
