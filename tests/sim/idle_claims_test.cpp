// The idle accounts, one cause at a time, with hand-computed GPU-seconds. Each case is a cluster, a
// few running jobs placed by hand and a waiting one; the split is read from the recorded run.
#include <gtest/gtest.h>

#include "tests/sim/scripted_policy.hpp"
#include "tests/sim/support.hpp"

namespace weft::sim::testing {
namespace {

using schedulers::Event;
using schedulers::Hold;

// GPU-seconds of an account.
std::int64_t gpu_seconds(const Recorder& recorder, IdleAccount account) {
  return static_cast<std::int64_t>(recorder.idle_in(account).raw() / 1000 / kNsPerSecond);
}

// Starts the jobs of `placed` (by number, when they are submitted) where the table says.
ScriptedPolicy::Decide place(std::vector<std::pair<std::uint32_t, Allocation>> placed) {
  return [placed](auto events, const auto& /*view*/, auto& sink) {
    for (const Event& event : events) {
      for (const auto& [job, where] : placed) {
        if (event.kind == Event::Kind::kJobSubmitted && index(event.job) == job) {
          sink.start(event.job, where, StartReason::kHead);
        }
      }
    }
  };
}

TEST(IdleClaims, NobodyWaitsMeansNoDemand) {
  const ClusterLayout layout = flat_pool(10);
  WorkloadMaker jobs;
  jobs.job(0, 100, 100, 4);
  ScriptedPolicy policy(place({{0, on({0}, {{0, 4}})}}));
  Recorder recorder;
  run(layout, jobs.workload(), policy, recorder);
  // (10 - 4) GPUs x 100 s
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kNoDemand), 600);
  EXPECT_EQ(recorder.idle_total().raw() + recorder.busy.raw(), (gpus(10) * seconds(100)).raw());
}

TEST(IdleClaims, TooFewFreeGpusDrain) {
  const ClusterLayout layout = flat_pool(10);
  WorkloadMaker jobs;
  jobs.job(0, 100, 100, 8).job(10, 50, 50, 4);
  ScriptedPolicy policy(place({{0, on({0}, {{0, 8}})}}));
  Recorder recorder;
  const RunOutcome outcome = run(layout, jobs.workload(), policy, recorder);
  EXPECT_EQ(outcome.end, RunOutcome::End::kStalled);  // the script never starts job 2
  // 2 free GPUs: 10 s without demand, then 90 s too few for the waiting 4.
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kNoDemand), 20);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kDraining), 180);
}

TEST(IdleClaims, EnoughFreeGpusInTheWrongShapeAreFragmented) {
  const ClusterLayout layout = uniform_cluster(2, 8);
  WorkloadMaker jobs;  // two nodes with 6 free GPUs each, the waiting job wants 8 on one
  jobs.nodes_job(0, 100, 100, 1, 2).nodes_job(0, 100, 100, 1, 2).nodes_job(0, 50, 50, 1, 8);
  ScriptedPolicy policy(place({{0, on({0}, {{0, 2}})}, {1, on({1}, {{8, 2}})}}));
  Recorder recorder;
  run(layout, jobs.workload(), policy, recorder);
  // It claims its 8 of the 12 idle GPUs; nobody wants the other 4.
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kFragmented), 800);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kNoDemand), 400);
}

TEST(IdleClaims, WhatAPlanKeepsIsReservedAndWhatNobodyLookedAtIsLatency) {
  const ClusterLayout layout = flat_pool(10);
  WorkloadMaker jobs;  // job 2 waits for 10, job 3 would fit into the 2 free ones
  jobs.job(0, 100, 100, 8).job(0, 50, 50, 10).job(0, 500, 500, 1);
  for (const Hold hold : {Hold::kPlan, Hold::kNotConsidered}) {
    ScriptedPolicy policy(place({{0, on({0}, {{0, 8}})}}), hold);
    Recorder recorder;
    run(layout, jobs.workload(), policy, recorder);
    const bool plan = hold == Hold::kPlan;
    // Reserved claims before draining, scheduler latency after it: job 2 alone drains both GPUs.
    EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kReserved), plan ? 100 : 0);
    EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kDraining), plan ? 100 : 200);
    EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kSchedulerLatency), 0);
  }
}

TEST(IdleClaims, SchedulerLatencyClaimsItsDemandOnly) {
  const ClusterLayout layout = flat_pool(10);
  WorkloadMaker jobs;
  jobs.job(0, 100, 100, 2).job(0, 50, 50, 3);
  ScriptedPolicy policy(place({{0, on({0}, {{0, 2}})}}), Hold::kNotConsidered);
  Recorder recorder;
  run(layout, jobs.workload(), policy, recorder);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kSchedulerLatency), 300);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kNoDemand), 500);
}

