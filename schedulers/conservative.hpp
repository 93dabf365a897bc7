// conservative: every waiting job holds a reservation, made at submission at the earliest time
// that delays nobody. When jobs end before their limits, the reservations are re-placed in queue
// order, one at a time with all others in place; none becomes later. Rules: docs/policies.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/growth.hpp"
#include "schedulers/release_list.hpp"
#include "schedulers/reservation_plan.hpp"
#include "schedulers/scheduler.hpp"

namespace weft::schedulers {

struct ConservativeOptions {
  Placement placement = Placement::kPack;
};

class ConservativeScheduler final : public Scheduler {
 public:
  explicit ConservativeScheduler(const ConservativeOptions& options);

  [[nodiscard]] std::string_view name() const override { return "conservative"; }
  void decide(std::span<const Event> events, const ClusterView& view, DecisionSink& sink) override;
  [[nodiscard]] Hold hold(JobId job) const override;
  [[nodiscard]] std::string why_waiting(JobId job, const ClusterView& view) const override;

 private:
  // A job in queue order. Started jobs leave a gap until the list is compacted.
  struct Waiting {
    Reservation reservation;
    std::uint64_t place = 0;  // in the queue, never reused
    SimTime planned_at;       // when the reservation got its present time
    bool gone = false;
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // What a test in a pool has shown: nothing that needs at least `units` for at least `length` can
  // begin before `no_start_before`, unless it reaches capacity that has grown since, which begins
  // at `grown_from`.
  struct Shown {
    std::int64_t units = 0;
    Duration length;
    SimTime no_start_before;
    SimTime grown_from = kNever;
  };
  static constexpr std::size_t kMostShown = 32;

  void prepare(const ClusterView& view);
  void submit(JobId job, const ClusterView& view, DecisionSink& sink);
  void end(JobId job, const ClusterView& view);
  void compress(SimTime now);
  [[nodiscard]] bool move_earlier(Waiting& waiting, SimTime now);
  [[nodiscard]] SimTime first_open(const Reservation& r, std::int64_t units, SimTime now) const;
  void note_shown(const Reservation& r, std::int64_t units);
  void start_due(const ClusterView& view, DecisionSink& sink);
  void compact();

  ConservativeOptions options_;
  std::unique_ptr<ReservationPlan> plan_;
  std::vector<Waiting> queue_;
  std::size_t first_ = 0;  // no waiting job before this one
  std::size_t waiting_ = 0;
  std::uint64_t next_place_ = 0;
  std::vector<std::uint32_t> position_;  // by job: in queue_; kNone: not waiting
  std::vector<SimTime> until_;           // by job: end of a started job's reservation
  std::vector<std::uint8_t> verdict_;    // by shape
  ReleaseList starts_;                   // planned starts of waiting jobs
  Growth growth_;
  std::vector<Shown> shown_;  // in this compression
  std::size_t oldest_shown_ = 0;
  // A job ran past its limit and was in a reservation's way: from then on starts may fall on
  // times without any other event.
  bool irregular_ = false;
  std::vector<std::uint32_t> due_;
  Allocation where_;
};

}  // namespace weft::schedulers
