// `weft trace info|convert|fit|generate`: what a log holds, the same log in another format, a
// generator fitted to it, and a log made by a generator.
#include <charconv>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/quantity.hpp"
#include "cli/counted.hpp"
#include "cli/exit_code.hpp"
#include "cli/experiment.hpp"
#include "cli/scenario_input.hpp"
#include "cli/session.hpp"
#include "cli/trace_input.hpp"
#include "formats/input_file.hpp"
#include "formats/write_jobs.hpp"
#include "results/output_file.hpp"
#include "workloads/binding.hpp"
#include "workloads/generator.hpp"
#include "workloads/generator_fit.hpp"
#include "workloads/generator_yaml.hpp"
#include "workloads/statistics.hpp"

namespace weft::cli {

namespace {
using Json = nlohmann::ordered_json;

struct TraceRequest {
  std::string input;
  std::vector<std::string> columns;
  std::string platform;  // info
  std::string output;    // convert, fit, generate; empty: stdout
  std::string to;        // convert, generate
  std::string seed = "1";
};

// ---- output to a file or stdout ----

void put(const std::string& text, const TraceRequest& request, const Session& session) {
  if (request.output.empty()) {
    session.out << text << std::flush;
    return;
  }
  results::OutputFile file(request.output);
  file.append(text);
  file.close();
  session.say("Written: " + request.output);
}

// What is written has its own format.
void only_text(const Session& session, const std::string& hint) {
  if (session.common.format != OutputFormat::kText) {
    throw UsageError("--format: allowed text" + hint);
  }
}

// ---- info ----

// The load the log would put on a cluster, with the default decisions.
std::optional<double> load_on(const std::string& platform,
                              const TraceRequest& request,
                              const Session& session) {
  std::vector<formats::Override> overrides = {{"platform", platform, "-p " + platform, true},
                                              {"workload", "[{file: none}]", "the log", false}};
  const formats::Scenario scenario = read_scenario_input({}, overrides, session);
  const ClusterLayout layout = layout_of(scenario.platform);
  Diagnostics diagnostics;
  workloads::Binder binder(
      layout, scenario.binding.options, "load", whole_file(request.input), diagnostics);
  Session quiet{session.out, session.err, {}, session.common, {}};
  quiet.common.quiet = true;  // its warnings were printed the first time
  read_trace(request.input, request.columns, quiet, binder);
  diagnostics.throw_if_errors();
  return workloads::offered_load(binder.finish().workload, layout);
}

Json json_of(const workloads::Quantiles& q) {
  return Json{{"count", q.count},
              {"mean", q.mean},
              {"min", q.least},
              {"p5", q.p5},
              {"p25", q.p25},
              {"median", q.median},
              {"p75", q.p75},
              {"p95", q.p95},
              {"p99", q.p99},
              {"max", q.most}};
}

Json json_of(const TraceInput& input, const workloads::TraceStatistics& statistics) {
  const formats::JobFileInfo& info = input.info;
  Json all{{"file", input.file},
           {"format", std::string(formats::to_string(info.format))},
           {"jobs", statistics.jobs},
           {"rows", info.rows},
           {"rows_left_out", info.bad_lines},
           {"first_submit", seconds_text(statistics.first_submit.since_start())},
           {"last_submit", seconds_text(statistics.last_submit.since_start())},
           {"last_end", seconds_text(statistics.last_end.since_start())},
           {"runtime_s", json_of(statistics.runtime)},
           {"limit_s", json_of(statistics.limit)},
           {"interarrival_s", json_of(statistics.interarrival)},
           {"gpus", json_of(statistics.size)},
           {"runtime_over_limit", json_of(statistics.limit_accuracy)},
           {"unlimited", statistics.unlimited},
           {"by_hour", statistics.by_hour},
           {"by_weekday", statistics.by_weekday},
           {"users", statistics.users},
           {"accounts", statistics.accounts}};
  all["sizes"] = Json::array();
  for (const workloads::SizeCount& size : statistics.sizes) {
    all["sizes"].push_back(
        Json{{"gpus", static_cast<double>(size.size.raw()) / 1000}, {"jobs", size.jobs}});
  }
  all["coverage"] = Json::object();
  for (std::size_t i = 0; i < formats::kJobFieldCount; ++i) {
    const auto field = static_cast<formats::JobField>(i);
    all["coverage"][std::string(formats::to_string(field))] = info.covered(field);
  }
  all["days"] = Json::array();
  for (const formats::DayCoverage& day : info.days) {
    all["days"].push_back(Json{{"jobs", day.jobs}, {"with_size", day.with_size}});
  }
  all["oddities"] = Json::array();
  for (const workloads::Oddity& odd : statistics.oddities) {
    all["oddities"].push_back(
        Json{{"what", std::string(odd.what)}, {"count", odd.count}, {"lines", odd.lines}});
  }
  all["notes"] = Json::array();
  for (const formats::ReadNote& note : info.notes) {
    all["notes"].push_back(
        Json{{"what", note.what}, {"rows", note.rows}, {"first_line", note.first_line}});
  }
  all["missing_columns"] = Json::array();
  for (const formats::MissingColumn& column : info.missing_columns) {
    all["missing_columns"].push_back(Json{{"column", column.column}, {"instead", column.instead}});
  }
  return all;
}

// Days on which the size of few jobs is known make a replay of the whole span misleading.
void print_thin_days(const formats::JobFileInfo& info, std::ostream& out) {
  std::size_t thin = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < info.days.size(); ++i) {
    const formats::DayCoverage& day = info.days[i];
    if (day.jobs > 0 && day.with_size < day.jobs / 2) {
      first = thin == 0 ? i : first;
      ++thin;
    }
  }
  if (thin > 0) {
    out << fmt::format(
        "Warning: on {} of {} days the GPUs of fewer than half of the jobs are known (first: day "
        "{})\n",
        thin,
        info.days.size(),
        first + 1);
  }
}

void print_text(const TraceInput& input,
                const workloads::TraceStatistics& statistics,
                std::ostream& out) {
  const formats::JobFileInfo& info = input.info;
  out << fmt::format(
      "{}: {} ({})\n", input.file, formats::to_string(info.format), formats::describe(info.format));
  if (!info.bad_lines.empty()) {
    out << fmt::format("{} left out, the first in line {}\n",
                       counted(info.bad_lines.size(), "bad row"),
                       info.bad_lines.front());
  }
  for (const formats::MissingColumn& column : info.missing_columns) {
    out << fmt::format("No column {}: {} instead\n", column.column, column.instead);
  }
  for (const formats::ReadNote& note : info.notes) {
    out << fmt::format(
        "{} ({}, first in line {})\n", note.what, counted(note.rows, "row"), note.first_line);
  }
  print_thin_days(info, out);
  out << workloads::to_text(statistics) << '\n';
}

ExitCode info(const TraceRequest& request, const Session& session) {
  if (session.common.format == OutputFormat::kCsv) {
    throw UsageError("--format csv: trace info prints no table: allowed text, json");
  }
  workloads::StatisticsCollector collector;
  const TraceInput input = read_trace(request.input, request.columns, session, collector);
  const workloads::TraceStatistics statistics = collector.finish(input.wall_clock_at_zero);
  std::optional<double> load;
  if (!request.platform.empty()) {
    load = load_on(request.platform, request, session);
  }
  if (session.common.format == OutputFormat::kText) {
    print_text(input, statistics, session.out);
    if (!request.platform.empty()) {
      session.out << "Offered load on " << request.platform << ": "
                  << (load ? fmt::format("{:.4f}", *load) : std::string("n/a")) << '\n';
    }
    session.out << std::flush;
    return ExitCode::kDone;
  }
  Json all = json_of(input, statistics);
  if (!request.platform.empty()) {
    all["offered_load"] = load ? Json(*load) : Json();
  }
  session.out << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  return ExitCode::kDone;
}

// ---- fit ----

std::uint64_t seed_of(const TraceRequest& request) {
  std::uint64_t seed = 0;
  const char* const end = request.seed.data() + request.seed.size();
  const auto [at, error] = std::from_chars(request.seed.data(), end, seed);
  if (error != std::errc{} || at != end) {
    throw UsageError("--seed " + request.seed + ": allowed a whole number from 0");
  }
  return seed;
}

ExitCode fit(const TraceRequest& request, const Session& session) {
  only_text(session, " (trace fit writes YAML)");
  workloads::GeneratorFitter fitter;
  const TraceInput input = read_trace(request.input, request.columns, session, fitter);
  const std::optional<workloads::Fit> fitted =
      fitter.finish(std::filesystem::path(input.file).stem().string(),
                    input.wall_clock_at_zero,
                    seed_of(request));
  if (!fitted) {
    throw InputErrors({{whole_file(input.file),
                        {},
                        "fewer than two jobs with submit, size and run time",
                        "a log that a generator can be fitted to"}});
  }
  put(workloads::to_yaml(fitted->parameters), request, session);
  session.say(fmt::format(
      "Fitted to {} jobs ({} left out: no submit, size or run time). Largest difference between "
      "the "
      "log's and the generated distribution: size {:.3f}, run time {:.3f}, gaps between arrivals "
      "{:.3f}; GPU time generated over the log's: {:.3f}",
      fitted->used,
      fitted->left_out,
      fitted->goodness.size,
      fitted->goodness.runtime,
      fitted->goodness.interarrival,
      fitted->goodness.demand_ratio));
  return ExitCode::kDone;
}

// ---- convert, generate ----

// Formats that have a writer.
std::vector<formats::JobFormat> writable_formats() {
  std::vector<formats::JobFormat> writable;
  std::ostringstream nowhere;
  for (const formats::JobFormat format : formats::all_job_formats()) {
    if (formats::make_job_writer(format, nowhere, {}) != nullptr) {
      writable.push_back(format);
    }
  }
  return writable;
}

formats::JobFormat target_format(const TraceRequest& request) {
  std::vector<std::string_view> words;
  for (const formats::JobFormat format : writable_formats()) {
    words.push_back(formats::to_string(format));
    if (words.back() == request.to) {
      return format;
    }
  }
  throw UsageError("--to " + request.to + ": allowed " + allowed_words(request.to, words));
}

// Writes what `fill` hands to the writer, to a file or stdout. A file appears only when complete.
void write_log(const TraceRequest& request,
               const formats::WriteOptions& options,
               const Session& session,
               const std::function<void(workloads::RecordSink&)>& fill) {
  std::ostringstream text;
  std::ostream& out = request.output.empty() ? session.out : text;
  const std::unique_ptr<formats::JobWriter> writer =
      formats::make_job_writer(target_format(request), out, options);
  fill(*writer);
  if (!writer->finish() || !out.flush()) {
    throw RunError("the log cannot be written: the output failed");
  }
  if (!request.output.empty()) {
    put(text.str(), request, session);
  }
  for (const formats::WriteLoss& loss : writer->losses()) {
    session.say(fmt::format("Lost: {}: {}{}",
                            loss.what,
                            counted(loss.jobs, "job"),
                            loss.first_line > 0
                                ? fmt::format(", the first in line {}", loss.first_line)
                                : std::string()));
  }
}

class IgnoringSink final : public workloads::RecordSink {
 public:
  void record(const workloads::JobRecord& /*job*/) override {}
};

ExitCode convert(const TraceRequest& request, const Session& session) {
  only_text(session, " (--to names the format of the log)");
  static_cast<void>(target_format(request));
  if (request.input == "-") {
    throw UsageError("trace convert reads its log twice: name a file");
  }
  // Read twice: some formats begin with the calendar time of time 0, which is known at the end, and
  // a log with faults must leave nothing behind.
  IgnoringSink ignored;
  const TraceInput first = read_trace(request.input, request.columns, session, ignored);
  formats::WriteOptions options;
  options.name = std::filesystem::path(first.file).stem().string();
  options.zero_unix_ns = first.info.zero_unix_ns;
  Session quiet{session.out, session.err, {}, session.common, {}};
  quiet.common.quiet = true;  // its warnings were printed the first time
  write_log(request, options, session, [&](workloads::RecordSink& sink) {
    read_trace(request.input, request.columns, quiet, sink);
  });
  return ExitCode::kDone;
}

ExitCode generate(const TraceRequest& request, const Session& session) {
  only_text(session, " (--to names the format of the log)");
  Diagnostics diagnostics;
  const std::optional<formats::InputFile> file =
      formats::InputFile::read(request.input, diagnostics);
  diagnostics.throw_if_errors();
  const std::optional<workloads::GeneratorParameters> parameters =
      workloads::read_generator(file->text(), file->name(), diagnostics);
  print_warnings(diagnostics, session);
  diagnostics.throw_if_errors();
  formats::WriteOptions options;
  options.name = parameters->name;
  workloads::Generated made;
  const std::uint64_t seed = seed_of(request);
  write_log(request, options, session, [&](workloads::RecordSink& sink) {
    made = workloads::generate(*parameters, seed, sink);
  });
  session.say(fmt::format("{} jobs, load {:.3f} of {} GPUs over {}",
                          made.jobs,
                          made.load,
                          parameters->gpus,
                          to_text(parameters->span)));
  if (!made.reached_load) {
    session.say(
        "Note: the load asked for was not reached (too many jobs, or run times at their longest)");
  }
  return ExitCode::kDone;
}

// ---- the command line ----

using Act = ExitCode (*)(const TraceRequest&, const Session&);

struct Part {
  CLI::App* command;
  std::shared_ptr<TraceRequest> request;
};

Part add_part(
    CLI::App& trace, Session& session, const std::string& name, const std::string& help, Act act) {
  Part part{trace.add_subcommand(name, help), std::make_shared<TraceRequest>()};
  add_common_options(*part.command, session.common);
  part.command->callback([&session, request = part.request, act] {
    session.action = [&session, request, act] { return act(*request, session); };
  });
  return part;
}

void add_log_input(const Part& part) {
  part.command->add_option("FILE", part.request->input, "Job log, FORMAT:FILE to say its format")
      ->required();
  part.command
      ->add_option("--column",
                   part.request->columns,
                   "Of a CSV: which column holds a field, and its unit; may repeat")
      ->allow_extra_args(false)
      ->type_name("FIELD=COLUMN[@UNIT]");
}

void add_output(const Part& part) {
  part.command
      ->add_option("-o,--output", part.request->output, "File to write; stdout if not given")
      ->type_name("FILE");
}

void add_target(const Part& part, const std::string& fallback) {
  std::string words;
  for (const formats::JobFormat format : writable_formats()) {
    words += (words.empty() ? "" : "|") + std::string(formats::to_string(format));
  }
  part.request->to = fallback;
  part.command->add_option("--to", part.request->to, "Format to write")
      ->type_name(words)
      ->capture_default_str();
}

void add_seed(const Part& part) {
  part.command->add_option("--seed", part.request->seed, "Seed of the random draws")
      ->type_name("N")
      ->capture_default_str();
}
}  // namespace

