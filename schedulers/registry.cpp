#include "schedulers/registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/errors.hpp"
#include "schedulers/conservative.hpp"

namespace weft::schedulers {

namespace {

bool has_option(const PolicyHelp& policy, std::string_view option) {
  return std::any_of(policy.options.begin(), policy.options.end(), [option](const OptionHelp& o) {
    return o.name == option;
  });
}

InputError no_such_option(const PolicyHelp& policy, std::string_view option) {
  std::string allowed;
  for (const OptionHelp& known : policy.options) {
    allowed += (allowed.empty() ? "" : ", ") + std::string(known.name);
  }
  InputError error;
  error.key = "scheduler." + std::string(option);
  error.found = "an option that " + std::string(policy.name) + " does not have";
  error.allowed = allowed;
  return error;
}

}  // namespace

std::string_view to_string(BackfillOrder order) {
  return order == BackfillOrder::kFcfs ? "fcfs" : "sjf";
}

std::optional<BackfillOrder> find_backfill_order(std::string_view word) {
  if (word == "fcfs") {
    return BackfillOrder::kFcfs;
  }
  if (word == "sjf") {
    return BackfillOrder::kSjf;
  }
  return std::nullopt;
}

void Registry::add(PolicyHelp help, Factory factory) {
  for (const Entry& entry : entries_) {
    if (entry.help.name == help.name) {
      throw std::logic_error("scheduler '" + std::string(help.name) + "' is registered twice");
    }
  }
  entries_.push_back(Entry{std::move(help), std::move(factory)});
}

std::vector<std::string_view> Registry::names() const {
  std::vector<std::string_view> names;
  names.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    names.push_back(entry.help.name);
  }
  return names;
}

std::vector<PolicyHelp> Registry::help() const {
  std::vector<PolicyHelp> help;
  help.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    help.push_back(entry.help);
  }
  return help;
}

std::unique_ptr<Scheduler> Registry::make(const SchedulerConfig& config) const {
  for (const Entry& entry : entries_) {
    if (entry.help.name != config.kind) {
      continue;
    }
    std::vector<InputError> errors;
    if (config.backfill_order && !has_option(entry.help, "backfill_order")) {
      errors.push_back(no_such_option(entry.help, "backfill_order"));
    }
    if (config.backfill_depth && !has_option(entry.help, "backfill_depth")) {
      errors.push_back(no_such_option(entry.help, "backfill_depth"));
    }
    if (!errors.empty()) {
      throw InputErrors(std::move(errors));
    }
    return entry.factory(config);
  }
  InputError unknown;
  unknown.key = "scheduler.kind";
  unknown.found = "'" + config.kind + "'";
  unknown.allowed = allowed_words(config.kind, names());
  throw InputErrors({std::move(unknown)});
}

void register_builtin(Registry& registry) {
  const OptionHelp placement{
      "placement", "first_fit | best_fit | pack | spread", "which free GPUs a job gets"};
  registry.add(
      PolicyHelp{"fcfs",
                 "first come, first served: the first job that does not fit blocks all behind it",
                 "stable",
                 {placement}},
      [](const SchedulerConfig& config) {
        BackfillOptions options;
        options.backfill = false;
        options.placement = config.placement;
        return std::make_unique<BackfillScheduler>(options);
      });
  registry.add(
      PolicyHelp{
          "easy",
          "the head of the queue has a reservation; later jobs may start if they do not delay it",
          "stable",
          {placement,
           {"backfill_order", "fcfs | sjf", "who is tried first: queue order, or shortest limit"},
           {"backfill_depth", "a count", "waiting jobs behind the head that are tried"}}},
      [](const SchedulerConfig& config) {
        BackfillOptions options;
        options.order = config.backfill_order.value_or(BackfillOrder::kFcfs);
        options.depth = config.backfill_depth.value_or(UINT64_MAX);
        options.placement = config.placement;
        return std::make_unique<BackfillScheduler>(options);
      });
  registry.add(
      PolicyHelp{"conservative",
                 "every waiting job has a reservation; a job may start if it delays none",
                 "stable",
                 {placement}},
      [](const SchedulerConfig& config) {
        return std::make_unique<ConservativeScheduler>(ConservativeOptions{config.placement});
      });
}

std::unique_ptr<Scheduler> make_scheduler(const SchedulerConfig& config) {
  Registry registry;
  register_builtin(registry);
  return registry.make(config);
}

}  // namespace weft::schedulers
