#include "results/step_series.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace weft::results {
namespace {

struct Row {
  std::int64_t from;
  std::int64_t length;
  std::vector<Int128> sums;
};

std::vector<Row> rows_of(const StepSeries& series, std::int64_t end) {
  std::vector<Row> rows;
  series.rows(SimTime::at(nanoseconds(end)),
              [&](SimTime from, Duration length, std::span<const Int128> sums) {
                rows.push_back({from.ns(), length.raw(), {sums.begin(), sums.end()}});
              });
  return rows;
}

SimTime ns(std::int64_t t) {
  return SimTime::at(nanoseconds(t));
}

TEST(StepSeries, ExactWhileThereAreFewSteps) {
  StepSeries series(2, ns(100));
  series.add(ns(100), 0, 3);
  series.add(ns(110), 1, 5);
  series.add(ns(110), 0, -1);
  series.add(ns(100), 1, 1);  // in hindsight
  series.add(ns(120), 0, 7);
  series.add(ns(120), 0, -7);  // nothing changed after all: no row
  series.add(ns(130), 0, -2);
  const std::vector<Row> rows = rows_of(series, 130);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].from, 100);
  EXPECT_EQ(rows[0].length, 10);
  EXPECT_TRUE(rows[0].sums[0] == 30 && rows[0].sums[1] == 10) << "3 x 10, 1 x 10";
  EXPECT_EQ(rows[1].from, 110);
  EXPECT_EQ(rows[1].length, 20);
  EXPECT_TRUE(rows[1].sums[0] == 40 && rows[1].sums[1] == 120) << "2 x 20, 6 x 20";
  EXPECT_FALSE(series.binned());
  EXPECT_TRUE(rows_of(series, 100).empty());
}

// Random changes, some in hindsight, against a map from time to change. Integrals over any row must
// be equal to the last unit, however often bins were merged.
TEST(StepSeries, BinsKeepIntegralsExactly) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::int64_t origin = static_cast<std::int64_t>(random() % 1'000'000);
    // Gaps from nanoseconds to hours; the second half much wider, so that pairs are merged.
    const std::uint64_t gap = std::uint64_t{1} << (3 * seed + 2);
    StepSeries series(2, ns(origin));
    std::vector<std::map<std::int64_t, std::int64_t>> expected(2);
    std::vector<std::int64_t> times;
    std::int64_t now = origin;
    const auto add = [&](std::int64_t at, std::size_t which, std::int64_t delta) {
      series.add(ns(at), which, delta);
      expected[which][at] += delta;
    };
    for (std::size_t i = 0; i < StepSeries::kMostSteps + 6000; ++i) {
      now += static_cast<std::int64_t>(random() % (i < 23'000 ? gap : 8 * gap)) + 1;
      times.push_back(now);
      add(now, random() % 2, static_cast<std::int64_t>(random() % 1000));
      if (random() % 4 == 0) {
        const std::int64_t past = times[random() % times.size()];
        const auto delta = static_cast<std::int64_t>(random() % 50);
        add(past, 0, -delta);
        add(past, 1, delta);
      }
    }
    const std::int64_t end = now + static_cast<std::int64_t>(random() % gap);
    ASSERT_TRUE(series.binned());
    const std::vector<Row> rows = rows_of(series, end);
    EXPECT_LE(rows.size(), StepSeries::kMostBins);
    EXPECT_EQ(rows.front().from, origin);
    EXPECT_EQ(rows.back().from + rows.back().length, end);
    for (std::size_t which = 0; which < 2; ++which) {
      auto change = expected[which].begin();
      std::int64_t level = 0;
      std::int64_t at = origin;
      for (const Row& row : rows) {
        Int128 sum = 0;
        const std::int64_t until = row.from + row.length;
        for (; change != expected[which].end() && change->first < until; ++change) {
          sum += static_cast<Int128>(level) * (change->first - at);
          at = change->first;
          level += change->second;
        }
        sum += static_cast<Int128>(level) * (until - at);
        at = until;
        ASSERT_TRUE(sum == row.sums[which]) << "series " << which << " from " << row.from;
      }
    }
  }
}

TEST(StepSeries, SwitchesToBinsOnlyBeyondTheMostSteps) {
  StepSeries series(1, ns(0));
  for (std::size_t i = 0; i < StepSeries::kMostSteps; ++i) {
    series.add(ns(static_cast<std::int64_t>(i)), 0, 1);
    series.add(ns(static_cast<std::int64_t>(i)), 0, 1);
  }
  EXPECT_FALSE(series.binned());
  EXPECT_EQ(rows_of(series, 20'000).size(), StepSeries::kMostSteps);
  series.add(ns(StepSeries::kMostSteps), 0, 1);
  EXPECT_TRUE(series.binned());
  EXPECT_LE(rows_of(series, 20'001).size(), StepSeries::kMostBins);
}

}  // namespace
}  // namespace weft::results
