// Kinds of fault that users of simulators and schedulers have reported in public, second part: what
// a run does with its jobs, its money and its folder. docs/user-reports.md maps report to test.
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "weft_process.hpp"

namespace weft::cli::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string nodes_yaml(const std::string& names, const std::string& rest = {}) {
  return "weft: 1\nname: p\nnodes:\n  - {name: \"" + names +
         "\", gpu: {model: H100-SXM, count: 8}, cpus: 64, memory: 512GB" + rest + "}\n";
}

// One line of weft's own job format; limit and run time are equal.
std::string job(const std::string& id,
                const std::string& submit,
                const std::string& size,
                const std::string& runtime) {
  return "{\"id\": \"" + id + "\", \"submit\": \"" + submit + "\", " + size + ", \"runtime\": \"" +
         runtime + "\", \"limit\": \"" + runtime + "\"}\n";
}

std::vector<CsvRow> run_jobs(const Folder& folder,
                             const std::vector<std::string>& options,
                             const std::string& out = "out") {
  std::vector<std::string> arguments = {"run", "-q", "-o", folder.path(out)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Finished run = run_weft(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.exit_code == 0 ? csv_rows(folder.read(out + "/jobs.csv")) : std::vector<CsvRow>();
}

// A whole number of 10^-6 from a decimal with at most six digits behind the point.
long long micros(const std::string& text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string fraction = point < text.size() ? text.substr(point + 1) : std::string();
  EXPECT_LE(fraction.size(), 6U) << text;
  fraction.resize(6, '0');
  return std::stoll("0" + text.substr(0, point)) * 1'000'000 + std::stoll(fraction);
}

TEST(UserReports, AnEndAndAStartAtOneInstantAreNeverMoreThanAll) {
  const Folder folder;
  const std::string log =
      folder.write("a.jsonl",
                   job("1", "0s", "\"nodes\": 1, \"gpus_per_node\": 8", "10s") +
                       job("2", "5s", "\"nodes\": 1, \"gpus_per_node\": 8", "10s"));
  for (const std::string scheduler : {"fcfs", "easy", "conservative"}) {
    const std::vector<CsvRow> jobs = run_jobs(
        folder, {"-p", folder.write("p.yaml", nodes_yaml("n1")), "-w", log, "-s", scheduler});
    EXPECT_EQ(row_of(jobs, "2")["starting_time"], "10") << scheduler;
    for (const CsvRow& row : csv_rows(folder.read("out/timeline.csv"))) {
      EXPECT_LE(micros(row.at("compute")), 8'000'000) << scheduler << " at " << row.at("time");
    }
  }
  EXPECT_EQ(json::parse(folder.read("out/summary.json"))["utilization_allocated"], 1);
}

TEST(UserReports, TwoJobsOnDisjointNodesRunSideBySide) {
  const Folder folder;
  const std::string log =
      folder.write("a.jsonl",
                   job("1", "0s", "\"nodes\": 1, \"gpus_per_node\": 8", "15s") +
                       job("2", "0s", "\"nodes\": 1, \"gpus_per_node\": 8", "15s"));
  const std::vector<CsvRow> jobs =
      run_jobs(folder, {"-p", folder.write("p.yaml", nodes_yaml("n[1-2]")), "-w", log});
  EXPECT_EQ(row_of(jobs, "1")["execution_time"], "15");
  EXPECT_EQ(row_of(jobs, "2")["execution_time"], "15");
  EXPECT_EQ(json::parse(folder.read("out/summary.json"))["makespan"], 15);
}

TEST(UserReports, RunningAgainGivesTheSameBytesAndTheSeedIsReported) {
  const Folder folder;
  const std::string description =
      "weft: 1\nplatform: small-32\nworkload:\n  - generate: {name: g, gpus: 32, span: 1d, jobs: "
      "100, teams: [{name: a, work: {finetuning: 1}}]}\n";
  const std::string scenario = folder.write("s.yaml", description);
  run_jobs(folder, {scenario, "--seed", "7"}, "a");
  run_jobs(folder, {scenario, "--seed", "7"}, "b");
  run_jobs(folder, {scenario, "--seed", "8"}, "c");
  EXPECT_EQ(folder.read("a/jobs.csv"), folder.read("b/jobs.csv"));
  EXPECT_EQ(folder.read("a/timeline.csv"), folder.read("b/timeline.csv"));
  EXPECT_NE(folder.read("a/jobs.csv"), folder.read("c/jobs.csv"));
  EXPECT_EQ(json::parse(folder.read("a/manifest.json"))["seed"], 7);
  EXPECT_THAT(folder.read("a/report.html"), HasSubstr("seed"));
}

TEST(UserReports, WatchingARunChangesNothing) {
  const Folder folder;
  std::string log;
  for (int i = 0; i < 60; ++i) {  // many ties
    log += job(std::to_string(i),
               std::to_string(i / 6 * 10) + "s",
               "\"gpus\": " + std::to_string(1 + i % 5),
               std::to_string(10 * (1 + i % 4)) + "s");
  }
  const std::string file = folder.write("a.jsonl", log);
  const std::string platform = folder.write("p.yaml", nodes_yaml("n1"));
  for (const std::string scheduler : {"fcfs", "easy", "conservative"}) {
    run_jobs(folder, {"-p", platform, "-w", file, "-s", scheduler, "--no-report"}, "plain");
    run_jobs(folder, {"-p", platform, "-w", file, "-s", scheduler, "--events"}, "watched");
    for (const std::string name : {"jobs.csv", "ledger.csv", "timeline.csv", "summary.json"}) {
      EXPECT_EQ(folder.read("plain/" + name), folder.read("watched/" + name))
          << scheduler << ' ' << name;
    }
  }
}

TEST(UserReports, NodePropertiesAreKeptAndUnknownOnesRefused) {
  const Folder folder;
  const std::string good = folder.write(
      "good.yaml", nodes_yaml("n1", ", power: {idle: 1.2kW, max: 10.2kW}, labels: {rack: r3}"));
  EXPECT_EQ(run_weft({"check", good}).exit_code, 0);
  const std::string log = folder.write("a.jsonl", job("1", "0s", "\"gpus\": 1", "10s"));
  run_jobs(folder, {"-p", good, "-w", log});
  EXPECT_THAT(folder.read("out/resolved.yaml"), HasSubstr("r3"));
  EXPECT_THAT(folder.read("out/resolved.yaml"), HasSubstr("10.2kW"));
  const Finished bad =
      run_weft({"check", folder.write("bad.yaml", nodes_yaml("n1", ", rack: r3"))});
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_THAT(bad.err, HasSubstr("nodes[0].rack: found an unknown key"));
}

TEST(UserReports, LateStartsAndLongGapsAreOrdinary) {
  const Folder folder;
  const std::string log =
      folder.write("a.swf", swf({"1000 0 10 4 10", "865000 0 10 4 10", "865000 0 10 4 10"}));
  for (const std::string scheduler : {"fcfs", "easy", "conservative"}) {
    const std::vector<CsvRow> jobs = run_jobs(folder, {"-p", "flat:4", "-w", log, "-s", scheduler});
    EXPECT_EQ(row_of(jobs, "1")["starting_time"], "1000");
    EXPECT_EQ(row_of(jobs, "3")["starting_time"], "865010");
    EXPECT_EQ(json::parse(folder.read("out/summary.json"))["makespan"], 864020);
  }
}

TEST(UserReports, PlacementsAreComparedInOneTable) {
  const Folder folder;
  std::string log;
  for (int i = 1; i <= 4; ++i) {
    log += job(std::to_string(i), "0s", "\"gpus\": 1", "3600s");
  }
  log += job("5", "0s", "\"nodes\": 1, \"gpus_per_node\": 8", "3600s");
  const std::string file = folder.write("a.jsonl", log);
  const std::string platform = folder.write("p.yaml", nodes_yaml("n[1-2]"));
  const auto start = [&](const std::string& placement) {
    const std::vector<CsvRow> jobs =
        run_jobs(folder, {"-p", platform, "-w", file, "--placement", placement}, placement);
    return row_of(jobs, "5")["starting_time"];
  };
  EXPECT_EQ(start("pack"), "0");
  EXPECT_EQ(start("first_fit"), "0");
  EXPECT_EQ(start("best_fit"), "0");
  EXPECT_EQ(start("spread"), "3600");
  const Finished report = run_weft(
      {"report", folder.path("pack"), folder.path("spread"), "-o", folder.path("both.html")});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  const std::string page = folder.read("both.html");
  EXPECT_THAT(page, HasSubstr("<data value=\"720\">"));  // mean waits 0 and 3600 / 5
  // Room that packing leaves on one node is what placement on GPUs counts.
  for (int i = 1; i <= 4; ++i) {
    EXPECT_EQ(row_of(csv_rows(folder.read("pack/jobs.csv")), std::to_string(i))["nodelist"], "n1");
  }
}

TEST(UserReports, MemoryCountsBesideGpusAndTheReasonIsTold) {
  const Folder folder;
  const std::string platform =
      folder.write("p.yaml",
                   "weft: 1\nname: p\nnodes:\n"
                   "  - {name: node1, gpu: {model: H100-SXM, count: 8}, cpus: 64, memory: 16GB}\n"
                   "  - {name: node2, gpu: {model: H100-SXM, count: 1}, cpus: 64, memory: 512GB}\n"
                   "  - {name: node3, cpus: 64, memory: 512GB}\n");
  const std::string log =
      folder.write("a.jsonl",
                   job("1", "0s", "\"gpus\": 1, \"memory\": \"64GB\"", "1h") +
                       job("2", "1s", "\"gpus\": 1, \"memory\": \"64GB\"", "1h"));
  for (const std::string placement : {"pack", "spread", "first_fit", "best_fit"}) {
    const std::vector<CsvRow> jobs =
        run_jobs(folder, {"-p", platform, "-w", log, "--placement", placement});
    EXPECT_EQ(row_of(jobs, "1")["nodelist"], "node2") << placement;
    EXPECT_EQ(row_of(jobs, "2")["starting_time"], "3600") << placement;
  }
  // While job 2 waits, the free GPU it asks for is of no use to it: fragmented, not "no demand".
  bool fragmented = false;
  for (const CsvRow& row : csv_rows(folder.read("out/ledger.csv"))) {
    fragmented =
        fragmented || (row.at("account") == "fragmented" && row.at("gpu_seconds") == "3599");
  }
  EXPECT_TRUE(fragmented) << folder.read("out/ledger.csv");
  const Finished text = run_weft({"explain", folder.path("out"), "1"});
  EXPECT_THAT(text.out, HasSubstr("Could go   to 1 of 3 nodes: node2"));
  EXPECT_THAT(text.out, HasSubstr("not node1: has 16GB of memory, needs 64GB"));
  EXPECT_THAT(text.out, HasSubstr("not node3: has no GPU"));
  const json story =
      json::parse(run_weft({"explain", folder.path("out"), "1", "--format", "json"}).out);
  EXPECT_EQ(story["suitable_nodes"], "node2");
  EXPECT_EQ(story["unsuitable_nodes"][0]["nodelist"], "node1");
  EXPECT_EQ(story["attempts"][0]["nodelist"], "node2");
}

TEST(UserReports, PoliciesAreNamedByWhatTheyDo) {
  const json listed = json::parse(run_weft({"list", "schedulers", "--format", "json"}).out);
  std::vector<std::string> names;
  for (const json& row : listed) {
    names.push_back(row["scheduler"]);
    EXPECT_GT(row["description"].get<std::string>().size(), 30U) << row;
    EXPECT_EQ(row["description"].get<std::string>().find('\n'), std::string::npos);
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"fcfs", "easy", "conservative"}));
  const std::string help = run_weft({"run", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("weft list schedulers"));
  EXPECT_THAT(help, HasSubstr("pack, first_fit, best_fit, spread"));
}

TEST(UserReports, BackfillDepthDecidesHowFarItLooks) {
  const Folder folder;
  const std::string log =
      folder.write("a.swf", swf({"0 0 100 3 100", "0 0 100 4 100", "0 0 10 2 10", "0 0 50 1 50"}));
  const auto start = [&](const std::string& depth, const std::string& id) {
    return row_of(run_jobs(folder,
                           {"-p",
                            "flat:4",
                            "-w",
                            log,
                            "-s",
                            "easy",
                            "--set",
                            "scheduler.backfill_depth=" + depth}),
                  id)["starting_time"];
  };
  EXPECT_EQ(start("1", "4"), "200");
  EXPECT_EQ(start("2", "4"), "0");
  EXPECT_EQ(start("1", "2"), "100");
  EXPECT_EQ(start("2", "2"), "100");
}

TEST(UserReports, JobsWithoutALimitAreCountedWithTheDefaultUsed) {
  const Folder folder;
  std::vector<std::string> jobs;
  for (int i = 0; i < 10; ++i) {
    jobs.push_back(std::to_string(10 * i) + " 0 100 2 " + (i % 2 == 0 ? "-1" : "200"));
  }
  const std::string log = folder.write("a.swf", swf(jobs));
  const auto told = [&](const std::string& choice, const std::string& expected) {
    const Finished run = run_weft(
        {"run", "-p", "flat:4", "-w", log, "--missing-limit", choice, "-o", folder.path("out")});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("5 jobs without a limit")) << choice;
    const json decisions = json::parse(folder.read("out/manifest.json"))["import_decisions"];
    ASSERT_EQ(decisions.size(), 1U);
    EXPECT_EQ(decisions[0]["count"], 5);
    EXPECT_THAT(decisions[0]["decision"].get<std::string>(), HasSubstr(expected));
    EXPECT_THAT(folder.read("out/report.html"), HasSubstr("5 jobs without a limit"));
  };
  told("runtime", "their run time");
  told("unlimited", "else unlimited");
  told("4h", "4h");
  EXPECT_EQ(row_of(csv_rows(folder.read("out/jobs.csv")), "1")["requested_time"], "14400");
}

