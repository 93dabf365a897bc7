// Tells the user on stderr how far a run is: a bar on a terminal, else a line every 10 seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "sim/simulation.hpp"

namespace weft::cli {

enum class ProgressStyle : std::uint8_t { kNone, kLines, kBar };
// kNone if `wanted` is false; a bar if stderr is a terminal.
[[nodiscard]] ProgressStyle progress_style(bool wanted);

// One state of a run in words: "12d 03:04:05 simulated, 1,200 of 10,000 jobs (12 %), 35,000
// events/s, 3 s left". Apart from Progress so that it can be tested without a clock.
struct ProgressState {
  Duration simulated;
  std::uint64_t jobs_done = 0;
  std::uint64_t jobs = 0;
  std::uint64_t events = 0;
  double wall_seconds = 0;
};
[[nodiscard]] std::string progress_text(const ProgressState& state);

// Feed it from sim::RunRequest::progress.
class ProgressDisplay {
 public:
  ProgressDisplay(ProgressStyle style, std::ostream& err);

  void update(const sim::Progress& progress);
  // Wipes the bar. Call it before anything else is printed.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void show(const ProgressState& state);

  ProgressStyle style_;
  std::ostream* err_;
  Clock::time_point started_;
  Clock::time_point next_show_;
  std::size_t shown_width_ = 0;  // of the bar's line, to wipe it
};

}  // namespace weft::cli
