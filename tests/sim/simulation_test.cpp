// The engine's own promises: order at one instant, half-open intervals, limits, horizon, stalls,
// and that no wrong decision gets through.
#include "sim/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/scripted_policy.hpp"
#include "tests/sim/support.hpp"

namespace weft::sim::testing {
namespace {

using schedulers::Event;
using ::testing::HasSubstr;

std::unique_ptr<schedulers::Scheduler> policy_named(const std::string& kind) {
  schedulers::SchedulerConfig config;
  config.kind = kind;
  return schedulers::make_scheduler(config);
}

TEST(Simulation, AJobStartsAtTheInstantAnotherEnds) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 1).job(5, 10, 10, 1);
  const auto policy = policy_named("fcfs");
  Recorder recorder;
  const RunOutcome outcome = run(layout, jobs.workload(), *policy, recorder);
  EXPECT_EQ(recorder.started[1], at_seconds(10));
  EXPECT_EQ(outcome.horizon, at_seconds(20));
  EXPECT_EQ(recorder.idle_total(), GpuTime{}) << "1 GPU busy in [0,10) and [10,20)";
}

TEST(Simulation, CompletionsComeBeforeSubmissionsAtOneInstant) {
  const ClusterLayout layout = flat_pool(4);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 4).job(10, 5, 5, 4);
  std::vector<Event> seen;
  const auto fcfs = policy_named("fcfs");
  ScriptedPolicy policy([&](auto events, const auto& view, auto& sink) {
    seen.assign(events.begin(), events.end());
    fcfs->decide(events, view, sink);
  });
  Recorder recorder;
  const auto clock = make_plain_clock();
  RunRequest request{&layout, &jobs.workload(), &policy, clock.get()};
  request.horizon = seconds(11);
  run_simulation(request, recorder);
  ASSERT_EQ(seen.size(), 2U) << "one decision for both";
  EXPECT_EQ(seen[0].kind, Event::Kind::kJobEnded);
  EXPECT_EQ(seen[1].kind, Event::Kind::kJobSubmitted);
  EXPECT_EQ(recorder.started[1], at_seconds(10));
}

TEST(Simulation, AJobIsStoppedAtItsLimit) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 100, 60, 1);
  const auto policy = policy_named("fcfs");
  Recorder recorder;
  const RunOutcome outcome = run(layout, jobs.workload(), *policy, recorder);
  EXPECT_EQ(outcome.horizon, at_seconds(60));
  EXPECT_THAT(recorder.states, ::testing::ElementsAre(JobState::kTimeout));
}

TEST(Simulation, AJobOfNoLengthEndsWhereItStarts) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 1).job(3, 0, 10, 1).job(3, 5, 5, 1);
  const auto policy = policy_named("fcfs");
  Recorder recorder;
  run(layout, jobs.workload(), *policy, recorder);
  EXPECT_EQ(recorder.started[1], at_seconds(10));
  EXPECT_EQ(recorder.started[2], at_seconds(10));
}

TEST(Simulation, TheHorizonIsFirstSubmitToLastEnd) {
  const ClusterLayout layout = flat_pool(2);
  WorkloadMaker jobs;
  jobs.job(1'000'000, 10, 10, 1).job(1'000'005, 10, 10, 2);
  const auto policy = policy_named("fcfs");
  Recorder recorder;
  const RunOutcome outcome = run(layout, jobs.workload(), *policy, recorder);
  EXPECT_EQ(outcome.begin, at_seconds(1'000'000));
  EXPECT_EQ(outcome.horizon, at_seconds(1'000'020));
  EXPECT_EQ(recorder.busy.raw() + recorder.idle_total().raw(), (gpus(2) * seconds(20)).raw());
}

