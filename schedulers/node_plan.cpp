#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "schedulers/head_plan.hpp"
#include "schedulers/release_list.hpp"

namespace weft::schedulers {

namespace {

// Node by node. A second cluster state, `beside_`, is kept equal to the true one less what must
// stay free for the head on its planned nodes; what fits there fits now and beside the head later.
//
// On a planned node, let F be what is free now, S what will be free at the planned start by
// limits, and U what the head uses. A job that runs beyond that start may use at most
// min(F, S - U), so max(0, U - (S - F)) of what is free now is kept back: GPU by GPU for shares,
// and of whole GPUs first those that are busy now. CPUs and memory likewise.
class NodePlan final : public HeadPlan {
 public:
  NodePlan(Placement placement, const ClusterView& view)
      : placer_(placement), beside_(view.state), slot_of_(view.workload.jobs.size(), 0) {
    fits_now_.resize(view.workload.shapes.size());
    fits_beside_.resize(view.workload.shapes.size());
  }

  void started(JobId job,
               const Allocation& where,
               SimTime limit_end,
               bool beside,
               const ClusterView& view) override {
    const std::uint32_t slot = new_slot();
    running_[slot].where = where;
    running_[slot].shape = view.workload.job(job).shape;
    slot_of_[index(job)] = slot;
    releases_.insert(limit_end, job, where.total_share().raw());
    ++version_;

    const RequestShape& shape = view.workload.shape_of(job);
    if (head_nodes_.empty()) {
      beside_.take(shape, where);
    } else if (beside) {
      beside_.take(shape, where);
      lower_planned(shape, where);
    } else {
      // Given back before the planned start: what is free then stays, what is free now shrinks.
      for_common_nodes(where, [this](HeadNode& node) { release_kept(node); });
      beside_.take(shape, where);
      for_common_nodes(where, [this](HeadNode& node) { keep(node); });
    }
  }

  void ended(JobId job, SimTime limit_end, const ClusterView& view) override {
    drop_plan();
    const std::uint32_t slot = slot_of_[index(job)];
    beside_.give_back(view.workload.shapes[index(running_[slot].shape)], running_[slot].where);
    releases_.erase(limit_end, job);
    free_slots_.push_back(slot);
    ++version_;
  }

  bool fits_now(ShapeId shape, const ClusterView& view) override {
    return ask(fits_now_[index(shape)], view.state, view.workload.shapes[index(shape)]);
  }

  bool fits_beside(ShapeId shape, const ClusterView& view) override {
    return ask(fits_beside_[index(shape)], beside_, view.workload.shapes[index(shape)]);
  }

  bool place(ShapeId shape, bool beside, const ClusterView& view, Allocation& out) override {
    return placer_.place(beside ? beside_ : view.state, view.workload.shapes[index(shape)], out);
  }

  SimTime plan(JobId head, const ClusterView& view) override {
    drop_plan();
    ++version_;
    const RequestShape& shape = view.workload.shape_of(head);
    const std::optional<SimTime> when = replay_releases(shape, view);
    if (when) {
      const bool placed = placer_.place(beside_, shape, where_);
      WEFT_ASSERT(
          placed,
          "room adds up but there is no place; shape of job " + std::to_string(index(head)));
      read_planned(shape, beside_);
    }
    for (std::size_t i = replayed_.size(); i-- > 0;) {
      const Running& running = running_[replayed_[i]];
      beside_.take(view.workload.shapes[index(running.shape)], running.where);
    }
    if (!when) {
      // It takes the end of jobs without a limit: everything is free at "never".
      if (!empty_) {
        empty_.emplace(view.state.layout());
      }
      const bool placed = placer_.place(*empty_, shape, where_);
      WEFT_ASSERT(
          placed,
          "a job that fits no empty cluster is in the queue: job " + std::to_string(index(head)));
      read_planned(shape, *empty_);
    }
    for (HeadNode& node : head_nodes_) {
      keep(node);
    }
    return when.value_or(kNever);
  }

  JobId planned_after() const override { return planned_after_; }

