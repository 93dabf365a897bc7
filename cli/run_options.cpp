#include "cli/run_options.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace weft::cli {

namespace {
// A double-quoted YAML scalar: JSON's strings are YAML's.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
}  // namespace

void RunOptionParser::add_key(CLI::App& command,
                              const std::string& option,
                              const std::string& path,
                              const std::string& help,
                              const std::string& type) {
  keys_.push_back(std::make_unique<KeyOption>());
  KeyOption& key = *keys_.back();
  key.option = option;
  key.path = path;
  command
      .add_option_function<std::string>(
          option,
          [&key](const std::string& value) {
            key.value = value;
            key.given = true;
          },
          help)
      ->type_name(type);
}

void RunOptionParser::add_to(CLI::App& command) {
  command.add_option("SCENARIO", scenario_, "Scenario file (docs/scenario.md)")
      ->type_name("SCENARIO.yaml");
  command
      .add_option("-p,--platform",
                  platform_,
                  "Cluster: a YAML file, a shipped name ('weft list platforms'), flat:N or "
                  "openb:NODES.csv")
      ->type_name("PLATFORM");
  command
      .add_option("-w,--workload",
                  logs_,
                  "Job log; may repeat. swf:FILE says its format, which is detected otherwise")
      ->allow_extra_args(false)
      ->type_name("[FORMAT:]FILE");
  command
      .add_option("-s,--scheduler",
                  scheduler_,
                  "A kind ('weft list schedulers') or a YAML file; easy if not given")
      ->type_name("SCHEDULER");
  command.add_option("-o,--output", output_folder_, "Folder for the results")
      ->type_name("DIR")
      ->capture_default_str();
  command
      .add_option("--set",
                  sets_,
                  "Lays a value over the scenario; platform. and scheduler. reach into their files")
      ->allow_extra_args(false)
      ->type_name("KEY.PATH=VALUE");
  add_key(command, "--seed", "seed", "Seed of all random draws", "N");
  add_key(command, "--fidelity", "fidelity", "trace: durations as recorded", "trace");
  add_key(
      command, "--horizon", "horizon", "Cut the run this long after the first submission", "TIME");
  add_key(command,
          "--measure",
          "measure",
          "Metrics over jobs submitted, and ledger over time, in this window only",
          "FROM..TO");
  add_key(command,
          "--placement",
          "placement",
          "Where jobs go: pack, first_fit, best_fit, spread",
          "WORD");
  add_key(command,
          "--load-factor",
          "workload[*].load_factor",
          "Divide the gaps between arrivals by this",
          "FACTOR");
  add_key(
      command, "--repeat", "workload[*].repeat", "Play the log this many times, end to end", "N");
  add_key(command,
          "--size",
          "workload[*].size",
          "Which size counts where a log has two: allocated or requested",
          "WORD");
  add_key(command,
          "--run-over-limit",
          "workload[*].run_over_limit",
          "A recorded run beyond its limit: kill (at the limit) or extend (the limit)",
          "WORD");
  add_key(command,
          "--zero-runtime",
          "workload[*].zero_runtime",
          "A recorded run of 0: one_second or drop",
          "WORD");
  add_key(command,
          "--missing-runtime",
          "workload[*].missing_runtime",
          "A job without a run time: drop, limit or a time",
          "WORD");
  add_key(command,
          "--missing-limit",
          "workload[*].missing_limit",
          "A job without a limit: runtime, unlimited or a time",
          "WORD");
  add_key(command,
          "--too-large",
          "workload[*].too_large",
          "A job larger than the cluster: reject, drop or cap",
          "WORD");
  add_key(command,
          "--unknown-partition",
          "workload[*].unknown_partition",
          "A partition the cluster does not have: any, first or reject",
          "WORD");
  command.add_flag("--events", events_, "Write events.jsonl: every decision with its reason");
  command.add_flag("--no-report", no_report_, "Write no report.html");
}

formats::Override RunOptionParser::workload_list() const {
  formats::Override change{"workload", "[", {}, false};
  for (const std::string& log : logs_) {
    const Parsed<formats::JobFileName> name = formats::parse_job_file_name(log);
    if (!name) {
      throw InputErrors({{whole_file("-w " + log), {}, "'" + log + "'", name.allowed()}});
    }
    change.origin += (change.origin.empty() ? "-w " : " -w ") + log;
    change.value += change.value.size() > 1 ? ", {file: " : "{file: ";
    change.value += quoted(name->path);
    if (name->format) {
      change.value += ", format: " + std::string(formats::to_string(*name->format));
    }
    change.value += '}';
  }
  change.value += ']';
  return change;
}

RunOptions RunOptionParser::options(const CommonOptions& common) const {
  if (scenario_.empty() && (platform_.empty() || logs_.empty())) {
    throw UsageError(
        "nothing to run: name a scenario file, or a platform and a job log "
        "(weft run -p PLATFORM -w LOG [-s SCHEDULER])");
  }
  if (output_folder_.empty()) {
    throw UsageError("-o: found nothing, allowed the name of a folder");
  }
  RunOptions run;
  run.scenario = scenario_;
  run.output_folder = output_folder_;
  if (!platform_.empty()) {
    run.overrides.push_back({"platform", platform_, "-p " + platform_, true});
  }
  if (!logs_.empty()) {
    run.overrides.push_back(workload_list());
  }
  if (!scheduler_.empty()) {
    run.overrides.push_back({"scheduler", scheduler_, "-s " + scheduler_, true});
  }
  for (const std::string& text : sets_) {
    const Parsed<formats::Override> change = formats::parse_set(text);
    if (!change) {
      throw UsageError("--set " + text + ": allowed " + change.allowed());
    }
    run.overrides.push_back(*change);
  }
  for (const std::unique_ptr<KeyOption>& key : keys_) {
    if (key->given) {
      run.overrides.push_back({key->path, key->value, key->option + ' ' + key->value, false});
    }
  }
  const auto common_key = [&run](const char* option, const char* path, const std::string& value) {
    if (!value.empty()) {
      run.overrides.push_back({path, value, std::string(option) + ' ' + value, false});
    }
  };
  common_key("--on-bad-job", "workload[*].on_bad_job", common.on_bad_job);
  common_key("--timezone", "workload[*].timezone", common.timezone);
  if (events_) {
    run.overrides.push_back({"outputs.events", "true", "--events", false});
  }
  if (no_report_) {
    run.overrides.push_back({"outputs.report", "false", "--no-report", false});
  }
  return run;
}

}  // namespace weft::cli
