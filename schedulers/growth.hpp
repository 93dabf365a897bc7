// Where free capacity has grown since a waiting job was last tested for an earlier time: what lets
// compression of conservative backfilling pass over reservations that cannot move.
//
// A reservation stands at the earliest time it fitted when it was last tested. It fits earlier
// only if its new interval contains an instant at which units were given back since: by a job that
// ended before its limit, or by a reservation that moved away. Compression tests the jobs in queue
// order, so a move of the job at place q counts for jobs behind q in the same compression, and for
// jobs ahead of q in the next one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.hpp"

namespace weft::schedulers {

class Growth {
 public:
  struct Interval {
    SimTime from;
    SimTime to;
    std::int64_t most = 0;  // at no instant of it are more units free than this
  };

  // A job ended and gave back its units over the interval: counts for all.
  void ended(const Interval& interval) { ended_.push_back(interval); }
  // Whether any job could move at all.
  [[nodiscard]] bool empty() const { return ended_.empty() && moved_before_.empty(); }

  // The jobs are tested in queue order: begin(); for each job reach(place), intervals() and, if it
  // moves, moved(place, what it left); finish().
  void begin(SimTime now);
  void reach(std::uint64_t place);
  // Disjoint and ascending. May hold more than what has grown, never less.
  [[nodiscard]] const std::vector<Interval>& intervals() const { return intervals_; }
  void moved(std::uint64_t place, const Interval& left);
  void finish();

 private:
  struct Move {
    std::uint64_t place = 0;
    Interval left;
  };
  // A test of one long interval is cheaper than tests of many short ones.
  static constexpr std::size_t kMostIntervals = 3;

  void insert(Interval interval);
  void join_nearest();
  void rebuild();

  SimTime now_;
  std::vector<Interval> ended_;
  std::vector<Move> moved_before_;  // in the last compression, in queue order
  std::vector<Move> moved_now_;
  std::size_t passed_ = 0;        // moves of moved_before_ whose place has been reached
  std::size_t passed_built_ = 0;  // the same when intervals_ was built
  std::vector<Interval> intervals_;
};

}  // namespace weft::schedulers
