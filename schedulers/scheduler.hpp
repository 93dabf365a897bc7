// The seam between the engine and a scheduling policy.
//
// A policy is a deterministic state machine. At each instant with news the engine calls decide()
// once, after all of that instant's events: completions first, then submissions, then wake-ups
// (ties: docs/architecture.md). The policy looks at the view and calls the sink. A start is checked
// and applied at once, so that the view stays true within a pass and no policy has to keep a copy
// of the cluster; a wrong decision stops the run with the policy's name and the reason.
//
// A policy never sees SimGrid, files, random devices or the wall clock: it can be tested with a
// struct literal and replayed from a log.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/allocation.hpp"
#include "base/cluster.hpp"
#include "base/job.hpp"
#include "base/start_reason.hpp"
#include "schedulers/cluster_state.hpp"

namespace weft::schedulers {

struct Event {
  enum class Kind : std::uint8_t { kJobEnded, kJobSubmitted, kWakeUp };
  Kind kind{};
  JobId job{};  // kWakeUp: unused
};

// What a policy may look at. References stay valid for the whole run.
struct ClusterView {
  SimTime now;
  const Workload& workload;
  const ClusterState& state;  // free resources now; its layout() names the nodes
};

class DecisionSink {
 public:
  DecisionSink() = default;
  DecisionSink(const DecisionSink&) = delete;
  DecisionSink& operator=(const DecisionSink&) = delete;
  virtual ~DecisionSink() = default;

  // Starts a waiting job now on `where`. The view shows the resources as taken on return.
  virtual void start(JobId job, const Allocation& where, StartReason why) = 0;
  // The job will never run; `why` is shown to the user.
  virtual void reject(JobId job, std::string_view why) = 0;
  // Asks for a decide() with a kWakeUp event at `when` (> now).
  virtual void wake_at(SimTime when) = 0;
};

// Why a waiting job that would fit on the free resources has not been started.
enum class Hold : std::uint8_t {
  kPlan,           // the policy keeps the resources for a planned start, or an earlier job's turn
  kNotConsidered,  // the policy has not looked at it yet
};

class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  virtual ~Scheduler() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  virtual void decide(std::span<const Event> events,
                      const ClusterView& view,
                      DecisionSink& sink) = 0;

  // For the ledger: asked between decide() calls, about waiting jobs only.
  [[nodiscard]] virtual Hold hold(JobId job) const = 0;

  // For `weft explain`: what keeps this waiting job from starting, in a sentence
  // ("head of the queue; needs 16 GPUs, 12 free; planned for 3600 s when job 7 reaches its limit").
  [[nodiscard]] virtual std::string why_waiting(JobId job, const ClusterView& view) const = 0;
};

}  // namespace weft::schedulers
