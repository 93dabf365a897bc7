// timeline.csv: how many GPUs each ledger account holds over time, the queue and the running jobs.
//
// Built from the same calls as the ledger, so the integral of an account's column is its row in
// ledger.csv. One row per change up to StepSeries::kMostSteps of them, else bins with time-weighted
// means. The last row stands at the end and repeats the values before it, so that steps drawn from
// row to row reach the end.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/units.hpp"
#include "results/accounts.hpp"
#include "results/output_file.hpp"
#include "results/step_series.hpp"
#include "results/window.hpp"
#include "sim/observer.hpp"

namespace weft::results {

// A job's share as the timeline books it.
struct HeldGpus {
  GpuShare requested;
  GpuShare unused;
};

struct QueueStatistics {
  double mean_jobs = 0;  // over time
  double mean_gpus = 0;
  std::int64_t most_jobs = 0;  // longest queue that lasted
  GpuShare most_gpus;
};

class Timeline {
 public:
  Timeline(SimTime begin, Measure window, GpuShare installed);

  void enters_queue(SimTime now, GpuShare asked);
  void leaves_queue(SimTime now, GpuShare asked);
  void job_starts(SimTime now, HeldGpus held);
  // Work that turns out to be lost is moved from `compute` in hindsight.
  void job_ends(SimTime started, SimTime now, HeldGpus held, Account work);
  void idle_changes(SimTime now, std::span<const sim::IdleShare> split);

  // After the last call: writes the file and checks that every row adds up to what is installed.
  void write(OutputFile& out, SimTime horizon);
  [[nodiscard]] const QueueStatistics& queue() const { return queue_statistics_; }  // after write()
  [[nodiscard]] bool binned() const { return series_.binned(); }
  [[nodiscard]] Duration bin_width() const { return series_.bin_width(); }

 private:
  static constexpr std::size_t kQueueJobs = 0;
  static constexpr std::size_t kQueueGpus = 1;
  static constexpr std::size_t kRunningJobs = 2;
  static constexpr std::size_t kFirstAccount = 3;
  static constexpr std::size_t kSeries = kFirstAccount + kAccounts;

  void change(SimTime at, std::size_t series, std::int64_t delta) {
    if (delta != 0 && at < window_.to) {
      series_.add(at < window_.from ? window_.from : at, series, delta);
    }
  }
  void change(SimTime at, Account account, GpuShare delta) {
    change(at, kFirstAccount + index(account), delta.raw());
  }
  void change_queue(SimTime now, std::int64_t jobs, GpuShare asked);
  void note_longest_queue(SimTime until);

  Measure window_;
  SimTime begin_;
  GpuShare installed_;
  StepSeries series_;
  std::array<GpuShare, sim::kIdleAccounts> idle_{};
  std::int64_t queue_jobs_ = 0;
  GpuShare queue_gpus_;
  SimTime queue_since_;
  QueueStatistics queue_statistics_;
};

}  // namespace weft::results
