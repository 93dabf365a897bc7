#include "results/run_writer.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/decimal.hpp"
#include "tests/results/test_world.hpp"

namespace weft::results {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)
using sim::IdleAccount;
using sim::JobState;

constexpr JobId kJ1{0};
constexpr JobId kJ2{1};
constexpr JobId kJ3{2};

nlohmann::json summary_of(const Script& script) {
  return nlohmann::json::parse(read_text(script.directory + "/summary.json"));
}

TEST(RunWriter, HeadersAreThoseOfTheInterface) {
  const ClusterLayout layout = uniform_cluster(1, 8);
  const JobList jobs;
  Script script(options("headers"), layout, jobs.workload);
  static_cast<void>(script.finish(0));
  EXPECT_EQ(first_line(script.directory + "/jobs.csv"),
            "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
            "requested_time,success,final_state,starting_time,execution_time,finish_time,"
            "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata,"
            "state,eligible_time,waiting_time_eligible,user,account,gpus,gpu_model,nodes,nodelist,"
            "leaves,start_reason,attempts,allreduce_slowdown,comm_time,io_wait_time,"
            "checkpoint_time,lost_time,cost_usd");
  EXPECT_EQ(first_line(script.directory + "/attempts.csv"),
            "job_id,attempt,eligible_time,starting_time,finish_time,state,nodelist,start_reason,"
            "lost_time");
  EXPECT_EQ(first_line(script.directory + "/ledger.csv"),
            "account,group,gpu_model,partition,gpu_seconds,share,cost_usd");
  EXPECT_EQ(first_line(script.directory + "/timeline.csv"),
            "time,queue_jobs,queue_gpus,running_jobs,down,maintenance,powered_off,no_demand,"
            "fragmented,draining,reserved,policy,scheduler_latency,starting,unused_allocation,"
            "comm_ideal,comm_contention,io_wait,checkpoint,bubble,throttled,lost_work,"
            "serving_idle,compute,serving_busy,power_w");
  EXPECT_EQ(first_line(script.directory + "/users.csv"),
            "user,jobs,finished,gpu_hours,share,mean_waiting_time,median_waiting_time,"
            "p95_waiting_time,mean_bounded_slowdown,cost_usd");
  EXPECT_EQ(first_line(script.directory + "/accounts.csv").substr(0, 8), "account,");
  EXPECT_EQ(first_line(script.directory + "/nodes.csv"),
            "node,gpu_model,gpus,first_gpu,leaf,rack,jobs,gpu_hours,share");
}

