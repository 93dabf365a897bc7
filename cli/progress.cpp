#include "cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <unistd.h>

#include <fmt/format.h>

namespace weft::cli {

namespace {
constexpr auto kBarEvery = std::chrono::milliseconds(200);
constexpr auto kLineEvery = std::chrono::seconds(10);
constexpr std::uint64_t kBarCells = 24;

std::string with_thousands(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string day_clock(Duration d) {
  const std::int64_t s = d.raw() / kNsPerSecond;
  return fmt::format("{}d {:02}:{:02}:{:02}", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
}

std::string time_left(double s) {
  if (s < 90) {
    return fmt::format("{:.0f} s left", std::ceil(s));
  }
  if (s < 5400) {
    return fmt::format("{:.0f} min left", std::ceil(s / 60));
  }
  return fmt::format("{:.1f} h left", s / 3600);
}
}  // namespace

ProgressStyle progress_style(bool wanted) {
  if (!wanted) {
    return ProgressStyle::kNone;
  }
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::kBar : ProgressStyle::kLines;
}

std::string progress_text(const ProgressState& state) {
  const double done = state.jobs == 0
                          ? 1.0
                          : static_cast<double>(state.jobs_done) / static_cast<double>(state.jobs);
  std::string text = fmt::format("{} simulated, {} of {} jobs ({:.0f} %)",
                                 day_clock(state.simulated),
                                 with_thousands(state.jobs_done),
                                 with_thousands(state.jobs),
                                 std::floor(done * 100));
  if (state.wall_seconds > 0) {
    const double pace = static_cast<double>(state.events) / state.wall_seconds;
    text += fmt::format(", {} events/s", with_thousands(static_cast<std::uint64_t>(pace)));
    if (state.jobs_done > 0) {
      text += ", " + time_left(state.wall_seconds * (1 / done - 1));
    }
  }
  return text;
}

ProgressDisplay::ProgressDisplay(ProgressStyle style, std::ostream& err)
    : style_(style), err_(&err), started_(Clock::now()), next_show_(started_) {
  if (style_ == ProgressStyle::kLines) {
    next_show_ += kLineEvery;
  }
}

void ProgressDisplay::update(const sim::Progress& progress) {
  if (style_ == ProgressStyle::kNone) {
    return;
  }
  const Clock::time_point wall = Clock::now();
  if (wall < next_show_) {
    return;
  }
  next_show_ = wall;
  if (style_ == ProgressStyle::kLines) {
    next_show_ += kLineEvery;
  } else {
    next_show_ += kBarEvery;
  }
  show({progress.now.since_start(),
        std::min(progress.jobs_done, progress.jobs),
        progress.jobs,
        progress.events,
        std::chrono::duration<double>(wall - started_).count()});
}

void ProgressDisplay::show(const ProgressState& state) {
  const std::string text = progress_text(state);
  if (style_ == ProgressStyle::kLines) {
    *err_ << "weft: " << text << std::endl;
    return;
  }
  const std::uint64_t full = state.jobs == 0 ? kBarCells : kBarCells * state.jobs_done / state.jobs;
  std::string line =
      '[' + std::string(full, '#') + std::string(kBarCells - full, '.') + "] " + text;
  const std::size_t width = line.size();
  if (width < shown_width_) {
    line.append(shown_width_ - width, ' ');
  }
  *err_ << '\r' << line << std::flush;
  shown_width_ = width;
}

void ProgressDisplay::finish() {
  if (shown_width_ > 0) {
    *err_ << '\r' << std::string(shown_width_, ' ') << '\r' << std::flush;
    shown_width_ = 0;
  }
}

}  // namespace weft::cli