 private:
  struct Running {
    Allocation where;
    ShapeId shape{};
  };
  struct Verdict {
    std::uint64_t version = UINT64_MAX;
    bool fits = false;
  };
  struct Kept {
    std::uint32_t gpu = 0;
    std::uint32_t share = 0;
  };
  // A node of the planned place. Ranges index planned_free_ and kept_.
  struct HeadNode {
    NodeId node{};
    std::uint32_t gpus = 0;     // the head uses here: whole ones, or 1 if share < 1000
    std::uint32_t share = 0;    // of each, thousandths
    std::uint32_t part_of = 0;  // share < 1000: of this GPU
    std::size_t planned_first = 0;
    std::size_t kept_first = 0;
    std::size_t kept_count = 0;
    NodeAmounts use;
    NodeAmounts planned_free;
    NodeAmounts kept;
  };

  bool ask(Verdict& verdict, const ClusterState& state, const RequestShape& shape) const {
    if (verdict.version != version_) {
      verdict.version = version_;
      verdict.fits = schedulers::fits_now(state, shape);
    }
    return verdict.fits;
  }

  std::uint32_t new_slot() {
    if (free_slots_.empty()) {
      running_.emplace_back();
      return static_cast<std::uint32_t>(running_.size() - 1);
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }

  // Gives back on beside_, in order of limits, until the shape fits; all that end at that time
  // count. Fills replayed_ (to be undone) and planned_after_.
  std::optional<SimTime> replay_releases(const RequestShape& shape, const ClusterView& view) {
    replayed_.clear();
    const std::int64_t needed = room_needed(shape);
    std::int64_t room = room_total(beside_, shape);
    std::optional<SimTime> when;
    releases_.visit([&](const ReleaseList::Entry& entry) {
      const SimTime end = std::max(SimTime::at(nanoseconds(entry.end)), view.now);
      if (end >= kNever || (when && end > *when)) {
        return true;
      }
      const std::uint32_t slot = slot_of_[index(entry.job)];
      const Running& running = running_[slot];
      if (!when) {
        for (const NodeId node : running.where.nodes) {
          room -= room_on(beside_, shape, node);
        }
      }
      beside_.give_back(view.workload.shapes[index(running.shape)], running.where);
      replayed_.push_back(slot);
      if (!when) {
        for (const NodeId node : running.where.nodes) {
          room += room_on(beside_, shape, node);
        }
        if (room >= needed) {
          when = end;
          planned_after_ = entry.job;
        }
      }
      return false;
    });
    return when;
  }

  // Notes the head's place (where_) and what `state` has free on its nodes.
  void read_planned(const RequestShape& shape, const ClusterState& state) {
    head_nodes_.clear();
    planned_free_.clear();
    kept_.clear();
    auto range = where_.gpus.begin();
    for (const NodeId id : where_.nodes) {
      const NodeInfo& info = state.layout().node(id);
      const auto first = static_cast<std::uint32_t>(info.first_gpu);
      HeadNode node;
      node.node = id;
      node.share = static_cast<std::uint32_t>(where_.share.raw());
      for (; range != where_.gpus.end() && range->first < first + info.gpu_count; ++range) {
        node.gpus += range->count;
        node.part_of = range->first;
      }
      node.use = amounts_on(shape, info, node.gpus);
      node.planned_first = planned_free_.size();
      for (std::uint32_t g = first; g < first + info.gpu_count; ++g) {
        planned_free_.push_back(static_cast<std::uint32_t>(state.free_share(GpuIndex{g}).raw()));
      }
      node.planned_free = NodeAmounts{state.free_cpus(id), state.free_memory(id)};
      node.kept_first = kept_.size();
      kept_.resize(kept_.size() + node.gpus);
      head_nodes_.push_back(node);
    }
  }

  // Takes from beside_ what must stay free on a planned node.
  void keep(HeadNode& node) {
    const NodeInfo& info = beside_.layout().node(node.node);
    const auto first = static_cast<std::uint32_t>(info.first_gpu);
    const auto free_now = [this](std::uint32_t gpu) {
      return static_cast<std::uint32_t>(beside_.free_share(GpuIndex{gpu}).raw());
    };
    node.kept_count = 0;
    const auto keep_gpu = [&](std::uint32_t gpu, std::uint32_t share) {
      if (share > 0) {
        kept_[node.kept_first + node.kept_count] = Kept{gpu, share};
        ++node.kept_count;
      }
    };
    if (node.gpus > 0 && node.share < 1000) {
      const std::uint32_t then = planned_free_[node.planned_first + (node.part_of - first)];
      const std::uint32_t returns = then - free_now(node.part_of);
      keep_gpu(node.part_of, node.share > returns ? node.share - returns : 0);
    } else if (node.gpus > 0) {
      order_.clear();
      for (std::uint32_t g = first; g < first + info.gpu_count; ++g) {
        if (planned_free_[node.planned_first + (g - first)] == 1000) {
          order_.emplace_back(free_now(g), g);
        }
      }
      // The least free now first; of those that are all free, the last ones, as jobs get the first.
      std::sort(order_.begin(), order_.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second > b.second;
      });
      for (std::size_t i = 0; i < node.gpus && i < order_.size(); ++i) {
        keep_gpu(order_[i].second, order_[i].first);
      }
    }
    const auto rest = [](std::int64_t use, std::int64_t then, std::int64_t now) {
      return std::max<std::int64_t>(use - (then - now), 0);
    };
    node.kept.cpus = CpuShare::from_raw(rest(
        node.use.cpus.raw(), node.planned_free.cpus.raw(), beside_.free_cpus(node.node).raw()));
    node.kept.memory = Bytes::from_raw(rest(node.use.memory.raw(),
                                            node.planned_free.memory.raw(),
                                            beside_.free_memory(node.node).raw()));
    change_kept(node, true);
  }

