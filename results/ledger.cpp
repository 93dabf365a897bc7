#include "results/ledger.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/errors.hpp"
#include "base/quantity.hpp"

namespace weft::results {

namespace {

constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;

PartitionId first_partition(const Cell& cell) {
  return cell.partitions.empty() ? kNoPartition : cell.partitions.front();
}

}  // namespace

Ledger::Ledger(const ClusterLayout& layout, SimTime begin, Measure window)
    : layout_(&layout),
      window_(window),
      begin_(window.clip(begin)),
      end_(begin_),
      idle_since_(begin_) {
  std::set<std::pair<GpuModelId, PartitionId>> pairs;  // kNoPartition sorts last
  for (const Cell& cell : layout.cells) {
    if (cell.gpus.raw() > 0) {
      pairs.emplace(cell.gpu_model, first_partition(cell));
      for (const PartitionId partition : cell.partitions) {
        pairs.emplace(cell.gpu_model, partition);
      }
    }
  }
  slot_index_.assign(layout.gpu_models.size() * (layout.partitions.size() + 1), kNoSlot);
  for (const auto& [model, partition] : pairs) {
    const std::size_t row = std::min(weft::index(partition), layout.partitions.size());
    slot_index_[weft::index(model) * (layout.partitions.size() + 1) + row] =
        static_cast<std::uint32_t>(slots_.size());
    slots_.push_back({model, partition});
  }
  for (const Cell& cell : layout.cells) {
    first_slot_.push_back(cell.gpus.raw() > 0 ? slot_of(cell.gpu_model, first_partition(cell))
                                              : kNoSlot);
  }
  times_.resize(kAccounts * slots_.size());
}

std::uint32_t Ledger::slot_of(GpuModelId model, PartitionId partition) const {
  const std::size_t partitions = layout_->partitions.size();
  const std::size_t row = std::min(weft::index(partition), partitions);
  const std::size_t at = weft::index(model) * (partitions + 1) + row;
  WEFT_ASSERT(at < slot_index_.size() && slot_index_[at] != kNoSlot,
              "no GPU of model " + std::to_string(weft::index(model)) + " in partition " +
                  std::to_string(weft::index(partition)));
  return slot_index_[at];
}

std::span<const HeldShare> Ledger::split(const Allocation& where, const RequestShape& shape) {
  scratch_.clear();
  const bool whole_nodes = shape.kind == RequestShape::Kind::kWholeNodes;
  if (slots_.size() == 1 && !whole_nodes) {  // one kind of GPU: nothing to look up
    if (const GpuShare held = where.total_share(); held.raw() > 0) {
      scratch_.push_back({0, held, GpuShare{}});
    }
    return scratch_;
  }
  std::size_t n = 0;  // position in where.nodes
  std::uint32_t node_end = 0;
  std::uint32_t slot = kNoSlot;
  for (const GpuRange& range : where.gpus) {
    if (slot == kNoSlot || range.first >= node_end) {
      const NodeInfo* node = nullptr;
      for (; n < where.nodes.size(); ++n) {
        node = &layout_->node(where.nodes[n]);
        node_end = static_cast<std::uint32_t>(weft::index(node->first_gpu)) + node->gpu_count;
        if (range.first < node_end) {
          break;
        }
      }
      WEFT_ASSERT(n < where.nodes.size(),
                  "GPU " + std::to_string(range.first) + " lies on no node of the allocation");
      slot = shape.partition == kNoPartition ? first_slot_[node->cell]
                                             : slot_of(node->gpu_model, shape.partition);
    }
    const GpuShare held = where.share * range.count;
    // A node given away whole is one range.
    const GpuShare requested = whole_nodes ? std::min(shape.gpus, held) : held;
    if (scratch_.empty() || scratch_.back().slot != slot) {
      scratch_.push_back({slot, GpuShare{}, GpuShare{}});
    }
    scratch_.back().requested += requested;
    scratch_.back().unused += held - requested;
  }
  return scratch_;
}

void Ledger::job_starts(GpuShare held) {
  held_ += held;
}

void Ledger::job_ends(std::span<const HeldShare> held,
                      SimTime started,
                      SimTime now,
                      sim::JobState state) {
  const Duration booked = window_.clip(now) - window_.clip(started);
  const Account work = account_of_work(state);
  for (const HeldShare& share : held) {
    amount(work, share.slot) += share.requested * booked;
    if (share.unused.raw() > 0) {
      amount(Account::kUnusedAllocation, share.slot) += share.unused * booked;
    }
    held_ -= share.requested + share.unused;
    if (state == sim::JobState::kRunning) {
      unfinished_ += (share.requested + share.unused) * booked;
    }
  }
}

void Ledger::idle_changes(SimTime now, std::span<const sim::IdleShare> split) {
  book_idle(now);
  idle_.clear();
  GpuShare sum = held_;
  for (const sim::IdleShare& share : split) {
    const std::size_t slot = slot_of(share.gpu_model, share.partition);
    idle_.push_back({index(account_of(share.account)) * slots_.size() + slot, share.gpus});
    sum += share.gpus;
  }
  WEFT_ASSERT(sum == gpus(layout_->gpu_count),
              "at " + seconds_text(now.since_start()) + " s idle and held GPUs are " +
                  std::to_string(sum.raw()) + " thousandths, " + std::to_string(held_.raw()) +
                  " of them held, but " + std::to_string(layout_->gpu_count) +
                  " GPUs are installed");
}

void Ledger::book_idle(SimTime until) {
  const SimTime clipped = window_.clip(until);
  const Duration booked = clipped - idle_since_;
  idle_since_ = clipped;
  for (const IdleEntry& entry : idle_) {
    times_[entry.at] += entry.gpus * booked;
  }
}

void Ledger::close(SimTime horizon) {
  book_idle(horizon);
  end_ = window_.clip(horizon);
  check_conservation();
}

GpuTime Ledger::total(Account account) const {
  GpuTime sum;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    sum += time(account, slot);
  }
  return sum;
}

