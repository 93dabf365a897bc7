// Fits the generator to a log: `weft trace fit`. What is fitted and how: docs/workloads.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbols.hpp"
#include "workloads/generator.hpp"
#include "workloads/job_record.hpp"

namespace weft::workloads {

// Largest difference between the distribution functions of the log and of a workload generated
// from the fitted parameters (two-sample Kolmogorov-Smirnov distance, 0 to 1).
struct GoodnessOfFit {
  double size = 0;
  double runtime = 0;
  double interarrival = 0;
  double demand_ratio = 0;  // GPU time generated / GPU time of the log
};

struct Fit {
  GeneratorParameters parameters;
  GoodnessOfFit goodness;
  std::uint64_t used = 0;  // jobs with submit, size and run time
  std::uint64_t left_out = 0;
};

[[nodiscard]] double kolmogorov_smirnov(std::vector<double> a, std::vector<double> b);

class GeneratorFitter final : public RecordSink {
 public:
  void record(const JobRecord& job) override;
  // Nothing if there are fewer than two usable jobs or all have one submit time. The wall clock
  // at the source's time 0 (since 1970-01-01), where it is known, makes the hours those of the
  // day; else they are hours of the trace's own day. Call once.
  [[nodiscard]] std::optional<Fit> finish(const std::string& name,
                                          std::optional<Duration> wall_clock_at_zero,
                                          std::uint64_t seed);

  struct Sample {
    double submit = 0;   // s; after finish() began: since the midnight before the first
    double runtime = 0;  // s
    double limit = -1;   // s; < 0: none
    std::int64_t size = 0;
    std::uint32_t user = 0;
    RecordedEnd end = RecordedEnd::kUnknown;
  };

 private:
  std::vector<Sample> samples_;
  Symbols names_;
  std::vector<bool> account_seen_;
  std::uint32_t accounts_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace weft::workloads
