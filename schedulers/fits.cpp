#include <algorithm>

#include "schedulers/node_room.hpp"
#include "schedulers/placement.hpp"

namespace weft::schedulers {

namespace {

using Kind = RequestShape::Kind;

// Calls visit(node) for the nodes of one level until it returns true; returns whether it did.
template <class Visit>
bool visit_level(const ClusterState& state, std::uint32_t cell, std::uint32_t level, Visit visit) {
  const IndexSet& set = state.nodes_at(cell, level);
  const auto nodes = state.cell_nodes(cell);
  for (std::uint32_t p = set.next(0); p != IndexSet::kNone; p = set.next(p + 1)) {
    if (visit(nodes[p])) {
      return true;
    }
  }
  return false;
}

bool flat_fits(const ClusterState& state, const RequestShape& shape, Rules rules) {
  const NodeId pool{0};
  if (!cell_allowed(state.layout(), shape, state.layout().node(pool), rules)) {
    return false;
  }
  switch (shape.kind) {
    case Kind::kAnyGpus:
      return std::int64_t{gpus_of_node(state, shape, pool)} >= whole_gpus(shape);
    case Kind::kPerNode:
      if (shape.nodes != 1) {
        return false;
      }
      if (wants_part(shape) && state.free_whole_gpus(pool) == 0) {
        return cpus_and_memory_fit(state, shape, pool) &&
               state.next_partial_value(static_cast<std::uint32_t>(shape.gpus.raw())) < kWholeGpu;
      }
      return node_takes(state, shape, pool);
    case Kind::kWholeNodes:
      return shape.nodes == 1 && node_takes(state, shape, pool);
  }
  return false;
}

bool any_gpus_fit(const ClusterState& state, const RequestShape& shape, Rules rules) {
  std::int64_t wanted = whole_gpus(shape);
  for (std::uint32_t cell = 0; cell < state.cell_count(); ++cell) {
    if (!cell_allowed(state, shape, cell, rules)) {
      continue;
    }
    for (std::uint32_t level = state.levels(cell); level-- > 1;) {
      if (gpus_suffice(shape) && level < ClusterState::kMaxLevel) {
        wanted -= std::int64_t{level} * state.nodes_at(cell, level).count();
      } else {
        visit_level(state, cell, level, [&](NodeId node) {
          wanted -= gpus_of_node(state, shape, node);
          return wanted <= 0;
        });
      }
      if (wanted <= 0) {
        return true;
      }
    }
  }
  return false;
}

// Whether the node has a partly used GPU with at least `share` left.
bool has_part(const ClusterState& state, NodeId node, std::int64_t share) {
  const NodeInfo& info = state.layout().node(node);
  const auto first = static_cast<std::uint32_t>(info.first_gpu);
  for (std::uint32_t g = first; g < first + info.gpu_count; ++g) {
    if (state.free_share(GpuIndex{g}).raw() >= share) {
      return true;
    }
  }
  return false;
}

bool part_fits(const ClusterState& state, const RequestShape& shape, Rules rules) {
  const auto share = static_cast<std::uint32_t>(shape.gpus.raw());
  const ClusterLayout& layout = state.layout();
  if (shape.nodes > 1) {  // distinct nodes, each by a whole or a partly used GPU: count them
    std::int32_t found = 0;
    for (std::uint32_t cell = 0; cell < state.cell_count() && found < shape.nodes; ++cell) {
      if (!cell_allowed(state, shape, cell, rules)) {
        continue;
      }
      for (const NodeId node : state.cell_nodes(cell)) {
        if (cpus_and_memory_fit(state, shape, node) &&
            (state.free_whole_gpus(node) > 0 || has_part(state, node, share))) {
          ++found;
        }
      }
    }
    return found >= shape.nodes;
  }
  for (std::uint32_t value = state.next_partial_value(share); value < kWholeGpu;
       value = state.next_partial_value(value + 1)) {
    const IndexSet& set = state.partial_gpus(value);
    for (std::uint32_t g = set.next(0); g != IndexSet::kNone; g = set.next(g + 1)) {
      const NodeId node = state.node_of(GpuIndex{g});
      if (cpus_and_memory_fit(state, shape, node) &&
          cell_allowed(layout, shape, layout.node(node), rules)) {
        return true;
      }
    }
  }
  return false;
}

bool nodes_fit(const ClusterState& state, const RequestShape& shape, Rules rules) {
  const std::int64_t gpus_each = whole_gpus(shape);
  if (gpus_each > INT32_MAX) {
    return false;
  }
  const std::uint32_t low = ClusterState::level_of(static_cast<std::uint32_t>(gpus_each));
  std::int64_t missing = shape.nodes;
  for (std::uint32_t cell = 0; cell < state.cell_count(); ++cell) {
    if (!cell_allowed(state, shape, cell, rules)) {
      continue;
    }
    for (std::uint32_t level = state.levels(cell); level-- > low;) {
      if (gpus_suffice(shape) && level < ClusterState::kMaxLevel) {
        missing -= state.nodes_at(cell, level).count();
      } else {
        visit_level(state, cell, level, [&](NodeId node) {
          missing -= node_takes(state, shape, node) ? 1 : 0;
          return missing <= 0;
        });
      }
      if (missing <= 0) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

bool fits_now(const ClusterState& state, const RequestShape& shape, Rules rules) {
  if (!makes_sense(shape)) {
    return false;
  }
  if (state.layout().flat_pool) {
    return flat_fits(state, shape, rules);
  }
  if (shape.kind == Kind::kAnyGpus) {
    return any_gpus_fit(state, shape, rules);
  }
  if (wants_part(shape)) {
    // On one node the whole GPUs are the cheap question; on several the two kinds mix.
    return (shape.nodes == 1 && nodes_fit(state, shape, rules)) || part_fits(state, shape, rules);
  }
  return nodes_fit(state, shape, rules);
}

std::int64_t room_on(const ClusterState& state, const RequestShape& shape, NodeId node) {
  if (!makes_sense(shape) || !allowed_in_cell(state.layout(), shape, state.layout().node(node))) {
    return 0;
  }
  if (shape.kind == Kind::kAnyGpus) {
    return gpus_of_node(state, shape, node);
  }
  if (wants_part(shape)) {
    const bool fits = cpus_and_memory_fit(state, shape, node) &&
                      (state.free_whole_gpus(node) > 0 || has_part(state, node, shape.gpus.raw()));
    return fits ? 1 : 0;
  }
  return node_takes(state, shape, node) ? 1 : 0;
}

std::int64_t room_needed(const RequestShape& shape) {
  return shape.kind == Kind::kAnyGpus ? whole_gpus(shape) : shape.nodes;
}

std::int64_t room_total(const ClusterState& state, const RequestShape& shape) {
  if (!makes_sense(shape)) {
    return 0;
  }
  if (state.layout().flat_pool) {
    return room_on(state, shape, NodeId{0});
  }
  const bool any = shape.kind == Kind::kAnyGpus;
  const auto low = static_cast<std::uint32_t>(
      std::min<std::int64_t>(any ? 1 : whole_gpus(shape), ClusterState::kMaxLevel));
  std::int64_t room = 0;
  for (std::uint32_t cell = 0; cell < state.cell_count(); ++cell) {
    if (!cell_allowed(state, shape, cell, Rules::kApply)) {
      continue;
    }
    if (wants_part(shape)) {
      for (const NodeId node : state.cell_nodes(cell)) {
        room += room_on(state, shape, node);
      }
      continue;
    }
    for (std::uint32_t level = low; level < state.levels(cell); ++level) {
      if (gpus_suffice(shape) && level < ClusterState::kMaxLevel) {
        room += std::int64_t{any ? level : 1} * state.nodes_at(cell, level).count();
      } else {
        visit_level(state, cell, level, [&](NodeId node) {
          room += room_on(state, shape, node);
          return false;
        });
      }
    }
  }
  return room;
}

bool fits_empty(const ClusterLayout& layout, const RequestShape& shape) {
  if (!makes_sense(shape)) {
    return false;
  }
  std::int64_t missing = shape.kind == Kind::kAnyGpus ? whole_gpus(shape) : shape.nodes;
  for (const NodeInfo& node : layout.nodes) {
    if (missing <= 0) {
      break;
    }
    if (!allowed_in_cell(layout, shape, node)) {
      continue;
    }
    if (shape.kind == Kind::kAnyGpus) {
      missing -= gpus_of_node(shape, node.gpu_count, node.cpus.raw(), node.memory.raw());
    } else if (whole_gpus(shape) <= std::int64_t{node.gpu_count} && shape.cpus <= node.cpus &&
               shape.memory <= node.memory) {
      --missing;
    }
  }
  return missing <= 0;
}

}  // namespace weft::schedulers
