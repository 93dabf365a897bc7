// What was decided about the rows of a log while it was bound to a cluster: per rule how often,
// what was done, and where first. Printed after every import and kept in the run's manifest.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/units.hpp"

namespace weft::workloads {

enum class ImportRule : std::uint8_t {
  kNoSubmit,
  kNoSize,
  kNoRuntime,
  kZeroRuntime,
  kSizesDiffer,
  kSizeFellBack,
  kSizeFromCpus,
  kRoundedUp,
  kUnevenNodes,
  kNoLimit,
  kRunOverLimit,
  kLimitOverPartition,
  kUnknownPartition,
  kUnknownGpuModel,
  kInfeasible,
  kUnsorted,
  kDuplicateId,
};
constexpr std::size_t kImportRules = 17;
[[nodiscard]] std::string_view to_string(ImportRule rule);  // "run_over_limit"

struct ImportNote {
  static constexpr std::size_t kPlaces = 5;
  ImportRule rule{};
  std::uint64_t count = 0;
  std::string decision;       // "475 jobs ran longer than their limit: stopped at it"
  std::vector<Source> first;  // up to kPlaces, in the order read
};

struct ImportSummary {
  std::uint64_t rows = 0;         // handed over by the reader
  std::uint64_t jobs = 0;         // in the workload, rejected ones included, repeats included
  std::uint64_t dropped = 0;      // rows
  std::uint64_t rejected = 0;     // jobs that this cluster can never run
  Duration first_submit;          // as in the source
  Duration offset;                // subtracted from the source's times to get simulated time
  std::vector<ImportNote> notes;  // in the order of ImportRule; only rules that applied

  [[nodiscard]] std::uint64_t count(ImportRule rule) const;
};
// A line a note, without a last newline; empty if nothing was decided.
[[nodiscard]] std::string to_text(const ImportSummary& summary);

}  // namespace weft::workloads
