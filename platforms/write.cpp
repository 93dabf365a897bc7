#include "platforms/write.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/hostlist.hpp"
#include "base/quantity.hpp"
#include "platforms/number_text.hpp"
#include "platforms/words.hpp"

namespace weft::platforms {
namespace {

// "{a: 1, b: 2}"
class FlowMap {
 public:
  FlowMap& add(std::string_view key, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + std::string(key) + ": " + value;
    return *this;
  }
  template <class T>
  FlowMap& add_if(std::string_view key, const std::optional<T>& value) {
    return value ? add(key, to_text(*value)) : *this;
  }
  FlowMap& add_integer(std::string_view key, std::int64_t value) {
    return add(key, std::to_string(value));
  }
  FlowMap& add_per_second(std::string_view key, const std::optional<double>& value) {
    return value ? add(key, per_second_to_text(*value)) : *this;
  }
  FlowMap& add_price(std::string_view key,
                     const std::optional<Money>& value,
                     PriceUnit::Kind unit = PriceUnit::Kind::kOnce) {
    return value ? add(key, price_to_text(*value, unit)) : *this;
  }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] std::string text() const { return '{' + text_ + '}'; }

 private:
  std::string text_;
};

// Lines of a map at a depth; the map may be an item of a list, its first line with the dash.
class Block {
 public:
  Block(std::string& out, std::size_t indent, bool is_item)
      : out_(out), indent_(indent + (is_item ? 2 : 0)), is_first_of_item_(is_item) {}
  void line(std::string_view key, const std::string& value) {
    std::string start(indent_, ' ');
    if (is_first_of_item_) {
      start[indent_ - 2] = '-';
      is_first_of_item_ = false;
    }
    out_ += start + std::string(key) + ':' + (value.front() == '\n' ? "" : " ") + value + '\n';
  }
  void map(std::string_view key, const FlowMap& value) {
    if (!value.empty()) {
      line(key, value.text());
    }
  }
  void list(std::string_view key, const std::vector<FlowMap>& items) {
    std::string text;
    for (const FlowMap& item : items) {
      text += '\n' + std::string(indent_ + 2, ' ') + "- " + item.text();
    }
    if (!text.empty()) {
      line(key, text);
    }
  }

