#include "topology/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"

namespace weft::topology {
namespace {

using platforms::Fabric;
using platforms::NodeGroup;
using platforms::Platform;
using platforms::Topology;
using platforms::TopologyKind;

void add_nodes(const Platform& platform, ClusterLayout& layout) {
  layout.gpu_models = platforms::gpu_models(platform);
  layout.nodes.reserve(platforms::node_count(platform));
  layout.node_names.reserve(layout.nodes.capacity());
  std::uint32_t racks = 0;
  for (const NodeGroup& group : platform.nodes) {
    NodeInfo node;
    if (group.gpu) {
      const auto model =
          std::find(layout.gpu_models.begin(), layout.gpu_models.end(), group.gpu->model);
      node.gpu_count = static_cast<std::uint32_t>(group.gpu->count);
      node.gpu_model = GpuModelId{static_cast<std::uint16_t>(model - layout.gpu_models.begin())};
    }
    node.cpus = group.cpus.value_or(node.cpus);
    node.memory = group.memory.value_or(node.memory);
    // A group starts a rack of its own: unlike nodes are not racked together unasked.
    const auto per_rack = static_cast<std::uint32_t>(group.nodes_per_rack.value_or(0));
    for (std::size_t i = 0; i < group.names.size(); ++i) {
      node.rack =
          per_rack == 0 ? kNoRack : RackId{racks + static_cast<std::uint32_t>(i) / per_rack};
      layout.nodes.push_back(node);
      layout.node_names.push_back(group.names[i]);
    }
    if (per_rack != 0) {
      racks += (static_cast<std::uint32_t>(group.names.size()) + per_rack - 1) / per_rack;
    }
  }
  layout.rack_count = racks;
}

// Leaves fill in node order; a node that does not fit opens the next one.
void fill_leaves(const Platform& platform, const Fabric& fabric, ClusterLayout& layout) {
  const bool one_leaf = fabric.topology.kind == TopologyKind::kSingle ||
                        fabric.topology.kind == TopologyKind::kDualLeaf;
  const std::int32_t ports = platforms::down_ports(fabric.topology);
  std::size_t node = 0;
  std::uint32_t leaf = 0;
  std::int32_t used = 0;
  for (const NodeGroup& group : platform.nodes) {
    const std::int32_t need = platforms::ports_per_leaf(group, fabric);
    for (std::size_t i = 0; i < group.names.size(); ++i, ++node) {
      if (need == 0) {
        continue;
      }
      if (!one_leaf && ports > 0 && used > 0 && used + need > ports) {
        ++leaf;
        used = 0;
      }
      used += need;
      layout.nodes[node].leaf = LeafId{leaf};
      layout.leaf_count = leaf + 1;
    }
  }
}

void add_leaves(const Platform& platform, ClusterLayout& layout) {
  const Fabric* fabric = platforms::compute_fabric(platform);
  if (fabric == nullptr) {
    return;
  }
  const Topology& topology = fabric->topology;
  if (!topology.leaf_of.empty()) {
    for (const platforms::LeafMembers& members : topology.leaf_of) {
      for (const std::uint32_t node : members.nodes) {
        WEFT_ASSERT(node < layout.nodes.size(), "leaf_of names node " + std::to_string(node));
        layout.nodes[node].leaf = LeafId{layout.leaf_count};
      }
      ++layout.leaf_count;
    }
  } else if (topology.kind != TopologyKind::kFile) {
    fill_leaves(platform, *fabric, layout);
  }
  if (topology.tiers < 3) {
    return;
  }
  // pod_leaves counts switches; one locality unit is `rails` of them.
  const auto leaves_per_pod =
      static_cast<std::uint32_t>(std::max(topology.pod_leaves / topology.rails, 1));
  for (NodeInfo& node : layout.nodes) {
    if (node.leaf != kNoLeaf) {
      node.spine = SpineId{static_cast<std::uint32_t>(index(node.leaf)) / leaves_per_pod};
    }
  }
}

}  // namespace

ClusterLayout make_layout(const Platform& platform) {
  ClusterLayout layout;
  layout.name = platform.name;
  add_nodes(platform, layout);
  add_leaves(platform, layout);
  layout.partitions.reserve(platform.partitions.size());
  for (const platforms::Partition& partition : platform.partitions) {
    PartitionInfo info;
    info.name = partition.name;
    info.nodes.reserve(partition.nodes.size());
    for (const std::uint32_t node : partition.nodes) {
      WEFT_ASSERT(node < layout.nodes.size(), "partition names node " + std::to_string(node));
      info.nodes.push_back(NodeId{node});
    }
    info.max_limit = partition.max_time.value_or(kUnlimited);
    info.default_limit = partition.default_time;
    layout.partitions.push_back(std::move(info));
  }
  finish_layout(layout);
  return layout;
}

}  // namespace weft::topology
