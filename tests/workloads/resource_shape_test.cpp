// From a demand to a shape, by hand on small clusters and by brute force on random ones.
#include "workloads/resource_shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/workloads/support.hpp"

namespace weft::workloads {
namespace {

using Kind = RequestShape::Kind;
using testing::bind_one;
using testing::cluster;
using ::testing::HasSubstr;
using testing::rejection;
using testing::shape_of_one;

JobRecord unsized() {
  JobRecord record = testing::plain_record();
  record.allocated_processors.reset();
  record.requested_processors.reset();
  return record;
}
JobRecord processors(std::int64_t n) {
  JobRecord record = testing::plain_record();
  record.allocated_processors = n;
  record.requested_processors = n;
  return record;
}
JobRecord with_gpus(GpuShare n) {
  JobRecord record = unsized();
  record.gpus = n;
  return record;
}

void expect_shape(const RequestShape& shape, Kind kind, int nodes, GpuShare gpus_each) {
  EXPECT_EQ(shape.kind, kind);
  EXPECT_EQ(shape.nodes, nodes);
  EXPECT_EQ(shape.gpus, gpus_each);
}

TEST(ShapeResolver, PutsProcessorsOnOneNodeThenOnWholeNodesThenAnywhere) {
  const ClusterLayout layout = cluster({{4, 8, 0}});
  expect_shape(shape_of_one(layout, processors(5)), Kind::kPerNode, 1, gpus(5));
  expect_shape(shape_of_one(layout, processors(8)), Kind::kPerNode, 1, gpus(8));
  expect_shape(shape_of_one(layout, processors(24)), Kind::kPerNode, 3, gpus(8));
  expect_shape(shape_of_one(layout, processors(20)), Kind::kAnyGpus, 0, gpus(20));
  expect_shape(shape_of_one(layout, with_gpus(gpus(24))), Kind::kPerNode, 3, gpus(8));
}

// 2 nodes of 16 and 8 of 8: 48 = 3 x 16 has too few large nodes, 6 x 8 is there.
TEST(ShapeResolver, FallsToTheNextNodeSizeWhereTheLargestAreTooFew) {
  const ClusterLayout layout = cluster({{2, 16, 0}, {8, 8, 1}});
  expect_shape(shape_of_one(layout, processors(16)), Kind::kPerNode, 1, gpus(16));
  expect_shape(shape_of_one(layout, processors(32)), Kind::kPerNode, 2, gpus(16));
  expect_shape(shape_of_one(layout, processors(48)), Kind::kPerNode, 6, gpus(8));
  expect_shape(shape_of_one(layout, processors(96)), Kind::kAnyGpus, 0, gpus(96));
}

TEST(ShapeResolver, KeepsNodesTimesGpusPerNode) {
  const ClusterLayout layout = cluster({{4, 8, 0}});
  JobRecord record = unsized();
  record.nodes = 3;
  record.gpus_per_node = gpus(2);
  expect_shape(shape_of_one(layout, record), Kind::kPerNode, 3, gpus(2));
  record.nodes.reset();
  expect_shape(shape_of_one(layout, record), Kind::kPerNode, 1, gpus(2));
  record.gpus = gpus(8);
  expect_shape(shape_of_one(layout, record), Kind::kPerNode, 4, gpus(2));
}

TEST(ShapeResolver, DividesATotalByTheNodes) {
  const ClusterLayout layout = cluster({{4, 8, 0}});
  JobRecord record = with_gpus(gpus(6));
  record.nodes = 3;
  expect_shape(shape_of_one(layout, record), Kind::kPerNode, 3, gpus(2));
  record.nodes = 4;
  const Bound uneven = bind_one(layout, record);
  expect_shape(uneven.workload.shapes[0], Kind::kAnyGpus, 0, gpus(6));
  EXPECT_EQ(uneven.summary.count(ImportRule::kUnevenNodes), 1U);
}

TEST(ShapeResolver, GivesPartsOfOneGpuAndRoundsLargerFractionsUp) {
  const ClusterLayout layout = cluster({{4, 8, 0}});
  expect_shape(shape_of_one(layout, with_gpus(gpu_thousandths(250))),
               Kind::kPerNode,
               1,
               gpu_thousandths(250));
  const Bound rounded = bind_one(layout, with_gpus(gpu_thousandths(1500)));
  expect_shape(rounded.workload.shapes[0], Kind::kPerNode, 1, gpus(2));
  EXPECT_EQ(rounded.summary.count(ImportRule::kRoundedUp), 1U);
}

TEST(ShapeResolver, ReadsNodesAloneAsWholeNodes) {
  const ClusterLayout layout = cluster({{4, 8, 0}});
  JobRecord record = unsized();
  record.nodes = 2;
  expect_shape(shape_of_one(layout, record), Kind::kWholeNodes, 2, gpus(8));
  record.whole_nodes = true;
  record.gpus_per_node = gpus(3);
  expect_shape(shape_of_one(layout, record), Kind::kWholeNodes, 2, gpus(3));
  record.gpus_per_node.reset();
  record.gpus = gpus(12);
  expect_shape(shape_of_one(layout, record), Kind::kWholeNodes, 2, gpus(6));
  record.nodes.reset();
  expect_shape(shape_of_one(layout, record), Kind::kWholeNodes, 2, gpus(8));
}

TEST(ShapeResolver, ReadsCpusWithoutGpusAsACpuJob) {
  const ClusterLayout layout = cluster({{4, 8, 0, 64, 1000}});
  JobRecord record = unsized();
  record.cpus = cpus(10);
  record.memory = bytes(301);
  record.nodes = 3;
  const RequestShape shape = shape_of_one(layout, record);
  expect_shape(shape, Kind::kPerNode, 3, GpuShare{});
  EXPECT_EQ(shape.cpus, CpuShare::from_raw(3334));  // 10 CPUs over 3 nodes, rounded up
  EXPECT_EQ(shape.memory, bytes(101));
}

TEST(ShapeResolver, GivesAnyGpusTheirCpusAndMemoryByGpu) {
  const ClusterLayout layout = cluster({{4, 8, 0, 64, 8000}});
  JobRecord record = with_gpus(gpus(20));
  record.cpus = cpus(40);
  record.memory_per_node = bytes(800);
  const RequestShape shape = shape_of_one(layout, record);
  expect_shape(shape, Kind::kAnyGpus, 0, gpus(20));
  EXPECT_EQ(shape.cpus, cpus(2));
  EXPECT_EQ(shape.memory, bytes(100));
}

TEST(ShapeResolver, TakesProcessorsOfAPoolFromGpusElseCpusElseNodes) {
  expect_shape(
      shape_of_one(flat_pool(64), with_gpus(gpu_thousandths(2500))), Kind::kAnyGpus, 0, gpus(3));
  JobRecord record = unsized();
  record.cpus = cpus(12);
  const Bound from_cpus = bind_one(flat_pool(64), record);
  expect_shape(from_cpus.workload.shapes[0], Kind::kAnyGpus, 0, gpus(12));
  EXPECT_EQ(from_cpus.summary.count(ImportRule::kSizeFromCpus), 1U);
  record = unsized();
  record.nodes = 5;
  expect_shape(shape_of_one(flat_pool(64), record), Kind::kAnyGpus, 0, gpus(5));
}

TEST(ShapeResolver, ReadsModelAlternativesWithoutCase) {
  const ClusterLayout layout = cluster({{1, 8, 0}, {2, 8, 1}});
  JobRecord record = with_gpus(gpus(16));
  record.gpu_models = "h100|V100";
  const Bound known = bind_one(layout, record);
  EXPECT_EQ(known.workload.shapes[0].gpu_models, 2U);
  EXPECT_EQ(rejection(known), "");
  record.gpu_models = "A100";
  EXPECT_EQ(rejection(bind_one(layout, record)), "asks for 16 GPUs of model A100; there are 8");
  record.gpu_models = "V100|B200";
  const Bound unknown = bind_one(layout, record);
  EXPECT_EQ(rejection(unknown),
            "asks for 16 GPUs of a model that is not there; the cluster has A100, H100, T4");
  EXPECT_EQ(unknown.summary.count(ImportRule::kUnknownGpuModel), 1U);
}

// A cluster without GPUs and a job that asks for three: a reason, and no nonsense figures.
TEST(ShapeResolver, RejectsGpusOnAClusterWithoutAny) {
  const ClusterLayout layout = cluster({{2, 0, 0, 64, 1000}});
  EXPECT_EQ(rejection(bind_one(layout, with_gpus(gpus(3)))), "asks for 3 GPUs; there are 0");
}

TEST(ShapeResolver, RejectsWhatNoNodeHasAtOnce) {
  const ClusterLayout layout = cluster({{1, 8, 0, 64, 1000}, {1, 1, 0, 64, 8000}});
  JobRecord record = with_gpus(gpus(2));
  record.cpus = cpus(4);
  record.memory = bytes(4000);
  EXPECT_EQ(rejection(bind_one(layout, record)),
            "asks for 1 node with 2 GPUs, 4 CPUs, 4kB of memory; there are 0 such nodes");
  record.gpus = gpus(1);
  EXPECT_EQ(rejection(bind_one(layout, record)), "");
}

// Brute force: every node by itself.
bool open(const ClusterLayout& layout, std::size_t n, const RequestShape& shape) {
  const NodeInfo& node = layout.nodes[n];
  if (shape.gpus.raw() > 0 &&
      (node.gpu_count == 0 || ((shape.gpu_models >> index(node.gpu_model)) & 1U) == 0)) {
    return false;
  }
  if (shape.partition != kNoPartition) {
    const auto& listed = layout.partitions[index(shape.partition)].nodes;
    return std::find(listed.begin(), listed.end(), NodeId{static_cast<std::uint32_t>(n)}) !=
           listed.end();
  }
  return true;
}

std::int64_t room_for(const ClusterLayout& layout, const RequestShape& shape) {
  std::int64_t room = 0;
  for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
    const NodeInfo& node = layout.nodes[n];
    if (!open(layout, n, shape)) {
      continue;
    }
    if (shape.kind == Kind::kAnyGpus) {
      std::int64_t fits = 0;
      while (fits < node.gpu_count && shape.cpus.raw() * (fits + 1) <= node.cpus.raw() &&
             shape.memory.raw() * (fits + 1) <= node.memory.raw()) {
        ++fits;
      }
      room += fits;
    } else if (shape.gpus.raw() <= 1000 * std::int64_t{node.gpu_count} && shape.cpus <= node.cpus &&
               shape.memory <= node.memory) {
      ++room;
    }
  }
  return room;
}

TEST(ShapeResolver, FindsTheSameRoomAsLookingAtEveryNode) {
  const bool holds = rc::check("feasibility and caps", [] {
    ClusterLayout layout;
    layout.gpu_models = {"A100", "H100", "T4"};
    const auto node_count = *rc::gen::inRange(1, 12);
    PartitionInfo even;
    even.name = "even";
    PartitionInfo all;
    all.name = "everything";
    for (int i = 0; i < node_count; ++i) {
      NodeInfo node;
      node.gpu_count = static_cast<std::uint32_t>(*rc::gen::element(0, 2, 4, 8));
      node.gpu_model = GpuModelId{static_cast<std::uint16_t>(*rc::gen::inRange(0, 3))};
      node.cpus = cpus(*rc::gen::element(8, 16));
      node.memory = bytes(*rc::gen::element(100, 200));
      const NodeId id{static_cast<std::uint32_t>(i)};
      all.nodes.push_back(id);
      if (i % 2 == 0) {
        even.nodes.push_back(id);
      }
      layout.nodes.push_back(node);
      layout.node_names.push_back("n");
    }
    layout.partitions = {even, all};
    finish_layout(layout);
    const ShapeResolver resolver(layout);
    const auto maybe = [](int low, int high, std::int64_t scale) {
      return *rc::gen::arbitrary<bool>() ? scale * *rc::gen::inRange(low, high) : Demand::kNotSaid;
    };
    Demand demand;
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        demand.processors = *rc::gen::inRange(1, 50);
        break;
      case 1:
        demand.gpus = *rc::gen::element<std::int64_t>(0, 300, 1000, 4000, 8000, 12000, 16000);
        demand.nodes = maybe(1, 5, 1);
        break;
      default:
        demand.gpus_per_node = 1000 * *rc::gen::inRange(0, 9);
        demand.nodes = maybe(1, 5, 1);
    }
    demand.cpus = maybe(1, 40, 1000);
    demand.memory_per_node = maybe(1, 250, 1);
    demand.whole_nodes = *rc::gen::inRange(0, 4) == 0;
    demand.gpu_models = *rc::gen::element<std::uint64_t>(~std::uint64_t{0}, 1, 2, 5);
    demand.partition = *rc::gen::element(kNoPartition, PartitionId{0}, PartitionId{1});
    const Shaped shaped = resolver.shape_of(demand);
    const RequestShape& shape = shaped.shape;

    // What is asked for is what is given.
    if (demand.processors > 0) {
      RC_ASSERT(total_gpus(shape) == gpus(demand.processors));
    } else if (demand.gpus >= 0 && !demand.whole_nodes) {
      const std::int64_t whole =
          demand.gpus < 1000 ? demand.gpus : (demand.gpus + 999) / 1000 * 1000;
      RC_ASSERT(total_gpus(shape).raw() == whole);
    }
    const std::int64_t asked =
        shape.kind == Kind::kAnyGpus ? shape.gpus.raw() / 1000 : std::int64_t{shape.nodes};
    const std::int64_t room = room_for(layout, shape);
    RC_ASSERT(resolver.why_infeasible(shape).empty() == (asked <= room));
    const auto capped = resolver.capped(shape);
    RC_ASSERT(capped.has_value() == (room > 0));
    if (capped) {
      RC_ASSERT(resolver.why_infeasible(*capped).empty());
      RC_ASSERT(room_for(layout, *capped) == room);
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace weft::workloads
