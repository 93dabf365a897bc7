#include <algorithm>
#include <cmath>

#include "platforms/platform_reading.hpp"
#include "platforms/words.hpp"

namespace weft::platforms {
namespace {

// Limits of what one platform may cost and draw, so that totals stay far from overflow.
constexpr Money kMaxOnce = dollars(100'000'000'000);
constexpr Money kMaxRate = dollars(1'000'000'000);  // a year, a kW and month, a GPU and year
constexpr Money kMaxTariff = dollars(1'000);

void read_bounded_price(Reader& reader,
                        std::string_view key,
                        std::optional<Money>& into,
                        PriceUnit::Kind unit) {
  const Money most = unit == PriceUnit::Kind::kOnce     ? kMaxOnce
                     : unit == PriceUnit::Kind::kPerKwh ? kMaxTariff
                                                        : kMaxRate;
  if (reader.read_price(key, into, unit) && *into > most) {
    reader.fault(key, "at most " + price_to_text(most, unit));
    into.reset();
  }
}

// Times that the engine adds to others: sums must not overflow.
void check_time(Reader& reader, std::string_view key, Duration time) {
  if (time > kUnlimited) {
    reader.fault(key, "at most 73y");
  }
}

bool has_local_storage(const Platform& platform) {
  return std::any_of(platform.nodes.begin(), platform.nodes.end(), [](const NodeGroup& group) {
    return group.local_storage.has_value();
  });
}

void read_storage_place(Reader& reader, const Platform& platform, Storage& storage) {
  if (reader.read("fabric", storage.fabric) && find_fabric(platform, storage.fabric) == nullptr) {
    std::vector<std::string_view> known;
    for (const Fabric& fabric : platform.fabrics) {
      known.emplace_back(fabric.name);
    }
    reader.fault("fabric",
                 known.empty() ? std::string("the name of a fabric, but none is described")
                               : allowed_words(storage.fabric, known));
  }
  std::string over;
  const bool is_cache = storage.kind == StorageKind::kCache;
  if (reader.read("over", over, is_cache ? Need::kRequired : Need::kOptional)) {
    if (!is_cache) {
      reader.fault("over", "no over, but with kind cache");
    } else if (over != "local_storage") {
      reader.fault("over", "local_storage");
    } else if (!has_local_storage(platform)) {
      reader.fault("over", "local_storage, once some nodes have it");
    } else {
      storage.over_local_storage = true;
    }
  }
}

void read_licences_and_spot(Reader& reader,
                            const Catalogue& catalogue,
                            const std::vector<std::string>& models,
                            Cost& cost) {
  const std::vector<std::string_view> own(models.begin(), models.end());
  if (std::optional<Reader> spot = reader.map("spot")) {
    for (const auto& [model, value] : spot->entries()) {
      const bool known = std::find(models.begin(), models.end(), model) != models.end() ||
                         catalogue.find_gpu(model) != nullptr;
      if (!known) {
        value.fault("the GPU model '" + model + "'", allowed_words(model, catalogue.gpu_names()));
      } else {
        value.read_price(cost.spot[model], PriceUnit::Kind::kPerGpuHour);
      }
    }
  }
  const std::optional<Value> direct = reader.find("per_gpu_hour");
  if (!direct) {
    return;
  }
  if (!direct->is_map()) {
    Money price;
    if (direct->read_price(price, PriceUnit::Kind::kPerGpuHour)) {
      cost.per_gpu_hour = price;
    }
    return;
  }
  for (const auto& [model, value] : direct->map()->entries()) {
    if (std::find(models.begin(), models.end(), model) == models.end()) {
      value.fault("the GPU model '" + model + "'", allowed_words(model, own));
    } else {
      value.read_price(cost.per_gpu_hour_of[model], PriceUnit::Kind::kPerGpuHour);
    }
  }
}

void read_cost_power(Reader& reader, Cost& cost) {
  std::optional<Reader> power = reader.map("power");
  if (!power) {
    return;
  }
  read_bounded_price(*power, "tariff", cost.tariff, PriceUnit::Kind::kPerKwh);
  power->read_number("pue", cost.pue, {1, 5});
  if (const std::optional<Value> carbon = power->find("carbon")) {
    double grams = 0;
    if (carbon->read_carbon(grams)) {
      cost.carbon = grams;
    }
  }
}

// $/kW/month, or (our extension) a fixed sum a year.
void read_colocation(Reader& reader, Cost& cost) {
  const std::optional<Value> value = reader.find("colocation");
  if (!value) {
    return;
  }
  if (parse_price(value->raw(), PriceUnit::Kind::kPerYear)) {
    read_bounded_price(reader, "colocation", cost.colocation_per_year, PriceUnit::Kind::kPerYear);
  } else {
    read_bounded_price(
        reader, "colocation", cost.colocation_per_kw_month, PriceUnit::Kind::kPerKwMonth);
  }
}

}  // namespace

void read_storage(Reader& root, Platform& platform) {
  for (Reader& reader : root.maps("storage")) {
    Storage storage;
    const bool has_name = reader.read("name", storage.name, Need::kRequired);
    const bool is_repeated =
        std::any_of(platform.storage.begin(), platform.storage.end(), [&](const Storage& other) {
          return other.name == storage.name;
        });
    if (has_name && is_repeated) {
      reader.fault("name", "names that differ");
    }
    reader.read_word("kind", storage.kind, kStorageKinds, Need::kRequired);
    read_storage_place(reader, platform, storage);
    reader.read_integer("servers", storage.servers, {1, 1'000'000});
    if (std::optional<Reader> nics = reader.map("nics_per_server")) {
      nics->read_integer("count", storage.nics_per_server, {1, 1024}, Need::kRequired);
      nics->read_positive("rate", storage.nic_rate, Need::kRequired);
    }
    // A cache over local storage is as fast as what it lies on.
    const Need rates = storage.kind == StorageKind::kCache ? Need::kOptional : Need::kRequired;
    reader.read_positive("read", storage.read, rates);
    reader.read_positive("write", storage.write, rates);
    reader.read_positive("per_client", storage.per_client);
    reader.read_positive("capacity", storage.capacity);
    reader.read_per_second("metadata", storage.metadata);
    reader.read("latency", storage.latency);
    read_bounded_price(reader, "price", storage.price, PriceUnit::Kind::kOnce);
    platform.storage.push_back(std::move(storage));
  }
}

void read_rack(Reader& root, Platform& platform) {
  if (std::optional<Reader> reader = root.map("rack")) {
    RackLimit rack;
    reader->read_positive("limit", rack.limit, Need::kRequired);
    reader->read_word("policy", rack.policy, kRackPolicies);
    platform.rack = rack;
  }
}

void read_failures(Reader& root, Platform& platform) {
  std::optional<Reader> reader = root.map("failures");
  if (!reader) {
    return;
  }
  Failures failures;
  reader->read_word("preset", failures.preset, kFailurePresets);
  for (const Word<ComponentClass>& component : kComponentClasses) {
    if (std::optional<Reader> rate = reader->map(component.text)) {
      FailureRate& into = failures.classes[component.value];
      rate->read_positive("mtbf", into.mtbf, Need::kRequired);
      rate->read("repair", into.repair, Need::kRequired);
    }
  }
  platform.failures = std::move(failures);
}

void read_events(Reader& root, const NodeDirectory& nodes, Platform& platform) {
  for (Reader& reader : root.maps("events")) {
    PlannedEvent event;
    Duration at;
    if (reader.read("at", at, Need::kRequired)) {
      event.at = SimTime::at(at);
      check_time(reader, "at", at);
    }
    const bool has_link = reader.has("link");
    reader.read("link", event.link);
    const std::optional<Value> list = reader.find("nodes");
    if (has_link == list.has_value()) {
      reader.fault(has_link ? "nodes" : "link",
                   has_link ? "both link and nodes" : "neither link nor nodes",
                   "one of the two");
    } else if (list) {
      nodes.read(*list, event.nodes);
    }
    reader.read_word("state", event.state, kEventStates, Need::kRequired);
    reader.read_positive("for", event.lasts);
    check_time(reader, "for", event.lasts.value_or(Duration{}));
    platform.events.push_back(std::move(event));
  }
}

void read_cost(Reader& root, const Catalogue& catalogue, Platform& platform) {
  std::optional<Reader> reader = root.map("cost");
  if (!reader) {
    return;
  }
  Cost cost;
  double years = 0;
  if (reader->read_number("years", years, {0.1, 100})) {
    cost.amortisation = years_of_8760_hours(std::llround(years * 1000));
  }
  if (const std::optional<Value> network = reader->find("network")) {
    if (network->raw() == "bill-of-materials") {
      cost.network_by_bill = true;
    } else if (parse_price(network->raw(), PriceUnit::Kind::kOnce)) {
      read_bounded_price(*reader, "network", cost.network, PriceUnit::Kind::kOnce);
    } else {
      network->fault("bill-of-materials, or a price in $, for example 120k$");
    }
  }
  read_bounded_price(*reader, "facility", cost.facility, PriceUnit::Kind::kOnce);
  read_cost_power(*reader, cost);
  read_bounded_price(*reader, "staff", cost.staff, PriceUnit::Kind::kPerYear);
  read_colocation(*reader, cost);
  read_bounded_price(*reader, "licences", cost.licences, PriceUnit::Kind::kPerGpuYear);
  read_licences_and_spot(*reader, catalogue, gpu_models(platform), cost);
  platform.cost = std::move(cost);
}

void read_partitions(Reader& root, const NodeDirectory& nodes, Platform& platform) {
  for (Reader& reader : root.maps("partitions")) {
    Partition partition;
    const bool has_name = reader.read("name", partition.name, Need::kRequired);
    const bool is_repeated = std::any_of(
        platform.partitions.begin(), platform.partitions.end(), [&](const Partition& other) {
          return other.name == partition.name;
        });
    if (has_name && is_repeated) {
      reader.fault("name", "names that differ");
    }
    if (const std::optional<Value> list =
            reader.find("nodes", Need::kRequired, "a hostlist, or all")) {
      nodes.read(*list, partition.nodes);
    }
    reader.read_positive("max_time", partition.max_time);
    reader.read_positive("default_time", partition.default_time);
    check_time(reader, "max_time", partition.max_time.value_or(Duration{}));
    check_time(reader, "default_time", partition.default_time.value_or(Duration{}));
    if (partition.max_time && partition.default_time &&
        *partition.default_time > *partition.max_time) {
      reader.fault("default_time", "at most max_time, " + to_text(*partition.max_time));
    }
    platform.partitions.push_back(std::move(partition));
  }
  if (platform.partitions.size() > kMaxPartitions) {
    root.fault("partitions",
               std::to_string(platform.partitions.size()) + " partitions",
               "at most " + std::to_string(kMaxPartitions));
  }
}

Platform read_platform(Reader& root, const Catalogue& catalogue, Diagnostics& diagnostics) {
  Platform platform;
  std::int64_t version = 0;
  root.read_integer("weft", version, {1, 1}, Need::kRequired);
  root.read("name", platform.name, Need::kRequired);
  root.read("description", platform.description);
  read_nodes(root, catalogue, platform);
  const NodeDirectory nodes(platform);
  if (const std::vector<std::string_view> twice = nodes.duplicates(); !twice.empty()) {
    root.fault("nodes",
               "the node name '" + std::string(twice.front()) + "' more than once" +
                   (twice.size() > 1 ? " (and " + std::to_string(twice.size() - 1) + " others)"
                                     : std::string()),
               "each node once");
  }
  read_fabrics(root, catalogue, nodes, platform);
  read_storage(root, platform);
  read_rack(root, platform);
  read_failures(root, platform);
  read_events(root, nodes, platform);
  read_cost(root, catalogue, platform);
  read_partitions(root, nodes, platform);
  root.done();
  if (!diagnostics.ok()) {
    return {};
  }
  return platform;
}

}  // namespace weft::platforms
