#include "results/decimal.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/quantity.hpp"

namespace weft::results {

namespace {

constexpr int kGpuSecondDecimals = 12;  // thousandths x ns

template <int decimals>
std::string scaled_text(std::int64_t value) {
  std::array<char, kScaledRoom> text{};
  return {text.data(), write_scaled<decimals>(text.data(), value)};
}

}  // namespace

std::string gpu_seconds_text(GpuTime time) {
  constexpr std::int64_t kUnit = power_of_ten(kGpuSecondDecimals);
  const auto part = static_cast<std::int64_t>(time.raw() % kUnit);
  const std::string whole = to_text(static_cast<Int128>(time.raw() / kUnit));
  // "0.25" without its leading zero
  return part == 0 ? whole : whole + scaled_text<kGpuSecondDecimals>(part).substr(1);
}

std::string gpus_text(GpuShare share) {
  return scaled_text<3>(share.raw());
}

std::string dollars_text(Money money) {
  return scaled_text<6>(money.raw());
}

std::string ratio_text(double value, int decimals) {
  std::array<char, kFixedRoom> text{};
  std::string_view all(
      text.data(),
      static_cast<std::size_t>(write_fixed(text.data(), value, decimals) - text.data()));
  if (all.find('.') != std::string_view::npos) {
    all = all.substr(0, all.find_last_not_of('0') + 1);
    if (all.back() == '.') {
      all.remove_suffix(1);
    }
  }
  return std::string(all);
}

double gpu_hours(GpuTime time) {
  return static_cast<double>(time.raw()) / (1e3 * 3600e9);
}

double share_of(GpuTime part, GpuTime whole) {
  return whole.raw() == 0 ? 0.0
                          : static_cast<double>(part.raw()) / static_cast<double>(whole.raw());
}

}  // namespace weft::results
