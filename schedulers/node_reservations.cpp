#include <algorithm>
#include <vector>

#include "base/errors.hpp"
#include "schedulers/node_timeline.hpp"
#include "schedulers/reservation_plan.hpp"

namespace weft::schedulers {

namespace {

using Kind = RequestShape::Kind;
using Piece = NodeTimeline::Piece;

// One timeline a node. The earliest time for a request is found by a sweep: each node names the
// intervals of starts for which it has room, and the first time at which the rooms add up to what
// is needed is the answer. Where to go is then asked of the placement, on a cluster state that
// shows what each node has free over all of the interval.
class NodeReservations final : public ReservationPlan {
 public:
  NodeReservations(Placement placement, const ClusterView& view)
      : layout_(view.state.layout()),
        workload_(view.workload),
        placer_(placement),
        shown_(view.state.layout()) {
    nodes_.reserve(layout_.nodes.size());
    first_bin_.reserve(layout_.nodes.size());
    std::uint32_t bins = 0;
    for (const NodeInfo& node : layout_.nodes) {
      nodes_.emplace_back(node, view.now.ns());
      first_bin_.push_back(bins);
      bins += nodes_.back().bins();
    }
    bin_gpu_.resize(bins);
    bin_jobs_.resize(bins);
    pieces_.resize(view.workload.jobs.size());
  }

  void advance(SimTime now) override { now_ = now; }

  void reserve(Reservation& r, bool alone, const ClusterView& view) override {
    const RequestShape& shape = workload_.shapes[index(r.shape)];
    if (alone && placer_.place(view.state, shape, where_) && has_bins_for(shape)) {
      r.start = view.now;
      read_pieces(r, [this](NodeId node, std::uint32_t gpu) { return bin_of_running(node, gpu); });
      take(r);
      return;
    }
    r.start = search(r, view.now, kNever);
    if (r.start < kNever) {
      choose(r);
      take(r);
    }
  }

  bool move_earlier(Reservation& r, SimTime from, SimTime before) override {
    give_back(r);
    const SimTime found = search(r, from, before);
    if (found < kNever) {
      r.start = found;
      choose(r);
    }
    take(r);
    return found < kNever;
  }

  void move_to(Reservation& r, SimTime now) override {
    give_back(r);
    r.start = now;
    take(r);
  }

  bool start(const Reservation& r, const ClusterView& view, Allocation& out) override {
    out.clear();
    std::vector<Piece>& pieces = pieces_[index(r.job)];
    const RequestShape& shape = workload_.shapes[index(r.shape)];
    for (const Piece& piece : pieces) {
      if (!name_gpus(piece, shape, view.state, out)) {
        return false;
      }
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].bin != NodeTimeline::kNoBin) {
        const std::uint32_t bin = first_bin_[index(pieces[i].node)] + pieces[i].bin;
        bin_gpu_[bin] = out.gpus[i].first;
        ++bin_jobs_[bin];
      }
    }
    return true;
  }

  void ended(JobId job, SimTime until, const ClusterView& view) override {
    for (const Piece& piece : pieces_[index(job)]) {
      NodeTimeline& node = nodes_[index(piece.node)];
      node.forget_before(view.now.ns());
      node.give_back(piece, view.now.ns(), until.ns());
      if (piece.bin != NodeTimeline::kNoBin) {
        --bin_jobs_[first_bin_[index(piece.node)] + piece.bin];
      }
    }
    std::vector<Piece>().swap(pieces_[index(job)]);
  }

  bool has_nodes() const override { return true; }
  std::int64_t most_free(SimTime /*from*/, SimTime /*to*/) const override { return INT64_MAX; }
  std::int64_t units_of(ShapeId /*shape*/) const override { return 0; }

 private:
  struct Change {  // of the room there is, as the start moves on
    std::int64_t at = 0;
    std::int64_t room = 0;
  };
  struct Span {
    std::int64_t from = 0;
    std::int64_t to = 0;
  };

  void take(const Reservation& r) {
    for (const Piece& piece : pieces_[index(r.job)]) {
      nodes_[index(piece.node)].take(piece, r.start.ns(), end_of(r).ns());
    }
  }
  void give_back(const Reservation& r) {
    for (const Piece& piece : pieces_[index(r.job)]) {
      NodeTimeline& node = nodes_[index(piece.node)];
      node.give_back(piece, r.start.ns(), end_of(r).ns());
      node.forget_before(now_.ns());
    }
  }

