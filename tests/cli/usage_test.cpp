// The command line itself: commands, options, help, exit codes.
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

}  // namespace
}  // namespace weft::cli::test
