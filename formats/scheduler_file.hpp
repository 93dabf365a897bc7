// The scheduler as YAML writes it: the `scheduler:` map of a scenario, or a file of its own for
// `-s FILE.yaml` (docs/scenario.md).
#pragma once

#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "platforms/yaml_reader.hpp"
#include "schedulers/registry.hpp"

namespace weft::formats {

[[nodiscard]] bool is_scheduler_kind(std::string_view word);

// Reads the map; options that the kind does not have are unknown keys. `own_file`: it is the root
// of a file, which has `weft: 1` too.
[[nodiscard]] schedulers::SchedulerConfig read_scheduler(platforms::Reader& map, bool own_file);

// `placement:`, in the scheduler's map or the scenario's; false if it is not there or wrong.
bool read_placement(platforms::Reader& map, schedulers::SchedulerConfig& config);

[[nodiscard]] schedulers::SchedulerConfig read_scheduler_file(const std::string& path,
                                                              Diagnostics& diagnostics);

// "{kind: easy, backfill_order: fcfs}": every option of the kind with its value, but placement.
[[nodiscard]] std::string scheduler_yaml(const schedulers::SchedulerConfig& config);

}  // namespace weft::formats
