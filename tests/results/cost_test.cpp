#include "results/cost.hpp"

#include <random>

#include <gtest/gtest.h>

#include "results/decimal.hpp"
#include "results/metrics.hpp"

namespace weft::results {
namespace {

// 3 GPUs for 7 s at 1.9 $/h: 3 x 7 x 1,900,000 / 3600 = 11083.3333.. micro-dollars.
TEST(Cost, OfAShareIsExact) {
  const ExactCost cost = exact_cost(gpus(3) * seconds(7), micro_dollars(1'900'000));
  EXPECT_EQ(cost.whole, 11'083);
  EXPECT_EQ(cost.rest, kCostUnit / 3);
  EXPECT_EQ(rounded(cost), micro_dollars(11'083));
}

// 1,000,000 GPUs for 100 years at 100 $/h: 1e6 x 876,000 h x 1e8 = 8.76e19 overflows int64 dollars'
// millionths; a tenth of it does not, and its product with nanoseconds needs more than 127 bits.
TEST(Cost, OfALargeClusterOverDecades) {
  const ExactCost cost = exact_cost(gpus(100'000) * hours(876'000), dollars(100));
  EXPECT_EQ(cost.whole, 8'760'000'000'000'000'000);
  EXPECT_EQ(cost.rest, 0);
}

TEST(Cost, BeyondWhatMoneySaysIsNotKnown) {
  const ExactCost cost = exact_cost(gpus(1'000'000) * hours(876'000), dollars(9'000'000'000));
  EXPECT_FALSE(fits_money(cost));
  EXPECT_TRUE(fits_money(exact_cost(gpus(1'000'000) * hours(876'000), dollars(10))));
  CostStream stream;
  const ExactCost small = exact_cost(gpus(1) * hours(1), dollars(1));
  EXPECT_EQ(stream.next(small), dollars(1));
  EXPECT_EQ(stream.next(cost), std::nullopt);
  EXPECT_EQ(stream.next(small), std::nullopt) << "the sum stays beyond";
}

TEST(Cost, LargestRemainderGetsWhatIsLeft) {
  // 1/3 + 1/3 + 1/3 = 1: the first of equals. 0.2 + 0.7 + 2.1 = 3: the 0.7.
  const std::int64_t third = kCostUnit / 3;
  const std::vector<ExactCost> equal = {{0, third}, {0, third}, {0, third}};
  EXPECT_EQ(split_by_largest_remainder(micro_dollars(1), equal),
            (std::vector<Money>{micro_dollars(1), Money{}, Money{}}));
  const std::vector<ExactCost> unequal = {
      {0, kCostUnit / 5}, {0, kCostUnit / 10 * 7}, {2, kCostUnit / 10}};
  EXPECT_EQ(split_by_largest_remainder(micro_dollars(3), unequal),
            (std::vector<Money>{Money{}, micro_dollars(1), micro_dollars(2)}));
  EXPECT_TRUE(split_by_largest_remainder(Money{}, {}).empty());
}

TEST(Cost, RandomPartsSumToTheRoundedWhole) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::vector<ExactCost> parts(random() % 20 + 1);
    ExactCost sum;
    CostStream stream;
    Money streamed;
    for (ExactCost& part : parts) {
      part = {static_cast<std::int64_t>(random() % 1000),
              static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kCostUnit))};
      sum += part;
      const Money rounded_part = stream.next(part).value();
      EXPECT_LE(std::abs(rounded_part.raw() - static_cast<std::int64_t>(part.whole)), 1);
      streamed += rounded_part;
      EXPECT_EQ(streamed, rounded(sum)) << "at any time";
    }
    Money split;
    for (const Money part : split_by_largest_remainder(rounded(sum), parts)) {
      split += part;
    }
    EXPECT_EQ(split, rounded(sum));
  }
}

TEST(Decimal, PrintsExactly) {
  EXPECT_EQ(gpu_seconds_text(GpuTime::from_raw(1)), "0.000000000001");
  EXPECT_EQ(gpu_seconds_text(gpus(8) * hours(1)), "28800");
  EXPECT_EQ(gpu_seconds_text(gpu_thousandths(333) * nanoseconds(1'000'000'001)), "0.333000000333");
  // 100,000 GPUs x 10 years of 365 days + 1 thousandth-ns: 96 bits.
  EXPECT_EQ(gpu_seconds_text(gpus(100'000) * days(3650) + GpuTime::from_raw(1)),
            "31536000000000.000000000001");
  EXPECT_EQ(gpus_text(gpu_thousandths(250)), "0.25");
  EXPECT_EQ(dollars_text(micro_dollars(-1'500'000)), "-1.5");
  EXPECT_EQ(dollars_text(micro_dollars(-5)), "-0.000005");
  EXPECT_EQ(ratio_text(1.0, 9), "1");
  EXPECT_EQ(ratio_text(100.0, 0), "100");
  EXPECT_EQ(ratio_text(1.0 / 3, 9), "0.333333333");
}

TEST(Metrics, BoundedSlowdownByDefinition) {
  EXPECT_EQ(bounded_slowdown(seconds(0), seconds(1)), 1.0) << "max(1, (0 + 1) / 10)";
  EXPECT_EQ(bounded_slowdown(seconds(19), seconds(1)), 2.0) << "(19 + 1) / 10";
  EXPECT_EQ(bounded_slowdown(seconds(30), seconds(20)), 2.5) << "(30 + 20) / 20";
  EXPECT_EQ(bounded_slowdown(seconds(5), seconds(0)), 1.0) << "max(1, (5 + 0) / 10)";
}

TEST(Metrics, PercentilesAreNearestRanks) {
  std::vector<std::int64_t> values;
  EXPECT_FALSE(nearest_rank(values, 50));
  values = {7};
  EXPECT_EQ(nearest_rank(values, 50), nanoseconds(7));
  EXPECT_EQ(nearest_rank(values, 99), nanoseconds(7));
  values = {15, 20, 35, 40, 50};
  EXPECT_EQ(nearest_rank(values, 50), nanoseconds(35)) << "ceil(0.5 x 5) = 3rd";
  EXPECT_EQ(nearest_rank(values, 90), nanoseconds(50)) << "ceil(0.9 x 5) = 5th";
  values.clear();
  for (std::int64_t i = 100; i >= 1; --i) {
    values.push_back(i);
  }
  EXPECT_EQ(nearest_rank(values, 95), nanoseconds(95));
  EXPECT_EQ(nearest_rank(values, 99), nanoseconds(99));
}

TEST(Metrics, JainIndex) {
  EXPECT_FALSE(jain_index({}));
  EXPECT_FALSE(jain_index({0, 0}));
  EXPECT_EQ(jain_index({3, 3, 3, 3}), 1.0);
  EXPECT_EQ(jain_index({5, 0, 0, 0}), 0.25) << "25 / (4 x 25)";
}

TEST(Metrics, RatioMeanTakesHugeRatios) {
  RatioMean mean;
  EXPECT_FALSE(mean.mean());
  mean.add(1.0);
  mean.add(9e18);  // a wait of centuries, a run of a nanosecond
  EXPECT_DOUBLE_EQ(*mean.mean(), 4.5e18);
  EXPECT_EQ(mean.most(), 9e18);
}

}  // namespace
}  // namespace weft::results
