#include "schedulers/cluster_state.hpp"

#include <algorithm>
#include <tuple>

#include "base/errors.hpp"

namespace weft::schedulers {

namespace {

constexpr std::uint32_t kWholeGpu = 1000;

std::uint32_t to_u32(std::int64_t value) {
  return static_cast<std::uint32_t>(value);
}

// Saturates: a request of absurd size must be refused, not wrap around.
std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

// Decimal text of thousandths: 500 -> "0.5".
std::string thousandths_text(std::int64_t raw) {
  std::string text = std::to_string(raw / 1000);
  std::int64_t rest = raw % 1000;
  if (rest != 0) {
    std::string digits = std::to_string(1000 + rest).substr(1);
    while (digits.back() == '0') {
      digits.pop_back();
    }
    text += "." + digits;
  }
  return text;
}

}  // namespace

NodeAmounts amounts_on(const RequestShape& shape, const NodeInfo& node, std::int64_t gpu_count) {
  switch (shape.kind) {
    case RequestShape::Kind::kAnyGpus:
      return {CpuShare::from_raw(times(shape.cpus.raw(), gpu_count)),
              Bytes::from_raw(times(shape.memory.raw(), gpu_count))};
    case RequestShape::Kind::kPerNode:
      break;
    case RequestShape::Kind::kWholeNodes:
      return {node.cpus, node.memory};
  }
  return {shape.cpus, shape.memory};
}

bool allowed_in_cell(const ClusterLayout& layout,
                     const RequestShape& shape,
                     const NodeInfo& any_node_of_it) {
  constexpr std::uint64_t kAnyModel = ~std::uint64_t{0};
  if (any_node_of_it.gpu_count == 0) {
    if (shape.gpus.raw() > 0 || shape.gpu_models != kAnyModel) {
      return false;
    }
  } else if (shape.gpu_models != kAnyModel) {
    const std::size_t model = index(any_node_of_it.gpu_model);
    if (model >= 64 || ((shape.gpu_models >> model) & 1U) == 0) {
      return false;
    }
  }
  if (shape.partition == kNoPartition) {
    return true;
  }
  const auto& partitions = layout.cells[any_node_of_it.cell].partitions;
  return std::binary_search(partitions.begin(), partitions.end(), shape.partition);
}

ClusterState::ClusterState(const ClusterLayout& layout) : layout_(&layout) {
  nodes_.resize(layout.nodes.size());
  free_in_cell_.resize(layout.cells.size());
  for (std::size_t c = 0; c < layout.cells.size(); ++c) {
    free_in_cell_[c] = layout.cells[c].gpus;
  }
  free_total_ = gpus(layout.gpu_count);
  free_gpus_.resize(layout.gpu_count);
  if (layout.gpu_count > 0) {
    free_gpus_.insert_range(0, layout.gpu_count);
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodeInfo& info = layout.nodes[n];
    nodes_[n].free_whole = info.gpu_count;
    nodes_[n].cpus = info.cpus.raw();
    nodes_[n].memory = info.memory.raw();
    nodes_[n].cell = info.cell;
  }
  if (!layout.flat_pool) {
    build_index();
  }
}

void ClusterState::build_index() {
  const std::size_t cells = layout_->cells.size();
  cell_nodes_.resize(cells);
  nodes_at_.resize(cells);
  idle_.resize(cells);
  std::vector<std::uint32_t> top_level(cells, 0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    node.position = to_u32(static_cast<std::int64_t>(cell_nodes_[node.cell].size()));
    cell_nodes_[node.cell].push_back(NodeId{static_cast<std::uint32_t>(n)});
    top_level[node.cell] = std::max(top_level[node.cell], level_of(node.free_whole));
    groups_.push_back(Group{layout_->nodes[n].leaf, node.cell});
  }
  const auto before = [](const Group& a, const Group& b) {
    return std::tie(a.leaf, a.cell) < std::tie(b.leaf, b.cell);
  };
  const auto same = [](const Group& a, const Group& b) {
    return a.leaf == b.leaf && a.cell == b.cell;
  };
  std::sort(groups_.begin(), groups_.end(), before);
  groups_.erase(std::unique(groups_.begin(), groups_.end(), same), groups_.end());

  for (std::size_t c = 0; c < cells; ++c) {
    const auto size = static_cast<std::uint32_t>(cell_nodes_[c].size());
    nodes_at_[c].resize(top_level[c] + 1);
    for (IndexSet& set : nodes_at_[c]) {
      set.resize(size);
    }
    idle_[c].resize(size);
    group_levels_ = std::max<std::size_t>(group_levels_, top_level[c] + 1);
  }
  group_counts_.assign(groups_.size() * group_levels_, 0);
  group_nodes_.resize(groups_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    const Group group{layout_->nodes[n].leaf, node.cell};
    node.group = static_cast<std::uint32_t>(
        std::lower_bound(groups_.begin(), groups_.end(), group, before) - groups_.begin());
    const std::uint32_t level = level_of(node.free_whole);
    nodes_at_[node.cell][level].insert(node.position);
    idle_[node.cell].insert(node.position);
    ++group_counts_[node.group * group_levels_ + level];
    group_nodes_[node.group].push_back(NodeId{static_cast<std::uint32_t>(n)});
  }
}

GpuShare ClusterState::free_share(GpuIndex gpu) const {
  const auto g = static_cast<std::uint32_t>(gpu);
  if (free_gpus_.contains(g)) {
    return gpus(1);
  }
  return gpu_thousandths(partial_.empty() ? 0 : partial_[g]);
}

NodeId ClusterState::node_of(GpuIndex gpu) const {
  // CPU-only nodes share first_gpu with the node after them: the last node that begins at or
  // before the GPU is the one that has it.
  const auto after = std::upper_bound(
      layout_->nodes.begin(), layout_->nodes.end(), gpu, [](GpuIndex g, const NodeInfo& node) {
        return g < node.first_gpu;
      });
  auto at = after - 1;
  while (at->gpu_count == 0) {
    --at;
  }
  return NodeId{static_cast<std::uint32_t>(at - layout_->nodes.begin())};
}

std::uint32_t ClusterState::next_partial_value(std::uint32_t at_least) const {
  for (std::uint32_t w = at_least / 64; w < partial_values_.size(); ++w) {
    std::uint64_t word = partial_values_[w];
    if (w == at_least / 64) {
      word &= ~std::uint64_t{0} << (at_least % 64);
    }
    if (word != 0) {
      return w * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
    }
  }
  return kWholeGpu;
}

void ClusterState::set_partial(std::uint32_t gpu, std::uint32_t from, std::uint32_t to) {
  if (partial_.empty()) {
    partial_.assign(layout_->gpu_count, 0);
    partial_gpus_.resize(kWholeGpu);
  }
  if (from > 0 && from < kWholeGpu) {
    partial_gpus_[from].erase(gpu);
    if (partial_gpus_[from].count() == 0) {
      partial_values_[from / 64] &= ~(std::uint64_t{1} << (from % 64));
    }
  }
  if (to > 0 && to < kWholeGpu) {
    IndexSet& set = partial_gpus_[to];
    if (set.count() == 0) {
      if (!set.has_room()) {
        set.resize(layout_->gpu_count);
      }
      partial_values_[to / 64] |= std::uint64_t{1} << (to % 64);
    }
    set.insert(gpu);
    partial_[gpu] = static_cast<std::uint16_t>(to);
  } else {
    partial_[gpu] = 0;
  }
}

template <ClusterState::Change kChange>
void ClusterState::change_gpus(Node& node, GpuRange range, std::uint32_t share) {
  if (share == kWholeGpu) {
    if constexpr (kChange == Change::kTake) {
      free_gpus_.erase_range(range.first, range.count);
      node.free_whole -= range.count;
    } else {
      free_gpus_.insert_range(range.first, range.count);
      node.free_whole += range.count;
    }
    return;
  }
  for (std::uint32_t g = range.first; g < range.first + range.count; ++g) {
    const std::uint32_t was = to_u32(free_share(GpuIndex{g}).raw());
    const std::uint32_t now = kChange == Change::kTake ? was - share : was + share;
    set_partial(g, was, now);
    if (was == kWholeGpu) {
      free_gpus_.erase(g);
      --node.free_whole;
    } else if (now == kWholeGpu) {
      free_gpus_.insert(g);
      ++node.free_whole;
    }
  }
}

void ClusterState::reindex(const Node& node, std::uint32_t was_free, std::uint32_t had_jobs) {
  if (nodes_at_.empty()) {
    return;
  }
  const std::uint32_t from = level_of(was_free);
  const std::uint32_t to = level_of(node.free_whole);
  if (from != to) {
    std::vector<IndexSet>& levels = nodes_at_[node.cell];
    levels[from].erase(node.position);
    levels[to].insert(node.position);
    std::uint32_t* counts = group_counts_.data() + node.group * group_levels_;
    --counts[from];
    ++counts[to];
  }
  if ((had_jobs == 0) != (node.jobs == 0)) {
    if (node.jobs == 0) {
      idle_[node.cell].insert(node.position);
    } else {
      idle_[node.cell].erase(node.position);
    }
  }
}

template <ClusterState::Change kChange>
void ClusterState::change(const RequestShape& shape, const Allocation& where) {
  const auto share = to_u32(where.share.raw());
  auto range = where.gpus.begin();
  for (const NodeId id : where.nodes) {
    const NodeInfo& info = layout_->node(id);
    Node& node = nodes_[index(id)];
    const std::uint32_t was_free = node.free_whole;
    const std::uint32_t had_jobs = node.jobs;
    const std::uint32_t end = static_cast<std::uint32_t>(info.first_gpu) + info.gpu_count;
    std::int64_t gpu_count = 0;
    for (; range != where.gpus.end() && range->first < end; ++range) {
      change_gpus<kChange>(node, *range, share);
      gpu_count += range->count;
    }
    const NodeAmounts amounts = amounts_on(shape, info, gpu_count);
    const GpuShare taken = gpu_thousandths(gpu_count * share);
    if constexpr (kChange == Change::kTake) {
      node.cpus -= amounts.cpus.raw();
      node.memory -= amounts.memory.raw();
      ++node.jobs;
      free_total_ -= taken;
      free_in_cell_[node.cell] -= taken;
    } else {
      node.cpus += amounts.cpus.raw();
      node.memory += amounts.memory.raw();
      --node.jobs;
      free_total_ += taken;
      free_in_cell_[node.cell] += taken;
    }
    reindex(node, was_free, had_jobs);
  }
}

void ClusterState::take(const RequestShape& shape, const Allocation& where) {
  change<Change::kTake>(shape, where);
}

void ClusterState::give_back(const RequestShape& shape, const Allocation& where) {
  change<Change::kGiveBack>(shape, where);
}

void ClusterState::take_part(const Part& part) {
  Node& node = nodes_[index(part.node)];
  const std::uint32_t was_free = node.free_whole;
  for (const GpuRange& range : part.gpus) {
    change_gpus<Change::kTake>(node, range, to_u32(part.share.raw()));
    free_total_ -= part.share * range.count;
    free_in_cell_[node.cell] -= part.share * range.count;
  }
  node.cpus -= part.cpus.raw();
  node.memory -= part.memory.raw();
  reindex(node, was_free, node.jobs);
}

void ClusterState::give_back_part(const Part& part) {
  Node& node = nodes_[index(part.node)];
  const std::uint32_t was_free = node.free_whole;
  for (const GpuRange& range : part.gpus) {
    change_gpus<Change::kGiveBack>(node, range, to_u32(part.share.raw()));
    free_total_ += part.share * range.count;
    free_in_cell_[node.cell] += part.share * range.count;
  }
  node.cpus += part.cpus.raw();
  node.memory += part.memory.raw();
  reindex(node, was_free, node.jobs);
}

std::string ClusterState::describe(NodeId node) const {
  const std::size_t n = index(node);
  return n < layout_->node_names.size() ? "node " + layout_->node_names[n]
                                        : "node " + std::to_string(n);
}

// The order of nodes and ranges, and that every GPU lies in a node that is named.
std::string ClusterState::check_ranges(const Allocation& where) const {
  if (where.nodes.empty()) {
    return "it names no node";
  }
  for (std::size_t i = 0; i < where.nodes.size(); ++i) {
    if (index(where.nodes[i]) >= nodes_.size()) {
      return "node number " + std::to_string(index(where.nodes[i])) +
             " does not exist (there are " + std::to_string(nodes_.size()) + ")";
    }
    if (i > 0 && where.nodes[i] <= where.nodes[i - 1]) {
      return where.nodes[i] == where.nodes[i - 1]
                 ? describe(where.nodes[i]) + " is named twice"
                 : "nodes are not in ascending order: " + describe(where.nodes[i]) + " after " +
                       describe(where.nodes[i - 1]);
    }
  }
  auto node = where.nodes.begin();
  std::uint64_t free_from = 0;  // the smallest GPU index the next range may begin at
  bool same_node = false;
  for (const GpuRange& range : where.gpus) {
    const std::string text =
        "GPUs " + std::to_string(range.first) + "+" + std::to_string(range.count);
    if (range.count == 0) {
      return text + ": an empty range";
    }
    if (range.first < free_from) {
      return text + " overlap the range before or are out of order";
    }
    const auto begin_of = [this](NodeId id) {
      return static_cast<std::uint64_t>(layout_->node(id).first_gpu);
    };
    while (node != where.nodes.end() &&
           begin_of(*node) + layout_->node(*node).gpu_count <= range.first) {
      ++node;
      same_node = false;
    }
    if (node == where.nodes.end() || range.first < begin_of(*node) ||
        std::uint64_t{range.first} + range.count >
            begin_of(*node) + layout_->node(*node).gpu_count) {
      return text + " do not lie inside a node that is named";
    }
    if (same_node && range.first == free_from) {
      return text + " touch the range before; they must be one range";
    }
    free_from = std::uint64_t{range.first} + range.count;
    same_node = true;
  }
  return {};
}

std::string ClusterState::check_node(const RequestShape& shape,
                                     const Allocation& where,
                                     NodeId id,
                                     std::span<const GpuRange> gpus_here) const {
  const NodeInfo& info = layout_->node(id);
  const Node& node = nodes_[index(id)];
  std::int64_t gpu_count = 0;
  for (const GpuRange& range : gpus_here) {
    gpu_count += range.count;
  }
  if (!allowed_in_cell(*layout_, shape, info)) {
    return describe(id) + " is not allowed by the request's partition or GPU model";
  }
  const std::int64_t wanted_raw = shape.kind == RequestShape::Kind::kWholeNodes
                                      ? std::int64_t{info.gpu_count} * 1000
                                      : shape.gpus.raw();
  if (shape.kind == RequestShape::Kind::kAnyGpus) {
    if (gpu_count == 0) {
      return describe(id) + " is named without a GPU of it";
    }
  } else if (where.share.raw() * gpu_count != wanted_raw) {
    return describe(id) + " gives " + thousandths_text(where.share.raw() * gpu_count) +
           " GPUs, wanted " + thousandths_text(wanted_raw);
  }
  if (shape.kind == RequestShape::Kind::kWholeNodes) {
    if (node.jobs > 0) {
      return describe(id) + " is wanted whole but has " + std::to_string(node.jobs) + " jobs";
    }
    if (std::int64_t{info.gpu_count} * 1000 < shape.gpus.raw()) {
      return describe(id) + " has " + std::to_string(info.gpu_count) + " GPUs, wanted at least " +
             thousandths_text(shape.gpus.raw());
    }
    if (info.cpus < shape.cpus || info.memory < shape.memory) {
      return describe(id) + " is too small: " + thousandths_text(info.cpus.raw()) + " CPUs, " +
             std::to_string(info.memory.raw()) + " B; wanted " +
             thousandths_text(shape.cpus.raw()) + " CPUs, " + std::to_string(shape.memory.raw()) +
             " B";
    }
  }
  for (const GpuRange& range : gpus_here) {
    if (where.share.raw() == kWholeGpu) {
      const std::uint32_t run =
          free_gpus_.contains(range.first) ? free_gpus_.run_length(range.first, range.count) : 0;
      if (run < range.count) {
        return "GPU " + std::to_string(range.first + run) + " on " + describe(id) + " has " +
               thousandths_text(free_share(GpuIndex{range.first + run}).raw()) + " free, wanted 1";
      }
      continue;
    }
    for (std::uint32_t g = range.first; g < range.first + range.count; ++g) {
      if (free_share(GpuIndex{g}) < where.share) {
        return "GPU " + std::to_string(g) + " on " + describe(id) + " has " +
               thousandths_text(free_share(GpuIndex{g}).raw()) + " free, wanted " +
               thousandths_text(where.share.raw());
      }
    }
  }
  const NodeAmounts amounts = amounts_on(shape, info, gpu_count);
  if (node.cpus < amounts.cpus.raw()) {
    return describe(id) + " has " + thousandths_text(node.cpus) + " CPUs free, wanted " +
           thousandths_text(amounts.cpus.raw());
  }
  if (node.memory < amounts.memory.raw()) {
    return describe(id) + " has " + std::to_string(node.memory) + " B of memory free, wanted " +
           std::to_string(amounts.memory.raw()) + " B";
  }
  return {};
}

std::string ClusterState::check(const RequestShape& shape, const Allocation& where) const {
  using Kind = RequestShape::Kind;
  std::string wrong = check_ranges(where);
  if (!wrong.empty()) {
    return wrong;
  }
  if (where.share.raw() <= 0 || where.share.raw() > kWholeGpu) {
    return "a share of " + std::to_string(where.share.raw()) + " thousandths of a GPU";
  }
  const bool part_wanted =
      shape.kind == Kind::kPerNode && shape.gpus.raw() > 0 && shape.gpus.raw() < kWholeGpu;
  if (!where.gpus.empty() && (where.share.raw() < kWholeGpu) != part_wanted) {
    return "it gives GPUs in shares of " + thousandths_text(where.share.raw()) + ", wanted " +
           thousandths_text(part_wanted ? shape.gpus.raw() : kWholeGpu);
  }
  if (shape.kind == Kind::kAnyGpus) {
    if (where.total_share() != shape.gpus) {
      return "it gives " + thousandths_text(where.total_share().raw()) + " GPUs, wanted " +
             thousandths_text(shape.gpus.raw());
    }
  } else if (static_cast<std::int64_t>(where.nodes.size()) != shape.nodes) {
    return "it gives " + std::to_string(where.nodes.size()) + " nodes, wanted " +
           std::to_string(shape.nodes);
  }
  std::size_t range = 0;
  for (const NodeId id : where.nodes) {
    const NodeInfo& info = layout_->node(id);
    const std::uint32_t end = static_cast<std::uint32_t>(info.first_gpu) + info.gpu_count;
    const std::size_t first = range;
    while (range < where.gpus.size() && where.gpus[range].first < end) {
      ++range;
    }
    wrong = check_node(shape, where, id, {where.gpus.data() + first, range - first});
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

}  // namespace weft::schedulers
