// Reservations for every waiting job, as conservative backfilling makes them. Two kinds behind one
// interface, as for the head alone (head_plan.hpp): a pool of interchangeable GPUs is one
// availability profile, nodes have one each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/allocation.hpp"
#include "base/ids.hpp"
#include "base/job.hpp"
#include "schedulers/placement.hpp"
#include "schedulers/scheduler.hpp"

namespace weft::schedulers {

// A waiting job and its reservation, [start, start + length).
struct Reservation {
  JobId job{};
  ShapeId shape{};
  Duration length;         // > 0; kUnlimited: without end
  SimTime start = kNever;  // kNever: the plan has no time for it
};
[[nodiscard]] inline SimTime end_of(const Reservation& r) {
  return std::min(r.start + r.length, kNever);
}

class ReservationPlan {
 public:
  ReservationPlan() = default;
  ReservationPlan(const ReservationPlan&) = delete;
  ReservationPlan& operator=(const ReservationPlan&) = delete;
  virtual ~ReservationPlan() = default;

  // Time has come to `now`; nothing before it is asked for any more.
  virtual void advance(SimTime now) = 0;

  // Reserves at the earliest time from now on at which everything else stays in place; sets
  // `start`. `alone`: no other job waits, so what fits now fits for good.
  virtual void reserve(Reservation& r, bool alone, const ClusterView& view) = 0;
  // Moves the reservation to the earliest time in [from, before) where it fits with all others in
  // place; before <= r.start. Returns whether it moved.
  virtual bool move_earlier(Reservation& r, SimTime from, SimTime before) = 0;
  // A late reservation starts now, wherever it stood.
  virtual void move_to(Reservation& r, SimTime now) = 0;

  // A place for a reservation that starts now; false if something in its way runs past its limit.
  // On true the job is taken as running there until end_of(r).
  virtual bool start(const Reservation& r, const ClusterView& view, Allocation& out) = 0;
  // A running job has ended; it was reserved until `until`.
  virtual void ended(JobId job, SimTime until, const ClusterView& view) = 0;

  // Whether reservations stand on nodes. In a pool, a reservation that moves earlier keeps using
  // the units it had for the time both intervals cover; on nodes it may leave them altogether, and
  // what happens on other nodes after its present start matters too.
  [[nodiscard]] virtual bool has_nodes() const = 0;
  // An upper bound for the units (in the measure of units_of) free at any one time in [from, to).
  [[nodiscard]] virtual std::int64_t most_free(SimTime from, SimTime to) const = 0;
  [[nodiscard]] virtual std::int64_t units_of(ShapeId shape) const = 0;
};

[[nodiscard]] std::unique_ptr<ReservationPlan> make_node_reservations(Placement placement,
                                                                      const ClusterView& view);
[[nodiscard]] std::unique_ptr<ReservationPlan> make_flat_reservations(Placement placement,
                                                                      const ClusterView& view);

}  // namespace weft::schedulers
