// Fitting: what was generated is found again, and odd logs are survived.
#include "workloads/generator_fit.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/rng.hpp"
#include "tests/workloads/support.hpp"
#include "workloads/generator_yaml.hpp"

namespace weft::workloads {
namespace {

GeneratorParameters truth() {
  GeneratorParameters p;
  p.name = "truth";
  p.jobs = 8000;
  p.span = days(28);
  p.arrivals = working_week();
  p.arrivals.gap_shape = 0.6;
  p.users.count = 30;
  p.users.zipf = 1.0;
  p.users.accounts = 5;
  p.users.repeat = 0.3;
  p.limits.missing = 0.1;
  p.limits.factor_median = 4;
  p.limits.factor_sigma = 0.7;
  p.limits.longest = days(365);
  p.ends.failed = 0.15;
  p.ends.cancelled = 0.05;
  p.ends.early = false;
  JobClass small;
  small.name = "small";
  small.share = 0.8;
  small.sizes = {SizeWeight{gpus(1), 1}};
  small.durations = {DurationPart{0.7, minutes(10), 1.2}, DurationPart{0.3, hours(6), 0.5}};
  JobClass large;
  large.name = "large";
  large.share = 0.2;
  large.sizes = {SizeWeight{gpus(8), 1}, SizeWeight{gpus(16), 1}};
  large.durations = {DurationPart{1, hours(2), 0.8}};
  p.classes = {small, large};
  return p;
}

TEST(GeneratorFit, FindsWhatWasGenerated) {
  GeneratorFitter fitter;
  const GeneratorParameters p = truth();
  generate(p, 21, fitter);
  // The generator's time 0 is a Monday midnight; 1970-01-05 was one.
  const auto fit = fitter.finish("found", days(4), 1);
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->used, 8000U);
  EXPECT_LT(fit->goodness.size, 0.03);
  EXPECT_LT(fit->goodness.runtime, 0.03);
  EXPECT_LT(fit->goodness.interarrival, 0.05);
  EXPECT_NEAR(fit->goodness.demand_ratio, 1, 0.1);
  const GeneratorParameters& f = fit->parameters;
  EXPECT_EQ(f.jobs, p.jobs);
  EXPECT_EQ(f.arrivals.first_weekday, 0);
  EXPECT_NEAR(f.arrivals.gap_shape, 0.6, 0.06);
  EXPECT_NEAR(f.arrivals.hours[3] / f.arrivals.hours[14], 0.25 / 1.8, 0.05);
  EXPECT_NEAR(f.arrivals.weekdays[5] / f.arrivals.weekdays[1], 0.5, 0.08);
  EXPECT_EQ(f.users.count, 30U);
  EXPECT_EQ(f.users.accounts, 5U);
  EXPECT_NEAR(f.users.zipf, 1.0, 0.15);
  EXPECT_NEAR(f.users.repeat, 0.3, 0.05);
  EXPECT_NEAR(f.limits.missing, 0.1, 0.02);
  EXPECT_NEAR(f.limits.factor_median, 4, 0.3);
  EXPECT_NEAR(f.limits.factor_sigma, 0.7, 0.1);
  EXPECT_NEAR(f.ends.failed, 0.15, 0.02);
  EXPECT_NEAR(f.ends.cancelled, 0.05, 0.01);
  ASSERT_EQ(f.classes.size(), 3U);  // 1, 8 and 16 GPUs
  EXPECT_EQ(f.classes[0].name, "1-gpu");
  EXPECT_NEAR(f.classes[0].share, 0.8, 0.02);
  // What it prints can be read back and generated again.
  Diagnostics diagnostics;
  const auto back = read_generator(to_yaml(f), "fit.yaml", diagnostics);
  diagnostics.throw_if_errors();
  EXPECT_EQ(back, f);
}

// Twelve jobs of 128 GPUs, which run far longer than the rest, hold most of the GPU time.
TEST(GeneratorFit, KeepsTheGpuTimeOfFewLargeJobs) {
  GeneratorFitter fitter;
  for (int i = 0; i < 2000; ++i) {
    JobRecord record = testing::plain_record();
    record.submit = at_seconds(i * 1000);
    const bool large = i % 160 == 7;
    record.allocated_processors = large ? 128 : i % 16 == 0 ? 32 : 1;
    record.runtime = seconds(large ? 100'000 + 1000 * (i / 160) : 300 + i % 700);
    record.limit = seconds(200'000);
    fitter.record(record);
  }
  const auto fit = fitter.finish("few", std::nullopt, 1);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->goodness.demand_ratio, 1, 0.01);
  EXPECT_EQ(fit->parameters.classes.back().name, "128-gpu");
}

TEST(GeneratorFit, RefusesWhatHoldsNoArrivals) {
  GeneratorFitter empty;
  EXPECT_FALSE(empty.finish("x", std::nullopt, 1).has_value());
  GeneratorFitter one_instant;
  one_instant.record(testing::plain_record());
  one_instant.record(testing::plain_record());
  EXPECT_FALSE(one_instant.finish("x", std::nullopt, 1).has_value());
  GeneratorFitter unsized;
  JobRecord record = testing::plain_record();
  record.allocated_processors.reset();
  record.requested_processors.reset();
  for (int i = 0; i < 5; ++i) {
    record.submit = at_seconds(i * 100);
    unsized.record(record);
  }
  EXPECT_FALSE(unsized.finish("x", std::nullopt, 1).has_value());
}

TEST(GeneratorFit, SurvivesAnyLog) {
  const bool holds = rc::check("random logs", [] {
    GeneratorFitter fitter;
    const int jobs = *rc::gen::inRange(0, 120);
    const int scale = *rc::gen::element(1, 3600, 864000);
    for (int i = 0; i < jobs; ++i) {
      JobRecord record = testing::plain_record();
      record.submit = at_seconds(*rc::gen::inRange(0, 100) * std::int64_t{scale});
      record.runtime = seconds(*rc::gen::inRange(0, 5) * std::int64_t{scale});
      record.limit = seconds(*rc::gen::inRange(0, 5) * std::int64_t{scale});
      record.allocated_processors = *rc::gen::inRange(0, 3000);
      fitter.record(record);
    }
    const auto fit = fitter.finish("any", std::nullopt, 1);
    if (fit) {
      RC_ASSERT(problem_of(fit->parameters).empty());
      RC_ASSERT(fit->goodness.runtime >= 0 && fit->goodness.runtime <= 1);
      Diagnostics diagnostics;
      RC_ASSERT(read_generator(to_yaml(fit->parameters), "x", diagnostics) == fit->parameters);
    }
  });
  EXPECT_TRUE(holds);
}

TEST(KolmogorovSmirnov, IsTheLargestStep) {
  EXPECT_DOUBLE_EQ(kolmogorov_smirnov({1, 2, 3, 4}, {1, 2, 3, 4}), 0);
  EXPECT_DOUBLE_EQ(kolmogorov_smirnov({1, 2}, {3, 4}), 1);
  EXPECT_DOUBLE_EQ(kolmogorov_smirnov({1, 2, 3, 4}, {2, 2, 3, 9}), 0.25);
  EXPECT_DOUBLE_EQ(kolmogorov_smirnov({}, {}), 0);
  EXPECT_DOUBLE_EQ(kolmogorov_smirnov({}, {1}), 1);
}

}  // namespace
}  // namespace weft::workloads