TEST(UserReports, AllGpusOfAMultiNodeJobAreListed) {
  const Folder folder;
  const std::string log =
      folder.write("a.jsonl", job("1", "0s", "\"nodes\": 4, \"gpus_per_node\": 8", "10s"));
  const CsvRow row = row_of(
      run_jobs(folder, {"-p", folder.write("p.yaml", nodes_yaml("n[1-5]")), "-w", log}), "1");
  EXPECT_EQ(row.at("gpus"), "32");
  EXPECT_EQ(row.at("allocated_resources"), "0-31");
  EXPECT_EQ(row.at("nodelist"), "n[1-4]");
  EXPECT_EQ(csv_rows(folder.read("out/nodes.csv")).at(3).at("jobs"), "1");
}

TEST(UserReports, CostsAddUpToTheMicrodollar) {
  const Folder folder;
  const std::string platform =
      folder.write("p.yaml", nodes_yaml("n[1-2]") + "cost: {per_gpu_hour: 2$/GPUh}\n");
  const std::string log = folder.write(
      "a.jsonl",
      job("1", "0s", "\"gpus\": 4", "7200s") + job("2", "7s", "\"gpus\": 0.3", "1237s") +
          job("3", "11s", "\"gpus\": 3", "3331.7s") +
          job("4", "13s", "\"nodes\": 2, \"gpus_per_node\": 8", "997s"));
  long long of_jobs = 0;
  for (const CsvRow& row : run_jobs(folder, {"-p", platform, "-w", log})) {
    of_jobs += micros(row.at("cost_usd"));
  }
  long long rows = 0;
  long long total = 0;
  long long users = 0;
  for (const CsvRow& row : csv_rows(folder.read("out/ledger.csv"))) {
    (row.at("account") == "total" ? total : rows) += micros(row.at("cost_usd"));
  }
  for (const CsvRow& row : csv_rows(folder.read("out/users.csv"))) {
    users += micros(row.at("cost_usd"));
  }
  const json summary = json::parse(folder.read("out/summary.json"));
  // 32 $/h for 7200 + 997 s, rounded once.
  EXPECT_EQ(summary["makespan"], 8197);
  EXPECT_EQ(total, (32'000'000LL * 8197 + 1800) / 3600);
  EXPECT_EQ(rows, total);
  EXPECT_EQ(users, of_jobs);
  EXPECT_NEAR(summary["jobs_cost_usd"].get<double>() * 1e6, static_cast<double>(of_jobs), 0.01);
  EXPECT_NEAR((summary["jobs_cost_usd"].get<double>() + summary["idle_gpu_cost_usd"].get<double>() +
               summary["not_available_gpu_cost_usd"].get<double>()) *
                  1e6,
              static_cast<double>(total),
              0.01);
}

