#include "base/rng.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr int kDraws = 100'000;

struct Moments {
  double mean = 0;
  double variance = 0;
};
Moments moments(const std::function<double()>& draw) {
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, squares / kDraws - mean * mean};
}

// Five standard errors of the mean; the variance more loosely, as its error is wider.
void expect_moments(const Moments& got, double mean, double variance) {
  EXPECT_NEAR(got.mean, mean, 5 * std::sqrt(variance / kDraws));
  EXPECT_NEAR(got.variance, variance, 0.06 * variance);
}

// Expected words: computed apart, by a Python transcription of Vigna's splitmix64.c and
// xoshiro256starstar.c that reproduces their published vectors.
TEST(Rng, GivesTheReferenceBits) {
  const std::vector<std::pair<Rng, std::vector<std::uint64_t>>> cases = {
      {Rng(1, "arrivals"),
       {0xd4bf44f4bea7da2b, 0x91ad422e2e984071, 0x7fdaddacbc7f46e7, 0xe7708ae83c4b10dd}},
      {Rng(1, "sizes"),
       {0x2a7160282996a9f6, 0xd200418b2116817b, 0x7a2d39be84d0d7e6, 0x7aed3a36ef60805d}},
      {Rng(42, ""),
       {0xfb29c77af3965ce5, 0x09f3e3196ade0db1, 0x897e2e9c9eda6db2, 0xe8c40ece0555f1c4}},
      {Rng(UINT64_MAX, "failures"),
       {0x015b8468dfc1daf2, 0xe365faa4a57736a6, 0x73ccfc97940df2c5, 0xa492cabc6317153e}}};
  for (auto [rng, words] : cases) {
    for (const std::uint64_t word : words) {
      EXPECT_EQ(rng.bits(), word);
    }
  }
}

// The same sequence of draws in 50-digit arithmetic (Python mpmath), to 17 digits.
TEST(Rng, DrawsAgreeWithLongArithmetic) {
  Rng rng(7, "golden");
  EXPECT_NEAR(rng.exponential(3), 4.2629157074554567, 1e-14);
  EXPECT_NEAR(rng.normal(0, 1), -0.16188536022693473, 1e-15);
  EXPECT_NEAR(rng.normal(0, 1), 0.37125010208048023, 1e-15);
  EXPECT_NEAR(rng.lognormal(1, 2), 28.913982115276899, 1e-12);
  EXPECT_NEAR(rng.lognormal(1, 2), 191.76457142174709, 1e-11);
  EXPECT_NEAR(rng.weibull(0.7, 100), 3.1752602701059951, 1e-13);
  EXPECT_EQ(rng.below(1000), 318U);
  EXPECT_EQ(rng.below(1000), 464U);
}

