// Elementary functions that give the same bits wherever IEEE 754 doubles do (no contraction to
// fused multiply-add, round to nearest). Series and reductions are the textbook ones: Muller,
// Elementary Functions, 3rd ed., sections 4.4 (double-double), 11.1 (reduction with split
// constants); Dekker 1971 for the exact product.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "base/errors.hpp"
#include "base/rng.hpp"

namespace weft::portable {

namespace {

// ln 2 = kLn2High + kLn2Low; the high part has 32 significant bits, so that its product with an
// exponent is exact.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kLog2E = 0x1.71547652b82fep+0;
constexpr double kTwoPi = 0x1.921fb54442d18p+2;
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr int kMantissaBits = 52;
constexpr int kExponentBias = 1023;

// An unevaluated sum of two doubles: twice the precision.
struct DoubleDouble {
  double high;
  double low;
};

DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

DoubleDouble split(double a) {
  constexpr double kSplitter = 134217729;  // 2^27 + 1
  const double c = kSplitter * a;
  const double high = c - (c - a);
  return {high, a - high};
}

DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  const DoubleDouble x = split(a);
  const DoubleDouble y = split(b);
  return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

// 2^exponent for normal results.
double power_of_2(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias)
                               << kMantissaBits);
}

// x = mantissa * 2^exponent, mantissa in [sqrt(1/2), sqrt(2)). x > 0, finite.
double split_exponent(double x, int& exponent) {
  constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;
  exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    constexpr int kSubnormalScale = 54;
    x *= power_of_2(kSubnormalScale);
    exponent = -kSubnormalScale;
  }
  const auto pattern = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(pattern >> kMantissaBits) - kExponentBias;
  constexpr std::uint64_t kMantissaMask = (std::uint64_t{1} << kMantissaBits) - 1;
  double mantissa = std::bit_cast<double>(
      (pattern & kMantissaMask) | (static_cast<std::uint64_t>(kExponentBias) << kMantissaBits));
  if (mantissa >= kSqrt2) {
    mantissa *= 0.5;
    ++exponent;
  }
  return mantissa;
}

// log x = k ln 2 + 2 atanh(s), s = (m - 1)/(m + 1), |s| < 0.172. The leading terms are carried
// twice as precise: relative error about 3e-18, which pow multiplies by up to 745.
DoubleDouble precise_log(double x) {
  WEFT_ASSERT(x > 0 && x <= kLargest, "log of " + std::to_string(x));
  int exponent = 0;
  const double m = split_exponent(x, exponent);
  const double k = exponent;
  const double numerator = m - 1;  // exact
  const DoubleDouble denominator = exact_sum(m, 1);
  const double s = numerator / denominator.high;
  const DoubleDouble back = exact_product(s, denominator.high);
  const double s_rest =
      ((numerator - back.high) - back.low - s * denominator.low) / denominator.high;

  const double z = s * s;
  double series = 1.0 / 25;
  for (int n = 23; n >= 3; n -= 2) {
    series = series * z + 1.0 / n;
  }
  const double tail = 2 * s * z * series + 2 * z * s_rest;
  const DoubleDouble lead = exact_sum(k * kLn2High, 2 * s);
  return exact_sum(lead.high, lead.low + (2 * s_rest + k * kLn2Low + tail));
}

}  // namespace

double log(double x) {
  const DoubleDouble precise = precise_log(x);
  return precise.high + precise.low;
}

double exp(double x) {
  WEFT_ASSERT(!std::isnan(x), "exp of nan");
  constexpr double kOverflow = 709.782712893384;
  constexpr double kUnderflow = -745.2;
  if (x > kOverflow) {
    return kLargest;
  }
  if (x < kUnderflow) {
    return 0;
  }
  const double k = std::floor(x * kLog2E + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;  // |r| < 0.35
  double series = 1;
  for (int n = 14; n >= 2; --n) {
    series = 1 + series * r / n;
  }
  const double mantissa = 1 + series * r;
  // In two steps: neither factor overflows or is subnormal.
  const int exponent = static_cast<int>(k);
  const int half = exponent / 2;
  return std::min(kLargest, mantissa * power_of_2(half) * power_of_2(exponent - half));
}

namespace {

double sin_small(double x) {  // |x| <= pi/4
  const double z = x * x;
  double series = 1;
  for (int n = 18; n >= 2; n -= 2) {
    series = 1 - series * z / (n * (n + 1));
  }
  return x * series;
}

double cos_small(double x) {  // |x| <= pi/4
  const double z = x * x;
  double series = 1;
  for (int n = 17; n >= 1; n -= 2) {
    series = 1 - series * z / (n * (n + 1));
  }
  return series;
}

// Turns to the nearest quarter: its number modulo 4, and the rest in radians.
int reduce_turns(double turns, double& rest) {
  WEFT_ASSERT(std::isfinite(turns), "an angle of " + std::to_string(turns) + " turns");
  constexpr double kAllWhole = 4503599627370496.0;  // 2^52: from here all doubles are whole turns
  if (std::fabs(turns) >= kAllWhole) {
    turns = 0;
  }
  const double quarters = std::floor(turns * 4 + 0.5);
  rest = (turns - quarters / 4) * kTwoPi;  // the difference is exact
  return static_cast<int>(quarters - 4 * std::floor(quarters / 4));
}

}  // namespace

double cos_turn(double turns) {
  double x = 0;
  switch (reduce_turns(turns, x)) {
    case 0:
      return cos_small(x);
    case 1:
      return -sin_small(x);
    case 2:
      return -cos_small(x);
    default:
      return sin_small(x);
  }
}

double sin_turn(double turns) {
  double x = 0;
  switch (reduce_turns(turns, x)) {
    case 0:
      return sin_small(x);
    case 1:
      return cos_small(x);
    case 2:
      return -sin_small(x);
    default:
      return -cos_small(x);
  }
}

double pow(double base, double exponent) {
  WEFT_ASSERT(base >= 0 && std::isfinite(exponent) && (base > 0 || exponent >= 0),
              std::to_string(base) + " to the power of " + std::to_string(exponent));
  if (exponent == 0 || base == 1) {
    return 1;
  }
  if (base == 0 || exponent == 1) {
    return base;
  }
  const DoubleDouble l = precise_log(base);
  constexpr double kFar = 800;  // exp of it is far out of range; keeps exact_product in range
  const double rough = exponent * l.high;
  if (rough > kFar) {
    return kLargest;
  }
  if (rough < -kFar) {
    return 0;
  }
  const DoubleDouble product = exact_product(exponent, l.high);
  const double rest = product.low + exponent * l.low;
  return std::min(kLargest, exp(product.high) * (1 + rest));
}

}  // namespace weft::portable
