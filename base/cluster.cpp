#include "base/cluster.hpp"

#include <map>
#include <utility>

#include "base/errors.hpp"

namespace weft {

std::optional<PartitionId> ClusterLayout::find_partition(std::string_view partition) const {
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (partitions[i].name == partition) {
      return PartitionId{static_cast<std::uint16_t>(i)};
    }
  }
  return std::nullopt;
}

void finish_layout(ClusterLayout& layout) {
  if (layout.partitions.empty()) {
    PartitionInfo all;
    all.name = "all";
    all.nodes.reserve(layout.nodes.size());
    for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
      all.nodes.push_back(NodeId{static_cast<std::uint32_t>(n)});
    }
    layout.partitions.push_back(std::move(all));
  }

  std::vector<std::vector<PartitionId>> listed_in(layout.nodes.size());
  for (std::size_t p = 0; p < layout.partitions.size(); ++p) {
    for (const NodeId node : layout.partitions[p].nodes) {
      listed_in[index(node)].push_back(PartitionId{static_cast<std::uint16_t>(p)});
    }
  }

  layout.gpu_count = 0;
  layout.cells.clear();
  // CPU-only nodes form cells of their own (has_gpus = false), with no GPUs to account for.
  std::map<std::pair<std::pair<bool, GpuModelId>, std::vector<PartitionId>>, std::uint32_t> known;
  for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
    NodeInfo& node = layout.nodes[n];
    node.first_gpu = GpuIndex{layout.gpu_count};
    layout.gpu_count += node.gpu_count;
    const bool has_gpus = node.gpu_count > 0;
    const auto key = std::make_pair(
        std::make_pair(has_gpus, has_gpus ? node.gpu_model : GpuModelId{}), listed_in[n]);
    const auto [at, is_new] = known.emplace(key, static_cast<std::uint32_t>(layout.cells.size()));
    if (is_new) {
      layout.cells.push_back(Cell{key.first.second, key.second, GpuShare{}});
    }
    node.cell = at->second;
    layout.cells[node.cell].gpus += gpus(node.gpu_count);
  }
}

ClusterLayout flat_pool(std::uint32_t processors) {
  WEFT_ASSERT(processors > 0, "a pool needs processors");
  ClusterLayout layout;
  layout.name = "flat:" + std::to_string(processors);
  layout.gpu_models = {"processor"};
  NodeInfo pool;
  pool.gpu_count = processors;
  layout.nodes.push_back(pool);
  layout.node_names = {"pool"};
  layout.flat_pool = true;
  finish_layout(layout);
  return layout;
}

}  // namespace weft
