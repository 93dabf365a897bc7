#include "cli/simulate.hpp"

#include <memory>
#include <utility>

#include "cli/progress.hpp"
#include "schedulers/registry.hpp"
#include "sim/clock.hpp"

namespace weft::cli {

sim::RunOutcome simulate(const Experiment& experiment,
                         const InterruptGuard& interrupt,
                         const Session& session,
                         sim::Observer& observer,
                         std::optional<sim::FollowedJob> follow) {
  const std::unique_ptr<schedulers::Scheduler> scheduler =
      schedulers::make_scheduler(experiment.scenario.scheduler);
  const std::unique_ptr<sim::Clock> clock = sim::make_simgrid_clock();
  interrupt.arm();  // SimGrid's own handler would end the process with nothing written
  ProgressDisplay display(progress_style(!session.common.quiet && !session.common.no_progress),
                          session.err);
  sim::RunRequest request;
  request.layout = &experiment.layout;
  request.workload = &experiment.bound.workload;
  request.scheduler = scheduler.get();
  request.clock = clock.get();
  request.horizon = experiment.scenario.horizon;
  request.stop = interrupt.flag();
  request.progress = [&display](const sim::Progress& progress) { display.update(progress); };
  request.follow = std::move(follow);
  sim::RunOutcome outcome = sim::run_simulation(request, observer);
  display.finish();
  return outcome;
}

}  // namespace weft::cli
