#include "schedulers/placement.hpp"

#include <algorithm>
#include <array>

#include "schedulers/node_room.hpp"

namespace weft::schedulers {

namespace {

using Kind = RequestShape::Kind;

constexpr std::array<PlacementHelp, 4> kPlacements = {{
    {Placement::kFirstFit, "first_fit", "the nodes that come first"},
    {Placement::kBestFit, "best_fit", "the nodes with the fewest free GPUs that suffice"},
    {Placement::kPack, "pack", "the fewest leaves, best_fit inside them"},
    {Placement::kSpread, "spread", "the nodes with the most free GPUs"},
}};

}  // namespace

std::string_view to_string(Placement placement) {
  return kPlacements[static_cast<std::size_t>(placement)].name;
}

std::optional<Placement> find_placement(std::string_view word) {
  for (const PlacementHelp& known : kPlacements) {
    if (known.name == word) {
      return known.placement;
    }
  }
  return std::nullopt;
}

std::span<const PlacementHelp> placements() {
  return kPlacements;
}

bool Placer::place_flat(const ClusterState& state,
                        const RequestShape& shape,
                        Allocation& out) const {
  if (!fits_now(state, shape)) {
    return false;
  }
  out.clear();
  out.nodes.push_back(NodeId{0});
  if (wants_part(shape)) {
    out.share = shape.gpus;
    const auto share = static_cast<std::uint32_t>(shape.gpus.raw());
    const std::uint32_t value = state.next_partial_value(share);
    const std::uint32_t gpu =
        value < kWholeGpu ? state.partial_gpus(value).next(0) : state.free_gpus().next(0);
    out.gpus.push_back(GpuRange{gpu, 1});
    return true;
  }
  const IndexSet& free = state.free_gpus();
  std::uint32_t missing = shape.kind == Kind::kWholeNodes
                              ? state.layout().gpu_count
                              : static_cast<std::uint32_t>(whole_gpus(shape));
  for (std::uint32_t at = 0; missing > 0;) {
    at = free.next(at);
    const std::uint32_t run = free.run_length(at, missing);
    out.gpus.push_back(GpuRange{at, run});
    missing -= run;
    at += run;
  }
  return true;
}

void Placer::begin_walk(const ClusterState& state,
                        const RequestShape& shape,
                        std::uint32_t low_level,
                        std::uint32_t high_level) {
  sources_.clear();
  for (std::uint32_t cell = 0; cell < state.cell_count(); ++cell) {
    if (!cell_allowed(state, shape, cell, Rules::kApply)) {
      continue;
    }
    const std::uint32_t end = std::min(high_level + 1, state.levels(cell));
    for (std::uint32_t level = low_level; level < end; ++level) {
      const IndexSet& set = state.nodes_at(cell, level);
      if (set.count() > 0) {
        sources_.push_back(Source{&set, state.cell_nodes(cell), set.next(0)});
      }
    }
  }
}

// The sources are disjoint, so the smallest of their next nodes is the next node.
std::optional<NodeId> Placer::next_node() {
  Source* first = nullptr;
  for (Source& source : sources_) {
    if (source.at != IndexSet::kNone &&
        (first == nullptr || source.nodes[source.at] < first->nodes[first->at])) {
      first = &source;
    }
  }
  if (first == nullptr) {
    return std::nullopt;
  }
  const NodeId node = first->nodes[first->at];
  first->at = first->set->next(first->at + 1);
  return node;
}

bool Placer::is_chosen(NodeId node) const {
  return std::any_of(
      chosen_.begin(), chosen_.end(), [node](const Chosen& c) { return c.node == node; });
}

// Appends nodes of the walk that fit until `wanted` are chosen.
void Placer::choose_walked(const ClusterState& state,
                           const RequestShape& shape,
                           std::size_t wanted) {
  const auto gpus = static_cast<std::uint32_t>(whole_gpus(shape));
  const bool may_repeat = wants_part(shape) && !chosen_.empty();
  while (chosen_.size() < wanted) {
    const std::optional<NodeId> node = next_node();
    if (!node) {
      return;
    }
    if (node_takes(state, shape, *node) && !(may_repeat && is_chosen(*node))) {
      chosen_.push_back(Chosen{*node, gpus});
    }
  }
}

// As choose_walked, in the order of this placement but for pack's leaves.
void Placer::choose_by_level(const ClusterState& state,
                             const RequestShape& shape,
                             std::size_t wanted) {
  const std::uint32_t low = ClusterState::level_of(static_cast<std::uint32_t>(whole_gpus(shape)));
  std::uint32_t levels = 0;
  for (std::uint32_t cell = 0; cell < state.cell_count(); ++cell) {
    levels = std::max(levels, state.levels(cell));
  }
  if (placement_ == Placement::kFirstFit) {
    begin_walk(state, shape, low, ClusterState::kMaxLevel);
    choose_walked(state, shape, wanted);
    return;
  }
  for (std::uint32_t i = low; i < levels && chosen_.size() < wanted; ++i) {
    const std::uint32_t level = placement_ == Placement::kSpread ? levels - 1 - (i - low) : i;
    begin_walk(state, shape, level, level);
    choose_walked(state, shape, wanted);
  }
}

// Leaves with the room each has: GPUs (kAnyGpus) or nodes that fit. Those without are left out.
// Ordered: if any has `wanted` or more, the one with the least of these comes first; else the
// roomiest come first. Ties: the leaf that comes first.
void Placer::rank_leaves(const ClusterState& state,
                         const RequestShape& shape,
                         std::uint64_t wanted) {
  leaves_.clear();
  const auto groups = state.groups();
  const std::int64_t gpus_each = whole_gpus(shape);
  const bool any = shape.kind == Kind::kAnyGpus;
  const std::size_t low = any ? 1 : static_cast<std::size_t>(gpus_each);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (leaves_.empty() || groups[leaves_.back().first_group].leaf != groups[g].leaf) {
      if (!leaves_.empty() && leaves_.back().room == 0) {
        leaves_.pop_back();
      }
      const auto first = static_cast<std::uint32_t>(g);
      leaves_.push_back(Leaf{first, first, 0});
    }
    Leaf& leaf = leaves_.back();
    leaf.end_group = static_cast<std::uint32_t>(g + 1);
    if (!cell_allowed(state, shape, groups[g].cell, Rules::kApply)) {
      continue;
    }
    const auto counts = state.group_counts(g);
    if (gpus_suffice(shape) && counts.size() <= ClusterState::kMaxLevel) {
      for (std::size_t level = low; level < counts.size(); ++level) {
        leaf.room += any ? level * counts[level] : counts[level];
      }
    } else {
      for (const NodeId node : state.group_nodes(g)) {
        leaf.room += any ? gpus_of_node(state, shape, node)
                         : static_cast<std::uint32_t>(node_takes(state, shape, node));
      }
    }
  }
  if (!leaves_.empty() && leaves_.back().room == 0) {
    leaves_.pop_back();
  }
  std::sort(leaves_.begin(), leaves_.end(), [wanted](const Leaf& a, const Leaf& b) {
    const bool a_suffices = a.room >= wanted;
    const bool b_suffices = b.room >= wanted;
    if (a_suffices != b_suffices) {
      return a_suffices;
    }
    if (a.room != b.room) {
      return a_suffices ? a.room < b.room : a.room > b.room;
    }
    return a.first_group < b.first_group;
  });
}