  // GPUs a node's step has room for (requests for GPUs anywhere), else 0 or 1.
  std::int64_t room_at(const RequestShape& shape,
                       const NodeInfo& info,
                       const NodeTimeline::Step& step) const {
    switch (shape.kind) {
      case Kind::kAnyGpus: {
        std::int64_t room = std::max(step.gpus, 0);
        if (shape.cpus.raw() > 0) {
          room = std::min(room, std::max<std::int64_t>(step.cpus, 0) / shape.cpus.raw());
        }
        if (shape.memory.raw() > 0) {
          room = std::min(room, std::max<std::int64_t>(step.memory, 0) / shape.memory.raw());
        }
        return room;
      }
      case Kind::kPerNode:
        break;
      case Kind::kWholeNodes:
        return step.jobs == 0 && std::int64_t{info.gpu_count} * 1000 >= shape.gpus.raw() &&
                       info.cpus >= shape.cpus && info.memory >= shape.memory
                   ? 1
                   : 0;
    }
    return std::int64_t{step.gpus} * 1000 >= shape.gpus.raw() && step.cpus >= shape.cpus.raw() &&
                   step.memory >= shape.memory.raw()
               ? 1
               : 0;
  }

  static bool is_part(const RequestShape& shape) {
    return shape.kind == Kind::kPerNode && shape.gpus.raw() > 0 && shape.gpus.raw() < 1000;
  }

  // The starts in [from, before) of a job of `length` for which holds(step) is true throughout.
  template <class Holds>
  void add_starts(const NodeTimeline& node,
                  std::int64_t length,
                  Span range,
                  Holds holds,
                  std::vector<Span>& out) const {
    const auto& steps = node.steps();
    for (std::size_t i = 0; i < steps.size();) {
      if (!holds(i)) {
        ++i;
        continue;
      }
      const std::int64_t begin = std::max(steps[i].begin, range.from);
      while (i < steps.size() && holds(i)) {
        ++i;
      }
      const std::int64_t last = i < steps.size() ? steps[i].begin - length : kNever.ns();
      if (begin < range.to && begin <= last) {
        out.push_back(Span{begin, std::min(last + 1, range.to)});
      }
    }
  }

  void add_spans(std::vector<Span>& spans, std::int64_t room) {
    for (const Span& span : spans) {
      changes_.push_back(Change{span.from, room});
      changes_.push_back(Change{span.to, -room});
    }
    spans.clear();
  }

  void add_node(const RequestShape& shape, std::size_t n, std::int64_t length, Span range) {
    const NodeTimeline& node = nodes_[n];
    const NodeInfo& info = layout_.nodes[n];
    const auto& steps = node.steps();
    spans_.clear();
    if (is_part(shape)) {
      const auto share = static_cast<std::uint32_t>(shape.gpus.raw());
      for (std::uint32_t bin = 0; bin < node.bins(); ++bin) {
        const auto holds = [&](std::size_t i) {
          return node.bin_fits(i, bin, share) && steps[i].cpus >= shape.cpus.raw() &&
                 steps[i].memory >= shape.memory.raw();
        };
        add_starts(node, length, range, holds, spans_);
      }
      join(spans_);
      add_spans(spans_, 1);
      return;
    }
    // One level for each amount of room the node has at some time; most have few.
    rooms_.clear();
    for (const NodeTimeline::Step& step : steps) {
      const std::int64_t room = room_at(shape, info, step);
      const auto at = std::lower_bound(rooms_.begin(), rooms_.end(), room);
      if (room > 0 && (at == rooms_.end() || *at != room)) {
        rooms_.insert(at, room);
      }
    }
    std::int64_t below = 0;
    for (const std::int64_t room : rooms_) {
      const auto holds = [&](std::size_t i) { return room_at(shape, info, steps[i]) >= room; };
      add_starts(node, length, range, holds, spans_);
      add_spans(spans_, room - below);
      below = room;
    }
  }

