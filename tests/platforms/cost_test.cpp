// Costs against arithmetic done by hand; each case prints equation, expected and result.
#include "platforms/cost.hpp"

#include <iostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/quantity.hpp"
#include "base/rng.hpp"
#include "marked_yaml.hpp"
#include "platforms/load.hpp"

namespace weft::platforms {
namespace {

Platform parse(const std::string& yaml) {
  Diagnostics diagnostics;
  Platform platform = parse_platform(yaml, "cost.yaml", diagnostics);
  EXPECT_TRUE(diagnostics.ok()) << all_errors(diagnostics);
  return platform;
}

void expect_money(const std::string& equation, std::int64_t expected_micro, Money got) {
  std::cout << equation << "\n  expected " << expected_micro << " micro-dollars, got " << got.raw()
            << '\n';
  EXPECT_EQ(got.raw(), expected_micro) << equation;
}

const CostLine& line(const CostRates& rates, const std::string& name) {
  for (const CostLine& one : rates.lines) {
    if (one.name == name) {
      return one;
    }
  }
  ADD_FAILURE() << "no line " << name;
  return rates.lines.front();
}

const char* const kOneModel = R"(weft: 1
name: hand
nodes:
  - name: n[1-10]
    gpu: {model: H100-SXM, count: 8}
    power: {idle: 2kW, max: 10kW}
    price: {server: 50k$, gpu: 20k$}
storage:
  - {name: scratch, kind: nfs, read: 5GB/s, write: 2GB/s, price: 120k$}
cost: {years: 3, network: 90k$, facility: 30k$, power: {tariff: 0.12$/kWh, pue: 1.25}, staff: 100k$/y, colocation: 184$/kW/month, licences: 1k$/GPU/y}
)";

TEST(Cost, EveryLineByHand) {
  const CostRates rates = cost_rates(parse(kOneModel));
  expect_money(
      "servers: 10 x 50,000 $ / 3 y", 166'666'666'667, line(rates, "servers n[1-10]").per_year);
  expect_money("GPUs: 80 x 20,000 $ / 3 y", 533'333'333'333, line(rates, "GPUs n[1-10]").per_year);
  expect_money("energy: 10 x 10 kW x 1.25 x 8760 h x 0.12 $/kWh = 131,400 $",
               131'400'000'000,
               line(rates, "energy n[1-10]").per_year);
  expect_money("colocation: 100 kW x 184 $ x 12 = 220,800 $",
               220'800'000'000,
               line(rates, "colocation n[1-10]").per_year);
  expect_money("licences: 80 x 1,000 $", 80'000'000'000, line(rates, "licences n[1-10]").per_year);
  expect_money("storage: 120,000 $ / 3 y", 40'000'000'000, line(rates, "storage scratch").per_year);
  expect_money("network: 90,000 $ / 3 y", 30'000'000'000, line(rates, "network").per_year);
  expect_money("facility: 30,000 $ / 3 y", 10'000'000'000, line(rates, "facility").per_year);
  expect_money("staff: 100,000 $", 100'000'000'000, line(rates, "staff").per_year);
  ASSERT_EQ(rates.models.size(), 1U);
  expect_money("a year: the sum of the nine lines", 1'312'200'000'000, rates.models[0].per_year);
  expect_money("a GPU-hour: 1,312,200 $ / (80 x 8760 h) = 1.872432 $",
               1'872'432,
               *rates.models[0].per_gpu_hour);
  EXPECT_TRUE(rates.known);
  EXPECT_TRUE(rates.notes.empty()) << rates.notes.front();
  EXPECT_EQ(line(rates, "servers n[1-10]").formula, "10 x 50k$ / 3y");
  EXPECT_EQ(line(rates, "energy n[1-10]").formula, "10 x 10kW x PUE 1.25 x 8760h x 0.12$/kWh");
  EXPECT_EQ(rates.per_gpu_hour("H100-SXM"), micro_dollars(1'872'432));
  EXPECT_EQ(rates.per_gpu_hour("B200"), std::nullopt);
}

// The published 2.14 M$ a year for this cluster amortises nothing; over three years:
TEST(Cost, BlueprintAmortised) {
  Platform platform = parse(kOneModel);
  platform.nodes[0].names.resize(8);  // 64 GPUs
  platform.nodes[0].price = {dollars(40'000), dollars(20'000)};
  platform.nodes[0].power.reset();
  platform.storage[0].price = dollars(120'000);
  Cost cost;
  cost.network = dollars(80'000);
  cost.staff = dollars(100'000);
  cost.colocation_per_year = dollars(240'000);
  platform.cost = cost;
  const CostRates rates = cost_rates(platform);
  expect_money("(1.8 M$ / 3 + 340 k$) / (64 x 8760 h) = 1.676655 $ at 100 %",
               1'676'655,
               *rates.models[0].per_gpu_hour);
  const double at_80_percent = static_cast<double>(rates.models[0].per_gpu_hour->raw()) / 0.8e6;
  std::cout << "at 80 %: expected 2.10 $, got " << at_80_percent << '\n';
  EXPECT_NEAR(at_80_percent, 2.10, 0.005);
}

TEST(Cost, SharedCostsAreSplitByGpuCountExactly) {
  const Platform platform = parse(R"(weft: 1
name: mixed
nodes:
  - {name: "a[1-3]", gpu: {model: A100-SXM, count: 1}, price: {gpu: 10k$}}
  - {name: "b[1-4]", gpu: {model: B200, count: 1}, price: {gpu: 40k$}}
  - {name: login, price: {server: 30k$}}
cost: {years: 1, staff: 0.00001$/y}
)");
  const CostRates rates = cost_rates(platform);
  ASSERT_EQ(rates.models.size(), 2U);
  // Shared: 30,000 $ of the login node + 10 micro-dollars of staff = 30,000,000,010 micro-dollars,
  // 3 : 4. 30,000,000,010 x 3/7 = 12,857,142,861 3/7, x 4/7 = 17,142,857,148 4/7: the larger
  // remainder gets the micro-dollar over.
  expect_money("A100: 3 x 10,000 $ + 3/7 of the shared", 42'857'142'861, rates.models[0].per_year);
  expect_money("B200: 4 x 40,000 $ + 4/7 of the shared", 177'142'857'149, rates.models[1].per_year);
  Int128 lines = 0;
  for (const CostLine& one : rates.lines) {
    lines += one.per_year.raw();
  }
  EXPECT_TRUE(lines == rates.models[0].per_year.raw() + rates.models[1].per_year.raw())
      << "parts sum to the whole";
  EXPECT_THAT(rates.notes, testing::Contains("servers a[1-3]: no price, counted as 0"));
  EXPECT_THAT(rates.notes, testing::Contains("energy: no tariff, counted as 0"));
}

TEST(Cost, SplitIsExactAndFair) {
  Rng rng(7, "split");
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::int64_t> weights(1 + rng.below(6));
    Int128 sum = 0;
    for (std::int64_t& weight : weights) {
      weight = static_cast<std::int64_t>(rng.below(1000)) + 1;
      sum += weight;
    }
    const auto total = static_cast<Int128>(rng.bits() >> 8U);
    const std::vector<Int128> parts = split_by_largest_remainder(total, weights);
    Int128 given = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      given += parts[k];
      // Within one of the exact share: |part x sum - total x weight| < sum.
      const Int128 off = parts[k] * sum - total * weights[k];
      ASSERT_TRUE(off < sum && off > -sum) << "seed 7, case " << i;
    }
    ASSERT_TRUE(given == total) << "seed 7, case " << i;
  }
}

TEST(Cost, WithoutPricesNothingIsKnown) {
  const CostRates rates =
      cost_rates(parse("weft: 1\nname: x\nnodes: [{name: a, gpu: {model: T4, count: 2}}]\n"));
  EXPECT_FALSE(rates.known);
  ASSERT_EQ(rates.models.size(), 1U);
  EXPECT_EQ(rates.models[0].per_gpu_hour, std::nullopt);
  EXPECT_TRUE(rates.lines.empty());
  EXPECT_THAT(rates.notes, testing::Contains("GPUs a: no price, counted as 0"));
}

TEST(Cost, AStatedRateWins) {
  std::string yaml = replaced(kOneModel, "years: 3", "years: 3, per_gpu_hour: 2.5$/GPUh");
  CostRates rates = cost_rates(parse(yaml));
  expect_money("stated", 2'500'000, *rates.models[0].per_gpu_hour);
  expect_money("80 x 8760 h x 2.5 $", 1'752'000'000'000, rates.models[0].per_year);
  ASSERT_EQ(rates.lines.size(), 1U);
  EXPECT_EQ(rates.lines[0].formula, "80 x 8760h x 2.5$/GPUh");
  EXPECT_TRUE(rates.notes.empty());

  yaml = replaced(kOneModel, "years: 3", "years: 3, per_gpu_hour: {H100-SXM: 3$/GPUh}");
  expect_money("stated by model", 3'000'000, *cost_rates(parse(yaml)).models[0].per_gpu_hour);
}

TEST(Cost, AStatedRateOfOneModelLeavesTheOthersReckoned) {
  const CostRates rates = cost_rates(parse(R"(weft: 1
name: mixed
nodes:
  - {name: a, gpu: {model: T4, count: 1}, price: {gpu: 8760$}}
  - {name: b, gpu: {model: B200, count: 1}}
cost: {years: 1, per_gpu_hour: {B200: 3$/GPUh}}
)"));
  expect_money("8760 $ / 1 y / 8760 h", 1'000'000, *rates.per_gpu_hour("T4"));
  expect_money("stated", 3'000'000, *rates.per_gpu_hour("B200"));
}

TEST(Cost, HugePlatformsSaturateInsteadOfOverflowing) {
  const CostRates rates = cost_rates(parse(R"(weft: 1
name: huge
nodes:
  - {name: "n[1-1000]", gpu: {model: B200, count: 1024}, power: {idle: 1W, max: 10MW}, price: {server: 100M$, gpu: 10M$}}
cost: {years: 0.1, power: {tariff: 1k$/kWh, pue: 5}, colocation: 1000M$/kW/month, licences: 1000M$/GPU/y}
)"));
  for (const CostLine& one : rates.lines) {
    EXPECT_GT(one.per_year.raw(), 0) << one.name;
  }
  EXPECT_GT(rates.models[0].per_gpu_hour->raw(), 0);
}

TEST(Cost, BillOfMaterialsIsNamedAsMissing) {
  const CostRates rates =
      cost_rates(parse(replaced(kOneModel, "network: 90k$", "network: bill-of-materials")));
  EXPECT_THAT(
      rates.notes,
      testing::ElementsAre("network: its bill of materials needs the built fabric, counted as 0"));
}

}  // namespace
}  // namespace weft::platforms
