// What the simulation tells the outside, as it happens. The only header of sim/ that results/ may
// include; it includes base only. Records are valid during the call.
//
// Order of calls: run_begins; then, by time, job_starts / job_ends / job_rejected and idle_changes;
// then run_ends. idle_changes comes last at its instant and only when the split changed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/allocation.hpp"
#include "base/cluster.hpp"
#include "base/job.hpp"
#include "base/start_reason.hpp"

namespace weft::sim {

// Slurm's words (docs/definitions.md).
enum class JobState : std::uint8_t {
  kPending,
  kRunning,
  kCompleted,
  kFailed,
  kTimeout,
  kDeadline,
  kOutOfMemory,
  kCancelled,
  kPreempted,
  kNodeFail,
  kRejected
};

// Accounts of idle GPUs, in the order in which waiting jobs claim them (docs/ledger.md).
enum class IdleAccount : std::uint8_t {
  kPolicy,
  kReserved,
  kFragmented,
  kDraining,
  kSchedulerLatency,
  kNoDemand
};
constexpr std::size_t kIdleAccounts = 6;

struct IdleShare {
  IdleAccount account{};
  GpuModelId gpu_model{};
  PartitionId partition{};
  GpuShare gpus;  // > 0
};

struct JobStart {
  SimTime now;
  JobId job{};
  std::uint32_t attempt = 1;  // from 1
  StartReason reason{};
  const Allocation* allocation = nullptr;
};

struct JobEnd {
  SimTime now;  // end; the job held its allocation in [started, now)
  SimTime started;
  JobId job{};
  std::uint32_t attempt = 1;
  JobState state{};  // kRunning: cut by the horizon, not ended
  StartReason reason{};
  const Allocation* allocation = nullptr;
};

struct RunInfo {
  const ClusterLayout* layout = nullptr;
  const Workload* workload = nullptr;
  SimTime begin;  // first submit
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  virtual void run_begins(const RunInfo& /*run*/) {}
  virtual void job_submitted(SimTime /*now*/, JobId /*job*/) {}
  virtual void job_starts(const JobStart& /*start*/) {}
  virtual void job_ends(const JobEnd& /*end*/) {}
  virtual void job_rejected(SimTime /*now*/, JobId /*job*/, std::string_view /*why*/) {}
  // The split of all idle GPUs from `now` on, until the next call.
  virtual void idle_changes(SimTime /*now*/, std::span<const IdleShare> /*split*/) {}
  // Waiting jobs at the horizon are reported by job_pending before run_ends.
  virtual void job_pending(JobId /*job*/) {}
  virtual void run_ends(SimTime /*horizon*/) {}
};

}  // namespace weft::sim
