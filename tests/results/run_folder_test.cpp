// What a run does to its folder: when it writes, what it replaces, and what it says if it cannot.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/output_file.hpp"
#include "results/run_writer.hpp"
#include "tests/results/test_world.hpp"

namespace weft::results {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)
using sim::IdleAccount;

constexpr JobId kJ1{0};
constexpr JobId kJ2{1};

TEST(RunFolder, EventsCarryReasonsOnRequest) {
  const ClusterLayout layout = uniform_cluster(1, 2);
  JobList jobs;
  jobs.add(any_gpus(1), at_seconds(0), seconds(1));
  jobs.add(any_gpus(9), at_seconds(0), seconds(1));
  RunWriterOptions with_events = options("events");
  with_events.events = true;
  Script script(with_events, layout, jobs.workload);
  script.submit(0, kJ1);
  script.reject(0, kJ2);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 1}}), StartReason::kBackfill);
  script.idle(0, IdleAccount::kReserved, gpus(1));
  script.end(1, kJ1);
  static_cast<void>(script.finish(1));
  EXPECT_EQ(read_text(script.directory + "/events.jsonl"),
            "{\"time\":0,\"event\":\"run_begins\"}\n"
            "{\"time\":0,\"event\":\"submit\",\"job_id\":\"1\"}\n"
            "{\"time\":0,\"event\":\"reject\",\"job_id\":\"2\",\"why\":\"too large\"}\n"
            "{\"time\":0,\"event\":\"start\",\"job_id\":\"1\",\"attempt\":1,"
            "\"reason\":\"backfill\",\"nodes\":[\"n1\"],\"gpus\":[[0,1]],\"share\":1}\n"
            "{\"time\":0,\"event\":\"idle\",\"split\":[{\"account\":\"reserved\","
            "\"gpu_model\":\"H100\",\"partition\":\"all\",\"gpus\":1}]}\n"
            "{\"time\":1,\"event\":\"end\",\"job_id\":\"1\",\"attempt\":1,"
            "\"state\":\"COMPLETED\"}\n"
            "{\"time\":1,\"event\":\"run_ends\"}\n");
}

TEST(RunFolder, InterruptedRunLeavesFinishedRowsAndNothingStale) {
  const ClusterLayout layout = uniform_cluster(1, 1);
  JobList jobs;
  jobs.add(any_gpus(1), at_seconds(0), seconds(1));
  const RunWriterOptions chosen = options("interrupted");
  std::filesystem::create_directories(chosen.directory);
  std::ofstream(chosen.directory + "/summary.json") << "of an earlier run";
  std::ofstream(chosen.directory + "/notes.txt") << "the user's";
  {
    Script script(chosen, layout, jobs.workload);
    script.submit(0, kJ1);
    script.start(0, kJ1, on({NodeId{0}}, {{0, 1}}));
    script.idle(0, IdleAccount::kNoDemand, gpus(0));
    script.end(1, kJ1);
  }
  EXPECT_EQ(read_csv(chosen.directory + "/jobs.csv").size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(chosen.directory + "/summary.json"));
  EXPECT_EQ(read_text(chosen.directory + "/notes.txt"), "the user's");
}

TEST(RunFolder, WritesNothingBeforeTheRunBegins) {
  const RunWriterOptions chosen = options("nothing");
  { const RunWriter writer(chosen); }
  EXPECT_FALSE(std::filesystem::exists(chosen.directory));
}

TEST(RunFolder, DirectoryUnderAFileIsAClearError) {
  const std::string file = fresh_directory("a_file");
  std::ofstream(file) << "x";
  const ClusterLayout layout = uniform_cluster(1, 1);
  const JobList jobs;
  RunWriterOptions below;
  below.directory = file + "/run";
  try {
    Script script(below, layout, jobs.workload);
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("cannot create directory " + below.directory));
    EXPECT_THAT(error.what(), testing::HasSubstr("Not a directory"));
  }
  RunWriterOptions same;
  same.directory = file;
  EXPECT_THROW(Script(same, layout, jobs.workload), OutputError);
}

// jobs.csv is a link to /dev/full, which takes nothing.
TEST(RunFolder, FullDiskIsAClearError) {
  const ClusterLayout layout = uniform_cluster(1, 1);
  JobList jobs;
  jobs.add(any_gpus(1), at_seconds(0), seconds(1));
  const RunWriterOptions chosen = options("full");
  std::filesystem::create_directories(chosen.directory);
  ASSERT_EQ(::symlink("/dev/full", (chosen.directory + "/jobs.csv").c_str()), 0);
  Script script(chosen, layout, jobs.workload);
  script.submit(0, kJ1);
  script.start(0, kJ1, on({NodeId{0}}, {{0, 1}}));
  script.idle(0, IdleAccount::kNoDemand, gpus(0));
  script.end(1, kJ1);
  try {
    static_cast<void>(script.finish(1));
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot write " + chosen.directory + "/jobs.csv: No space left on device");
  }
}

}  // namespace
}  // namespace weft::results
