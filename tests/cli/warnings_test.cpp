// What a run says about figures that say nothing and inputs that cannot be read again, and what
// check says about generators.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft_process.hpp"

namespace weft::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string warnings_of(const Folder& folder,
                        const std::string& log,
                        const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"run", "-p", "flat:4", "-w", log, "-o", folder.path("out")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Finished finished = run_weft(arguments);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  return finished.err;
}

TEST(RunWarnings, SayWhyNothingIsCounted) {
  const Folder folder;
  const std::string log = folder.write("l.swf", swf({"0 0 10 1 10", "100 0 10 1 10"}));
  EXPECT_THAT(warnings_of(folder, log, {}), Not(HasSubstr("warning")));
  EXPECT_THAT(warnings_of(folder, log, {"--measure", "0s..50s"}), Not(HasSubstr("warning")));
  EXPECT_THAT(warnings_of(folder, log, {"--measure", "20s..50s"}),
              HasSubstr("no job was submitted from 20s to 50s after the first submission"));
  EXPECT_THAT(warnings_of(folder, log, {"--measure", "1d..2d"}),
              HasSubstr("the run had ended before 1d after its first submission"));
  const std::string large = folder.write("large.swf", swf({"0 0 10 9 10", "1 0 10 9 10"}));
  EXPECT_THAT(warnings_of(folder, large, {}),
              HasSubstr("warning: no job ran: this cluster can run none of the 2 jobs"));
}

TEST(RunWarnings, SayThatAStreamCannotBeReadAgain) {
  const Folder folder;
  const std::string log = folder.write("l.swf", swf({"0 0 10 1 10"}));
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  // A shell fills the pipe while weft reads it.
  ASSERT_EQ(std::system(("cat " + log + " > " + pipe + " &").c_str()), 0);
  EXPECT_THAT(warnings_of(folder, "swf:" + pipe, {}),
              HasSubstr("pipe is no file that can be read again: resolved.yaml"));
  // The log is gone: one sentence says so.
  std::remove(pipe.c_str());
  const Finished explained = run_weft({"explain", folder.path("out"), "1"});
  EXPECT_EQ(explained.exit_code, 3);
  EXPECT_THAT(explained.err, HasSubstr("pipe' can not be read again ("));
  EXPECT_THAT(explained.err.substr(explained.err.find("found ") + 6), Not(HasSubstr("found ")));
}

TEST(CheckGenerator, ReadsTeamsAndFullDescriptions) {
  const Folder folder;
  const std::string teams = folder.write(
      "teams.yaml",
      "weft: 1\ngpus: 64\nspan: 7d\njobs: 50\nteams:\n  - {name: a, work: {finetuning: 1}}\n");
  const Finished finished = run_weft({"check", teams});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  for (const char* line : {": generator\n", "jobs: 50\n", "span: 1w\n", "gpus: 64\n", "load: "}) {
    EXPECT_THAT(finished.out, HasSubstr(line));
  }
  const std::string full = folder.write(
      "full.yaml",
      "weft: 1\ngenerator:\n  span: 2d\n  jobs: 9\n  gpus: 8\n  classes:\n    - {name: x, "
      "share: 1, sizes: {1: 1}, durations: [{weight: 1, median: 1h, sigma: 1}]}\n");
  const Finished whole = run_weft({"check", full});
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("jobs: 9\n"));
  const Finished wrong = run_weft(
      {"check", folder.write("wrong.yaml", "weft: 1\nspan: 7d\njobs: 5\nteams: [{nam: a}]\n")});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err, HasSubstr("wrong.yaml:4:"));
  EXPECT_THAT(wrong.err, HasSubstr("'name'"));
}

TEST(RunWarnings, NameTheWayToReadACsv) {
  const Folder folder;
  const std::string csv = folder.write("jobs.csv", "Start,Seconds,GPUs\n0,10,1\n");
  const Finished finished = run_weft({"run", "-p", "flat:4", "-w", csv, "-o", folder.path("out")});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("csv:FILE"));
  EXPECT_THAT(finished.err, HasSubstr("'columns'"));
  // As docs/formats.md says.
  warnings_of(folder,
              "csv:" + csv,
              {"--set", "workload.columns={submit: Start, runtime: Seconds, gpus: GPUs}"});
}

}  // namespace
}  // namespace weft::cli::test