TEST(Simulation, AHorizonCutsWhatRunsAndWaits) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 1).job(1, 10, 10, 1).job(2, 10, 10, 1).job(99, 1, 1, 1);
  const auto policy = policy_named("fcfs");
  Recorder recorder;
  const auto clock = make_plain_clock();
  RunRequest request{&layout, &jobs.workload(), policy.get(), clock.get()};
  request.horizon = seconds(10);  // job 1 ends here and counts as finished; nothing starts here
  const RunOutcome outcome = run_simulation(request, recorder);
  EXPECT_EQ(outcome.end, RunOutcome::End::kHorizon);
  EXPECT_EQ(outcome.horizon, at_seconds(10));
  EXPECT_THAT(recorder.states, ::testing::ElementsAre(JobState::kCompleted));
  EXPECT_EQ(recorder.pending.size(), 2U);
  EXPECT_EQ(recorder.busy.raw() + recorder.idle_total().raw(), (gpus(1) * seconds(10)).raw());
}

TEST(Simulation, ARunWithNothingToDoEndsAtOnce) {
  const ClusterLayout layout = flat_pool(1);
  const Workload nothing;
  const auto policy = policy_named("easy");
  Recorder recorder;
  const RunOutcome outcome = run(layout, nothing, *policy, recorder);
  EXPECT_EQ(outcome.end, RunOutcome::End::kFinished);
  EXPECT_EQ(outcome.horizon, SimTime{});
}

TEST(Simulation, ADelayedJobWaitsFromItsBegin) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 1);
  jobs.last().eligible = at_seconds(100);
  jobs.job(50, 10, 10, 1);
  const auto policy = policy_named("fcfs");
  Recorder recorder;
  run(layout, jobs.workload(), *policy, recorder);
  EXPECT_EQ(recorder.started[1], at_seconds(50));
  EXPECT_EQ(recorder.started[0], at_seconds(100));
}

TEST(Simulation, AJobThatCannotRunHereIsRejectedWithItsReason) {
  const ClusterLayout layout = flat_pool(64);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 128);
  Workload workload = jobs.workload();
  workload.jobs[0].rejected = workload.symbols.intern("asks for 128 GPUs, the cluster has 64");
  const auto policy = policy_named("easy");
  Recorder recorder;
  const RunOutcome outcome = run(layout, workload, *policy, recorder);
  EXPECT_EQ(outcome.end, RunOutcome::End::kFinished);
  EXPECT_THAT(recorder.text, HasSubstr("reject 0 asks for 128 GPUs, the cluster has 64"));
}

TEST(Simulation, APolicyThatDoesNothingIsAStallThatNamesTheJobs) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 1).job(5, 10, 10, 1);
  ScriptedPolicy policy(do_nothing());
  Recorder recorder;
  const RunOutcome outcome = run(layout, jobs.workload(), policy, recorder);
  EXPECT_EQ(outcome.end, RunOutcome::End::kStalled);
  ASSERT_EQ(outcome.waiting.size(), 2U);
  EXPECT_EQ(outcome.waiting[0].why, "the script does not start it");
}

TEST(Simulation, APolicyThatOnlyWakesUpIsAStallToo) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 1);
  ScriptedPolicy policy(
      [](auto /*events*/, const auto& view, auto& sink) { sink.wake_at(view.now + seconds(1)); });
  Recorder recorder;
  const RunOutcome outcome = run(layout, jobs.workload(), policy, recorder);
  EXPECT_EQ(outcome.end, RunOutcome::End::kStalled);
}

TEST(Simulation, APolicyMayRejectAll) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 1).job(5, 10, 10, 1);
  ScriptedPolicy policy([](auto events, const auto& /*view*/, auto& sink) {
    for (const Event& event : events) {
      sink.reject(event.job, "no");
    }
  });
  Recorder recorder;
  const RunOutcome outcome = run(layout, jobs.workload(), policy, recorder);
  EXPECT_EQ(outcome.end, RunOutcome::End::kFinished);
  EXPECT_EQ(outcome.decisions, 2U);
}

