#include "results/decimal.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/number.hpp"
#include "base/quantity.hpp"

namespace weft::results {

namespace {

constexpr std::int64_t kGpuSecondDecimals = 12;  // thousandths x ns

std::int64_t power_of_ten(int decimals) {
  std::int64_t p = 1;
  for (int i = 0; i < decimals; ++i) {
    p *= 10;
  }
  return p;
}

}  // namespace

char* write_scaled(char* out, std::int64_t value, int decimals) {
  const std::int64_t unit = power_of_ten(decimals);
  std::int64_t whole = value / unit;
  std::int64_t part = value % unit;
  if (part == 0) {
    return write_int(out, whole);
  }
  if (value < 0) {
    *out++ = '-';
    whole = -whole;
    part = -part;
  }
  out = write_int(out, whole);
  *out++ = '.';
  for (int place = decimals - 1; place >= 0; --place) {
    out[place] = static_cast<char>('0' + part % 10);
    part /= 10;
  }
  out += decimals;
  while (out[-1] == '0') {
    --out;
  }
  return out;
}

namespace {

std::string scaled_text(std::int64_t value, int decimals) {
  std::array<char, kScaledRoom> text{};
  return {text.data(), write_scaled(text.data(), value, decimals)};
}

}  // namespace

std::string gpu_seconds_text(GpuTime time) {
  const std::int64_t unit = power_of_ten(kGpuSecondDecimals);
  const auto part = static_cast<std::int64_t>(time.raw() % unit);
  const std::string whole = to_text(static_cast<Int128>(time.raw() / unit));
  // "0.25" without its leading zero
  return part == 0 ? whole : whole + scaled_text(part, kGpuSecondDecimals).substr(1);
}

std::string gpus_text(GpuShare share) {
  return scaled_text(share.raw(), 3);
}

std::string dollars_text(Money money) {
  return scaled_text(money.raw(), 6);
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
