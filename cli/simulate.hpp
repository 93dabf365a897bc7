// Runs a loaded experiment on SimGrid's clock, with progress on stderr and Ctrl-C heeded.
#pragma once

#include <optional>

#include "cli/experiment.hpp"
#include "cli/interrupt.hpp"
#include "cli/session.hpp"
#include "sim/simulation.hpp"

namespace weft::cli {

// One a process (sim/clock.hpp).
[[nodiscard]] sim::RunOutcome simulate(const Experiment& experiment,
                                       const InterruptGuard& interrupt,
                                       const Session& session,
                                       sim::Observer& observer,
                                       std::optional<sim::FollowedJob> follow = std::nullopt);

}  // namespace weft::cli