// Each row: what the policy does at the first submission, and what the error says.
TEST(Simulation, WrongDecisionsStopTheRunWithThePolicysNameAndTheReason) {
  using Sink = schedulers::DecisionSink;
  struct Case {
    const char* what;
    std::function<void(Sink&)> decide;
    const char* says;
  };
  const Case cases[] = {
      {"twice",
       [](Sink& sink) {
         sink.start(JobId{0}, on({0}, {{0, 2}}), StartReason::kHead);
         sink.start(JobId{0}, on({0}, {{2, 2}}), StartReason::kHead);
       },
       "running already"},
      {"future job",
       [](Sink& sink) {
         sink.start(JobId{1}, on({0}, {{0, 2}}), StartReason::kHead);
       },
       "not submitted or not eligible yet"},
      {"unknown job",
       [](Sink& sink) {
         sink.start(JobId{77}, on({0}, {{0, 2}}), StartReason::kHead);
       },
       "only 2 jobs"},
      {"too few GPUs",
       [](Sink& sink) {
         sink.start(JobId{0}, on({0}, {{0, 1}}), StartReason::kHead);
       },
       "1"},
      {"unknown node",
       [](Sink& sink) {
         sink.start(JobId{0}, on({9}, {{0, 2}}), StartReason::kHead);
       },
       "9"},
      {"GPUs beyond the node",
       [](Sink& sink) {
         sink.start(JobId{0}, on({0}, {{3, 2}}), StartReason::kHead);
       },
       "GPUs 3+2"},
      {"wake in the past", [](Sink& sink) { sink.wake_at(SimTime{}); }, "not later"},
  };
  for (const Case& c : cases) {
    const ClusterLayout layout = flat_pool(4);
    WorkloadMaker jobs;
    jobs.job(0, 10, 10, 2).job(5, 10, 10, 2);
    ScriptedPolicy policy(
        [&c](auto /*events*/, const auto& /*view*/, auto& sink) { c.decide(sink); });
    Recorder recorder;
    try {
      run(layout, jobs.workload(), policy, recorder);
      ADD_FAILURE() << c.what << ": not refused";
    } catch (const PolicyError& error) {
      EXPECT_THAT(error.what(), HasSubstr("policy 'scripted'")) << c.what;
      EXPECT_THAT(error.what(), HasSubstr(c.says)) << c.what;
    }
  }
}

TEST(Simulation, AGpuIsNotGivenTwice) {
  const ClusterLayout layout = flat_pool(4);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 2).job(0, 10, 10, 2);
  ScriptedPolicy policy([](auto /*events*/, const auto& /*view*/, auto& sink) {
    sink.start(JobId{0}, on({0}, {{0, 2}}), StartReason::kHead);
    sink.start(JobId{1}, on({0}, {{1, 2}}), StartReason::kHead);
  });
  Recorder recorder;
  EXPECT_THROW(run(layout, jobs.workload(), policy, recorder), PolicyError);
}

TEST(Simulation, AStopRequestEndsTheRunAndKeepsWhatIsDone) {
  const ClusterLayout layout = flat_pool(1);
  WorkloadMaker jobs;
  jobs.job(0, 10, 10, 1).job(20, 10, 10, 1).job(40, 10, 10, 1);
  const auto fcfs = policy_named("fcfs");
  std::atomic<bool> stop{false};
  ScriptedPolicy policy([&](auto events, const auto& view, auto& sink) {
    fcfs->decide(events, view, sink);
    stop = view.now >= at_seconds(20);
  });
  Recorder recorder;
  const auto clock = make_plain_clock();
  RunRequest request{&layout, &jobs.workload(), &policy, clock.get()};
  request.stop = &stop;
  const RunOutcome outcome = run_simulation(request, recorder);
  EXPECT_EQ(outcome.end, RunOutcome::End::kInterrupted);
  EXPECT_EQ(outcome.horizon, at_seconds(30));
  // Job 2 ends at the cut and so counts as finished, as at a horizon; job 3 is never submitted.
  EXPECT_THAT(recorder.states, ::testing::ElementsAre(JobState::kCompleted, JobState::kCompleted));
  EXPECT_EQ(recorder.busy.raw() + recorder.idle_total().raw(), (gpus(1) * seconds(30)).raw());
}

}  // namespace
}  // namespace weft::sim::testing
