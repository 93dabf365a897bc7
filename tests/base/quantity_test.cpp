#include "base/quantity.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace weft {
namespace {

using ::testing::HasSubstr;

// Positive, of any magnitude an int64 has.
std::int64_t any_magnitude(Rng& rng) {
  return static_cast<std::int64_t>(rng.bits() >> (1 + rng.below(63)));
}

// Few significant digits at any magnitude: what people write.
std::int64_t round_number(Rng& rng) {
  std::int64_t value = static_cast<std::int64_t>(rng.below(10000));
  for (std::uint64_t zeros = rng.below(15); zeros > 0; --zeros) {
    value *= 10;
  }
  return value;
}

TEST(ParseRate, BitsAndBytesAreTheSameRate) {
  EXPECT_EQ(*parse_rate("400Gbps"), *parse_rate("50GB/s"));
  EXPECT_EQ(*parse_rate("400Gbps"), *parse_rate("50GBps"));
  EXPECT_EQ(*parse_rate("400Gb/s"), *parse_rate("0.05TB/s"));
  EXPECT_EQ(*parse_rate("400 Gbps"), gigabits_per_sec(400));
  EXPECT_EQ(parse_rate("1GiB/s")->raw(), 1073741824.0);
  EXPECT_EQ(parse_rate("8Kibps")->raw(), 1024.0);
  EXPECT_EQ(parse_rate("0Gbps")->raw(), 0.0);
  EXPECT_EQ(parse_rate("1e9B/s")->raw(), 1e9);
}

// 0.3 * 1e9 and 0.3e9 differ in the last bit for some numbers: the text decides, not the product.
TEST(ParseRate, IsCorrectlyRounded) {
  EXPECT_EQ(parse_rate("4.35GB/s")->raw(), 4.35e9);
  EXPECT_EQ(parse_rate("1.005TB/s")->raw(), 1.005e12);
  EXPECT_EQ(parse_rate("0.1Tbps")->raw(), 0.1e12 / 8);
}

TEST(ParseRate, AsksForAUnitByExample) {
  for (const char* text :
       {"400",      "400Gb",    "400GB",     "400G",     "400gbps",  "Gbps",    "",
        "400 ",     " 400Gbps", "400  Gbps", "-400Gbps", "+400Gbps", "nanGbps", "infGB/s",
        "400Gbps ", "4.Gbps",   ".4Gbps",    "0x4Gbps",  "4,5Gbps",  "400mbps", "400GB/h"}) {
    const auto parsed = parse_rate(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.allowed(), "a rate with a unit, for example 400Gbps or 50GB/s") << text;
  }
}

TEST(ParseRate, RefusesWhatADoubleDoesNotHold) {
  for (const char* text : {"1e400B/s", "1e308GB/s", "1e-400B/s", "1e-320B/s", "1e99999999999B/s"}) {
    EXPECT_FALSE(parse_rate(text)) << text;
  }
}

TEST(ParseBytes, ReadsDecimalAndBinaryPrefixes) {
  EXPECT_EQ(parse_bytes("80GB")->raw(), 80'000'000'000);
  EXPECT_EQ(parse_bytes("80GiB")->raw(), 85'899'345'920);
  EXPECT_EQ(parse_bytes("80 GiB")->raw(), 85'899'345'920);
  EXPECT_EQ(parse_bytes("25.6TB")->raw(), 25'600'000'000'000);
  EXPECT_EQ(parse_bytes("1e9B")->raw(), 1'000'000'000);
  EXPECT_EQ(parse_bytes("1E9B")->raw(), 1'000'000'000);
  EXPECT_EQ(parse_bytes("1EB")->raw(), 1'000'000'000'000'000'000);
  EXPECT_EQ(parse_bytes("1e-3kB")->raw(), 1);
  EXPECT_EQ(parse_bytes("0B")->raw(), 0);
  EXPECT_EQ(parse_bytes("0.000PB")->raw(), 0);
}

TEST(ParseBytes, IsExactForDecimalFractionsAndRoundsTheRest) {
  EXPECT_EQ(parse_bytes("0.1GB")->raw(), 100'000'000);
  EXPECT_EQ(parse_bytes("9.007199254740993PB")->raw(), 9'007'199'254'740'993);  // 2^53 + 1
  EXPECT_EQ(parse_bytes("9.223372036854775807EB")->raw(), INT64_MAX);
  EXPECT_EQ(parse_bytes("1.1GiB")->raw(), 1'181'116'006);  // 1181116006.4
  EXPECT_EQ(parse_bytes("0.5B")->raw(), 1);
  EXPECT_EQ(parse_bytes("1.4999999999999999999999B")->raw(), 1);
}

TEST(ParseBytes, RefusesOverflowUnderflowAndOtherUnits) {
  EXPECT_THAT(parse_bytes("1e30B").allowed(), HasSubstr("at most 9.2EB"));
  EXPECT_THAT(parse_bytes("9.223372036854775808EB").allowed(), HasSubstr("at most 9.2EB"));
  EXPECT_THAT(parse_bytes("8192PiB").allowed(), HasSubstr("at most 9.2EB"));
  EXPECT_THAT(parse_bytes("99999999999999999999B").allowed(), HasSubstr("at most"));
  EXPECT_THAT(parse_bytes("0.1B").allowed(), HasSubstr("0 or at least 1B"));
  EXPECT_THAT(parse_bytes("010B").allowed(), HasSubstr("without leading zeros"));
  EXPECT_THAT(parse_bytes(std::string(70, '1') + "B").allowed(), HasSubstr("at most 60 digits"));
  EXPECT_THAT(parse_bytes(std::string(5000, '0') + "B").allowed(), HasSubstr("digits"));
  for (const char* text : {"80", "80G", "80Gb", "80KB", "80GIB", "-1B", "1e", "1eB", "0x1B"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(ParseDuration, ReadsEveryUnit) {
  const std::vector<std::pair<const char*, Duration>> cases = {{"1ns", nanoseconds(1)},
                                                               {"2us", nanoseconds(2000)},
                                                               {"3ms", nanoseconds(3'000'000)},
                                                               {"90s", seconds(90)},
                                                               {"5min", minutes(5)},
                                                               {"1.5h", minutes(90)},
                                                               {"30d", days(30)},
                                                               {"2w", days(14)},
                                                               {"1y", days(365)},
                                                               {"0s", Duration{}},
                                                               {"0.1s", nanoseconds(100'000'000)},
                                                               {"1e-7s", nanoseconds(100)}};
  for (const auto& [text, expected] : cases) {
    const auto parsed = parse_duration(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, expected) << text;
  }
}

TEST(ParseDuration, RefusesWhatIsAmbiguousOrTooLong) {
  for (const char* text :
       {"3600", "5m", "1month", "01:00", "1h30min", "010s", "00s", "-5s", "5 sec", "1e", "", "s"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.allowed(), HasSubstr("a time with a unit, for example 90s")) << text;
  }
  EXPECT_THAT(parse_duration("300y").allowed(), HasSubstr("at most 292.4y"));
  EXPECT_THAT(parse_duration("0.1ns").allowed(), HasSubstr("at least 1ns"));
}

TEST(ParsePower, ReadsMilliwattsToGigawatts) {
  EXPECT_EQ(*parse_power("10.2kW"), watts(10200));
  EXPECT_EQ(*parse_power("700W"), watts(700));
  EXPECT_EQ(*parse_power("5mW"), milliwatts(5));
  EXPECT_EQ(*parse_power("3.8MW"), watts(3'800'000));
  EXPECT_EQ(*parse_power("1GW"), watts(1'000'000'000));
  for (const char* text : {"700", "10kw", "10kVA", "10mw"}) {
    EXPECT_FALSE(parse_power(text)) << text;
  }
}

TEST(ParseFlops, ReadsPrefixes) {
  EXPECT_EQ(*parse_flops("989TFLOP/s"), teraflops_per_sec(989));
  EXPECT_EQ(*parse_flops("1e15FLOP/s"), *parse_flops("1PFLOP/s"));
  EXPECT_EQ(*parse_flops("1PFLOPS"), *parse_flops("1000TFLOP/s"));
  EXPECT_FALSE(parse_flops("1e15"));
  EXPECT_FALSE(parse_flops("989TFLOP"));
}

TEST(ParsePerSecond, TakesThePlainNumberToo) {
  EXPECT_EQ(*parse_per_second("5M"), 5e6);
  EXPECT_EQ(*parse_per_second("100k/s"), 1e5);
  EXPECT_EQ(*parse_per_second("5MIOPS"), 5e6);
  EXPECT_EQ(*parse_per_second("5000"), 5000);
  EXPECT_EQ(*parse_per_second("0.5/s"), 0.5);
  EXPECT_FALSE(parse_per_second("5MB/s"));
  EXPECT_FALSE(parse_per_second("-5"));
  EXPECT_FALSE(parse_per_second("05"));
}

TEST(ParseCarbon, IsGramsAKilowattHour) {
  EXPECT_EQ(*parse_carbon("350g/kWh"), 350);
  EXPECT_EQ(*parse_carbon("0.35kg/kWh"), 350);
  EXPECT_FALSE(parse_carbon("350"));
  EXPECT_FALSE(parse_carbon("350g"));
}

TEST(ParsePrice, WantsTheUnitOfItsKind) {
  using Kind = PriceUnit::Kind;
  EXPECT_EQ(parse_price("20k$", Kind::kOnce)->raw(), 20'000'000'000);
  EXPECT_EQ(parse_price("0.12$/kWh", Kind::kPerKwh)->raw(), 120'000);
  EXPECT_EQ(parse_price("0.12 $/kWh", Kind::kPerKwh)->raw(), 120'000);
  EXPECT_EQ(parse_price("1.9$/GPUh", Kind::kPerGpuHour)->raw(), 1'900'000);
  EXPECT_EQ(*parse_price("100k$/y", Kind::kPerYear), dollars(100'000));
  EXPECT_EQ(*parse_price("20k$/month", Kind::kPerMonth), dollars(20'000));
  EXPECT_EQ(*parse_price("184$/kW/month", Kind::kPerKwMonth), dollars(184));
  EXPECT_EQ(*parse_price("1k$/GPU/y", Kind::kPerGpuYear), dollars(1000));
  EXPECT_EQ(*parse_price("1.8M$", Kind::kOnce), dollars(1'800'000));

  EXPECT_EQ(parse_price("0.12", Kind::kPerKwh).allowed(), "a price a kWh, for example 0.12$/kWh");
  EXPECT_FALSE(parse_price("0.12$", Kind::kPerKwh));
  EXPECT_FALSE(parse_price("0.12$/GPUh", Kind::kPerKwh));
  EXPECT_FALSE(parse_price("20k$/y", Kind::kOnce));
  EXPECT_FALSE(parse_price("$20", Kind::kOnce));
  EXPECT_FALSE(parse_price("-20$", Kind::kOnce));
  EXPECT_FALSE(parse_price("1e20$", Kind::kOnce));
  EXPECT_FALSE(parse_price("0.0000001$/kWh", Kind::kPerKwh));
}

TEST(ToText, UsesTheShortestTextInTheLargestUnit) {
  EXPECT_EQ(to_text(*parse_rate("400Gbps")), "50GB/s");
  EXPECT_EQ(to_text(*parse_rate("100Gbps")), "12.5GB/s");
  EXPECT_EQ(to_text(*parse_rate("500B/s")), "500B/s");
  EXPECT_EQ(to_text(*parse_rate("0.05B/s")), "0.05B/s");
  EXPECT_EQ(to_text(*parse_rate("0B/s")), "0B/s");
  EXPECT_EQ(to_text(*parse_rate("5000EB/s")), "5000EB/s");
  EXPECT_EQ(to_text(*parse_rate("1e-9B/s")), "1e-09B/s");
  EXPECT_EQ(to_text(*parse_bytes("80GiB")), "80GiB");
  EXPECT_EQ(to_text(*parse_bytes("80GB")), "80GB");
  EXPECT_EQ(to_text(*parse_bytes("25600GB")), "25.6TB");
  EXPECT_EQ(to_text(*parse_bytes("1000B")), "1kB");
  EXPECT_EQ(to_text(*parse_bytes("1024B")), "1KiB");
  EXPECT_EQ(to_text(*parse_bytes("0.5GB")), "500MB");
  EXPECT_EQ(to_text(nanoseconds(2000)), "2us");
  EXPECT_EQ(to_text(days(30)), "30d");
  EXPECT_EQ(to_text(minutes(90)), "1.5h");
  EXPECT_EQ(to_text(seconds(90)), "90s");
  EXPECT_EQ(to_text(seconds(0)), "0s");
  EXPECT_EQ(to_text(seconds(-90)), "-90s");
  EXPECT_EQ(to_text(watts(10'000)), "10kW");
  EXPECT_EQ(to_text(watts(10'200)), "10.2kW");
  EXPECT_EQ(to_text(teraflops_per_sec(989)), "989TFLOP/s");
  EXPECT_EQ(price_to_text(dollars(20'000), PriceUnit::Kind::kOnce), "20k$");
  EXPECT_EQ(price_to_text(micro_dollars(120'000), PriceUnit::Kind::kPerKwh), "0.12$/kWh");
  EXPECT_EQ(price_to_text(Money{}, PriceUnit::Kind::kPerKwMonth), "0$/kW/month");
  EXPECT_EQ(per_second_to_text(5e6), "5M/s");
  EXPECT_EQ(carbon_to_text(350), "350g/kWh");
}

TEST(ToText, OfIntegersReadsBackTheSame) {
  Rng rng(21, "integers");
  for (int i = 0; i < 10000; ++i) {
    const std::int64_t raw = i % 2 == 0 ? any_magnitude(rng) : round_number(rng);
    const Duration duration = nanoseconds(raw);
    ASSERT_EQ(*parse_duration(to_text(duration)), duration) << to_text(duration);
    ASSERT_EQ(*parse_bytes(to_text(bytes(raw))), bytes(raw)) << to_text(bytes(raw));
    ASSERT_EQ(*parse_power(to_text(milliwatts(raw))), milliwatts(raw));
    const std::string price = price_to_text(micro_dollars(raw), PriceUnit::Kind::kPerGpuHour);
    ASSERT_EQ(*parse_price(price, PriceUnit::Kind::kPerGpuHour), micro_dollars(raw)) << price;
  }
}

TEST(ToText, OfDoublesReadsBackTheSame) {
  Rng rng(22, "doubles");
  for (int i = 0; i < 20000; ++i) {
    double value = std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(1900)) - 950);
    if (i % 2 == 0) {
      value = static_cast<double>(round_number(rng));
    }
    const BytesPerSec rate = bytes_per_sec(value);
    const auto read = parse_rate(to_text(rate));
    ASSERT_TRUE(read) << to_text(rate);
    ASSERT_EQ(*read, rate) << to_text(rate);
    ASSERT_EQ(parse_flops(to_text(FlopsPerSec::from_raw(value)))->raw(), value);
    ASSERT_EQ(*parse_per_second(per_second_to_text(value)), value);
    ASSERT_EQ(*parse_carbon(carbon_to_text(value)), value);
  }
}

TEST(SecondsText, IsThePlainDecimal) {
  EXPECT_EQ(seconds_text(nanoseconds(97'224'552'583'000)), "97224.552583");
  EXPECT_EQ(seconds_text(seconds(60)), "60");
  EXPECT_EQ(seconds_text(nanoseconds(500'000'000)), "0.5");
}

TEST(ParseSeconds, ReadsTheWholeTextOrRefuses) {
  EXPECT_EQ(*parse_seconds("12"), seconds(12));
  EXPECT_EQ(*parse_seconds("0.000001"), nanoseconds(1000));
  EXPECT_EQ(*parse_seconds("1e3"), seconds(1000));
  for (const char* text : {"", "12s", "-1", "nan", "inf", "1e10", "12 ", "1.2.3"}) {
    EXPECT_FALSE(parse_seconds(text)) << text;
  }
}

TEST(Int128Text, WritesAllOfIt) {
  EXPECT_EQ(to_text(Int128{0}), "0");
  EXPECT_EQ(to_text(Int128{-7}), "-7");
  EXPECT_EQ(to_text(Int128{1'000'000'000'000'000'000} * 1'000'000'000'000'000'000),
            "1" + std::string(36, '0'));
  const Int128 least = Int128{1} << 126;
  EXPECT_EQ(to_text(-least - least), "-170141183460469231731687303715884105728");
  EXPECT_EQ(to_text(least + (least - 1)), "170141183460469231731687303715884105727");
}

// No text may crash a reader: cut, doubled and mutated quantities are read or refused.
TEST(ParseQuantity, SurvivesMutatedTexts) {
  const std::vector<std::string> seeds = {"400Gbps", "1.5e+10GiB", "0.12$/kWh", "30d", "5MIOPS"};
  const std::string alphabet = "0123456789.eE+-kMGTPi Bbs/$hWdy\0x\xFF";
  Rng rng(23, "mutate");
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = seeds[rng.below(seeds.size())];
    for (std::uint64_t n = rng.below(4); n > 0; --n) {
      const std::size_t at = rng.below(text.size() + 1);
      text.insert(at, 1, alphabet[rng.below(alphabet.size())]);
      text.erase(rng.below(text.size()), rng.below(2));
    }
    if (const auto rate = parse_rate(text)) {
      ASSERT_TRUE(std::isfinite(rate->raw()) && rate->raw() >= 0) << text;
      ++read;
    }
    const auto not_negative = [&read](const auto& parsed) {
      read += parsed ? 1 : 0;
      return !parsed || parsed->raw() >= 0;
    };
    ASSERT_TRUE(not_negative(parse_bytes(text))) << text;
    ASSERT_TRUE(not_negative(parse_duration(text))) << text;
    ASSERT_TRUE(not_negative(parse_power(text))) << text;
    ASSERT_TRUE(not_negative(parse_price(text, PriceUnit::Kind::kPerKwh))) << text;
    ASSERT_TRUE(not_negative(parse_seconds(text))) << text;
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace weft
