#include "results/manifest.hpp"

#include <nlohmann/json.hpp>

#include "base/quantity.hpp"
#include "results/output_file.hpp"

namespace weft::results {

std::string manifest_json(const Manifest& manifest, const Summary& summary) {
  using Json = nlohmann::ordered_json;  // keys in the order written
  Json json;
  json["weft"] = manifest.version;
  json["simgrid"] = manifest.simgrid;
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
  // Seconds as text: a JSON reader's double would round them.
  json["horizon"] = {{"begin_s", seconds_text(summary.begin.since_start())},
                     {"length_s", seconds_text(summary.length)}};
  json["timeline"] = summary.timeline_binned ? "binned" : "exact";
  json["timeline_bin_s"] =
      summary.timeline_binned ? Json(seconds_text(summary.timeline_bin_width)) : Json();
  json["interrupted"] = manifest.interrupted;
  json["resolved"] = manifest.resolved;
  json["environment"] = {{"command_line", manifest.command_line},
                         {"host_time", manifest.host_time}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_manifest(const std::string& directory,
                    const Manifest& manifest,
                    const Summary& summary) {
  OutputFile file(directory + "/manifest.json");
  file.append(manifest_json(manifest, summary));
  file.close();
}

}  // namespace weft::results
