// `weft run` end to end: what it writes, that it is the same again, and how it ends.
#include <csignal>
#include <regex>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "weft_process.hpp"

namespace weft::cli::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Four processors; the second job must wait, the third is backfilled.
std::string small_log() {
  return swf({"0 0 100 3 100", "10 0 50 4 50", "20 0 30 1 30"});
}

std::vector<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return {names.begin(), names.end()};
}

// One column of jobs.csv by job_id.
std::string cell(const Folder& folder,
                 const std::string& file,
                 const std::string& job,
                 const std::string& column) {
  std::istringstream lines(folder.read(file));
  std::string line;
  std::getline(lines, line);
  const auto split = [](const std::string& text) {
    std::vector<std::string> fields;
    std::istringstream in(text);
    for (std::string field; std::getline(in, field, ',');) {
      fields.push_back(field);
    }
    return fields;
  };
  const std::vector<std::string> header = split(line);
  const auto at = std::find(header.begin(), header.end(), column) - header.begin();
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = split(line);
    if (!fields.empty() && fields[0] == job) {
      return fields.at(static_cast<std::size_t>(at));
    }
  }
  return "no such job";
}

TEST(Run, WritesItsFilesAndPrintsTheSummary) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  const Finished run = run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("out")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(files_in(folder.path("out")),
              testing::IsSupersetOf({"accounts.csv",
                                     "attempts.csv",
                                     "jobs.csv",
                                     "ledger.csv",
                                     "manifest.json",
                                     "nodes.csv",
                                     "report.html",
                                     "resolved.yaml",
                                     "summary.json",
                                     "timeline.csv",
                                     "users.csv"}));
  EXPECT_THAT(run.out, Not(IsEmpty()));
  // easy: job 2 holds the reservation at 100, job 3 (30 s) ends before it.
  EXPECT_EQ(cell(folder, "out/jobs.csv", "1", "starting_time"), "0");
  EXPECT_EQ(cell(folder, "out/jobs.csv", "2", "starting_time"), "100");
  EXPECT_EQ(cell(folder, "out/jobs.csv", "3", "starting_time"), "20");
  EXPECT_EQ(cell(folder, "out/jobs.csv", "3", "start_reason"), "backfill");
}

TEST(Run, DataGoesToStdoutAndMessagesToStderr) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  const Finished run =
      run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("out"), "--format", "json"});
  const auto summary = nlohmann::json::parse(run.out);
  EXPECT_EQ(summary, nlohmann::json::parse(folder.read("out/summary.json")));
  EXPECT_THAT(run.err, HasSubstr("Results:"));
  const Finished quiet = run_weft(
      {"run", "-p", "flat:4", "-w", log, "-o", folder.path("out"), "--format", "csv", "--quiet"});
  EXPECT_THAT(quiet.err, IsEmpty());
  EXPECT_EQ(std::count(quiet.out.begin(), quiet.out.end(), '\n'), 2);
}

TEST(Run, SchedulerOptionReachesThePolicy) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  ASSERT_EQ(
      run_weft({"run", "-p", "flat:4", "-w", log, "-s", "fcfs", "-o", folder.path("f")}).exit_code,
      0);
  EXPECT_EQ(cell(folder, "f/jobs.csv", "3", "starting_time"), "150");
  const std::string file = folder.write("s.yaml", "weft: 1\nkind: fcfs\n");
  ASSERT_EQ(
      run_weft({"run", "-p", "flat:4", "-w", log, "-s", file, "-o", folder.path("g")}).exit_code,
      0);
  EXPECT_EQ(folder.read("f/jobs.csv"), folder.read("g/jobs.csv"));
}