 private:
  std::string& out_;
  std::size_t indent_;
  bool is_first_of_item_;
};

std::string flag(bool value) {
  return value ? "true" : "false";
}

template <class E, std::size_t N>
std::string word(const std::array<Word<E>, N>& words, E value) {
  return std::string(word_of(words, value));
}

// All node names, to write node lists with.
std::vector<std::string_view> all_names(const Platform& platform) {
  std::vector<std::string_view> names;
  names.reserve(node_count(platform));
  for (const NodeGroup& group : platform.nodes) {
    names.insert(names.end(), group.names.begin(), group.names.end());
  }
  return names;
}

std::string hosts(const std::vector<std::string_view>& names, const NodeList& nodes) {
  std::vector<std::string_view> chosen;
  chosen.reserve(nodes.size());
  for (const std::uint32_t node : nodes) {
    chosen.push_back(names[node]);
  }
  return yaml_scalar(compress_hostlist(chosen));
}

void write_gpu(Block& block, const NodeGroup& group) {
  if (!group.gpu) {
    return;
  }
  const GpuSet& gpu = *group.gpu;
  FlowMap map;
  map.add("model", yaml_scalar(gpu.model)).add_integer("count", gpu.count);
  if (gpu.custom) {
    map.add("custom", "true");
  }
  map.add_if("memory", gpu.memory).add_if("memory_bandwidth", gpu.memory_bandwidth);
  FlowMap peak;
  peak.add_if("fp32", gpu.peak.fp32)
      .add_if("fp16", gpu.peak.fp16)
      .add_if("bf16", gpu.peak.bf16)
      .add_if("fp8", gpu.peak.fp8)
      .add_if("fp4", gpu.peak.fp4);
  if (!peak.empty()) {
    map.add("peak", peak.text());
  }
  map.add_if("tdp", gpu.tdp).add_if("idle", gpu.idle);
  block.map("gpu", map);

  const ScaleUp& up = group.scale_up;
  FlowMap scale_up;
  scale_up.add("kind", word(kScaleUpKinds, up.kind));
  if (up.kind != ScaleUpKind::kNone) {
    scale_up.add("bandwidth", to_text(up.bandwidth));
  }
  if (up.kind == ScaleUpKind::kNvswitch) {
    scale_up.add("nvls", flag(up.nvls));
  }
  scale_up.add_integer("domain_nodes", up.domain_nodes);
  block.map("scale_up", scale_up);
}

void write_group(std::string& out, const NodeGroup& group) {
  Block block(out, 2, true);
  const std::vector<std::string_view> names(group.names.begin(), group.names.end());
  block.line("name", yaml_scalar(compress_hostlist(names)));
  write_gpu(block, group);
  if (group.cpus) {
    block.line("cpus", number_text(static_cast<double>(group.cpus->raw()) / 1000));
  }
  if (group.memory) {
    block.line("memory", to_text(*group.memory));
  }
  std::vector<FlowMap> nics;
  for (const Nics& set : group.nics) {
    FlowMap map;
    map.add("fabric", yaml_scalar(set.fabric)).add_integer("count", set.count);
    if (!set.model.empty()) {
      map.add("model", yaml_scalar(set.model));
    }
    map.add("rate", to_text(set.rate)).add("rail", word(kRailKinds, set.rail));
    nics.push_back(map);
  }
  block.list("nics", nics);
  if (group.local_storage) {
    const LocalStorage& storage = *group.local_storage;
    FlowMap map;
    map.add("capacity", to_text(storage.capacity))
        .add("read", to_text(storage.read))
        .add("write", to_text(storage.write))
        .add_per_second("read_iops", storage.read_iops)
        .add_per_second("write_iops", storage.write_iops)
        .add("latency", to_text(storage.latency));
    block.map("local_storage", map);
  }
  if (group.power) {
    FlowMap map;
    map.add("idle", to_text(group.power->idle)).add("max", to_text(group.power->max));
    block.map("power", map);
  }
  if (group.nodes_per_rack) {
    block.line("nodes_per_rack", std::to_string(*group.nodes_per_rack));
  }
  FlowMap price;
  price.add_price("server", group.price.server).add_price("gpu", group.price.gpu);
  block.map("price", price);
  FlowMap labels;
  for (const auto& [key, value] : group.labels) {
    labels.add(yaml_scalar(key), yaml_scalar(value));
  }
  block.map("labels", labels);
}

FlowMap topology_map(const Topology& topology, const std::vector<std::string_view>& names) {
  FlowMap map;
  const TopologyKind kind = topology.kind;
  map.add("kind", word(kTopologyKinds, kind));
  const bool rails = kind == TopologyKind::kLeafSpine || kind == TopologyKind::kRailOnly ||
                     kind == TopologyKind::kFatTree || kind == TopologyKind::kMultiPlane;
  if (rails) {
    map.add_integer("rails", topology.rails);
  }
  if (kind == TopologyKind::kMultiPlane) {
    map.add_integer("planes", topology.planes);
  }
  if (kind == TopologyKind::kFatTree) {
    map.add_integer("tiers", topology.tiers);
  }
  if (topology.leaf_ports > 0) {
    map.add_integer("leaf_ports", topology.leaf_ports);
  }
  if (topology.uplinks > 0) {
    map.add_integer("uplinks", topology.uplinks);
    map.add("uplink_rate", to_text(topology.uplink_rate));
  }
  if (topology.tiers == 3) {
    map.add_integer("pod_leaves", topology.pod_leaves);
  }
  if (!topology.file.empty()) {
    map.add("file", yaml_scalar(topology.file));
  }
  FlowMap leaves;
  for (const LeafMembers& members : topology.leaf_of) {
    leaves.add(yaml_scalar(members.leaf), hosts(names, members.nodes));
  }
  if (!leaves.empty()) {
    map.add("leaf_of", leaves.text());
  }
  return map;
}

void write_fabric(std::string& out,
                  const Fabric& fabric,
                  const std::vector<std::string_view>& names) {
  Block block(out, 2, true);
  block.line("name", yaml_scalar(fabric.name));
  block.line("kind", word(kFabricKinds, fabric.kind));
  block.map("topology", topology_map(fabric.topology, names));
  FlowMap routing;
  routing.add("kind", word(kRoutingKinds, fabric.routing.kind))
      .add_integer("qps", fabric.routing.qps)
      .add("in_network_reduction", flag(fabric.routing.in_network_reduction));
  block.map("routing", routing);
  FlowMap congestion;
  block.map("congestion", congestion.add("control", word(kCongestionControls, fabric.congestion)));
  FlowMap latency;
  latency.add("nic", to_text(fabric.latency.nic))
      .add("switch", to_text(fabric.latency.hop))
      .add("link", to_text(fabric.latency.link));
  block.map("latency", latency);
  const std::pair<std::string_view, const std::string*> parts[] = {
      {"switch", &fabric.switch_model}, {"optics", &fabric.optics}, {"cables", &fabric.cables}};
  for (const auto& [key, value] : parts) {
    if (!value->empty()) {
      block.line(key, yaml_scalar(*value));
    }
  }
}

void write_storage(std::string& out, const Storage& storage) {
  Block block(out, 2, true);
  block.line("name", yaml_scalar(storage.name));
  block.line("kind", word(kStorageKinds, storage.kind));
  if (!storage.fabric.empty()) {
    block.line("fabric", yaml_scalar(storage.fabric));
  }
  if (storage.over_local_storage) {
    block.line("over", "local_storage");
  }
  block.line("servers", std::to_string(storage.servers));
  if (storage.nics_per_server && storage.nic_rate) {
    FlowMap nics;
    nics.add_integer("count", *storage.nics_per_server).add("rate", to_text(*storage.nic_rate));
    block.map("nics_per_server", nics);
  }
  // A block line each; zero rates (a cache) are left out, as they may not be written.
  const auto rate = [&](std::string_view key, const std::optional<BytesPerSec>& value) {
    if (value && value->raw() > 0) {
      block.line(key, to_text(*value));
    }
  };
  rate("read", storage.read);
  rate("write", storage.write);
  rate("per_client", storage.per_client);
  if (storage.capacity) {
    block.line("capacity", to_text(*storage.capacity));
  }
  if (storage.metadata) {
    block.line("metadata", per_second_to_text(*storage.metadata));
  }
  if (storage.latency) {
    block.line("latency", to_text(*storage.latency));
  }
  if (storage.price) {
    block.line("price", price_to_text(*storage.price, PriceUnit::Kind::kOnce));
  }
}

void write_failures(std::string& out, const Failures& failures) {
  FlowMap map;
  map.add("preset", word(kFailurePresets, failures.preset));
  for (const auto& [component, rate] : failures.classes) {
    FlowMap entry;
    entry.add("mtbf", to_text(rate.mtbf)).add("repair", to_text(rate.repair));
    map.add(word_of(kComponentClasses, component), entry.text());
  }
  Block(out, 0, false).map("failures", map);
}

FlowMap event_map(const PlannedEvent& event, const std::vector<std::string_view>& names) {
  FlowMap map;
  map.add("at", to_text(event.at.since_start()));
  if (event.link.empty()) {
    map.add("nodes", hosts(names, event.nodes));
  } else {
    map.add("link", yaml_scalar(event.link));
  }
  map.add("state", word(kEventStates, event.state)).add_if("for", event.lasts);
  return map;
}

FlowMap price_map(const std::map<std::string, Money>& prices) {
  FlowMap map;
  for (const auto& [model, price] : prices) {
    map.add_price(yaml_scalar(model), price, PriceUnit::Kind::kPerGpuHour);
  }
  return map;
}

void write_cost(std::string& out, const Cost& cost) {
  FlowMap map;
  const std::int64_t thousandths = cost.amortisation.raw() / years_of_8760_hours(1).raw();
  map.add("years", number_text(static_cast<double>(thousandths) / 1000));
  if (cost.network_by_bill) {
    map.add("network", "bill-of-materials");
  }
  map.add_price("network", cost.network).add_price("facility", cost.facility);
  FlowMap power;
  power.add_price("tariff", cost.tariff, PriceUnit::Kind::kPerKwh);
  power.add("pue", number_text(cost.pue));
  if (cost.carbon) {
    power.add("carbon", carbon_to_text(*cost.carbon));
  }
  map.add("power", power.text());
  map.add_price("staff", cost.staff, PriceUnit::Kind::kPerYear)
      .add_price("colocation", cost.colocation_per_kw_month, PriceUnit::Kind::kPerKwMonth)
      .add_price("colocation", cost.colocation_per_year, PriceUnit::Kind::kPerYear)
      .add_price("licences", cost.licences, PriceUnit::Kind::kPerGpuYear);
  if (!cost.spot.empty()) {
    map.add("spot", price_map(cost.spot).text());
  }
  map.add_price("per_gpu_hour", cost.per_gpu_hour, PriceUnit::Kind::kPerGpuHour);
  if (!cost.per_gpu_hour_of.empty()) {
    map.add("per_gpu_hour", price_map(cost.per_gpu_hour_of).text());
  }
  Block(out, 0, false).map("cost", map);
}

}  // namespace

