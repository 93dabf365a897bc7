#include "platforms/catalogue.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "platforms/embedded.hpp"
#include "platforms/words.hpp"
#include "platforms/yaml_reader.hpp"

namespace weft::platforms {
namespace {

constexpr std::array<Word<Trust>, 3> kTrusts{
    {{"A", Trust::kPrimary}, {"B", Trust::kSecondHand}, {"C", Trust::kEstimate}}};

void read_gpus(Reader& root, Catalogue& catalogue) {
  for (Reader& entry : root.maps("gpus")) {
    GpuSpec gpu;
    entry.read("name", gpu.name, Need::kRequired);
    for (const Value& alias : entry.items("aliases")) {
      alias.read(gpu.aliases.emplace_back());
    }
    entry.read("memory", gpu.memory);
    entry.read("memory_bandwidth", gpu.memory_bandwidth);
    if (std::optional<Reader> peak = entry.map("peak")) {
      peak->read("fp32", gpu.peak.fp32);
      peak->read("fp16", gpu.peak.fp16);
      peak->read("bf16", gpu.peak.bf16);
      peak->read("fp8", gpu.peak.fp8);
      peak->read("fp4", gpu.peak.fp4);
    }
    if (std::optional<Reader> scale_up = entry.map("scale_up")) {
      scale_up->read_word("kind", gpu.scale_up, kScaleUpKinds, Need::kRequired);
      scale_up->read("bandwidth", gpu.scale_up_bandwidth, Need::kRequired);
      scale_up->read_integer("domain", gpu.scale_up_domain, {1, 1024}, Need::kRequired);
      scale_up->read("nvls", gpu.nvls);
    }
    entry.read("tdp", gpu.tdp);
    entry.read("idle", gpu.idle);
    entry.read_price("price", gpu.price, PriceUnit::Kind::kOnce);
    entry.read_word("trust", gpu.trust, kTrusts, Need::kRequired);
    entry.read("source", gpu.source, Need::kRequired);
    catalogue.gpus.push_back(std::move(gpu));
  }
}

void read_parts(Reader& root, std::string_view list, std::vector<NetworkPart>& parts) {
  for (Reader& entry : root.maps(list)) {
    NetworkPart part;
    std::optional<Money> price;
    entry.read("name", part.name, Need::kRequired);
    entry.read_integer("ports", part.ports, {1, 4096});
    entry.read_positive("rate", part.rate, Need::kRequired);
    entry.read("latency", part.latency);
    entry.read("power", part.power, Need::kRequired);
    entry.read_price("price", price, PriceUnit::Kind::kOnce);
    part.price = price.value_or(Money{});
    entry.read_word("trust", part.trust, kTrusts, Need::kRequired);
    entry.read("source", part.source, Need::kRequired);
    parts.push_back(std::move(part));
  }
}

}  // namespace

const GpuSpec* Catalogue::find_gpu(std::string_view name) const {
  for (const GpuSpec& gpu : gpus) {
    if (gpu.name == name ||
        std::find(gpu.aliases.begin(), gpu.aliases.end(), name) != gpu.aliases.end()) {
      return &gpu;
    }
  }
  return nullptr;
}

std::vector<std::string_view> Catalogue::gpu_names() const {
  std::vector<std::string_view> names;
  names.reserve(gpus.size());
  for (const GpuSpec& gpu : gpus) {
    names.emplace_back(gpu.name);
  }
  return names;
}

void fill_from(const GpuSpec& spec, GpuSet& gpu) {
  gpu.memory = spec.memory;
  gpu.memory_bandwidth = spec.memory_bandwidth;
  gpu.peak = spec.peak;
  gpu.tdp = spec.tdp;
  gpu.idle = spec.idle;
}

ScaleUp scale_up_of(const GpuSpec& spec, std::int32_t gpus, std::size_t nodes) {
  ScaleUp up;
  up.kind = spec.scale_up;
  up.bandwidth = spec.scale_up_bandwidth;
  up.nvls = spec.nvls;
  constexpr std::int32_t kLargestBoard = 16;
  if (spec.scale_up_domain > kLargestBoard && gpus > 0) {
    const auto most = static_cast<std::int64_t>(std::max<std::size_t>(nodes, 1));
    up.domain_nodes =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(spec.scale_up_domain / gpus, 1, most));
  }
  return up;
}

void set_gpus(const Catalogue& catalogue, std::string model, std::int32_t count, NodeGroup& group) {
  const GpuSpec* spec = catalogue.find_gpu(model);
  GpuSet gpu;
  gpu.model = std::move(model);
  gpu.count = count;
  gpu.custom = spec == nullptr;
  group.scale_up = {};
  if (spec != nullptr) {
    fill_from(*spec, gpu);
    group.scale_up = scale_up_of(*spec, count, group.names.size());
  }
  group.gpu = std::move(gpu);
}

const NetworkPart* find_part(const std::vector<NetworkPart>& parts, std::string_view name) {
  for (const NetworkPart& part : parts) {
    if (part.name == name) {
      return &part;
    }
  }
  return nullptr;
}

Catalogue builtin_catalogue() {
  Catalogue catalogue;
  Diagnostics faults;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.name.starts_with("catalogue/")) {
      continue;
    }
    YamlDocument document;
    const auto root = document.parse(file.text, std::string(file.name), faults);
    if (!root) {
      continue;
    }
    Reader reader(document, *root, faults);
    read_gpus(reader, catalogue);
    read_parts(reader, "nics", catalogue.nics);
    read_parts(reader, "switches", catalogue.switches);
    read_parts(reader, "optics", catalogue.optics);
    read_parts(reader, "cables", catalogue.cables);
  }
  WEFT_ASSERT(faults.ok(), to_string(faults.errors().front()));
  return catalogue;
}

}  // namespace weft::platforms
