#include "results/accounts.hpp"

#include "base/errors.hpp"

namespace weft::results {

namespace {

struct AccountInfo {
  std::string_view name;
  AccountGroup group;
};

constexpr std::array<AccountInfo, kAccounts> kInfo = {{
    {"down", AccountGroup::kNotAvailable},
    {"maintenance", AccountGroup::kNotAvailable},
    {"powered_off", AccountGroup::kNotAvailable},
    {"no_demand", AccountGroup::kIdle},
    {"fragmented", AccountGroup::kIdle},
    {"draining", AccountGroup::kIdle},
    {"reserved", AccountGroup::kIdle},
    {"policy", AccountGroup::kIdle},
    {"scheduler_latency", AccountGroup::kIdle},
    {"starting", AccountGroup::kAllocatedNotUseful},
    {"unused_allocation", AccountGroup::kAllocatedNotUseful},
    {"comm_ideal", AccountGroup::kAllocatedNotUseful},
    {"comm_contention", AccountGroup::kAllocatedNotUseful},
    {"io_wait", AccountGroup::kAllocatedNotUseful},
    {"checkpoint", AccountGroup::kAllocatedNotUseful},
    {"bubble", AccountGroup::kAllocatedNotUseful},
    {"throttled", AccountGroup::kAllocatedNotUseful},
    {"lost_work", AccountGroup::kAllocatedNotUseful},
    {"serving_idle", AccountGroup::kAllocatedNotUseful},
    {"compute", AccountGroup::kUseful},
    {"serving_busy", AccountGroup::kUseful},
}};

constexpr std::array<std::string_view, kAccountGroups> kGroups = {
    "not_available", "idle", "allocated_not_useful", "useful"};

}  // namespace

std::string_view to_string(Account account) {
  return kInfo[index(account)].name;
}

std::string_view to_string(AccountGroup group) {
  return kGroups[index(group)];
}

AccountGroup group_of(Account account) {
  return kInfo[index(account)].group;
}

Account account_of(sim::IdleAccount idle) {
  switch (idle) {
    case sim::IdleAccount::kPolicy:
      return Account::kPolicy;
    case sim::IdleAccount::kReserved:
      return Account::kReserved;
    case sim::IdleAccount::kFragmented:
      return Account::kFragmented;
    case sim::IdleAccount::kDraining:
      return Account::kDraining;
    case sim::IdleAccount::kSchedulerLatency:
      return Account::kSchedulerLatency;
    case sim::IdleAccount::kNoDemand:
      return Account::kNoDemand;
  }
  WEFT_ASSERT(false, "no such idle account");
  return Account::kNoDemand;
}

Account account_of_work(sim::JobState state) {
  switch (state) {
    case sim::JobState::kFailed:
    case sim::JobState::kNodeFail:
    case sim::JobState::kOutOfMemory:
      return Account::kLostWork;
    default:
      return Account::kCompute;
  }
}

}  // namespace weft::results
