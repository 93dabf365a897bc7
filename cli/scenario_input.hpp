// From a scenario file and options to a validated scenario, with faults sorted into what they are:
// a wrong option is a wrong command line, a wrong file or --set is invalid input.
#pragma once

#include <string>
#include <vector>

#include "base/errors.hpp"
#include "cli/session.hpp"
#include "formats/scenario.hpp"

namespace weft::cli {

// `file` may be empty: all from overrides. Prints warnings. Throws UsageError or InputErrors.
[[nodiscard]] formats::Scenario read_scenario_input(const std::string& file,
                                                    const std::vector<formats::Override>& overrides,
                                                    const Session& session);

// A line each on stderr, unless --quiet.
void print_warnings(const Diagnostics& diagnostics, const Session& session);

}  // namespace weft::cli
