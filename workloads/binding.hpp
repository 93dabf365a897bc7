// Turns the job records of a log into the workload of one cluster.
//
// A reader (or generator) pushes records; the binder decides what incomplete or odd ones mean
// (bind_options.hpp, docs/import-decisions.md), turns requests into shapes of the cluster, marks
// jobs the cluster can never run, and counts all it decided. Records are expected in any order;
// those of a sorted log cost nothing extra. A million jobs take about 120 MB and 0.15 s.
//
// The layout and the diagnostics must outlive the binder. Faults that make a row meaningless
// (a run of more than 36 years) go to the diagnostics; check them after finish().
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/cluster.hpp"
#include "base/errors.hpp"
#include "base/flat_index.hpp"
#include "base/job.hpp"
#include "workloads/bind_options.hpp"
#include "workloads/import_summary.hpp"
#include "workloads/job_record.hpp"
#include "workloads/resource_shape.hpp"

namespace weft::workloads {

struct Bound {
  Workload workload;
  ImportSummary summary;
};

class Binder final : public RecordSink {
 public:
  Binder(const ClusterLayout& layout,
         const BindOptions& options,
         std::string workload_name,
         Source file,
         Diagnostics& diagnostics);

  void record(const JobRecord& job) override;
  // The records that follow come from another file.
  void next_file(Source file) { file_ = std::move(file); }
  // For callers that learn while reading whether the times are calendar times.
  void set_time_base(BindOptions::TimeBase base) { options_.time_base = base; }
  // Room for about this many jobs, where the number can be known (a log's header or size). Saves
  // copying while they grow in number.
  void expect(std::size_t jobs);
  // Once, after the last record.
  [[nodiscard]] Bound finish();

 private:
  struct Times {
    Duration runtime;
    Duration limit;
    bool has_own_limit = false;
  };
  struct Counter {
    std::uint64_t count = 0;
    std::vector<Source> first;
  };
  struct KnownPartition {
    PartitionId id = kNoPartition;
    bool known = true;
  };
  // What a demand comes to on this cluster: worked out once for each distinct one.
  struct Resolved {
    Demand demand;
    ShapeId shape{};
    SymbolId rejected{};
    bool dropped = false;
    std::vector<ImportRule> notes;
  };

  void note(ImportRule rule, std::uint32_t line);
  void fault(std::uint32_t line, std::string key, std::string found, std::string allowed);
  bool times_of(const JobRecord& job, PartitionId partition, Times& times);
  Demand demand_of(const JobRecord& job);
  const Resolved& resolve(const Demand& demand);
  ShapeId intern_shape(const RequestShape& shape);
  KnownPartition partition_of(SymbolId word);
  SymbolId name_of(const JobRecord& job);
  bool is_duplicate(std::string_view id);
  [[nodiscard]] std::string over_partition_limit(const Job& job, PartitionId partition) const;

  void sort_jobs();
  void rebase(ImportSummary& summary);
  [[nodiscard]] bool spans_too_long(Duration offset) const;  // reported
  void repeat_and_scale();
  [[nodiscard]] std::string decision_text(ImportRule rule, std::uint64_t count) const;

  const ClusterLayout* layout_;
  BindOptions options_;
  Source file_;
  Diagnostics* diagnostics_;
  ShapeResolver resolver_;
  bool partitions_bind_;  // false: only the implied partition "all"

  Workload workload_;
  std::uint64_t rows_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t rejected_ = 0;
  bool sorted_ = true;
  SimTime latest_;  // of all submit and begin times, and where
  std::uint32_t latest_line_ = 0;
  std::array<Counter, kImportRules> counters_;

  std::vector<Resolved> resolved_;
  FlatIndex resolved_index_;
  FlatIndex shape_index_;
  std::uint32_t last_resolved_ = FlatIndex::kNone;

  // Only looked up in, never walked.
  std::unordered_map<SymbolId, KnownPartition> partition_words_;
  std::unordered_map<SymbolId, std::uint64_t> model_words_;

  // Ids that rise as numbers, as in most logs, are unique; from the first that does not, a table.
  std::uint64_t last_number_ = 0;
  bool ids_rise_ = true;
  FlatIndex ids_;
};

}  // namespace weft::workloads
