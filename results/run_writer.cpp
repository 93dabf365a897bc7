#include "results/run_writer.hpp"

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/errors.hpp"
#include "results/decimal.hpp"
#include "results/output_file.hpp"

namespace weft::results {

namespace {

// What an earlier run in the same directory may have left, and this one writes at its end or not at
// all: until then it would pass for this run's.
constexpr std::array<std::string_view, 7> kLateFiles = {"summary.json",
                                                        "ledger.csv",
                                                        "timeline.csv",
                                                        "nodes.csv",
                                                        "users.csv",
                                                        "accounts.csv",
                                                        "events.jsonl"};

std::string prepared(const std::string& directory) {
  make_directory(directory);
  for (const std::string_view file : kLateFiles) {
    std::error_code failed;
    std::filesystem::remove(std::filesystem::path(directory) / file, failed);
    if (failed) {
      throw OutputError("cannot replace " + directory + "/" + std::string(file) + ": " +
                        failed.message());
    }
  }
  return directory;
}

void write_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.append(text);
  file.close();
}

HeldGpus total(std::span<const HeldShare> held) {
  HeldGpus sum;
  for (const HeldShare& share : held) {
    sum.requested += share.requested;
    sum.unused += share.unused;
  }
  return sum;
}

}  // namespace

RunWriter::Run::Run(const RunWriterOptions& options, const sim::RunInfo& info)
    : window(options.measure.value_or(Measure{})),
      layout(info.layout),
      workload(info.workload),
      begin(info.begin),
      ledger(*info.layout, info.begin, window),
      timeline(info.begin, window, gpus(info.layout->gpu_count)),
      metrics(*info.workload, window),
      nodes(*info.layout),
      rows(prepared(options.directory), *info.layout, *info.workload),
      priced(options.prices.any()),
      queued(info.workload->jobs.size(), false) {
  if (options.events) {
    events = std::make_unique<EventLog>(options.directory + "/events.jsonl");
    events->run_begins(info);
  }
}

RunWriter::RunWriter(RunWriterOptions options) : options_(std::move(options)) {}

void RunWriter::run_begins(const sim::RunInfo& run) {
  WEFT_ASSERT(!run_, "a run writer writes one run");
  run_ = std::make_unique<Run>(options_, run);
}

void RunWriter::job_submitted(SimTime now, JobId job) {
  run_->timeline.enters_queue(now, total_gpus(run_->workload->shape_of(job)));
  run_->queued[index(job)] = true;
  if (run_->events) {
    run_->events->job_submitted(now, job);
  }
}

bool RunWriter::leave_queue(SimTime now, JobId job) {
  if (!run_->queued[index(job)]) {
    return false;
  }
  run_->queued[index(job)] = false;
  run_->timeline.leaves_queue(now, total_gpus(run_->workload->shape_of(job)));
  return true;
}

void RunWriter::job_starts(const sim::JobStart& start) {
  const bool was_queued = leave_queue(start.now, start.job);
  WEFT_ASSERT(was_queued, "job " + std::to_string(index(start.job)) + " starts but does not wait");
  const HeldGpus held =
      total(run_->ledger.split(*start.allocation, run_->workload->shape_of(start.job)));
  run_->ledger.job_starts(held.requested + held.unused);
  run_->timeline.job_starts(start.now, held);
  if (run_->events) {
    run_->events->job_starts(start);
  }
}

std::optional<Money> RunWriter::cost_of(std::span<const HeldShare> held, Duration time) {
  ExactCost cost;
  for (const HeldShare& share : held) {
    const std::optional<Money> price =
        options_.prices.of(run_->ledger.slots()[share.slot].gpu_model);
    if (!price) {
      return std::nullopt;
    }
    cost += exact_cost((share.requested + share.unused) * time, *price);
  }
  return run_->priced ? run_->costs.next(cost) : std::nullopt;
}

