#include <vector>

#include "base/errors.hpp"
#include "schedulers/availability_profile.hpp"
#include "schedulers/reservation_plan.hpp"

namespace weft::schedulers {

namespace {

class FlatReservations final : public ReservationPlan {
 public:
  FlatReservations(Placement placement, const ClusterView& view)
      : placer_(placement),
        profile_(static_cast<std::int32_t>(view.state.layout().gpu_count), view.now) {
    units_.reserve(view.workload.shapes.size());
    for (const RequestShape& shape : view.workload.shapes) {
      // Shapes that do not fit are rejected before they come here; so this fits.
      units_.push_back(static_cast<std::int32_t>(
          std::min<std::int64_t>(total_gpus(shape).raw() / 1000, INT32_MAX)));
    }
    running_units_.resize(view.workload.jobs.size());
  }

  void advance(SimTime now) override { profile_.advance(now); }

  void reserve(Reservation& r, bool /*alone*/, const ClusterView& view) override {
    const std::int32_t units = units_[index(r.shape)];
    r.start = profile_.earliest_fit(units, r.length, view.now);
    profile_.add(r.start, end_of(r), units);
  }

  bool move_earlier(Reservation& r, SimTime from, SimTime before) override {
    const std::int32_t units = units_[index(r.shape)];
    const auto earlier = profile_.earlier_fit(units, r.length, r.start, from, before);
    if (!earlier) {
      return false;
    }
    rebook(r, *earlier);
    return true;
  }

  void move_to(Reservation& r, SimTime now) override { rebook(r, now); }

  bool start(const Reservation& r, const ClusterView& view, Allocation& out) override {
    running_units_[index(r.job)] = units_[index(r.shape)];
    return placer_.place(view.state, view.workload.shapes[index(r.shape)], out);
  }

  void ended(JobId job, SimTime until, const ClusterView& view) override {
    profile_.remove(view.now, until, running_units_[index(job)]);
  }

  bool has_nodes() const override { return false; }
  std::int64_t most_free(SimTime from, SimTime to) const override {
    return profile_.max_free(from, to);
  }
  std::int64_t units_of(ShapeId shape) const override { return units_[index(shape)]; }

 private:
  void rebook(Reservation& r, SimTime start) {
    const std::int32_t units = units_[index(r.shape)];
    profile_.remove(r.start, end_of(r), units);
    r.start = start;
    profile_.add(r.start, end_of(r), units);
  }

  Placer placer_;
  AvailabilityProfile profile_;
  std::vector<std::int32_t> units_;          // by shape
  std::vector<std::int32_t> running_units_;  // by job
};

}  // namespace

std::unique_ptr<ReservationPlan> make_flat_reservations(Placement placement,
                                                        const ClusterView& view) {
  WEFT_ASSERT(view.state.layout().gpu_count <= INT32_MAX, "the pool is too large to count");
  return std::make_unique<FlatReservations>(placement, view);
}

}  // namespace weft::schedulers
