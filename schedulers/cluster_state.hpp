// Free resources of a cluster, now. The engine owns the one that is true; policies read it.
//
// Cost: take and give_back are O(nodes and GPU ranges of the allocation); the per-node readers are
// O(1). Searching for nodes is placement's business (schedulers/placement.hpp), on the indexes
// kept here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/allocation.hpp"
#include "base/cluster.hpp"
#include "base/job.hpp"

namespace weft::schedulers {

class ClusterState {
 public:
  explicit ClusterState(const ClusterLayout& layout);

  [[nodiscard]] const ClusterLayout& layout() const { return *layout_; }

  [[nodiscard]] std::uint32_t free_whole_gpus(NodeId node) const;
  [[nodiscard]] GpuShare free_share(GpuIndex gpu) const;
  [[nodiscard]] CpuShare free_cpus(NodeId node) const;
  [[nodiscard]] Bytes free_memory(NodeId node) const;
  [[nodiscard]] std::uint32_t jobs_on(NodeId node) const;  // 0: may be given away whole

  [[nodiscard]] GpuShare free_total() const { return free_total_; }
  [[nodiscard]] GpuShare free_in_cell(std::uint32_t cell) const { return free_in_cell_[cell]; }

  // Empty if `where` gives `shape` exactly what it asks for out of what is free and allowed;
  // else what is wrong, with the values.
  [[nodiscard]] std::string check(const RequestShape& shape, const Allocation& where) const;
  void take(const RequestShape& shape, const Allocation& where);       // after check()
  void give_back(const RequestShape& shape, const Allocation& where);  // what take() took

 private:
  const ClusterLayout* layout_;
  GpuShare free_total_;
  std::vector<GpuShare> free_in_cell_;
};

}  // namespace weft::schedulers
