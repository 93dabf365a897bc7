// A scenario with everything it names loaded: the cluster laid out, the logs read and bound to it.
// What `run`, `check` and `explain` share; nothing here writes a file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/cluster.hpp"
#include "base/errors.hpp"
#include "formats/job_reader.hpp"
#include "formats/scenario.hpp"
#include "results/cost.hpp"
#include "workloads/binding.hpp"

namespace weft::cli {

// One log as it was read, for messages, the manifest and `weft explain`.
struct LoadedLog {
  std::string file;  // as opened
  std::string sha256;
  formats::JobFileInfo info;
};

struct Experiment {
  formats::Scenario scenario;  // formats filled in as detected
  ClusterLayout layout;
  std::vector<LoadedLog> logs;  // none for generated workloads
  workloads::Bound bound;
  // What the cost rates leave out for want of a price; none on a platform that prices nothing.
  std::vector<std::string> cost_notes;
};

[[nodiscard]] ClusterLayout layout_of(const formats::PlatformChoice& platform);

// $ per GPU-hour of the platform's GPU models, as far as it prices them.
[[nodiscard]] results::GpuHourPrices prices_of(const Experiment& experiment);

// Faults go to `diagnostics`; the experiment is of use only if there are none. `stopped` is asked
// now and then while logs are read; when it says true, Interrupted is thrown.
[[nodiscard]] Experiment load_experiment(formats::Scenario scenario,
                                         const std::function<bool()>& stopped,
                                         Diagnostics& diagnostics);

// What was decided while reading, for stderr: a line each, none if there is nothing to say.
[[nodiscard]] std::vector<std::string> import_messages(const Experiment& experiment);

}  // namespace weft::cli
