// The command line itself: commands, options, help, exit codes.
#include <cstdlib>
#include <sys/wait.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft_process.hpp"

namespace weft::cli::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(Usage, HelpGoesToStdoutAndNamesEveryCommand) {
  const Finished help = run_weft({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"run", "check", "trace", "report", "list", "explain"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
  }
  EXPECT_THAT(help.err, IsEmpty());
}

TEST(Usage, HelpOfEveryCommandHasAnExample) {
  const std::vector<std::vector<std::string>> commands = {{"run"},
                                                          {"check"},
                                                          {"trace"},
                                                          {"trace", "info"},
                                                          {"trace", "convert"},
                                                          {"trace", "fit"},
                                                          {"trace", "generate"},
                                                          {"report"},
                                                          {"list"},
                                                          {"list", "gpus"},
                                                          {"explain"}};
  for (std::vector<std::string> command : commands) {
    command.emplace_back("--help");
    const Finished help = run_weft(command);
    EXPECT_EQ(help.exit_code, 0) << command.front();
    EXPECT_THAT(help.out, HasSubstr("Example")) << command.front();
    EXPECT_THAT(help.out, HasSubstr("  weft ")) << command.front();
  }
}

TEST(Usage, VersionNamesWeftAndSimGrid) {
  const Finished version = run_weft({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, StartsWith("weft "));
  EXPECT_THAT(version.out, HasSubstr("SimGrid"));
}

TEST(Usage, UnknownCommandNamesTheNearest) {
  const Finished finished = run_weft({"rum"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("unknown command 'rum'"));
  EXPECT_THAT(finished.err, HasSubstr("did you mean 'run'?"));
  EXPECT_THAT(finished.out, IsEmpty());
}

TEST(Usage, CommandsThatDoNotExistYetAreUnknown) {
  for (const char* command :
       {"validate", "calibrate", "compare", "sweep", "fabric", "bench", "cost", "place"}) {
    EXPECT_EQ(run_weft({command}).exit_code, 2) << command;
    EXPECT_THAT(run_weft({"--help"}).out, Not(HasSubstr(std::string("  ") + command)));
  }
}

TEST(Usage, UnknownOptionNamesTheNearest) {
  const Finished finished = run_weft({"run", "-p", "flat:4", "-w", "x", "--horizn", "3d"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("--horizn"));
  EXPECT_THAT(finished.err, HasSubstr("did you mean '--horizon'?"));
}

TEST(Usage, UnknownSubcommandOfTraceNamesTheNearest) {
  const Finished finished = run_weft({"trace", "inof"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("did you mean 'info'?"));
}

TEST(Usage, NothingToDoIsAUsageFault) {
  EXPECT_EQ(run_weft({}).exit_code, 2);
  EXPECT_EQ(run_weft({"run"}).exit_code, 2);
  EXPECT_EQ(run_weft({"run", "-p", "flat:4"}).exit_code, 2);
  EXPECT_EQ(run_weft({"check"}).exit_code, 2);
  EXPECT_EQ(run_weft({"explain", "only-a-folder"}).exit_code, 2);
}

TEST(Usage, WrongValuesOfOptionsAreUsageFaultsAndSayWhatIsAllowed) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 1 10"}));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--fidelity", "exact"}, "trace"},
      {{"--fidelity", "sampled"}, "trace"},
      {{"--horizon", "30"}, "30d"},
      {{"--horizon", "0s"}, "more than 0"},
      {{"--measure", "8d..1d"}, "FROM..TO"},
      {{"--seed", "-1"}, "whole number"},
      {{"--load-factor", "0"}, "above 0"},
      {{"--repeat", "0"}, "1 to"},
      {{"--placement", "pak"}, "did you mean 'pack'?"},
      {{"--size", "asked"}, "allocated, requested"},
      {{"--format", "xml"}, "text"},
      {{"--on-bad-job", "ignore"}, "error"},
      {{"--set", "seed"}, "key.path=value"},
  };
  for (const auto& [options, allowed] : cases) {
    std::vector<std::string> arguments = {"run", "-p", "flat:4", "-w", log, "-o", folder.path("o")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished finished = run_weft(arguments);
    EXPECT_EQ(finished.exit_code, 2) << options[0] << ' ' << options[1] << '\n' << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(options[0])) << options[1];
    EXPECT_THAT(finished.err, HasSubstr(allowed)) << options[1];
    EXPECT_FALSE(folder.has("o")) << options[0];
  }
}

TEST(Usage, OutputThatCannotBeWrittenIsAFailure) {
  for (const std::string arguments : {"list gpus", "--help", "--version", "check medium-256"}) {
    for (const std::string to : {">/dev/full", ">&-"}) {
      const std::string command = std::string(WEFT_BINARY) + ' ' + arguments + ' ' + to;
      const int status = std::system((command + " 2>/dev/null").c_str());
      EXPECT_EQ(WEXITSTATUS(status), 1) << command;
    }
  }
}

TEST(Usage, AnEmptyOutputFolderIsAUsageFault) {
  const Finished finished = run_weft({"run", "-p", "flat:4", "-w", "a.swf", "-o", ""});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("name of a folder"));
}

TEST(Usage, AFormatThatACommandDoesNotHaveIsRefused) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 1 10"}));
  const std::vector<std::vector<std::string>> cases = {
      {"trace", "info", log, "--format", "csv"},
      {"trace", "fit", log, "--format", "json"},
      {"trace", "convert", log, "--format", "csv"},
      {"trace", "generate", log, "--format", "csv"},
      {"explain", "o", "1", "--format", "csv"},
      {"report", "o", "--format", "json"}};
  for (const std::vector<std::string>& arguments : cases) {
    const Finished finished = run_weft(arguments);
    EXPECT_EQ(finished.exit_code, 2) << arguments[1];
    EXPECT_THAT(finished.err, HasSubstr("allowed text")) << arguments[1];
    EXPECT_THAT(finished.out, IsEmpty());
  }
}

TEST(Usage, AReportThatCannotBeWrittenIsAFailure) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 1 10"}));
  ASSERT_EQ(run_weft({"run", "-p", "flat:4", "-w", log, "-o", folder.path("o")}).exit_code, 0);
  for (const std::string& page :
       {folder.path("nodir/x.html"), std::string("/dev/full"), folder.path("o")}) {
    const Finished finished = run_weft({"report", folder.path("o"), "-o", page});
    EXPECT_EQ(finished.exit_code, 1) << page;
    EXPECT_THAT(finished.err, HasSubstr("cannot write " + page));
  }
}

}  // namespace
}  // namespace weft::cli::test