// To the last bit, so that another compiler, optimisation level or machine that rounds otherwise
// is noticed. (The values themselves are checked above and against libm below.)
TEST(Rng, GivesTheSameBitsEverywhere) {
  struct Golden {
    std::uint64_t seed;
    std::vector<std::uint64_t> draws;
  };
  const std::vector<Golden> goldens = {{1,
                                        {0x3fee3932ab5dd94e,
                                         0x3ff484f8f9f407b5,
                                         0x3fc6be525edd7c7c,
                                         0x3ffabd7c5347b060,
                                         0x40b7556552c17e28,
                                         0x4036e7c318404e20,
                                         0x400e0dee47cc2ba0,
                                         0x401bb632b3854312}},
                                       {2,
                                        {0x3fe50bd408884615,
                                         0x3fd739b7847236a2,
                                         0x40007b58e0006d34,
                                         0x3fde71cc505fa05e,
                                         0x407766cc9fb5cc18,
                                         0x4027c785f0d374b6,
                                         0x3ff4e84ec0bcceb2,
                                         0x406b6e47fb74d7d2}},
                                       {99,
                                        {0x3faef8a5e6da9080,
                                         0x3ffd651a0bccf5dd,
                                         0x3ffec7d024b36ecc,
                                         0x3fe115d5dcc55e61,
                                         0x40c6d041e769a724,
                                         0x401c50522e278c86,
                                         0x3ff3668f67441620,
                                         0x3ff51f966f17dfb0}}};
  for (const Golden& golden : goldens) {
    Rng rng(golden.seed, "golden");
    const std::vector<double> draws = {rng.uniform(),
                                       rng.exponential(3),
                                       rng.normal(1, 2),
                                       rng.normal(1, 2),
                                       rng.lognormal(8, 1.5),
                                       rng.gamma(2.5, 10),
                                       rng.gamma(0.4, 10),
                                       rng.weibull(0.7, 100)};
    for (std::size_t i = 0; i < draws.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(draws[i]), golden.draws[i])
          << "seed " << golden.seed << ", draw " << i << ": " << draws[i];
    }
  }
  // 600,000 more in one word (FNV-1a over the patterns).
  Rng rng(1, "digest");
  std::uint64_t digest = 0xcbf29ce484222325;
  const auto add = [&digest](double x) {
    digest = (digest ^ std::bit_cast<std::uint64_t>(x)) * 0x100000001b3;
  };
  for (int i = 0; i < kDraws; ++i) {
    add(rng.exponential(3));
    add(rng.normal(1, 2));
    add(rng.lognormal(8, 1.5));
    add(rng.gamma(2.5, 10));
    add(rng.gamma(0.4, 10));
    add(rng.weibull(0.7, 100));
  }
  EXPECT_EQ(digest, 0x4d424583ac05a017U);
}

TEST(Rng, StreamsOfOneSeedAreUnrelated) {
  Rng a(5, "arrivals");
  Rng b(5, "arrival");
  Rng c(6, "arrivals");
  int same_bits_ab = 0;
  int same_bits_ac = 0;
  constexpr int kWords = 1000;
  for (int i = 0; i < kWords; ++i) {
    const std::uint64_t word = a.bits();
    same_bits_ab += std::popcount(~(word ^ b.bits()));
    same_bits_ac += std::popcount(~(word ^ c.bits()));
  }
  // 64000 fair coins: 32000 +- 6 * 126.
  EXPECT_NEAR(same_bits_ab, 32000, 760);
  EXPECT_NEAR(same_bits_ac, 32000, 760);
}

TEST(Rng, UniformStaysBelowOne) {
  Rng rng(1, "uniform");
  expect_moments(moments([&rng] {
                   const double u = rng.uniform();
                   EXPECT_TRUE(u >= 0 && u < 1);
                   return u;
                 }),
                 0.5,
                 1.0 / 12);
}

TEST(Rng, BelowIsEvenOverItsRange) {
  Rng rng(2, "below");
  std::vector<int> count(7);
  for (int i = 0; i < 70'000; ++i) {
    ++count[rng.below(7)];
  }
  for (const int n : count) {
    EXPECT_NEAR(n, 10'000, 500);
  }
  EXPECT_EQ(rng.below(1), 0U);
  for (int i = 0; i < 100; ++i) {
    ASSERT_LT(rng.below((std::uint64_t{1} << 63) + 1), (std::uint64_t{1} << 63) + 1);
  }
}

TEST(Rng, DistributionsHaveTheirMoments) {
  Rng rng(3, "moments");
  expect_moments(moments([&] { return rng.exponential(4); }), 4, 16);
  expect_moments(moments([&] { return rng.normal(-3, 2); }), -3, 4);
  expect_moments(moments([&] { return rng.gamma(2.5, 3); }), 7.5, 22.5);
  expect_moments(moments([&] { return rng.gamma(0.3, 2); }), 0.6, 1.2);
  // Lognormal: mean exp(mu + s^2/2), variance (exp(s^2) - 1) mean^2.
  const double mean = std::exp(1 + 0.125);
  expect_moments(
      moments([&] { return rng.lognormal(1, 0.5); }), mean, (std::exp(0.25) - 1) * mean * mean);
  // Weibull: mean scale G(1 + 1/k), second moment scale^2 G(1 + 2/k).
  const double first = 10 * std::tgamma(1 + 1 / 1.5);
  expect_moments(moments([&] { return rng.weibull(1.5, 10); }),
                 first,
                 100 * std::tgamma(1 + 2 / 1.5) - first * first);
  expect_moments(moments([&] { return rng.chance(0.3) ? 1.0 : 0.0; }), 0.3, 0.21);
}

TEST(Rng, DrawsStayFiniteForExtremeParameters) {
  Rng rng(4, "extreme");
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(std::isfinite(rng.lognormal(1e6, 1e6)));
    ASSERT_TRUE(std::isfinite(rng.gamma(1e-320, 1)));
    ASSERT_TRUE(std::isfinite(rng.gamma(1e12, 1)));
    ASSERT_TRUE(std::isfinite(rng.weibull(1e-300, 1)));
    ASSERT_FALSE(rng.chance(0));
    ASSERT_TRUE(rng.chance(1));
  }
}

