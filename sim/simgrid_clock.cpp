#include <algorithm>
#include <array>
#include <exception>
#include <stdexcept>
#include <string>

#include "sim/clock.hpp"
#include "sim/simgrid_compat.hpp"

namespace weft::sim {
namespace {

// Our events as a SimGrid model: SimGrid asks when the next one is and tells when time has moved.
// Times stay int64 ns on our side. SimGrid's double clock follows them; at a year it is exact to
// 4 ns, so whether our event is due is read off the step it granted, not off its clock.
class EventModel final : public compat::Model {
 public:
  explicit EventModel(TimedWork& work) : Model("weft-events"), work_(work) {}

  double next_occurring_event(double now) override {
    due_ = failure_ ? kNever : work_.next();
    if (due_ >= kNever) {
      return -1.0;
    }
    wanted_step_ = std::max(0.0, to_seconds(due_.since_start()) - now);
    return wanted_step_;
  }

  void update_actions_state(double /*now*/, double step) override {
    if (due_ >= kNever || step < wanted_step_) {
      return;  // another model's event came first
    }
    try {
      work_.advance(due_);
    } catch (...) {  // must not unwind through SimGrid's C frames; run() rethrows
      failure_ = std::current_exception();
    }
  }

  void rethrow_failure() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  TimedWork& work_;
  SimTime due_ = kNever;
  double wanted_step_ = 0;
  std::exception_ptr failure_;
};

class SimgridClock final : public Clock {
 public:
  SimgridClock() {
    if (compat::engine_exists()) {
      throw std::logic_error(
          "this process has already run a SimGrid simulation; run each simulation in a process of "
          "its own");
    }
    compat::quiet_logs();
    // Never deleted: SimGrid keeps its clock and configuration anyway, and an engine that still
    // exists is how a second simulation in this process is noticed.
    engine_ = new compat::Engine(&argument_count_, arguments_.data());
    compat::make_root_zone(*engine_)->seal();
  }

  void run(TimedWork& work) override {
    const auto model = std::make_shared<EventModel>(work);
    engine_->add_model(model);
    engine_->run();
    model->rethrow_failure();
  }

 private:
  int argument_count_ = 1;
  std::string program_ = "weft";
  std::array<char*, 2> arguments_{program_.data(), nullptr};
  compat::Engine* engine_ = nullptr;  // SimGrid's own registry points to it, too
};

}  // namespace

std::unique_ptr<Clock> make_simgrid_clock() {
  return std::make_unique<SimgridClock>();
}

const char* simgrid_version() {
  return SIMGRID_VERSION_STRING;
}

}  // namespace weft::sim
