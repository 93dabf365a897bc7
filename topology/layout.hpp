// From a platform to the cluster as policies and the engine see it: who is near whom.
//
// The locality unit ("leaf") is the set of leaf switches that the same nodes share: one switch, or
// with rails the group of one leaf switch a rail. Nodes without a NIC on the compute fabric have
// no leaf. Pods (SpineId) exist in three-tier fabrics only.
#pragma once

#include "base/cluster.hpp"
#include "platforms/platform.hpp"

namespace weft::topology {

// Expects a valid platform (as loaded). O(nodes).
[[nodiscard]] ClusterLayout make_layout(const platforms::Platform& platform);

}  // namespace weft::topology
