// From what a job record asks for to a request shape of one cluster, and whether that cluster can
// ever satisfy it. The rules stand in docs/workloads.md; every one is a pure function of the
// demand and the layout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cluster.hpp"
#include "base/job.hpp"
#include "base/units.hpp"

namespace weft::workloads {

// What one record asks for, its options applied and its words resolved. Equal demands have equal
// shapes, so a log's few distinct ones are worked out once.
struct Demand {
  static constexpr std::int64_t kNotSaid = -1;
  std::int64_t processors = kNotSaid;
  std::int64_t gpus = kNotSaid;           // thousandths, in total
  std::int64_t gpus_per_node = kNotSaid;  // thousandths
  std::int64_t nodes = kNotSaid;
  std::int64_t cpus = kNotSaid;           // thousandths, in total
  std::int64_t cpus_per_node = kNotSaid;  // thousandths
  std::int64_t memory = kNotSaid;         // bytes, in total
  std::int64_t memory_per_node = kNotSaid;
  std::uint64_t gpu_models = ~std::uint64_t{0};  // 0: asks for models this cluster does not have
  PartitionId partition = kNoPartition;
  bool whole_nodes = false;

  [[nodiscard]] bool says_a_size() const {
    return processors > 0 || gpus >= 0 || gpus_per_node >= 0 || nodes > 0 || cpus > 0 ||
           cpus_per_node > 0;
  }
  friend bool operator==(const Demand&, const Demand&) = default;
};
[[nodiscard]] std::uint64_t hash(const Demand& demand);

struct Shaped {
  RequestShape shape;
  bool rounded_up = false;      // asked for a fraction above one GPU: the next whole number
  bool uneven = false;          // GPUs do not divide by nodes: any GPUs
  bool size_from_cpus = false;  // on a pool, a record without GPUs: one processor a CPU
};

// The nodes of a cluster that no request tells apart, counted.
struct NodeClass {
  NodeInfo like;  // any one of them
  std::int64_t count = 0;
};

class ShapeResolver {
 public:
  explicit ShapeResolver(const ClusterLayout& layout);

  // Requires demand.says_a_size().
  [[nodiscard]] Shaped shape_of(const Demand& demand) const;

  // Empty if the empty cluster has room for the shape; else what was asked and what there is.
  [[nodiscard]] std::string why_infeasible(const RequestShape& shape) const;

  // The largest shape of the same kind that the empty cluster has room for, no larger than
  // `shape`: fewer nodes, or fewer GPUs of any. Nothing if not even one node or GPU will do.
  [[nodiscard]] std::optional<RequestShape> capped(const RequestShape& shape) const;

  // Models of the layout named in "A|B" (case does not count), as a bit mask; 0 if none is known.
  [[nodiscard]] std::uint64_t model_mask(std::string_view alternatives) const;

 private:
  [[nodiscard]] bool open_to(const NodeClass& nodes, const RequestShape& shape) const;
  [[nodiscard]] std::int64_t nodes_for(const RequestShape& shape) const;  // kPerNode, kWholeNodes
  [[nodiscard]] std::int64_t any_gpus_for(const RequestShape& shape) const;  // kAnyGpus
  [[nodiscard]] std::int64_t largest_node(const RequestShape& shape) const;  // GPUs
  [[nodiscard]] Shaped pool_shape(const Demand& demand) const;
  void spread_gpus(std::int64_t gpus, RequestShape& shape) const;

  const ClusterLayout* layout_;
  std::vector<NodeClass> classes_;        // in order of first appearance
  std::vector<std::int64_t> node_sizes_;  // distinct GPU counts > 0, descending
};

}  // namespace weft::workloads
