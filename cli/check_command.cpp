// `weft check FILE...`: what kind of file each is, all that is wrong with it, or what was read.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/quantity.hpp"
#include "cli/counted.hpp"
#include "cli/experiment.hpp"
#include "cli/scenario_input.hpp"
#include "cli/session.hpp"
#include "formats/job_reader.hpp"
#include "formats/scenario.hpp"
#include "formats/scheduler_file.hpp"
#include "platforms/load.hpp"
#include "platforms/yaml_document.hpp"
#include "platforms/yaml_reader.hpp"
#include "workloads/generator.hpp"
#include "workloads/generator_yaml.hpp"

namespace weft::cli {

namespace {
using Json = nlohmann::ordered_json;
using platforms::YamlDocument;
using platforms::YamlNode;

enum class YamlKind : std::uint8_t { kNone, kPlatform, kScenario, kScheduler, kGenerator };

// A YAML file says what it is by its top keys.
YamlKind yaml_kind(const std::string& file) {
  Diagnostics ignored;  // its reader will report them
  YamlDocument document;
  const std::optional<YamlDocument::NodeIndex> root = document.parse_file(file, ignored);
  if (!root || document.node(*root).kind != YamlNode::Kind::kMap) {
    return YamlKind::kNone;
  }
  const auto has = [&](std::string_view key) { return document.find(*root, key).has_value(); };
  if (has("workload") || has("platform") || has("scheduler")) {
    return YamlKind::kScenario;
  }
  if (has("generator") || has("teams")) {
    return YamlKind::kGenerator;
  }
  if (has("nodes") || has("fabrics") || has("include")) {
    return YamlKind::kPlatform;
  }
  if (has("kind") && !has("apiVersion")) {
    return YamlKind::kScheduler;
  }
  return YamlKind::kNone;
}

Json read_platform_file(const std::string& spec, Diagnostics& diagnostics) {
  const platforms::Platform platform = platforms::load_platform(spec, diagnostics);
  if (!diagnostics.ok()) {
    return {};
  }
  formats::PlatformChoice choice;
  choice.platform = platform;
  const ClusterLayout layout = layout_of(choice);
  Json read{{"kind", "platform"},
            {"name", platform.name},
            {"nodes", platforms::node_count(platform)},
            {"gpus", platforms::gpu_count(platform)}};
  std::int64_t cpus = 0;
  bool all_known = true;
  Json by_type = Json::object();
  for (const platforms::NodeGroup& group : platform.nodes) {
    all_known = all_known && group.cpus.has_value();
    cpus +=
        group.cpus ? group.cpus->raw() / 1000 * static_cast<std::int64_t>(group.names.size()) : 0;
    if (group.gpu) {
      const std::int64_t before =
          by_type.contains(group.gpu->model) ? by_type[group.gpu->model].get<std::int64_t>() : 0;
      by_type[group.gpu->model] = before + group.gpu_count();
    }
  }
  read["gpus_by_type"] = std::move(by_type);
  if (all_known) {
    read["cpus"] = cpus;
  }
  read["partitions"] = platform.partitions.size();
  read["fabrics"] = platform.fabrics.size();
  read["leaf_switches"] = layout.leaf_count;
  read["racks"] = layout.rack_count;
  return read;
}

Json read_scenario_file(const std::string& file, const Session& session, Diagnostics& diagnostics) {
  formats::Scenario scenario = formats::read_scenario(file, {}, diagnostics);
  if (!diagnostics.ok()) {
    return {};
  }
  const Experiment experiment = load_experiment(
      std::move(scenario), [] { return false; }, diagnostics);
  if (!diagnostics.ok()) {
    return {};
  }
  for (const std::string& line : import_messages(experiment)) {
    session.say(line);
  }
  return Json{{"kind", "scenario"},
              {"name", experiment.scenario.name},
              {"platform", experiment.layout.name},
              {"nodes", experiment.layout.nodes.size()},
              {"gpus", experiment.layout.gpu_count},
              {"scheduler", experiment.scenario.scheduler.kind},
              {"jobs", experiment.bound.summary.jobs},
              {"jobs_rejected", experiment.bound.summary.rejected},
              {"rows_dropped", experiment.bound.summary.dropped}};
}

Json read_scheduler_yaml(const std::string& file, Diagnostics& diagnostics) {
  const schedulers::SchedulerConfig config = formats::read_scheduler_file(file, diagnostics);
  return Json{{"kind", "scheduler"},
              {"scheduler", config.kind},
              {"placement", std::string(schedulers::to_string(config.placement))}};
}

class NullSink final : public workloads::RecordSink {
 public:
  void record(const workloads::JobRecord& /*job*/) override {}
};

// What it would make with seed 1, the one that trace generate takes if none is given.
Json read_generator_yaml(const formats::InputFile& file, Diagnostics& diagnostics) {
  const std::optional<workloads::GeneratorParameters> parameters =
      workloads::read_generator(file.text(), file.name(), diagnostics);
  if (!parameters) {
    return {};
  }
  NullSink sink;
  const workloads::Generated made = workloads::generate(*parameters, 1, sink);
  return Json{{"kind", "generator"},
              {"name", parameters->name},
              {"jobs", made.jobs},
              {"span", to_text(parameters->span)},
              {"gpus", parameters->gpus},
              {"load", std::round(made.load * 1e4) / 1e4},
              {"classes", parameters->classes.size()}};
}

Json read_job_log(const formats::InputFile& file,
                  formats::JobFormat format,
                  const Session& session,
                  Diagnostics& diagnostics) {
  formats::ReadOptions options;
  options.skip_bad_rows = session.common.on_bad_job == "skip";
  if (!session.common.timezone.empty()) {
    options.time_zone = session.common.timezone;
  }
  NullSink sink;
  const formats::JobFileInfo info = formats::read_jobs(file, format, options, sink, diagnostics);
  Json read{{"kind", "job log"},
            {"format", std::string(formats::to_string(format))},
            {"jobs", info.records},
            {"data_lines", info.rows}};
  if (!info.columns.empty()) {
    read["columns"] = info.columns.size();
  }
  if (format == formats::JobFormat::kBatsim) {
    for (const auto& [key, value] : info.header) {
      read[key] = value;
    }
    read["jobs_without_walltime"] = info.records - info.covered(formats::JobField::kLimit);
  }
  read["rows_left_out"] = info.bad_lines.size();
  for (std::size_t i = 0; i < formats::kJobFieldCount; ++i) {
    const auto field = static_cast<formats::JobField>(i);
    read["with_" + std::string(formats::to_string(field))] = info.covered(field);
  }
  for (const formats::MissingColumn& column : info.missing_columns) {
    session.say(file.name() + ": no column " + column.column + "; " + column.instead + " instead");
  }
  for (const formats::ReadNote& note : info.notes) {
    session.say(file.name() + ": " + note.what + " (" + counted(note.rows, "row") +
                ", first in line " + std::to_string(note.first_line) + ")");
  }
  return read;
}

bool is_shipped(const std::string& name) {
  for (const platforms::ShippedPlatform& shipped : platforms::shipped_platforms()) {
    if (shipped.name == name) {
      return true;
    }
  }
  return false;
}

void refuse(const std::string& file, Diagnostics& diagnostics) {
  std::string words;
  for (const formats::JobFormat format : formats::all_job_formats()) {
    words += (words.empty() ? "" : ", ") + std::string(formats::to_string(format));
  }
  diagnostics.error(
      {whole_file(file),
       {},
       "a kind of file that weft does not read",
       "a platform, scenario, scheduler or generator file (YAML), or a job log: " + words});
}

Json check_one(const std::string& argument, const Session& session, Diagnostics& diagnostics) {
  constexpr std::size_t kHead = 64 * 1024;
  const Parsed<formats::JobFileName> name = formats::parse_job_file_name(argument);
  if (!name) {
    diagnostics.error({whole_file(argument), {}, "'" + argument + "'", name.allowed()});
    return {};
  }
  if (is_shipped(argument)) {
    return read_platform_file(argument, diagnostics);
  }
  const std::optional<formats::InputFile> file = formats::InputFile::read(name->path, diagnostics);
  if (!file) {
    return {};
  }
  std::optional<formats::JobFormat> format = name->format;
  if (!format) {
    const std::string extension = std::filesystem::path(name->path).extension().string();
    const bool yaml = extension == ".yaml" || extension == ".yml";
    const YamlKind kind = yaml ? yaml_kind(name->path) : YamlKind::kNone;
    switch (kind) {
      case YamlKind::kPlatform:
        return read_platform_file(name->path, diagnostics);
      case YamlKind::kScenario:
        return read_scenario_file(name->path, session, diagnostics);
      case YamlKind::kScheduler:
        return read_scheduler_yaml(name->path, diagnostics);
      case YamlKind::kGenerator:
        return read_generator_yaml(*file, diagnostics);
      case YamlKind::kNone:
        break;
    }
    if (yaml) {  // what is wrong with it as YAML comes first
      YamlDocument document;
      static_cast<void>(document.parse_file(name->path, diagnostics));
      if (!diagnostics.ok()) {
        return {};
      }
    } else {
      format = formats::detect_format(name->path, file->text().substr(0, kHead));
    }
  }
  if (!format) {
    refuse(name->path, diagnostics);
    return {};
  }
  return read_job_log(*file, *format, session, diagnostics);
}

void print_text(const std::string& file, const Json& read, const Session& session) {
  session.out << file << ": " << read["kind"].get<std::string>() << '\n';
  for (const auto& [key, value] : read.items()) {
    if (key != "kind") {
      session.out << "  " << key << ": "
                  << (value.is_string() ? value.get<std::string>() : value.dump()) << '\n';
    }
  }
}

ExitCode check(const std::vector<std::string>& files, const Session& session) {
  if (session.common.format == OutputFormat::kCsv) {
    throw UsageError("check prints text or json: what was read is no table");
  }
  bool all_right = true;
  Json all = Json::array();
  for (const std::string& file : files) {
    Diagnostics diagnostics;
    Json read = check_one(file, session, diagnostics);
    print_warnings(diagnostics, session);
    if (!diagnostics.ok()) {
      all_right = false;
      try {
        diagnostics.throw_if_errors();
      } catch (const InputErrors& errors) {
        session.err << errors.what() << '\n';
      }
    } else if (session.common.format == OutputFormat::kText) {
      print_text(file, read, session);
    } else {
      Json with_name{{"file", file}};
      with_name.update(read);
      all.push_back(std::move(with_name));
    }
  }
  if (session.common.format != OutputFormat::kText && (files.size() > 1 || !all.empty())) {
    session.out << (files.size() == 1 ? all.front() : all)
                       .dump(2, ' ', false, Json::error_handler_t::replace)
                << '\n';
  }
  return all_right ? ExitCode::kDone : ExitCode::kInvalidInput;
}
}  // namespace

void add_check_command(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "check", "Validate files: all errors at once, or what was read. Nothing is run or written");
  const auto files = std::make_shared<std::vector<std::string>>();
  command
      ->add_option(
          "FILE",
          *files,
          "Platform, scenario, scheduler and generator files, job logs (FORMAT:FILE forces one)")
      ->required();
  add_common_options(*command, session.common);
  command->footer("Example:\n  weft check cluster.yaml jobs.swf --format json");
  command->callback(
      [&session, files] { session.action = [&session, files] { return check(*files, session); }; });
}

}  // namespace weft::cli
