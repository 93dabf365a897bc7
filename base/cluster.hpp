// The cluster as policies, the engine and the ledger see it: nodes in order, their GPUs numbered
// through, and who is near whom. Built once from a platform (topology/layout.hpp); immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"

namespace weft {

struct NodeInfo {
  GpuIndex first_gpu{};
  std::uint32_t gpu_count = 0;
  GpuModelId gpu_model{};                             // meaningless if gpu_count == 0
  CpuShare cpus = CpuShare::from_raw(INT64_MAX / 4);  // default: does not bind (flat pools)
  Bytes memory = Bytes::from_raw(INT64_MAX / 4);
  LeafId leaf = kNoLeaf;
  SpineId spine = kNoSpine;
  RackId rack = kNoRack;
  std::uint32_t cell = 0;  // nodes alike in GPU model and partitions; see Cell
};

struct PartitionInfo {
  std::string name;
  std::vector<NodeId> nodes;        // ascending
  Duration max_limit = kUnlimited;  // jobs that ask for more are rejected
  std::optional<Duration> default_limit;
};

// A class of nodes that no rule tells apart: same GPU model, same set of partitions. The ledger
// counts idle GPUs by cell.
struct Cell {
  GpuModelId gpu_model{};
  std::vector<PartitionId> partitions;  // that list its nodes, ascending
  GpuShare gpus;                        // installed
};

struct ClusterLayout {
  std::string name;
  std::vector<NodeInfo> nodes;
  std::vector<std::string> node_names;
  std::vector<std::string> gpu_models;
  std::vector<PartitionInfo> partitions;  // never empty; without any configured: one named "all"
  std::vector<Cell> cells;
  std::uint32_t gpu_count = 0;
  std::uint32_t leaf_count = 0;
  std::uint32_t rack_count = 0;
  bool flat_pool = false;  // flat:N: one node of N processors; a job may take any of them

  [[nodiscard]] const NodeInfo& node(NodeId id) const { return nodes[index(id)]; }
  [[nodiscard]] std::optional<PartitionId> find_partition(std::string_view partition) const;
};

// Fills gpu_count, first_gpu of the nodes, cells and each node's cell from nodes and partitions.
// Adds the partition "all" if there is none.
void finish_layout(ClusterLayout& layout);

// One pool of `processors` interchangeable processors (flat:N).
[[nodiscard]] ClusterLayout flat_pool(std::uint32_t processors);

}  // namespace weft
