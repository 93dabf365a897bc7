// Trace statistics against hand counts.
#include "workloads/statistics.hpp"

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/support.hpp"

namespace weft::workloads {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

JobRecord job(std::int64_t submit, std::int64_t runtime, std::int64_t processors) {
  JobRecord record = testing::plain_record();
  record.id = "";
  record.submit = at_seconds(submit);
  record.runtime = seconds(runtime);
  record.allocated_processors = processors;
  return record;
}

TEST(Quantiles, AreByNearestRank) {
  const Quantiles q = quantiles({4, 1, 3, 2, 10});
  EXPECT_EQ(q.count, 5U);
  EXPECT_DOUBLE_EQ(q.mean, 4);
  EXPECT_EQ(q.least, 1);
  EXPECT_EQ(q.p5, 1);
  EXPECT_EQ(q.p25, 2);
  EXPECT_EQ(q.median, 3);
  EXPECT_EQ(q.p75, 4);
  EXPECT_EQ(q.p95, 10);
  EXPECT_EQ(q.most, 10);
  EXPECT_EQ(quantiles({}).count, 0U);
}

TEST(TraceStatistics, AddUpWhatALogHolds) {
  StatisticsCollector collector;
  JobRecord a = job(0, 100, 2);
  a.user = "ann";
  a.account = "x";
  JobRecord b = job(60, 50, 4);
  b.user = "bob";
  b.account = "x";
  b.limit = seconds(40);
  b.recorded_end = RecordedEnd::kTimeout;
  JobRecord c = job(200, 0, 2);
  c.user = "ann";
  c.account = "y";
  c.limit.reset();
  c.line = 9;
  collector.record(a);
  collector.record(b);
  collector.record(c);
  const TraceStatistics s = collector.finish();
  EXPECT_EQ(s.jobs, 3U);
  EXPECT_EQ(s.last_submit - s.first_submit, seconds(200));
  EXPECT_EQ(s.demand, gpus(1) * seconds(2 * 100 + 4 * 50));
  EXPECT_DOUBLE_EQ(s.runtime.most, 100);
  EXPECT_EQ(s.limit.count, 2U);
  EXPECT_DOUBLE_EQ(s.limit_accuracy.most, 1.25);
  EXPECT_DOUBLE_EQ(s.interarrival.least, 60);
  ASSERT_EQ(s.sizes.size(), 2U);
  EXPECT_EQ(s.sizes[0].jobs, 2U);
  EXPECT_EQ(s.sizes[0].size, gpus(2));
  EXPECT_EQ(s.sizes[1].gpu_time, gpus(4) * seconds(50));
  EXPECT_EQ(s.users, 2U);
  EXPECT_EQ(s.accounts, 2U);
  ASSERT_EQ(s.top_users.size(), 2U);
  EXPECT_EQ(s.top_users[0].name, "ann");  // 200 GPU seconds each: by name
  EXPECT_EQ(s.top_users[0].jobs, 2U);
  EXPECT_EQ(s.ends[static_cast<std::size_t>(RecordedEnd::kTimeout)], 1U);
  ASSERT_EQ(s.oddities.size(), 3U);
  EXPECT_EQ(s.oddities[0].what, "that ran longer than their limit");
  EXPECT_EQ(s.oddities[1].what, "with run time 0");
  EXPECT_EQ(s.oddities[2].what, "without a limit");
  EXPECT_THAT(s.oddities[2].lines, ElementsAre(9U));
}

TEST(TraceStatistics, FindOrderAndIdOddities) {
  StatisticsCollector collector;
  for (const std::int64_t submit : {10, 10, 5, 20}) {
    JobRecord record = job(submit, 1, 1);
    record.id = submit == 20 ? "a" : submit == 5 ? "a" : "";
    collector.record(record);
  }
  JobRecord without;
  without.line = 7;
  collector.record(without);
  const TraceStatistics s = collector.finish();
  EXPECT_EQ(s.jobs, 4U);
  ASSERT_EQ(s.oddities.size(), 4U);
  EXPECT_EQ(s.oddities[0].what, "without a submit time");
  EXPECT_EQ(s.oddities[1].what, "submitted before the row above");
  EXPECT_EQ(s.oddities[2].what, "with an id seen before");
  EXPECT_EQ(s.oddities[3].what, "submitted at the same instant as another");
  EXPECT_EQ(s.first_submit, at_seconds(5));
}

TEST(TraceStatistics, PutArrivalsOnTheWallClock) {
  StatisticsCollector collector;
  collector.record(job(0, 1, 1));
  collector.record(job(3 * 3600, 1, 1));
  // 2024-02-29 22:30:00, a Thursday: day 19782 since 1970.
  const TraceStatistics s = collector.finish(days(19782) + minutes(22 * 60 + 30));
  EXPECT_TRUE(s.by_wall_clock);
  EXPECT_EQ(s.by_hour[22], 1U);
  EXPECT_EQ(s.by_hour[1], 1U);
  EXPECT_EQ(s.by_weekday[3], 1U);
  EXPECT_EQ(s.by_weekday[4], 1U);
}

// Ten days of jobs, sizes recorded only from day 8 on.
TEST(TraceStatistics, WarnOfAFieldThatIsThereForSomeDaysOnly) {
  StatisticsCollector collector;
  for (std::int64_t day = 0; day < 10; ++day) {
    for (std::int64_t i = 0; i < 4; ++i) {
      JobRecord record = job(day * 86400 + i * 3600, 60, 2);
      if (day < 7) {
        record.allocated_processors.reset();
        record.requested_processors.reset();
      }
      collector.record(record);
    }
  }
  const TraceStatistics s = collector.finish();
  ASSERT_EQ(s.days.size(), 10U);
  EXPECT_EQ(s.days[6].with[static_cast<std::size_t>(CoveredField::kSize)], 0U);
  EXPECT_EQ(s.days[7].with[static_cast<std::size_t>(CoveredField::kSize)], 4U);
  EXPECT_THAT(to_text(s),
              HasSubstr("warning: size is there for less than half of the jobs on 7 of 10 days "
                        "(first: day 1)"));
  EXPECT_THAT(to_text(s), HasSubstr("size 30.0"));
}

TEST(TraceStatistics, PrintNoNonsenseForAnEmptyOrMinimalLog) {
  StatisticsCollector empty;
  EXPECT_EQ(to_text(empty.finish()), "no jobs\n");
  StatisticsCollector one;
  JobRecord record;
  record.submit = SimTime{};
  one.record(record);
  const std::string text = to_text(one.finish());
  EXPECT_THAT(text, ::testing::Not(HasSubstr("nan")));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("inf")));
}