TEST(UserReports, SummaryTablesAndPageSayTheSame) {
  const Folder folder;
  std::vector<std::string> lines;
  for (int i = 0; i < 40; ++i) {
    lines.push_back(std::to_string(7 * i) + " 0 " + std::to_string(20 + 13 * (i % 7)) + ' ' +
                    std::to_string(1 + i % 9) + " 200");
  }
  const std::string log = folder.write("a.swf", swf(lines));
  const std::vector<CsvRow> jobs = run_jobs(folder, {"-p", "flat:8", "-w", log});
  const json summary = json::parse(folder.read("out/summary.json"));
  long long waits = 0;
  long long held = 0;
  int finished = 0;
  for (const CsvRow& row : jobs) {
    if (row.at("state") == "REJECTED") {
      EXPECT_EQ(row.at("waiting_time"), "");
      continue;
    }
    ++finished;
    waits += micros(row.at("waiting_time"));
    held += std::stoll(row.at("gpus")) * micros(row.at("execution_time"));
  }
  EXPECT_EQ(summary["nb_jobs"], 40);
  EXPECT_EQ(summary["nb_jobs_finished"], finished);
  EXPECT_EQ(summary["nb_jobs_rejected"], 40 - finished);
  EXPECT_NEAR(summary["mean_waiting_time"].get<double>(),
              static_cast<double>(waits) / 1e6 / finished,
              1e-9);
  long long in_ledger = 0;
  for (const CsvRow& row : csv_rows(folder.read("out/ledger.csv"))) {
    if (row.at("group") == "useful" || row.at("group") == "allocated_not_useful") {
      in_ledger += micros(row.at("gpu_seconds"));
    }
  }
  EXPECT_EQ(in_ledger, held);
  long long in_users = 0;
  for (const CsvRow& row : csv_rows(folder.read("out/users.csv"))) {
    in_users += std::stoll(row.at("jobs"));
  }
  EXPECT_EQ(in_users, 40);
  const std::string page = folder.read("out/report.html");
  for (const std::string key : {"utilization_allocated", "mean_bounded_slowdown"}) {
    EXPECT_THAT(page, HasSubstr("<data value=\"" + summary[key].dump() + "\">")) << key;
  }
  const json printed = json::parse(
      run_weft({"run", "-q", "-p", "flat:8", "-w", log, "-o", folder.path("b"), "--format", "json"})
          .out);
  EXPECT_EQ(printed, summary);
}

