// Printing of trace statistics for people.
#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "workloads/statistics.hpp"

namespace weft::workloads {

namespace {

double gpu_hours(GpuTime time) {
  return static_cast<double>(time.raw()) / 1000.0 / static_cast<double>(hours(1).raw());
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// "45s", "12.5m", "3.2h", "1.8d": for reading, not for parsing.
std::string short_time(double s) {
  if (s < 120) {
    return fmt::format("{:.3g}s", s);
  }
  if (s < 2 * 3600) {
    return fmt::format("{:.3g}m", s / 60);
  }
  if (s < 2 * 86400) {
    return fmt::format("{:.3g}h", s / 3600);
  }
  return fmt::format("{:.4g}d", s / 86400);
}

std::string plain(double v) {
  return fmt::format("{:.4g}", v);
}

template <class Print>
std::string row(std::string_view name, const Quantiles& q, Print print) {
  if (q.count == 0) {
    return fmt::format("{:<16}n/a\n", name);
  }
  return fmt::format("{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
                     name,
                     print(q.mean),
                     print(q.least),
                     print(q.p25),
                     print(q.median),
                     print(q.p75),
                     print(q.p95),
                     print(q.p99),
                     print(q.most));
}

std::string sizes_text(const TraceStatistics& s) {
  // The most frequent sizes, in order of size.
  constexpr std::size_t kRows = 12;
  std::vector<SizeCount> shown = s.sizes;
  std::stable_sort(shown.begin(), shown.end(), [](const SizeCount& a, const SizeCount& b) {
    return a.jobs > b.jobs;
  });
  const std::size_t left_out = shown.size() > kRows ? shown.size() - kRows : 0;
  shown.resize(std::min(shown.size(), kRows));
  std::sort(shown.begin(), shown.end(), [](const SizeCount& a, const SizeCount& b) {
    return a.size < b.size;
  });
  std::string text = "\nGPUs            jobs   of jobs   of GPU time\n";
  for (const SizeCount& size : shown) {
    text += fmt::format("{:<10}{:>10}{:>9.2f}%{:>13.2f}%\n",
                        plain(static_cast<double>(size.size.raw()) / 1000.0),
                        size.jobs,
                        percent(size.jobs, s.size.count),
                        100.0 * gpu_hours(size.gpu_time) / std::max(gpu_hours(s.demand), 1e-300));
  }
  if (left_out > 0) {
    text += fmt::format("and {} other sizes\n", left_out);
  }
  return text;
}

std::string arrivals_text(const TraceStatistics& s) {
  constexpr std::array<std::string_view, 7> kDays = {
      "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  std::string text = s.by_wall_clock ? "\narrivals by hour of day (% of jobs)\n"
                                     : "\narrivals by hour of the trace's own day (% of jobs)\n";
  for (std::size_t hour = 0; hour < 24; ++hour) {
    text += fmt::format(
        "{:02}h {:4.1f}{}", hour, percent(s.by_hour[hour], s.jobs), hour % 8 == 7 ? "\n" : "   ");
  }
  if (s.by_wall_clock) {
    for (std::size_t day = 0; day < 7; ++day) {
      text += fmt::format(
          "{} {:4.1f}{}", kDays[day], percent(s.by_weekday[day], s.jobs), day == 6 ? "\n" : "   ");
    }
  }
  return text;
}

std::string coverage_text(const TraceStatistics& s) {
  std::string text = "\ncoverage (% of jobs that have the field)\n";
  for (std::size_t f = 0; f < kCoveredFields; ++f) {
    text += fmt::format("{} {:.1f}{}",
                        to_string(static_cast<CoveredField>(f)),
                        percent(s.with[f], s.jobs),
                        f + 1 == kCoveredFields ? "\n" : ", ");
  }
  // A field that most days have and some days lack was recorded for a part of the time only.
  for (std::size_t f = 0; f < kCoveredFields; ++f) {
    if (s.with[f] == 0 || s.with[f] == s.jobs) {
      continue;
    }
    std::size_t thin = 0;
    std::size_t first = 0;
    std::size_t with_jobs = 0;
    for (std::size_t d = 0; d < s.days.size(); ++d) {
      with_jobs += s.days[d].jobs > 0 ? 1U : 0U;
      if (s.days[d].jobs > 0 && 2 * s.days[d].with[f] < s.days[d].jobs) {
        first = thin == 0 ? d : first;
        ++thin;
      }
    }
    if (thin > 0) {
      text += fmt::format(
          "warning: {} is there for less than half of the jobs on {} of {} days (first: day {})\n",
          to_string(static_cast<CoveredField>(f)),
          thin,
          with_jobs,
          first + 1);
    }
  }
  return text;
}

}  // namespace

std::string to_text(const TraceStatistics& s) {
  if (s.jobs == 0) {
    return "no jobs\n";
  }
  const double span = to_seconds(s.last_submit - s.first_submit);
  std::string text;
  text += fmt::format("jobs            {}\n", s.jobs);
  text += fmt::format("span            {} (first to last submit)\n", short_time(span));
  text += fmt::format("demand          {:.1f} GPU-hours", gpu_hours(s.demand));
  if (span > 0) {
    text += fmt::format(", {:.1f} GPUs on average", gpu_hours(s.demand) / (span / 3600));
  }
  text += fmt::format("\nusers           {}, accounts {}\n", s.users, s.accounts);
  constexpr std::array<std::string_view, 9> kEnds = {"unknown",
                                                     "completed",
                                                     "failed",
                                                     "cancelled",
                                                     "timeout",
                                                     "node fail",
                                                     "out of memory",
                                                     "preempted",
                                                     "deadline"};
  text += "ended           ";
  std::string_view separator;
  for (std::size_t e = 0; e < s.ends.size(); ++e) {
    if (s.ends[e] > 0) {
      text += fmt::format("{}{} {:.1f}%", separator, kEnds[e], percent(s.ends[e], s.jobs));
      separator = ", ";
    }
  }
  text += fmt::format("\n\n{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
                      "",
                      "mean",
                      "min",
                      "25%",
                      "median",
                      "75%",
                      "95%",
                      "99%",
                      "max");
  text += row("run time", s.runtime, short_time);
  text += row("limit", s.limit, short_time);
  text += row("run / limit", s.limit_accuracy, plain);
  text += row("between submits", s.interarrival, short_time);
  text += row("GPUs", s.size, plain);
  text += sizes_text(s);
  text += arrivals_text(s);
  if (!s.top_users.empty()) {
    text += "\nuser            jobs    GPU-hours\n";
    for (const UserCount& user : s.top_users) {
      text += fmt::format("{:<12}{:>8}{:>13.1f}\n", user.name, user.jobs, gpu_hours(user.gpu_time));
    }
  }
  text += coverage_text(s);
  if (!s.oddities.empty()) {
    text += "\noddities\n";
    for (const Oddity& oddity : s.oddities) {
      text +=
          fmt::format("{} {} {}", oddity.count, oddity.count == 1 ? "job" : "jobs", oddity.what);
      for (std::size_t i = 0; i < oddity.lines.size(); ++i) {
        text += fmt::format(
            "{}{}",
            i == 0 ? (oddity.count > oddity.lines.size() ? " (first lines " : " (lines ") : ", ",
            oddity.lines[i]);
      }
      text += ")\n";
    }
  }
  return text;
}

}  // namespace weft::workloads