// 2 nodes x 8 GPUs. J1: 8 GPUs, [0, 10). J2: 16 GPUs, submitted at 5, waits for J1, [10, 30).
// GPU-seconds: J1 8 x 10 = 80; J2 16 x 20 = 320; idle 8 x 5 = 40 (nobody wants them), then
// 8 x 5 = 40 (draining for J2); 16 x 30 = 480 in all.
TEST(RunWriter, BooksASmallScheduleAsByHand) {
  const ClusterLayout layout = uniform_cluster(2, 8);
  JobList jobs;
  jobs.add(any_gpus(8), at_seconds(0), seconds(10));
  jobs.add(any_gpus(16), at_seconds(5), seconds(20));
  jobs.job(kJ2).user = jobs.workload.symbols.intern("ann");
  jobs.job(kJ2).limit = seconds(60);
  Script script(options_at("by_hand", dollars(2)), layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 8}}));
  script.idle(0, IdleAccount::kNoDemand, gpus(8));
  script.submit(5, kJ2);
  script.idle(5, IdleAccount::kDraining, gpus(8));
  script.end(10, kJ1);
  script.start(10, kJ2, on({NodeId{0}, NodeId{1}}, {{0, 8}, {8, 8}}), StartReason::kReserved);
  script.idle(10, IdleAccount::kNoDemand, gpus(0));
  script.end(30, kJ2, JobState::kTimeout);
  script.idle(30, IdleAccount::kNoDemand, gpus(16));
  const Summary summary = script.finish(30);

  EXPECT_EQ(read_text(script.directory + "/ledger.csv"),
            "account,group,gpu_model,partition,gpu_seconds,share,cost_usd\n"
            "no_demand,idle,H100,all,40,0.083333333,0.022223\n"
            "draining,idle,H100,all,40,0.083333333,0.022222\n"
            "compute,useful,H100,all,400,0.833333333,0.222222\n"
            "total,,,,480,1,0.266667\n")
      << "cost: GPU-seconds / 3600 x 2 $; idle rows share 0.266667 - 0.222222 = 0.044445 as\n"
         "0.0222222.. each: the first of two equal remainders gets the odd micro-dollar";

  const std::vector<CsvRow> rows = script.csv("jobs.csv");
  ASSERT_EQ(rows.size(), 2U);
  const std::string text = read_text(script.directory + "/jobs.csv");
  EXPECT_THAT(text,
              testing::HasSubstr("\n1,script,,0,8,,1,COMPLETED_SUCCESSFULLY,0,10,10,0,10,1,0-7,-1,,"
                                 "COMPLETED,0,0,,,8,H100,1,n1,1,head,1,,,,,0,0.044444\n"));
  EXPECT_THAT(text,
              testing::HasSubstr("\n2,script,,5,16,60,0,COMPLETED_WALLTIME_REACHED,10,20,30,5,25,"
                                 "1.25,0-15,-1,,TIMEOUT,5,5,ann,,16,H100,2,n[1-2],1,reserved,1,,,,"
                                 ",0,0.177778\n"));
  EXPECT_EQ(read_text(script.directory + "/attempts.csv"),
            "job_id,attempt,eligible_time,starting_time,finish_time,state,nodelist,start_reason,"
            "lost_time\n"
            "1,1,0,0,10,COMPLETED,n1,head,0\n"
            "2,1,5,10,30,TIMEOUT,n[1-2],reserved,0\n");
  EXPECT_THAT(read_text(script.directory + "/timeline.csv"),
              testing::EndsWith("power_w\n"
                                "0,0,0,1,0,0,0,8,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,8,0,\n"
                                "5,1,16,1,0,0,0,0,0,8,0,0,0,0,0,0,0,0,0,0,0,0,0,8,0,\n"
                                "10,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,0,\n"
                                "30,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16,0,\n"));
  EXPECT_EQ(read_text(script.directory + "/users.csv"),
            "user,jobs,finished,gpu_hours,share,mean_waiting_time,median_waiting_time,"
            "p95_waiting_time,mean_bounded_slowdown,cost_usd\n"
            ",1,1,0.022222,0.2,0,0,0,1,0.044444\n"
            "ann,1,1,0.088889,0.8,5,5,5,1.25,0.177778\n");
  EXPECT_EQ(read_text(script.directory + "/nodes.csv"),
            "node,gpu_model,gpus,first_gpu,leaf,rack,jobs,gpu_hours,share\n"
            "n1,H100,8,0,0,,2,0.066667,1\n"
            "n2,H100,8,8,0,,1,0.044444,0.666666667\n");

  const nlohmann::json json = summary_of(script);
  EXPECT_EQ(json["nb_jobs"], 2);
  EXPECT_EQ(json["nb_jobs_finished"], 2);
  EXPECT_EQ(json["nb_jobs_success"], 1);
  EXPECT_EQ(json["nb_jobs_killed"], 1);
  EXPECT_EQ(json["makespan"], 30);
  EXPECT_EQ(json["mean_waiting_time"], 2.5) << "(0 + 5) / 2";
  EXPECT_EQ(json["waiting_time_p50"], 0) << "nearest rank: the 1st of 0, 5";
  EXPECT_EQ(json["waiting_time_p95"], 5);
  EXPECT_EQ(json["mean_turnaround_time"], 17.5) << "(10 + 25) / 2";
  EXPECT_EQ(json["mean_slowdown"], 1.125) << "(10/10 + 25/20) / 2";
  EXPECT_EQ(json["mean_bounded_slowdown"], 1.125);
  EXPECT_EQ(json["installed_gpus"], 16);
  EXPECT_EQ(json["horizon_s"], 30);
  EXPECT_EQ(json["utilization_allocated"], 0.833333333) << "400 / 480";
  EXPECT_EQ(json["ledger_draining_share"], 0.083333333) << "40 / 480";
  EXPECT_EQ(json["mean_queue_jobs"], 0.166666667) << "1 x 5 s / 30 s";
  EXPECT_EQ(json["max_queue_jobs"], 1) << "J1 started at once and never queued";
  EXPECT_EQ(json["mean_queue_gpus"], 2.666666667) << "16 x 5 s / 30 s";
  EXPECT_EQ(json["total_cost_usd"], 0.266667) << "480 / 3600 x 2 $";
  EXPECT_EQ(json["idle_gpu_cost_usd"], 0.044445);
  EXPECT_EQ(json["cost_per_useful_gpu_hour_usd"], 2.400003) << "0.266667 $ / (400 / 3600 h)";
  EXPECT_EQ(json["user_fairness_bounded_slowdown"], 0.987804878)
      << "(1 + 1.25)^2 / (2 (1 + 1.5625))";
  EXPECT_EQ(summary.jobs.counts.finished, 2);
}

