#include "cli/experiment.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/counted.hpp"
#include "cli/exit_code.hpp"
#include "cli/trace_input.hpp"
#include "platforms/cost.hpp"
#include "topology/layout.hpp"

namespace weft::cli {

namespace {
using formats::JobFormat;

// Passes records on until the user interrupts.
class StoppableSink final : public workloads::RecordSink {
 public:
  StoppableSink(workloads::RecordSink& next, const std::function<bool()>& stopped)
      : next_(next), stopped_(stopped) {}
  void record(const workloads::JobRecord& job) override {
    constexpr std::uint64_t kBetweenLooks = 4096;
    if (++records_ % kBetweenLooks == 0 && stopped_()) {
      throw Interrupted();
    }
    next_.record(job);
  }

 private:
  workloads::RecordSink& next_;
  const std::function<bool()>& stopped_;
  std::uint64_t records_ = 0;
};

std::optional<JobFormat> format_of_source(const formats::WorkloadSource& source,
                                          const formats::InputFile& file,
                                          Diagnostics& diagnostics) {
  return format_of(source.format, !source.read.columns.empty(), file, diagnostics);
}

// Puts times that count from one log's first submission on another zero.
class ShiftingSink final : public workloads::RecordSink {
 public:
  ShiftingSink(workloads::RecordSink& next, Duration later) : next_(next), later_(later) {}
  void record(const workloads::JobRecord& job) override {
    workloads::JobRecord moved = job;
    for (std::optional<SimTime>* time : {&moved.submit, &moved.begin, &moved.start, &moved.end}) {
      if (*time) {
        **time = **time + later_;
      }
    }
    next_.record(moved);
  }

 private:
  workloads::RecordSink& next_;
  Duration later_;
};

class IgnoringSink final : public workloads::RecordSink {
 public:
  void record(const workloads::JobRecord& /*job*/) override {}
};

class Loader {
 public:
  Loader(Experiment& experiment, const std::function<bool()>& stopped, Diagnostics& diagnostics)
      : experiment_(experiment),
        stopped_(stopped),
        diagnostics_(diagnostics),
        binder_(experiment.layout,
                experiment.scenario.binding.options,
                experiment.scenario.name,
                whole_file("generated"),
                diagnostics) {}

  void load() {
    std::vector<formats::WorkloadSource>& sources = experiment_.scenario.workload;
    if (sources.size() > 1 && (!find_zeros(sources) || !diagnostics_.ok())) {
      return;
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].generate) {
        binder_.next_file(whole_file("generated"));
        StoppableSink sink(binder_, stopped_);
        workloads::generate(*sources[i].generate, experiment_.scenario.seed, sink);
      } else {
        read(sources[i], i < zeros_.size() ? zeros_[i] : Duration{});
      }
    }
    if (diagnostics_.ok()) {
      experiment_.bound = binder_.finish();
    }
  }

 private:
  void read(formats::WorkloadSource& source, Duration later) {
    const std::optional<formats::InputFile> file =
        formats::InputFile::read(source.file, diagnostics_);
    if (!file) {
      return;
    }
    source.format = format_of_source(source, *file, diagnostics_);
    if (!source.format) {
      return;
    }
    binder_.next_file(file->at(0, 0));
    ShiftingSink shifting(binder_, later);
    StoppableSink sink(later > Duration{} ? static_cast<workloads::RecordSink&>(shifting) : binder_,
                       stopped_);
    LoadedLog log;
    log.file = source.file;
    log.sha256 = file->sha256();
    log.info = formats::read_jobs(*file, *source.format, source.read, sink, diagnostics_);
    experiment_.logs.push_back(std::move(log));
  }

  // A log with calendar times counts from its own first submission. Several of them need one zero,
  // the earliest, so each is read twice: first for its zero alone.
  bool find_zeros(const std::vector<formats::WorkloadSource>& sources) {
    std::vector<std::optional<std::int64_t>> calendar_zeros;
    for (const formats::WorkloadSource& source : sources) {
      calendar_zeros.push_back(source.generate ? std::nullopt : calendar_zero(source));
    }
    const auto is_calendar = [](const auto& zero) { return zero.has_value(); };
    if (std::none_of(calendar_zeros.begin(), calendar_zeros.end(), is_calendar)) {
      return true;
    }
    if (!std::all_of(calendar_zeros.begin(), calendar_zeros.end(), is_calendar)) {
      if (diagnostics_.ok()) {
        diagnostics_.error({whole_file(sources.back().file),
                            {},
                            "logs with calendar times beside logs that count from their own zero",
                            "logs of one kind of time in one run"});
      }
      return false;
    }
    std::int64_t first = *calendar_zeros.front();
    for (const std::optional<std::int64_t>& zero : calendar_zeros) {
      first = std::min(first, *zero);
    }
    for (const std::optional<std::int64_t>& zero : calendar_zeros) {
      zeros_.push_back(nanoseconds(*zero - first));
    }
    return true;
  }

