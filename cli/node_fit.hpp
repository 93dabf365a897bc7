// Which nodes of a cluster could hold a job at all, and what the others lack: what `weft explain`
// says about where a job could go. Looks at installed hardware and partitions, not at what is free.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/cluster.hpp"
#include "base/job.hpp"

namespace weft::cli {

struct UnfitNodes {
  std::string why;  // the first thing lacking, with both values
  std::size_t nodes = 0;
  std::string nodelist;
};

struct NodeFit {
  std::size_t fit = 0;
  std::string fit_nodelist;
  std::vector<UnfitNodes> unfit;  // in the order of their first node
};

// A node fits if, empty, it could hold one node's part of the request (of GPUs anywhere: one GPU).
// On a pool the one node stands for all.
[[nodiscard]] NodeFit node_fit(const ClusterLayout& layout, const RequestShape& shape);

}  // namespace weft::cli