TEST(Run, ResolvedScenarioReproducesTheRunByteForByte) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  const std::vector<std::vector<std::string>> runs = {
      {"-p", "flat:4", "-w", log},
      {"-p", "small-32", "-w", "swf:" + log, "-s", "fcfs", "--placement", "spread", "--seed", "9"},
      {"-p",
       "medium-256",
       "-w",
       log,
       "--horizon",
       "90s",
       "--measure",
       "5s..60s",
       "--load-factor",
       "1.5",
       "--repeat",
       "2",
       "--size",
       "requested",
       "--events"},
  };
  for (const std::vector<std::string>& options : runs) {
    std::vector<std::string> arguments = {"run", "-o", folder.path("a")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ASSERT_EQ(run_weft(arguments).exit_code, 0);
    const Finished again =
        run_weft({"run", folder.path("a/resolved.yaml"), "-o", folder.path("b")});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(files_in(folder.path("a")), files_in(folder.path("b")));
    for (const std::string& file : files_in(folder.path("a"))) {
      if (file != "manifest.json" && file != "report.html") {  // they name the command and the time
        EXPECT_EQ(folder.read("a/" + file), folder.read("b/" + file)) << file;
      }
    }
  }
}

TEST(Run, PathsInAScenarioAreRelativeToItAndThoseOnTheCommandLineAreNot) {
  const Folder folder;
  std::filesystem::create_directories(folder.path("study"));
  folder.write("study/a.swf", small_log());
  folder.write("b.swf", swf({"0 0 7 1 7"}));
  folder.write("study/s.yaml", "weft: 1\nplatform: flat:4\nworkload: a.swf\n");
  EXPECT_EQ(run_weft({"run", "study/s.yaml", "-o", "out"}, folder.path()).exit_code, 0);
  EXPECT_EQ(cell(folder, "out/jobs.csv", "2", "starting_time"), "100");
  EXPECT_EQ(run_weft({"run", "study/s.yaml", "-w", "b.swf", "-o", "out"}, folder.path()).exit_code,
            0);
  EXPECT_EQ(cell(folder, "out/jobs.csv", "1", "execution_time"), "7");
}

TEST(Run, SetReachesIntoScenarioPlatformAndScheduler) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 9 10"}));
  const Finished run = run_weft({"run",
                                 "-p",
                                 "small-32",
                                 "-w",
                                 log,
                                 "--set",
                                 "platform.nodes[0].cpus=7",
                                 "--set",
                                 "scheduler.backfill_order=sjf",
                                 "--set",
                                 "workload[0].too_large=drop",
                                 "--set",
                                 "name=changed",
                                 "-o",
                                 folder.path("out")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string resolved = folder.read("out/resolved.yaml");
  EXPECT_THAT(resolved, HasSubstr("name: changed"));
  EXPECT_THAT(resolved, HasSubstr("cpus: 7"));
  EXPECT_THAT(resolved, HasSubstr("backfill_order: sjf"));
  EXPECT_THAT(resolved, HasSubstr("too_large: drop"));
}

TEST(Run, MissingFoldersOfTheOutputAreMade) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  EXPECT_EQ(run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("x/y/z")}).exit_code, 0);
  EXPECT_TRUE(folder.has("x/y/z/jobs.csv"));
}

TEST(Run, AFolderWithOtherFilesIsLeftAlone) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  std::filesystem::create_directories(folder.path("mine"));
  folder.write("mine/thesis.txt", "all my work");
  const Finished run = run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("mine")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("not a weft run's"));
  EXPECT_THAT(files_in(folder.path("mine")), testing::ElementsAre("thesis.txt"));
  const Finished onto_file = run_weft({"run", "-p", "flat:4", "-w", log, "-o", log});
  EXPECT_EQ(onto_file.exit_code, 2);
  EXPECT_EQ(folder.read("a.swf"), small_log());
}

TEST(Run, AManifestOfOtherSoftwareMakesNoRunFolder) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  std::filesystem::create_directories(folder.path("app"));
  const std::string manifest = R"({"name": "My App", "start_url": "."})";
  for (const std::string& text : {manifest, std::string("no JSON"), std::string("[1]")}) {
    folder.write("app/manifest.json", text);
    folder.write("app/jobs.csv", "my,own\n");
    const Finished run = run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("app")});
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_EQ(folder.read("app/manifest.json"), text);
    EXPECT_EQ(folder.read("app/jobs.csv"), "my,own\n");
  }
}

