// Wrong inputs of every kind: exit 3, the place and what is allowed on stderr, nothing on stdout,
// and no output folder.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft_process.hpp"

namespace weft::cli::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct BadFile {
  std::string name;  // of the file; its extension counts
  std::string text;
  std::string place;  // "file.yaml:3:5" without the folder; empty: any
  std::string says;
};

constexpr const char* kNode = "nodes:\n  - {name: \"n[1-2]\", gpu: {model: H100-SXM, count: 8}}\n";

std::string platform(const std::string& rest) {
  return "weft: 1\nname: p\n" + std::string(kNode) + rest;
}

std::vector<BadFile> bad_platforms() {
  return {
      {"p.yaml", "", "p.yaml", ""},
      {"p.yaml", "weft: 1\nname: p\n", "p.yaml", "nodes"},
      {"p.yaml", "weft: 2\nname: p\n" + std::string(kNode), "p.yaml:1:7", "weft"},
      {"p.yaml", platform("nmae: x\n"), "p.yaml:5:1", "did you mean 'name'"},
      {"p.yaml", platform("name: q\n"), "p.yaml:5:1", "name"},
      {"p.yaml", platform("---\nweft: 1\n"), "p.yaml", "document"},
      {"p.yaml", "weft: 1\nname: p\nnodes:\n\t- a\n", "p.yaml:4", ""},
      {"p.yaml", "weft: 1\nname: [p\n", "p.yaml", ""},
      {"p.yaml", "weft: 1\nname: p\nnodes: 5\n", "p.yaml:3:8", "list"},
      {"p.yaml",
       "weft: 1\nname: p\nnodes:\n  - {name: n1, gpu: {model: H100-SXM, count: 08}}\n",
       "p.yaml:4",
       "leading zeros"},
      {"p.yaml",
       "weft: 1\nname: p\nnodes:\n  - {name: n1, gpu: {model: H100-SXM, count: -8}}\n",
       "p.yaml:4",
       "count"},
      {"p.yaml",
       "weft: 1\nname: p\nnodes:\n  - {name: n1, gpu: {model: H100-SMX, count: 8}}\n",
       "p.yaml:4",
       "H100-SXM"},
      {"p.yaml",
       "weft: 1\nname: p\nnodes:\n  - {name: n1, memory: 2, gpu: {model: H100-SXM, count: 8}}\n",
       "p.yaml:4",
       "memory"},
      {"p.yaml",
       "weft: 1\nname: p\nnodes:\n  - {name: n1, memory: nan, gpu: {model: H100-SXM, count: 8}}\n",
       "p.yaml:4",
       "memory"},
      {"p.yaml",
       "weft: 1\nname: p\nnodes:\n  - {name: \"n[2-1]\", gpu: {model: H100-SXM, count: 8}}\n",
       "p.yaml:4",
       "name"},
      {"p.yaml", platform("cost: {power: {tariff: 0.12}}\n"), "p.yaml:5", "tariff"},
      {"p.yaml", platform("rack: {limit: 45}\n"), "p.yaml:5", "limit"},
      {"p.yaml", platform("partitions: [{name: a, nodes: x9}]\n"), "p.yaml:5", "x9"},
      {"p.yaml", std::string("\xFF\xFEw\0e\0", 6), "p.yaml", ""},
      {"p.yaml", "weft: 1\nname: \xC3\x28\n", "p.yaml", ""},
  };
}

