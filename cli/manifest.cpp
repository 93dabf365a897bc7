#include "cli/manifest.hpp"

#include <ctime>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/calendar.hpp"
#include "cli/version.hpp"
#include "formats/input_file.hpp"

namespace weft::cli {

namespace {
using Json = nlohmann::json;

std::string absolute(const std::string& file) {
  return std::filesystem::absolute(file).lexically_normal().string();
}

void add_platform(const formats::PlatformChoice& platform, results::Manifest& manifest) {
  results::ManifestInput input{"platform", platform.spec, {}, {}};
  std::error_code ignored;
  if (std::filesystem::is_regular_file(platform.spec, ignored)) {
    Diagnostics unreadable;
    if (const auto file = formats::InputFile::read(platform.spec, unreadable)) {
      input.path = absolute(platform.spec);
      input.sha256 = file->sha256();
    }
  }
  if (!input.path.empty()) {
    manifest.inputs.push_back(std::move(input));
  }
}

void add_log(const LoadedLog& log, results::Manifest& manifest) {
  manifest.inputs.push_back({"workload",
                             absolute(log.file),
                             std::string(formats::to_string(log.info.format)),
                             log.sha256});
  const auto decide = [&](std::string decision, std::uint64_t count) {
    manifest.decisions.push_back({std::move(decision), count});
  };
  for (const formats::MissingColumn& column : log.info.missing_columns) {
    decide(fmt::format("no column {}: {} instead", column.column, column.instead), log.info.rows);
  }
  for (const formats::ReadNote& note : log.info.notes) {
    decide(fmt::format("{} (first in line {})", note.what, note.first_line), note.rows);
  }
  if (!log.info.bad_lines.empty()) {
    decide(fmt::format("bad rows left out (first in line {})", log.info.bad_lines.front()),
           log.info.bad_lines.size());
  }
  if (!log.info.time_zone.empty()) {
    manifest.timezone = log.info.time_zone;
  }
}

// The manifest of a finished run, as far as changed_inputs needs it.
struct KnownInput {
  std::string file;
  std::string sha256;
};
std::optional<std::vector<KnownInput>> inputs_of(std::string_view text) {
  const Json all = Json::parse(text, nullptr, false);
  if (!all.is_object() || !all.contains("inputs") || !all["inputs"].is_array()) {
    return std::nullopt;
  }
  std::vector<KnownInput> inputs;
  for (const Json& entry : all["inputs"]) {
    if (!entry.is_object() || !entry.contains("path") || !entry["path"].is_string() ||
        (entry.contains("sha256") && !entry["sha256"].is_string())) {
      return std::nullopt;
    }
    if (entry.contains("sha256")) {
      inputs.push_back({entry["path"].get<std::string>(), entry["sha256"].get<std::string>()});
    }
  }
  return inputs;
}
}  // namespace

results::Manifest manifest_of(const Experiment& experiment,
                              const std::vector<std::string>& arguments) {
  results::Manifest manifest;
  manifest.version = commit().empty() ? version() : version() + ' ' + commit();
  manifest.simgrid = simgrid_version();
  manifest.seed = experiment.scenario.seed;
  add_platform(experiment.scenario.platform, manifest);
  std::optional<std::int64_t> zero;  // several logs share the earliest (cli/experiment.cpp)
  for (const LoadedLog& log : experiment.logs) {
    add_log(log, manifest);
    if (log.info.zero_unix_ns && (!zero || *log.info.zero_unix_ns < *zero)) {
      zero = log.info.zero_unix_ns;
    }
  }
  if (zero) {
    manifest.time_zero = calendar_text(nanoseconds(*zero));
  }
  const workloads::ImportSummary& import = experiment.bound.summary;
  for (const workloads::ImportNote& note : import.notes) {
    manifest.decisions.push_back({note.decision, note.count});
  }
  for (const std::string& note : experiment.cost_notes) {
    manifest.decisions.push_back({"cost: " + note, 1});
  }
  manifest.command_line.emplace_back("weft");
  manifest.command_line.insert(manifest.command_line.end(), arguments.begin(), arguments.end());
  manifest.host_time = calendar_text(seconds(std::time(nullptr)));
  return manifest;
}

std::vector<std::string> changed_inputs(const std::string& folder) {
  Diagnostics diagnostics;
  const std::string path = (std::filesystem::path(folder) / "manifest.json").string();
  const std::optional<formats::InputFile> manifest = formats::InputFile::read(path, diagnostics);
  diagnostics.throw_if_errors();
  const std::optional<std::vector<KnownInput>> inputs = inputs_of(manifest->text());
  if (!inputs) {
    diagnostics.error({whole_file(path), {}, "no list of inputs", "the manifest of a weft run"});
    diagnostics.throw_if_errors();
  }
  std::vector<std::string> changed;
  for (const KnownInput& known : *inputs) {
    Diagnostics unreadable;
    const std::optional<formats::InputFile> file = formats::InputFile::read(known.file, unreadable);
    if (!file) {
      changed.push_back("'" + known.file + "' can not be read again (" +
                        unreadable.errors().front().found + ")");
    } else if (file->sha256() != known.sha256) {
      changed.push_back("'" + known.file + "' has changed since the run (SHA-256 " +
                        file->sha256().substr(0, 12) + "..., was " + known.sha256.substr(0, 12) +
                        "...)");
    }
  }
  return changed;
}

}  // namespace weft::cli
