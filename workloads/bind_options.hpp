// The decisions that change what a log means (docs/import-decisions.md), each with its default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/quantity.hpp"
#include "base/units.hpp"

namespace weft::workloads {

// A positive decimal number, exactly: "1.2" is 12/10.
struct Ratio {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;
  friend bool operator==(const Ratio&, const Ratio&) = default;
};
// Up to nine digits before and nine after the point, above 0.
[[nodiscard]] Parsed<Ratio> parse_ratio(std::string_view text);

struct BindOptions {
  enum class Size : std::uint8_t { kAllocated, kRequested };
  enum class RunOverLimit : std::uint8_t { kKill, kExtend };
  enum class ZeroRuntime : std::uint8_t { kOneSecond, kDrop };
  enum class Missing : std::uint8_t { kDrop, kRuntime, kLimit, kUnlimited, kFixed };
  enum class TooLarge : std::uint8_t { kReject, kDrop, kCap };
  enum class UnknownPartition : std::uint8_t { kAnyNode, kFirst, kReject };
  enum class TimeBase : std::uint8_t { kTraceZero, kFirstSubmit };

  Size size = Size::kAllocated;  // which of the two sizes of a classical log; the other if missing
  RunOverLimit run_over_limit = RunOverLimit::kKill;
  ZeroRuntime zero_runtime = ZeroRuntime::kOneSecond;
  Missing missing_runtime = Missing::kDrop;  // kDrop, kLimit or kFixed
  Duration fixed_runtime;
  Missing missing_limit = Missing::kRuntime;  // kRuntime, kUnlimited or kFixed
  Duration fixed_limit;
  TooLarge too_large = TooLarge::kReject;
  UnknownPartition unknown_partition = UnknownPartition::kAnyNode;
  TimeBase time_base = TimeBase::kTraceZero;  // kFirstSubmit for calendar times
  Ratio load_factor;                          // arrival gaps are divided by it
  std::uint32_t repeat = 1;                   // the trace this many times, end to end
};

// Sets one option by its name in scenarios and on the command line: size, run_over_limit,
// zero_runtime, missing_runtime, missing_limit, too_large, unknown_partition, load_factor, repeat.
// Returns nothing if done, else what is allowed.
[[nodiscard]] std::optional<std::string> set_option(BindOptions& options,
                                                    std::string_view name,
                                                    std::string_view value);

}  // namespace weft::workloads