// Public report B1. 1 node; J1 [0, 10), J2 submitted at 5, [10, 20): at 10 the node is held once.
TEST(RunWriter, UseNeverExceedsWhatIsInstalledWhenAnEndMeetsAStart) {
  const ClusterLayout layout = uniform_cluster(1, 8);
  JobList jobs;
  jobs.add(whole_nodes(1, 8), at_seconds(0), seconds(10));
  jobs.add(whole_nodes(1, 8), at_seconds(5), seconds(10));
  Script script(options("half_open"), layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 8}}));
  script.idle(0, IdleAccount::kNoDemand, gpus(0));
  script.submit(5, kJ2);
  script.end(10, kJ1);
  script.start(10, kJ2, on({NodeId{0}}, {{0, 8}}));
  script.end(20, kJ2);
  script.idle(20, IdleAccount::kNoDemand, gpus(8));
  const Summary summary = script.finish(20);
  EXPECT_EQ(summary.utilization_allocated(), 1.0);
  for (const CsvRow& row : script.csv("timeline.csv")) {
    EXPECT_EQ(row.at("compute"), "8") << "at " << row.at("time");
    EXPECT_EQ(row.at("running_jobs"), "1");
  }
}

// Public report G1: a job that cannot run has no times, is counted, and left out of the means.
TEST(RunWriter, RejectedJobsHaveNoTimes) {
  const ClusterLayout layout = uniform_cluster(8, 8);
  JobList jobs;
  jobs.add(any_gpus(128), at_seconds(0), seconds(10));
  jobs.add(any_gpus(64), at_seconds(0), seconds(10));
  Script script(options_at("rejected", dollars(1)), layout, jobs.workload);
  script.reject(0, kJ1);
  script.submit(0, kJ2);
  std::vector<NodeId> nodes;
  std::vector<GpuRange> ranges;
  for (std::uint32_t n = 0; n < 8; ++n) {
    nodes.push_back(NodeId{n});
    ranges.push_back({8 * n, 8});
  }
  script.start(0, kJ2, on(nodes, ranges));
  script.idle(0, IdleAccount::kNoDemand, gpus(0));
  script.end(10, kJ2);
  static_cast<void>(script.finish(10));
  const std::vector<CsvRow> rows = script.csv("jobs.csv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("state"), "REJECTED");
  EXPECT_EQ(rows[0].at("final_state"), "REJECTED");
  EXPECT_EQ(rows[0].at("success"), "0");
  EXPECT_EQ(rows[0].at("attempts"), "0");
  for (const char* column : {"starting_time",
                             "execution_time",
                             "finish_time",
                             "waiting_time",
                             "turnaround_time",
                             "stretch",
                             "allocated_resources",
                             "waiting_time_eligible",
                             "gpus",
                             "nodes",
                             "nodelist",
                             "leaves",
                             "start_reason",
                             "lost_time",
                             "cost_usd"}) {
    EXPECT_EQ(rows[0].at(column), "") << column;
  }
  EXPECT_EQ(script.csv("attempts.csv").size(), 1U);
  const nlohmann::json json = summary_of(script);
  EXPECT_EQ(json["nb_jobs"], 2);
  EXPECT_EQ(json["nb_jobs_rejected"], 1);
  EXPECT_EQ(json["nb_jobs_finished"], 1);
  EXPECT_EQ(json["mean_waiting_time"], 0);
  EXPECT_EQ(json["max_turnaround_time"], 10);
}

// Public report A9: submit 0, eligible 500, start 530: both waits, each named.
TEST(RunWriter, NamesBothWaits) {
  const ClusterLayout layout = uniform_cluster(1, 1);
  JobList jobs;
  jobs.add(any_gpus(1), at_seconds(0), seconds(10));
  jobs.job(kJ1).eligible = at_seconds(500);
  Script script(options("waits"), layout, jobs.workload);
  script.submit(0, kJ1);
  script.idle(0, IdleAccount::kNoDemand, gpus(1));
  script.start(530, kJ1, on({NodeId{0}}, {{0, 1}}));
  script.idle(530, IdleAccount::kNoDemand, gpus(0));
  script.end(540, kJ1);
  static_cast<void>(script.finish(540));
  const CsvRow row = script.csv("jobs.csv").at(0);
  EXPECT_EQ(row.at("waiting_time"), "530");
  EXPECT_EQ(row.at("waiting_time_eligible"), "30");
  EXPECT_EQ(row.at("eligible_time"), "500");
  EXPECT_EQ(summary_of(script)["mean_waiting_time"], 530);
  EXPECT_EQ(summary_of(script)["mean_waiting_time_eligible"], 30);
}

// Public report A12: a cluster without GPUs gives no nonsense: null, never nan, inf or negative.
TEST(RunWriter, ClusterWithoutGpusHasNoUtilisation) {
  const ClusterLayout layout = uniform_cluster(2, 0);
  JobList jobs;
  jobs.add(any_gpus(3), at_seconds(0), seconds(10));
  jobs.add(any_gpus(0), at_seconds(0), seconds(10));
  Script script(options("no_gpus"), layout, jobs.workload);
  script.reject(0, kJ1);
  script.submit(0, kJ2);
  script.start(0, kJ2, on({NodeId{1}}, {}));
  script.idle(0, IdleAccount::kNoDemand, gpus(0));
  script.end(10, kJ2);
  static_cast<void>(script.finish(10));
  const nlohmann::json json = summary_of(script);
  EXPECT_TRUE(json["utilization_allocated"].is_null());
  EXPECT_TRUE(json["utilization_useful"].is_null());
  EXPECT_TRUE(json["total_cost_usd"].is_null());
  EXPECT_EQ(json["installed_gpu_seconds"], 0);
  for (const auto& entry : std::filesystem::directory_iterator(script.directory)) {
    const std::string text = read_text(entry.path().string());
    EXPECT_THAT(text, testing::Not(testing::ContainsRegex("[^a-z](nan|inf)[^a-z]"))) << entry;
    EXPECT_THAT(text, testing::Not(testing::ContainsRegex("-[02-9]"))) << entry << text;
  }
  EXPECT_EQ(script.csv("jobs.csv").at(1).at("gpu_model"), "");
  EXPECT_EQ(script.csv("jobs.csv").at(1).at("gpus"), "0");
}

// Public report F2: 4 GPUs allocated for 2 h at 2 $ a GPU-hour, one of them asked for:
// allocation 4 x 2 x 2 = 16 $, use 1 x 2 x 2 = 4 $.
TEST(RunWriter, AllocationCostIsNotUsageCost) {
  const ClusterLayout layout = uniform_cluster(1, 4);
  JobList jobs;
  jobs.add(whole_nodes(1, 1), at_seconds(0), hours(2));
  Script script(options_at("usage", dollars(2)), layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 4}}));
  script.idle(0, IdleAccount::kNoDemand, gpus(0));
  script.end(7200, kJ1);
  const Summary summary = script.finish(7200);
  EXPECT_EQ(summary_of(script)["jobs_cost_usd"], 16);
  EXPECT_EQ(summary_of(script)["useful_cost_usd"], 4);
  EXPECT_EQ(summary_of(script)["utilization_allocated"], 1);
  EXPECT_EQ(summary_of(script)["utilization_useful"], 0.25);
  EXPECT_EQ(script.csv("jobs.csv").at(0).at("cost_usd"), "16");
  EXPECT_EQ(summary.ledger.by_account[index(Account::kUnusedAllocation)].raw(),
            (gpus(3) * hours(2)).raw());
}