void add_trace_command(CLI::App& app, Session& session) {
  CLI::App* trace = app.add_subcommand("trace", "Look at job logs, convert, imitate and make them");
  trace->require_subcommand(1);
  trace->footer("Example:\n  weft trace info jobs.swf");

  const Part info_part =
      add_part(*trace, session, "info", "What a log holds: span, load, sizes, oddities", info);
  add_log_input(info_part);
  info_part.command
      ->add_option(
          "-p,--platform", info_part.request->platform, "Also the load offered to this cluster")
      ->type_name("PLATFORM");
  info_part.command->footer("Example:\n  weft trace info jobs.swf -p medium-256");

  const Part convert_part =
      add_part(*trace, session, "convert", "Write a log in another format", convert);
  add_log_input(convert_part);
  add_target(convert_part, "weft");
  add_output(convert_part);
  convert_part.command->footer("Example:\n  weft trace convert sacct.txt --to swf -o jobs.swf");

  const Part fit_part =
      add_part(*trace, session, "fit", "Fit the generator's parameters to a log", fit);
  add_log_input(fit_part);
  add_seed(fit_part);
  add_output(fit_part);
  fit_part.command->footer("Example:\n  weft trace fit jobs.swf -o like-jobs.yaml");

  const Part generate_part = add_part(*trace,
                                      session,
                                      "generate",
                                      "Make a log from a fit or a short description of teams",
                                      generate);
  generate_part.command
      ->add_option("FILE",
                   generate_part.request->input,
                   "YAML with 'generator:' or 'teams:' (docs/workloads.md)")
      ->required();
  add_target(generate_part, "weft");
  add_seed(generate_part);
  add_output(generate_part);
  generate_part.command->footer(
      "Example:\n  weft trace generate examples/demo/workload.yaml --to swf -o demo.swf");
}

}  // namespace weft::cli