ClusterLayout mixed_cluster() {
  ClusterLayout layout;
  layout.gpu_models = {"H100-SXM", "A100-SXM"};
  for (std::uint32_t n = 0; n < 3; ++n) {
    NodeInfo node;
    node.gpu_count = 8;
    node.gpu_model = GpuModelId{static_cast<std::uint16_t>(n == 0 ? 0 : 1)};
    layout.nodes.push_back(node);
    layout.node_names.push_back("n" + std::to_string(n));
  }
  return layout;
}

TEST(IdleClaims, AGpuModelRuleIsPolicyIfTheJobWouldStartWithoutIt) {
  ClusterLayout layout = mixed_cluster();
  finish_layout(layout);
  WorkloadMaker jobs;  // H100 node taken; the waiting job insists on H100, 16 A100 are idle
  jobs.nodes_job(0, 100, 100, 1, 8).nodes_job(0, 50, 50, 1, 4, /*models=*/1);
  ScriptedPolicy policy(place({{0, on({0}, {{0, 8}})}}));
  Recorder recorder;
  run(layout, jobs.workload(), policy, recorder);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kPolicy), 400);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kNoDemand), 1200);
}

TEST(IdleClaims, ARuleThatMakesNoDifferenceIsNotPolicy) {
  ClusterLayout layout = mixed_cluster();
  finish_layout(layout);
  WorkloadMaker jobs;  // wants 3 H100 nodes' worth: 24 GPUs on 3 nodes never fit beside job 1
  jobs.nodes_job(0, 100, 100, 1, 8).nodes_job(0, 50, 50, 3, 8, /*models=*/1);
  ScriptedPolicy policy(place({{0, on({0}, {{0, 8}})}}));
  Recorder recorder;
  run(layout, jobs.workload(), policy, recorder);
  // Nothing it may use is idle, and lifting the rule would not start it: the A100 have no demand.
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kPolicy), 0);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kNoDemand), 1600);
}

TEST(IdleClaims, AClaimedShareBelongsToTheClaimingJobsPartition) {
  ClusterLayout layout = mixed_cluster();
  layout.partitions.push_back(PartitionInfo{"all", {NodeId{0}, NodeId{1}, NodeId{2}}});
  layout.partitions.push_back(PartitionInfo{"big", {NodeId{1}, NodeId{2}}});
  finish_layout(layout);
  ASSERT_EQ(layout.cells.size(), 2U);
  WorkloadMaker jobs;  // node 1 taken, the job in "big" wants both its nodes: 8 idle, 16 wanted
  jobs.nodes_job(0, 100, 100, 1, 8).nodes_job(0, 50, 50, 2, 8, ~std::uint64_t{0}, PartitionId{1});
  ScriptedPolicy policy(place({{0, on({1}, {{8, 8}})}}));
  Recorder recorder;
  run(layout, jobs.workload(), policy, recorder);
  // Lifting the partition rule would start it on nodes 0 and 2: policy, node 0 first (it is what
  // the rule keeps from it), then node 2; all 16 idle GPUs, in the job's partition.
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kPolicy), 1600);
  for (const IdleShare& share : recorder.idle_split) {
    if (share.account == IdleAccount::kPolicy) {
      EXPECT_EQ(share.partition, PartitionId{1});
    }
  }
}

TEST(IdleClaims, ClaimsGoInQueueOrderAcrossShapes) {
  ClusterLayout layout = mixed_cluster();  // two cells: the walk in queue order
  finish_layout(layout);
  WorkloadMaker jobs;
  jobs.nodes_job(0, 100, 100, 1, 8, 1)  // takes the H100 node
      .nodes_job(0, 100, 100, 1, 4, 2)  // 4 A100 on node 1
      .nodes_job(0, 100, 100, 1, 4, 2)  // 4 A100 on node 2: 8 free, 4 and 4
      .nodes_job(0, 50, 50, 1, 6, 2)    // fragmented, claims 6 of 8
      .nodes_job(0, 50, 50, 1, 5, 2)    // fragmented, claims the last 2
      .nodes_job(0, 50, 50, 2, 8, 2);   // draining, nothing left
  ScriptedPolicy policy(
      place({{0, on({0}, {{0, 8}})}, {1, on({1}, {{8, 4}})}, {2, on({2}, {{16, 4}})}}));
  Recorder recorder;
  run(layout, jobs.workload(), policy, recorder);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kFragmented), 800);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kDraining), 0);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kNoDemand), 0);
}

TEST(IdleClaims, JobsThatWantNoGpuClaimNone) {
  const ClusterLayout layout = uniform_cluster(1, 8);
  WorkloadMaker jobs;
  jobs.nodes_job(0, 100, 100, 1, 2).nodes_job(0, 50, 50, 1, 0);
  ScriptedPolicy policy(place({{0, on({0}, {{0, 2}})}}));
  Recorder recorder;
  run(layout, jobs.workload(), policy, recorder);
  EXPECT_EQ(gpu_seconds(recorder, IdleAccount::kNoDemand), 600);
}

}  // namespace
}  // namespace weft::sim::testing
