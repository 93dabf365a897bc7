#include "base/cluster.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace weft {
namespace {

NodeInfo node(std::uint32_t gpus, std::uint16_t model) {
  NodeInfo info;
  info.gpu_count = gpus;
  info.gpu_model = GpuModelId{model};
  return info;
}

NodeId id(std::uint32_t n) {
  return NodeId{n};
}

TEST(FinishLayout, NumbersTheGpusThroughAndAddsThePartitionOfAll) {
  ClusterLayout layout;
  layout.gpu_models = {"A100", "H100"};
  layout.nodes = {node(8, 1), node(0, 0), node(4, 0)};
  finish_layout(layout);

  EXPECT_EQ(layout.gpu_count, 12U);
  EXPECT_EQ(layout.nodes[0].first_gpu, GpuIndex{0});
  EXPECT_EQ(layout.nodes[1].first_gpu, GpuIndex{8});
  EXPECT_EQ(layout.nodes[2].first_gpu, GpuIndex{8});
  ASSERT_EQ(layout.partitions.size(), 1U);
  EXPECT_EQ(layout.partitions[0].name, "all");
  EXPECT_EQ(layout.partitions[0].nodes, (std::vector<NodeId>{id(0), id(1), id(2)}));
  EXPECT_EQ(layout.partitions[0].max_limit, kUnlimited);
}

TEST(FinishLayout, CellsAreNodesAlikeInModelAndPartitions) {
  ClusterLayout layout;
  layout.gpu_models = {"A100", "H100"};
  layout.nodes = {node(8, 1), node(8, 1), node(4, 0), node(8, 1), node(0, 1), node(0, 0)};
  layout.partitions.resize(2);
  layout.partitions[0].name = "main";
  layout.partitions[0].nodes = {id(0), id(1), id(2), id(4), id(5)};
  layout.partitions[1].name = "debug";
  layout.partitions[1].nodes = {id(1)};
  finish_layout(layout);

  // {0}: H100 in main; {1}: H100 in both; {2}: A100; {3}: H100 in none; {4, 5}: no GPUs, whatever
  // model stands there.
  ASSERT_EQ(layout.cells.size(), 5U);
  EXPECT_EQ(layout.nodes[4].cell, layout.nodes[5].cell);
  EXPECT_EQ(layout.cells[layout.nodes[0].cell].partitions,
            (std::vector<PartitionId>{PartitionId{0}}));
  EXPECT_EQ(layout.cells[layout.nodes[1].cell].partitions,
            (std::vector<PartitionId>{PartitionId{0}, PartitionId{1}}));
  EXPECT_TRUE(layout.cells[layout.nodes[3].cell].partitions.empty());
  EXPECT_EQ(layout.cells[layout.nodes[2].cell].gpu_model, GpuModelId{0});
  EXPECT_EQ(layout.cells[layout.nodes[2].cell].gpus, gpus(4));
  EXPECT_EQ(layout.cells[layout.nodes[4].cell].gpus, GpuShare{});
}

TEST(FinishLayout, CellsHoldEveryGpuOnce) {
  Rng rng(71, "layout");
  for (int round = 0; round < 200; ++round) {
    ClusterLayout layout;
    layout.gpu_models = {"a", "b", "c"};
    const auto nodes = static_cast<std::uint32_t>(1 + rng.below(20));
    for (std::uint32_t n = 0; n < nodes; ++n) {
      layout.nodes.push_back(
          node(static_cast<std::uint32_t>(rng.below(5)), static_cast<std::uint16_t>(rng.below(3))));
    }
    layout.partitions.resize(rng.below(4));
    for (PartitionInfo& partition : layout.partitions) {
      for (std::uint32_t n = 0; n < nodes; ++n) {
        if (rng.chance(0.5)) {
          partition.nodes.push_back(id(n));
        }
      }
    }
    finish_layout(layout);

    GpuShare in_cells;
    for (const Cell& cell : layout.cells) {
      in_cells += cell.gpus;
    }
    EXPECT_EQ(in_cells, gpus(layout.gpu_count));
    for (std::uint32_t a = 0; a < nodes; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        const NodeInfo& x = layout.nodes[a];
        const NodeInfo& y = layout.nodes[b];
        bool alike = (x.gpu_count > 0) == (y.gpu_count > 0) &&
                     (x.gpu_count == 0 || x.gpu_model == y.gpu_model);
        for (const PartitionInfo& partition : layout.partitions) {
          const auto lists = [&partition](std::uint32_t n) {
            return std::binary_search(partition.nodes.begin(), partition.nodes.end(), id(n));
          };
          alike = alike && lists(a) == lists(b);
        }
        EXPECT_EQ(x.cell == y.cell, alike) << a << " and " << b;
      }
    }
  }
}

TEST(FinishLayout, MayBeDoneAgain) {
  ClusterLayout layout;
  layout.gpu_models = {"a"};
  layout.nodes = {node(8, 0)};
  finish_layout(layout);
  layout.nodes.push_back(node(4, 0));
  layout.partitions[0].nodes.push_back(id(1));
  finish_layout(layout);
  EXPECT_EQ(layout.gpu_count, 12U);
  ASSERT_EQ(layout.cells.size(), 1U);
  EXPECT_EQ(layout.cells[0].gpus, gpus(12));
}

TEST(ClusterLayout, FindsPartitionsByName) {
  ClusterLayout layout = flat_pool(4);
  EXPECT_EQ(layout.find_partition("all"), PartitionId{0});
  EXPECT_FALSE(layout.find_partition("debug"));
  EXPECT_FALSE(layout.find_partition(""));
}

TEST(FlatPool, IsOneNodeOfInterchangeableProcessors) {
  const ClusterLayout layout = flat_pool(256);
  EXPECT_TRUE(layout.flat_pool);
  EXPECT_EQ(layout.name, "flat:256");
  ASSERT_EQ(layout.nodes.size(), 1U);
  ASSERT_EQ(layout.node_names.size(), 1U);
  EXPECT_EQ(layout.nodes[0].gpu_count, 256U);
  EXPECT_EQ(layout.gpu_count, 256U);
  ASSERT_EQ(layout.cells.size(), 1U);
  EXPECT_EQ(layout.cells[0].gpus, gpus(256));
  // CPUs and memory do not bind: far more than any job asks for, and sums stay in range.
  EXPECT_GT(layout.nodes[0].cpus, cpus(1'000'000'000));
  EXPECT_GT(layout.nodes[0].memory + layout.nodes[0].memory, layout.nodes[0].memory);
}

TEST(FlatPoolDeathTest, NeedsProcessors) {
  EXPECT_DEATH((void)flat_pool(0), "a pool needs processors");
}

}  // namespace
}  // namespace weft