std::vector<BadFile> bad_logs() {
  return {
      {"l.swf", "", "l.swf", ""},
      {"l.swf", "; a comment only\n", "l.swf", ""},
      {"l.swf", "; MaxProcs: 4\n1 0 0 10 1\n", "l.swf:2", "18"},
      {"l.swf", "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 1 -1 -1 7\n", "l.swf:1", "18"},
      {"l.swf", "1 zero 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 1 -1 -1\n", "l.swf:1:3", "zero"},
      {"l.swf", "1 0 0 nan 1 -1 -1 1 10 -1 1 1 1 -1 1 1 -1 -1\n", "l.swf:1:7", "nan"},
      {"l.swf", "1 0 0 1e300 1 -1 -1 1 10 -1 1 1 1 -1 1 1 -1 -1\n", "l.swf:1:7", "1e300"},
      {"l.swf", "1 0 0 10 99999999999999999999 -1 -1 1 10 -1 1 1 1 -1 1 1 -1 -1\n", "l.swf:1", ""},
      {"l.swf", "a b c d e f g h i j k l m n o p q r\n", "l.swf:1", ""},
      {"l.swf", std::string("1 0 0 10 1\0", 11), "l.swf", ""},
      {"l.csv", "JobID|Submit|Start\n", "l.csv", ""},
      {"l.csv", "JobID|Submit|Start|End|State\n1|yesterday|x|y|COMPLETED\n", "l.csv:2", ""},
      {"l.csv", "a,b,c\n1,2,3\n", "l.csv", "format"},
      {"l.json", "{\"jobs\": [", "l.json", ""},
      {"l.json", "{}", "l.json", ""},
      {"l.json", "[1, 2]", "l.json", ""},
      {"l.jsonl", "{\"id\": \"a\"}\n", "l.jsonl", ""},
      {"l.jsonl",
       "{\"id\": \"a\", \"submit\": \"0s\", \"runtime\": \"5\", \"gpus\": 1}\n",
       "l.jsonl:1",
       ""},
      {"l.jsonl", "{\"id\": \"a\", \"submit\": \"0s\" \"runtime\": 5}\n", "l.jsonl:1", ""},
      {"l.txt", "hello world\n", "l.txt", "format"},
  };
}

std::string scenario(const std::string& rest) {
  return "weft: 1\nplatform: flat:4\nworkload: [{file: good.swf}]\n" + rest;
}

std::vector<BadFile> bad_scenarios() {
  return {
      {"s.yaml", "", "s.yaml", ""},
      {"s.yaml", "platform: flat:4\nworkload: [{file: good.swf}]\n", "s.yaml", "weft"},
      {"s.yaml", "weft: 1\nworkload: [{file: good.swf}]\n", "s.yaml", "platform"},
      {"s.yaml", "weft: 1\nplatform: flat:4\n", "s.yaml", "workload"},
      {"s.yaml", "weft: 1\nplatform: flat:0\nworkload: good.swf\n", "s.yaml:2:11", "flat:N"},
      {"s.yaml", "weft: 1\nplatform: flat:x\nworkload: good.swf\n", "s.yaml:2:11", "flat:N"},
      {"s.yaml", "weft: 1\nplatform: medium-265\nworkload: good.swf\n", "", "medium-256"},
      {"s.yaml", "weft: 1\nplatform: [flat:4]\nworkload: good.swf\n", "s.yaml:2:11", "text"},
      {"s.yaml", "weft: 1\nplatform: flat:4\nworkload: []\n", "s.yaml:3:11", "at least one"},
      {"s.yaml", "weft: 1\nplatform: flat:4\nworkload: [{}]\n", "s.yaml:3", "file"},
      {"s.yaml", "weft: 1\nplatform: flat:4\nworkload: [5, [6]]\n", "s.yaml:3", "map"},
      {"s.yaml", "weft: 1\nplatform: flat:4\nworkload: [{file: absent.swf}]\n", "absent.swf", ""},
      {"s.yaml", "weft: 1\nplatform: flat:4\nworkload: [{file: .}]\n", "", ""},
      {"s.yaml",
       "weft: 1\nplatform: flat:4\nworkload: [{file: good.swf, format: swff}]\n",
       "s.yaml:3:37",
       "did you mean 'swf'"},
      {"s.yaml",
       "weft: 1\nplatform: flat:4\nworkload: [{file: good.swf, load_factor: -2}]\n",
       "s.yaml:3",
       "load_factor"},
      {"s.yaml",
       "weft: 1\nplatform: flat:4\nworkload: [{file: good.swf}, {file: good.swf, repeat: 2}]\n",
       "s.yaml:3",
       "same decisions"},
      {"s.yaml",
       "weft: 1\nplatform: flat:4\nworkload: [{file: good.swf, generate: {teams: []}}]\n",
       "s.yaml:3",
       "one of them"},
      {"s.yaml",
       "weft: 1\nplatform: flat:4\nworkload: [{generate: {gpus: 0, teams: []}}]\n",
       "s.yaml:3",
       "workload[0].generate.gpus"},
      {"s.yaml", scenario("scheduler: eazy\n"), "s.yaml:4:12", "did you mean 'easy'"},
      {"s.yaml", scenario("scheduler: {kind: easy, depht: 3}\n"), "s.yaml:4:25", "depht"},
      {"s.yaml",
       scenario("scheduler: {kind: fcfs, backfill_order: sjf}\n"),
       "s.yaml:4",
       "backfill_order"},
      {"s.yaml", scenario("scheduler: absent.yaml\n"), "absent.yaml", ""},
      {"s.yaml", scenario("placement: tight\n"), "s.yaml:4:12", "pack"},
      {"s.yaml", scenario("fidelity: exact\n"), "s.yaml:4:11", "trace"},
      {"s.yaml", scenario("horizon: 30\n"), "s.yaml:4:10", "horizon"},
      {"s.yaml", scenario("horizon: inf\n"), "s.yaml:4:10", "horizon"},
      {"s.yaml", scenario("measure: 5d\n"), "s.yaml:4:10", "FROM..TO"},
      {"s.yaml", scenario("seed: 1.5\n"), "s.yaml:4:7", "whole number"},
      {"s.yaml", scenario("seed: 007\n"), "s.yaml:4:7", "leading zeros"},
      {"s.yaml", scenario("outputs: {evnts: true}\n"), "s.yaml:4:11", "did you mean 'events'"},
      {"s.yaml", scenario("horizn: 3d\n"), "s.yaml:4:1", "did you mean 'horizon'"},
      {"s.yaml", scenario("seed: 1\nseed: 2\n"), "s.yaml:5:1", "seed"},
  };
}

