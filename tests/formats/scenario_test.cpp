#include "formats/scenario.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/generate_key.hpp"
#include "formats/override.hpp"
#include "formats/scheduler_file.hpp"

namespace weft::formats {
namespace {

using testing::HasSubstr;

std::string write(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string all_errors(const Diagnostics& diagnostics) {
  std::string text;
  for (const InputError& error : diagnostics.errors()) {
    text += to_string(error) + '\n';
  }
  return text;
}

Scenario read(const std::string& text, const std::vector<Override>& overrides = {}) {
  Diagnostics diagnostics;
  Scenario scenario = read_scenario(write("scenario.yaml", text), overrides, diagnostics);
  EXPECT_TRUE(diagnostics.ok()) << all_errors(diagnostics) << text;
  return scenario;
}

std::string faults(const std::string& text, const std::vector<Override>& overrides = {}) {
  Diagnostics diagnostics;
  static_cast<void>(read_scenario(write("scenario.yaml", text), overrides, diagnostics));
  EXPECT_FALSE(diagnostics.ok()) << text;
  return all_errors(diagnostics);
}

Override set(const std::string& text) {
  const Parsed<Override> parsed = parse_set(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return *parsed;
}

constexpr const char* kShortest = "weft: 1\nplatform: flat:64\nworkload: jobs.swf\n";

TEST(Scenario, ShortestHasEveryDefault) {
  const Scenario scenario = read(kShortest);
  EXPECT_EQ(scenario.name, "scenario");
  EXPECT_EQ(scenario.platform.flat_processors, 64U);
  EXPECT_FALSE(scenario.platform.platform.has_value());
  ASSERT_EQ(scenario.workload.size(), 1U);
  EXPECT_EQ(scenario.workload[0].file, testing::TempDir() + "jobs.swf");
  EXPECT_FALSE(scenario.workload[0].format.has_value());
  EXPECT_FALSE(scenario.workload[0].read.skip_bad_rows);
  EXPECT_EQ(scenario.scheduler.kind, "easy");
  EXPECT_EQ(scenario.scheduler.placement, schedulers::Placement::kPack);
  EXPECT_FALSE(scenario.horizon.has_value());
  EXPECT_FALSE(scenario.measure.has_value());
  EXPECT_EQ(scenario.seed, 1U);
  EXPECT_FALSE(scenario.outputs.events);
  EXPECT_TRUE(scenario.outputs.report);
}

TEST(Scenario, EveryKeyIsRead) {
  const Scenario scenario = read(R"(weft: 1
name: study
platform: small-32
workload:
  - file: /data/a.txt
    format: csv
    columns: {gpus: "GPU Count", runtime: "Minutes@min"}
    timezone: Europe/Stockholm
    on_bad_job: skip
    batsim_speed: 2GFLOP/s
    size: requested
    run_over_limit: extend
    zero_runtime: drop
    missing_runtime: limit
    missing_limit: 4h
    too_large: cap
    unknown_partition: reject
    load_factor: 1.25
    repeat: 3
scheduler: {kind: easy, backfill_order: sjf, backfill_depth: 10}
placement: spread
fidelity: trace
horizon: 30d
measure: 1d..8d
seed: 42
outputs: {events: true, report: false}
)");
  EXPECT_EQ(scenario.name, "study");
  ASSERT_TRUE(scenario.platform.platform.has_value());
  EXPECT_EQ(platforms::gpu_count(*scenario.platform.platform), 32);
  const WorkloadSource& source = scenario.workload.at(0);
  EXPECT_EQ(source.file, "/data/a.txt");
  EXPECT_EQ(source.format, JobFormat::kCsv);
  ASSERT_EQ(source.read.columns.size(), 2U);
  EXPECT_EQ(source.read.columns[1].unit, "min");
  EXPECT_EQ(source.read.time_zone, "Europe/Stockholm");
  EXPECT_TRUE(source.read.skip_bad_rows);
  EXPECT_EQ(source.read.size, SizeSource::kRequested);
  using B = workloads::BindOptions;
  const B& bind = scenario.binding.options;
  EXPECT_EQ(bind.size, B::Size::kRequested);
  EXPECT_EQ(bind.run_over_limit, B::RunOverLimit::kExtend);
  EXPECT_EQ(bind.zero_runtime, B::ZeroRuntime::kDrop);
  EXPECT_EQ(bind.missing_runtime, B::Missing::kLimit);
  EXPECT_EQ(bind.missing_limit, B::Missing::kFixed);
  EXPECT_EQ(bind.fixed_limit, hours(4));
  EXPECT_EQ(bind.too_large, B::TooLarge::kCap);
  EXPECT_EQ(bind.unknown_partition, B::UnknownPartition::kReject);
  EXPECT_EQ(bind.load_factor, (workloads::Ratio{125, 100}));
  EXPECT_EQ(bind.repeat, 3U);
  EXPECT_EQ(scenario.scheduler.backfill_order, schedulers::BackfillOrder::kSjf);
  EXPECT_EQ(scenario.scheduler.backfill_depth, 10U);
  EXPECT_EQ(scenario.scheduler.placement, schedulers::Placement::kSpread);
  EXPECT_EQ(scenario.horizon, days(30));
  ASSERT_TRUE(scenario.measure.has_value());
  EXPECT_EQ(scenario.measure->from, days(1));
  EXPECT_EQ(scenario.measure->to, days(8));
  EXPECT_EQ(scenario.seed, 42U);
  EXPECT_TRUE(scenario.outputs.events);
  EXPECT_FALSE(scenario.outputs.report);
}

constexpr const char* kInlinePlatform = R"(weft: 1
platform:
  weft: 1
  name: mine
  nodes:
    - {name: "n[1-2]", gpu: {model: H100-SXM, count: 4}, cpus: 64, memory: 1TB}
workload: jobs.swf
)";

TEST(Scenario, PlatformMayStandInline) {
  const Scenario scenario = read(kInlinePlatform);
  ASSERT_TRUE(scenario.platform.platform.has_value());
  EXPECT_EQ(scenario.platform.platform->name, "mine");
  EXPECT_EQ(platforms::gpu_count(*scenario.platform.platform), 8);
}

TEST(Scenario, InlinePlatformInFlowStyleAnywhereInTheFile) {
  const std::string map =
      "{weft: 1, name: mine, nodes: [{name: n1, gpu: {model: H100-SXM, count: 4}}]}";
  for (const std::string& text : {"weft: 1\nplatform: " + map + "\nworkload: jobs.swf\n",
                                  "weft: 1\nworkload: jobs.swf\nplatform: " + map + "\n",
                                  "{weft: 1, platform: " + map + ", workload: jobs.swf}\n",
                                  "{weft: 1, workload: jobs.swf, platform: " + map + "}\n"}) {
    const Scenario scenario = read(text);
    ASSERT_TRUE(scenario.platform.platform.has_value()) << text;
    EXPECT_EQ(platforms::gpu_count(*scenario.platform.platform), 4) << text;
  }
}

TEST(Scenario, FaultsOfAnInlinePlatformHaveTheirPlaceAndPath) {
  std::string text = kInlinePlatform;
  text.replace(text.find("count: 4"), 8, "cuont: 4");
  const std::string found = faults(text);
  EXPECT_THAT(found, HasSubstr("scenario.yaml:6:"));
  EXPECT_THAT(found, HasSubstr("platform.nodes[0].gpu.cuont"));
}

TEST(Scenario, SchedulerAndGeneratorMayBeFilesBesideTheScenario) {
  write("policy.yaml", "weft: 1\nkind: easy\nbackfill_order: sjf\nplacement: best_fit\n");
  write("made.yaml", "weft: 1\ngpus: 64\njobs: 10\nteams:\n  - {name: a, work: {finetuning: 1}}\n");
  const Scenario scenario = read(
      "weft: 1\nplatform: flat:64\nworkload: [{generate: made.yaml}]\nscheduler: policy.yaml\n");
  EXPECT_EQ(scenario.scheduler.backfill_order, schedulers::BackfillOrder::kSjf);
  EXPECT_EQ(scenario.scheduler.placement, schedulers::Placement::kBestFit);
  ASSERT_TRUE(scenario.workload.at(0).generate.has_value());
  EXPECT_EQ(scenario.workload[0].generate->gpus, 64U);
}

TEST(Scenario, PlacementOfTheScenarioWinsOverTheSchedulersFile) {
  write("policy.yaml", "weft: 1\nkind: fcfs\nplacement: best_fit\n");
  const Scenario scenario =
      read(std::string(kShortest) + "scheduler: policy.yaml\nplacement: spread\n");
  EXPECT_EQ(scenario.scheduler.placement, schedulers::Placement::kSpread);
}

TEST(Scenario, OverridesAreLaidOverBeforeValidation) {
  const Scenario scenario = read(std::string(kShortest) + "horizon: wrong\nscheduler: fcfs\n",
                                 {set("horizon=5d"),
                                  set("workload[0].repeat=4"),
                                  set("workload.load_factor=2"),
                                  set("workload[*].zero_runtime=drop"),
                                  set("scheduler.kind=easy"),
                                  set("scheduler.backfill_order=sjf"),
                                  set("outputs.events=true")});
  EXPECT_EQ(scenario.horizon, days(5));
  EXPECT_EQ(scenario.binding.options.repeat, 4U);
  EXPECT_EQ(scenario.binding.options.load_factor.numerator, 2);
  EXPECT_EQ(scenario.binding.options.zero_runtime, workloads::BindOptions::ZeroRuntime::kDrop);
  EXPECT_EQ(scenario.scheduler.kind, "easy");
  EXPECT_EQ(scenario.scheduler.backfill_order, schedulers::BackfillOrder::kSjf);
  EXPECT_TRUE(scenario.outputs.events);
}

TEST(Scenario, OverridesReachIntoPlatformAndGenerator) {
  write("made.yaml", "weft: 1\ngpus: 64\njobs: 10\nteams:\n  - {name: a, work: {finetuning: 1}}\n");
  const Scenario scenario =
      read("weft: 1\nplatform: small-32\nworkload: [{generate: made.yaml}]\n",
           {set("platform.nodes[0].cpus=7"), set("workload[0].generate.gpus=128")});
  ASSERT_TRUE(scenario.platform.platform.has_value());
  EXPECT_EQ(scenario.platform.platform->nodes.at(0).cpus, cpus(7));
  EXPECT_EQ(scenario.workload[0].generate->gpus, 128U);
}

TEST(Scenario, FaultsOfOverridesNameThem) {
  EXPECT_THAT(faults(kShortest, {set("horizn=3d")}),
              HasSubstr("--set horizn=3d: horizn: found an unknown key"));
  EXPECT_THAT(faults(kShortest, {set("seed=x")}), HasSubstr("--set seed=x: seed: found 'x'"));
  EXPECT_THAT(faults("weft: 1\nplatform: small-32\nworkload: a.swf\n",
                     {set("platform.nodes[0].gpu.count=x")}),
              HasSubstr("--set platform.nodes[0].gpu.count=x"));
}

TEST(Scenario, ValuesOfOptionsAreUtf8AndHaveNoPositions) {
  const std::string utf8 = "a byte that is no part of a UTF-8 character";
  EXPECT_THAT(faults(kShortest, {set("name=a\xFF")}),
              HasSubstr("--set name=a?: name: found " + utf8));
  EXPECT_THAT(faults(kShortest, {{"workload", "[{file: \"x\"}]", "-w x\xFF.swf", false}}),
              HasSubstr("-w x?.swf: workload: found " + utf8));
  EXPECT_EQ(read(kShortest, {set("name=\xC3\xA5")}).name, "\xC3\xA5");
  EXPECT_THAT(faults(kShortest, {set("a=[")}),
              HasSubstr("--set a=[: a: found a list whose '[' is never closed"));
  EXPECT_THAT(faults(kShortest, {set("a={x: [1]")}), HasSubstr("a map whose '{' is never closed"));
  EXPECT_THAT(faults(kShortest, {set("seed=")}), HasSubstr("--set seed=: seed: found no value"));
  EXPECT_THAT(faults(kShortest, {set("seed=[1, 2]")}),
              HasSubstr("--set seed=[1, 2]: seed: found a list"));
  EXPECT_THAT(faults(kShortest, {set("scheduler={kind: easy, foo: 1}")}),
              HasSubstr("foo: 1}: scheduler.foo: found an unknown key"));
  EXPECT_THAT(faults(kShortest, {set("seed=]")}), HasSubstr("--set seed=]: seed: found a YAML"));
}

TEST(Scenario, WorkingDirectoriesOfLogsAreUtf8) {
  const std::filesystem::path before = std::filesystem::current_path();
  const std::string odd = testing::TempDir() + "odd\xFF";
  std::filesystem::create_directories(odd);
  std::filesystem::current_path(odd);
  Diagnostics diagnostics;
  static_cast<void>(scenario_from({{"platform", "flat:4", "-p flat:4", true},
                                   {"workload", "[{file: l.swf}]", "-w l.swf", false}},
                                  diagnostics));
  std::filesystem::current_path(before);
  EXPECT_THAT(all_errors(diagnostics), HasSubstr("odd?/l.swf: workload.file: found a byte"));
}

TEST(Scenario, NamesWhatIsWrongWithAWindowAndANodeList) {
  EXPECT_THAT(faults(kShortest, {set("measure=10s..5s")}),
              HasSubstr("measure: found '10s..5s', allowed FROM..TO where FROM precedes TO"));
  EXPECT_THAT(faults(kShortest, {set("measure=10s")}), HasSubstr("two times after the first"));
  EXPECT_THAT(faults(kShortest, {{"platform", "n.csv", "-p n.csv", true}}),
              HasSubstr("or openb:n.csv for a node list in CSV"));
}

TEST(Scenario, PathsOfOverridesAreNotRelativeToTheFile) {
  const Scenario scenario =
      read(kShortest, {{"workload", "[{file: other.swf}]", "-w other.swf", false}});
  EXPECT_EQ(scenario.workload.at(0).file, "other.swf");
}

TEST(Scenario, OptionsAloneAreEnough) {
  Diagnostics diagnostics;
  const Scenario scenario =
      scenario_from({{"platform", "flat:8", "-p flat:8", true},
                     {"workload", "[{file: \"a b.swf\", format: swf}]", "-w swf:a b.swf", false},
                     {"scheduler", "fcfs", "-s fcfs", true}},
                    diagnostics);
  ASSERT_TRUE(diagnostics.ok()) << all_errors(diagnostics);
  EXPECT_EQ(scenario.name, "a b");
  EXPECT_EQ(scenario.platform.flat_processors, 8U);
  EXPECT_EQ(scenario.workload.at(0).format, JobFormat::kSwf);
  EXPECT_EQ(scenario.scheduler.kind, "fcfs");
}

TEST(Scenario, ResolvedTextReadsBackToItself) {
  write("made.yaml", "weft: 1\ngpus: 64\njobs: 10\nteams:\n  - {name: a, work: {finetuning: 1}}\n");
  const std::vector<std::string> texts = {
      kShortest,
      kInlinePlatform,
      "weft: 1\nname: 'odd: name #1'\nplatform: medium-256\nworkload: [{generate: made.yaml}]\n",
      "weft: 1\nplatform: blueprint-64\nworkload:\n  - {file: 'a: b.csv', format: csv, columns: "
      "{gpus: G, submit: \"T@iso\"}, on_bad_job: skip}\nscheduler: {kind: easy, backfill_depth: "
      "3}\nhorizon: 1500ms\nmeasure: 0s..1d\n"};
  for (const std::string& text : texts) {
    const std::string once = resolved_yaml(read(text));
    EXPECT_EQ(resolved_yaml(read(once)), once) << text;
  }
}

TEST(Scenario, LogsOfOneRunShareTheirDecisions) {
  EXPECT_THAT(faults("weft: 1\nplatform: flat:4\nworkload:\n  - {file: a.swf, size: requested}\n"
                     "  - {file: b.swf}\n"),
              HasSubstr("same decisions"));
  const Scenario scenario = read(
      "weft: 1\nplatform: flat:4\nworkload:\n  - {file: a.swf, size: requested}\n  - {file: "
      "b.swf, size: requested}\n");
  EXPECT_EQ(scenario.workload.size(), 2U);
}

TEST(FlowYaml, ParsesBackToTheSameTree) {
  const std::string text =
      "a: {b: [1, two, \"3\", null], 'odd key': \"x: y\"}\nc: plain, with [marks]\nd: \"\"\n";
  Diagnostics diagnostics;
  platforms::YamlDocument document;
  const auto root = document.parse(text, "t", diagnostics);
  ASSERT_TRUE(root.has_value()) << all_errors(diagnostics);
  const std::string once = flow_yaml(document, *root);
  const auto again = document.parse(once, "t", diagnostics);
  ASSERT_TRUE(again.has_value()) << all_errors(diagnostics) << once;
  EXPECT_EQ(flow_yaml(document, *again), once);
  EXPECT_THAT(once, HasSubstr("\"3\""));
}

TEST(SchedulerFile, OptionsOfTheKindOnly) {
  Diagnostics diagnostics;
  static_cast<void>(read_scheduler_file(
      write("s.yaml", "weft: 1\nkind: fcfs\nbackfill_order: sjf\n"), diagnostics));
  EXPECT_THAT(all_errors(diagnostics),
              HasSubstr("s.yaml:3:1: backfill_order: found an unknown key"));
  EXPECT_TRUE(is_scheduler_kind("conservative"));
  EXPECT_FALSE(is_scheduler_kind("eazy"));
}

TEST(Set, WhatIsNoPathEqualsValueIsRefused) {
  EXPECT_FALSE(parse_set("horizon").ok());
  EXPECT_FALSE(parse_set("=3").ok());
  EXPECT_TRUE(parse_set("a=b=c").ok());
  EXPECT_EQ(parse_set("a=b=c").value().value, "b=c");
}

}  // namespace
}  // namespace weft::formats
