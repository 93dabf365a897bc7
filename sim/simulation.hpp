// One simulation: a workload on a cluster under a policy, from the first submission to the last
// end, a horizon, a stall or an interruption. Everything that happens goes to the observer.
//
// The engine owns the truth (which job is where) and checks every decision of the policy before it
// applies it; the policy's own picture never counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/cluster.hpp"
#include "base/job.hpp"
#include "sim/clock.hpp"
#include "sim/observer.hpp"

namespace weft::schedulers {
class Scheduler;
}

namespace weft::sim {

struct Progress {
  SimTime now;
  SimTime last_submit;
  std::uint64_t jobs_done = 0;  // ended or rejected
  std::uint64_t jobs = 0;
  std::uint64_t events = 0;
};

// Follows one job for `weft explain`: called when it waits, after every decision round, with the
// policy's reason why it has not started.
struct FollowedJob {
  JobId job{};
  std::function<void(SimTime now, const std::string& why)> waits;
};

struct RunRequest {
  const ClusterLayout* layout = nullptr;
  const Workload* workload = nullptr;
  schedulers::Scheduler* scheduler = nullptr;
  Clock* clock = nullptr;
  // Cut this long after the first submission; nothing starts at the cut or later.
  std::optional<Duration> horizon;
  const std::atomic<bool>* stop = nullptr;        // set: the next instant is the horizon
  std::function<void(const Progress&)> progress;  // every few thousand events
  std::optional<FollowedJob> follow;
};

struct WaitingJob {
  JobId job{};
  std::string why;
};

struct RunOutcome {
  enum class End : std::uint8_t {
    kFinished,
    kHorizon,
    kInterrupted,
    kStalled,  // jobs wait and nothing will ever happen
  };
  End end = End::kFinished;
  SimTime begin;    // first submission
  SimTime horizon;  // last end, cut or stall
  std::uint64_t events = 0;
  std::uint64_t decisions = 0;  // starts and rejections
  std::uint64_t waiting_jobs = 0;
  std::vector<WaitingJob> waiting;  // kStalled: the first hundred, with reasons
};

// A decision that cannot be carried out: the policy is at fault, not the user's input.
class PolicyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws PolicyError. Before it does, and whenever the run ends early, the observer gets
// run_ends, so that what is finished is kept.
RunOutcome run_simulation(const RunRequest& request, Observer& observer);

}  // namespace weft::sim
