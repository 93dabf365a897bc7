#include "results/cost.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "base/errors.hpp"

namespace weft::results {

ExactCost& ExactCost::operator+=(ExactCost other) {
  whole += other.whole;
  rest += other.rest;  // both below 3.6e15: no overflow
  if (rest >= kCostUnit) {
    rest -= kCostUnit;
    ++whole;
  }
  return *this;
}

ExactCost exact_cost(GpuTime time, Money per_gpu_hour) {
  // Quotient and remainder first: time x rate need not fit 127 bits.
  const Int128 hours = time.raw() / kCostUnit;
  const Int128 part = (time.raw() % kCostUnit) * per_gpu_hour.raw();
  return {hours * per_gpu_hour.raw() + part / kCostUnit,
          static_cast<std::int64_t>(part % kCostUnit)};
}

bool fits_money(ExactCost cost) {
  return cost.whole < std::numeric_limits<std::int64_t>::max();  // room to round up
}

Money rounded(ExactCost cost) {
  WEFT_ASSERT(fits_money(cost), "an amount beyond what money can say");
  return micro_dollars(static_cast<std::int64_t>(cost.whole) +
                       (cost.rest >= kCostUnit / 2 ? 1 : 0));
}

std::vector<Money> split_by_largest_remainder(Money whole, std::span<const ExactCost> parts) {
  std::vector<Money> split;
  split.reserve(parts.size());
  std::vector<std::size_t> order;
  std::int64_t left = whole.raw();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto floor = static_cast<std::int64_t>(parts[i].whole);  // at most the whole
    split.push_back(micro_dollars(floor));
    left -= floor;
    if (parts[i].rest > 0) {
      order.push_back(i);
    }
  }
  WEFT_ASSERT(left >= 0 && static_cast<std::size_t>(left) <= order.size(),
              "the parts do not make up " + std::to_string(whole.raw()) + " micro-dollars: " +
                  std::to_string(left) + " left for " + std::to_string(order.size()) + " parts");
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return parts[a].rest > parts[b].rest;
  });
  for (std::size_t k = 0; k < static_cast<std::size_t>(left); ++k) {
    split[order[k]] += micro_dollars(1);
  }
  return split;
}

std::optional<Money> CostStream::next(ExactCost cost) {
  sum_ += cost;
  if (!fits_money(sum_)) {
    return std::nullopt;
  }
  carry_ += cost.rest;
  auto whole = static_cast<std::int64_t>(cost.whole);
  if (carry_ >= kCostUnit) {
    carry_ -= kCostUnit;
    ++whole;
  }
  return micro_dollars(whole);
}

}  // namespace weft::results