// Public report F3: 2 nodes at 16 $/h (8 GPUs x 2 $): jobs + idle = 32 $/h x makespan, exactly.
TEST(RunWriter, CostsAddUpToTheWhole) {
  const ClusterLayout layout = uniform_cluster(2, 8);
  JobList jobs;
  for (int i = 0; i < 7; ++i) {
    jobs.add(any_gpus(1), at_seconds(0), seconds(100 + 13 * i));
    jobs.job(JobId{static_cast<std::uint32_t>(i)}).user =
        jobs.workload.symbols.intern(i % 2 == 0 ? "ann" : "bob");
  }
  Script script(options_at("adds_up", dollars(2)), layout, jobs.workload);
  for (std::uint32_t i = 0; i < 7; ++i) {
    script.submit(0, JobId{i});
    script.start(0, JobId{i}, on({NodeId{0}}, {{i, 1}}));
  }
  script.idle(0, IdleAccount::kNoDemand, gpus(9));
  for (std::uint32_t i = 0; i < 7; ++i) {
    script.end(100 + 13 * i, JobId{i}, i == 3 ? JobState::kFailed : JobState::kCompleted);
    script.idle(100 + 13 * i, IdleAccount::kNoDemand, gpus(10 + i));
  }
  const Summary summary = script.finish(178);
  const auto micro = [](const std::string& dollars) {
    return std::llround(std::stod(dollars) * 1e6);
  };
  std::int64_t of_jobs = 0;
  for (const CsvRow& row : script.csv("jobs.csv")) {
    of_jobs += micro(row.at("cost_usd"));
  }
  std::int64_t of_users = 0;
  for (const CsvRow& row : script.csv("users.csv")) {
    of_users += micro(row.at("cost_usd"));
  }
  std::int64_t idle = 0;
  std::int64_t rows_total = 0;
  for (const CsvRow& row : script.csv("ledger.csv")) {
    idle += row.at("group") == "idle" ? micro(row.at("cost_usd")) : 0;
    rows_total += row.at("account") != "total" ? micro(row.at("cost_usd")) : 0;
  }
  const std::int64_t whole = 1'582'222;  // 32 $/h x 178 s / 3600 = 1.5822222 $
  EXPECT_EQ(of_jobs + idle, whole);
  EXPECT_EQ(of_users, of_jobs);
  EXPECT_EQ(rows_total, whole);
  EXPECT_EQ(summary.ledger.total_cost, micro_dollars(whole));
  EXPECT_EQ(summary.jobs_cost(), micro_dollars(of_jobs));
}