void RunWriter::job_ends(const sim::JobEnd& end) {
  WEFT_ASSERT(end.allocation != nullptr, "a job that ends holds something");
  // A requeued job would have a row per attempt and one for the job; the engine requeues none yet.
  WEFT_ASSERT(end.attempt == 1, "attempt " + std::to_string(end.attempt) + " of a job");
  Run& run = *run_;
  const Job& job = run.workload->job(end.job);
  const RequestShape& shape = run.workload->shape_of(end.job);
  const std::span<const HeldShare> held = run.ledger.split(*end.allocation, shape);
  const HeldGpus sum = total(held);
  run.ledger.job_ends(held, end.started, end.now, end.state);
  run.timeline.job_ends(end.started, end.now, sum, account_of_work(end.state));
  run.nodes.add(*end.allocation, run.window.clip(end.now) - run.window.clip(end.started));

  JobOutcome outcome;
  outcome.job = &job;
  outcome.shape = &shape;
  outcome.state = end.state;
  outcome.attempts = end.attempt;
  outcome.reason = end.reason;
  outcome.started = end.started;
  outcome.ended = end.now;
  outcome.allocation = end.allocation;
  outcome.held = (sum.requested + sum.unused) * outcome.ran();
  outcome.cost = cost_of(held, outcome.ran());
  run.metrics.add(outcome);
  run.rows.write(outcome);
  if (run.events) {
    run.events->job_ends(end);
  }
}

void RunWriter::never_started(JobId job, sim::JobState state, std::string_view why) {
  JobOutcome outcome;
  outcome.job = &run_->workload->job(job);
  outcome.shape = &run_->workload->shape_of(job);
  outcome.state = state;
  outcome.rejected = why;
  outcome.cost = run_->priced ? std::optional(Money{}) : std::nullopt;
  run_->metrics.add(outcome);
  run_->rows.write(outcome);
}

void RunWriter::job_rejected(SimTime now, JobId job, std::string_view why) {
  static_cast<void>(leave_queue(now, job));  // some are rejected before they could wait
  never_started(job, sim::JobState::kRejected, why);
  if (run_->events) {
    run_->events->job_rejected(now, job, why);
  }
}

void RunWriter::idle_changes(SimTime now, std::span<const sim::IdleShare> split) {
  run_->ledger.idle_changes(now, split);
  run_->timeline.idle_changes(now, split);
  if (run_->events) {
    run_->events->idle_changes(now, split);
  }
}

void RunWriter::job_pending(JobId job) {
  never_started(job, sim::JobState::kPending);
  if (run_->events) {
    run_->events->job_pending(job);
  }
}

void RunWriter::run_ends(SimTime horizon) {
  run_->horizon = horizon;
  if (run_->events) {
    run_->events->run_ends(horizon);
  }
}

Summary RunWriter::finish() {
  WEFT_ASSERT(run_ && run_->horizon, "finish() before the run ended");
  Run& run = *run_;
  const std::string path = options_.directory + "/";
  run.rows.close();
  if (run.events) {
    run.events->close();
  }
  run.ledger.close(*run.horizon);
  OutputFile timeline(path + "timeline.csv");
  run.timeline.write(timeline, *run.horizon);
  timeline.close();

  Summary summary;
  summary.workload = run.workload->name;
  summary.platform = run.layout->name;
  summary.scheduler = options_.scheduler;
  summary.jobs = run.metrics.statistics();
  summary.begin = run.window.clip(run.begin);
  summary.length = run.ledger.length();
  summary.installed = gpus(run.layout->gpu_count);
  summary.ledger = make_ledger_table(run.ledger, options_.prices);
  summary.unfinished = run.ledger.unfinished();
  summary.queue = run.timeline.queue();
  summary.timeline_binned = run.timeline.binned();
  summary.timeline_bin_width = run.timeline.bin_width();
  const std::vector<GroupStatistics> users = run.metrics.by_user();
  std::vector<double> hours;
  std::vector<double> slowdowns;
  for (const GroupStatistics& user : users) {
    hours.push_back(gpu_hours(user.held));
    if (const std::optional<double> slowdown = user.bounded_slowdown.mean()) {
      slowdowns.push_back(*slowdown);
    }
  }
  summary.fairness_gpu_hours = jain_index(hours);
  summary.fairness_bounded_slowdown = jain_index(slowdowns);

  write_file(path + "users.csv", groups_csv("user", users));
  write_file(path + "accounts.csv", groups_csv("account", run.metrics.by_account()));
  write_file(path + "nodes.csv", run.nodes.csv(summary.length));
  write_file(path + "ledger.csv", ledger_csv(summary.ledger, *run.layout));
  write_file(path + "summary.json", summary_json(summary_items(summary)));
  return summary;
}

}  // namespace weft::results
