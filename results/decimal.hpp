// Integers of small units as exact decimals, as every output of a run prints them: no exponent, no
// trailing zeros, a dot whatever the locale.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.hpp"

namespace weft::results {

constexpr std::size_t kScaledRoom = 24;  // sign, 19 digits, dot, leading zero

// value / 10^decimals, exactly: (12500, 3) is "12.5". decimals: 0..18.
char* write_scaled(char* out, std::int64_t value, int decimals);

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
