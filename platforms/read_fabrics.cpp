#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "platforms/number_text.hpp"
#include "platforms/platform_reading.hpp"
#include "platforms/words.hpp"

namespace weft::platforms {
namespace {

constexpr std::int64_t kMaxPorts = 65536;

// "2:1", each side a positive number.
struct Ratio {
  double down = 1;
  double up = 1;
};

bool read_side(std::string_view text, double& into) {
  const std::optional<double> value = parse_plain_number(text);
  if (!value || *value <= 0 || *value > 1000) {
    return false;
  }
  into = *value;
  return true;
}

std::optional<Ratio> read_ratio(Reader& topology) {
  std::string text;
  if (!topology.read("down_to_up", text)) {
    return std::nullopt;
  }
  const std::size_t colon = text.find(':');
  Ratio ratio;
  if (colon == std::string::npos ||
      !read_side(std::string_view(text).substr(0, colon), ratio.down) ||
      !read_side(std::string_view(text).substr(colon + 1), ratio.up)) {
    topology.fault("down_to_up", "a ratio of two numbers, for example \"2:1\"");
    return std::nullopt;
  }
  return ratio;
}

bool has_rails(TopologyKind kind) {
  return kind == TopologyKind::kLeafSpine || kind == TopologyKind::kRailOnly ||
         kind == TopologyKind::kFatTree || kind == TopologyKind::kMultiPlane;
}
bool has_uplinks(TopologyKind kind) {
  return has_rails(kind) && kind != TopologyKind::kRailOnly;
}

void refuse_key(Reader& topology, std::string_view key, TopologyKind kind) {
  if (topology.find(key)) {
    topology.fault(
        key,
        "the key",
        "no " + std::string(key) + " with kind " + std::string(word_of(kTopologyKinds, kind)));
  }
}

// Down ports x NIC rate : uplinks x uplink rate = ratio.
void read_uplinks(Reader& reader, std::optional<BytesPerSec> rate, Topology& topology) {
  const BytesPerSec nic_rate = rate.value_or(BytesPerSec{});
  topology.uplink_rate = nic_rate;
  reader.read_positive(
      "uplink_rate", topology.uplink_rate, rate ? Need::kOptional : Need::kRequired);
  const bool has_uplink_count =
      reader.read_integer("uplinks",
                          topology.uplinks,
                          {1, std::max<std::int64_t>(topology.leaf_ports - std::int64_t{1}, 1)});
  const std::optional<Ratio> ratio = read_ratio(reader);
  if (topology.uplink_rate == BytesPerSec{} || topology.leaf_ports == 0 ||
      reader.has("uplinks") != has_uplink_count || reader.has("down_to_up") != ratio.has_value()) {
    return;  // reported
  }
  const double up_rate = topology.uplink_rate.raw();
  const double down_rate = nic_rate > BytesPerSec{} ? nic_rate.raw() : up_rate;
  if (!has_uplink_count) {
    const Ratio wanted = ratio.value_or(Ratio{});
    const double up_weight = down_rate * wanted.up;
    const double share = up_weight / (up_rate * wanted.down + up_weight);
    topology.uplinks =
        std::clamp(static_cast<std::int32_t>(std::lround(topology.leaf_ports * share)),
                   1,
                   topology.leaf_ports - 1);
  }
  if (ratio) {
    const double down = down_ports(topology) * down_rate * ratio->up;
    const double up = topology.uplinks * up_rate * ratio->down;
    // Switches have whole ports: a ratio may be off by one port.
    const double one_port = std::max(down_rate * ratio->up, up_rate * ratio->down);
    if (std::abs(down - up) > one_port * 1.0001) {
      reader.fault("down_to_up",
                   "what ports and rates give: " + std::to_string(down_ports(topology)) + " x " +
                       to_text(BytesPerSec::from_raw(down_rate)) + " down, " +
                       std::to_string(topology.uplinks) + " x " + to_text(topology.uplink_rate) +
                       " up");
    }
  }
}

void read_leaf_of(Reader& reader, const NodeDirectory& nodes, Topology& topology) {
  std::optional<Reader> leaves = reader.map("leaf_of");
  if (!leaves) {
    return;
  }
  for (const auto& [leaf, value] : leaves->entries()) {
    LeafMembers members;
    members.leaf = leaf;
    if (nodes.read(value, members.nodes)) {
      topology.leaf_of.push_back(std::move(members));
    }
  }
}

// Every node on the fabric must stand at exactly one leaf.
void check_leaf_of(Reader& reader, const Platform& platform, const Fabric& fabric) {
  std::vector<std::uint8_t> met(node_count(platform), 0);
  std::size_t twice = 0;
  for (const LeafMembers& members : fabric.topology.leaf_of) {
    for (const std::uint32_t node : members.nodes) {
      twice += met[node];
      met[node] = 1;
    }
  }
  std::size_t missing = 0;
  std::size_t node = 0;
  for (const NodeGroup& group : platform.nodes) {
    const bool joined = ports_per_leaf(group, fabric) > 0;
    for (std::size_t i = 0; i < group.names.size(); ++i, ++node) {
      missing += joined && met[node] == 0 ? 1U : 0U;
    }
  }
  if (twice > 0 || missing > 0) {
    reader.fault(
        "leaf_of",
        std::to_string(missing) + " nodes at no leaf and " + std::to_string(twice) + " at several",
        "each node with a NIC on this fabric at one leaf");
  }
}

// What the switches must offer: all nodes on one, or one node on each.
void check_ports(Reader& reader, const Platform& platform, const Fabric& fabric) {
  const Topology& topology = fabric.topology;
  if (topology.leaf_ports == 0) {
    return;
  }
  const bool all_on_one = !has_uplinks(topology.kind) && topology.kind != TopologyKind::kFile;
  std::int64_t all = 0;
  std::int64_t largest = 0;
  for (const NodeGroup& group : platform.nodes) {
    const std::int64_t ports = ports_per_leaf(group, fabric);
    all += ports * static_cast<std::int64_t>(group.names.size());
    largest = std::max(largest, ports);
  }
  const std::int64_t wanted = all_on_one ? all : largest;
  if (wanted > down_ports(topology)) {
    reader.fault("kind",
                 std::to_string(wanted) + " node ports on one leaf switch",
                 "at most " + std::to_string(down_ports(topology)) +
                     (all_on_one ? "; more nodes need a fabric with spines" : " facing nodes"));
  }
}

void check_rails(Reader& reader, const Platform& platform, const Fabric& fabric) {
  std::int32_t most = 0;
  for (const NodeGroup& group : platform.nodes) {
    std::int32_t count = 0;
    for (const Nics& nics : group.nics) {
      count += nics.fabric == fabric.name ? nics.count : 0;
    }
    most = std::max(most, count);
  }
  if (most > 0 && fabric.topology.rails > most) {
    reader.fault("rails", "at most the NICs of a node on this fabric, " + std::to_string(most));
  }
}

void read_topology(Reader& reader,
                   const NodeDirectory& nodes,
                   const NetworkPart* switch_part,
                   std::optional<BytesPerSec> nic_rate,
                   Topology& topology) {
  if (!reader.read_word("kind", topology.kind, kTopologyKinds, Need::kRequired)) {
    for (const std::string_view key : {"rails",
                                       "planes",
                                       "tiers",
                                       "leaf_ports",
                                       "uplinks",
                                       "uplink_rate",
                                       "down_to_up",
                                       "pod_leaves",
                                       "leaf_of",
                                       "file"}) {
      (void)reader.find(key);  // known, but which apply nobody can say
    }
    return;
  }
  const TopologyKind kind = topology.kind;
  topology.tiers = has_uplinks(kind) ? 2 : 1;
  if (has_rails(kind)) {
    reader.read_integer("rails",
                        topology.rails,
                        {1, 64},
                        kind == TopologyKind::kRailOnly ? Need::kRequired : Need::kOptional);
  } else {
    refuse_key(reader, "rails", kind);
  }
  if (kind == TopologyKind::kMultiPlane) {
    reader.read_integer("planes", topology.planes, {2, 64}, Need::kRequired);
  } else {
    refuse_key(reader, "planes", kind);
  }
  if (kind == TopologyKind::kFatTree) {
    reader.read_integer("tiers", topology.tiers, {2, 3}, Need::kRequired);
  } else {
    refuse_key(reader, "tiers", kind);
  }
  if (kind == TopologyKind::kFile) {
    topology.tiers = 0;  // the graph says
    reader.read("file", topology.file, Need::kRequired);
    refuse_key(reader, "leaf_ports", kind);
  } else {
    refuse_key(reader, "file", kind);
    topology.leaf_ports = switch_part != nullptr ? switch_part->ports : 0;
    reader.read_integer(
        "leaf_ports",
        topology.leaf_ports,
        {2, kMaxPorts},
        has_rails(kind) && switch_part == nullptr ? Need::kRequired : Need::kOptional);
  }
  if (has_uplinks(kind)) {
    read_uplinks(reader, nic_rate, topology);
  } else {
    refuse_key(reader, "uplinks", kind);
    refuse_key(reader, "uplink_rate", kind);
    refuse_key(reader, "down_to_up", kind);
  }
  if (topology.tiers == 3) {
    // A pod's spine switches have half their ports down, one to each of its leaves.
    topology.pod_leaves = topology.rails * std::max(topology.leaf_ports / 2 / topology.rails, 1);
    if (reader.read_integer("pod_leaves", topology.pod_leaves, {1, kMaxPorts}) &&
        topology.pod_leaves % topology.rails != 0) {
      reader.fault("pod_leaves", "a multiple of rails, " + std::to_string(topology.rails));
    }
  } else {
    refuse_key(reader, "pod_leaves", kind);
  }
  if (kind == TopologyKind::kSingle || kind == TopologyKind::kDualLeaf) {
    refuse_key(reader, "leaf_of", kind);
  } else {
    read_leaf_of(reader, nodes, topology);
  }
}

void set_defaults_of_kind(Fabric& fabric) {
  switch (fabric.kind) {
    case FabricKind::kInfiniband:
      fabric.routing.kind = RoutingKind::kAdaptive;
      break;
    case FabricKind::kRoce:
      fabric.routing.kind = RoutingKind::kEcmp;
      fabric.congestion = CongestionControl::kPfc;
      break;
    case FabricKind::kSpectrumX:
    case FabricKind::kSrd:
      fabric.routing.kind = RoutingKind::kSpray;
      break;
    case FabricKind::kTcp:
      fabric.routing.kind = RoutingKind::kEcmp;
      break;
  }
}

// Nothing: no NICs. 0: a rate that has been refused.
std::optional<BytesPerSec> largest_nic_rate(const Platform& platform, std::string_view fabric) {
  std::optional<BytesPerSec> rate;
  for (const NodeGroup& group : platform.nodes) {
    for (const Nics& nics : group.nics) {
      if (nics.fabric == fabric) {
        rate = std::max(rate.value_or(BytesPerSec{}), nics.rate);
      }
    }
  }
  return rate;
}

Fabric read_fabric(Reader& reader,
                   const Catalogue& catalogue,
                   const NodeDirectory& nodes,
                   const Platform& platform) {
  Fabric fabric;
  if (reader.read("name", fabric.name, Need::kRequired) &&
      find_fabric(platform, fabric.name) != nullptr) {
    reader.fault("name", "names that differ");
  }
  reader.read_word("kind", fabric.kind, kFabricKinds, Need::kRequired);
  set_defaults_of_kind(fabric);
  const NetworkPart* part = read_part(reader, "switch", catalogue.switches, fabric.switch_model);
  read_part(reader, "optics", catalogue.optics, fabric.optics);
  read_part(reader, "cables", catalogue.cables, fabric.cables);
  if (part != nullptr) {
    fabric.latency.hop = part->latency;
  }
  if (std::optional<Reader> topology = reader.map("topology", Need::kRequired)) {
    read_topology(*topology, nodes, part, largest_nic_rate(platform, fabric.name), fabric.topology);
    if (!fabric.topology.leaf_of.empty()) {
      check_leaf_of(*topology, platform, fabric);
    }
    check_ports(*topology, platform, fabric);
    check_rails(*topology, platform, fabric);
  }
  if (std::optional<Reader> routing = reader.map("routing")) {
    routing->read_word("kind", fabric.routing.kind, kRoutingKinds);
    routing->read_integer("qps", fabric.routing.qps, {1, 1024});
    routing->read("in_network_reduction", fabric.routing.in_network_reduction);
  }
  if (std::optional<Reader> congestion = reader.map("congestion")) {
    congestion->read_word("control", fabric.congestion, kCongestionControls);
  }
  if (std::optional<Reader> latency = reader.map("latency")) {
    latency->read("nic", fabric.latency.nic);
    latency->read("switch", fabric.latency.hop);
    latency->read("link", fabric.latency.link);
  }
  return fabric;
}

}  // namespace

void read_fabrics(Reader& root,
                  const Catalogue& catalogue,
                  const NodeDirectory& nodes,
                  Platform& platform) {
  for (Reader& reader : root.maps("fabrics")) {
    platform.fabrics.push_back(read_fabric(reader, catalogue, nodes, platform));
  }
}

}  // namespace weft::platforms
