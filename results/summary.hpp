// The figures of a run: what summary.json holds and the terminal shows. One list of items makes
// every rendering, so that no two of them can disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "results/ledger_table.hpp"
#include "results/metrics.hpp"
#include "results/timeline.hpp"

namespace weft::results {

struct Summary {
  std::string workload;
  std::string platform;
  std::string scheduler;
  JobStatistics jobs;
  SimTime begin;    // of the ledger
  Duration length;  // of the ledger: the horizon, or the measured part of it
  GpuShare installed;
  LedgerTable ledger;
  GpuTime unfinished;  // booked for jobs that the horizon cut
  QueueStatistics queue;
  bool timeline_binned = false;
  Duration timeline_bin_width;  // if binned
  std::optional<double> fairness_gpu_hours;
  std::optional<double> fairness_bounded_slowdown;

  // Shares of installed GPUs x length; none without GPUs or time.
  [[nodiscard]] std::optional<double> utilization_allocated() const;
  [[nodiscard]] std::optional<double> utilization_useful() const;
  [[nodiscard]] std::optional<Money> jobs_cost() const;  // of all they held, useful or not
  [[nodiscard]] std::optional<Money> cost_per_useful_gpu_hour() const;
};

struct SummaryItem {
  std::string key;
  std::string value;     // a number, or the text if is_text; empty: no value (null)
  bool is_text = false;  // null is neither
};
// All of summary.json, in its order (docs/definitions.md).
[[nodiscard]] std::vector<SummaryItem> summary_items(const Summary& summary);

[[nodiscard]] std::string summary_json(const std::vector<SummaryItem>& items);
[[nodiscard]] std::string summary_csv(const std::vector<SummaryItem>& items);  // header and a row

}  // namespace weft::results
