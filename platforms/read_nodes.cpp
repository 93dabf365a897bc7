#include <algorithm>
#include <cmath>

#include "base/hostlist.hpp"
#include "platforms/platform_reading.hpp"
#include "platforms/words.hpp"

namespace weft::platforms {
namespace {

constexpr double kMaxCpus = 1e6;
constexpr Power kMaxNodePower = watts(10'000'000);
constexpr Money kMaxServerPrice = dollars(100'000'000);
constexpr Money kMaxGpuPrice = dollars(10'000'000);
constexpr std::size_t kMaxNameLength = 255;  // as DNS has it

bool is_node_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameLength &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

std::string shown_hosts(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 100;
  std::string text = compress_hostlist(names);
  if (text.size() > kShown) {
    text.resize(kShown);
    text += "...";
  }
  return text;
}

void read_names(Reader& reader, std::size_t already, NodeGroup& group) {
  std::string text;
  if (!reader.read("name", text, Need::kRequired)) {
    return;
  }
  const Parsed<std::vector<std::string>> names =
      expand_hostlist(text, std::min(kMaxNodes - already, kMaxNodes));
  if (!names) {
    reader.fault("name", names.allowed());
    return;
  }
  for (const std::string& name : *names) {
    if (!is_node_name(name)) {
      reader.fault("name", "node names of letters, digits, '-', '_' and '.'");
      return;
    }
  }
  group.names = *names;
}

void read_peak(Reader& gpu, PeakFlops& peak) {
  if (std::optional<Reader> rates = gpu.map("peak")) {
    rates->read_positive("fp32", peak.fp32);
    rates->read_positive("fp16", peak.fp16);
    rates->read_positive("bf16", peak.bf16);
    rates->read_positive("fp8", peak.fp8);
    rates->read_positive("fp4", peak.fp4);
  }
}

// The catalogue's entry, null for custom and for unknown models (a fault).
const GpuSpec* read_model(Reader& reader, const Catalogue& catalogue, GpuSet& gpu) {
  const bool has_model = reader.read("model", gpu.model, Need::kRequired);
  reader.read("custom", gpu.custom);
  const GpuSpec* spec = has_model ? catalogue.find_gpu(gpu.model) : nullptr;
  if (gpu.custom) {
    if (spec != nullptr) {
      reader.fault("custom", "true", "false: the catalogue knows " + gpu.model);
    }
    return nullptr;
  }
  if (has_model && spec == nullptr) {
    reader.fault("model",
                 allowed_with_guess(gpu.model, catalogue.gpu_names()) +
                     ", or any other with 'custom: true'");
  }
  return spec;
}

const GpuSpec* read_gpu(Reader& node, const Catalogue& catalogue, NodeGroup& group) {
  std::optional<Reader> reader = node.map("gpu");
  if (!reader) {
    return nullptr;
  }
  GpuSet gpu;
  const GpuSpec* spec = read_model(*reader, catalogue, gpu);
  gpu.count = 1;  // stands in for a faulty one
  reader->read_integer("count", gpu.count, {1, kMaxGpusPerNode}, Need::kRequired);
  if (spec != nullptr) {
    fill_from(*spec, gpu);
  }
  reader->read_positive("memory", gpu.memory);
  reader->read_positive("memory_bandwidth", gpu.memory_bandwidth);
  read_peak(*reader, gpu.peak);
  reader->read_positive("tdp", gpu.tdp);
  reader->read("idle", gpu.idle);
  if (gpu.tdp && gpu.idle && *gpu.idle > *gpu.tdp) {
    reader->fault("idle", "at most tdp, " + to_text(*gpu.tdp));
  }
  group.gpu = std::move(gpu);
  return spec;
}

void read_scale_up(Reader& node, const GpuSpec* spec, NodeGroup& group) {
  ScaleUp& up = group.scale_up;
  const auto gpus = group.gpu ? group.gpu->count : 0;
  if (spec != nullptr) {
    up = scale_up_of(*spec, gpus, group.names.size());
  }
  std::optional<Reader> reader = node.map("scale_up");
  if (!reader) {
    return;
  }
  if (!group.gpu) {
    node.fault("scale_up", "no scale_up: the nodes have no GPUs");
  }
  // Nothing to fall back on; after an unknown model (reported) nothing is asked for either.
  const bool is_custom = group.gpu && group.gpu->custom;
  const ScaleUpKind catalogue_kind = up.kind;
  reader->read_word("kind", up.kind, kScaleUpKinds, is_custom ? Need::kRequired : Need::kOptional);
  const bool other_kind = up.kind != catalogue_kind && (is_custom || spec != nullptr);
  if (other_kind) {
    up.nvls = false;
    up.bandwidth = {};
  }
  if (up.kind == ScaleUpKind::kNone) {
    if (reader->find("bandwidth")) {
      reader->fault("bandwidth", "no bandwidth with kind none");
    }
  } else {
    reader->read_positive(
        "bandwidth", up.bandwidth, other_kind ? Need::kRequired : Need::kOptional);
  }
  if (reader->read("nvls", up.nvls) && up.nvls && up.kind != ScaleUpKind::kNvswitch) {
    reader->fault("nvls", "false: only an NVSwitch reduces");
  }
  reader->read_integer(
      "domain_nodes",
      up.domain_nodes,
      {1, static_cast<std::int64_t>(std::max<std::size_t>(group.names.size(), 1))});
}

void read_nics(Reader& node,
               const Catalogue& catalogue,
               const std::vector<std::string_view>& fabrics,
               NodeGroup& group) {
  for (Reader& reader : node.maps("nics")) {
    Nics nics;
    if (reader.read("fabric", nics.fabric, Need::kRequired) &&
        std::find(fabrics.begin(), fabrics.end(), nics.fabric) == fabrics.end()) {
      reader.fault("fabric",
                   fabrics.empty() ? std::string("the name of a fabric, but none is described")
                                   : allowed_words(nics.fabric, fabrics));
    }
    const NetworkPart* model = read_part(reader, "model", catalogue.nics, nics.model);
    const bool has_count =
        reader.read_integer("count", nics.count, {1, kMaxGpusPerNode}, Need::kRequired);
    if (model != nullptr) {
      nics.rate = model->rate;
    }
    reader.read_positive("rate", nics.rate, model == nullptr ? Need::kRequired : Need::kOptional);
    const std::int32_t gpus = group.gpu ? group.gpu->count : 0;
    nics.rail = has_count && nics.count == gpus ? RailKind::kGpu : RailKind::kSpread;
    if (reader.read_word("rail", nics.rail, kRailKinds) && has_count) {
      if (nics.rail == RailKind::kGpu && nics.count != gpus) {
        reader.fault("rail",
                     "spread, or as many NICs as GPUs (" + std::to_string(nics.count) + " NICs, " +
                         std::to_string(gpus) + " GPUs)");
      }
      if (nics.rail == RailKind::kDualHomed && nics.count % 2 != 0) {
        reader.fault("rail", "gpu or spread, or an even count of NICs");
      }
    }
    group.nics.push_back(std::move(nics));
  }
}

void read_local_storage(Reader& node, NodeGroup& group) {
  std::optional<Reader> reader = node.map("local_storage");
  if (!reader) {
    return;
  }
  LocalStorage storage;
  reader->read_positive("capacity", storage.capacity, Need::kRequired);
  reader->read_positive("read", storage.read, Need::kRequired);
  reader->read_positive("write", storage.write, Need::kRequired);
  reader->read_per_second("read_iops", storage.read_iops);
  reader->read_per_second("write_iops", storage.write_iops);
  reader->read("latency", storage.latency);
  group.local_storage = storage;
}

void read_power_and_price(Reader& node, NodeGroup& group) {
  if (std::optional<Reader> reader = node.map("power")) {
    NodePower power;
    const bool has_idle = reader->read("idle", power.idle, Need::kRequired);
    if (reader->read_positive("max", power.max, Need::kRequired)) {
      if (power.max > kMaxNodePower) {
        reader->fault("max", "at most " + to_text(kMaxNodePower));
      } else if (has_idle && power.idle > power.max) {
        reader->fault("idle", "at most max, " + to_text(power.max));
      }
    }
    group.power = power;
  }
  if (std::optional<Reader> reader = node.map("price")) {
    if (reader->read_price("server", group.price.server, PriceUnit::Kind::kOnce) &&
        *group.price.server > kMaxServerPrice) {
      reader->fault("server", "at most " + price_to_text(kMaxServerPrice, PriceUnit::Kind::kOnce));
    }
    if (reader->read_price("gpu", group.price.gpu, PriceUnit::Kind::kOnce)) {
      if (!group.gpu) {
        reader->fault("gpu", "no price: the nodes have no GPUs");
      } else if (*group.price.gpu > kMaxGpuPrice) {
        reader->fault("gpu", "at most " + price_to_text(kMaxGpuPrice, PriceUnit::Kind::kOnce));
      }
    }
  }
}

NodeGroup read_group(Reader& reader,
                     const Catalogue& catalogue,
                     const std::vector<std::string_view>& fabrics,
                     std::size_t already) {
  NodeGroup group;
  read_names(reader, already, group);
  const GpuSpec* spec = read_gpu(reader, catalogue, group);
  double cpus = 0;
  if (reader.read_number("cpus", cpus, {0.001, kMaxCpus})) {
    group.cpus = cpu_thousandths(std::llround(cpus * 1000));
  }
  reader.read_positive("memory", group.memory);
  read_scale_up(reader, spec, group);
  read_nics(reader, catalogue, fabrics, group);
  read_local_storage(reader, group);
  read_power_and_price(reader, group);
  reader.read_integer("nodes_per_rack", group.nodes_per_rack, {1, 1000});
  if (std::optional<Reader> labels = reader.map("labels")) {
    for (const auto& [key, value] : labels->entries()) {
      value.read(group.labels[key]);
    }
  }
  return group;
}

// Names of the fabrics described further down, before they are read.
std::vector<std::string_view> fabric_names(Reader& root) {
  std::vector<std::string_view> names;
  const std::optional<Value> list = root.find("fabrics");
  if (list && list->is_list()) {
    for (const Value& item : list->items()) {
      const std::optional<Value> name = item.is_map() ? item.peek("name") : std::nullopt;
      if (name && name->is_scalar()) {
        names.push_back(name->raw());
      }
    }
  }
  return names;
}

}  // namespace

const NetworkPart* read_part(Reader& reader,
                             std::string_view key,
                             const std::vector<NetworkPart>& parts,
                             std::string& into) {
  if (!reader.read(key, into)) {
    return nullptr;
  }
  const NetworkPart* part = find_part(parts, into);
  if (part == nullptr) {
    std::vector<std::string_view> known;
    for (const NetworkPart& one : parts) {
      known.emplace_back(one.name);
    }
    reader.fault(key, allowed_words(into, known));
  }
  return part;
}

void read_nodes(Reader& root, const Catalogue& catalogue, Platform& platform) {
  const std::vector<std::string_view> fabrics = fabric_names(root);
  std::size_t count = 0;
  for (Reader& reader : root.maps("nodes", Need::kRequired)) {
    platform.nodes.push_back(read_group(reader, catalogue, fabrics, count));
    count += platform.nodes.back().names.size();
  }
  const std::optional<Value> list = root.find("nodes");
  if (list && list->is_list() && list->items().empty()) {
    list->fault("an empty list", "at least one item");
  }
  if (gpu_models(platform).size() > kMaxGpuModels) {
    root.fault("nodes",
               std::to_string(gpu_models(platform).size()) + " GPU models",
               "at most " + std::to_string(kMaxGpuModels));
  }
}

NodeDirectory::NodeDirectory(const Platform& platform) {
  by_name_.reserve(node_count(platform));
  for (const NodeGroup& group : platform.nodes) {
    for (const std::string& name : group.names) {
      by_name_.emplace_back(name, static_cast<std::uint32_t>(by_name_.size()));
    }
  }
  std::sort(by_name_.begin(), by_name_.end());
}

std::vector<std::string_view> NodeDirectory::duplicates() const {
  std::vector<std::string_view> names;
  for (std::size_t i = 1; i < by_name_.size(); ++i) {
    const std::string_view name = by_name_[i].first;
    if (name == by_name_[i - 1].first && (names.empty() || names.back() != name)) {
      names.push_back(name);
    }
  }
  return names;
}

bool NodeDirectory::read(const Value& value, NodeList& into) const {
  constexpr std::size_t kSurplus = 1000;  // names too many that are still told one by one
  std::string text;
  if (!value.read(text)) {
    return false;
  }
  NodeList nodes;
  const bool named_all = std::any_of(
      by_name_.begin(), by_name_.end(), [](const auto& node) { return node.first == "all"; });
  if (text == "all" && !named_all) {
    for (std::uint32_t i = 0; i < by_name_.size(); ++i) {
      nodes.push_back(i);
    }
    into = std::move(nodes);
    return true;
  }
  const Parsed<std::vector<std::string>> names = expand_hostlist(text, by_name_.size() + kSurplus);
  if (!names) {
    value.fault(names.allowed());
    return false;
  }
  std::vector<std::string_view> unknown;
  for (const std::string& name : *names) {
    const auto at = std::lower_bound(
        by_name_.begin(), by_name_.end(), std::pair(std::string_view(name), std::uint32_t{0}));
    if (at == by_name_.end() || at->first != name) {
      unknown.push_back(name);
    } else {
      nodes.push_back(at->second);
    }
  }
  if (!unknown.empty()) {
    std::vector<std::pair<std::uint32_t, std::string_view>> in_order;
    for (const auto& [name, position] : by_name_) {
      in_order.emplace_back(position, name);
    }
    std::sort(in_order.begin(), in_order.end());
    std::vector<std::string_view> known;
    for (const auto& [position, name] : in_order) {
      known.push_back(name);
    }
    value.fault("unknown nodes " + shown_hosts(unknown),
                "nodes of this platform: " + shown_hosts(known));
    return false;
  }
  std::sort(nodes.begin(), nodes.end());
  if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) {
    value.fault("each node once");
    return false;
  }
  into = std::move(nodes);
  return true;
}

}  // namespace weft::platforms
