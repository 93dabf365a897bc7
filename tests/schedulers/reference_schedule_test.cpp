// Every start of 28,481 jobs of the KTH-SP2 log on 100 processors, against schedules made by
// another implementation of the same rules.
#include <string>

#include <gtest/gtest.h>

#include "schedulers/registry.hpp"
#include "tests/schedulers/replay.hpp"
#include "tests/schedulers/swf_log.hpp"

namespace weft::schedulers::testing {
namespace {

struct Case {
  const char* kind;
  const char* log;
  const char* expected;
  double bounded_slowdown;
};

class ReferenceSchedule : public ::testing::TestWithParam<Case> {};

TEST_P(ReferenceSchedule, EveryStartIsEqual) {
  const Case& c = GetParam();
  const auto log = reference_file(std::string("traces/swf/") + c.log);
  const auto schedule = reference_file(std::string("traces/swf/expected/") + c.expected);
  if (!log || !schedule) {
    GTEST_SKIP() << "reference data not found: set WEFT_SHARED";
  }
  const Workload workload = read_swf(*log);
  const auto expected = read_starts(*schedule);
  ASSERT_EQ(workload.jobs.size(), 28'481U);
  ASSERT_EQ(expected.size(), workload.jobs.size());

  const ClusterLayout layout = flat_pool(100);
  SchedulerConfig config;
  config.kind = c.kind;
  const auto scheduler = make_scheduler(config);
  const Outcome outcome = Replay(layout, workload).run(*scheduler);
  ASSERT_EQ(outcome.fault, "");
  std::size_t differ = 0;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    const std::uint32_t id = workload.jobs[j].line;
    ASSERT_TRUE(expected.contains(id)) << "job " << id;
    if (outcome.start[j] != expected.at(id) && differ++ < 5) {
      ADD_FAILURE() << "job " << id << " starts at " << outcome.start[j] << " ns, expected "
                    << expected.at(id);
    }
  }
  EXPECT_EQ(differ, 0U);
  EXPECT_NEAR(mean_bounded_slowdown(workload, outcome),
              c.bounded_slowdown,
              c.bounded_slowdown > 1000 ? 0.005 : 0.00005);
}

INSTANTIATE_TEST_SUITE_P(
    Kth,
    ReferenceSchedule,
    ::testing::Values(Case{"fcfs", "KTH-SP2.detied.swf", "KTH-SP2.detied.fcfs.csv", 6878.90},
                      Case{"easy", "KTH-SP2.detied.swf", "KTH-SP2.detied.easy.csv", 93.0939},
                      Case{"fcfs",
                           "KTH-SP2.sc15-filtered.swf",
                           "KTH-SP2.sc15-filtered.fcfs.tie-batch.csv",
                           6814.97},
                      Case{"easy",
                           "KTH-SP2.sc15-filtered.swf",
                           "KTH-SP2.sc15-filtered.easy.tie-batch.csv",
                           92.6877},
                      Case{
                          "conservative", "KTH-SP2.detied.swf", "KTH-SP2.detied.cons.csv", 88.4590},
                      Case{"conservative",
                           "KTH-SP2.sc15-filtered.swf",
                           "KTH-SP2.sc15-filtered.cons.tie-batch.csv",
                           88.9666}));

}  // namespace
}  // namespace weft::schedulers::testing
