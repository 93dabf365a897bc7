// Why GPUs are idle, now: the split of all idle GPU shares over the idle accounts of the ledger.
//
// The rule (docs/ledger.md): walk the accounts policy, reserved, fragmented, draining,
// scheduler_latency in this order, and in each the waiting jobs in queue order (the
// order in which they became eligible). A job has one verdict:
//   policy             it would start now if its GPU-model and partition rules were lifted
//   reserved           it would start now, but the policy keeps the resources for a plan
//   fragmented         enough GPUs are free where it may run, but not in the shape it needs
//   draining           too few GPUs are free where it may run
//   scheduler_latency  it would start now; the policy has not looked at it yet
// and claims min(its demand, unclaimed idle shares it may use). Nobody's claim: no_demand.
// A claimed share belongs to the claiming job's partition, else to the first partition that lists
// the node.
//
// All waiting jobs of one shape get the same verdict but for the policy's hold(), so the work is by
// shape: O(shapes that wait) an instant, plus one step for each claim.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cluster.hpp"
#include "base/job.hpp"
#include "schedulers/cluster_state.hpp"
#include "schedulers/scheduler.hpp"
#include "sim/observer.hpp"

namespace weft::sim {

class IdleClaims {
 public:
  IdleClaims(const ClusterLayout& layout,
             const Workload& workload,
             const schedulers::ClusterState& state,
             const schedulers::Scheduler& policy);

  void job_waits(JobId job);
  void job_leaves(JobId job);  // started, rejected or cancelled

  // The split now; valid until the next call. Sorted by (account, model, partition).
  std::span<const IdleShare> split();
  // Whether the last split() differs from the one before.
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  struct Entry {  // a job in the queue; stale once the job has left, even if it comes back
    JobId job{};
    std::uint64_t arrival = 0;
  };
  struct WaitingShape {
    ShapeId shape{};
    GpuShare demand;                           // of one job
    std::vector<std::uint64_t> cells_allowed;  // bitset over cells
    std::vector<Entry> queue;                  // in queue order, from `first` on; some are stale
    std::size_t first = 0;
    std::uint32_t waiting = 0;  // jobs that still wait
    IdleAccount verdict{};
  };

  [[nodiscard]] IdleAccount verdict_of(const WaitingShape& waiting) const;
  [[nodiscard]] bool waits(const Entry& entry) const {
    return arrival_[index(entry.job)] == entry.arrival;
  }
  void compact(WaitingShape& waiting) const;
  void claim_in_queue_order(IdleAccount account);
  void claim(const WaitingShape& waiting, IdleAccount account);
  [[nodiscard]] bool may_use(const WaitingShape& waiting, std::size_t cell) const;
  void add(IdleAccount account, std::size_t cell, PartitionId partition, GpuShare share);
  void split_one_cell(GpuShare idle);
  void split_cells();

  const ClusterLayout& layout_;
  const Workload& workload_;
  const schedulers::ClusterState& state_;
  const schedulers::Scheduler& policy_;

  std::vector<std::uint64_t> arrival_;  // by job: its turn in queue order; 0: not waiting
  std::uint64_t last_arrival_ = 0;
  std::vector<std::int32_t> slot_of_shape_;  // index into shapes_, or -1
  std::vector<WaitingShape> shapes_;
  std::vector<std::uint32_t> active_;  // shapes with waiting jobs that want GPUs, by demand
  std::vector<GpuShare> unclaimed_;    // by cell
  std::size_t partitions_ = 0;
  std::size_t gpu_cells_ = 0;  // cells that have GPUs
  std::size_t only_gpu_cell_ = 0;
  std::vector<GpuShare> totals_;  // [account][model][partition], see add()
  std::vector<IdleShare> split_;
  std::vector<IdleShare> previous_;
  bool changed_ = false;

  struct Turn {  // a shape's next job in the walk in queue order
    Entry entry;
    std::uint32_t shape = 0;
    std::size_t position = 0;
  };
  std::vector<Turn> turns_;
};

}  // namespace weft::sim
