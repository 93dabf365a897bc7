// How many units of a pool are free at each future time, and "the earliest time from which n units
// stay free for d". A unit on its own: it knows no jobs, only reservations of n units over a
// half-open interval of time. Used by conservative backfilling.
//
// Stored as a sorted list of steps in blocks of at most 64, each block with the least and most
// free units in it: inserting moves one block, and a search skips blocks that cannot contain what
// it looks for. Times are ns; the last step reaches to the end of time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.hpp"

namespace weft::schedulers {

class AvailabilityProfile {
 public:
  // All `capacity` units are free from `origin` on.
  explicit AvailabilityProfile(std::int32_t capacity, SimTime origin = SimTime{});

  // Reserves `units` over [from, to); nothing if from >= to. Free units may become negative if
  // the caller reserves more than there are.
  void add(SimTime from, SimTime to, std::int32_t units) { change(from, to, -units); }
  // Takes back (a part of) what add() reserved.
  void remove(SimTime from, SimTime to, std::int32_t units) { change(from, to, units); }

  // Forgets the time before `now`: later changes leave it out, later questions must not ask for it.
  void advance(SimTime now);

  [[nodiscard]] std::int32_t free_at(SimTime t) const;
  // The least free units over [from, to), from < to.
  [[nodiscard]] std::int32_t min_free(SimTime from, SimTime to) const;
  // The most.
  [[nodiscard]] std::int32_t max_free(SimTime from, SimTime to) const;

  // The earliest t >= not_before such that `units` are free over [t, t + duration); a duration of
  // zero asks for the instant t itself. kNever if there is none (more units than the pool has).
  [[nodiscard]] SimTime earliest_fit(std::int32_t units,
                                     Duration duration,
                                     SimTime not_before) const;

  // Where a reservation of `units` that stands at [stands, stands + duration) can move to: the
  // earliest t in [not_before, before), before <= stands, such that its units are free over
  // [t, t + duration), those it holds itself counted as free.
  [[nodiscard]] std::optional<SimTime> earlier_fit(std::int32_t units,
                                                   Duration duration,
                                                   SimTime stands,
                                                   SimTime not_before,
                                                   SimTime before) const;

  [[nodiscard]] std::size_t steps() const;  // for tests and statistics

 private:
  static constexpr std::uint32_t kBlock = 64;
  struct Block {
    std::uint32_t size = 0;                  // > 0
    std::array<std::int64_t, kBlock> begin;  // of each step; the first is the block's begin
    std::array<std::int32_t, kBlock> free;
  };
  struct Place {
    std::size_t block = 0;
    std::uint32_t step = 0;
  };

  [[nodiscard]] Place find(std::int64_t t) const;  // the step that holds t
  [[nodiscard]] static bool at_end(const Place& p, const std::vector<Block>& blocks) {
    return p.block == blocks.size();
  }
  void next(Place& p) const;
  // From `p` on: the first step with at least / less than `units` free; at_end() if none, or if
  // the step begins at `stop` or later.
  [[nodiscard]] Place first_with(Place p, std::int32_t units, std::int64_t stop) const;
  [[nodiscard]] Place first_without(Place p, std::int32_t units, std::int64_t stop) const;
  // The earliest t in [t, before) with `units` free over [t, min(t + duration, enough)).
  [[nodiscard]] std::int64_t search(std::int32_t units,
                                    std::int64_t duration,
                                    std::int64_t t,
                                    std::int64_t before,
                                    std::int64_t enough) const;

  void change(SimTime from, SimTime to, std::int32_t units);
  void split_at(std::int64_t t);
  void merge_at(std::int64_t t);
  void summarize(std::size_t block);

  // By block, apart from the steps, so that skipping blocks reads little memory.
  struct Summary {
    std::int64_t begin = 0;
    std::int32_t least = 0;  // free units
    std::int32_t most = 0;
  };
  std::vector<Block> blocks_;
  std::vector<Summary> summaries_;
};

}  // namespace weft::schedulers