// Takes whole leaves, the roomiest first, while what is missing fits in no single leaf; then the
// leaf with the least room that suffices. That is the fewest leaves possible.
bool Placer::pack_nodes(const ClusterState& state, const RequestShape& shape, std::size_t wanted) {
  const auto gpus = static_cast<std::uint32_t>(whole_gpus(shape));
  rank_leaves(state, shape, wanted);
  std::size_t missing = wanted;
  for (std::size_t next = 0; missing > 0 && next < leaves_.size(); ++next) {
    std::size_t pick = next;
    for (std::size_t i = next; i < leaves_.size(); ++i) {
      if (leaves_[i].room >= missing && leaves_[i].room < leaves_[pick].room) {
        pick = i;
      }
      if (leaves_[i].room < missing) {
        break;  // in falling order here, unless the first one suffices, and then it is the pick
      }
    }
    const Leaf leaf = leaves_[pick];
    candidates_.clear();
    for (std::uint32_t g = leaf.first_group; g < leaf.end_group; ++g) {
      if (!cell_allowed(state, shape, state.groups()[g].cell, Rules::kApply)) {
        continue;
      }
      for (const NodeId node : state.group_nodes(g)) {
        if (node_takes(state, shape, node)) {
          candidates_.push_back(Chosen{node, state.free_whole_gpus(node)});
        }
      }
    }
    std::sort(candidates_.begin(), candidates_.end(), [](const Chosen& a, const Chosen& b) {
      return a.gpus != b.gpus ? a.gpus < b.gpus : a.node < b.node;
    });
    const std::size_t take = std::min(missing, candidates_.size());
    for (std::size_t i = 0; i < take; ++i) {
      chosen_.push_back(Chosen{candidates_[i].node, gpus});
    }
    missing -= take;
  }
  return missing == 0;
}

