// What a log holds, in one pass: for `weft trace info`. Works on records, before any cluster is
// known; offered_load() then measures a workload against one cluster.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cluster.hpp"
#include "base/errors.hpp"
#include "base/flat_index.hpp"
#include "base/job.hpp"
#include "base/symbols.hpp"
#include "workloads/job_record.hpp"

namespace weft::workloads {

// Of a set of values, in the unit its owner names. Quantiles are by nearest rank: the smallest
// value that at least that share of the values does not exceed. All 0 if count is 0.
struct Quantiles {
  std::uint64_t count = 0;
  double mean = 0;
  double least = 0;
  double p5 = 0;
  double p25 = 0;
  double median = 0;
  double p75 = 0;
  double p95 = 0;
  double p99 = 0;
  double most = 0;
};
[[nodiscard]] Quantiles quantiles(std::vector<double> values);  // none of them nan

struct SizeCount {
  GpuShare size;
  std::uint64_t jobs = 0;
  GpuTime gpu_time;  // size x run time
};

struct UserCount {
  std::string name;
  std::uint64_t jobs = 0;
  GpuTime gpu_time;
};

enum class CoveredField : std::uint8_t { kSize, kRuntime, kLimit, kUser, kPartition, kEnd };
constexpr std::size_t kCoveredFields = 6;
[[nodiscard]] std::string_view to_string(CoveredField field);

struct DayOfLog {
  std::uint32_t jobs = 0;
  std::array<std::uint32_t, kCoveredFields> with{};
};

struct Oddity {
  static constexpr std::size_t kPlaces = 5;
  std::string_view what;  // "submitted before the row above"
  std::uint64_t count = 0;
  std::vector<std::uint32_t> lines;  // of the first ones
};

struct TraceStatistics {
  std::uint64_t jobs = 0;
  SimTime first_submit;  // as in the source
  SimTime last_submit;
  SimTime last_end;          // of those known; first_submit if none is
  GpuTime demand;            // sum of size x run time, where both are known
  Quantiles runtime;         // s
  Quantiles limit;           // s; finite ones
  Quantiles interarrival;    // s
  Quantiles size;            // GPUs
  Quantiles limit_accuracy;  // run time / limit, of jobs with both
  std::uint64_t unlimited = 0;
  std::vector<SizeCount> sizes;  // ascending
  // By wall clock, if the caller knows what time it was at time 0; else by the trace's own clock.
  bool by_wall_clock = false;
  std::array<std::uint64_t, 24> by_hour{};
  std::array<std::uint64_t, 7> by_weekday{};  // Monday first; all 0 without the wall clock
  std::uint64_t users = 0;
  std::vector<UserCount> top_users;  // by GPU time, then name; at most ten
  std::uint64_t accounts = 0;
  std::array<std::uint64_t, 9> ends{};  // by RecordedEnd
  std::array<std::uint64_t, kCoveredFields> with{};
  std::vector<DayOfLog> days;    // from the first submit, in days of 24 h; at most kMostDays
  std::vector<Oddity> oddities;  // only those that occur

  static constexpr std::size_t kMostDays = 4000;
};

class StatisticsCollector final : public RecordSink {
 public:
  void record(const JobRecord& job) override;
  // `wall_clock_at_zero`: seconds and so on since 1970-01-01 on the wall clock, at the source's
  // time 0, where it is known. Call once.
  [[nodiscard]] TraceStatistics finish(std::optional<Duration> wall_clock_at_zero = std::nullopt);

 private:
  struct Sample {
    SimTime submit;
    Duration runtime;        // < 0: not known
    Duration limit;          // < 0: not known
    std::int64_t size = -1;  // thousandths
    std::uint8_t covered = 0;
  };
  struct Tally {
    SymbolId name{};
    std::uint64_t jobs = 0;
    GpuTime gpu_time;
  };
  struct Found {
    std::uint64_t count = 0;
    std::vector<std::uint32_t> lines;
  };
  void odd(std::size_t kind, std::uint32_t line);
  void fill_quantiles(TraceStatistics& into) const;
  void fill_arrivals(TraceStatistics& into, std::optional<Duration> wall_clock_at_zero);
  void fill_sizes(TraceStatistics& into) const;
  void fill_users(TraceStatistics& into) const;

  std::vector<Sample> samples_;
  Symbols names_;
  std::vector<Tally> users_;
  std::vector<std::uint32_t> user_of_symbol_;
  std::uint64_t accounts_ = 0;
  std::vector<bool> account_seen_;
  FlatIndex ids_;
  SimTime last_end_;
  bool any_end_ = false;
  std::array<std::uint64_t, 9> ends_{};
  std::array<Found, 9> found_{};
};

// The GPUs a record asks for, in total, as far as the record alone says; nothing if it does not
// (nodes without GPUs, CPUs only with no word about GPUs).
[[nodiscard]] std::optional<GpuShare> recorded_size(const JobRecord& job);
// Run time, or end - start where only those are known.
[[nodiscard]] std::optional<Duration> recorded_runtime(const JobRecord& job);

// GPU time the workload's feasible jobs ask for (run time cut at the limit), over what the
// cluster has from the first to the last submit. Nothing if either is 0.
[[nodiscard]] std::optional<double> offered_load(const Workload& workload,
                                                 const ClusterLayout& layout);

// For people; several lines.
[[nodiscard]] std::string to_text(const TraceStatistics& statistics);

}  // namespace weft::workloads
