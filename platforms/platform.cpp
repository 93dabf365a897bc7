#include "platforms/platform.hpp"

#include <algorithm>

namespace weft::platforms {

std::size_t node_count(const Platform& platform) {
  std::size_t n = 0;
  for (const NodeGroup& group : platform.nodes) {
    n += group.names.size();
  }
  return n;
}

std::int64_t gpu_count(const Platform& platform) {
  std::int64_t n = 0;
  for (const NodeGroup& group : platform.nodes) {
    n += group.gpu_count();
  }
  return n;
}

std::vector<std::string> gpu_models(const Platform& platform) {
  std::vector<std::string> models;
  for (const NodeGroup& group : platform.nodes) {
    if (group.gpu && std::find(models.begin(), models.end(), group.gpu->model) == models.end()) {
      models.push_back(group.gpu->model);
    }
  }
  return models;
}

const Fabric* find_fabric(const Platform& platform, std::string_view name) {
  for (const Fabric& fabric : platform.fabrics) {
    if (fabric.name == name) {
      return &fabric;
    }
  }
  return nullptr;
}

const Fabric* compute_fabric(const Platform& platform) {
  if (const Fabric* named = find_fabric(platform, "compute"); named != nullptr) {
    return named;
  }
  const Fabric* best = nullptr;
  double best_rate = 0;
  for (const Fabric& fabric : platform.fabrics) {
    double rate = 0;
    for (const NodeGroup& group : platform.nodes) {
      for (const Nics& nics : group.nics) {
        if (group.gpu && nics.fabric == fabric.name) {
          rate += static_cast<double>(group.names.size()) * nics.count * nics.rate.raw();
        }
      }
    }
    if (rate > best_rate) {
      best = &fabric;
      best_rate = rate;
    }
  }
  return best;
}

std::int32_t ports_per_leaf(const NodeGroup& group, const Fabric& fabric) {
  std::int32_t nics = 0;
  for (const Nics& set : group.nics) {
    nics += set.fabric == fabric.name ? set.count : 0;
  }
  const Topology& topology = fabric.topology;
  const std::int32_t switches = topology.kind == TopologyKind::kDualLeaf ? 2 : topology.rails;
  return (nics + switches - 1) / switches;
}

std::int32_t down_ports(const Topology& topology) {
  return topology.leaf_ports == 0 ? 0 : std::max(topology.leaf_ports - topology.uplinks, 1);
}

}  // namespace weft::platforms
