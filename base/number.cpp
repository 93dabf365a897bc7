#include "base/number.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "base/errors.hpp"

namespace weft {

namespace {

__extension__ using UInt128 = unsigned __int128;  // NOLINT(readability-identifier-naming)

constexpr std::uint64_t kPowersOf10[] = {1,
                                         10,
                                         100,
                                         1'000,
                                         10'000,
                                         100'000,
                                         1'000'000,
                                         10'000'000,
                                         100'000'000,
                                         1'000'000'000,
                                         10'000'000'000,
                                         100'000'000'000,
                                         1'000'000'000'000,
                                         10'000'000'000'000,
                                         100'000'000'000'000,
                                         1'000'000'000'000'000,
                                         10'000'000'000'000'000,
                                         100'000'000'000'000'000,
                                         1'000'000'000'000'000'000};
constexpr int kNsDigits = 9;  // decimals of a second that a nanosecond takes

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char* write_uint(char* out, std::uint64_t value) {
  return std::to_chars(out, out + kIntRoom, value).ptr;
}

// Exactly `count` digits, with leading zeros.
char* write_digits(char* out, std::uint64_t value, int count) {
  for (int i = count - 1; i >= 0; --i) {
    out[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return out + count;
}

}  // namespace

char* write_int(char* out, std::int64_t value) {
  return std::to_chars(out, out + kIntRoom, value).ptr;
}

char* write_seconds(char* out, Duration value) {
  const std::int64_t ns = value.raw();
  auto magnitude = static_cast<std::uint64_t>(ns);
  if (ns < 0) {
    *out++ = '-';
    magnitude = 0 - magnitude;
  }
  constexpr auto kPerSecond = static_cast<std::uint64_t>(kNsPerSecond);
  out = write_uint(out, magnitude / kPerSecond);
  if (const std::uint64_t fraction = magnitude % kPerSecond; fraction != 0) {
    *out++ = '.';
    // Most times are whole milliseconds or microseconds: fewer digits to divide out.
    if (fraction % 1'000'000 == 0) {
      out = write_digits(out, fraction / 1'000'000, kNsDigits - 6);
    } else if (fraction % 1'000 == 0) {
      out = write_digits(out, fraction / 1'000, kNsDigits - 3);
    } else {
      out = write_digits(out, fraction, kNsDigits);
    }
    while (out[-1] == '0') {
      --out;
    }
  }
  return out;
}

char* write_fixed(char* out, double value, int decimals) {
  WEFT_ASSERT(std::isfinite(value), "write_fixed got " + std::to_string(value));
  WEFT_ASSERT(decimals >= 0 && decimals <= kMaxDecimals,
              "write_fixed got " + std::to_string(decimals) + " decimals");
  constexpr int kMantissaBits = 52;
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << kMantissaBits) - 1;
  const auto pattern = std::bit_cast<std::uint64_t>(value);
  const int biased = static_cast<int>((pattern >> kMantissaBits) & 0x7FF);
  // |value| = mantissa * 2^-shift, exactly.
  const std::uint64_t mantissa =
      (pattern & kMantissa) | (biased == 0 ? 0 : std::uint64_t{1} << kMantissaBits);
  const int shift = 1075 - (biased == 0 ? 1 : biased);
  const bool negative = (pattern >> 63) != 0;

  if (shift < -11) {  // 2^64 and more: whole, but longer than an integer
    return std::to_chars(out, out + kFixedRoom, value, std::chars_format::fixed, decimals).ptr;
  }
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;  // in units of 10^-decimals
  if (shift <= 0) {
    whole = mantissa << -shift;
  } else {
    whole = shift <= kMantissaBits ? mantissa >> shift : 0;
    const std::uint64_t rest =
        shift <= kMantissaBits ? mantissa & ((std::uint64_t{1} << shift) - 1) : mantissa;
    // rest < 2^53 and 10^18 < 2^60: the product is exact, and beyond 2^-114 all of it is below half
    if (shift < 115) {
      const UInt128 scaled = UInt128{rest} * kPowersOf10[decimals];
      fraction = static_cast<std::uint64_t>(scaled >> shift);
      const UInt128 half = UInt128{1} << (shift - 1);
      const UInt128 remainder = scaled & ((UInt128{1} << shift) - 1);
      const bool odd = ((decimals == 0 ? whole : fraction) & 1) != 0;
      if (remainder > half || (remainder == half && odd)) {
        ++fraction;
      }
      if (fraction == kPowersOf10[decimals]) {
        fraction = 0;
        ++whole;
      }
    }
  }
  if (negative && (whole != 0 || fraction != 0)) {
    *out++ = '-';
  }
  out = write_uint(out, whole);
  if (decimals > 0) {
    *out++ = '.';
    out = write_digits(out, fraction, decimals);
  }
  return out;
}

const char* read_int64(const char* p, const char* end, std::int64_t& out) {
  const auto [after, fault] = std::from_chars(p, end, out);
  return fault == std::errc{} ? after : nullptr;
}

namespace {

// The digits of a number: value * 10^exponent, cut after what 64 bits hold.
struct Digits {
  std::uint64_t value = 0;
  std::int64_t exponent = 0;
  bool full = false;
  bool cut_half = false;  // the first digit cut was 5 or more

  bool add(char c) {
    constexpr std::uint64_t kRoomForDigit = (std::numeric_limits<std::uint64_t>::max() - 9) / 10;
    if (full) {
      return false;
    }
    if (value > kRoomForDigit) {
      full = true;
      cut_half = c >= '5';
      return false;
    }
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
    return true;
  }
};

// In nanoseconds, to the nearest, halves up. False if beyond kMaxSeconds.
bool to_ns(const Digits& number, std::uint64_t& ns) {
  constexpr auto kMaxNs = static_cast<std::uint64_t>(kMaxSeconds * kNsPerSecond);
  const std::uint64_t value = number.value;
  if (value == 0) {
    ns = 0;
    return true;
  }
  const std::int64_t exponent = number.exponent + kNsDigits;
  if (exponent > 18) {
    return false;
  }
  if (exponent >= 0) {
    // Digits were cut from a value of 1.8e18 at least: they are whole nanoseconds only where the
    // number is too large anyway.
    const UInt128 wide = UInt128{value} * kPowersOf10[exponent] + (number.cut_half ? 1U : 0U);
    ns = static_cast<std::uint64_t>(wide);
    return wide <= kMaxNs;
  }
  if (exponent < -19) {
    ns = 0;  // below 2^64 * 10^-20: less than half a nanosecond
    return true;
  }
  // 10^19 fits 64 bits too; only its half is needed.
  const std::uint64_t divisor = exponent == -19 ? 10 * kPowersOf10[18] : kPowersOf10[-exponent];
  ns = value / divisor;
  if (value % divisor >= divisor / 2) {
    ++ns;
  }
  return ns <= kMaxNs;
}

// Any number.
const char* read_any_seconds(const char* p, const char* end, Duration& out) {
  Digits number;
  const char* const start = p;
  for (; p != end && is_digit(*p); ++p) {
    if (!number.add(*p)) {
      ++number.exponent;
    }
  }
  bool any_digit = p != start;
  if (p != end && *p == '.') {
    const char* const point = p;
    for (++p; p != end && is_digit(*p); ++p) {
      if (number.add(*p)) {
        --number.exponent;
      }
    }
    any_digit = any_digit || p != point + 1;
  }
  if (!any_digit) {
    return nullptr;
  }
  if (p != end && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    const bool negative = q != end && *q == '-';
    if (q != end && (*q == '-' || *q == '+')) {
      ++q;
    }
    if (q == end || !is_digit(*q)) {
      return nullptr;
    }
    std::int64_t power = 0;
    for (; q != end && is_digit(*q); ++q) {
      power = power < 1'000'000'000 ? power * 10 + (*q - '0') : power;
    }
    number.exponent += negative ? -power : power;
    p = q;
  }
  std::uint64_t ns = 0;
  if (!to_ns(number, ns)) {
    return nullptr;
  }
  out = nanoseconds(static_cast<std::int64_t>(ns));
  return p;
}

}  // namespace

// What logs hold is read here: at most ten digits before the point, nine after, no exponent.
const char* read_seconds(const char* p, const char* end, Duration& out) {
  constexpr std::ptrdiff_t kWholeDigits = 10;
  const auto ends_number = [end](const char* at) {
    return at == end || (*at != '.' && *at != 'e' && *at != 'E');
  };
  const char* at = p;
  std::uint64_t whole = 0;
  while (at != end && is_digit(*at) && at - p < kWholeDigits) {
    whole = whole * 10 + static_cast<std::uint64_t>(*at++ - '0');
  }
  if (at == p || whole >= static_cast<std::uint64_t>(kMaxSeconds) || (at != end && is_digit(*at))) {
    return read_any_seconds(p, end, out);
  }
  std::uint64_t ns = whole * static_cast<std::uint64_t>(kNsPerSecond);
  if (at != end && *at == '.') {
    const char* const places = ++at;
    std::uint64_t fraction = 0;
    while (at != end && is_digit(*at) && at - places < kNsDigits) {
      fraction = fraction * 10 + static_cast<std::uint64_t>(*at++ - '0');
    }
    if (at != end && is_digit(*at)) {
      return read_any_seconds(p, end, out);
    }
    ns += fraction * kPowersOf10[kNsDigits - (at - places)];
  }
  if (!ends_number(at)) {
    return read_any_seconds(p, end, out);
  }
  out = nanoseconds(static_cast<std::int64_t>(ns));
  return at;
}

}  // namespace weft