std::string yaml_scalar(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_safe = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == '/';
  };
  constexpr std::string_view kSpecial[] = {
      "null", "Null", "NULL", "true", "false", "yes", "no", "on", "off", "y", "n"};
  const bool is_plain =
      !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), is_safe) &&
      std::find(std::begin(kSpecial), std::end(kSpecial), text) == std::end(kSpecial);
  if (is_plain) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      constexpr std::string_view kHex = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      quoted += "\\x";
      quoted += kHex[byte >> 4U];
      quoted += kHex[byte & 0xFU];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string to_yaml(const Platform& platform) {
  const std::vector<std::string_view> names = all_names(platform);
  std::string out = "weft: 1\nname: " + yaml_scalar(platform.name) + '\n';
  if (!platform.description.empty()) {
    out += "description: " + yaml_scalar(platform.description) + '\n';
  }
  out += "nodes:\n";
  for (const NodeGroup& group : platform.nodes) {
    write_group(out, group);
  }
  out += platform.fabrics.empty() ? "" : "fabrics:\n";
  for (const Fabric& fabric : platform.fabrics) {
    write_fabric(out, fabric, names);
  }
  out += platform.storage.empty() ? "" : "storage:\n";
  for (const Storage& storage : platform.storage) {
    write_storage(out, storage);
  }
  Block root(out, 0, false);
  if (platform.rack) {
    FlowMap rack;
    rack.add("limit", to_text(platform.rack->limit))
        .add("policy", word(kRackPolicies, platform.rack->policy));
    root.map("rack", rack);
  }
  if (platform.failures) {
    write_failures(out, *platform.failures);
  }
  std::vector<FlowMap> events;
  for (const PlannedEvent& event : platform.events) {
    events.push_back(event_map(event, names));
  }
  root.list("events", events);
  if (platform.cost) {
    write_cost(out, *platform.cost);
  }
  std::vector<FlowMap> partitions;
  for (const Partition& partition : platform.partitions) {
    FlowMap map;
    map.add("name", yaml_scalar(partition.name))
        .add("nodes", hosts(names, partition.nodes))
        .add_if("max_time", partition.max_time)
        .add_if("default_time", partition.default_time);
    partitions.push_back(map);
  }
  root.list("partitions", partitions);
  return out;
}

}  // namespace weft::platforms