void expect_refused(const Finished& finished, const BadFile& bad, const Folder& folder) {
  EXPECT_EQ(finished.exit_code, 3) << bad.text << '\n' << finished.err;
  EXPECT_THAT(finished.err, HasSubstr(bad.place)) << bad.text;
  EXPECT_THAT(finished.err, HasSubstr(bad.says)) << bad.text;
  EXPECT_THAT(finished.err, testing::Not(IsEmpty()));
  EXPECT_THAT(finished.out, IsEmpty()) << bad.text;
  EXPECT_FALSE(folder.has("out")) << bad.text;
}

TEST(BadInput, PlatformIsRefusedWithItsPlaceAndNothingIsWritten) {
  for (const BadFile& bad : bad_platforms()) {
    const Folder folder;
    const std::string log = folder.write("good.swf", swf({"0 0 10 1 10"}));
    const std::string file = folder.write(bad.name, bad.text);
    expect_refused(run_weft({"run", "-p", file, "-w", log, "-o", folder.path("out")}), bad, folder);
  }
}

TEST(BadInput, JobLogIsRefusedWithItsPlaceAndNothingIsWritten) {
  for (const BadFile& bad : bad_logs()) {
    const Folder folder;
    const std::string file = folder.write(bad.name, bad.text);
    expect_refused(
        run_weft({"run", "-p", "flat:4", "-w", file, "-o", folder.path("out")}), bad, folder);
  }
}

TEST(BadInput, ScenarioIsRefusedWithItsPlaceAndNothingIsWritten) {
  for (const BadFile& bad : bad_scenarios()) {
    const Folder folder;
    folder.write("good.swf", swf({"0 0 10 1 10"}));
    const std::string file = folder.write(bad.name, bad.text);
    expect_refused(run_weft({"run", file, "-o", folder.path("out")}), bad, folder);
  }
}

TEST(BadInput, CheckSaysTheSameAndRunsNothing) {
  std::vector<BadFile> all = bad_platforms();
  const std::vector<BadFile> scenarios = bad_scenarios();
  all.insert(all.end(), scenarios.begin() + 4, scenarios.end());
  for (const BadFile& bad : all) {
    const Folder folder;
    folder.write("good.swf", swf({"0 0 10 1 10"}));
    const Finished finished = run_weft({"check", folder.write(bad.name, bad.text)});
    EXPECT_EQ(finished.exit_code, 3) << bad.text << finished.out;
    EXPECT_THAT(finished.err, testing::Not(IsEmpty())) << bad.text;
    EXPECT_THAT(finished.out, IsEmpty()) << bad.text;
  }
}

