// Small clusters and records for the tests of this room.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "base/cluster.hpp"
#include "base/errors.hpp"
#include "workloads/binding.hpp"

namespace weft::workloads::testing {

struct NodesOf {
  std::uint32_t count = 0;
  std::uint32_t gpus = 0;
  std::uint16_t model = 0;
  std::int64_t cpus = 0;    // 0: does not bind
  std::int64_t memory = 0;  // bytes; 0: does not bind
};

inline ClusterLayout cluster(std::initializer_list<NodesOf> groups) {
  ClusterLayout layout;
  layout.name = "test";
  layout.gpu_models = {"A100", "H100", "T4"};
  for (const NodesOf& group : groups) {
    for (std::uint32_t i = 0; i < group.count; ++i) {
      NodeInfo node;
      node.gpu_count = group.gpus;
      node.gpu_model = GpuModelId{group.model};
      if (group.cpus > 0) {
        node.cpus = cpus(group.cpus);
      }
      if (group.memory > 0) {
        node.memory = bytes(group.memory);
      }
      layout.node_names.push_back("n" + std::to_string(layout.nodes.size()));
      layout.nodes.push_back(node);
    }
  }
  finish_layout(layout);
  return layout;
}

// A job that any cluster runs: one processor, submitted at 0, 100 s long.
inline JobRecord plain_record() {
  JobRecord record;
  record.id = "1";
  record.submit = SimTime{};
  record.runtime = seconds(100);
  record.limit = seconds(200);
  record.allocated_processors = 1;
  record.requested_processors = 1;
  record.line = 1;
  return record;
}

class Binding {
 public:
  explicit Binding(ClusterLayout layout, BindOptions options = {})
      : layout_(std::move(layout)),
        binder_(layout_, options, "log", whole_file("log.swf"), diagnostics) {}
  Binding& add(const JobRecord& record) {
    binder_.record(record);
    return *this;
  }
  Binder& binder() { return binder_; }
  Bound finish() { return binder_.finish(); }

  Diagnostics diagnostics;

 private:
  ClusterLayout layout_;
  Binder binder_;
};

inline Bound bind_one(ClusterLayout layout, const JobRecord& record, BindOptions options = {}) {
  return Binding(std::move(layout), options).add(record).finish();
}
inline RequestShape shape_of_one(ClusterLayout layout, const JobRecord& record) {
  const Bound bound = bind_one(std::move(layout), record);
  return bound.workload.shapes.at(0);
}
inline std::string rejection(const Bound& bound, std::size_t job = 0) {
  return std::string(bound.workload.symbols.text(bound.workload.jobs.at(job).rejected));
}

}  // namespace weft::workloads::testing
