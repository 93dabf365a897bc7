// Integers of small units as exact decimals, as every output of a run prints them: no exponent, no
// trailing zeros, a dot whatever the locale.
#pragma once

#include <cstdint>
#include <string>

#include "base/number.hpp"
#include "base/units.hpp"

namespace weft::results {

constexpr std::size_t kScaledRoom = 24;  // sign, 19 digits, dot, leading zero

[[nodiscard]] constexpr std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) {
    power *= 10;
  }
  return power;
}

// value / 10^decimals, exactly: 12500 with 3 decimals is "12.5". A template, because division by a
// constant is several times faster and rows of jobs are made of these.
template <int decimals>
char* write_scaled(char* out, std::int64_t value) {
  static_assert(0 < decimals && decimals <= 18);
  constexpr std::int64_t kUnit = power_of_ten(decimals);
  std::int64_t whole = value / kUnit;
  std::int64_t part = value % kUnit;
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

[[nodiscard]] std::string gpu_seconds_text(GpuTime time);  // exact, up to 12 decimals
[[nodiscard]] std::string gpus_text(GpuShare share);       // "0.5", "8"
[[nodiscard]] std::string dollars_text(Money money);       // exact, up to 6 decimals
// `decimals` places, trailing zeros removed.
[[nodiscard]] std::string ratio_text(double value, int decimals);

// GPU-hours, for display: 3.6e15 thousandth-ns are one.
[[nodiscard]] double gpu_hours(GpuTime time);
// part / whole; 0 if whole is 0.
[[nodiscard]] double share_of(GpuTime part, GpuTime whole);

// Nearest integer to numerator / denominator, halves up. Numerator >= 0, denominator > 0.
[[nodiscard]] constexpr Int128 divide_rounded(Int128 numerator, Int128 denominator) {
  return (numerator + denominator / 2) / denominator;
}

}  // namespace weft::results
