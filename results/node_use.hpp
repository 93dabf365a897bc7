// nodes.csv: how much of each node jobs held.
#pragma once

#include <string>
#include <vector>

#include "base/allocation.hpp"
#include "base/cluster.hpp"
#include "base/units.hpp"

namespace weft::results {

class NodeUse {
 public:
  explicit NodeUse(const ClusterLayout& layout);  // must outlive this

  // A job held `where` for `booked` (its time in the measured window).
  void add(const Allocation& where, Duration booked);
  // Columns: node,gpu_model,gpus,first_gpu,leaf,rack,jobs,gpu_hours,share (of the node's GPUs x
  // `length`); first_gpu is its first index in allocated_resources.
  [[nodiscard]] std::string csv(Duration length) const;

 private:
  struct Use {
    GpuTime held;
    std::int64_t jobs = 0;
  };
  const ClusterLayout* layout_;
  std::vector<Use> uses_;
};

}  // namespace weft::results
