// check, list, trace, report and explain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "weft_process.hpp"

namespace weft::cli::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Check, PlatformPrintsWhatWasRead) {
  const Finished finished = run_weft({"check", "medium-256", "--format", "json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json read = json::parse(finished.out);
  EXPECT_EQ(read["kind"], "platform");
  EXPECT_EQ(read["nodes"], 32);
  EXPECT_EQ(read["gpus"], 256);
}

TEST(Check, LogSchedulerAndScenarioAreRecognised) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 1 10", "5 0 10 2 10"}));
  const std::string scheduler = folder.write("s.yaml", "weft: 1\nkind: easy\n");
  const std::string scenario =
      folder.write("run.yaml", "weft: 1\nplatform: flat:4\nworkload: a.swf\nscheduler: s.yaml\n");
  const Finished finished = run_weft({"check", log, scheduler, scenario, "--format", "json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json all = json::parse(finished.out);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["format"], "swf");
  EXPECT_EQ(all[0]["jobs"], 2);
  EXPECT_EQ(all[1]["kind"], "scheduler");
  EXPECT_EQ(all[2]["kind"], "scenario");
  EXPECT_EQ(all[2]["jobs"], 2);
}

TEST(Check, OneBadFileOfSeveralDoesNotHideTheOthers) {
  const Folder folder;
  const std::string good = folder.write("a.swf", swf({"0 0 10 1 10"}));
  const std::string bad = folder.write("b.swf", "1 2 3\n");
  const Finished finished = run_weft({"check", bad, good});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("b.swf:1"));
  EXPECT_THAT(finished.out, HasSubstr("a.swf"));
}

TEST(List, EveryListHasContentInEveryFormat) {
  for (const std::string what : {"gpus", "platforms", "schedulers", "placements", "formats"}) {
    EXPECT_EQ(run_weft({"list", what}).exit_code, 0) << what;
    EXPECT_FALSE(json::parse(run_weft({"list", what, "--format", "json"}).out).empty()) << what;
    const std::string csv = run_weft({"list", what, "--format", "csv"}).out;
    EXPECT_GT(std::count(csv.begin(), csv.end(), '\n'), 2) << what;
  }
  EXPECT_THAT(run_weft({"list", "platforms"}).out, HasSubstr("medium-256"));
  EXPECT_THAT(run_weft({"list", "schedulers"}).out, HasSubstr("easy"));
  EXPECT_THAT(run_weft({"list", "formats"}).out, HasSubstr("swf"));
}

class FinishedRun : public testing::Test {
 protected:
  void SetUp() override {
    log_ = folder_.write("a.swf",
                         swf({"0 0 100 3 100", "10 0 50 4 50", "20 0 30 1 30", "30 0 10 9 10"}));
    ASSERT_EQ(run_weft({"run", "-p", "flat:4", "-w", log_, "-o", folder_.path("out")}).exit_code,
              0);
  }
  Finished explain(const std::string& job, const std::string& format = "json") {
    return run_weft({"explain", folder_.path("out"), job, "--format", format});
  }
  Folder folder_;
  std::string log_;
};

TEST_F(FinishedRun, ExplainTellsWhatTheJobWaitedForAndWhoWentAhead) {
  const Finished finished = explain("2");
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json story = json::parse(finished.out);
  EXPECT_EQ(story["state"], "COMPLETED");
  ASSERT_EQ(story["attempts"].size(), 1U);
  EXPECT_EQ(story["attempts"][0]["starting_time"], "100");
  ASSERT_FALSE(story["waited"].empty());
  EXPECT_EQ(story["waited"].front()["from"], "10");
  EXPECT_EQ(story["waited"].back()["to"], "100");
  ASSERT_EQ(story["later_jobs_started_before_it"].size(), 1U);
  EXPECT_EQ(story["later_jobs_started_before_it"][0]["job_id"], "3");
  EXPECT_EQ(story["later_jobs_started_before_it"][0]["start_reason"], "backfill");
}

TEST_F(FinishedRun, ExplainTextReadsForPeople) {
  const Finished finished = explain("2", "text");
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("Waited     90 s"));
  EXPECT_THAT(finished.out, HasSubstr("job 3: 1 GPU, limit 30 s, backfill"));
  EXPECT_THAT(finished.out, HasSubstr("COMPLETED"));
}

TEST_F(FinishedRun, ExplainRejectedJobNamesTheReason) {
  const json story = json::parse(explain("4").out);
  EXPECT_EQ(story["state"], "REJECTED");
  EXPECT_THAT(story["rejected_because"].get<std::string>(), HasSubstr("9"));
}

TEST_F(FinishedRun, AskingTwiceGivesTheSameAnswerAndChangesNothing) {
  const std::string jobs = folder_.read("out/jobs.csv");
  const std::string manifest = folder_.read("out/manifest.json");
  const Finished first = explain("2");
  const Finished second = explain("2");
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(folder_.read("out/jobs.csv"), jobs);
  EXPECT_EQ(folder_.read("out/manifest.json"), manifest);
}

TEST_F(FinishedRun, ExplainAgreesWithTheRun) {
  const json first = json::parse(explain("1").out);
  const json third = json::parse(explain("3").out);
  EXPECT_TRUE(first["waited"].empty());
  EXPECT_EQ(third["attempts"][0]["starting_time"], "20");
  EXPECT_EQ(third["attempts"][0]["start_reason"], "backfill");
}

TEST_F(FinishedRun, ExplainNamesChangedInputsAndUnknownJobs) {
  EXPECT_EQ(explain("77").exit_code, 3);
  EXPECT_THAT(explain("77").err, HasSubstr("'77'"));
  folder_.write("a.swf", swf({"0 0 1 1 1"}));
  const Finished changed = explain("2");
  EXPECT_EQ(changed.exit_code, 3);
  EXPECT_THAT(changed.err, HasSubstr("a.swf' has changed since the run"));
  EXPECT_EQ(run_weft({"explain", folder_.path(), "1"}).exit_code, 3);
}

TEST_F(FinishedRun, ReportIsMadeFromOneOrSeveralRuns) {
  ASSERT_EQ(run_weft({"run", "-p", "flat:4", "-w", log_, "-s", "fcfs", "-o", folder_.path("b")})
                .exit_code,
            0);
  const Finished finished =
      run_weft({"report", folder_.path("out"), folder_.path("b"), "-o", folder_.path("both.html")});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(folder_.read("both.html"), HasSubstr("<html"));
  EXPECT_THAT(finished.out, HasSubstr("both.html"));
  EXPECT_EQ(run_weft({"report", folder_.path("absent")}).exit_code, 3);
}

TEST(Trace, InfoCountsWhatTheLogHolds) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 1 10", "3600 0 20 4 30"}));
  const Finished finished = run_weft({"trace", "info", log, "-p", "flat:4", "--format", "json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const json info = json::parse(finished.out);
  EXPECT_EQ(info["jobs"], 2);
  EXPECT_EQ(info["format"], "swf");
  // (10 + 80) processor-seconds over 4 x 3600.
  EXPECT_NEAR(info["offered_load"].get<double>(), 90.0 / 14400, 1e-12);
  EXPECT_THAT(run_weft({"trace", "info", log}).out, Not(IsEmpty()));
}

TEST(Trace, ConvertKeepsTheRun) {
  const Folder folder;
  const std::string log =
      folder.write("a.swf", swf({"0 0 100 3 100", "10 0 50 4 50", "20 0 30 1 30"}));
  const Finished converted =
      run_weft({"trace", "convert", log, "--to", "weft", "-o", folder.path("a.jsonl")});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  ASSERT_EQ(run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("a")}).exit_code, 0);
  const Finished run = run_weft(
      {"run", "-p", "flat:4", "-w", folder.path("a.jsonl"), "-o", folder.path("b"), "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(folder.read("a/ledger.csv"), folder.read("b/ledger.csv"));
}

TEST(Trace, GenerateIsReproducibleAndReadable) {
  const Folder folder;
  const std::string description =
      folder.write("g.yaml",
                   "weft: 1\nname: g\ngpus: 64\nspan: 2d\njobs: 200\nteams:\n  - name: a\n    "
                   "work: {finetuning: 1}\n");
  const Finished first = run_weft({"trace", "generate", description, "--seed", "3"});
  const Finished second = run_weft({"trace", "generate", description, "--seed", "3"});
  const Finished other = run_weft({"trace", "generate", description, "--seed", "4"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, second.out);
  EXPECT_NE(first.out, other.out);
  const std::string log = folder.write("g.jsonl", first.out);
  const Finished info = run_weft({"trace", "info", log, "--format", "json"});
  ASSERT_EQ(info.exit_code, 0) << info.err;
  EXPECT_NEAR(json::parse(info.out)["jobs"].get<double>(), 200, 40);
  const Finished fit = run_weft({"trace", "fit", log});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_THAT(fit.out, HasSubstr("generator:"));
  const std::string fitted = folder.write("fit.yaml", fit.out);
  EXPECT_EQ(run_weft({"trace", "generate", fitted}).exit_code, 0);
}

}  // namespace
}  // namespace weft::cli::test
