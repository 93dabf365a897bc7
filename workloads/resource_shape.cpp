#include "workloads/resource_shape.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/errors.hpp"
#include "base/flat_index.hpp"
#include "base/quantity.hpp"

namespace weft::workloads {

namespace {

using Kind = RequestShape::Kind;
constexpr std::int64_t kWhole = 1000;  // thousandths of a GPU or CPU

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

// Nodes and processors beyond this cannot be told apart from "more than any cluster has".
std::int32_t as_node_count(std::int64_t n) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(n, 1, 2'000'000'000));
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_words(std::string_view a, std::string_view b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string thousandths_text(std::int64_t n) {
  std::string text = std::to_string(n / kWhole);
  if (n % kWhole != 0) {
    std::string rest = std::to_string(kWhole + n % kWhole).substr(1);
    rest.erase(rest.find_last_not_of('0') + 1);
    text += '.';
    text += rest;
  }
  return text;
}

std::string counted(std::string number, std::string_view noun) {
  const bool one = number == "1";
  return std::move(number) + ' ' + std::string(noun) + (one ? "" : "s");
}

}  // namespace

std::uint64_t hash(const Demand& d) {
  std::uint64_t h = 0x2545F4914F6CDD1DU;
  for (const std::int64_t word : {d.processors,
                                  d.gpus,
                                  d.gpus_per_node,
                                  d.nodes,
                                  d.cpus,
                                  d.cpus_per_node,
                                  d.memory,
                                  d.memory_per_node}) {
    h = hash_mix(h, static_cast<std::uint64_t>(word));
  }
  h = hash_mix(h, d.gpu_models);
  return hash_mix(h, (index(d.partition) << 1U) | (d.whole_nodes ? 1U : 0U));
}

ShapeResolver::ShapeResolver(const ClusterLayout& layout) : layout_(&layout) {
  const auto key = [](const NodeInfo& n) {
    return std::make_tuple(n.gpu_count, n.cpus, n.memory, n.cell);
  };
  for (const NodeInfo& node : layout.nodes) {
    // Nodes alike mostly follow each other, so look from the latest class back.
    const auto known = std::find_if(classes_.rbegin(), classes_.rend(), [&](const NodeClass& c) {
      return key(c.like) == key(node);
    });
    if (known != classes_.rend()) {
      ++known->count;
    } else {
      classes_.push_back(NodeClass{node, 1});
    }
  }
  for (const NodeClass& nodes : classes_) {
    if (nodes.like.gpu_count > 0) {
      node_sizes_.push_back(nodes.like.gpu_count);
    }
  }
  std::sort(node_sizes_.rbegin(), node_sizes_.rend());
  node_sizes_.erase(std::unique(node_sizes_.begin(), node_sizes_.end()), node_sizes_.end());
}

bool ShapeResolver::open_to(const NodeClass& nodes, const RequestShape& shape) const {
  if (shape.partition != kNoPartition) {
    const auto& listed = layout_->cells[nodes.like.cell].partitions;
    if (!std::binary_search(listed.begin(), listed.end(), shape.partition)) {
      return false;
    }
  }
  if (shape.gpus.raw() == 0) {
    return true;
  }
  const std::size_t model = index(nodes.like.gpu_model);
  return nodes.like.gpu_count > 0 && (shape.gpu_models == ~std::uint64_t{0} ||
                                      (model < 64 && ((shape.gpu_models >> model) & 1U) != 0));
}

std::int64_t ShapeResolver::nodes_for(const RequestShape& shape) const {
  std::int64_t count = 0;
  for (const NodeClass& nodes : classes_) {
    if (open_to(nodes, shape) && gpus(nodes.like.gpu_count) >= shape.gpus &&
        nodes.like.cpus >= shape.cpus && nodes.like.memory >= shape.memory) {
      count += nodes.count;
    }
  }
  return count;
}

std::int64_t ShapeResolver::any_gpus_for(const RequestShape& shape) const {
  std::int64_t total = 0;
  for (const NodeClass& nodes : classes_) {
    if (!open_to(nodes, shape)) {
      continue;
    }
    std::int64_t here = nodes.like.gpu_count;
    if (shape.cpus.raw() > 0) {
      here = std::min(here, nodes.like.cpus.raw() / shape.cpus.raw());
    }
    if (shape.memory.raw() > 0) {
      here = std::min(here, nodes.like.memory.raw() / shape.memory.raw());
    }
    total += here * nodes.count;
  }
  return total;
}

std::int64_t ShapeResolver::largest_node(const RequestShape& shape) const {
  std::int64_t largest = 0;
  for (const NodeClass& nodes : classes_) {
    if (open_to(nodes, shape)) {
      largest = std::max<std::int64_t>(largest, nodes.like.gpu_count);
    }
  }
  return largest;
}

// A GPU count without a node count: one node if it fits in one, whole nodes of the largest size
// that divides it and is there often enough, else any GPUs.
void ShapeResolver::spread_gpus(std::int64_t count, RequestShape& shape) const {
  shape.kind = Kind::kPerNode;
  shape.nodes = 1;
  shape.gpus = gpus(count);
  if (count <= largest_node(shape)) {
    return;
  }
  for (const std::int64_t size : node_sizes_) {
    RequestShape even = shape;
    even.gpus = gpus(size);
    even.nodes = as_node_count(count / size);
    if (count % size == 0 && nodes_for(even) >= even.nodes) {
      shape = even;
      return;
    }
  }
  shape.kind = Kind::kAnyGpus;
  shape.nodes = 0;
}

Shaped ShapeResolver::pool_shape(const Demand& d) const {
  Shaped result;
  std::int64_t count = 0;
  if (d.processors > 0) {
    count = d.processors;
  } else if (d.gpus > 0 || d.gpus_per_node > 0) {
    const std::int64_t total =
        d.gpus > 0 ? d.gpus : d.gpus_per_node * std::max<std::int64_t>(d.nodes, 1);
    count = ceil_div(total, kWhole);
    result.rounded_up = total % kWhole != 0;
  } else if (d.cpus > 0 || d.cpus_per_node > 0) {
    const std::int64_t total =
        d.cpus > 0 ? d.cpus : d.cpus_per_node * std::max<std::int64_t>(d.nodes, 1);
    count = ceil_div(total, kWhole);
    result.size_from_cpus = true;
  } else {
    count = std::max<std::int64_t>(d.nodes, 1);
  }
  result.shape.kind = Kind::kAnyGpus;
  result.shape.gpus = gpus(count);
  result.shape.partition = d.partition;
  return result;
}

Shaped ShapeResolver::shape_of(const Demand& d) const {
  WEFT_ASSERT(d.says_a_size(), "a demand without a size");
  if (layout_->flat_pool) {
    return pool_shape(d);
  }
  Shaped result;
  RequestShape& shape = result.shape;
  shape.gpu_models = d.gpu_models;
  shape.partition = d.partition;
  shape.kind = Kind::kPerNode;
  shape.nodes = as_node_count(d.nodes);
  // Memory and CPUs first: they decide which nodes are large enough for an even split.
  shape.cpus = CpuShare::from_raw(std::max<std::int64_t>(d.cpus_per_node, 0));
  shape.memory = Bytes::from_raw(std::max<std::int64_t>(d.memory_per_node, 0));

  if (d.processors > 0) {
    spread_gpus(d.processors, shape);
  } else if (d.whole_nodes || (d.nodes > 0 && d.gpus < 0 && d.gpus_per_node < 0 && d.cpus <= 0 &&
                               d.cpus_per_node <= 0)) {
    shape.kind = Kind::kWholeNodes;
    if (d.gpus_per_node >= 0) {
      shape.gpus = gpus(ceil_div(d.gpus_per_node, kWhole));
    } else if (d.gpus >= 0) {
      if (d.nodes <= 0) {
        spread_gpus(ceil_div(d.gpus, kWhole), shape);
        if (shape.kind == Kind::kAnyGpus) {  // as many nodes of the largest size as it takes
          const std::int64_t size = std::max<std::int64_t>(largest_node(shape), 1);
          shape.nodes = as_node_count(ceil_div(ceil_div(d.gpus, kWhole), size));
          shape.gpus = gpus(size);
        }
        shape.kind = Kind::kWholeNodes;
      } else {
        shape.gpus = gpus(ceil_div(ceil_div(d.gpus, kWhole), d.nodes));
      }
    } else {
      // No GPUs named: all of a node's. The smallest open node with GPUs, so that any will do.
      std::int64_t smallest = INT64_MAX;
      for (const NodeClass& nodes : classes_) {
        if (open_to(nodes, shape) && nodes.like.gpu_count > 0) {
          smallest = std::min<std::int64_t>(smallest, nodes.like.gpu_count);
        }
      }
      shape.gpus = gpus(smallest == INT64_MAX ? 0 : smallest);
    }
  } else if (d.gpus_per_node > 0) {
    std::int64_t each = d.gpus_per_node;
    if (each > kWhole && each % kWhole != 0) {
      each = ceil_div(each, kWhole) * kWhole;
      result.rounded_up = true;
    }
    if (d.nodes <= 0 && d.gpus > 0) {
      shape.nodes = as_node_count(ceil_div(d.gpus, each));
    }
    shape.gpus = gpu_thousandths(each);
  } else if (d.gpus > 0 && d.gpus < kWhole) {
    shape.nodes = 1;
    shape.gpus = gpu_thousandths(d.gpus);
  } else if (d.gpus > 0) {
    const std::int64_t count = ceil_div(d.gpus, kWhole);
    result.rounded_up = d.gpus % kWhole != 0;
    if (d.nodes <= 0) {
      spread_gpus(count, shape);
    } else if (count % d.nodes == 0) {
      shape.gpus = gpus(count / d.nodes);
    } else {
      shape.kind = Kind::kAnyGpus;
      shape.nodes = 0;
      shape.gpus = gpus(count);
      result.uneven = true;
    }
  }

  const std::int64_t parts =
      shape.kind == Kind::kAnyGpus ? shape.gpus.raw() / kWhole : std::int64_t{shape.nodes};
  if (d.cpus > 0) {
    shape.cpus = CpuShare::from_raw(ceil_div(d.cpus, parts));
  }
  if (d.memory > 0) {
    shape.memory = Bytes::from_raw(ceil_div(d.memory, parts));
  }
  if (shape.kind == Kind::kAnyGpus) {
    // Per node becomes per GPU of the largest node.
    const std::int64_t size = std::max<std::int64_t>(largest_node(shape), 1);
    if (d.cpus <= 0 && d.cpus_per_node > 0) {
      shape.cpus = CpuShare::from_raw(ceil_div(d.cpus_per_node, size));
    }
    if (d.memory <= 0 && d.memory_per_node > 0) {
      shape.memory = Bytes::from_raw(ceil_div(d.memory_per_node, size));
    }
  }
  return result;
}

std::string ShapeResolver::why_infeasible(const RequestShape& shape) const {
  const bool any = shape.kind == Kind::kAnyGpus;
  const std::int64_t available = any ? any_gpus_for(shape) : nodes_for(shape);
  const std::int64_t asked = any ? shape.gpus.raw() / kWhole : std::int64_t{shape.nodes};
  if (asked <= available && shape.gpu_models != 0) {
    return {};
  }
  const std::string_view unit = layout_->flat_pool ? "processor" : "GPU";
  std::string text = "asks for ";
  if (any) {
    text += counted(std::to_string(asked), unit);
  } else {
    text += counted(std::to_string(shape.nodes),
                    shape.kind == Kind::kWholeNodes ? "whole node" : "node");
    text += " with " + counted(thousandths_text(shape.gpus.raw()), unit);
  }
  if (shape.cpus.raw() > 0) {
    text += ", " + counted(thousandths_text(shape.cpus.raw()), "CPU");
  }
  if (shape.memory.raw() > 0) {
    text += ", " + to_text(shape.memory) + " of memory";
  }
  if (shape.cpus.raw() > 0 || shape.memory.raw() > 0) {
    text += any ? " a GPU" : (shape.nodes > 1 ? " each" : "");
  }
  if (shape.partition != kNoPartition) {
    text += " in partition " + layout_->partitions[index(shape.partition)].name;
  }
  if (shape.gpu_models == 0) {
    text += " of a model that is not there; the cluster has";
    for (std::size_t m = 0; m < layout_->gpu_models.size(); ++m) {
      text += (m == 0 ? " " : ", ") + layout_->gpu_models[m];
    }
    return text + (layout_->gpu_models.empty() ? " no GPUs" : "");
  }
  if (shape.gpu_models != ~std::uint64_t{0}) {
    text += " of model ";
    bool first = true;
    for (std::size_t m = 0; m < layout_->gpu_models.size() && m < 64; ++m) {
      if (((shape.gpu_models >> m) & 1U) != 0) {
        text += (first ? "" : " or ") + layout_->gpu_models[m];
        first = false;
      }
    }
  }
  text += "; there ";
  text += available == 1 ? "is " : "are ";
  text +=
      any ? std::to_string(available) +
                (shape.cpus.raw() + shape.memory.raw() > 0 ? " with that much CPU and memory" : "")
          : std::to_string(available) + (available == 1 ? " such node" : " such nodes");
  return text;
}

std::optional<RequestShape> ShapeResolver::capped(const RequestShape& shape) const {
  if (shape.gpu_models == 0) {
    return std::nullopt;
  }
  RequestShape smaller = shape;
  if (shape.kind == Kind::kAnyGpus) {
    const std::int64_t available = any_gpus_for(shape);
    smaller.gpus = std::min(shape.gpus, gpus(available));
    return available > 0 ? std::optional(smaller) : std::nullopt;
  }
  const std::int64_t available = nodes_for(shape);
  smaller.nodes = static_cast<std::int32_t>(std::min<std::int64_t>(shape.nodes, available));
  return available > 0 ? std::optional(smaller) : std::nullopt;
}

std::uint64_t ShapeResolver::model_mask(std::string_view alternatives) const {
  std::uint64_t mask = 0;
  while (!alternatives.empty()) {
    const std::size_t bar = alternatives.find('|');
    std::string_view word = alternatives.substr(0, bar);
    alternatives = bar == std::string_view::npos ? "" : alternatives.substr(bar + 1);
    while (!word.empty() && word.front() == ' ') {
      word.remove_prefix(1);
    }
    while (!word.empty() && word.back() == ' ') {
      word.remove_suffix(1);
    }
    for (std::size_t m = 0; m < layout_->gpu_models.size() && m < 64; ++m) {
      if (equal_words(word, layout_->gpu_models[m])) {
        mask |= std::uint64_t{1} << m;
      }
    }
  }
  return mask;
}

}  // namespace weft::workloads