TEST(RunWriter, WorkOfFailedJobsIsLost) {
  const ClusterLayout layout = uniform_cluster(1, 4);
  for (const auto& [state, account] :
       std::vector<std::pair<JobState, std::string>>{{JobState::kCompleted, "compute"},
                                                     {JobState::kTimeout, "compute"},
                                                     {JobState::kCancelled, "compute"},
                                                     {JobState::kDeadline, "compute"},
                                                     {JobState::kFailed, "lost_work"},
                                                     {JobState::kNodeFail, "lost_work"},
                                                     {JobState::kOutOfMemory, "lost_work"}}) {
    JobList jobs;
    jobs.add(whole_nodes(1, 3), at_seconds(0), seconds(10));
    Script script(options("lost"), layout, jobs.workload);
    script.submit(0, kJ1);
    script.start(0, kJ1, on({NodeId{0}}, {{0, 4}}));
    script.idle(0, IdleAccount::kNoDemand, gpus(0));
    script.end(10, kJ1, state);
    static_cast<void>(script.finish(10));
    const std::vector<CsvRow> ledger = script.csv("ledger.csv");
    ASSERT_EQ(ledger.size(), 3U);
    EXPECT_EQ(ledger[0].at("account"), "unused_allocation");
    EXPECT_EQ(ledger[0].at("gpu_seconds"), "10") << "(4 - 3) x 10";
    EXPECT_EQ(ledger[1].at("account"), account);
    EXPECT_EQ(ledger[1].at("gpu_seconds"), "30") << "3 x 10";
    EXPECT_EQ(script.csv("timeline.csv").at(0).at(account), "3");
    EXPECT_EQ(script.csv("jobs.csv").at(0).at("lost_time"), account == "compute" ? "0" : "10");
  }
}

