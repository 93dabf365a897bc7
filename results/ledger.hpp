// The GPU-second ledger: every thousandth of every installed GPU is, at every instant, in exactly
// one account. Amounts are integers (thousandths of a GPU x ns), and close() checks that they sum
// to installed GPUs x time exactly, per GPU model and partition (docs/ledger.md).
//
// The engine says where idle GPUs belong (sim/observer.hpp); the time jobs hold is booked here when
// they end. Amounts are kept per slot: a GPU model in a partition that lists nodes with it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/allocation.hpp"
#include "base/cluster.hpp"
#include "base/job.hpp"
#include "base/units.hpp"
#include "results/accounts.hpp"
#include "results/window.hpp"
#include "sim/observer.hpp"

namespace weft::results {

struct LedgerSlot {
  GpuModelId gpu_model{};
  PartitionId partition{};  // kNoPartition: nodes that no partition lists
};

// The part of an allocation that lies in one slot.
struct HeldShare {
  std::uint32_t slot = 0;
  GpuShare requested;
  GpuShare unused;  // allocated with whole nodes, but not asked for
};

class Ledger {
 public:
  // `layout` must outlive the ledger. Time before `begin` and outside `window` is not booked.
  Ledger(const ClusterLayout& layout, SimTime begin, Measure window);

  // Splits an allocation by slot: the job's partition, else the first that lists the node; the
  // node's GPU model. Valid until the next call.
  [[nodiscard]] std::span<const HeldShare> split(const Allocation& where,
                                                 const RequestShape& shape);

  void job_starts(GpuShare held);
  // Books [started, now): requested shares to the account of the work (account_of_work), the rest
  // to unused_allocation.
  void job_ends(std::span<const HeldShare> held, SimTime started, SimTime now, sim::JobState state);
  // The split of all idle GPUs from `now` on. Checks that idle and held shares make up the cluster.
  void idle_changes(SimTime now, std::span<const sim::IdleShare> split);
  // Ends the books and checks conservation.
  void close(SimTime horizon);

  [[nodiscard]] const std::vector<LedgerSlot>& slots() const { return slots_; }
  [[nodiscard]] GpuTime time(Account account, std::size_t slot) const {
    return times_[index(account) * slots_.size() + slot];
  }
  [[nodiscard]] GpuTime total(Account account) const;
  [[nodiscard]] GpuTime unfinished() const { return unfinished_; }  // of jobs cut by the horizon
  [[nodiscard]] Duration length() const { return end_ - begin_; }   // after close()
  [[nodiscard]] GpuTime installed() const;                          // installed GPUs x length()

 private:
  struct IdleEntry {
    std::size_t at;  // in times_
    GpuShare gpus;
  };

  [[nodiscard]] std::uint32_t slot_of(GpuModelId model, PartitionId partition) const;
  [[nodiscard]] GpuTime& amount(Account account, std::size_t slot) {
    return times_[index(account) * slots_.size() + slot];
  }
  void book_idle(SimTime until);
  void check_conservation() const;

  const ClusterLayout* layout_;
  Measure window_;
  SimTime begin_;  // clipped to the window
  SimTime end_;
  std::vector<LedgerSlot> slots_;
  std::vector<std::uint32_t> slot_index_;  // model x (partitions + 1) -> slot
  std::vector<std::uint32_t> first_slot_;  // cell -> slot of the first partition that lists it
  std::vector<GpuTime> times_;             // account x slot
  std::vector<IdleEntry> idle_;            // since idle_since_
  SimTime idle_since_;
  GpuShare held_;  // by running jobs, now
  GpuTime unfinished_;
  std::vector<HeldShare> scratch_;
};

}  // namespace weft::results
