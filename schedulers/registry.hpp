// The scheduling policies by name. Filled by an explicit call, not by static initialisers (a
// linker drops those from static libraries without a word); owned by whoever needs it.
//
//   Registry registry;
//   register_builtin(registry);
//   std::unique_ptr<Scheduler> easy = registry.make(config);
//
// A new policy is one .cpp, one line in register_builtin, one test file and one section of
// docs/policies.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/backfill.hpp"
#include "schedulers/placement.hpp"
#include "schedulers/scheduler.hpp"

namespace weft::schedulers {

// What a scenario's `scheduler:` says. Options that a policy does not have are refused by make().
struct SchedulerConfig {
  std::string kind = "easy";
  Placement placement = Placement::kPack;
  std::optional<BackfillOrder> backfill_order;  // easy; default fcfs
  std::optional<std::uint64_t> backfill_depth;  // easy; default: all waiting jobs
};

[[nodiscard]] std::string_view to_string(BackfillOrder order);
[[nodiscard]] std::optional<BackfillOrder> find_backfill_order(std::string_view word);

struct OptionHelp {
  std::string_view name;
  std::string_view values;
  std::string_view help;
};
struct PolicyHelp {
  std::string_view name;
  std::string_view help;      // a definition in one line
  std::string_view maturity;  // "stable": checked job by job against another implementation
  std::vector<OptionHelp> options;
};

class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Scheduler>(const SchedulerConfig&)>;

  // Throws std::logic_error if the name is taken.
  void add(PolicyHelp help, Factory factory);

  // Throws InputErrors: an unknown kind (with the nearest and all known ones) or an option the
  // kind does not have.
  [[nodiscard]] std::unique_ptr<Scheduler> make(const SchedulerConfig& config) const;

  [[nodiscard]] std::vector<std::string_view> names() const;  // in order of registration
  [[nodiscard]] std::vector<PolicyHelp> help() const;

 private:
  struct Entry {
    PolicyHelp help;
    Factory factory;
  };
  std::vector<Entry> entries_;
};

void register_builtin(Registry& registry);

// From the built-in policies.
[[nodiscard]] std::unique_ptr<Scheduler> make_scheduler(const SchedulerConfig& config);

}  // namespace weft::schedulers
