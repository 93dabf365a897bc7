#include "topology/layout.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platforms/load.hpp"

namespace weft::topology {
namespace {

ClusterLayout layout_of(const std::string& spec) {
  Diagnostics diagnostics;
  const platforms::Platform platform = platforms::load_platform(spec, diagnostics);
  EXPECT_TRUE(diagnostics.ok());
  return make_layout(platform);
}

ClusterLayout parse(const std::string& yaml) {
  Diagnostics diagnostics;
  const platforms::Platform platform =
      platforms::parse_platform("weft: 1\nname: t\n" + yaml, "t.yaml", diagnostics);
  EXPECT_TRUE(diagnostics.ok()) << to_string(diagnostics.errors().front());
  return make_layout(platform);
}

std::vector<std::uint32_t> leaves(const ClusterLayout& layout) {
  std::vector<std::uint32_t> all;
  for (const NodeInfo& node : layout.nodes) {
    all.push_back(static_cast<std::uint32_t>(node.leaf));
  }
  return all;
}

constexpr std::uint32_t kNone = 0xFFFFFFFF;

TEST(Layout, RailOptimisedClusterHasFourLeafGroupsOf32Nodes) {
  const ClusterLayout layout = layout_of("h100-1024-roce");
  EXPECT_EQ(layout.name, "h100-1024-roce");
  ASSERT_EQ(layout.nodes.size(), 128U);
  EXPECT_EQ(layout.gpu_count, 1024U);
  EXPECT_EQ(layout.leaf_count, 4U);
  EXPECT_EQ(layout.rack_count, 32U);
  EXPECT_EQ(layout.gpu_models, std::vector<std::string>{"H100-SXM"});
  EXPECT_EQ(layout.node_names.front(), "gpu001");
  EXPECT_EQ(layout.node_names.back(), "gpu128");
  // 64 ports - 32 uplinks = 32 down; one port a node on each of 8 rail leaves.
  EXPECT_EQ(layout.nodes[31].leaf, LeafId{0});
  EXPECT_EQ(layout.nodes[32].leaf, LeafId{1});
  EXPECT_EQ(layout.nodes[127].leaf, LeafId{3});
  EXPECT_EQ(layout.nodes[7].rack, RackId{1});
  EXPECT_EQ(layout.nodes[0].spine, kNoSpine);  // two tiers: no pods
  EXPECT_EQ(layout.nodes[127].first_gpu, GpuIndex{1016});
  EXPECT_EQ(layout.nodes[0].cpus, cpus(192));
  EXPECT_EQ(layout.nodes[0].memory, bytes(2'000'000'000'000));
  ASSERT_EQ(layout.partitions.size(), 1U);
  EXPECT_EQ(layout.partitions[0].name, "all");
  EXPECT_FALSE(layout.flat_pool);
}

TEST(Layout, ThreeTiersHavePodsOfFourLeafGroups) {
  const ClusterLayout layout = layout_of("scale-100k");
  EXPECT_EQ(layout.gpu_count, 100'000U);
  EXPECT_EQ(layout.leaf_count, 391U);  // 12,500 / 32 = 390.6
  // 32 leaf switches a pod / 8 rails = 4 groups of 32 nodes = 128 nodes.
  EXPECT_EQ(layout.nodes[127].spine, SpineId{0});
  EXPECT_EQ(layout.nodes[128].spine, SpineId{1});
  EXPECT_EQ(layout.nodes[12'499].spine, SpineId{97});
}

TEST(Layout, OneLeafHoldsAllNodesOfSingleDualAndRailOnlyFabrics) {
  for (const char* name : {"small-32", "blueprint-64", "medium-256"}) {
    const ClusterLayout layout = layout_of(name);
    EXPECT_EQ(layout.leaf_count, 1U) << name;
    EXPECT_EQ(layout.nodes.back().leaf, LeafId{0}) << name;
  }
}

TEST(Layout, LeavesFillByPortsInNodeOrder) {
  // 8 ports, 4 up: 4 down. Two NICs a node without rails: two nodes a leaf; one node with three.
  const ClusterLayout layout = parse(R"(
nodes:
  - {name: "a[1-3]", gpu: {model: T4, count: 1}, nics: [{fabric: f, count: 2, rate: 25Gbps}]}
  - {name: b, gpu: {model: T4, count: 1}, nics: [{fabric: f, count: 3, rate: 25Gbps}]}
  - {name: c}
  - {name: d, nics: [{fabric: f, count: 1, rate: 25Gbps}]}
fabrics: [{name: f, kind: tcp, topology: {kind: leaf-spine, leaf_ports: 8, uplinks: 4}}]
)");
  EXPECT_THAT(leaves(layout), testing::ElementsAre(0, 0, 1, 2, kNone, 2));
  EXPECT_EQ(layout.leaf_count, 3U);
}

TEST(Layout, LeafOfWins) {
  const ClusterLayout layout = parse(R"(
nodes:
  - {name: "n[1-4]", gpu: {model: T4, count: 1}, nics: [{fabric: f, count: 1, rate: 25Gbps}]}
  - {name: login}
fabrics:
  - name: f
    kind: tcp
    topology: {kind: leaf-spine, leaf_ports: 8, uplinks: 4, leaf_of: {east: "n[2,4]", west: "n[1,3]"}}
)");
  EXPECT_THAT(leaves(layout), testing::ElementsAre(1, 0, 1, 0, kNone));
  EXPECT_EQ(layout.leaf_count, 2U);
}

TEST(Layout, WithoutAFabricThereAreNoLeaves) {
  const ClusterLayout layout =
      parse("nodes: [{name: \"n[1-2]\", gpu: {model: T4, count: 4}}, {name: x}]\n");
  EXPECT_THAT(leaves(layout), testing::ElementsAre(kNone, kNone, kNone));
  EXPECT_EQ(layout.leaf_count, 0U);
  EXPECT_EQ(layout.rack_count, 0U);
  EXPECT_EQ(layout.nodes[0].rack, kNoRack);
  EXPECT_EQ(layout.nodes[2].gpu_count, 0U);
  EXPECT_EQ(layout.gpu_count, 8U);
}

TEST(Layout, GroupsStartRacksOfTheirOwn) {
  const ClusterLayout layout = parse(R"(
nodes:
  - {name: "a[1-3]", nodes_per_rack: 2}
  - {name: "b[1-2]"}
  - {name: "c[1-2]", nodes_per_rack: 4}
)");
  std::vector<std::uint32_t> racks;
  for (const NodeInfo& node : layout.nodes) {
    racks.push_back(static_cast<std::uint32_t>(node.rack));
  }
  EXPECT_THAT(racks, testing::ElementsAre(0, 0, 1, kNone, kNone, 2, 2));
  EXPECT_EQ(layout.rack_count, 3U);
}

TEST(Layout, PartitionsAndModelsMakeCells) {
  const ClusterLayout layout = parse(R"(
nodes:
  - {name: "a[1-4]", gpu: {model: A10, count: 2}}
  - {name: "t[1-2]", gpu: {model: T4, count: 1}}
partitions:
  - {name: main, nodes: all, max_time: 2d, default_time: 1h}
  - {name: debug, nodes: "t2,a1"}
)");
  ASSERT_EQ(layout.partitions.size(), 2U);
  EXPECT_EQ(layout.partitions[0].max_limit, days(2));
  EXPECT_EQ(layout.partitions[0].default_limit, hours(1));
  EXPECT_EQ(layout.partitions[1].max_limit, kUnlimited);
  EXPECT_THAT(layout.partitions[1].nodes, testing::ElementsAre(NodeId{0}, NodeId{5}));
  EXPECT_THAT(layout.gpu_models, testing::ElementsAre("A10", "T4"));
  EXPECT_EQ(layout.nodes[5].gpu_model, GpuModelId{1});
  EXPECT_EQ(layout.cells.size(), 4U);  // A10 and T4, each in main only or in both
  EXPECT_NE(layout.nodes[0].cell, layout.nodes[1].cell);
}

}  // namespace
}  // namespace weft::topology