TEST(Rng, CopiesContinueAlike) {
  Rng rng(5, "copy");
  rng.normal(0, 1);  // leaves a spare one
  Rng copy = rng;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(rng.normal(0, 1), copy.normal(0, 1));
  }
}

TEST(DiscreteDistribution, DrawsInProportionToTheWeights) {
  const std::vector<double> weights = {1, 0, 3, 0.5, 5.5, 0};
  const DiscreteDistribution distribution(weights);
  Rng rng(6, "alias");
  std::vector<int> count(weights.size());
  for (int i = 0; i < kDraws; ++i) {
    ++count[distribution(rng)];
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double p = weights[i] / 10;
    EXPECT_NEAR(count[i], p * kDraws, 5 * std::sqrt(p * (1 - p) * kDraws)) << i;
  }
  EXPECT_EQ(count[1] + count[5], 0);
}

TEST(DiscreteDistribution, NeverDrawsWhatHasNoWeight) {
  Rng rng(7, "zeros");
  for (int round = 0; round < 300; ++round) {
    std::vector<double> weights(1 + rng.below(20));
    for (double& w : weights) {
      w = rng.chance(0.5) ? 0 : rng.uniform() / 3;
    }
    weights[rng.below(weights.size())] = 0.1;
    const DiscreteDistribution distribution(weights);
    for (int i = 0; i < 200; ++i) {
      ASSERT_GT(weights[distribution(rng)], 0);
    }
  }
}

TEST(DiscreteDistribution, OneIndexIsAlwaysDrawn) {
  const std::vector<double> weights = {0.25};
  const DiscreteDistribution distribution(weights);
  Rng rng(8, "one");
  EXPECT_EQ(distribution(rng), 0U);
}

TEST(DiscreteDistributionDeathTest, NeedsWeight) {
  const std::vector<double> zeros = {0, 0};
  EXPECT_DEATH(DiscreteDistribution{zeros}, "sum of weights");
}

double relative_error(double got, double expected) {
  return expected == 0 ? std::fabs(got) : std::fabs(got - expected) / std::fabs(expected);
}

TEST(PortableMath, LogAgreesWithLibm) {
  Rng rng(31, "log");
  for (int i = 0; i < 100'000; ++i) {
    const double wide = std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(2098)) - 1074);
    ASSERT_LT(relative_error(portable::log(wide), std::log(wide)), 1e-15) << wide;
    const double near_one = 1 + (rng.uniform() - 0.5) * std::ldexp(1, -static_cast<int>(i % 50));
    ASSERT_LT(relative_error(portable::log(near_one), std::log(near_one)), 1e-15) << near_one;
  }
  EXPECT_EQ(portable::log(1), 0);
  EXPECT_LT(relative_error(portable::log(5e-324), std::log(5e-324)), 1e-15);
}