TEST(TraceStatistics, PrintsColumnsApart) {
  StatisticsCollector collector;
  for (const std::int64_t runtime : {std::int64_t{1}, std::int64_t{0}, std::int64_t{86400}}) {
    JobRecord record = job(0, runtime, 1);
    record.limit = seconds(60000);
    collector.record(record);
  }
  const std::string text = to_text(collector.finish());
  const std::size_t at = text.find("run / limit");
  ASSERT_NE(at, std::string::npos);
  std::istringstream row(text.substr(at + 11, text.find('\n', at) - at - 11));
  std::vector<std::string> cells(std::istream_iterator<std::string>(row), {});
  EXPECT_EQ(cells.size(), 8U) << text;
  EXPECT_THAT(cells, ::testing::Contains("1.667e-05"));
}

TEST(OfferedLoad, IsDemandOverWhatTheClusterHasWhileJobsArrive) {
  testing::Binding binding(flat_pool(10));
  binding.add(job(0, 100, 5)).add(job(100, 50, 10)).add(job(200, 500, 20));
  const Bound bound = binding.finish();
  // The third is larger than the pool; limits are 200 s: (5 x 100 + 10 x 50) / (10 x 200).
  EXPECT_DOUBLE_EQ(offered_load(bound.workload, flat_pool(10)).value(), 0.5);
  EXPECT_FALSE(offered_load(Workload{}, flat_pool(10)).has_value());
}

}  // namespace
}  // namespace weft::workloads
