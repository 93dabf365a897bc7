#include "formats/scheduler_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace weft::formats {

using platforms::Need;
using platforms::Reader;
using platforms::Value;
using platforms::Word;
using platforms::YamlDocument;
using schedulers::BackfillOrder;
using schedulers::PolicyHelp;
using schedulers::SchedulerConfig;

namespace {
std::vector<PolicyHelp> known_policies() {
  schedulers::Registry registry;
  schedulers::register_builtin(registry);
  return registry.help();
}

bool has_option(const PolicyHelp& policy, std::string_view name) {
  return std::any_of(policy.options.begin(),
                     policy.options.end(),
                     [name](const schedulers::OptionHelp& option) { return option.name == name; });
}

const PolicyHelp* policy_of(const std::vector<PolicyHelp>& policies, std::string_view kind) {
  for (const PolicyHelp& policy : policies) {
    if (policy.name == kind) {
      return &policy;
    }
  }
  return nullptr;
}
}  // namespace

bool is_scheduler_kind(std::string_view word) {
  return policy_of(known_policies(), word) != nullptr;
}

bool read_placement(Reader& map, SchedulerConfig& config) {
  const std::optional<Value> value = map.find("placement");
  if (!value) {
    return false;
  }
  std::vector<std::string_view> words;
  for (const schedulers::PlacementHelp& placement : schedulers::placements()) {
    words.push_back(placement.name);
  }
  std::size_t chosen = 0;
  if (!value->read_word(chosen, words)) {
    return false;
  }
  config.placement = schedulers::placements()[chosen].placement;
  return true;
}

SchedulerConfig read_scheduler(Reader& map, bool own_file) {
  SchedulerConfig config;
  if (own_file) {
    std::int64_t version = 0;
    map.read_integer("weft", version, {1, 1}, Need::kRequired);
  }
  const std::vector<PolicyHelp> policies = known_policies();
  std::vector<std::string_view> kinds;
  for (const PolicyHelp& policy : policies) {
    kinds.push_back(policy.name);
  }
  std::size_t chosen = 0;
  const std::optional<Value> kind = map.find("kind", Need::kRequired, allowed_words("", kinds));
  if (!kind || !kind->read_word(chosen, kinds)) {
    static_cast<void>(map.entries());  // which options there are depends on the kind
    return config;
  }
  const PolicyHelp& policy = policies[chosen];
  config.kind = policy.name;
  read_placement(map, config);
  if (has_option(policy, "backfill_order")) {
    constexpr std::array<Word<BackfillOrder>, 2> kOrders = {
        {{"fcfs", BackfillOrder::kFcfs}, {"sjf", BackfillOrder::kSjf}}};
    BackfillOrder order = BackfillOrder::kFcfs;
    map.read_word("backfill_order", order, kOrders);
    config.backfill_order = order;
  }
  if (has_option(policy, "backfill_depth")) {
    map.read_integer(
        "backfill_depth", config.backfill_depth, {0, std::numeric_limits<std::int64_t>::max()});
  }
  return config;
}

SchedulerConfig read_scheduler_file(const std::string& path, Diagnostics& diagnostics) {
  YamlDocument document;
  const std::optional<YamlDocument::NodeIndex> root = document.parse_file(path, diagnostics);
  if (!root) {
    return {};
  }
  Reader reader(document, *root, diagnostics);
  return read_scheduler(reader, true);
}

std::string scheduler_yaml(const SchedulerConfig& config) {
  std::string text = "{kind: " + config.kind;
  if (config.backfill_order) {
    text += ", backfill_order: " + std::string(schedulers::to_string(*config.backfill_order));
  }
  if (config.backfill_depth) {
    text += ", backfill_depth: " + std::to_string(*config.backfill_depth);
  }
  return text + '}';
}

}  // namespace weft::formats