TEST(Run, AnInputAmongTheFilesToBeReplacedIsRefused) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  ASSERT_EQ(run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("out")}).exit_code, 0);
  const std::string inside = folder.write("out/jobs.csv", small_log());
  std::filesystem::create_symlink(inside, folder.path("link.swf"));
  for (const std::string& input :
       {inside, folder.path("out/../out/jobs.csv"), folder.path("link.swf")}) {
    const Finished run =
        run_weft({"run", "-p", "flat:4", "-w", "swf:" + input, "-o", folder.path("out")});
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_THAT(run.err, HasSubstr("is an input of this run"));
    EXPECT_EQ(folder.read("out/jobs.csv"), small_log());
  }
  const std::string scenario = folder.path("out/resolved.yaml");
  const std::string before = folder.read("out/resolved.yaml");
  const Finished again = run_weft({"run", scenario, "-o", folder.path("out")});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("resolved.yaml"));
  EXPECT_EQ(folder.read("out/resolved.yaml"), before);
}

TEST(Run, SubfoldersOfTheOutputFolderAreNoneOfItsBusiness) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  ASSERT_EQ(
      run_weft({"run", "-p", "flat:4", "-w", log, "-o", "weft-out/demo"}, folder.path()).exit_code,
      0);
  const std::string before = folder.read("weft-out/demo/manifest.json");
  const Finished run = run_weft({"run", "-p", "flat:4", "-w", log}, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(folder.read("weft-out/demo/manifest.json"), before);
  EXPECT_TRUE(folder.has("weft-out/jobs.csv"));
  std::filesystem::create_directories(folder.path("b/jobs.csv"));
  EXPECT_EQ(run_weft({"run", "-p", "flat:4", "-w", log, "-o", "b"}, folder.path()).exit_code, 2);
  EXPECT_TRUE(folder.has("b/jobs.csv"));
}

TEST(Run, FilesOfAnEarlierRunDoNotStay) {
  const Folder folder;
  const std::string log = folder.write("a.swf", small_log());
  const std::vector<std::string> run = {"run", "-p", "flat:4", "-w", log, "-o", folder.path("out")};
  std::vector<std::string> with_events = run;
  with_events.emplace_back("--events");
  ASSERT_EQ(run_weft(with_events).exit_code, 0);
  EXPECT_TRUE(folder.has("out/events.jsonl"));
  std::vector<std::string> without_report = run;
  without_report.emplace_back("--no-report");
  ASSERT_EQ(run_weft(without_report).exit_code, 0);
  EXPECT_FALSE(folder.has("out/events.jsonl"));
  EXPECT_FALSE(folder.has("out/report.html"));
}

TEST(Run, BadRowsAreErrorsOrSkippedAsAsked) {
  const Folder folder;
  const std::string log =
      folder.write("a.swf", small_log() + "4 x 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 1 -1 -1\n");
  EXPECT_EQ(run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("out")}).exit_code, 3);
  EXPECT_FALSE(folder.has("out"));
  const Finished skipped = run_weft(
      {"run", "-p", "flat:4", "-w", log, "--on-bad-job", "skip", "-o", folder.path("out")});
  EXPECT_EQ(skipped.exit_code, 0) << skipped.err;
  EXPECT_THAT(skipped.err, HasSubstr("line 5"));
  EXPECT_THAT(folder.read("out/manifest.json"), HasSubstr("bad rows left out"));
}

TEST(Run, JobsTheClusterCannotRunAreRejectedWithAReasonAndNoTimes) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 128 10", "0 0 10 1 10"}));
  ASSERT_EQ(run_weft({"run", "-p", "flat:64", "-w", log, "-o", folder.path("out")}).exit_code, 0);
  EXPECT_EQ(cell(folder, "out/jobs.csv", "1", "state"), "REJECTED");
  EXPECT_EQ(cell(folder, "out/jobs.csv", "1", "starting_time"), "");
  EXPECT_EQ(cell(folder, "out/jobs.csv", "1", "finish_time"), "");
}

