// One job as a source describes it, before it meets a cluster. Readers fill it, row by row, and
// hand it to a RecordSink; generators do the same; converters write it out again. What the source
// does not say stays empty: no reader invents a value (the documented decisions are taken in one
// place, workloads/binding.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/job.hpp"
#include "base/units.hpp"

namespace weft::workloads {

// Text views point into the reader's buffer: valid during RecordSink::record only.
struct JobRecord {
  std::string_view id;
  std::optional<SimTime> submit;
  std::optional<SimTime> begin;  // not before
  std::optional<SimTime> start;  // where it ran
  std::optional<SimTime> end;
  std::optional<Duration> runtime;
  std::optional<Duration> limit;  // kUnlimited where the source says so

  // Processors of classical logs (SWF): one processor is one GPU of the cluster it is replayed on.
  std::optional<std::int64_t> allocated_processors;
  std::optional<std::int64_t> requested_processors;
  // Else: either a total, or nodes x GPUs per node.
  std::optional<GpuShare> gpus;  // in total; below 1000: a part of one GPU
  std::optional<std::int32_t> nodes;
  std::optional<GpuShare> gpus_per_node;
  bool whole_nodes = false;      // exclusive use of `nodes` nodes
  std::optional<CpuShare> cpus;  // in total
  std::optional<CpuShare> cpus_per_node;
  std::optional<Bytes> memory;  // in total
  std::optional<Bytes> memory_per_node;
  std::string_view gpu_models;  // alternatives "A|B"; empty: any

  std::string_view profile;  // application, model or job name
  std::string_view user;
  std::string_view account;
  std::string_view partition;
  std::string_view qos;
  std::int32_t priority = 0;
  RecordedEnd recorded_end = RecordedEnd::kUnknown;
  std::string_view recorded_nodes;  // hostlist
  std::uint32_t line = 0;
};

class RecordSink {
 public:
  RecordSink() = default;
  RecordSink(const RecordSink&) = delete;
  RecordSink& operator=(const RecordSink&) = delete;
  virtual ~RecordSink() = default;
  virtual void record(const JobRecord& job) = 0;
};

}  // namespace weft::workloads
