// Each fault of a platform file: where it is reported, under which key, and what is allowed.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "marked_yaml.hpp"
#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"

namespace weft::platforms {
namespace {

const char* const kBase = R"(weft: 1
name: test
nodes:
  - name: gpu[1-4]
    gpu: {model: H100-SXM, count: 8}
    cpus: 192
    memory: 2TB
    scale_up: {kind: nvswitch, nvls: true}
    nics:
      - {fabric: compute, count: 8, rate: 400Gbps, rail: gpu}
      - {fabric: ether, count: 1, rate: 100Gbps}
    local_storage: {capacity: 25.6TB, read: 50GB/s, write: 25GB/s, read_iops: 5M, latency: 80us}
    power: {idle: 2.3kW, max: 10.2kW}
    nodes_per_rack: 4
    price: {server: 50k$, gpu: 20k$}
    labels: {zone: a}
  - name: login1
    cpus: 16
fabrics:
  - name: compute
    kind: roce
    topology: {kind: leaf-spine, rails: 8, leaf_ports: 64, uplinks: 32, down_to_up: "1:1"}
    routing: {kind: ecmp, qps: 4}
    congestion: {control: pfc}
    latency: {nic: 1us, switch: 500ns, link: 100ns}
    switch: QM9790
  - name: ether
    kind: tcp
    topology: {kind: single, leaf_ports: 32}
storage:
  - {name: scratch, kind: parallel-fs, fabric: ether, servers: 4, read: 50GB/s, write: 20GB/s, metadata: 100k/s, price: 120k$}
rack: {limit: 45kW, policy: trip}
failures: {preset: llama3, nic: {mtbf: 5y, repair: 4h}}
events:
  - {at: 10d, link: leaf03-spine07, state: down, for: 2h}
  - {at: 20d, nodes: "gpu[1-2]", state: maintenance, for: 8h}
cost: {years: 3, network: 100k$, power: {tariff: 0.12$/kWh, pue: 1.25, carbon: 350g/kWh}, staff: 100k$/y, colocation: 184$/kW/month, licences: 1k$/GPU/y, spot: {H100-SXM: 1.9$/GPUh}}
partitions:
  - {name: main, nodes: all, max_time: 2d, default_time: 1h}
)";

struct Fault {
  const char* name;
  const char* what;  // this text of kBase
  const char* with;  // becomes this; '^' marks the place
  const char* key;
  const char* found;  // a part of what is reported
  const char* allowed;
};

const Fault kFaults[] = {
    // Structure of the file.
    {"UnknownTopKey", "\nrack:", "\n^rak:", "rak", "unknown key", "did you mean 'rack'?"},
    {"UnknownDeepKey",
     "cpus: 192",
     "^cpu: 192",
     "nodes[0].cpu",
     "unknown key",
     "did you mean 'cpus'?"},
    {"UnknownKeyInFlowMap", "qps: 4", "^qp: 4", "fabrics[0].routing.qp", "unknown key", "'qps'"},
    {"DuplicateKey",
     "memory: 2TB",
     "^cpus: 64\n    memory: 2TB",
     "nodes[0].cpus",
     "second time",
     "once"},
    {"DuplicateKeyInFlowMap",
     "qps: 4",
     "qps: 4, ^qps: 8",
     "fabrics[0].routing.qps",
     "second time",
     "once"},
    {"MergeKey",
     "labels: {zone: a}",
     "labels: {zone: a, ^<<: {b: c}}",
     "nodes[0].labels.<<",
     "merge key",
     "include"},
    {"EmptyKey",
     "labels: {zone: a}",
     "labels: {^\"\": a}",
     "nodes[0].labels",
     "empty key",
     "plain word"},
    {"Tag", "name: test", "name: ^!secret test", "name", "tag", "no tags"},
    {"MissingVersion", "weft: 1\n", "^", "weft", "nothing", "whole number"},
    {"WrongVersion", "weft: 1", "weft: ^2", "weft", "'2'", "1"},
    {"MissingName", "name: test\n", "", "name", "nothing", "text"},
    {"EmptyValue", "cpus: 192", "^cpus:", "nodes[0].cpus", "nothing", "a number"},
    {"NullValue", "memory: 2TB", "^memory: ~", "nodes[0].memory", "nothing", "80GB"},
    {"NodesIsAMap",
     "nodes:\n  - name: gpu[1-4]",
     "nodes:\n  ^x: 1\nx_nodes:\n  - name: gpu[1-4]",
     "nodes",
     "a map",
     "a list"},
    {"ItemIsText",
     "  - name: login1\n    cpus: 16",
     "  - ^login1",
     "nodes[1]",
     "'login1'",
     "a map"},
    {"MapIsText",
     "power: {idle: 2.3kW, max: 10.2kW}",
     "power: ^10kW",
     "nodes[0].power",
     "'10kW'",
     "a map"},
    {"ScalarIsList", "memory: 2TB", "memory: ^[2TB]", "nodes[0].memory", "a list", "80GB"},
    {"TextIsMap", "name: test", "name: ^{a: b}", "name", "a map", "text"},
    // Numbers and quantities.
    {"QuantityWithoutUnit", "memory: 2TB", "memory: ^2000", "nodes[0].memory", "'2000'", "80GB"},
    {"QuantityOfWrongUnit",
     "rate: 400Gbps",
     "rate: ^400Gb",
     "nodes[0].nics[0].rate",
     "'400Gb'",
     "400Gbps"},
    {"RateAsBytes",
     "read: 50GB/s, write: 25GB/s",
     "read: ^50GB, write: 25GB/s",
     "nodes[0].local_storage.read",
     "'50GB'",
     "50GB/s"},
    {"NegativeQuantity", "limit: 45kW", "limit: ^-45kW", "rack.limit", "'-45kW'", "10.2kW"},
    {"ZeroRate",
     "rate: 100Gbps",
     "rate: ^0Gbps",
     "nodes[0].nics[1].rate",
     "'0Gbps'",
     "more than 0"},
    {"NanNumber", "pue: 1.25", "pue: ^.nan", "cost.power.pue", "'.nan'", "a number from 1 to 5"},
    {"InfNumber", "pue: 1.25", "pue: ^inf", "cost.power.pue", "'inf'", "a number from 1 to 5"},
    {"NanQuantity", "max: 10.2kW", "max: ^nankW", "nodes[0].power.max", "'nankW'", "10.2kW"},
    {"LeadingZeros", "count: 8}", "count: ^010}", "nodes[0].gpu.count", "'010'", "leading zeros"},
    {"LeadingZerosInQuantity", "at: 10d", "at: ^010d", "events[0].at", "'010d'", "leading zeros"},
    {"Fraction", "qps: 4", "qps: ^4.5", "fabrics[0].routing.qps", "'4.5'", "a whole number"},
    {"QuotedNumber", "count: 8}", "count: ^\"8\"}", "nodes[0].gpu.count", "'8'", "a whole number"},
    {"Hexadecimal", "qps: 4", "qps: ^0x10", "fabrics[0].routing.qps", "'0x10'", "a whole number"},
    {"TooManyGpus", "count: 8}", "count: ^100000}", "nodes[0].gpu.count", "'100000'", "1 to 1024"},
    {"HugeInteger",
     "qps: 4",
     "qps: ^99999999999999999999",
     "fabrics[0].routing.qps",
     "'99999999999999999999'",
     "1 to 1024"},
    {"NotABoolean", "nvls: true", "nvls: ^yes", "nodes[0].scale_up.nvls", "'yes'", "true or false"},
    {"PriceOfWrongUnit",
     "tariff: 0.12$/kWh",
     "tariff: ^0.12$",
     "cost.power.tariff",
     "'0.12$'",
     "0.12$/kWh"},
    {"YearsZero", "years: 3", "years: ^0", "cost.years", "'0'", "0.1 to 100"},
    {"EventBeyondTime", "at: 10d", "at: ^80y", "events[0].at", "'80y'", "at most 73y"},
    // Words and references.
    {"UnknownGpuModel",
     "model: H100-SXM",
     "model: ^H100-SMX",
     "nodes[0].gpu.model",
     "'H100-SMX'",
     "did you mean 'H100-SXM'?"},
    {"ShortGpuModel",
     "model: H100-SXM",
     "model: ^h100",
     "nodes[0].gpu.model",
     "'h100'",
     "did you mean 'H100-SXM'?"},
    {"CustomButKnown",
     "count: 8}",
     "count: 8, custom: ^true}",
     "nodes[0].gpu.custom",
     "true",
     "the catalogue knows"},
    {"UnknownFabricKind",
     "kind: roce",
     "kind: ^rocky",
     "fabrics[0].kind",
     "'rocky'",
     "infiniband, roce"},
    {"UnknownTopology",
     "kind: leaf-spine",
     "kind: ^leaf-spin",
     "fabrics[0].topology.kind",
     "'leaf-spin'",
     "did you mean 'leaf-spine'?"},
    {"UnknownRouting",
     "kind: ecmp",
     "kind: ^ecpm",
     "fabrics[0].routing.kind",
     "'ecpm'",
     "did you mean 'ecmp'?"},
    {"UnknownSwitch",
     "switch: QM9790",
     "switch: ^QM9970",
     "fabrics[0].switch",
     "'QM9970'",
     "QM9790"},
    {"UnknownFabric",
     "fabric: ether, count: 1",
     "fabric: ^eather, count: 1",
     "nodes[0].nics[1].fabric",
     "'eather'",
     "did you mean 'ether'?"},
    {"UnknownStorageFabric",
     "fabric: ether, servers",
     "fabric: ^ethers, servers",
     "storage[0].fabric",
     "'ethers'",
     "did you mean 'ether'?"},
    {"UnknownNic",
     "rate: 100Gbps}",
     "model: ^ConnectX-77, rate: 100Gbps}",
     "nodes[0].nics[1].model",
     "'ConnectX-77'",
     "ConnectX-7"},
    {"UnknownEventNode", "\"gpu[1-2]\"", "^\"gpu[1-5]\"", "events[1].nodes", "gpu5", "gpu[1-4]"},
    {"EventOfNothing",
     "link: leaf03-spine07, ",
     "",
     "events[0].link",
     "neither link nor nodes",
     "one of the two"},
    {"EventOfBoth",
     "link: leaf03-spine07,",
     "link: a-b, nodes: ^gpu1,",
     "events[0].nodes",
     "both link and nodes",
     "one of the two"},
    {"UnknownPolicy",
     "policy: trip",
     "policy: ^tripp",
     "rack.policy",
     "'tripp'",
     "did you mean 'trip'?"},
    {"UnknownPreset",
     "preset: llama3",
     "preset: ^llama4",
     "failures.preset",
     "'llama4'",
     "did you mean 'llama3'?"},
    {"UnknownComponent",
     "nic: {mtbf",
     "^nick: {mtbf",
     "failures.nick",
     "unknown key",
     "did you mean 'nic'?"},
    {"UnknownSpotModel",
     "spot: {H100-SXM: 1",
     "spot: {H100-SX: ^1",
     "cost.spot.H100-SX",
     "GPU model 'H100-SX'",
     "did you mean 'H100-SXM'?"},
    {"BadNetworkCost",
     "network: 100k$",
     "network: ^bill",
     "cost.network",
     "'bill'",
     "bill-of-materials"},
    // Nodes.
    {"DuplicateNodes", "name: login1", "name: gpu4", "nodes", "'gpu4' more than once", "once"},
    {"ReversedRange", "name: gpu[1-4]", "name: ^gpu[4-1]", "nodes[0].name", "gpu[4-1]", ""},
    {"UnbalancedBracket", "name: login1", "name: ^login[1", "nodes[1].name", "login[1", ""},
    {"BadNodeName", "name: login1", "name: ^log%in", "nodes[1].name", "'log%in'", "letters"},
    {"TooManyNodes", "name: login1", "name: ^n[1-2000000]", "nodes[1].name", "2000000", ""},
    {"RailNeedsNicPerGpu",
     "count: 8, rate: 400Gbps, rail: gpu",
     "count: 4, rate: 400Gbps, rail: ^gpu",
     "nodes[0].nics[0].rail",
     "'gpu'",
     "4 NICs, 8 GPUs"},
    {"DualHomedNeedsPairs",
     "count: 1, rate: 100Gbps",
     "count: 1, rate: 100Gbps, rail: ^dual-homed",
     "nodes[0].nics[1].rail",
     "'dual-homed'",
     "even count"},
    {"NvlsWithoutNvswitch",
     "kind: nvswitch, nvls: true",
     "kind: nvlink, bandwidth: 300GB/s, nvls: ^true",
     "nodes[0].scale_up.nvls",
     "'true'",
     "only an NVSwitch"},
    {"BandwidthOfOtherKind",
     "scale_up: {kind: nvswitch, nvls: true}",
     "scale_up: ^{kind: nvlink}",
     "nodes[0].scale_up.bandwidth",
     "nothing",
     "400Gbps"},
    {"IdleAboveMax", "idle: 2.3kW", "idle: ^12kW", "nodes[0].power.idle", "'12kW'", "10.2kW"},
    {"GpuPriceWithoutGpus",
     "cpus: 16",
     "price: {gpu: ^1k$}",
     "nodes[1].price.gpu",
     "'1k$'",
     "no GPUs"},
    // Fabrics.
    {"RatioThatDoesNotHold",
     "\"1:1\"",
     "^\"2:1\"",
     "fabrics[0].topology.down_to_up",
     "'2:1'",
     "32 x 50GB/s down, 32 x 50GB/s up"},
    {"RatioMalformed",
     "\"1:1\"",
     "^\"one to one\"",
     "fabrics[0].topology.down_to_up",
     "'one to one'",
     "a ratio"},
    {"MoreUplinksThanPorts",
     "uplinks: 32,",
     "uplinks: ^64,",
     "fabrics[0].topology.uplinks",
     "'64'",
     "1 to 63"},
    {"KeyOfOtherTopology",
     "kind: single, leaf_ports: 32",
     "kind: single, leaf_ports: 32, rails: ^8",
     "fabrics[1].topology.rails",
     "the key",
     "no rails with kind single"},
    {"SwitchTooSmall",
     "kind: single, leaf_ports: 32",
     "kind: ^single, leaf_ports: 2",
     "fabrics[1].topology.kind",
     "4 node ports",
     "at most 2"},
    {"MoreRailsThanNics",
     "rails: 8",
     "rails: ^16",
     "fabrics[0].topology.rails",
     "'16'",
     "at most the NICs"},
    {"DuplicateFabric",
     "  - name: ether",
     "  - name: ^compute",
     "fabrics[1].name",
     "'compute'",
     "differ"},
    {"ThreeTiersOfLeafSpine",
     "leaf_ports: 64, uplinks",
     "leaf_ports: 64, tiers: ^3, uplinks",
     "fabrics[0].topology.tiers",
     "the key",
     "no tiers"},
    {"LeafOfMisses",
     "down_to_up: \"1:1\"",
     "down_to_up: \"1:1\", leaf_of: ^{a: \"gpu[1-3]\"}",
     "fabrics[0].topology.leaf_of",
     "1 nodes at no leaf",
     "one leaf"},
    // The rest.
    {"CacheWithoutOver",
     "kind: parallel-fs,",
     "kind: cache,",
     "storage[0].over",
     "nothing",
     "text"},
    {"OverWithoutCache",
     "servers: 4",
     "over: ^local_storage",
     "storage[0].over",
     "'local_storage'",
     "kind cache"},
    {"MissingMtbf",
     "nic: {mtbf: 5y, repair: 4h}",
     "nic: ^{repair: 4h}",
     "failures.nic.mtbf",
     "nothing",
     "30d"},
    {"DefaultBeyondMax",
     "default_time: 1h",
     "default_time: ^3d",
     "partitions[0].default_time",
     "'3d'",
     "at most max_time, 2d"},
    {"PartitionWithoutNodes", "nodes: all, ", "", "partitions[0].nodes", "nothing", "hostlist"},
    {"NodeTwiceInPartition",
     "nodes: all",
     "nodes: ^\"gpu1,gpu[1-2]\"",
     "partitions[0].nodes",
     "gpu1,gpu[1-2]",
     "each node once"},
    {"PerGpuHourOfAbsentModel",
     "years: 3",
     "years: 3, per_gpu_hour: {B200: ^3$/GPUh}",
     "cost.per_gpu_hour.B200",
     "'B200'",
     "H100-SXM"},
};

class PlatformFaults : public testing::TestWithParam<Fault> {};

TEST_P(PlatformFaults, AreReportedWhereTheyStand) {
  const Fault& fault = GetParam();
  const MarkedYaml yaml(replaced(kBase, fault.what, fault.with));
  Diagnostics diagnostics;
  (void)parse_platform(yaml.text, "cluster.yaml", diagnostics);
  ASSERT_FALSE(diagnostics.ok());
  const auto at = std::find_if(diagnostics.errors().begin(),
                               diagnostics.errors().end(),
                               [&](const InputError& error) { return error.key == fault.key; });
  ASSERT_NE(at, diagnostics.errors().end()) << all_errors(diagnostics);
  EXPECT_THAT(at->found, testing::HasSubstr(fault.found)) << all_errors(diagnostics);
  EXPECT_THAT(at->allowed, testing::HasSubstr(fault.allowed)) << all_errors(diagnostics);
  EXPECT_EQ(*at->at.file, "cluster.yaml");
  ASSERT_LE(yaml.marks.size(), 1U);
  if (!yaml.marks.empty()) {
    EXPECT_EQ(at->at.line, yaml.marks[0].first) << all_errors(diagnostics);
    EXPECT_EQ(at->at.column, yaml.marks[0].second) << all_errors(diagnostics);
  } else {
    EXPECT_GT(at->at.line, 0U) << all_errors(diagnostics);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlatformFaults, testing::ValuesIn(kFaults), [](const auto& one) {
  return std::string(one.param.name);
});

TEST(PlatformFaults, NoneInTheBase) {
  Diagnostics diagnostics;
  (void)parse_platform(kBase, "cluster.yaml", diagnostics);
  EXPECT_TRUE(diagnostics.ok()) << all_errors(diagnostics);
  EXPECT_TRUE(diagnostics.warnings().empty());
}

TEST(PlatformFaults, AllOfAFileComeTogetherAndNoOthers) {
  std::string text = replaced(kBase, "memory: 2TB", "memory: ^2");
  text = replaced(text, "rate: 400Gbps", "rate: ^fast");
  text = replaced(text, "model: H100-SXM", "model: ^H100");
  text = replaced(text, "kind: tcp", "kind: ^udp");
  text = replaced(text, "policy: trip", "^polici: trip");
  text = replaced(text, "years: 3", "years: ^-3");
  text = replaced(text, "default_time: 1h", "default_time: ^1");
  const MarkedYaml yaml(text);
  Diagnostics diagnostics;
  (void)parse_platform(yaml.text, "cluster.yaml", diagnostics);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const InputError& error : diagnostics.errors()) {
    found.emplace_back(error.at.line, error.at.column);
  }
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(yaml.marks)) << all_errors(diagnostics);
}

TEST(PlatformFaults, UnknownPlatformNamesTheNearest) {
  Diagnostics diagnostics;
  (void)load_platform("h100-1024-rocee", diagnostics);
  ASSERT_EQ(diagnostics.errors().size(), 1U);
  EXPECT_EQ(to_string(diagnostics.errors()[0]),
            "found the platform 'h100-1024-rocee', allowed a .yaml file or blueprint-64, "
            "budget-32, h100-1024-ib, h100-1024-roce, inference-16, large-2048, medium-256, "
            "scale-100k, small-32, template (did you mean 'h100-1024-roce'?)");
}

TEST(PlatformFaults, MissingFileAndFolder) {
  for (const auto& [path, found] : {std::pair<std::string, std::string>{"no/such.yaml", "no such"},
                                    {testing::TempDir(), "a folder"}}) {
    Diagnostics diagnostics;
    (void)load_platform(path, diagnostics);
    ASSERT_EQ(diagnostics.errors().size(), 1U) << path;
    EXPECT_THAT(to_string(diagnostics.errors()[0]), testing::HasSubstr(found));
    EXPECT_THAT(to_string(diagnostics.errors()[0]), testing::HasSubstr(path));
  }
}

}  // namespace
}  // namespace weft::platforms