  void release_kept(HeadNode& node) {
    change_kept(node, false);
    node.kept_count = 0;
    node.kept = NodeAmounts{};
  }

  void change_kept(const HeadNode& node, bool take) {
    ClusterState::Part part;
    part.node = node.node;
    part.cpus = node.kept.cpus;
    part.memory = node.kept.memory;
    for (std::size_t i = 0; i <= node.kept_count; ++i) {
      GpuRange range;
      if (i < node.kept_count) {
        const Kept& kept = kept_[node.kept_first + i];
        range = GpuRange{kept.gpu, 1};
        part.gpus = {&range, 1};
        part.share = gpu_thousandths(kept.share);
      } else if (i > 0) {
        break;
      }
      if (take) {
        beside_.take_part(part);
      } else {
        beside_.give_back_part(part);
      }
      part.cpus = CpuShare{};
      part.memory = Bytes{};
    }
  }

  // A job beside the head runs beyond the planned start: less is free then.
  void lower_planned(const RequestShape& shape, const Allocation& where) {
    auto range = where.gpus.begin();
    auto node = head_nodes_.begin();
    for (const NodeId id : where.nodes) {
      const NodeInfo& info = beside_.layout().node(id);
      const auto first = static_cast<std::uint32_t>(info.first_gpu);
      while (node != head_nodes_.end() && node->node < id) {
        ++node;
      }
      const bool common = node != head_nodes_.end() && node->node == id;
      std::int64_t gpu_count = 0;
      for (; range != where.gpus.end() && range->first < first + info.gpu_count; ++range) {
        gpu_count += range->count;
        for (std::uint32_t g = range->first; common && g < range->first + range->count; ++g) {
          planned_free_[node->planned_first + (g - first)] -=
              static_cast<std::uint32_t>(where.share.raw());
        }
      }
      if (common) {
        const NodeAmounts amounts = amounts_on(shape, info, gpu_count);
        node->planned_free.cpus -= amounts.cpus;
        node->planned_free.memory -= amounts.memory;
      }
    }
  }

  template <class Do>
  void for_common_nodes(const Allocation& where, Do apply) {
    auto at = where.nodes.begin();
    for (HeadNode& node : head_nodes_) {
      at = std::lower_bound(at, where.nodes.end(), node.node);
      if (at != where.nodes.end() && *at == node.node) {
        apply(node);
      }
    }
  }

  void drop_plan() {
    for (HeadNode& node : head_nodes_) {
      release_kept(node);
    }
    head_nodes_.clear();
  }

  Placer placer_;
  ClusterState beside_;
  std::optional<ClusterState> empty_;
  ReleaseList releases_;
  std::vector<Running> running_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::uint32_t> slot_of_;  // by job
  std::vector<std::uint32_t> replayed_;

  std::vector<HeadNode> head_nodes_;  // of the plan; empty: none. Ascending.
  std::vector<std::uint32_t> planned_free_;
  std::vector<Kept> kept_;
  JobId planned_after_{};

  std::uint64_t version_ = 0;
  std::vector<Verdict> fits_now_;     // by shape
  std::vector<Verdict> fits_beside_;  // by shape

  Allocation where_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;
};

}  // namespace

std::unique_ptr<HeadPlan> make_node_plan(Placement placement, const ClusterView& view) {
  return std::make_unique<NodePlan>(placement, view);
}

}  // namespace weft::schedulers
