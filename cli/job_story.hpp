// What happened to one job: how it waited and for what, who went ahead of it, where it ran. Follows
// a run as an observer; printing is explain_command's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/allocation.hpp"
#include "base/ids.hpp"
#include "base/start_reason.hpp"
#include "base/units.hpp"
#include "sim/observer.hpp"

namespace weft::cli {

// A stretch of waiting for one kind of reason. Reasons that differ in their figures only ("12
// free", "16 free") are one kind: the first and the last wording are kept.
struct WaitSpan {
  SimTime from;
  SimTime to;
  std::string first_reason;
  std::string last_reason;
  std::uint64_t wordings = 0;
};

// All spans of a kind of reason together.
struct WaitTotal {
  std::string reason;  // its first wording
  Duration time;
};

// A job that was submitted later and started before it.
struct Overtaker {
  SimTime at;
  JobId job{};
  StartReason reason{};
  GpuShare gpus;
};

struct Attempt {
  SimTime started;
  SimTime ended;
  StartReason reason{};
  sim::JobState state = sim::JobState::kRunning;
  Allocation where;
};

class JobStory : public sim::Observer {
 public:
  explicit JobStory(JobId job) : job_(job) {}

  // For sim::FollowedJob::waits.
  void waits(SimTime now, const std::string& why);

  void run_begins(const sim::RunInfo& run) override;
  void job_submitted(SimTime now, JobId job) override;
  void job_starts(const sim::JobStart& start) override;
  void job_ends(const sim::JobEnd& end) override;
  void job_rejected(SimTime now, JobId job, std::string_view why) override;
  void job_pending(JobId job) override;
  void run_ends(SimTime horizon) override;

  [[nodiscard]] const std::vector<WaitSpan>& waited() const { return waited_; }
  [[nodiscard]] std::vector<WaitTotal> wait_totals() const;  // longest first
  [[nodiscard]] const std::vector<Overtaker>& overtakers() const { return overtakers_; }
  // Started while it waited, submitted before it.
  [[nodiscard]] std::uint64_t started_in_turn() const { return started_in_turn_; }
  [[nodiscard]] const std::vector<Attempt>& attempts() const { return attempts_; }
  [[nodiscard]] const std::string& rejected() const { return rejected_; }  // why; empty: was not
  [[nodiscard]] bool submitted() const { return submitted_; }
  [[nodiscard]] bool pending() const { return pending_; }  // at the end of the run
  [[nodiscard]] SimTime horizon() const { return horizon_; }

 private:
  void end_span(SimTime now);

  JobId job_;
  const Workload* workload_ = nullptr;
  std::vector<WaitSpan> waited_;
  std::vector<Overtaker> overtakers_;
  std::vector<Attempt> attempts_;
  std::uint64_t started_in_turn_ = 0;
  std::string rejected_;
  std::string kind_;  // of the open span; see kind_of
  bool submitted_ = false;
  bool waiting_ = false;
  bool pending_ = false;
  SimTime horizon_;
};

}  // namespace weft::cli
