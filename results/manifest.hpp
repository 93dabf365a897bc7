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
  std::string resolved;   // the resolved configuration, as text
  std::string timezone;   // of calendar times in the inputs; empty: none
  std::string time_zero;  // the calendar time that simulated time 0 stands for; empty: none
  bool interrupted = false;
  std::vector<std::string> command_line;  // environment
  std::string host_time;                  // environment; ISO 8601
};

[[nodiscard]] std::string manifest_json(const Manifest& manifest, const Summary& summary);
// Writes DIRECTORY/manifest.json. Throws OutputError.
void write_manifest(const std::string& directory, const Manifest& manifest, const Summary& summary);

}  // namespace weft::results
