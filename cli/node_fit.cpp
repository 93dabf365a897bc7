#include "cli/node_fit.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/hostlist.hpp"
#include "base/quantity.hpp"

namespace weft::cli {

namespace {
constexpr std::int64_t kThousandths = 1000;

std::string thousandths(std::int64_t value) {
  return value % kThousandths == 0
             ? std::to_string(value / kThousandths)
             : fmt::format("{:.3f}", static_cast<double>(value) / kThousandths);
}

// What one node must have of each.
struct Needs {
  std::int64_t gpus;  // thousandths
  std::int64_t cpus;  // thousandths
  Bytes memory;
};

Needs needs_of(const RequestShape& shape) {
  const bool anywhere = shape.kind == RequestShape::Kind::kAnyGpus;
  return {anywhere ? std::min(shape.gpus.raw(), kThousandths) : shape.gpus.raw(),
          shape.cpus.raw(),
          shape.memory};
}

std::string lacking(const ClusterLayout& layout,
                    const RequestShape& shape,
                    const Needs& needs,
                    NodeId id,
                    bool in_partition) {
  const NodeInfo& node = layout.node(id);
  if (!in_partition) {
    return "not in partition " + layout.partitions[index(shape.partition)].name;
  }
  const bool wants_gpus = needs.gpus > 0 || shape.gpu_models != ~std::uint64_t{0};
  if (node.gpu_count == 0 && wants_gpus) {
    return "has no GPU";
  }
  if (node.gpu_count > 0 && ((shape.gpu_models >> index(node.gpu_model)) & 1U) == 0) {
    return "has GPUs of model " + layout.gpu_models[index(node.gpu_model)];
  }
  if (std::int64_t{node.gpu_count} * kThousandths < needs.gpus) {
    return fmt::format("has {} GPUs, needs {}", node.gpu_count, thousandths(needs.gpus));
  }
  if (node.cpus.raw() < needs.cpus) {
    return fmt::format(
        "has {} CPUs, needs {}", thousandths(node.cpus.raw()), thousandths(needs.cpus));
  }
  if (node.memory < needs.memory) {
    return fmt::format("has {} of memory, needs {}", to_text(node.memory), to_text(needs.memory));
  }
  return {};
}
}  // namespace

NodeFit node_fit(const ClusterLayout& layout, const RequestShape& shape) {
  const Needs needs = needs_of(shape);
  std::vector<bool> listed(layout.nodes.size(), shape.partition == kNoPartition);
  if (shape.partition != kNoPartition) {
    for (const NodeId node : layout.partitions[index(shape.partition)].nodes) {
      listed[index(node)] = true;
    }
  }
  std::vector<std::string_view> fit;
  std::vector<std::vector<std::string_view>> unfit;
  std::map<std::string, std::size_t> group_of;
  NodeFit result;
  for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
    const NodeId id{static_cast<std::uint32_t>(n)};
    const std::string why = lacking(layout, shape, needs, id, listed[n]);
    if (why.empty()) {
      fit.push_back(layout.node_names[n]);
      continue;
    }
    const auto [group, is_new] = group_of.emplace(why, result.unfit.size());
    if (is_new) {
      result.unfit.push_back({why, 0, {}});
      unfit.emplace_back();
    }
    unfit[group->second].push_back(layout.node_names[n]);
  }
  result.fit = fit.size();
  result.fit_nodelist = compress_hostlist(fit);
  for (std::size_t g = 0; g < unfit.size(); ++g) {
    result.unfit[g].nodes = unfit[g].size();
    result.unfit[g].nodelist = compress_hostlist(unfit[g]);
  }
  return result;
}

}  // namespace weft::cli