  static void join(std::vector<Span>& spans) {
    std::sort(
        spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.from < b.from; });
    std::size_t kept = 0;
    for (const Span& span : spans) {
      if (kept > 0 && span.from <= spans[kept - 1].to) {
        spans[kept - 1].to = std::max(spans[kept - 1].to, span.to);
      } else {
        spans[kept++] = span;
      }
    }
    spans.resize(kept);
  }

  SimTime search(const Reservation& r, SimTime from, SimTime before) {
    const RequestShape& shape = workload_.shapes[index(r.shape)];
    const std::int64_t needed = room_needed(shape);
    const Span range{from.ns(), before.ns()};
    changes_.clear();
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (allowed_in_cell(layout_, shape, layout_.nodes[n])) {
        add_node(shape, n, r.length.raw(), range);
      }
    }
    std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
      return a.at < b.at;
    });
    std::int64_t room = 0;
    for (std::size_t i = 0; i < changes_.size();) {
      const std::int64_t at = changes_[i].at;
      for (; i < changes_.size() && changes_[i].at == at; ++i) {
        room += changes_[i].room;
      }
      if (at >= range.to) {
        break;
      }
      if (room >= needed) {
        return SimTime::at(nanoseconds(at));
      }
    }
    return kNever;
  }

  // The bin for a part that is to have a GPU of its own: an empty one, else any that fits.
  std::uint32_t fresh_bin(const NodeTimeline& node, std::uint32_t share, Span when) const {
    std::uint32_t fits = NodeTimeline::kNoBin;
    for (std::uint32_t bin = 0; bin < node.bins(); ++bin) {
      const NodeTimeline::BinUse use = node.bin_use(bin, share, when.from, when.to);
      if (use.fits && use.most == 0) {
        return bin;
      }
      if (use.fits && fits == NodeTimeline::kNoBin) {
        fits = bin;
      }
    }
    return fits;
  }

  // Takes from shown_ what the node does not have free over the interval. GPUs: first the free
  // ones, then a GPU for each bin that a part could share, then those that are taken.
  void show(std::size_t n, const RequestShape& shape, Span when) {
    const NodeTimeline& node = nodes_[n];
    const NodeInfo& info = layout_.nodes[n];
    const NodeTimeline::Window least = node.window(when.from, when.to);
    const auto first = static_cast<std::uint32_t>(info.first_gpu);
    const bool closed = shape.kind == Kind::kWholeNodes && least.jobs > 0;
    const auto free = closed ? 0 : static_cast<std::uint32_t>(std::max(least.gpus, 0));
    std::uint32_t next = first + free;
    const std::uint32_t end = first + info.gpu_count;
    if (is_part(shape)) {
      const auto share = static_cast<std::uint32_t>(shape.gpus.raw());
      if (free > 0 && fresh_bin(node, share, when) == NodeTimeline::kNoBin) {
        next = first;
      }
      for (std::uint32_t bin = 0; bin < node.bins() && next < end; ++bin) {
        const NodeTimeline::BinUse use = node.bin_use(bin, share, when.from, when.to);
        if (use.fits && use.most > 0) {
          shown_parts_.push_back(ShownPart{next, bin});
          part(n, GpuRange{next, 1}, use.most, NodeAmounts{});
          ++next;
        }
      }
    }
    const NodeAmounts taken{CpuShare::from_raw(info.cpus.raw() - (closed ? 0 : least.cpus)),
                            Bytes::from_raw(info.memory.raw() - (closed ? 0 : least.memory))};
    if (next < end || taken.cpus.raw() != 0 || taken.memory.raw() != 0) {
      part(n, GpuRange{next, end - next}, 1000, taken);
    }
  }

  void part(std::size_t n, GpuRange range, std::uint32_t share, const NodeAmounts& amounts) {
    shown_taken_.push_back(
        ShownTaken{NodeId{static_cast<std::uint32_t>(n)}, range, share, amounts});
    change_shown(shown_taken_.back(), true);
  }

  // Fills the job's pieces for its start.
  void choose(const Reservation& r) {
    const RequestShape& shape = workload_.shapes[index(r.shape)];
    const Span when{r.start.ns(), end_of(r).ns()};
    shown_taken_.clear();
    shown_parts_.clear();
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (allowed_in_cell(layout_, shape, layout_.nodes[n])) {
        show(n, shape, when);
      }
    }
    const bool placed = placer_.place(shown_, shape, where_);
    WEFT_ASSERT(placed, "a time is found but no place; job " + std::to_string(index(r.job)));
    for (const ShownTaken& taken : shown_taken_) {
      change_shown(taken, false);
    }

    read_pieces(r, [&](NodeId node, std::uint32_t gpu) {
      const auto at = std::find_if(shown_parts_.begin(),
                                   shown_parts_.end(),
                                   [gpu](const ShownPart& shown) { return shown.gpu == gpu; });
      return at != shown_parts_.end()
                 ? at->bin
                 : fresh_bin(
                       nodes_[index(node)], static_cast<std::uint32_t>(shape.gpus.raw()), when);
    });
  }

  // The bin on a GPU that running jobs share, or one that nothing is in. Without waiting jobs.
  std::uint32_t bin_of_running(NodeId node, std::uint32_t gpu) const {
    const std::uint32_t first = first_bin_[index(node)];
    std::uint32_t empty = NodeTimeline::kNoBin;
    for (std::uint32_t bin = 0; bin < nodes_[index(node)].bins(); ++bin) {
      if (bin_jobs_[first + bin] == 0) {
        empty = std::min(empty, bin);
      } else if (bin_gpu_[first + bin] == gpu) {
        return bin;
      }
    }
    return empty;
  }

  // Bins are limited, so nodes with very many shared GPUs may have none left.
  bool has_bins_for(const RequestShape& shape) const {
    if (!is_part(shape)) {
      return true;
    }
    for (std::size_t i = 0; i < where_.nodes.size(); ++i) {
      if (bin_of_running(where_.nodes[i], where_.gpus[i].first) == NodeTimeline::kNoBin) {
        return false;
      }
    }
    return true;
  }

  // Turns the place in where_ into the job's pieces; bin_for(node, gpu) says where parts go.
  template <class BinFor>
  void read_pieces(const Reservation& r, BinFor bin_for) {
    const RequestShape& shape = workload_.shapes[index(r.shape)];
    std::vector<Piece>& pieces = pieces_[index(r.job)];
    pieces.clear();
    auto range = where_.gpus.begin();
    for (const NodeId id : where_.nodes) {
      const NodeInfo& info = layout_.node(id);
      const std::uint32_t end = static_cast<std::uint32_t>(info.first_gpu) + info.gpu_count;
      Piece piece;
      piece.node = id;
      std::uint32_t named = 0;
      for (; range != where_.gpus.end() && range->first < end; ++range) {
        piece.gpus += range->count;
        named = range->first;
      }
      piece.amounts = amounts_on(shape, info, piece.gpus);
      if (is_part(shape)) {
        piece.gpus = 0;
        piece.share = static_cast<std::uint32_t>(shape.gpus.raw());
        piece.bin = bin_for(id, named);
        WEFT_ASSERT(piece.bin != NodeTimeline::kNoBin,
                    "no bin on node " + std::to_string(index(id)));
      }
      pieces.push_back(piece);
    }
  }

  // Names the GPUs of a piece that starts now; false if they are not free.
  bool name_gpus(const Piece& piece,
                 const RequestShape& shape,
                 const ClusterState& state,
                 Allocation& out) const {
    const NodeInfo& info = layout_.node(piece.node);
    const bool busy = shape.kind == Kind::kWholeNodes && state.jobs_on(piece.node) > 0;
    if (busy || state.free_cpus(piece.node) < piece.amounts.cpus ||
        state.free_memory(piece.node) < piece.amounts.memory ||
        state.free_whole_gpus(piece.node) < piece.gpus) {
      return false;
    }
    out.nodes.push_back(piece.node);
    const auto first = static_cast<std::uint32_t>(info.first_gpu);
    if (piece.bin != NodeTimeline::kNoBin) {
      const std::uint32_t bin = first_bin_[index(piece.node)] + piece.bin;
      if (bin_jobs_[bin] == 0 && state.free_whole_gpus(piece.node) == 0) {
        return false;
      }
      const std::uint32_t gpu = bin_jobs_[bin] > 0 ? bin_gpu_[bin] : state.free_gpus().next(first);
      if (state.free_share(GpuIndex{gpu}).raw() < piece.share) {
        return false;
      }
      out.share = gpu_thousandths(piece.share);
      out.gpus.push_back(GpuRange{gpu, 1});
      return true;
    }
    std::uint32_t missing = piece.gpus;
    for (std::uint32_t at = first; missing > 0;) {
      at = state.free_gpus().next(at);
      const std::uint32_t run = state.free_gpus().run_length(at, missing);
      out.gpus.push_back(GpuRange{at, run});
      missing -= run;
      at += run;
    }
    return true;
  }

  struct ShownPart {
    std::uint32_t gpu = 0;
    std::uint32_t bin = 0;
  };
  struct ShownTaken {
    NodeId node{};
    GpuRange range;
    std::uint32_t share = 0;
    NodeAmounts amounts;
  };
  void change_shown(const ShownTaken& taken, bool take_it) {
    ClusterState::Part what;
    what.node = taken.node;
    if (taken.range.count > 0) {
      what.gpus = {&taken.range, 1};
    }
    what.share = gpu_thousandths(taken.share);
    what.cpus = taken.amounts.cpus;
    what.memory = taken.amounts.memory;
    if (take_it) {
      shown_.take_part(what);
    } else {
      shown_.give_back_part(what);
    }
  }

  const ClusterLayout& layout_;
  const Workload& workload_;
  Placer placer_;
  ClusterState shown_;  // all free between calls
  std::vector<NodeTimeline> nodes_;
  std::vector<std::vector<Piece>> pieces_;  // by job, of waiting and running ones
  std::vector<std::uint32_t> first_bin_;    // by node, in the next two
  std::vector<std::uint32_t> bin_gpu_;      // where the running jobs of a bin are
  std::vector<std::uint32_t> bin_jobs_;     // how many run there
  SimTime now_;

  std::vector<Change> changes_;
  std::vector<Span> spans_;
  std::vector<std::int64_t> rooms_;
  std::vector<ShownTaken> shown_taken_;
  std::vector<ShownPart> shown_parts_;
  Allocation where_;
};

}  // namespace

std::unique_ptr<ReservationPlan> make_node_reservations(Placement placement,
                                                        const ClusterView& view) {
  return std::make_unique<NodeReservations>(placement, view);
}

}  // namespace weft::schedulers