bool Placer::place_nodes(const ClusterState& state, const RequestShape& shape) {
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  if (wanted > state.layout().nodes.size() || whole_gpus(shape) > INT32_MAX) {
    return false;
  }
  if (placement_ == Placement::kPack && wanted > 1) {
    return pack_nodes(state, shape, wanted);
  }
  choose_by_level(state, shape, wanted);
  return chosen_.size() == wanted;
}

// Each node gives a part of one GPU; Chosen::gpus is which.
bool Placer::place_part(const ClusterState& state, const RequestShape& shape) {
  const auto wanted = static_cast<std::size_t>(shape.nodes);
  const auto share = static_cast<std::uint32_t>(shape.gpus.raw());
  const ClusterLayout& layout = state.layout();
  if (wanted > layout.nodes.size()) {
    return false;
  }
  const auto choose_partly_used = [&] {
    for (std::uint32_t value = state.next_partial_value(share); value < kWholeGpu;
         value = state.next_partial_value(value + 1)) {
      const IndexSet& set = state.partial_gpus(value);
      for (std::uint32_t g = set.next(0); g != IndexSet::kNone && chosen_.size() < wanted;
           g = set.next(g + 1)) {
        const NodeId node = state.node_of(GpuIndex{g});
        if (cpus_and_memory_fit(state, shape, node) &&
            cell_allowed(layout, shape, layout.node(node), Rules::kApply) && !is_chosen(node)) {
          chosen_.push_back(Chosen{node, g});
        }
      }
    }
  };
  const auto choose_whole = [&] {
    const std::size_t before = chosen_.size();
    choose_by_level(state, shape, wanted);
    for (std::size_t i = before; i < chosen_.size(); ++i) {
      chosen_[i].gpus = state.free_gpus().next(
          static_cast<std::uint32_t>(layout.node(chosen_[i].node).first_gpu));
    }
  };
  if (placement_ == Placement::kSpread) {
    choose_whole();
    choose_partly_used();
  } else {
    choose_partly_used();
    choose_whole();
  }
  return chosen_.size() == wanted;
}

// The node with the fewest free GPUs among those that can give all `wanted`.
bool Placer::best_single(const ClusterState& state,
                         const RequestShape& shape,
                         std::uint32_t wanted) {
  std::uint32_t levels = 0;
  for (std::uint32_t cell = 0; cell < state.cell_count(); ++cell) {
    levels = std::max(levels, state.levels(cell));
  }
  for (std::uint32_t level = ClusterState::level_of(wanted); level < levels; ++level) {
    begin_walk(state, shape, level, level);
    while (const std::optional<NodeId> node = next_node()) {
      if (gpus_of_node(state, shape, *node) >= wanted && !is_chosen(*node)) {
        chosen_.push_back(Chosen{*node, wanted});
        return true;
      }
    }
  }
  return false;
}