// The horizon cuts J1 while it runs and J2 while it waits.
TEST(RunWriter, UnfinishedJobsAreBookedAndFlagged) {
  const ClusterLayout layout = uniform_cluster(1, 4);
  JobList jobs;
  jobs.add(any_gpus(3), at_seconds(0), seconds(1000));
  jobs.add(any_gpus(4), at_seconds(5), seconds(10));
  Script script(options_at("unfinished", dollars(3600)), layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 3}}));
  script.idle(0, IdleAccount::kNoDemand, gpus(1));
  script.submit(5, kJ2);
  script.idle(5, IdleAccount::kDraining, gpus(1));
  script.end(20, kJ1, JobState::kRunning);
  script.writer().job_pending(kJ2);
  static_cast<void>(script.finish(20));
  const std::vector<CsvRow> rows = script.csv("jobs.csv");
  EXPECT_EQ(rows.at(0).at("state"), "RUNNING");
  EXPECT_EQ(rows.at(0).at("starting_time"), "0");
  EXPECT_EQ(rows.at(0).at("waiting_time"), "0");
  EXPECT_EQ(rows.at(0).at("finish_time"), "");
  EXPECT_EQ(rows.at(0).at("execution_time"), "");
  EXPECT_EQ(rows.at(0).at("success"), "");
  EXPECT_EQ(rows.at(0).at("final_state"), "");
  EXPECT_EQ(rows.at(0).at("cost_usd"), "60") << "3 GPUs x 20 s x 1 $/s so far";
  EXPECT_EQ(rows.at(1).at("state"), "PENDING");
  EXPECT_EQ(rows.at(1).at("starting_time"), "");
  EXPECT_EQ(script.csv("attempts.csv").at(0).at("finish_time"), "");
  const nlohmann::json json = summary_of(script);
  EXPECT_EQ(json["nb_jobs_unfinished"], 2);
  EXPECT_EQ(json["nb_jobs_running"], 1);
  EXPECT_EQ(json["nb_jobs_pending"], 1);
  EXPECT_EQ(json["nb_jobs_finished"], 0);
  EXPECT_EQ(json["unfinished_gpu_seconds"], 60);
  EXPECT_TRUE(json["makespan"].is_null());
  EXPECT_TRUE(json["mean_bounded_slowdown"].is_null());
}

// J1 [0, 10) on 2 of 4 GPUs, J2 submitted 4, [10, 30) on 4. Measured 5..20: ledger 4 x 15 = 60:
// J1 2 x 5 + J2 4 x 10 = 50 compute, 2 x 5 = 10 idle. Jobs: none submitted in the window but J3
// (5).
TEST(RunWriter, MeasureWindowCutsLedgerByTimeAndJobsBySubmission) {
  const ClusterLayout layout = uniform_cluster(1, 4);
  JobList jobs;
  jobs.add(any_gpus(2), at_seconds(0), seconds(10));
  jobs.add(any_gpus(4), at_seconds(4), seconds(20));
  jobs.add(any_gpus(1), at_seconds(5), seconds(7));
  RunWriterOptions measured = options_at("measure", dollars(3600));
  measured.measure = Measure{at_seconds(5), at_seconds(20)};
  Script script(measured, layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 2}}));
  script.idle(0, IdleAccount::kNoDemand, gpus(2));
  script.submit(4, kJ2);
  script.idle(4, IdleAccount::kDraining, gpus(2));
  script.submit(5, kJ3);
  script.end(10, kJ1);
  script.start(10, kJ2, on({NodeId{0}}, {{0, 4}}));
  script.idle(10, IdleAccount::kNoDemand, gpus(0));
  script.end(30, kJ2);
  script.start(30, kJ3, on({NodeId{0}}, {{0, 1}}));
  script.idle(30, IdleAccount::kNoDemand, gpus(3));
  script.end(37, kJ3);
  const Summary summary = script.finish(37);
  EXPECT_EQ(read_text(script.directory + "/ledger.csv"),
            "account,group,gpu_model,partition,gpu_seconds,share,cost_usd\n"
            "draining,idle,H100,all,10,0.166666667,10\n"
            "compute,useful,H100,all,50,0.833333333,50\n"
            "total,,,,60,1,60\n");
  const std::vector<CsvRow> timeline = script.csv("timeline.csv");
  ASSERT_EQ(timeline.size(), 3U);
  EXPECT_EQ(timeline[0].at("time"), "5");
  EXPECT_EQ(timeline[0].at("queue_jobs"), "2");
  EXPECT_EQ(timeline[1].at("time"), "10");
  EXPECT_EQ(timeline[2].at("time"), "20");
  EXPECT_EQ(summary.jobs.counts.all, 1);
  EXPECT_EQ(summary_of(script)["mean_waiting_time"], 25) << "J3: 30 - 5";
  EXPECT_EQ(summary_of(script)["horizon_s"], 15);
  EXPECT_EQ(script.csv("jobs.csv").size(), 3U);
}

