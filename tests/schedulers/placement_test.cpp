#include "schedulers/placement.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/schedulers/replay.hpp"

namespace weft::schedulers::testing {
namespace {

using Builder = WorkloadBuilder;

constexpr Placement kAll[] = {
    Placement::kFirstFit, Placement::kBestFit, Placement::kPack, Placement::kSpread};

std::vector<std::uint32_t> nodes_of(const Allocation& where) {
  std::vector<std::uint32_t> nodes;
  for (const NodeId id : where.nodes) {
    nodes.push_back(static_cast<std::uint32_t>(id));
  }
  return nodes;
}

// Takes `count` GPUs of a node.
void occupy(ClusterState& state, std::uint32_t node, std::uint32_t count) {
  const auto first = static_cast<std::uint32_t>(state.layout().nodes[node].first_gpu);
  Allocation where;
  where.nodes = {NodeId{node}};
  where.gpus = {GpuRange{first, count}};
  state.take(Builder::per_node(1, gpus(count)), where);
}

std::vector<std::uint32_t> place(Placement placement,
                                 const ClusterState& state,
                                 const RequestShape& shape) {
  Placer placer(placement);
  Allocation where;
  if (!placer.place(state, shape, where)) {
    return {};
  }
  EXPECT_EQ(state.check(shape, where), "");
  return nodes_of(where);
}

using Nodes = std::vector<std::uint32_t>;

TEST(Placement, OneNode) {
  const ClusterLayout layout = uniform_nodes(4, 8);
  ClusterState state(layout);
  occupy(state, 0, 2);  // free: 6 8 3 4
  occupy(state, 2, 5);
  occupy(state, 3, 4);
  const RequestShape three = Builder::per_node(1, gpus(3));
  EXPECT_EQ(place(Placement::kFirstFit, state, three), Nodes{0});
  EXPECT_EQ(place(Placement::kBestFit, state, three), Nodes{2});
  EXPECT_EQ(place(Placement::kPack, state, three), Nodes{2});
  EXPECT_EQ(place(Placement::kSpread, state, three), Nodes{1});
}

TEST(Placement, GpusAnywhere) {
  const ClusterLayout layout = uniform_nodes(4, 8);
  ClusterState state(layout);
  occupy(state, 0, 6);  // free: 2 8 3 4
  occupy(state, 2, 5);
  occupy(state, 3, 4);
  // 10 GPUs. first_fit 2 + 8; best_fit the 8, then the 2 left over on the node with least: 0.
  EXPECT_EQ(place(Placement::kFirstFit, state, Builder::any_gpus(10)), (Nodes{0, 1}));
  EXPECT_EQ(place(Placement::kBestFit, state, Builder::any_gpus(10)), (Nodes{0, 1}));
  EXPECT_EQ(place(Placement::kBestFit, state, Builder::any_gpus(4)), (Nodes{3}));
  EXPECT_EQ(place(Placement::kSpread, state, Builder::any_gpus(3)), (Nodes{1, 2, 3}));
  EXPECT_EQ(place(Placement::kFirstFit, state, Builder::any_gpus(18)), Nodes{});
}

ClusterLayout two_leaves() {  // leaf 0: nodes 0-2, leaf 1: nodes 3-4, leaf 2: nodes 5-9
  ClusterLayout layout = uniform_nodes(10, 8);
  for (std::uint32_t n = 0; n < 10; ++n) {
    layout.nodes[n].leaf = LeafId{n < 3 ? 0U : n < 5 ? 1U : 2U};
  }
  layout.leaf_count = 3;
  return layout;
}

TEST(Placement, PackTakesTheFewestLeaves) {
  const ClusterLayout layout = two_leaves();
  ClusterState state(layout);
  const RequestShape whole = Builder::whole_nodes(2);
  EXPECT_EQ(place(Placement::kPack, state, whole), (Nodes{3, 4}));  // the leaf of two
  EXPECT_EQ(place(Placement::kPack, state, Builder::whole_nodes(3)), (Nodes{0, 1, 2}));
  EXPECT_EQ(place(Placement::kPack, state, Builder::whole_nodes(4)), (Nodes{5, 6, 7, 8}));
  // Seven: the leaf of five and the leaf of two, not five and part of three.
  EXPECT_EQ(place(Placement::kPack, state, Builder::whole_nodes(7)), (Nodes{3, 4, 5, 6, 7, 8, 9}));
  // 20 GPUs: leaf 0 has 24.
  EXPECT_EQ(place(Placement::kPack, state, Builder::any_gpus(20)), (Nodes{0, 1, 2}));
  EXPECT_EQ(place(Placement::kSpread, state, Builder::any_gpus(4)), (Nodes{0, 1, 2, 3}));
}

TEST(Placement, PartsOfGpusShareTheFullestOneThatSuffices) {
  const ClusterLayout layout = uniform_nodes(2, 2);
  ClusterState state(layout);
  const RequestShape half = Builder::per_node(1, gpu_thousandths(500));
  const RequestShape third = Builder::per_node(1, gpu_thousandths(300));
  Placer placer(Placement::kBestFit);
  Allocation where;
  ASSERT_TRUE(placer.place(state, half, where));
  EXPECT_EQ(where.gpus, (std::vector<GpuRange>{{0, 1}}));
  state.take(half, where);
  Allocation other;
  other.nodes = {NodeId{1}};
  other.gpus = {GpuRange{2, 1}};
  other.share = gpu_thousandths(700);
  state.take(Builder::per_node(1, gpu_thousandths(700)), other);
  // 500 left on GPU 0, 300 on GPU 2: 300 goes to GPU 2, 500 to GPU 0.
  ASSERT_TRUE(placer.place(state, third, where));
  EXPECT_EQ(where.gpus, (std::vector<GpuRange>{{2, 1}}));
  ASSERT_TRUE(placer.place(state, half, where));
  EXPECT_EQ(where.gpus, (std::vector<GpuRange>{{0, 1}}));
  EXPECT_EQ(state.free_total(), gpu_thousandths(2800));
  EXPECT_EQ(state.free_whole_gpus(NodeId{0}), 1U);
}

// A user's report: the node with free GPUs has no memory.
TEST(Placement, MemoryBindsBeforeGpus) {
  ClusterLayout layout = uniform_nodes(2, 8);
  layout.nodes[0].memory = bytes(16'000'000'000);
  layout.nodes[1].memory = bytes(512'000'000'000);
  ClusterState state(layout);
  occupy(state, 1, 7);
  RequestShape shape = Builder::per_node(1, gpus(1));
  shape.memory = bytes(64'000'000'000);
  for (const Placement placement : kAll) {
    EXPECT_EQ(place(placement, state, shape), Nodes{1});
  }
}

TEST(Placement, RulesKeepJobsOffNodes) {
  ClusterLayout layout = uniform_nodes(2, 4);
  layout.gpu_models = {"A", "B"};
  layout.nodes[1].gpu_model = GpuModelId{1};
  PartitionInfo part;
  part.name = "first";
  part.nodes = {NodeId{0}};
  layout.partitions = {part};
  layout.cells.clear();
  finish_layout(layout);
  const ClusterState state(layout);
  RequestShape shape = Builder::per_node(1, gpus(1));
  shape.gpu_models = 2;
  EXPECT_EQ(place(Placement::kFirstFit, state, shape), Nodes{1});
  shape.partition = PartitionId{0};
  EXPECT_FALSE(fits_now(state, shape));
  EXPECT_TRUE(fits_now(state, shape, Rules::kIgnore));
  EXPECT_FALSE(fits_empty(layout, shape));
  shape.gpu_models = 1;
  EXPECT_EQ(place(Placement::kSpread, state, shape), Nodes{0});
}

TEST(Placement, FlatPoolsGiveTheLowestFreeProcessors) {
  const ClusterLayout layout = flat_pool(1'000'000);
  ClusterState state(layout);
  Placer placer(Placement::kPack);
  Allocation where;
  ASSERT_TRUE(placer.place(state, Builder::any_gpus(3), where));
  EXPECT_EQ(where.gpus, (std::vector<GpuRange>{{0, 3}}));
  state.take(Builder::any_gpus(3), where);
  const Allocation three = where;
  ASSERT_TRUE(placer.place(state, Builder::any_gpus(900'000), where));
  EXPECT_EQ(where.gpus, (std::vector<GpuRange>{{3, 900'000}}));
  state.take(Builder::any_gpus(900'000), where);
  state.give_back(Builder::any_gpus(3), three);
  ASSERT_TRUE(placer.place(state, Builder::any_gpus(5), where));
  EXPECT_EQ(where.gpus, (std::vector<GpuRange>{{0, 3}, {900'003, 2}}));
  EXPECT_FALSE(placer.place(state, Builder::any_gpus(100'001), where));
}

// ---- Random states against plain counting ----

RequestShape random_shape() {
  RequestShape shape;
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      shape = Builder::any_gpus(*rc::gen::inRange<std::int64_t>(1, 14));
      break;
    case 1:
      shape =
          Builder::per_node(*rc::gen::inRange(1, 5), gpus(*rc::gen::inRange<std::int64_t>(0, 5)));
      break;
    case 2:
      shape = Builder::per_node(*rc::gen::inRange(1, 3),
                                gpu_thousandths(*rc::gen::element<std::int64_t>(100, 500, 600)));
      break;
    default:
      shape = Builder::whole_nodes(*rc::gen::inRange(1, 4));
      break;
  }
  if (*rc::gen::inRange(0, 2) == 0) {
    shape.cpus = cpus(*rc::gen::inRange<std::int64_t>(0, 4));
    shape.memory = bytes(*rc::gen::inRange<std::int64_t>(0, 30));
  }
  shape.gpu_models = *rc::gen::element<std::uint64_t>(~std::uint64_t{0}, 1, 2, 3);
  return shape;
}

// What each node can give, from the readers of the state alone.
bool plainly_fits(const ClusterState& state, const RequestShape& shape) {
  std::int64_t room = 0;
  const ClusterLayout& layout = state.layout();
  for (std::uint32_t n = 0; n < layout.nodes.size(); ++n) {
    const NodeId id{n};
    const NodeInfo& info = layout.nodes[n];
    const bool any_model = shape.gpu_models == ~std::uint64_t{0};
    if (info.gpu_count == 0 ? (shape.gpus.raw() > 0 || !any_model)
                            : ((shape.gpu_models >> index(info.gpu_model)) & 1U) == 0) {
      continue;
    }
    std::int64_t whole = 0;
    bool part = false;
    for (std::uint32_t g = 0; g < info.gpu_count; ++g) {
      const GpuShare free =
          state.free_share(GpuIndex{static_cast<std::uint32_t>(info.first_gpu) + g});
      whole += free == gpus(1) ? 1 : 0;
      part = part || free >= shape.gpus;
    }
    if (shape.kind == RequestShape::Kind::kAnyGpus) {
      std::int64_t can = 0;
      while (can < whole && shape.cpus * (can + 1) <= state.free_cpus(id) &&
             shape.memory * (can + 1) <= state.free_memory(id)) {
        ++can;
      }
      room += can;
      continue;
    }
    bool fits = shape.cpus <= state.free_cpus(id) && shape.memory <= state.free_memory(id);
    if (shape.kind == RequestShape::Kind::kWholeNodes) {
      fits = fits && state.jobs_on(id) == 0 && shape.gpus <= gpus(info.gpu_count);
    } else if (shape.gpus.raw() > 0 && shape.gpus < gpus(1)) {
      fits = fits && part;
    } else {
      fits = fits && shape.gpus <= gpus(whole);
    }
    room += fits ? 1 : 0;
  }
  return room >=
         (shape.kind == RequestShape::Kind::kAnyGpus ? shape.gpus.raw() / 1000 : shape.nodes);
}

RC_GTEST_PROP(PlacementProperty, FindsAPlaceWheneverThereIsOne, ()) {
  ClusterLayout layout;
  layout.gpu_models = {"A", "B"};
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 9);
  for (std::uint32_t n = 0; n < count; ++n) {
    NodeInfo node;
    node.gpu_count = *rc::gen::element<std::uint32_t>(0, 1, 4);
    node.gpu_model = GpuModelId{static_cast<std::uint16_t>(n % 2)};
    node.cpus = cpus(6);
    node.memory = bytes(60);
    node.leaf = n % 4 == 3 ? kNoLeaf : LeafId{n / 4};
    layout.nodes.push_back(node);
    layout.node_names.push_back("n" + std::to_string(n));
  }
  layout.leaf_count = 3;
  finish_layout(layout);
  ClusterState state(layout);
  const ClusterState empty(layout);
  Placer placer(*rc::gen::elementOf(std::vector<Placement>(std::begin(kAll), std::end(kAll))));
  std::vector<std::pair<RequestShape, Allocation>> held;
  for (int i = 0; i < 25; ++i) {
    const RequestShape shape = random_shape();
    const bool fits = plainly_fits(state, shape);
    RC_ASSERT(fits_now(state, shape) == fits);
    RC_ASSERT(fits_empty(layout, shape) == plainly_fits(empty, shape));
    RC_ASSERT((room_total(state, shape) >= room_needed(shape)) == fits);
    std::int64_t room = 0;
    for (std::uint32_t n = 0; n < count; ++n) {
      room += room_on(state, shape, NodeId{n});
    }
    RC_ASSERT(room == room_total(state, shape));
    Allocation where;
    RC_ASSERT(placer.place(state, shape, where) == fits);
    if (fits) {
      RC_ASSERT(state.check(shape, where) == "");
      state.take(shape, where);
      held.emplace_back(shape, where);
    }
    if (!held.empty() && *rc::gen::inRange(0, 3) == 0) {
      const auto which = *rc::gen::inRange<std::size_t>(0, held.size());
      state.give_back(held[which].first, held[which].second);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }
  for (const auto& [shape, where] : held) {
    state.give_back(shape, where);
  }
  RC_ASSERT(state.free_total() == gpus(layout.gpu_count));
  for (std::uint32_t n = 0; n < count; ++n) {
    RC_ASSERT(state.free_whole_gpus(NodeId{n}) == layout.nodes[n].gpu_count);
    RC_ASSERT(state.jobs_on(NodeId{n}) == 0U);
    RC_ASSERT(state.free_cpus(NodeId{n}) == layout.nodes[n].cpus);
  }
}

// ---- check() ----

TEST(ClusterStateCheck, SaysWhatIsWrong) {
  ClusterLayout layout = uniform_nodes(3, 4);
  layout.nodes[2].cpus = cpus(4);
  ClusterState state(layout);
  occupy(state, 0, 1);
  const auto wrong = [&state](const RequestShape& shape,
                              std::vector<std::uint32_t> nodes,
                              std::vector<GpuRange> gpus,
                              std::int64_t share = 1000) {
    Allocation where;
    for (const std::uint32_t n : nodes) {
      where.nodes.push_back(NodeId{n});
    }
    where.gpus = std::move(gpus);
    where.share = gpu_thousandths(share);
    return state.check(shape, where);
  };
  const RequestShape two = Builder::per_node(1, gpus(2));
  EXPECT_EQ(wrong(two, {1}, {{4, 2}}), "");
  EXPECT_EQ(wrong(two, {}, {}), "it names no node");
  EXPECT_EQ(wrong(two, {3}, {{12, 2}}), "node number 3 does not exist (there are 3)");
  EXPECT_EQ(wrong(two, {1, 1}, {{4, 2}}), "node n1 is named twice");
  EXPECT_EQ(wrong(two, {1, 0}, {{4, 2}}),
            "nodes are not in ascending order: node n0 after node n1");
  EXPECT_EQ(wrong(two, {0}, {{0, 2}}), "GPU 0 on node n0 has 0 free, wanted 1");
  EXPECT_EQ(wrong(two, {1}, {{4, 1}}), "node n1 gives 1 GPUs, wanted 2");
  EXPECT_EQ(wrong(two, {1}, {{7, 2}}), "GPUs 7+2 do not lie inside a node that is named");
  EXPECT_EQ(wrong(two, {1}, {{8, 2}}), "GPUs 8+2 do not lie inside a node that is named");
  EXPECT_EQ(wrong(two, {1}, {{4, 1}, {5, 1}}),
            "GPUs 5+1 touch the range before; they must be one range");
  EXPECT_EQ(wrong(two, {1}, {{5, 1}, {4, 1}}),
            "GPUs 4+1 overlap the range before or are out of order");
  EXPECT_EQ(wrong(two, {1}, {{4, 0}}), "GPUs 4+0: an empty range");
  EXPECT_EQ(wrong(two, {1, 2}, {{4, 2}, {8, 2}}), "it gives 2 nodes, wanted 1");
  EXPECT_EQ(wrong(two, {1}, {{4, 2}}, 500), "it gives GPUs in shares of 0.5, wanted 1");
  EXPECT_EQ(wrong(Builder::whole_nodes(1), {0}, {{0, 4}}),
            "node n0 is wanted whole but has 1 jobs");
  EXPECT_EQ(wrong(Builder::any_gpus(3), {1}, {{4, 2}}), "it gives 2 GPUs, wanted 3");
  EXPECT_EQ(wrong(Builder::any_gpus(2), {1, 2}, {{4, 2}}), "node n2 is named without a GPU of it");
  RequestShape many_cpus = two;
  many_cpus.cpus = cpus(5);
  EXPECT_EQ(wrong(many_cpus, {2}, {{8, 2}}), "node n2 has 4 CPUs free, wanted 5");
  RequestShape other_model = two;
  other_model.gpu_models = 2;
  EXPECT_EQ(wrong(other_model, {1}, {{4, 2}}),
            "node n1 is not allowed by the request's partition or GPU model");
}

}  // namespace
}  // namespace weft::schedulers::testing
