// `weft run`: one simulation, its files and its summary.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/quantity.hpp"
#include "cli/counted.hpp"
#include "cli/experiment.hpp"
#include "cli/interrupt.hpp"
#include "cli/manifest.hpp"
#include "cli/output_folder.hpp"
#include "cli/run_options.hpp"
#include "cli/scenario_input.hpp"
#include "cli/session.hpp"
#include "cli/simulate.hpp"
#include "results/output_file.hpp"
#include "results/report.hpp"
#include "results/run_writer.hpp"
#include "results/summary_text.hpp"
#include "sim/simulation.hpp"

namespace weft::cli {

namespace {
using WallClock = std::chrono::steady_clock;

struct RunTimes {  // wall clock, seconds
  double load = 0;
  double simulation = 0;
  double output = 0;  // closing the files; rows are written while the run goes
};

double seconds_since(WallClock::time_point start) {
  return std::chrono::duration<double>(WallClock::now() - start).count();
}

void write_text(const std::string& path, const std::string& text) {
  results::OutputFile file(path);
  file.append(text);
  file.close();
}

results::RunWriterOptions writer_options(const Experiment& experiment, const std::string& folder) {
  const formats::Scenario& scenario = experiment.scenario;
  results::RunWriterOptions options;
  options.directory = folder;
  options.prices = prices_of(experiment);
  options.events = scenario.outputs.events;
  options.scheduler = scenario.scheduler.kind;
  const std::vector<Job>& jobs = experiment.bound.workload.jobs;
  if (scenario.measure && !jobs.empty()) {
    options.measure = results::Measure{jobs.front().submit + scenario.measure->from,
                                       jobs.front().submit + scenario.measure->to};
  }
  return options;
}

void print_summary(const results::Summary& summary, const Session& session) {
  switch (session.common.format) {
    case OutputFormat::kText:
      session.out << results::summary_text(summary);
      break;
    case OutputFormat::kJson:
      session.out << results::summary_json(results::summary_items(summary));
      break;
    case OutputFormat::kCsv:
      session.out << results::summary_csv(results::summary_items(summary));
      break;
  }
  session.out << std::flush;
}

// A run whose figures say nothing has to say why.
void warn_of_nothing_measured(const results::Summary& summary,
                              const Experiment& experiment,
                              const Session& session) {
  const workloads::ImportSummary& import = experiment.bound.summary;
  if (import.jobs == 0) {
    session.say("warning: the workload holds no jobs");
    return;
  }
  if (import.rejected == import.jobs) {
    session.say("warning: no job ran: this cluster can run none of the " +
                counted(import.jobs, "job") + " (jobs.csv says why)");
    return;
  }
  const std::optional<formats::MeasureWindow>& measure = experiment.scenario.measure;
  if (measure && summary.length == Duration{}) {
    session.say("warning: --measure: the run had ended before " + to_text(measure->from) +
                " after its first submission: nothing is measured");
  } else if (measure && summary.jobs.counts.all == 0) {
    session.say("warning: --measure: no job was submitted from " + to_text(measure->from) + " to " +
                to_text(measure->to) + " after the first submission: no job is counted");
  } else if (summary.jobs.counts.all > 0 && summary.jobs.counts.finished == 0) {
    session.say("warning: no job that is counted finished");
  }
}

// Standard input and pipes are read once: nobody can run resolved.yaml again.
void warn_of_streams(const formats::Scenario& scenario, const Session& session) {
  for (const formats::WorkloadSource& source : scenario.workload) {
    std::error_code ignored;
    if (!source.generate && !std::filesystem::is_regular_file(source.file, ignored)) {
      session.say("warning: " + source.file +
                  " is no file that can be read again: resolved.yaml and weft explain need the log "
                  "in a file");
    }
  }
}

// What a run that did not reach its own end has to say.
ExitCode report_end(const sim::RunOutcome& outcome,
                    const Experiment& experiment,
                    const Session& session) {
  switch (outcome.end) {
    case sim::RunOutcome::End::kFinished:
    case sim::RunOutcome::End::kHorizon:
      return ExitCode::kDone;
    case sim::RunOutcome::End::kInterrupted:
      session.err << fmt::format(
          "weft: interrupted at {} s of simulated time; the results so far are written, as with "
          "--horizon {}s\n",
          seconds_text(outcome.horizon.since_start()),
          seconds_text(outcome.horizon - outcome.begin));
      return ExitCode::kInterrupted;
    case sim::RunOutcome::End::kStalled:
      session.err << fmt::format(
          "weft: stalled at {} s of simulated time: {} jobs wait and nothing will happen any "
          "more\n",
          seconds_text(outcome.horizon.since_start()),
          outcome.waiting_jobs);
      for (const sim::WaitingJob& waiting : outcome.waiting) {
        const Workload& workload = experiment.bound.workload;
        session.err << fmt::format(
            "  job {}: {}\n", workload.symbols.text(workload.job(waiting.job).name), waiting.why);
      }
      return ExitCode::kFailed;
  }
  return ExitCode::kFailed;
}

// What the run reads, as far as it has a name.
std::vector<std::string> input_files(const RunOptions& options, const Experiment& experiment) {
  std::vector<std::string> files = {options.scenario};
  for (const formats::Override& change : options.overrides) {
    files.push_back(change.value);  // -p and -s; what is no file is equal to none
  }
  const std::string& platform = experiment.scenario.platform.spec;
  files.push_back(platform);
  files.push_back(platform.substr(platform.find(':') + 1));  // openb:NODES.csv
  for (const LoadedLog& log : experiment.logs) {
    files.push_back(log.file);
  }
  return files;
}

ExitCode run(const RunOptions& options, const Session& session) {
  const InterruptGuard interrupt;
  const WallClock::time_point began = WallClock::now();
  RunTimes times;

  if (const std::string why = why_not_an_output_folder(options.output_folder); !why.empty()) {
    throw UsageError("-o " + options.output_folder + ": " + why);
  }
  formats::Scenario scenario = read_scenario_input(options.scenario, options.overrides, session);
  Diagnostics diagnostics;
  Experiment experiment = load_experiment(
      std::move(scenario), [&] { return interrupt.requested(); }, diagnostics);
  print_warnings(diagnostics, session);
  diagnostics.throw_if_errors();
  for (const std::string& line : import_messages(experiment)) {
    session.say(line);
  }
  warn_of_streams(experiment.scenario, session);
  if (interrupt.requested()) {
    throw Interrupted();
  }
  times.load = seconds_since(began);

  if (const std::string input =
          input_in_the_way(options.output_folder, input_files(options, experiment));
      !input.empty()) {
    throw UsageError("-o " + options.output_folder + ": '" + input +
                     "' is an input of this run and would be replaced; name another folder");
  }
  make_output_folder(options.output_folder);
  const std::filesystem::path folder = options.output_folder;
  results::Manifest manifest = manifest_of(experiment, session.arguments);
  manifest.resolved = formats::resolved_yaml(experiment.scenario);
  results::write_manifest_of_running(options.output_folder, manifest);
  write_text((folder / "resolved.yaml").string(), manifest.resolved);
  results::RunWriter writer(writer_options(experiment, options.output_folder));
  const WallClock::time_point simulation_began = WallClock::now();
  const sim::RunOutcome outcome = simulate(experiment, interrupt, session, writer);
  times.simulation = seconds_since(simulation_began);

  const WallClock::time_point output_began = WallClock::now();
  const results::Summary summary = writer.finish();
  if (outcome.end == sim::RunOutcome::End::kInterrupted) {  // running it again cuts there too
    experiment.scenario.horizon = std::max(outcome.horizon - outcome.begin, nanoseconds(1));
    manifest.resolved = formats::resolved_yaml(experiment.scenario);
    manifest.interrupted = true;
    write_text((folder / "resolved.yaml").string(), manifest.resolved);
  }
  results::write_manifest(options.output_folder, manifest, summary);
  times.output = seconds_since(output_began);

  print_summary(summary, session);
  warn_of_nothing_measured(summary, experiment, session);
  ExitCode code = report_end(outcome, experiment, session);
  double report_seconds = 0;
  const bool report =
      experiment.scenario.outputs.report && !(code == ExitCode::kDone && interrupt.requested());
  if (report) {
    const WallClock::time_point report_began = WallClock::now();
    results::write_report({options.output_folder}, (folder / "report.html").string(), {});
    report_seconds = seconds_since(report_began);
  }
  if (code == ExitCode::kDone && interrupt.requested()) {
    session.err << "weft: interrupted after the simulation; its results are complete"
                << (experiment.scenario.outputs.report && !report
                        ? ", but report.html is not written ('weft report " +
                              options.output_folder + "' makes it)\n"
                        : "\n");
    code = ExitCode::kInterrupted;
  }
  session.say(
      fmt::format("{} on {} in {:.2f} s (reading {:.2f}, simulating {:.2f}, writing {:.2f}{})",
                  counted(experiment.bound.workload.jobs.size(), "job"),
                  counted(static_cast<std::uint64_t>(experiment.layout.gpu_count), "GPU"),
                  seconds_since(began),
                  times.load,
                  times.simulation,
                  times.output,
                  report ? fmt::format(", report {:.2f}", report_seconds) : ""));
  session.say("Results: " + options.output_folder +
              (report ? "; open " + (folder / "report.html").string() : ""));
  return code;
}
}  // namespace

void add_run_command(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("run", "Simulate a workload on a cluster under a scheduler");
  const auto parser = std::make_shared<RunOptionParser>();
  parser->add_to(*command);
  add_common_options(*command, session.common);
  command->footer(
      "Examples:\n"
      "  weft run scenario.yaml -o out/\n"
      "  weft run -p medium-256 -w jobs.swf -s easy --set scheduler.backfill_order=sjf\n"
      "Exit codes: 0 done, 1 could not finish, 2 usage, 3 invalid input (nothing is written),\n"
      "130 interrupted (what is finished is written).");
  command->callback([&session, parser] {
    session.action = [&session, parser] { return run(parser->options(session.common), session); };
  });
}

}  // namespace weft::cli