// Public report G7: two jobs of half a GPU each on one GPU.
TEST(RunWriter, SharesOfOneGpuAddUpToIt) {
  const ClusterLayout layout = uniform_cluster(1, 1);
  JobList jobs;
  RequestShape half;
  half.kind = RequestShape::Kind::kPerNode;
  half.nodes = 1;
  half.gpus = gpu_thousandths(500);
  jobs.add(half, at_seconds(0), seconds(1));
  jobs.add(half, at_seconds(0), seconds(3));
  Allocation where = on({NodeId{0}}, {{0, 1}});
  where.share = gpu_thousandths(500);
  Script script(options("shared"), layout, jobs.workload);
  script.submit(0, kJ1);
  script.submit(0, kJ2);
  script.start(0, kJ1, where);
  script.start(0, kJ2, where);
  script.idle(0, IdleAccount::kNoDemand, gpus(0));
  script.end(1, kJ1);
  script.idle(1, IdleAccount::kNoDemand, gpu_thousandths(500));
  script.end(3, kJ2);
  static_cast<void>(script.finish(3));
  EXPECT_EQ(script.csv("jobs.csv").at(0).at("gpus"), "0.5");
  EXPECT_EQ(script.csv("jobs.csv").at(0).at("requested_number_of_resources"), "0.5");
  EXPECT_EQ(script.csv("jobs.csv").at(0).at("allocated_resources"), "0");
  EXPECT_EQ(script.csv("jobs.csv").at(1).at("allocated_resources"), "0");
  EXPECT_EQ(script.csv("ledger.csv").at(1).at("gpu_seconds"), "2") << "0.5 x 1 + 0.5 x 3";
  EXPECT_EQ(script.csv("timeline.csv").at(1).at("compute"), "0.5");
}

TEST(RunWriter, TextsWithCommasQuotesAndLinesAreQuoted) {
  ClusterLayout layout = uniform_cluster(3, 1);
  layout.gpu_models = {"A100, 80 GB"};
  layout.partitions[0].name = "a,b";
  JobList jobs;
  jobs.workload.name = "my, \"log\"";
  jobs.add(any_gpus(2), at_seconds(0), seconds(1));
  Job& job = jobs.job(kJ1);
  job.profile = jobs.workload.symbols.intern("train,v2");
  job.user = jobs.workload.symbols.intern("o\"brien");
  job.account = jobs.workload.symbols.intern("a\nb");
  Script script(options("quoted"), layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}, NodeId{2}}, {{0, 1}, {2, 1}}));
  script.idle(0, IdleAccount::kNoDemand, gpus(1));
  script.end(1, kJ1);
  static_cast<void>(script.finish(1));
  const CsvRow row = script.csv("jobs.csv").at(0);
  EXPECT_EQ(row.at("workload_name"), "my, \"log\"");
  EXPECT_EQ(row.at("profile"), "train,v2");
  EXPECT_EQ(row.at("user"), "o\"brien");
  EXPECT_EQ(row.at("account"), "a\nb");
  EXPECT_EQ(row.at("gpu_model"), "A100, 80 GB");
  EXPECT_EQ(row.at("nodelist"), "n[1,3]");
  EXPECT_EQ(row.at("leaves"), "2");
  EXPECT_EQ(row.at("allocated_resources"), "0 2");
  EXPECT_EQ(script.csv("attempts.csv").at(0).at("nodelist"), "n[1,3]");
  EXPECT_EQ(script.csv("ledger.csv").at(0).at("partition"), "a,b");
  EXPECT_EQ(script.csv("users.csv").at(0).at("user"), "o\"brien");
  EXPECT_EQ(summary_of(script)["workload"], "my, \"log\"");
}