TEST(UserReports, ALargeRunStaysSmallOnDiskAndQuick) {
  const Folder folder;
  std::string log = "; MaxProcs: 256\n";
  constexpr int kJobs = 100'000;
  for (int i = 1; i <= kJobs; ++i) {
    const std::string run = std::to_string(300 + i * 7919 % 600);
    log += std::to_string(i) + ' ' + std::to_string(3 * i) + " -1 " + run +
           " 1 -1 -1 1 1000 -1 1 1 1 -1 1 1 -1 -1\n";
  }
  const std::string file = folder.write("a.swf", log);
  const auto began = std::chrono::steady_clock::now();
  const std::vector<std::string> arguments = {
      "run", "-q", "-p", "flat:256", "-w", file, "-o", folder.path("out")};
  ASSERT_EQ(run_weft(arguments).exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60));  // a debug build's
  EXPECT_EQ(json::parse(folder.read("out/summary.json"))["nb_jobs_finished"], kJobs);
  EXPECT_LT(std::filesystem::file_size(folder.path("out/report.html")), 5'000'000U);
}

TEST(UserReports, AFolderOfAKilledRunIsUsedAgainAndNotTakenForAFinishedOne) {
  const Folder folder;
  std::vector<std::string> jobs;
  for (int i = 0; i < 1000; ++i) {
    jobs.push_back(std::to_string(i * 10) + " 0 9 4 10");
  }
  const std::string log = folder.write("a.swf", swf(jobs));
  const std::vector<std::string> slow = {
      "run", "-p", "flat:4", "-w", log, "--repeat", "1000", "--events", "-o", folder.path("out")};
  const Finished killed = run_weft(slow, {}, [&folder](int pid) {
    for (int i = 0; i < 60'000 && !folder.has("out/jobs.csv"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(pid, SIGKILL);
  });
  ASSERT_EQ(killed.exit_code, 128 + SIGKILL);
  ASSERT_TRUE(folder.has("out/jobs.csv"));
  EXPECT_FALSE(folder.has("out/summary.json"));
  EXPECT_EQ(json::parse(folder.read("out/manifest.json"))["state"], "running");
  EXPECT_THAT(folder.read("out/resolved.yaml"), HasSubstr("repeat: 1000"));
  const Finished report = run_weft({"report", folder.path("out")});
  EXPECT_EQ(report.exit_code, 3);
  EXPECT_THAT(report.err, HasSubstr("was killed"));

  const Finished again = run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("out")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(json::parse(folder.read("out/manifest.json"))["state"], "finished");
  EXPECT_FALSE(folder.has("out/events.jsonl"));  // of the killed run
  EXPECT_EQ(csv_rows(folder.read("out/jobs.csv")).size(), jobs.size());
}

// Files that merely are called like a run's may be someone's inputs.
TEST(UserReports, AFolderOfAUsersOwnTablesIsLeftAlone) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 1 10"}));
  std::filesystem::create_directories(folder.path("mine"));
  folder.write("mine/jobs.csv", "my,own\n1,2\n");
  folder.write("mine/nodes.csv", "my,nodes\n1,2\n");
  EXPECT_EQ(run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("mine")}).exit_code, 2);
  EXPECT_EQ(folder.read("mine/jobs.csv"), "my,own\n1,2\n");
}

}  // namespace
}  // namespace weft::cli::test
