// Job metrics: waits, turnarounds, slowdowns, overall and per user and account. Definitions:
// docs/definitions.md.
//
// Sums are integers, so that no result depends on the order in which jobs end. About 24 bytes a
// started job are kept for the percentiles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/job.hpp"
#include "base/units.hpp"
#include "results/job_outcome.hpp"
#include "results/window.hpp"

namespace weft::results {

// Runs shorter than this count as this long in the bounded slowdown (Feitelson's tau).
constexpr Duration kBoundedSlowdownTau = seconds(10);
// max(1, (wait + run) / max(run, tau)).
[[nodiscard]] double bounded_slowdown(Duration waited, Duration ran);

// A mean of ratios: each is rounded to 1e-9 and the sum is an integer. No value if nothing was
// added.
class RatioMean {
 public:
  void add(double ratio);
  [[nodiscard]] std::optional<double> mean() const;
  [[nodiscard]] std::optional<double> most() const;

 private:
  Int128 sum_ = 0;
  std::int64_t count_ = 0;
  double most_ = 0;
};

class DurationMean {
 public:
  void add(Duration value);
  [[nodiscard]] std::optional<Duration> mean() const;  // to the nearest ns
  [[nodiscard]] std::optional<Duration> most() const;

 private:
  Int128 sum_ = 0;
  std::int64_t count_ = 0;
  Duration most_;
};

// By nearest rank: the p-th is the smallest value that at least p % of all values do not exceed.
struct Percentiles {
  std::optional<Duration> p50, p90, p95, p99;
};
[[nodiscard]] std::optional<Duration> nearest_rank(std::vector<std::int64_t>& values, int percent);

// Jobs submitted in the measured window, by what became of them.
struct JobCounts {
  std::int64_t all = 0;
  std::int64_t finished = 0;  // = success + killed + failed
  std::int64_t success = 0;   // COMPLETED
  std::int64_t killed = 0;    // TIMEOUT, CANCELLED, PREEMPTED, DEADLINE
  std::int64_t failed = 0;    // FAILED, OUT_OF_MEMORY, NODE_FAIL
  std::int64_t rejected = 0;
  std::int64_t running = 0;  // at the horizon
  std::int64_t pending = 0;
};

struct JobStatistics {
  JobCounts counts;
  std::optional<Duration> makespan;  // first submission to last end
  DurationMean waiting;              // of started jobs
  DurationMean waiting_eligible;
  DurationMean turnaround;     // of finished jobs
  RatioMean slowdown;          // of finished jobs that ran for longer than 0
  RatioMean bounded_slowdown;  // of finished jobs
  Percentiles waiting_percentiles;
  Percentiles turnaround_percentiles;
};

// A user or account.
struct GroupStatistics {
  std::string name;
  std::int64_t jobs = 0;
  std::int64_t finished = 0;
  GpuTime held;
  DurationMean waiting;
  std::optional<Duration> waiting_median;
  std::optional<Duration> waiting_p95;
  RatioMean bounded_slowdown;
  std::optional<Money> cost = Money{};  // none: prices not known
};

// Jain's index (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if one has everything. None
// without a positive value.
[[nodiscard]] std::optional<double> jain_index(const std::vector<double>& values);

class JobMetrics {
 public:
  // `workload` must outlive the metrics.
  JobMetrics(const Workload& workload, Measure window);

  void add(const JobOutcome& outcome);  // once a job

  // Sorts what it kept; call when all jobs are in.
  [[nodiscard]] JobStatistics statistics();
  // By name.
  [[nodiscard]] std::vector<GroupStatistics> by_user() const;
  [[nodiscard]] std::vector<GroupStatistics> by_account() const;

 private:
  // Groups of jobs by a symbol: user or account.
  struct Grouping {
    std::vector<std::uint32_t> group_of_symbol;  // 1 + group; 0: none yet
    std::vector<SymbolId> symbols;               // group -> symbol
    std::vector<GroupStatistics> groups;
    std::vector<std::uint32_t> of_wait;  // group of each entry of waits_
  };

  std::uint32_t group(Grouping& grouping, SymbolId symbol) const;
  [[nodiscard]] std::vector<GroupStatistics> finished(const Grouping& grouping) const;

  const Workload* workload_;
  Measure window_;
  JobStatistics statistics_;
  std::optional<SimTime> first_submit_;
  std::optional<SimTime> last_end_;
  std::vector<std::int64_t> waits_;  // ns, of started jobs
  std::vector<std::int64_t> turnarounds_;
  Grouping users_;
  Grouping accounts_;
};

// users.csv or accounts.csv; `key` is the first column's name.
[[nodiscard]] std::string groups_csv(std::string_view key,
                                     const std::vector<GroupStatistics>& groups);

}  // namespace weft::results