// Empties the nodes with the most to give until one node can give the rest. Returns what is
// missing.
std::uint32_t Placer::fill_fewest(const ClusterState& state,
                                  const RequestShape& shape,
                                  std::uint32_t wanted) {
  candidates_.clear();
  std::uint64_t gathered = 0;
  std::uint32_t levels = 0;
  for (std::uint32_t cell = 0; cell < state.cell_count(); ++cell) {
    levels = std::max(levels, state.levels(cell));
  }
  // Without CPUs and memory the levels are in order of what nodes can give: enough is enough.
  const bool exact = gpus_suffice(shape) && levels <= ClusterState::kMaxLevel;
  for (std::uint32_t level = levels; level-- > 1;) {
    if (exact && gathered >= wanted) {
      break;
    }
    begin_walk(state, shape, level, level);
    while (const std::optional<NodeId> node = next_node()) {
      const std::uint32_t can = gpus_of_node(state, shape, *node);
      if (can > 0) {
        candidates_.push_back(Chosen{*node, can});
        gathered += can;
      }
      if (exact && gathered >= wanted) {
        break;
      }
    }
  }
  if (!exact) {
    std::sort(candidates_.begin(), candidates_.end(), [](const Chosen& a, const Chosen& b) {
      return a.gpus != b.gpus ? a.gpus > b.gpus : a.node < b.node;
    });
  }
  for (const Chosen& candidate : candidates_) {
    if (wanted <= candidate.gpus && best_single(state, shape, wanted)) {
      return 0;
    }
    const std::uint32_t take = std::min(wanted, candidate.gpus);
    chosen_.push_back(Chosen{candidate.node, take});
    wanted -= take;
  }
  return wanted;
}

// The same inside a leaf.
std::uint32_t Placer::fill_leaf(const ClusterState& state,
                                const RequestShape& shape,
                                const Leaf& leaf,
                                std::uint32_t wanted) {
  candidates_.clear();
  for (std::uint32_t g = leaf.first_group; g < leaf.end_group; ++g) {
    if (!cell_allowed(state, shape, state.groups()[g].cell, Rules::kApply)) {
      continue;
    }
    for (const NodeId node : state.group_nodes(g)) {
      const std::uint32_t can = gpus_of_node(state, shape, node);
      if (can > 0) {
        candidates_.push_back(Chosen{node, can});
      }
    }
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Chosen& a, const Chosen& b) {
    return a.gpus != b.gpus ? a.gpus > b.gpus : a.node < b.node;
  });
  for (std::size_t i = 0; i < candidates_.size() && wanted > 0; ++i) {
    std::size_t pick = i;
    if (candidates_[i].gpus >= wanted) {  // the last one: the one with the least that suffices
      while (pick + 1 < candidates_.size() && candidates_[pick + 1].gpus >= wanted) {
        ++pick;
      }
      while (pick > i && candidates_[pick - 1].gpus == candidates_[pick].gpus) {
        --pick;
      }
    }
    const std::uint32_t take = std::min(wanted, candidates_[pick].gpus);
    chosen_.push_back(Chosen{candidates_[pick].node, take});
    wanted -= take;
  }
  return wanted;
}

