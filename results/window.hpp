// The part of simulated time that is measured: all of it, or `--measure FROM..TO`. Half-open.
#pragma once

#include <algorithm>

#include "base/units.hpp"

namespace weft::results {

// Job metrics count jobs submitted in [from, to); the ledger and the timeline cover its time.
struct Measure {
  SimTime from = SimTime::at(kUnlimited * -1);
  SimTime to = kNever;

  [[nodiscard]] bool contains(SimTime t) const { return from <= t && t < to; }
  [[nodiscard]] SimTime clip(SimTime t) const { return std::clamp(t, from, to); }
};

}  // namespace weft::results
