// manifest.json: what a run was made of, so that it can be made again.
//
// Everything but the key `environment` follows from the inputs alone: compare two manifests without
// it. Nothing here reads files or clocks; the caller says what it used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "results/summary.hpp"

namespace weft::results {

struct ManifestInput {
  std::string role;    // "platform", "workload", "scheduler", "scenario"
  std::string path;    // as given by the user
  std::string format;  // as detected or forced; may be empty
  std::string sha256;  // hexadecimal; empty: not a file (a built-in)
};

// A decision taken while reading the inputs, with how often it was taken.
struct ManifestDecision {
  std::string decision;
  std::uint64_t count = 0;
};

struct Manifest {
  std::string version;
  std::string simgrid;  // its version
  std::uint64_t seed = 0;
  std::vector<ManifestInput> inputs;
  std::vector<ManifestDecision> decisions;
  std::string resolved;      // the resolved configuration, as text
  std::string timezone;      // of calendar times in the inputs; empty: none
  std::string time_zero;     // the calendar time that simulated time 0 stands for; empty: none
  bool interrupted = false;  // of a finished run: cut by the user
  std::vector<std::string> command_line;  // environment
  std::string host_time;                  // environment; ISO 8601
};

// `state` is "finished".
[[nodiscard]] std::string manifest_json(const Manifest& manifest, const Summary& summary);
// `state` is "running": what is known before the first event. It marks a folder as a run's even if
// the run is killed and never comes to write the other one.
[[nodiscard]] std::string manifest_json_of_running(const Manifest& manifest);
// Write DIRECTORY/manifest.json. Throw OutputError.
void write_manifest(const std::string& directory, const Manifest& manifest, const Summary& summary);
void write_manifest_of_running(const std::string& directory, const Manifest& manifest);

}  // namespace weft::results
