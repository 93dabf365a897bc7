// What placement.cpp and fits.cpp share: how much of a request one node can take. Not for others.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/cluster.hpp"
#include "base/job.hpp"
#include "schedulers/cluster_state.hpp"
#include "schedulers/placement.hpp"

namespace weft::schedulers {

constexpr std::int64_t kWholeGpu = 1000;

inline bool wants_part(const RequestShape& shape) {
  return shape.kind == RequestShape::Kind::kPerNode && shape.gpus.raw() > 0 &&
         shape.gpus.raw() < kWholeGpu;
}

// Whole GPUs wanted on each node (kAnyGpus: in total). A node given away whole has at least the
// GPUs asked for, so a part counts as one there.
inline std::int64_t whole_gpus(const RequestShape& shape) {
  return (shape.gpus.raw() + kWholeGpu - 1) / kWholeGpu;
}

// False for requests that name no nodes or GPUs at all, or GPUs in amounts that no cluster gives.
inline bool makes_sense(const RequestShape& shape) {
  if (shape.gpus.raw() < 0) {
    return false;
  }
  if (shape.kind == RequestShape::Kind::kAnyGpus) {
    return shape.gpus.raw() > 0 && shape.gpus.raw() % kWholeGpu == 0;
  }
  return shape.nodes > 0 && (shape.gpus.raw() < kWholeGpu || shape.gpus.raw() % kWholeGpu == 0);
}

// How many times `each` goes into `amount`.
inline std::int64_t quotient(std::int64_t amount, std::int64_t each) {
  return each <= 0 ? INT64_MAX : std::max<std::int64_t>(amount, 0) / each;
}

// GPUs that a node can give to a request for GPUs anywhere, of `free` ones.
inline std::uint32_t gpus_of_node(const RequestShape& shape,
                                  std::uint32_t free,
                                  std::int64_t cpus,
                                  std::int64_t memory) {
  const std::int64_t can = std::min(
      {std::int64_t{free}, quotient(cpus, shape.cpus.raw()), quotient(memory, shape.memory.raw())});
  return static_cast<std::uint32_t>(can);
}
inline std::uint32_t gpus_of_node(const ClusterState& state,
                                  const RequestShape& shape,
                                  NodeId node) {
  return gpus_of_node(shape,
                      state.free_whole_gpus(node),
                      state.free_cpus(node).raw(),
                      state.free_memory(node).raw());
}

inline bool cpus_and_memory_fit(const ClusterState& state, const RequestShape& shape, NodeId node) {
  return state.free_cpus(node) >= shape.cpus && state.free_memory(node) >= shape.memory;
}

// Whether the node can be one of a kPerNode or kWholeNodes request's nodes, on whole GPUs.
inline bool node_takes(const ClusterState& state, const RequestShape& shape, NodeId node) {
  if (std::int64_t{state.free_whole_gpus(node)} < whole_gpus(shape) ||
      !cpus_and_memory_fit(state, shape, node)) {
    return false;
  }
  if (shape.kind != RequestShape::Kind::kWholeNodes) {
    return true;
  }
  const NodeInfo& info = state.layout().node(node);
  return state.jobs_on(node) == 0 && state.free_whole_gpus(node) == info.gpu_count &&
         state.free_cpus(node) == info.cpus && state.free_memory(node) == info.memory;
}

// Whether having the GPUs is all a node needs.
inline bool gpus_suffice(const RequestShape& shape) {
  return shape.kind != RequestShape::Kind::kWholeNodes && shape.cpus.raw() == 0 &&
         shape.memory.raw() == 0;
}

inline bool cell_allowed(const ClusterLayout& layout,
                         const RequestShape& shape,
                         const NodeInfo& node,
                         Rules rules) {
  if (rules == Rules::kApply) {
    return allowed_in_cell(layout, shape, node);
  }
  return node.gpu_count > 0 || shape.gpus.raw() == 0;
}

inline bool cell_allowed(const ClusterState& state,
                         const RequestShape& shape,
                         std::uint32_t cell,
                         Rules rules) {
  const auto nodes = state.cell_nodes(cell);
  return !nodes.empty() &&
         cell_allowed(state.layout(), shape, state.layout().node(nodes.front()), rules);
}

}  // namespace weft::schedulers
