// The job request: what every reader produces, every policy sees and the engine runs.
//
// A million jobs must fit in memory beside their outcome, so strings are interned and the resource
// shape (few distinct ones in any log) is shared. Owned by Workload; immutable while it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/symbols.hpp"
#include "base/units.hpp"

namespace weft {

// The shape of a request. Two jobs with equal shapes are interchangeable for placement.
struct RequestShape {
  enum class Kind : std::uint8_t {
    kAnyGpus,     // `gpus` whole GPUs in total, on any nodes; cpus and memory are per GPU
    kPerNode,     // `nodes` different nodes, each with `gpus`, `cpus`, `memory`
    kWholeNodes,  // `nodes` nodes exclusively; `gpus` is what each was asked for (the rest of a
                  // node's GPUs is allocated but unused)
  };
  Kind kind = Kind::kAnyGpus;
  std::int32_t nodes = 0;  // kAnyGpus: 0
  // kAnyGpus: in total. Else per node: below 1000 a part of one GPU, else whole GPUs.
  GpuShare gpus;
  CpuShare cpus;
  Bytes memory;
  // Bit i: GPU model i of the layout will do. All ones: any model. CPU-only nodes have no model
  // and are open to requests without GPUs only.
  std::uint64_t gpu_models = ~std::uint64_t{0};
  PartitionId partition = kNoPartition;  // kNoPartition: any node

  friend bool operator==(const RequestShape&, const RequestShape&) = default;
};
// GPUs the request names, in total; the GPU demand in the ledger.
[[nodiscard]] GpuShare total_gpus(const RequestShape& shape);

// How a job ended where it was recorded, and so how it ends here if it is not stopped earlier.
enum class RecordedEnd : std::uint8_t {
  kUnknown,
  kCompleted,
  kFailed,
  kCancelled,
  kTimeout,
  kNodeFail,
  kOutOfMemory,
  kPreempted,
  kDeadline
};

struct Job {
  SimTime submit;
  SimTime eligible;             // not to be started before (submit, or --begin)
  Duration runtime;             // what it takes, whatever the limit says
  Duration limit = kUnlimited;  // walltime limit the policy plans with
  ShapeId shape{};
  SymbolId name{};     // the job's id in its source, as text
  SymbolId profile{};  // application, model or job name
  SymbolId user{};
  SymbolId account{};
  SymbolId partition{};  // the source's word (SWF queue number, Philly virtual cluster)
  SymbolId qos{};
  std::int32_t priority = 0;
  std::uint32_t line = 0;  // in the source file, from 1
  RecordedEnd recorded_end = RecordedEnd::kUnknown;
  bool has_own_limit = false;  // false: `limit` came from a documented default
  SymbolId rejected{};         // not 0: cannot run on this cluster; the text says why
};

// All jobs of a run, bound to one cluster. jobs[i] has JobId i; sorted by (submit, source order).
struct Workload {
  std::string name;
  std::vector<Job> jobs;
  std::vector<RequestShape> shapes;
  Symbols symbols;

  [[nodiscard]] const Job& job(JobId id) const { return jobs[index(id)]; }
  [[nodiscard]] const RequestShape& shape_of(JobId id) const {
    return shapes[index(jobs[index(id)].shape)];
  }
};

}  // namespace weft