GpuTime Ledger::installed() const {
  return gpus(layout_->gpu_count) * length();
}

// Where partitions overlap, a GPU's time belongs to the partition of whoever holds or claims it: a
// partition then has at least the time of the GPUs it alone lists, at most that of all it lists.
// Without overlap the two are equal. Per GPU model the sum is always exact.
void Ledger::check_conservation() const {
  std::vector<GpuShare> at_least(slots_.size());
  std::vector<GpuShare> at_most(slots_.size());
  std::vector<GpuShare> by_model(layout_->gpu_models.size());
  for (const Cell& cell : layout_->cells) {
    if (cell.gpus.raw() == 0) {
      continue;
    }
    by_model[weft::index(cell.gpu_model)] += cell.gpus;
    if (cell.partitions.size() <= 1) {
      at_least[slot_of(cell.gpu_model, first_partition(cell))] += cell.gpus;
    }
    if (cell.partitions.empty()) {
      at_most[slot_of(cell.gpu_model, kNoPartition)] += cell.gpus;
    }
    for (const PartitionId partition : cell.partitions) {
      at_most[slot_of(cell.gpu_model, partition)] += cell.gpus;
    }
  }
  std::vector<GpuTime> booked_by_model(by_model.size());
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    GpuTime booked;
    for (std::size_t a = 0; a < kAccounts; ++a) {
      booked += time(account_at(a), slot);
    }
    booked_by_model[weft::index(slots_[slot].gpu_model)] += booked;
    WEFT_ASSERT(at_least[slot] * length() <= booked && booked <= at_most[slot] * length(),
                "slot " + std::to_string(slot) + " has " + to_text(booked.raw()) +
                    " thousandth-ns; it may have " + to_text((at_least[slot] * length()).raw()) +
                    " to " + to_text((at_most[slot] * length()).raw()));
  }
  for (std::size_t model = 0; model < by_model.size(); ++model) {
    WEFT_ASSERT(booked_by_model[model] == by_model[model] * length(),
                "GPU model " + layout_->gpu_models[model] + " has " +
                    to_text(booked_by_model[model].raw()) + " thousandth-ns booked, not " +
                    to_text((by_model[model] * length()).raw()));
  }
}

}  // namespace weft::results
