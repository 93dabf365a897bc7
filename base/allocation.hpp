// Which resources a running job holds.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"

namespace weft {

struct GpuRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  friend bool operator==(const GpuRange&, const GpuRange&) = default;
};

// Nodes ascending. GPU ranges ascending, disjoint, not touching inside a node; a range never
// crosses a node. `share` applies to every GPU named: 1000 for whole GPUs, less for a shared one.
struct Allocation {
  std::vector<NodeId> nodes;
  std::vector<GpuRange> gpus;
  GpuShare share = weft::gpus(1);

  void clear() {
    nodes.clear();
    gpus.clear();
    share = weft::gpus(1);
  }
  [[nodiscard]] std::int64_t gpu_count() const {
    std::int64_t n = 0;
    for (const GpuRange& r : gpus) {
      n += r.count;
    }
    return n;
  }
  [[nodiscard]] GpuShare total_share() const { return share * gpu_count(); }
};

}  // namespace weft
