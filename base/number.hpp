// Numbers to text and back without allocation, for readers and writers of million-line files.
//
// Writers put characters at `out` and return the end (no terminating NUL); the caller provides
// the room named by the constants. Readers look at [p, end), never further, and return the first
// character after the number, or nullptr if there is no such number; what may follow it (a
// separator, the end) is the caller's to check. Locale plays no part: the dot is the decimal mark.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/units.hpp"

namespace weft {

constexpr std::size_t kIntRoom = 20;      // "-9223372036854775808"
constexpr std::size_t kSecondsRoom = 21;  // "-9223372036.854775808"
constexpr std::size_t kFixedRoom = 330;   // sign, 309 digits, dot, kMaxDecimals
constexpr int kMaxDecimals = 18;

char* write_int(char* out, std::int64_t value);
// Decimal seconds, exact: no trailing zeros, no exponent, at most 9 decimals: 97224.552583, 0.5.
char* write_seconds(char* out, Duration value);
// `decimals` (0..kMaxDecimals) places after the dot, the nearest to the exact binary value, ties
// to even (as printf). Never "-0". The value must be finite: nan and inf are a fault of the caller.
char* write_fixed(char* out, double value, int decimals);

// An optional minus sign and digits that fit.
const char* read_int64(const char* p, const char* end, std::int64_t& out);

// The largest time readers accept: 290 years of 365.25 days.
constexpr std::int64_t kMaxSeconds = 9'151'704'000;
// Decimal seconds with optional fraction and exponent ("12", ".5", "3.", "1e-6", "007"), rounded
// to the nearest nanosecond, halves up. Refused: a sign, nan, inf, hexadecimal, more than
// kMaxSeconds.
const char* read_seconds(const char* p, const char* end, Duration& out);

}  // namespace weft
