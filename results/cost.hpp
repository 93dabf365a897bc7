// GPU time to money, exactly: integer micro-dollars whose parts sum to the whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"

namespace weft::results {

// $ per GPU-hour by GPU model (position = GpuModelId). Empty, or an empty entry: not known, and
// then no cost is printed where that model takes part.
class GpuHourPrices {
 public:
  GpuHourPrices() = default;
  explicit GpuHourPrices(std::vector<std::optional<Money>> by_model)
      : by_model_(std::move(by_model)) {}
  [[nodiscard]] bool any() const {
    return std::any_of(by_model_.begin(), by_model_.end(), [](const auto& p) { return !!p; });
  }
  [[nodiscard]] std::optional<Money> of(GpuModelId model) const {
    return weft::index(model) < by_model_.size() ? by_model_[weft::index(model)] : std::nullopt;
  }

 private:
  std::vector<std::optional<Money>> by_model_;
};

// An amount as whole micro-dollars and a remainder below one, in units of 1/kCostUnit.
// GpuTime (thousandths x ns) x micro-dollars per GPU-hour = kCostUnit-ths of a micro-dollar.
constexpr std::int64_t kCostUnit = 1000 * 3600 * kNsPerSecond;
struct ExactCost {
  Int128 whole = 0;
  std::int64_t rest = 0;  // [0, kCostUnit)

  ExactCost& operator+=(ExactCost other);
};
[[nodiscard]] ExactCost exact_cost(GpuTime time, Money per_gpu_hour);
// Whether it can be printed: Money ends at 9.2 trillion dollars. What does not fit is not known.
[[nodiscard]] bool fits_money(ExactCost cost);
// To the nearest micro-dollar, halves up. Requires fits_money(cost).
[[nodiscard]] Money rounded(ExactCost cost);

// Rounds the parts to micro-dollars that sum to `whole`: each part gets its floor, what is left
// goes to the largest remainders, the first of equals first. `whole` must lie between the sum of
// the floors and that sum plus the number of parts with a remainder.
[[nodiscard]] std::vector<Money> split_by_largest_remainder(Money whole,
                                                            std::span<const ExactCost> parts);

// Rounds a stream of amounts so that the sum of what it returned is, at any time, the rounded sum
// of what it was given. (Largest remainder needs all parts at once; rows are written as jobs end.)
// From the amount on with which that sum would not fit Money, it returns nothing.
class CostStream {
 public:
  [[nodiscard]] std::optional<Money> next(ExactCost cost);

 private:
  ExactCost sum_;
  std::int64_t carry_ = kCostUnit / 2;
};

}  // namespace weft::results
