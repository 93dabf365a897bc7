// Where a run's results come from (manifest.json), and whether that is still there.
#pragma once

#include <string>
#include <vector>

#include "cli/experiment.hpp"
#include "results/manifest.hpp"

namespace weft::cli {

// All but `resolved` and `interrupted`, which are known at the end of the run.
[[nodiscard]] results::Manifest manifest_of(const Experiment& experiment,
                                            const std::vector<std::string>& arguments);

// The inputs of a finished run whose files are missing or differ from what its manifest.json says:
// a sentence each. Throws InputErrors if `folder` is no run folder.
[[nodiscard]] std::vector<std::string> changed_inputs(const std::string& folder);

}  // namespace weft::cli