TEST(BadInput, AllFaultsOfAFileComeTogether) {
  const Folder folder;
  folder.write("good.swf", swf({"0 0 10 1 10"}));
  const std::string file =
      folder.write("s.yaml", scenario("scheduler: eazy\nseed: x\nhorizon: 5\nunknown_key: 1\n"));
  const Finished finished = run_weft({"run", file, "-o", folder.path("out")});
  EXPECT_EQ(finished.exit_code, 3);
  for (const char* place : {"s.yaml:4:", "s.yaml:5:", "s.yaml:6:", "s.yaml:7:"}) {
    EXPECT_THAT(finished.err, HasSubstr(place));
  }
}

TEST(BadInput, SetIsNamedInItsFault) {
  const Folder folder;
  const std::string log = folder.write("good.swf", swf({"0 0 10 1 10"}));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"seed=x", "whole number"},
      {"horizn=3d", "did you mean 'horizon'?"},
      {"workload[3].repeat=2", "positions below 1"},
      {"workload[0].repaet=2", "did you mean 'repeat'?"},
      {"scheduler.backfill_oder=sjf", "did you mean 'backfill_order'?"},
      {"platform.name=x", "a flat pool has none"},
      {"measure={", "measure"},
      {"a..b=1", ""},
  };
  for (const auto& [set, says] : cases) {
    const Finished finished =
        run_weft({"run", "-p", "flat:4", "-w", log, "--set", set, "-o", folder.path("out")});
    EXPECT_EQ(finished.exit_code, 3) << set << '\n' << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("--set " + set));
    EXPECT_THAT(finished.err, HasSubstr(says)) << set;
    EXPECT_FALSE(folder.has("out"));
  }
}

TEST(BadInput, SetIntoThePlatformIsNamedInItsFault) {
  const Folder folder;
  const std::string log = folder.write("good.swf", swf({"0 0 10 1 10"}));
  for (const std::string set : {"platform.nodes[0].gpu.count=x",
                                "platform.nodes[7].gpu.count=4",
                                "platform.nodez=4",
                                "platform.cost.years=never"}) {
    const Finished finished =
        run_weft({"run", "-p", "small-32", "-w", log, "--set", set, "-o", folder.path("out")});
    EXPECT_EQ(finished.exit_code, 3) << set << '\n' << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("--set " + set));
    EXPECT_FALSE(folder.has("out"));
  }
}

TEST(BadInput, MissingFilesNameTheirPath) {
  const Folder folder;
  const std::string log = folder.write("good.swf", swf({"0 0 10 1 10"}));
  const std::string out = folder.path("out");
  EXPECT_THAT(run_weft({"run", "-p", "absent.yaml", "-w", log, "-o", out}).err,
              HasSubstr("absent.yaml"));
  EXPECT_THAT(run_weft({"run", "-p", "flat:4", "-w", "/absent/x.swf", "-o", out}).err,
              HasSubstr("/absent/x.swf"));
  EXPECT_THAT(run_weft({"run", "absent-scenario.yaml", "-o", out}).err,
              HasSubstr("absent-scenario.yaml"));
  EXPECT_EQ(run_weft({"run", "-p", "absent.yaml", "-w", log, "-o", out}).exit_code, 3);
  EXPECT_EQ(run_weft({"check", "absent.yaml"}).exit_code, 3);
  EXPECT_FALSE(folder.has("out"));
}

TEST(BadInput, FilesOfUnknownKindAreRefusedAloud) {
  const Folder folder;
  const std::vector<std::string> files = {
      folder.write("slurm.conf", "NodeName=n1 CPUs=4\nPartitionName=a Nodes=n1\n"),
      folder.write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"),
      folder.write("empty.txt", ""),
      folder.write("binary.bin", std::string("\0\1\2\3", 4)),
      folder.path()};
  for (const std::string& file : files) {
    const Finished finished = run_weft({"check", file, "--format", "json"});
    EXPECT_EQ(finished.exit_code, 3) << file;
    EXPECT_THAT(finished.err, testing::Not(IsEmpty())) << file;
    EXPECT_THAT(finished.out, IsEmpty()) << file;
  }
}

}  // namespace
}  // namespace weft::cli::test
