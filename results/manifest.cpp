#include "results/manifest.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "base/quantity.hpp"
#include "results/output_file.hpp"

namespace weft::results {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order written

Json inputs_and_decisions(const Manifest& manifest, const char* state) {
  Json json;
  json["weft"] = manifest.version;
  json["simgrid"] = manifest.simgrid;
  json["state"] = state;
  json["seed"] = manifest.seed;
  json["inputs"] = Json::array();
  for (const ManifestInput& input : manifest.inputs) {
    Json entry = {{"role", input.role}, {"path", input.path}};
    if (!input.format.empty()) {
      entry["format"] = input.format;
    }
    if (!input.sha256.empty()) {
      entry["sha256"] = input.sha256;
    }
    json["inputs"].push_back(std::move(entry));
  }
  json["import_decisions"] = Json::array();
  for (const ManifestDecision& decision : manifest.decisions) {
    json["import_decisions"].push_back(
        {{"decision", decision.decision}, {"count", decision.count}});
  }
  json["timezone"] = manifest.timezone.empty() ? Json() : Json(manifest.timezone);
  json["time_zero"] = manifest.time_zero.empty() ? Json() : Json(manifest.time_zero);
  return json;
}

std::string text_of(Json json, const Manifest& manifest) {
  json["resolved"] = manifest.resolved;
  json["environment"] = {{"command_line", manifest.command_line},
                         {"host_time", manifest.host_time}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_text(const std::string& directory, const std::string& text) {
  OutputFile file(directory + "/manifest.json");
  file.append(text);
  file.close();
}

}  // namespace

std::string manifest_json(const Manifest& manifest, const Summary& summary) {
  Json json = inputs_and_decisions(manifest, "finished");
  // Seconds as text: a JSON reader's double would round them.
  json["horizon"] = {{"begin_s", seconds_text(summary.begin.since_start())},
                     {"length_s", seconds_text(summary.length)}};
  json["timeline"] = summary.timeline_binned ? "binned" : "exact";
  json["timeline_bin_s"] =
      summary.timeline_binned ? Json(seconds_text(summary.timeline_bin_width)) : Json();
  json["interrupted"] = manifest.interrupted;
  return text_of(std::move(json), manifest);
}

std::string manifest_json_of_running(const Manifest& manifest) {
  return text_of(inputs_and_decisions(manifest, "running"), manifest);
}

void write_manifest(const std::string& directory,
                    const Manifest& manifest,
                    const Summary& summary) {
  write_text(directory, manifest_json(manifest, summary));
}

void write_manifest_of_running(const std::string& directory, const Manifest& manifest) {
  write_text(directory, manifest_json_of_running(manifest));
}

}  // namespace weft::results
