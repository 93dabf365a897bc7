#include "results/summary_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "results/decimal.hpp"

namespace weft::results {

namespace {

constexpr std::size_t kBarWidth = 30;

// "1,234,567.8"
std::string grouped(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::size_t first = text.front() == '-' ? 1 : 0;
  for (std::size_t at = dot; at > first + 3; at -= 3) {
    text.insert(at - 3, ",");
  }
  return text;
}

// "3d 04:05:06", "05:00:12", "12.5 s"
std::string readable(const std::optional<Duration>& value) {
  if (!value) {
    return "n/a";
  }
  if (*value < minutes(1)) {
    return ratio_text(to_seconds(*value), 1) + " s";
  }
  const std::int64_t whole = (value->raw() + kNsPerSecond / 2) / kNsPerSecond;
  const std::int64_t day = whole / 86400;
  return (day > 0 ? fmt::format("{}d ", day) : std::string()) +
         fmt::format("{:02}:{:02}:{:02}", whole / 3600 % 24, whole / 60 % 60, whole % 60);
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", *share * 100) : "n/a";
}

std::string dollars(const std::optional<Money>& money) {
  return money ? "$" + grouped(static_cast<double>(money->raw()) * 1e-6, 2) : "n/a";
}

std::string number(const std::optional<double>& value) {
  return value ? grouped(*value, 2) : "n/a";
}

void add_line(std::string& text, std::string_view name, const std::string& value) {
  text += fmt::format("{:<22}{}\n", name, value);
}

std::string job_counts(const JobCounts& counts) {
  std::string text = grouped(static_cast<double>(counts.all), 0) + " submitted, " +
                     grouped(static_cast<double>(counts.finished), 0) + " finished";
  const auto add = [&](std::string_view what, std::int64_t n) {
    if (n > 0) {
      text += fmt::format(", {} {}", grouped(static_cast<double>(n), 0), what);
    }
  };
  add("failed", counts.failed);
  add("killed", counts.killed);
  add("rejected", counts.rejected);
  add("still running", counts.running);
  add("still waiting", counts.pending);
  return text;
}

// One row of the ledger table; the bar is the share of all GPU time.
std::string ledger_row(std::string_view name,
                       GpuTime time,
                       GpuTime whole,
                       const std::optional<Money>& cost,
                       bool with_cost) {
  const double share = share_of(time, whole);
  const auto bar = static_cast<std::size_t>(std::lround(share * static_cast<double>(kBarWidth)));
  std::string line =
      fmt::format("  {:<22}{:>16}{:>8.2f} %", name, grouped(gpu_hours(time), 1), share * 100);
  if (with_cost) {
    line += fmt::format("{:>18}", dollars(cost));
  }
  line += "  " + std::string(bar, '#');
  return line + "\n";
}

void add_ledger(std::string& text, const LedgerTable& ledger) {
  const bool with_cost = ledger.total_cost.has_value();
  text += fmt::format("\n  {:<22}{:>16}{:>10}", "where GPU time went", "GPU-hours", "share");
  text += with_cost ? fmt::format("{:>18}\n", "cost") : "\n";
  for (std::size_t a = 0; a < kAccounts; ++a) {
    if (ledger.by_account[a].raw() > 0) {
      text += ledger_row(to_string(account_at(a)),
                         ledger.by_account[a],
                         ledger.total,
                         ledger.account_cost[a],
                         with_cost);
    }
  }
  text += fmt::format("  {:<22}{:>16}{:>10}", "total", grouped(gpu_hours(ledger.total), 1), "");
  text += with_cost ? fmt::format("{:>18}\n", dollars(ledger.total_cost)) : "\n";
}

}  // namespace

std::string summary_text(const Summary& summary) {
  const JobStatistics& jobs = summary.jobs;
  std::string text;
  add_line(text, "workload", summary.workload);
  add_line(text,
           "platform",
           fmt::format("{}, {} GPUs",
                       summary.platform,
                       grouped(static_cast<double>(summary.installed.raw()) / 1000, 0)));
  if (!summary.scheduler.empty()) {
    add_line(text, "scheduler", summary.scheduler);
  }
  add_line(text, "jobs", job_counts(jobs.counts));
  add_line(text, "simulated time", readable(summary.length));
  add_line(text,
           "wait",
           fmt::format("mean {}, median {}, 95 % below {}, longest {}",
                       readable(jobs.waiting.mean()),
                       readable(jobs.waiting_percentiles.p50),
                       readable(jobs.waiting_percentiles.p95),
                       readable(jobs.waiting.most())));
  add_line(text,
           "bounded slowdown",
           fmt::format("mean {}, largest {} (tau 10 s)",
                       number(jobs.bounded_slowdown.mean()),
                       number(jobs.bounded_slowdown.most())));
  add_line(text,
           "GPUs allocated",
           fmt::format("{} of installed, useful {}",
                       percent(summary.utilization_allocated()),
                       percent(summary.utilization_useful())));
  if (summary.ledger.total_cost) {
    add_line(text,
             "cost",
             fmt::format("{}, idle GPUs {}, a useful GPU-hour {}",
                         dollars(summary.ledger.total_cost),
                         dollars(summary.ledger.group_cost[index(AccountGroup::kIdle)]),
                         dollars(summary.cost_per_useful_gpu_hour())));
  }
  if (summary.unfinished.raw() > 0) {
    add_line(text,
             "unfinished",
             fmt::format("{} GPU-hours of jobs cut by the horizon",
                         grouped(gpu_hours(summary.unfinished), 1)));
  }
  if (summary.ledger.total.raw() > 0) {
    add_ledger(text, summary.ledger);
  }
  return text;
}

}  // namespace weft::results
