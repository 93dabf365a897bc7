#include "sim/idle_claims.hpp"

#include <algorithm>
#include <functional>

#include "base/errors.hpp"
#include "schedulers/placement.hpp"

namespace weft::sim {

IdleClaims::IdleClaims(const ClusterLayout& layout,
                       const Workload& workload,
                       const schedulers::ClusterState& state,
                       const schedulers::Scheduler& policy)
    : layout_(layout),
      workload_(workload),
      state_(state),
      policy_(policy),
      arrival_(workload.jobs.size(), 0),
      slot_of_shape_(workload.shapes.size(), -1),
      unclaimed_(layout.cells.size()),
      partitions_(layout.partitions.size()),
      totals_(kIdleAccounts * layout.gpu_models.size() * (layout.partitions.size() + 1)) {
  for (std::size_t c = 0; c < layout.cells.size(); ++c) {
    if (layout.cells[c].gpus > GpuShare{}) {
      ++gpu_cells_;
      only_gpu_cell_ = c;
    }
  }
}

bool IdleClaims::may_use(const WaitingShape& waiting, std::size_t cell) const {
  return (waiting.cells_allowed[cell / 64] >> (cell % 64) & 1U) != 0;
}

void IdleClaims::job_waits(JobId job) {
  const ShapeId shape = workload_.job(job).shape;
  std::int32_t& slot = slot_of_shape_[index(shape)];
  if (slot < 0) {
    slot = static_cast<std::int32_t>(shapes_.size());
    WaitingShape waiting;
    waiting.shape = shape;
    const RequestShape& request = workload_.shapes[index(shape)];
    waiting.demand = total_gpus(request);
    waiting.cells_allowed.resize(layout_.cells.size() / 64 + 1);
    for (std::size_t c = 0; c < layout_.cells.size(); ++c) {
      const Cell& cell = layout_.cells[c];
      const bool model_allowed = (request.gpu_models >> index(cell.gpu_model) & 1U) != 0;
      const bool partition_allowed =
          request.partition == kNoPartition ||
          std::binary_search(cell.partitions.begin(), cell.partitions.end(), request.partition);
      if (cell.gpus > GpuShare{} && model_allowed && partition_allowed) {
        waiting.cells_allowed[c / 64] |= std::uint64_t{1} << (c % 64);
      }
    }
    shapes_.push_back(std::move(waiting));
  }
  WaitingShape& waiting = shapes_[static_cast<std::size_t>(slot)];
  if (waiting.demand == GpuShare{}) {
    return;  // wants no GPU, claims none
  }
  arrival_[index(job)] = ++last_arrival_;
  waiting.queue.push_back(Entry{job, last_arrival_});
  if (waiting.waiting++ == 0) {
    const auto by_demand = [this](std::uint32_t a, std::uint32_t b) {
      return shapes_[a].demand != shapes_[b].demand ? shapes_[a].demand < shapes_[b].demand : a < b;
    };
    const auto id = static_cast<std::uint32_t>(slot);
    active_.insert(std::lower_bound(active_.begin(), active_.end(), id, by_demand), id);
  }
}

void IdleClaims::job_leaves(JobId job) {
  if (arrival_[index(job)] == 0) {
    return;
  }
  arrival_[index(job)] = 0;
  const auto slot = static_cast<std::uint32_t>(slot_of_shape_[index(workload_.job(job).shape)]);
  WaitingShape& waiting = shapes_[slot];
  if (--waiting.waiting == 0) {
    waiting.queue.clear();
    waiting.first = 0;
    active_.erase(std::find(active_.begin(), active_.end(), slot));
    return;
  }
  compact(waiting);
}

// Entries of jobs that have left stay until they are more than half of the list, so that leaving
// costs O(1) on average.
void IdleClaims::compact(WaitingShape& waiting) const {
  while (!waits(waiting.queue[waiting.first])) {
    ++waiting.first;
  }
  if (waiting.queue.size() > 2 * static_cast<std::size_t>(waiting.waiting) + 16) {
    std::erase_if(waiting.queue, [this](const Entry& entry) { return !waits(entry); });
    waiting.first = 0;
  }
}

IdleAccount IdleClaims::verdict_of(const WaitingShape& waiting) const {
  const RequestShape& request = workload_.shapes[index(waiting.shape)];
  if (schedulers::fits_now(state_, request)) {
    return IdleAccount::kReserved;  // or scheduler_latency: hold() tells, job by job
  }
  GpuShare allowed;
  bool restricted = false;
  for (std::size_t c = 0; c < layout_.cells.size(); ++c) {
    if (may_use(waiting, c)) {
      allowed += state_.free_in_cell(static_cast<std::uint32_t>(c));
    } else if (layout_.cells[c].gpus > GpuShare{}) {
      restricted = true;
    }
  }
  if (restricted && schedulers::fits_now(state_, request, schedulers::Rules::kIgnore)) {
    return IdleAccount::kPolicy;
  }
  return allowed >= waiting.demand ? IdleAccount::kFragmented : IdleAccount::kDraining;
}

void IdleClaims::add(IdleAccount account, std::size_t cell, PartitionId partition, GpuShare share) {
  const std::size_t partition_column = partition == kNoPartition ? partitions_ : index(partition);
  const std::size_t row = static_cast<std::size_t>(account) * layout_.gpu_models.size() +
                          index(layout_.cells[cell].gpu_model);
  totals_[row * (partitions_ + 1) + partition_column] += share;
}

void IdleClaims::claim(const WaitingShape& waiting, IdleAccount account) {
  const RequestShape& request = workload_.shapes[index(waiting.shape)];
  GpuShare wanted = waiting.demand;
  const auto claim_cells = [&](bool allowed) {
    for (std::size_t c = 0; c < unclaimed_.size() && wanted > GpuShare{}; ++c) {
      if (may_use(waiting, c) != allowed || unclaimed_[c] == GpuShare{}) {
        continue;
      }
      const GpuShare share = std::min(wanted, unclaimed_[c]);
      unclaimed_[c] -= share;
      wanted -= share;
      const Cell& cell = layout_.cells[c];
      const PartitionId partition = request.partition != kNoPartition ? request.partition
                                    : cell.partitions.empty()         ? kNoPartition
                                                                      : cell.partitions.front();
      add(account, c, partition, share);
    }
  };
  if (account == IdleAccount::kPolicy) {
    claim_cells(false);  // first what the rule keeps from it
  }
  claim_cells(true);
}

void IdleClaims::claim_in_queue_order(IdleAccount account) {
  const bool fits = account == IdleAccount::kReserved || account == IdleAccount::kSchedulerLatency;
  const schedulers::Hold hold = account == IdleAccount::kReserved
                                    ? schedulers::Hold::kPlan
                                    : schedulers::Hold::kNotConsidered;
  const auto nothing_left_for = [&](const WaitingShape& waiting) {
    for (std::size_t c = 0; c < unclaimed_.size(); ++c) {
      if (unclaimed_[c] > GpuShare{} && (account == IdleAccount::kPolicy || may_use(waiting, c))) {
        return false;
      }
    }
    return true;
  };
  const auto later = [](const Turn& a, const Turn& b) { return a.entry.arrival > b.entry.arrival; };
  // The next waiting job of a shape from `position` on, if it has one.
  const auto take_turn = [&](std::uint32_t shape, std::size_t position) {
    const WaitingShape& waiting = shapes_[shape];
    while (position < waiting.queue.size() && !waits(waiting.queue[position])) {
      ++position;
    }
    if (position < waiting.queue.size()) {
      turns_.push_back(Turn{waiting.queue[position], shape, position});
      std::push_heap(turns_.begin(), turns_.end(), later);
    }
  };

  turns_.clear();
  const IdleAccount wanted_verdict = fits ? IdleAccount::kReserved : account;
  for (const std::uint32_t shape : active_) {
    if (shapes_[shape].verdict == wanted_verdict) {
      take_turn(shape, shapes_[shape].first);
    }
  }
  while (!turns_.empty()) {
    std::pop_heap(turns_.begin(), turns_.end(), later);
    const Turn turn = turns_.back();
    turns_.pop_back();
    const WaitingShape& waiting = shapes_[turn.shape];
    if (nothing_left_for(waiting)) {
      continue;  // nor for any later job of this shape
    }
    if (!fits || policy_.hold(turn.entry.job) == hold) {
      claim(waiting, account);
    }
    take_turn(turn.shape, turn.position + 1);
  }
}

// One class of GPUs and one partition: who claims first does not matter, only how much each verdict
// claims in total. This is the path of flat pools and uniform clusters.
void IdleClaims::split_one_cell(GpuShare idle) {
  std::array<GpuShare, kIdleAccounts> claimed{};
  GpuShare left = idle;
  const auto give = [&](IdleAccount account, GpuShare wanted) {
    const GpuShare share = std::min(left, wanted);
    claimed[static_cast<std::size_t>(account)] += share;
    left -= share;
  };

  std::array<GpuShare, kIdleAccounts> demand{};
  for (const std::uint32_t shape : active_) {
    WaitingShape& waiting = shapes_[shape];
    if (layout_.flat_pool && waiting.demand > idle) {
      // By demand ascending: none of the rest fits, and each alone would claim all that is left.
      demand[static_cast<std::size_t>(IdleAccount::kDraining)] += idle;
      break;
    }
    waiting.verdict = layout_.flat_pool ? IdleAccount::kReserved : verdict_of(waiting);
    if (waiting.verdict == IdleAccount::kDraining && !may_use(waiting, only_gpu_cell_)) {
      continue;
    }
    const GpuShare wanted = waiting.demand * static_cast<std::int64_t>(waiting.waiting);
    if (waiting.verdict != IdleAccount::kReserved) {
      demand[static_cast<std::size_t>(waiting.verdict)] += wanted;
      continue;
    }
    GpuShare& reserved = demand[static_cast<std::size_t>(IdleAccount::kReserved)];
    GpuShare& latency = demand[static_cast<std::size_t>(IdleAccount::kSchedulerLatency)];
    for (std::size_t i = waiting.first; i < waiting.queue.size() && reserved < idle; ++i) {
      if (waits(waiting.queue[i])) {
        const bool planned = policy_.hold(waiting.queue[i].job) == schedulers::Hold::kPlan;
        (planned ? reserved : latency) += waiting.demand;
      }
    }
  }
  for (std::size_t a = 0; a + 1 < kIdleAccounts; ++a) {
    give(static_cast<IdleAccount>(a), demand[a]);
  }
  give(IdleAccount::kNoDemand, left);

  const Cell& cell = layout_.cells[only_gpu_cell_];
  for (std::size_t a = 0; a < kIdleAccounts; ++a) {
    if (claimed[a] > GpuShare{}) {
      split_.push_back(IdleShare{
          static_cast<IdleAccount>(a), cell.gpu_model, cell.partitions.front(), claimed[a]});
    }
  }
}

void IdleClaims::split_cells() {
  std::fill(totals_.begin(), totals_.end(), GpuShare{});
  for (std::size_t c = 0; c < unclaimed_.size(); ++c) {
    unclaimed_[c] = state_.free_in_cell(static_cast<std::uint32_t>(c));
  }
  for (const std::uint32_t shape : active_) {
    shapes_[shape].verdict = verdict_of(shapes_[shape]);
  }
  for (const IdleAccount account : {IdleAccount::kPolicy,
                                    IdleAccount::kReserved,
                                    IdleAccount::kFragmented,
                                    IdleAccount::kDraining,
                                    IdleAccount::kSchedulerLatency}) {
    claim_in_queue_order(account);
  }
  for (std::size_t c = 0; c < unclaimed_.size(); ++c) {
    const Cell& cell = layout_.cells[c];
    add(IdleAccount::kNoDemand,
        c,
        cell.partitions.empty() ? kNoPartition : cell.partitions.front(),
        unclaimed_[c]);
  }
  std::size_t at = 0;
  for (std::size_t a = 0; a < kIdleAccounts; ++a) {
    for (std::size_t m = 0; m < layout_.gpu_models.size(); ++m) {
      for (std::size_t p = 0; p <= partitions_; ++p, ++at) {
        if (totals_[at] > GpuShare{}) {
          split_.push_back(IdleShare{
              static_cast<IdleAccount>(a),
              GpuModelId{static_cast<std::uint16_t>(m)},
              p == partitions_ ? kNoPartition : PartitionId{static_cast<std::uint16_t>(p)},
              totals_[at]});
        }
      }
    }
  }
}

std::span<const IdleShare> IdleClaims::split() {
  std::swap(split_, previous_);
  split_.clear();
  const GpuShare idle = state_.free_total();
  if (idle > GpuShare{}) {
    const bool one_cell =
        gpu_cells_ == 1 && partitions_ == 1 && !layout_.cells[only_gpu_cell_].partitions.empty();
    if (one_cell) {
      split_one_cell(idle);
    } else {
      split_cells();
    }
  }
  const auto same = [](const IdleShare& a, const IdleShare& b) {
    return a.account == b.account && a.gpu_model == b.gpu_model && a.partition == b.partition &&
           a.gpus == b.gpus;
  };
  changed_ = !std::equal(split_.begin(), split_.end(), previous_.begin(), previous_.end(), same);
  return split_;
}

}  // namespace weft::sim