TEST(PortableMath, ExpAgreesWithLibm) {
  Rng rng(32, "exp");
  for (int i = 0; i < 100'000; ++i) {
    const double x = (rng.uniform() - 0.5) * 1416;  // results stay normal
    ASSERT_LT(relative_error(portable::exp(x), std::exp(x)), 1e-15) << x;
    const double small = std::ldexp(rng.uniform() - 0.5, -static_cast<int>(i % 60));
    ASSERT_LT(relative_error(portable::exp(small), std::exp(small)), 1e-15) << small;
  }
  EXPECT_EQ(portable::exp(0), 1);
  EXPECT_EQ(portable::exp(-1e300), 0);
  EXPECT_EQ(portable::exp(1e300), std::numeric_limits<double>::max());
  EXPECT_TRUE(std::isfinite(portable::exp(709.782712893384)));
  // Subnormal results keep their absolute precision.
  EXPECT_NEAR(portable::exp(-740), std::exp(-740), 5e-324);
}

// libm has no sine of turns: long double keeps the product with 2 pi precise enough.
TEST(PortableMath, SineAndCosineOfTurnsAgreeWithLibm) {
  Rng rng(33, "turns");
  const long double two_pi = 2 * std::acos(-1.0L);
  for (int i = 0; i < 100'000; ++i) {
    const double turns = rng.uniform() - 0.5;
    // The nearest quarter is taken off exactly, so that zeros of either function stay relative.
    const int quarter = static_cast<int>(std::floor(turns * 4 + 0.5));
    const long double rest = (turns - quarter / 4.0) * two_pi;
    const long double sine[] = {std::sin(rest), std::cos(rest), -std::sin(rest), -std::cos(rest)};
    const auto at = static_cast<unsigned>(quarter + 4) % 4;
    ASSERT_LT(relative_error(portable::sin_turn(turns), static_cast<double>(sine[at])), 1e-15);
    ASSERT_LT(relative_error(portable::cos_turn(turns), static_cast<double>(sine[(at + 1) % 4])),
              1e-15);
  }
  EXPECT_EQ(portable::sin_turn(0.25), 1);
  EXPECT_EQ(portable::sin_turn(0.5), 0);
  EXPECT_EQ(portable::cos_turn(0.25), 0);
  EXPECT_EQ(portable::cos_turn(0.5), -1);
  EXPECT_EQ(portable::cos_turn(1e15 + 0.5), -1);
  EXPECT_EQ(portable::sin_turn(1e300), 0);
  EXPECT_LT(relative_error(portable::sin_turn(-1e-300), -6.283185307179586e-300), 1e-15);
}

TEST(PortableMath, PowAgreesWithLibm) {
  Rng rng(34, "pow");
  for (int i = 0; i < 100'000; ++i) {
    const double base = std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(2000)) - 1000);
    // Results within 1e+-300, where libm's own are normal.
    const double reach = 690 / std::max(std::fabs(std::log(base)), 1e-3);
    const double exponent = (rng.uniform() - 0.5) * 2 * reach;
    ASSERT_LT(relative_error(portable::pow(base, exponent), std::pow(base, exponent)), 1e-14)
        << base << " ^ " << exponent;
  }
  EXPECT_EQ(portable::pow(2, 10), 1024);
  EXPECT_EQ(portable::pow(0, 3), 0);
  EXPECT_EQ(portable::pow(0, 0), 1);
  EXPECT_EQ(portable::pow(1, 1e300), 1);
  EXPECT_EQ(portable::pow(10, 1e300), std::numeric_limits<double>::max());
  EXPECT_EQ(portable::pow(10, -1e300), 0);
  EXPECT_EQ(portable::pow(7, 1), 7);
}

TEST(PortableMathDeathTest, RefusesWhatHasNoValue) {
  EXPECT_DEATH(portable::log(0), "log of");
  EXPECT_DEATH(portable::log(-1), "log of");
  EXPECT_DEATH(portable::pow(0, -1), "to the power of");
  EXPECT_DEATH(portable::sin_turn(std::nan("")), "turns");
}

}  // namespace
}  // namespace weft