// Rounds: one GPU from each node that has some, the nodes with most free GPUs first.
std::uint32_t Placer::fill_evenly(const ClusterState& state,
                                  const RequestShape& shape,
                                  std::uint32_t wanted) {
  candidates_.clear();
  std::uint32_t levels = 0;
  for (std::uint32_t cell = 0; cell < state.cell_count(); ++cell) {
    levels = std::max(levels, state.levels(cell));
  }
  for (std::uint32_t level = levels; level-- > 1 && candidates_.size() < wanted;) {
    begin_walk(state, shape, level, level);
    while (candidates_.size() < wanted) {
      const std::optional<NodeId> node = next_node();
      if (!node) {
        break;
      }
      const std::uint32_t can = gpus_of_node(state, shape, *node);
      if (can > 0) {
        candidates_.push_back(Chosen{*node, can});
        chosen_.push_back(Chosen{*node, 0});
      }
    }
  }
  for (bool gave = true; wanted > 0 && gave;) {
    gave = false;
    for (std::size_t i = 0; i < candidates_.size() && wanted > 0; ++i) {
      if (chosen_[i].gpus < candidates_[i].gpus) {
        ++chosen_[i].gpus;
        --wanted;
        gave = true;
      }
    }
  }
  return wanted;
}

bool Placer::place_any(const ClusterState& state, const RequestShape& shape) {
  if (whole_gpus(shape) > std::int64_t{state.layout().gpu_count}) {
    return false;
  }
  auto wanted = static_cast<std::uint32_t>(whole_gpus(shape));
  switch (placement_) {
    case Placement::kFirstFit:
      begin_walk(state, shape, 1, ClusterState::kMaxLevel);
      while (wanted > 0) {
        const std::optional<NodeId> node = next_node();
        if (!node) {
          return false;
        }
        const std::uint32_t take = std::min(wanted, gpus_of_node(state, shape, *node));
        if (take > 0) {
          chosen_.push_back(Chosen{*node, take});
          wanted -= take;
        }
      }
      return true;
    case Placement::kBestFit:
      return best_single(state, shape, wanted) || fill_fewest(state, shape, wanted) == 0;
    case Placement::kPack:
      if (best_single(state, shape, wanted)) {
        return true;
      }
      rank_leaves(state, shape, wanted);
      for (std::size_t i = 0; i < leaves_.size() && wanted > 0; ++i) {
        std::size_t pick = i;
        if (i > 0) {  // the rest may fit in a smaller leaf
          while (leaves_[pick].room >= wanted && pick + 1 < leaves_.size() &&
                 leaves_[pick + 1].room >= wanted) {
            ++pick;
          }
        }
        wanted = fill_leaf(state, shape, leaves_[pick], wanted);
      }
      return wanted == 0;
    case Placement::kSpread:
      return fill_evenly(state, shape, wanted) == 0;
  }
  return false;
}

bool Placer::place(const ClusterState& state, const RequestShape& shape, Allocation& out) {
  if (!makes_sense(shape)) {
    return false;
  }
  if (state.layout().flat_pool) {
    return place_flat(state, shape, out);
  }
  chosen_.clear();
  const bool part = wants_part(shape);
  const bool placed = shape.kind == Kind::kAnyGpus ? place_any(state, shape)
                      : part                       ? place_part(state, shape)
                                                   : place_nodes(state, shape);
  if (!placed) {
    return false;
  }
  std::sort(chosen_.begin(), chosen_.end(), [](const Chosen& a, const Chosen& b) {
    return a.node < b.node;
  });
  out.clear();
  if (part) {
    out.share = shape.gpus;
  }
  for (const Chosen& choice : chosen_) {
    out.nodes.push_back(choice.node);
    if (part) {
      out.gpus.push_back(GpuRange{choice.gpus, 1});
      continue;
    }
    const NodeInfo& info = state.layout().node(choice.node);
    std::uint32_t missing = shape.kind == Kind::kWholeNodes ? info.gpu_count : choice.gpus;
    for (auto at = static_cast<std::uint32_t>(info.first_gpu); missing > 0;) {
      at = state.free_gpus().next(at);
      const std::uint32_t run = state.free_gpus().run_length(at, missing);
      out.gpus.push_back(GpuRange{at, run});
      missing -= run;
      at += run;
    }
  }
  return true;
}

}  // namespace weft::schedulers
