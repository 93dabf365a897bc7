// A scenario: everything one simulation depends on, in one YAML file (docs/scenario.md).
//
// Reading resolves it completely: the platform is loaded, names are checked, every option has its
// value. What comes back is plain data; write_resolved() prints it so that reading that again gives
// the same scenario. Nothing here runs anything or opens a job log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/units.hpp"
#include "formats/job_reader.hpp"
#include "formats/override.hpp"
#include "platforms/platform.hpp"
#include "schedulers/registry.hpp"
#include "workloads/bind_options.hpp"
#include "workloads/generator.hpp"

namespace weft::formats {

// flat:N or a described cluster.
struct PlatformChoice {
  std::string spec;                   // as given: a path, a shipped name, "flat:N"; or empty
  std::uint32_t flat_processors = 0;  // > 0: flat:N
  std::optional<platforms::Platform> platform;  // nothing for flat:N
};

// One entry of `workload`: a log, or a generator's description.
struct WorkloadSource {
  std::string file;                 // as it can be opened; empty: generated
  std::optional<JobFormat> format;  // nothing: detected from the content
  ReadOptions read;
  std::optional<workloads::GeneratorParameters> generate;
};

// `measure: 1d..8d`, both from the first submission; half-open.
struct MeasureWindow {
  Duration from;
  Duration to;
};

// The import decisions, as words (for resolved.yaml) and as the binder wants them.
struct BindingChoice {
  std::vector<std::pair<std::string, std::string>> words;  // every option with its value
  bool size_given = false;  // else `size` is allocated for classical logs, requested for sacct's
  workloads::BindOptions options;
};

struct OutputChoice {
  bool events = false;  // events.jsonl
  bool report = true;   // report.html
};

struct Scenario {
  std::string name;
  PlatformChoice platform;
  std::vector<WorkloadSource> workload;  // never empty; bound together, with one set of decisions
  BindingChoice binding;
  schedulers::SchedulerConfig scheduler;  // kind, its options and placement
  std::optional<Duration> horizon;        // after the first submission
  std::optional<MeasureWindow> measure;
  std::uint64_t seed = 1;
  OutputChoice outputs;
};

// Reads `file` with the overrides laid over it. Paths in the file are relative to its folder, those
// of literal overrides to the working directory. All faults of the scenario, its platform and its
// scheduler file go to `diagnostics`; the scenario is of use only if there are none.
[[nodiscard]] Scenario read_scenario(const std::string& file,
                                     const std::vector<Override>& overrides,
                                     Diagnostics& diagnostics);
// The same from overrides alone (`weft run -p ... -w ... -s ...`).
[[nodiscard]] Scenario scenario_from(const std::vector<Override>& overrides,
                                     Diagnostics& diagnostics);

// The scenario with every value written out and the platform inline; read_scenario reads it back
// to the same. Log files stand as absolute paths.
[[nodiscard]] std::string resolved_yaml(const Scenario& scenario);

}  // namespace weft::formats
