// What became of one job: what jobs.csv prints and the metrics count.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/allocation.hpp"
#include "base/job.hpp"
#include "base/start_reason.hpp"
#include "base/units.hpp"
#include "sim/observer.hpp"

namespace weft::results {

struct JobOutcome {
  const Job* job = nullptr;
  const RequestShape* shape = nullptr;
  sim::JobState state{};
  std::string_view rejected;   // kRejected: why
  std::optional<Money> cost;   // of `held`; none: prices are not known
  std::uint32_t attempts = 0;  // 0: never started, and then nothing below holds
  StartReason reason{};
  SimTime started;
  SimTime ended;  // kRunning: the horizon
  const Allocation* allocation = nullptr;
  GpuTime held;  // allocated GPUs x (ended - started)

  [[nodiscard]] bool has_started() const { return attempts > 0; }
  [[nodiscard]] bool has_ended() const {  // ran, and ran to an end
    return attempts > 0 && state != sim::JobState::kRunning;
  }
  [[nodiscard]] Duration waited() const { return started - job->submit; }
  [[nodiscard]] Duration ran() const { return ended - started; }
};

[[nodiscard]] std::string_view to_string(sim::JobState state);    // Slurm: "COMPLETED"
[[nodiscard]] std::string_view batsim_word(sim::JobState state);  // "COMPLETED_SUCCESSFULLY"

}  // namespace weft::results
