// Who moves the time. The event loop (TimedWork) knows only when its next event is and how to
// handle all that is due; a clock drives it. The product uses SimGrid's clock, so that fluid models
// and anything else SimGrid offers share one time line; property tests loop over the plain one,
// because SimGrid allows one simulation a process. Both give the same bytes
// (tests/sim/clock_test.cpp).
#pragma once

#include <memory>

#include "base/units.hpp"

namespace weft::sim {

class TimedWork {
 public:
  TimedWork() = default;
  TimedWork(const TimedWork&) = delete;
  TimedWork& operator=(const TimedWork&) = delete;
  virtual ~TimedWork() = default;

  // When the next event is due; kNever when there is none left.
  [[nodiscard]] virtual SimTime next() const = 0;
  // Handles everything due at `now`, which is next(). May add events at `now` or later.
  virtual void advance(SimTime now) = 0;
};

class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  // Drives `work` until it has no next event. Exceptions of advance() pass through.
  virtual void run(TimedWork& work) = 0;
};

[[nodiscard]] std::unique_ptr<Clock> make_plain_clock();

// SimGrid's clock. Throws std::logic_error if this process has already run a SimGrid simulation:
// its clock and configuration outlive an engine, so a second run would not start at zero.
[[nodiscard]] std::unique_ptr<Clock> make_simgrid_clock();

// "3.32" of the SimGrid library this binary runs with, for the manifest.
[[nodiscard]] const char* simgrid_version();

}  // namespace weft::sim
