#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace weft {
namespace {

std::string int_of(std::int64_t value) {
  std::array<char, kIntRoom> text;
  return {text.data(), write_int(text.data(), value)};
}

std::string seconds_of(std::int64_t ns) {
  std::array<char, kSecondsRoom> text;
  return {text.data(), write_seconds(text.data(), nanoseconds(ns))};
}

std::string fixed_of(double value, int decimals) {
  std::array<char, kFixedRoom> text;
  return {text.data(), write_fixed(text.data(), value, decimals)};
}

std::string printf_fixed(double value, int decimals) {
  std::array<char, 400> text;
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  std::string result = text.data();
  if (result.find_first_not_of("-0.") == std::string::npos && result.front() == '-') {
    result.erase(0, 1);
  }
  return result;
}

// ns, or -1 where refused or not read to the end.
std::int64_t read_all(const std::string& text) {
  Duration out;
  const char* const end = text.data() + text.size();
  return read_seconds(text.data(), end, out) == end ? out.raw() : -1;
}

// Any 64-bit pattern, of any magnitude.
std::int64_t any_int(Rng& rng) {
  return static_cast<std::int64_t>(rng.bits() >> rng.below(64));
}

TEST(WriteInt, WritesTheExtremesInItsRoom) {
  EXPECT_EQ(int_of(0), "0");
  EXPECT_EQ(int_of(INT64_MAX), "9223372036854775807");
  EXPECT_EQ(int_of(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(int_of(INT64_MIN).size(), kIntRoom);
}

TEST(WriteSeconds, HasNoTrailingZerosAndNoExponent) {
  EXPECT_EQ(seconds_of(0), "0");
  EXPECT_EQ(seconds_of(60'000'000'000), "60");
  EXPECT_EQ(seconds_of(500'000'000), "0.5");
  EXPECT_EQ(seconds_of(1), "0.000000001");
  EXPECT_EQ(seconds_of(97'224'552'583'000), "97224.552583");
  EXPECT_EQ(seconds_of(-1'500'000'000), "-1.5");
  EXPECT_EQ(seconds_of(-1), "-0.000000001");
  EXPECT_EQ(seconds_of(INT64_MIN), "-9223372036.854775808");
  EXPECT_EQ(seconds_of(INT64_MIN).size(), kSecondsRoom);
}

TEST(WriteSeconds, ReadsBackAsWritten) {
  Rng rng(11, "seconds");
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t ns = any_int(rng) & INT64_MAX;
    if (ns <= kMaxSeconds * kNsPerSecond) {
      ASSERT_EQ(read_all(seconds_of(ns)), ns) << seconds_of(ns);
    }
  }
}

TEST(WriteFixed, AgreesWithPrintfOnEveryKindOfDouble) {
  Rng rng(12, "fixed");
  for (int i = 0; i < 20000; ++i) {
    double value = 0;
    const std::uint64_t pattern = rng.bits();
    std::memcpy(&value, &pattern, sizeof value);
    if (!std::isfinite(value)) {
      continue;
    }
    const int decimals = static_cast<int>(rng.below(kMaxDecimals + 1));
    ASSERT_EQ(fixed_of(value, decimals), printf_fixed(value, decimals)) << value;
    // Magnitudes that results have: 1e-20 to 1e20.
    const double usual = std::ldexp(rng.uniform() - 0.5, static_cast<int>(rng.below(132)) - 66);
    ASSERT_EQ(fixed_of(usual, decimals), printf_fixed(usual, decimals)) << usual;
  }
}

TEST(WriteFixed, RoundsTiesToEven) {
  // Multiples of 1/8 are exact in binary, so these are true ties.
  EXPECT_EQ(fixed_of(0.5, 0), "0");
  EXPECT_EQ(fixed_of(1.5, 0), "2");
  EXPECT_EQ(fixed_of(2.5, 0), "2");
  EXPECT_EQ(fixed_of(0.125, 2), "0.12");
  EXPECT_EQ(fixed_of(0.375, 2), "0.38");
  EXPECT_EQ(fixed_of(0.999, 2), "1.00");
  EXPECT_EQ(fixed_of(1e15 + 0.5, 0), "1000000000000000");
}

TEST(WriteFixed, NeverWritesMinusZero) {
  EXPECT_EQ(fixed_of(-0.0, 2), "0.00");
  EXPECT_EQ(fixed_of(-0.001, 2), "0.00");
  EXPECT_EQ(fixed_of(-1e-300, 18), "0.000000000000000000");
  EXPECT_EQ(fixed_of(-0.006, 2), "-0.01");
}

TEST(WriteFixed, HandlesTheRangesEnds) {
  EXPECT_EQ(fixed_of(DBL_MAX, kMaxDecimals), printf_fixed(DBL_MAX, kMaxDecimals));
  EXPECT_EQ(fixed_of(-DBL_MAX, kMaxDecimals).size(), kFixedRoom - 1);
  EXPECT_EQ(fixed_of(18446744073709549568.0, 1), "18446744073709549568.0");  // below 2^64
  EXPECT_EQ(fixed_of(18446744073709551616.0, 1), "18446744073709551616.0");  // 2^64
  EXPECT_EQ(fixed_of(DBL_TRUE_MIN, 3), "0.000");
}

TEST(WriteFixedDeathTest, RefusesWhatIsNoNumber) {
  std::array<char, kFixedRoom> text;
  EXPECT_DEATH(write_fixed(text.data(), std::nan(""), 2), "nan");
  EXPECT_DEATH(write_fixed(text.data(), HUGE_VAL, 2), "inf");
}

TEST(ReadInt64, StopsAfterTheNumber) {
  const std::string text = "-42;7";
  std::int64_t out = 0;
  const char* const end = text.data() + text.size();
  EXPECT_EQ(read_int64(text.data(), end, out), text.data() + 3);
  EXPECT_EQ(out, -42);
}

TEST(ReadInt64, RefusesWhatDoesNotFitOrIsNoNumber) {
  for (const char* text : {"", "-", "x", "+1", " 1", "9223372036854775808", "--1", "."}) {
    std::int64_t out = 0;
    EXPECT_EQ(read_int64(text, text + std::strlen(text), out), nullptr) << text;
  }
  std::int64_t out = 0;
  const char* const least = "-9223372036854775808";
  EXPECT_NE(read_int64(least, least + std::strlen(least), out), nullptr);
  EXPECT_EQ(out, INT64_MIN);
}

TEST(ReadInt64, NeverLooksBeyondTheEnd) {
  const std::string text = "123456";
  std::int64_t out = 0;
  EXPECT_EQ(read_int64(text.data(), text.data() + 3, out), text.data() + 3);
  EXPECT_EQ(out, 123);
  Duration time;
  EXPECT_EQ(read_seconds(text.data(), text.data() + 3, time), text.data() + 3);
  EXPECT_EQ(time, seconds(123));
}

TEST(ReadSeconds, ReadsDecimalsAndExponents) {
  EXPECT_EQ(read_all("12"), 12'000'000'000);
  EXPECT_EQ(read_all("0.000001"), 1000);
  EXPECT_EQ(read_all("1e3"), 1'000'000'000'000);
  EXPECT_EQ(read_all("1.5E+2"), 150'000'000'000);
  EXPECT_EQ(read_all("25e-1"), 2'500'000'000);
  EXPECT_EQ(read_all(".5"), 500'000'000);
  EXPECT_EQ(read_all("3."), 3'000'000'000);
  EXPECT_EQ(read_all("007"), 7'000'000'000);
  EXPECT_EQ(read_all("0e99999999999999999999"), 0);
  EXPECT_EQ(read_all("1e-99999999999999999999"), 0);
  EXPECT_EQ(read_all("9151704000"), kMaxSeconds * kNsPerSecond);
}

TEST(ReadSeconds, RoundsToTheNearestNanosecondHalvesUp) {
  EXPECT_EQ(read_all("0.0000000004"), 0);
  EXPECT_EQ(read_all("0.0000000005"), 1);
  EXPECT_EQ(read_all("0.00000000049999999999999999999999999"), 0);
  EXPECT_EQ(read_all("1.9999999999"), 2'000'000'000);
  // Twenty digits: one more than the fast path holds.
  EXPECT_EQ(read_all("9000000000.0000000005"), 9'000'000'000'000'000'001);
  EXPECT_EQ(read_all("9000000000.00000000049"), 9'000'000'000'000'000'000);
}

TEST(ReadSeconds, RefusesWhatIsNoTime) {
  for (const char* text : {"",
                           ".",
                           "-1",
                           "+1",
                           "nan",
                           "inf",
                           "0x10",
                           "1e",
                           "1e+",
                           "1.e-",
                           "e5",
                           " 1",
                           "1 ",
                           "1,5",
                           "9151704000.000000001",
                           "9151704001",
                           "1e10",
                           "99999999999999999999999999",
                           "1e999999999999999999999",
                           "1_000"}) {
    EXPECT_EQ(read_all(text), -1) << text;
  }
}

TEST(ReadSeconds, AgreesWithLongArithmeticOnRandomTexts) {
  Rng rng(13, "read");
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(rng.below(2'000'000'000) >> rng.below(31));
    std::string places;
    const std::uint64_t length = rng.below(13);
    for (std::uint64_t d = 0; d < length; ++d) {
      places += static_cast<char>('0' + rng.below(10));
    }
    // By hand: whole seconds, nine places, round by the tenth.
    std::string nine = places;
    nine.resize(10, '0');
    const std::int64_t expected =
        std::stoll(text) * kNsPerSecond + std::stoll(nine.substr(0, 9)) + (nine[9] >= '5' ? 1 : 0);
    if (!places.empty()) {
      text += '.' + places;
    }
    ASSERT_EQ(read_all(text), expected) << text;
    // The same number with its point moved and an exponent to move it back.
    std::string digits = text;
    digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
    ASSERT_EQ(read_all(digits + "e-" + std::to_string(places.size())), expected) << text;
  }
}

}  // namespace
}  // namespace weft