TEST(Run, AClusterWithoutGpusGivesNoNonsense) {
  const Folder folder;
  const std::string platform =
      folder.write("p.yaml", "weft: 1\nname: p\nnodes:\n  - {name: n1, cpus: 8, memory: 64GB}\n");
  const std::string log = folder.write("a.swf", swf({"0 0 10 3 10"}));
  const Finished run = run_weft({"run", "-p", platform, "-w", log, "-o", folder.path("out")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(cell(folder, "out/jobs.csv", "1", "state"), "REJECTED");
  for (const std::string file : {"summary.json", "jobs.csv", "ledger.csv", "timeline.csv"}) {
    EXPECT_FALSE(std::regex_search(folder.read("out/" + file), std::regex("\\b-?(nan|inf)\\b")))
        << file;
  }
}

TEST(Run, ShiftingATraceChangesNothing) {
  const Folder folder;
  const std::string at_zero = folder.write("a.swf", swf({"0 0 100 3 100", "10 0 50 4 50"}));
  const std::string later =
      folder.write("b.swf", swf({"1000000 0 100 3 100", "1000010 0 50 4 50"}));
  ASSERT_EQ(run_weft({"run", "-p", "flat:4", "-w", at_zero, "-o", folder.path("a")}).exit_code, 0);
  ASSERT_EQ(run_weft({"run", "-p", "flat:4", "-w", later, "-o", folder.path("b")}).exit_code, 0);
  EXPECT_EQ(cell(folder, "a/jobs.csv", "2", "waiting_time"), "90");
  EXPECT_EQ(cell(folder, "b/jobs.csv", "2", "waiting_time"), "90");
  EXPECT_EQ(folder.read("a/ledger.csv"), folder.read("b/ledger.csv"));
}

TEST(Run, InterruptedAfterTheSimulationSaysWhatIsComplete) {
  const Folder folder;
  std::vector<std::string> jobs;
  for (int i = 0; i < 1000; ++i) {
    jobs.push_back(std::to_string(i * 10) + " 0 9 4 10");
  }
  const std::string log = folder.write("a.swf", swf(jobs));
  const Finished run =
      run_weft({"run", "-p", "flat:4", "-w", log, "--repeat", "50", "-o", folder.path("out")},
               {},
               [&folder](int pid) {
                 for (int i = 0; i < 60'000 && !folder.has("out/summary.json"); ++i) {
                   std::this_thread::sleep_for(std::chrono::milliseconds(1));
                 }
                 kill(pid, SIGINT);
               });
  EXPECT_EQ(run.exit_code, 130) << run.err;
  EXPECT_THAT(run.err, HasSubstr("results are complete"));
  const nlohmann::json manifest = nlohmann::json::parse(folder.read("out/manifest.json"));
  EXPECT_EQ(manifest["state"], "finished");
  EXPECT_FALSE(manifest["interrupted"]);
}

TEST(Run, InterruptedWritesWhatIsFinishedAndSaysSo) {
  const Folder folder;
  std::vector<std::string> jobs;
  for (int i = 0; i < 1000; ++i) {
    jobs.push_back(std::to_string(i * 10) + " 0 9 4 10");
  }
  const std::string log = folder.write("a.swf", swf(jobs));
  const Finished run =
      run_weft({"run", "-p", "flat:4", "-w", log, "--repeat", "1000", "-o", folder.path("out")},
               {},
               [&folder](int pid) {
                 for (int i = 0; i < 60'000 && !folder.has("out/jobs.csv"); ++i) {
                   std::this_thread::sleep_for(std::chrono::milliseconds(1));
                 }
                 std::this_thread::sleep_for(std::chrono::milliseconds(20));  // some events
                 kill(pid, SIGINT);
               });
  EXPECT_EQ(run.exit_code, 130) << run.err;
  EXPECT_THAT(run.err, HasSubstr("interrupted at"));
  EXPECT_TRUE(folder.has("out/summary.json"));
  EXPECT_TRUE(folder.has("out/ledger.csv"));
  EXPECT_TRUE(nlohmann::json::parse(folder.read("out/manifest.json"))["interrupted"]);
  EXPECT_THAT(folder.read("out/resolved.yaml"), HasSubstr("horizon: "));
}

}  // namespace
}  // namespace weft::cli::test
