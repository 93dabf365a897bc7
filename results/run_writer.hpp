// Turns what the engine reports into the files of an output directory: jobs.csv, attempts.csv,
// nodes.csv, users.csv, accounts.csv, ledger.csv, timeline.csv, summary.json, and events.jsonl on
// request.
//
// Rows of jobs are written as jobs end, so that an interrupted run leaves what is finished; the
// rest is written by finish(). Every write may throw OutputError.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/cost.hpp"
#include "results/event_log.hpp"
#include "results/job_outcome.hpp"
#include "results/job_rows.hpp"
#include "results/ledger.hpp"
#include "results/metrics.hpp"
#include "results/node_use.hpp"
#include "results/summary.hpp"
#include "results/timeline.hpp"
#include "results/window.hpp"
#include "sim/observer.hpp"

namespace weft::results {

struct RunWriterOptions {
  std::string directory;  // created, with its parents, when the run begins
  std::optional<Measure> measure;
  GpuHourPrices prices;
  bool events = false;    // write events.jsonl
  std::string scheduler;  // its name, for the summary
};

class RunWriter : public sim::Observer {
 public:
  explicit RunWriter(RunWriterOptions options);

  void run_begins(const sim::RunInfo& run) override;
  void job_submitted(SimTime now, JobId job) override;
  void job_starts(const sim::JobStart& start) override;
  void job_ends(const sim::JobEnd& end) override;
  void job_rejected(SimTime now, JobId job, std::string_view why) override;
  void idle_changes(SimTime now, std::span<const sim::IdleShare> split) override;
  void job_pending(JobId job) override;
  void run_ends(SimTime horizon) override;

  // After run_ends: closes the books and writes what needs all jobs. Once.
  [[nodiscard]] Summary finish();

 private:
  // All that exists only while a run does.
  struct Run {
    Run(const RunWriterOptions& options, const sim::RunInfo& info);

    Measure window;
    const ClusterLayout* layout;
    const Workload* workload;
    SimTime begin;
    std::optional<SimTime> horizon;
    Ledger ledger;
    Timeline timeline;
    JobMetrics metrics;
    NodeUse nodes;
    JobRows rows;
    bool priced;  // some GPU model has a price
    CostStream costs;
    std::unique_ptr<EventLog> events;
    std::vector<bool> queued;  // by JobId
  };

  [[nodiscard]] bool leave_queue(SimTime now, JobId job);
  [[nodiscard]] std::optional<Money> cost_of(std::span<const HeldShare> held, Duration time);
  void never_started(JobId job, sim::JobState state, std::string_view why = {});

  RunWriterOptions options_;
  std::unique_ptr<Run> run_;
};

}  // namespace weft::results
