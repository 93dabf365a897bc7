// The accounts of the GPU-second ledger (docs/ledger.md): where a GPU can be at an instant. Their
// order is the order of rows and columns in every output.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/observer.hpp"

namespace weft::results {

enum class Account : std::uint8_t {
  kDown,
  kMaintenance,
  kPoweredOff,
  kNoDemand,
  kFragmented,
  kDraining,
  kReserved,
  kPolicy,
  kSchedulerLatency,
  kStarting,
  kUnusedAllocation,
  kCommIdeal,
  kCommContention,
  kIoWait,
  kCheckpoint,
  kBubble,
  kThrottled,
  kLostWork,
  kServingIdle,
  kCompute,
  kServingBusy
};
constexpr std::size_t kAccounts = 21;

enum class AccountGroup : std::uint8_t { kNotAvailable, kIdle, kAllocatedNotUseful, kUseful };
constexpr std::size_t kAccountGroups = 4;

[[nodiscard]] std::string_view to_string(Account account);     // "no_demand"
[[nodiscard]] std::string_view to_string(AccountGroup group);  // "allocated_not_useful"
[[nodiscard]] AccountGroup group_of(Account account);
[[nodiscard]] constexpr bool is_job_time(AccountGroup group) {  // held by a job
  return group == AccountGroup::kAllocatedNotUseful || group == AccountGroup::kUseful;
}
[[nodiscard]] Account account_of(sim::IdleAccount idle);

// Where the requested share of a job that ended in `state` goes: its work counted, or it was lost.
// Lost: FAILED, NODE_FAIL, OUT_OF_MEMORY. A job stopped by its limit, its user or a deadline keeps
// its work (checkpoints are not modelled here), and so does one that is still running.
[[nodiscard]] Account account_of_work(sim::JobState state);

[[nodiscard]] constexpr Account account_at(std::size_t i) {
  return static_cast<Account>(i);
}
[[nodiscard]] constexpr std::size_t index(Account account) {
  return static_cast<std::size_t>(account);
}
[[nodiscard]] constexpr std::size_t index(AccountGroup group) {
  return static_cast<std::size_t>(group);
}

}  // namespace weft::results