  std::optional<std::int64_t> calendar_zero(const formats::WorkloadSource& source) {
    const std::optional<formats::InputFile> file =
        formats::InputFile::read(source.file, diagnostics_);
    const std::optional<JobFormat> format =
        file ? format_of_source(source, *file, diagnostics_) : std::nullopt;
    if (!format) {
      return std::nullopt;
    }
    Diagnostics found;
    IgnoringSink ignored;
    StoppableSink sink(ignored, stopped_);
    const formats::JobFileInfo info = formats::read_jobs(*file, *format, source.read, sink, found);
    for (const InputError& error : found.errors()) {
      diagnostics_.error(error);
    }
    return info.zero_is_first_submit ? info.zero_unix_ns : std::nullopt;
  }

  Experiment& experiment_;
  const std::function<bool()>& stopped_;
  Diagnostics& diagnostics_;
  workloads::Binder binder_;
  std::vector<Duration> zeros_;  // by source: how much later than the earliest it begins
};
}  // namespace

ClusterLayout layout_of(const formats::PlatformChoice& platform) {
  return platform.platform ? topology::make_layout(*platform.platform)
                           : flat_pool(platform.flat_processors);
}

results::GpuHourPrices prices_of(const Experiment& experiment) {
  std::vector<std::optional<Money>> prices;
  if (experiment.scenario.platform.platform) {
    const platforms::CostRates rates =
        platforms::cost_rates(*experiment.scenario.platform.platform);
    for (const std::string& model : experiment.layout.gpu_models) {
      prices.push_back(rates.per_gpu_hour(model));
    }
  }
  return results::GpuHourPrices(std::move(prices));
}

Experiment load_experiment(formats::Scenario scenario,
                           const std::function<bool()>& stopped,
                           Diagnostics& diagnostics) {
  Experiment experiment;
  experiment.scenario = std::move(scenario);
  experiment.layout = layout_of(experiment.scenario.platform);
  if (experiment.scenario.platform.platform) {
    platforms::CostRates rates = platforms::cost_rates(*experiment.scenario.platform.platform);
    if (rates.known) {
      experiment.cost_notes = std::move(rates.notes);
    }
  }
  Loader(experiment, stopped, diagnostics).load();
  return experiment;
}

std::vector<std::string> import_messages(const Experiment& experiment) {
  std::vector<std::string> lines;
  for (const LoadedLog& log : experiment.logs) {
    lines.push_back(fmt::format("{}: {} ({})",
                                log.file,
                                counted(log.info.records, "job"),
                                formats::to_string(log.info.format)));
    for (const formats::MissingColumn& column : log.info.missing_columns) {
      lines.push_back(fmt::format("  no column {}: {} instead", column.column, column.instead));
    }
    for (const formats::ReadNote& note : log.info.notes) {
      lines.push_back(fmt::format(
          "  {} ({}, first in line {})", note.what, counted(note.rows, "row"), note.first_line));
    }
    if (!log.info.bad_lines.empty()) {
      constexpr std::size_t kShown = 5;
      std::string where;
      for (std::size_t i = 0; i < std::min(kShown, log.info.bad_lines.size()); ++i) {
        where += fmt::format("{}{}", i == 0 ? "" : ", ", log.info.bad_lines[i]);
      }
      lines.push_back(fmt::format("  {} left out: line {}{}",
                                  counted(log.info.bad_lines.size(), "bad row"),
                                  where,
                                  log.info.bad_lines.size() > kShown ? ", ..." : ""));
    }
  }
  const std::string decisions = workloads::to_text(experiment.bound.summary);
  for (std::size_t at = 0; at < decisions.size();) {
    const std::size_t end = std::min(decisions.find('\n', at), decisions.size());
    lines.push_back("  " + decisions.substr(at, end - at));
    at = end + 1;
  }
  for (const std::string& note : experiment.cost_notes) {
    lines.push_back("  cost: " + note);
  }
  return lines;
}

}  // namespace weft::cli