// Public report G6: the same number everywhere.
TEST(RunWriter, SummaryJsonCsvAndFilesAgree) {
  const ClusterLayout layout = uniform_cluster(1, 4);
  JobList jobs;
  jobs.add(any_gpus(3), at_seconds(0), seconds(7));
  Script script(options_at("agree", micro_dollars(1'234'567)), layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 3}}));
  script.idle(0, IdleAccount::kPolicy, gpus(1));
  script.end(7, kJ1);
  const Summary summary = script.finish(7);
  const std::vector<SummaryItem> items = summary_items(summary);
  EXPECT_EQ(read_text(script.directory + "/summary.json"), summary_json(items));
  const std::string csv_path = script.directory + "/summary.csv";
  std::ofstream(csv_path) << summary_csv(items);
  const CsvRow row = read_csv(csv_path).at(0);
  const nlohmann::json json = summary_of(script);
  EXPECT_EQ(row.size(), json.size());
  for (const SummaryItem& item : items) {
    EXPECT_EQ(row.at(item.key), item.value);
    EXPECT_EQ(json[item.key].is_null(), item.value.empty() && !item.is_text) << item.key;
  }
  const std::vector<CsvRow> ledger = script.csv("ledger.csv");
  EXPECT_EQ(ledger.back().at("gpu_seconds"), row.at("installed_gpu_seconds"));
  EXPECT_EQ(ledger.back().at("cost_usd"), row.at("total_cost_usd"));
  EXPECT_EQ(ledger[0].at("account"), "policy");
  EXPECT_EQ(ledger[0].at("share"), row.at("ledger_policy_share"));
  EXPECT_EQ(ledger[0].at("cost_usd"), row.at("idle_gpu_cost_usd"));
  EXPECT_EQ(ledger[1].at("share"), row.at("utilization_useful"));
  EXPECT_EQ(script.csv("jobs.csv").at(0).at("cost_usd"), row.at("jobs_cost_usd"));
}

TEST(RunWriter, UnpricedModelLeavesCostsEmpty) {
  ClusterLayout layout = uniform_cluster(2, 1);
  layout.gpu_models = {"H100", "A100"};
  layout.nodes[1].gpu_model = GpuModelId{1};
  layout.partitions.clear();
  finish_layout(layout);
  JobList jobs;
  jobs.add(any_gpus(1), at_seconds(0), hours(1));
  jobs.add(any_gpus(1), at_seconds(0), hours(1));
  RunWriterOptions half_priced = options("unpriced");
  half_priced.prices = GpuHourPrices({dollars(3), std::nullopt});
  Script script(half_priced, layout, jobs.workload);
  script.submit(0, kJ1);
  script.submit(0, kJ2);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 1}}));
  script.start(0, kJ2, on({NodeId{1}}, {{1, 1}}));
  script.idle(0, IdleAccount::kNoDemand, gpus(0));
  script.end(3600, kJ1);
  script.end(3600, kJ2);
  static_cast<void>(script.finish(3600));
  EXPECT_EQ(script.csv("jobs.csv").at(0).at("cost_usd"), "3");
  EXPECT_EQ(script.csv("jobs.csv").at(1).at("cost_usd"), "");
  const std::vector<CsvRow> ledger = script.csv("ledger.csv");
  EXPECT_EQ(ledger.at(0).at("cost_usd"), "3");
  EXPECT_EQ(ledger.at(1).at("gpu_model"), "A100");
  EXPECT_EQ(ledger.at(1).at("cost_usd"), "");
  EXPECT_EQ(ledger.at(2).at("cost_usd"), "");
  EXPECT_TRUE(summary_of(script)["total_cost_usd"].is_null());
  EXPECT_EQ(script.csv("users.csv").at(0).at("cost_usd"), "");
}

TEST(RunWriterDeathTest, WrongIdleSplitIsOurBugAndStops) {
  const ClusterLayout layout = uniform_cluster(1, 4);
  JobList jobs;
  jobs.add(any_gpus(3), at_seconds(0), seconds(1));
  Script script(options("death"), layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 3}}));
  EXPECT_DEATH(script.idle(0, IdleAccount::kNoDemand, gpus(2)),
               "idle and held GPUs are 5000 thousandths, 3000 of them held, but 4 GPUs");
}

}  // namespace
}  // namespace weft::results
