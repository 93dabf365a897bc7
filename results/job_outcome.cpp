#include "results/job_outcome.hpp"

namespace weft::results {

std::string_view to_string(sim::JobState state) {
  switch (state) {
    case sim::JobState::kPending:
      return "PENDING";
    case sim::JobState::kRunning:
      return "RUNNING";
    case sim::JobState::kCompleted:
      return "COMPLETED";
    case sim::JobState::kFailed:
      return "FAILED";
    case sim::JobState::kTimeout:
      return "TIMEOUT";
    case sim::JobState::kDeadline:
      return "DEADLINE";
    case sim::JobState::kOutOfMemory:
      return "OUT_OF_MEMORY";
    case sim::JobState::kCancelled:
      return "CANCELLED";
    case sim::JobState::kPreempted:
      return "PREEMPTED";
    case sim::JobState::kNodeFail:
      return "NODE_FAIL";
    case sim::JobState::kRejected:
      return "REJECTED";
  }
  return "";
}

std::string_view batsim_word(sim::JobState state) {
  switch (state) {
    case sim::JobState::kCompleted:
      return "COMPLETED_SUCCESSFULLY";
    case sim::JobState::kFailed:
    case sim::JobState::kOutOfMemory:
    case sim::JobState::kNodeFail:
      return "COMPLETED_FAILED";
    case sim::JobState::kTimeout:
      return "COMPLETED_WALLTIME_REACHED";
    case sim::JobState::kDeadline:
    case sim::JobState::kCancelled:
    case sim::JobState::kPreempted:
      return "COMPLETED_KILLED";
    case sim::JobState::kRejected:
      return "REJECTED";
    case sim::JobState::kPending:
    case sim::JobState::kRunning:
      return "";
  }
  return "";
}

}  // namespace weft::results
