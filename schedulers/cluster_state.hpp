// Free resources of a cluster, now. The engine owns the one that is true; policies read it.
//
// Cost: take and give_back are O(nodes and GPU ranges of the allocation); the per-node readers are
// O(1). Searching for nodes is placement's business (schedulers/placement.hpp), on the indexes
// kept here: the nodes of each cell by number of free whole GPUs, and the partly used GPUs by what
// is left of them. All but copying and the first use of a share is free of allocation.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/allocation.hpp"
#include "base/cluster.hpp"
#include "base/job.hpp"
#include "schedulers/index_set.hpp"

namespace weft::schedulers {

class ClusterState {
 public:
  explicit ClusterState(const ClusterLayout& layout);

  [[nodiscard]] const ClusterLayout& layout() const { return *layout_; }

  [[nodiscard]] std::uint32_t free_whole_gpus(NodeId node) const {
    return nodes_[index(node)].free_whole;
  }
  [[nodiscard]] GpuShare free_share(GpuIndex gpu) const;
  [[nodiscard]] CpuShare free_cpus(NodeId node) const {
    return CpuShare::from_raw(nodes_[index(node)].cpus);
  }
  [[nodiscard]] Bytes free_memory(NodeId node) const {
    return Bytes::from_raw(nodes_[index(node)].memory);
  }
  // 0: may be given away whole.
  [[nodiscard]] std::uint32_t jobs_on(NodeId node) const { return nodes_[index(node)].jobs; }

  [[nodiscard]] GpuShare free_total() const { return free_total_; }
  [[nodiscard]] GpuShare free_in_cell(std::uint32_t cell) const { return free_in_cell_[cell]; }

  // Empty if `where` gives `shape` exactly what it asks for out of what is free and allowed;
  // else what is wrong, with the values.
  [[nodiscard]] std::string check(const RequestShape& shape, const Allocation& where) const;
  void take(const RequestShape& shape, const Allocation& where);       // after check()
  void give_back(const RequestShape& shape, const Allocation& where);  // what take() took

  // ---- For placement and plans ----

  // Part of a node, by amounts: what a plan keeps back. `gpus` are wanted in full or in part
  // (all of one share). Counts as no job.
  struct Part {
    NodeId node{};
    std::span<const GpuRange> gpus;
    GpuShare share = weft::gpus(1);
    CpuShare cpus;
    Bytes memory;
  };
  void take_part(const Part& part);
  void give_back_part(const Part& part);

  // Whole GPUs that are free, by GpuIndex.
  [[nodiscard]] const IndexSet& free_gpus() const { return free_gpus_; }

  // The index over nodes; a flat pool (one node) has none. Positions are those in cell_nodes().
  // A node with `free` whole GPUs is at level_of(free); the last level holds all with more.
  static constexpr std::uint32_t kMaxLevel = 255;
  [[nodiscard]] static std::uint32_t level_of(std::uint32_t free) {
    return free < kMaxLevel ? free : kMaxLevel;
  }
  [[nodiscard]] std::uint32_t cell_count() const {
    return static_cast<std::uint32_t>(cell_nodes_.size());
  }
  [[nodiscard]] std::span<const NodeId> cell_nodes(std::uint32_t cell) const {
    return cell_nodes_[cell];
  }
  [[nodiscard]] std::uint32_t levels(std::uint32_t cell) const {
    return static_cast<std::uint32_t>(nodes_at_[cell].size());
  }
  [[nodiscard]] const IndexSet& nodes_at(std::uint32_t cell, std::uint32_t level) const {
    return nodes_at_[cell][level];
  }
  [[nodiscard]] const IndexSet& idle_nodes(std::uint32_t cell) const { return idle_[cell]; }

  // Nodes alike in leaf and cell, with how many of them are at each level. Ordered by leaf, then
  // cell; nodes without a leaf come last, as one leaf.
  struct Group {
    LeafId leaf = kNoLeaf;
    std::uint32_t cell = 0;
  };
  [[nodiscard]] std::span<const Group> groups() const { return groups_; }
  [[nodiscard]] std::span<const std::uint32_t> group_counts(std::size_t group) const {
    return {group_counts_.data() + group * group_levels_, group_levels_};
  }
  [[nodiscard]] std::span<const NodeId> group_nodes(std::size_t group) const {
    return group_nodes_[group];
  }

  // Partly used GPUs (by GpuIndex) with exactly `free` thousandths left, and the smallest such
  // value >= `at_least` that any GPU has (1000 if none).
  [[nodiscard]] std::uint32_t next_partial_value(std::uint32_t at_least) const;
  [[nodiscard]] const IndexSet& partial_gpus(std::uint32_t free) const {
    return partial_gpus_[free];
  }
  [[nodiscard]] NodeId node_of(GpuIndex gpu) const;

 private:
  struct Node {
    std::uint32_t free_whole = 0;
    std::uint32_t jobs = 0;
    std::int64_t cpus = 0;
    std::int64_t memory = 0;
    std::uint32_t cell = 0;
    std::uint32_t position = 0;  // in cell_nodes_[cell]
    std::uint32_t group = 0;
  };
  enum class Change { kTake, kGiveBack };

  void build_index();
  template <Change kChange>
  void change(const RequestShape& shape, const Allocation& where);
  template <Change kChange>
  void change_gpus(Node& node, GpuRange range, std::uint32_t share);
  void set_partial(std::uint32_t gpu, std::uint32_t from, std::uint32_t to);
  void reindex(const Node& node, std::uint32_t was_free, std::uint32_t had_jobs);

  [[nodiscard]] std::string check_ranges(const Allocation& where) const;
  [[nodiscard]] std::string check_node(const RequestShape& shape,
                                       const Allocation& where,
                                       NodeId id,
                                       std::span<const GpuRange> gpus_here) const;
  [[nodiscard]] std::string describe(NodeId node) const;

  const ClusterLayout* layout_;
  GpuShare free_total_;
  std::vector<GpuShare> free_in_cell_;

  std::vector<Node> nodes_;
  IndexSet free_gpus_;
  std::vector<std::uint16_t> partial_;  // free thousandths of partly used GPUs; empty until one is
  std::vector<IndexSet> partial_gpus_;  // by value; the same
  std::array<std::uint64_t, 16> partial_values_ = {};  // bit v: partial_gpus_[v] is not empty

  std::vector<std::vector<NodeId>> cell_nodes_;
  std::vector<std::vector<IndexSet>> nodes_at_;  // [cell][level]
  std::vector<IndexSet> idle_;                   // [cell]
  std::vector<Group> groups_;
  std::vector<std::vector<NodeId>> group_nodes_;  // ascending
  std::vector<std::uint32_t> group_counts_;
  std::size_t group_levels_ = 0;
};

// CPUs and memory that one node gives to a job of `shape` with `gpu_count` GPUs on it.
struct NodeAmounts {
  CpuShare cpus;
  Bytes memory;
};
[[nodiscard]] NodeAmounts amounts_on(const RequestShape& shape,
                                     const NodeInfo& node,
                                     std::int64_t gpu_count);

// Whether a rule, not room, keeps the shape off the nodes of a cell: the GPU model and partition
// rules. CPU-only nodes are open to requests without GPUs and without a model only.
[[nodiscard]] bool allowed_in_cell(const ClusterLayout& layout,
                                   const RequestShape& shape,
                                   const NodeInfo& any_node_of_it);

}  // namespace weft::schedulers
