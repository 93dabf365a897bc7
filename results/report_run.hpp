// What the report knows of one run: everything the page shows, aggregated from the run's folder.
// Plain values; times are seconds of simulated time, as in the files. Filled by read_run
// (report_run.cpp) and read only afterwards.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "results/accounts.hpp"
#include "results/report_gantt.hpp"

namespace weft::results::report {

// Of a sample; all zero when it is empty. Nearest rank: the smallest value that at least q of the
// sample do not exceed (docs/report.md).
struct Quantiles {
  std::int64_t count = 0;
  double mean = 0;
  double p5 = 0;
  double p25 = 0;
  double p50 = 0;
  double p75 = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;
};
// Sorts `values`.
[[nodiscard]] Quantiles quantiles_of(std::vector<double>& values);

// A cumulative distribution as a staircase: share `y` of the sample is at most `x`.
struct Curve {
  std::vector<double> x;
  std::vector<double> y;
};
constexpr std::size_t kCurvePoints = 400;
[[nodiscard]] Curve curve_of_sorted(const std::vector<double>& sorted);

struct TimeSpan {
  double begin = 0;
  double end = 0;
};

inline constexpr std::string_view kNoGpus = "none";  // the size class of jobs without GPUs

struct WaitGroup {  // a size class or a user
  std::string name;
  std::int64_t jobs = 0;  // that started
  double gpu_seconds = 0;
  Quantiles wait;
};

struct ReportJob {  // a row of the tables of single jobs
  std::string id;
  std::string user;
  std::string state;
  std::string why;  // start reason, or why it was rejected
  double gpus = 0;
  double submitted = 0;
  std::optional<double> started;
  std::optional<double> waited;
  std::string waited_text;  // as in the file
};

struct JobStatistics {
  std::int64_t rows = 0;
  std::map<std::string, std::int64_t> states;
  Quantiles wait;
  Quantiles turnaround;
  Quantiles bounded_slowdown;
  Curve wait_curve;
  Curve turnaround_curve;
  Curve bounded_slowdown_curve;
  std::vector<WaitGroup> by_size;  // ascending size, without empty classes
  std::vector<WaitGroup> by_user;  // most GPU time first, then by name
  std::vector<ReportJob> longest_waits;
  std::vector<ReportJob> rejected;  // the first of them
  Gantt gantt;
};

// timeline.csv, as it is when it has few rows, else means over equal bins.
struct Timeline {
  double begin = 0;
  double end = 0;
  bool binned = false;                       // here, or already in the file (manifest.json says so)
  std::vector<double> time;                  // a value holds until the next one, the last to `end`
  std::vector<std::vector<double>> account;  // [account][time] GPUs
  std::vector<double> queue_jobs;
  std::vector<double> queue_jobs_most;  // greatest in the bin
  std::vector<double> queue_gpus;
  std::vector<double> running_jobs;
  std::vector<double> power;  // W; empty without a power model
  double installed_gpus = 0;
  double peak_queue = 0;
  double peak_queue_time = 0;
  double mean_queue = 0;
};

struct AccountSum {
  std::string name;
  std::string label;  // "lost work"
  AccountGroup group{};
  GpuTime time;
  std::optional<Money> cost;
};

struct LedgerSums {
  std::vector<AccountSum> accounts;  // in the ledger's order, zero ones left out
  GpuTime total;                     // sum of the rows
  std::optional<Money> cost;
  std::string warning;  // the rows do not sum to the file's own total row

  [[nodiscard]] double seconds(AccountGroup group) const;
  [[nodiscard]] double total_seconds() const;
  [[nodiscard]] std::optional<double> dollars(AccountGroup group) const;
};
[[nodiscard]] double gpu_seconds(GpuTime time);
[[nodiscard]] double in_dollars(Money money);

struct TextTable {  // users.csv, accounts.csv: shown as they are
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::int64_t rows_in_file = 0;
};

struct RunReport {
  std::string name;
  std::string folder;
  std::map<std::string, std::string> summary;  // key -> value as text; null is left out
  std::vector<std::pair<std::string, std::string>> provenance;  // flattened manifest.json
  std::vector<std::pair<std::string, std::string>> decisions;   // what was decided, how often
  bool timeline_binned_in_file = false;
  JobStatistics jobs;
  Timeline timeline;
  LedgerSums ledger;
  TextTable users;
  TextTable accounts;

  // A number of summary.json: the first of `keys` that is there.
  [[nodiscard]] std::optional<double> number(std::initializer_list<const char*> keys) const;
};

// Reads one run folder. `detail_limit`: at most this many rectangles in its Gantt chart.
// Throws InputErrors.
[[nodiscard]] RunReport read_run(const std::string& folder,
                                 const std::string& name,
                                 std::size_t detail_limit);

// Parts of read_run, each for one file.
[[nodiscard]] Timeline read_timeline(const std::string& path);
// `submitted_in`: count only jobs submitted in this span (half-open); all are drawn.
[[nodiscard]] JobStatistics read_jobs(const std::string& path,
                                      GanttBuilder& gantt,
                                      std::optional<TimeSpan> submitted_in);
[[nodiscard]] LedgerSums read_ledger(const std::string& path);
[[nodiscard]] std::vector<GanttLane> read_lanes(const std::string& path);

}  // namespace weft::results::report
