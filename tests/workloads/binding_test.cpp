// Decisions about rows: each rule with its default and its options.
#include "workloads/binding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/workloads/support.hpp"

namespace weft::workloads {
namespace {

using testing::bind_one;
using testing::Binding;
using ::testing::HasSubstr;
using testing::plain_record;
using testing::rejection;

BindOptions with(std::string_view name, std::string_view value) {
  BindOptions options;
  const auto refused = set_option(options, name, value);
  EXPECT_FALSE(refused.has_value()) << *refused;
  return options;
}

TEST(Binder, KeepsWhatASoundRowSays) {
  JobRecord record = plain_record();
  record.id = "77";
  record.submit = at_seconds(40);
  record.begin = at_seconds(50);
  record.user = "ann";
  record.account = "physics";
  record.partition = "3";
  record.qos = "high";
  record.profile = "gpt";
  record.priority = 5;
  record.line = 12;
  record.recorded_end = RecordedEnd::kFailed;
  const Bound bound = bind_one(flat_pool(8), record);
  ASSERT_EQ(bound.workload.jobs.size(), 1U);
  const Job& job = bound.workload.jobs[0];
  const Symbols& symbols = bound.workload.symbols;
  EXPECT_EQ(job.submit, at_seconds(40));
  EXPECT_EQ(job.eligible, at_seconds(50));
  EXPECT_EQ(job.runtime, seconds(100));
  EXPECT_EQ(job.limit, seconds(200));
  EXPECT_TRUE(job.has_own_limit);
  EXPECT_EQ(symbols.text(job.name), "77");
  EXPECT_EQ(symbols.text(job.user), "ann");
  EXPECT_EQ(symbols.text(job.account), "physics");
  EXPECT_EQ(symbols.text(job.partition), "3");
  EXPECT_EQ(symbols.text(job.qos), "high");
  EXPECT_EQ(symbols.text(job.profile), "gpt");
  EXPECT_EQ(job.priority, 5);
  EXPECT_EQ(job.line, 12U);
  EXPECT_EQ(job.recorded_end, RecordedEnd::kFailed);
  EXPECT_EQ(job.rejected, kNoSymbol);
  EXPECT_EQ(bound.summary.rows, 1U);
  EXPECT_EQ(bound.summary.jobs, 1U);
  EXPECT_TRUE(bound.summary.notes.empty());
  EXPECT_EQ(to_text(bound.summary), "");
}

TEST(Binder, TakesTheAllocatedSizeUnlessToldOtherwise) {
  JobRecord record = plain_record();
  record.allocated_processors = 4;
  record.requested_processors = 6;
  const Bound allocated = bind_one(flat_pool(8), record);
  EXPECT_EQ(allocated.workload.shapes.at(0).gpus, gpus(4));
  EXPECT_EQ(allocated.summary.count(ImportRule::kSizesDiffer), 1U);
  const Bound requested = bind_one(flat_pool(8), record, with("size", "requested"));
  EXPECT_EQ(requested.workload.shapes.at(0).gpus, gpus(6));
}

TEST(Binder, FallsBackToTheOtherSizeAndDropsARowWithNeither) {
  JobRecord record = plain_record();
  record.allocated_processors.reset();
  record.requested_processors = 6;
  const Bound fell_back = bind_one(flat_pool(8), record);
  EXPECT_EQ(fell_back.workload.shapes.at(0).gpus, gpus(6));
  EXPECT_EQ(fell_back.summary.count(ImportRule::kSizeFellBack), 1U);

  record.requested_processors = 0;
  const Bound dropped = bind_one(flat_pool(8), record);
  EXPECT_TRUE(dropped.workload.jobs.empty());
  EXPECT_EQ(dropped.summary.dropped, 1U);
  EXPECT_EQ(dropped.summary.count(ImportRule::kNoSize), 1U);
}

TEST(Binder, StopsARunAtItsLimitUnlessToldToExtendIt) {
  JobRecord record = plain_record();
  record.runtime = seconds(300);
  const Bound killed = bind_one(flat_pool(8), record);
  EXPECT_EQ(killed.workload.jobs[0].runtime, seconds(300));
  EXPECT_EQ(killed.workload.jobs[0].limit, seconds(200));
  EXPECT_EQ(killed.summary.count(ImportRule::kRunOverLimit), 1U);
  EXPECT_EQ(to_text(killed.summary),
            "run_over_limit: 1 job ran longer than their limit: stopped at it (log.swf:1)");
  const Bound extended = bind_one(flat_pool(8), record, with("run_over_limit", "extend"));
  EXPECT_EQ(extended.workload.jobs[0].limit, seconds(300));
}

TEST(Binder, RunsAZeroRuntimeForOneSecondOrDropsIt) {
  JobRecord record = plain_record();
  record.runtime = Duration{};
  const Bound run = bind_one(flat_pool(8), record);
  EXPECT_EQ(run.workload.jobs.at(0).runtime, seconds(1));
  EXPECT_EQ(run.summary.count(ImportRule::kZeroRuntime), 1U);
  const Bound dropped = bind_one(flat_pool(8), record, with("zero_runtime", "drop"));
  EXPECT_TRUE(dropped.workload.jobs.empty());
}

TEST(Binder, DropsAJobThatNeverRanUnlessGivenARuntime) {
  JobRecord record = plain_record();
  record.runtime.reset();
  const Bound dropped = bind_one(flat_pool(8), record);
  EXPECT_EQ(dropped.summary.count(ImportRule::kNoRuntime), 1U);
  EXPECT_TRUE(dropped.workload.jobs.empty());
  EXPECT_EQ(
      bind_one(flat_pool(8), record, with("missing_runtime", "limit")).workload.jobs.at(0).runtime,
      seconds(200));
  EXPECT_EQ(
      bind_one(flat_pool(8), record, with("missing_runtime", "1h")).workload.jobs.at(0).runtime,
      hours(1));
}

TEST(Binder, TakesTheRuntimeFromStartAndEnd) {
  JobRecord record = plain_record();
  record.runtime.reset();
  record.start = at_seconds(10);
  record.end = at_seconds(75);
  EXPECT_EQ(bind_one(flat_pool(8), record).workload.jobs.at(0).runtime, seconds(65));
}

// "Count the jobs without limit": five with, five without.
TEST(Binder, CountsJobsWithoutLimitAndSaysWhatItUsed) {
  const auto import = [](const BindOptions& options) {
    Binding binding(flat_pool(8), options);
    for (int i = 0; i < 10; ++i) {
      JobRecord record = plain_record();
      const std::string id = std::to_string(i + 1);
      record.id = id;
      record.line = static_cast<std::uint32_t>(i + 1);
      if (i % 2 == 0) {
        record.limit.reset();
      }
      binding.add(record);
    }
    return binding.finish();
  };
  const Bound bound = import({});
  EXPECT_EQ(bound.summary.count(ImportRule::kNoLimit), 5U);
  EXPECT_EQ(bound.workload.jobs[0].limit, seconds(100));
  EXPECT_FALSE(bound.workload.jobs[0].has_own_limit);
  EXPECT_THAT(to_text(bound.summary), HasSubstr("no_limit: 5 jobs without a limit"));
  EXPECT_THAT(to_text(bound.summary), HasSubstr("else their run time"));
  EXPECT_EQ(import(with("missing_limit", "unlimited")).workload.jobs[0].limit, kUnlimited);
  EXPECT_EQ(import(with("missing_limit", "4h")).workload.jobs[0].limit, hours(4));
}

ClusterLayout partitioned() {
  ClusterLayout layout = testing::cluster({{2, 8, 0}, {2, 4, 1}});
  layout.partitions.clear();
  PartitionInfo batch;
  batch.name = "batch";
  batch.nodes = {NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}};
  batch.default_limit = hours(1);
  PartitionInfo debug;
  debug.name = "debug";
  debug.nodes = {NodeId{2}, NodeId{3}};
  debug.max_limit = seconds(1800);
  layout.partitions = {batch, debug};
  finish_layout(layout);
  return layout;
}

TEST(Binder, RejectsALimitAboveThePartitionsNamingBothValuesTheJobAndItsLine) {
  JobRecord record = plain_record();
  record.id = "job17";
  record.limit = seconds(7200);
  record.partition = "debug";
  record.line = 31;
  const Bound bound = bind_one(partitioned(), record);
  EXPECT_EQ(rejection(bound),
            "job job17 (log.swf:31) asks for a limit of 7200 s, partition debug allows 1800 s");
  EXPECT_EQ(bound.summary.rejected, 1U);
  record.limit = seconds(1800);
  EXPECT_EQ(rejection(bind_one(partitioned(), record)), "");
  record.limit = kUnlimited;
  EXPECT_THAT(rejection(bind_one(partitioned(), record)), HasSubstr("asks for no limit"));
}

TEST(Binder, UsesThePartitionsDefaultThenItsMaximumWhereALimitIsMissing) {
  JobRecord record = plain_record();
  record.limit.reset();
  record.partition = "batch";
  EXPECT_EQ(bind_one(partitioned(), record).workload.jobs[0].limit, hours(1));
  record.partition = "debug";
  EXPECT_EQ(bind_one(partitioned(), record).workload.jobs[0].limit, seconds(1800));
  record.partition = "";
  EXPECT_EQ(bind_one(partitioned(), record).workload.jobs[0].limit, seconds(100));
}

TEST(Binder, BindsAKnownPartitionAndCountsAnUnknownOne) {
  JobRecord record = plain_record();
  record.partition = "debug";
  EXPECT_EQ(bind_one(partitioned(), record).workload.shapes[0].partition, PartitionId{1});
  record.partition = "gone";
  const Bound any = bind_one(partitioned(), record);
  EXPECT_EQ(any.workload.shapes[0].partition, kNoPartition);
  EXPECT_EQ(any.workload.symbols.text(any.workload.jobs[0].partition), "gone");
  EXPECT_EQ(any.summary.count(ImportRule::kUnknownPartition), 1U);
  EXPECT_EQ(bind_one(partitioned(), record, with("unknown_partition", "first"))
                .workload.shapes[0]
                .partition,
            PartitionId{0});
  EXPECT_EQ(rejection(bind_one(partitioned(), record, with("unknown_partition", "reject"))),
            "partition gone is not there; there are batch, debug");
}

TEST(Binder, LeavesThePartitionWordAloneWhereNoneIsConfigured) {
  JobRecord record = plain_record();
  record.partition = "vc-17";
  const Bound bound = bind_one(testing::cluster({{2, 8, 0}}), record);
  EXPECT_EQ(bound.workload.shapes[0].partition, kNoPartition);
  EXPECT_EQ(bound.workload.symbols.text(bound.workload.jobs[0].partition), "vc-17");
  EXPECT_TRUE(bound.summary.notes.empty());
}

// A job of 128 on 64: rejected, with both numbers.
TEST(Binder, RejectsDropsOrCapsAJobLargerThanTheMachine) {
  JobRecord record = plain_record();
  record.allocated_processors = 128;
  record.requested_processors = 128;
  const Bound bound = bind_one(flat_pool(64), record);
  EXPECT_EQ(rejection(bound), "asks for 128 processors; there are 64");
  EXPECT_EQ(bound.summary.rejected, 1U);
  EXPECT_EQ(bound.summary.count(ImportRule::kInfeasible), 1U);
  const Bound dropped = bind_one(flat_pool(64), record, with("too_large", "drop"));
  EXPECT_TRUE(dropped.workload.jobs.empty());
  EXPECT_EQ(dropped.summary.dropped, 1U);
  const Bound capped = bind_one(flat_pool(64), record, with("too_large", "cap"));
  EXPECT_EQ(capped.workload.shapes.at(0).gpus, gpus(64));
  EXPECT_EQ(rejection(capped), "");
}

TEST(Binder, SortsByTimeKeepingFileOrderAtTies) {
  Binding binding(flat_pool(8));
  const std::vector<std::pair<std::string, int>> rows = {
      {"a", 50}, {"b", 20}, {"c", 50}, {"d", 20}, {"e", 0}};
  std::uint32_t line = 0;
  for (const auto& [id, submit] : rows) {
    JobRecord record = plain_record();
    record.id = id;
    record.submit = at_seconds(submit);
    record.line = ++line;
    binding.add(record);
  }
  const Bound bound = binding.finish();
  std::string order;
  for (const Job& job : bound.workload.jobs) {
    order += bound.workload.symbols.text(job.name);
  }
  EXPECT_EQ(order, "ebdac");
  // b is earlier than a, d earlier than c, e earlier than d.
  EXPECT_EQ(bound.summary.count(ImportRule::kUnsorted), 3U);
}

TEST(Binder, CountsAndKeepsDuplicateIds) {
  const auto duplicates = [](const std::vector<std::string>& ids) {
    Binding binding(flat_pool(8));
    for (const std::string& id : ids) {
      JobRecord record = plain_record();
      record.id = id;
      binding.add(record);
    }
    const Bound bound = binding.finish();
    EXPECT_EQ(bound.workload.jobs.size(), ids.size());
    return bound.summary.count(ImportRule::kDuplicateId);
  };
  EXPECT_EQ(duplicates({"1", "2", "3"}), 0U);
  EXPECT_EQ(duplicates({"1", "2", "2", "3", "1"}), 2U);
  EXPECT_EQ(duplicates({"5", "3", "4", "3", "x", "x", "5"}), 3U);
  EXPECT_EQ(duplicates({"1", "01", "1.0"}), 0U);
  EXPECT_EQ(duplicates({"", "", ""}), 0U);  // numbered by row
}

TEST(Binder, NumbersRowsWithoutAnId) {
  Binding binding(flat_pool(8));
  JobRecord record = plain_record();
  record.id = "";
  binding.add(record).add(record);
  const Bound bound = binding.finish();
  EXPECT_EQ(bound.workload.symbols.text(bound.workload.jobs[1].name), "2");
}

TEST(Binder, DropsRowsWithoutSubmitAndRefusesALogOfOnlyThose) {
  Binding some(flat_pool(8));
  JobRecord without = plain_record();
  without.submit.reset();
  some.add(plain_record()).add(without);
  EXPECT_EQ(some.finish().summary.count(ImportRule::kNoSubmit), 1U);
  EXPECT_TRUE(some.diagnostics.ok());

  Binding none(flat_pool(8));
  none.add(without).add(without);
  static_cast<void>(none.finish());
  ASSERT_EQ(none.diagnostics.errors().size(), 1U);
  EXPECT_THAT(to_string(none.diagnostics.errors()[0]), HasSubstr("submit: found no submit time"));
}

TEST(Binder, RefusesTimesBeyondWhatCanBeAdded) {
  Binding binding(flat_pool(8));
  JobRecord record = plain_record();
  record.line = 9;
  record.runtime = days(365 * 100);
  record.limit.reset();
  binding.add(record);
  record = plain_record();
  record.line = 10;
  record.submit = SimTime::at(days(365 * 40));
  binding.add(record);
  static_cast<void>(binding.finish());
  ASSERT_EQ(binding.diagnostics.errors().size(), 2U);
  EXPECT_EQ(binding.diagnostics.errors()[0].at.line, 9U);
  EXPECT_EQ(binding.diagnostics.errors()[1].at.line, 10U);
}

TEST(Binder, ReadsAVeryLongLimitAsNone) {
  JobRecord record = plain_record();
  record.limit = days(365 * 99);
  EXPECT_EQ(bind_one(flat_pool(8), record).workload.jobs[0].limit, kUnlimited);
}

Bound three_jobs(BindOptions options, std::int64_t first = 1000) {
  Binding binding(flat_pool(8), options);
  for (const std::int64_t at : {0, 10, 40}) {
    JobRecord record = plain_record();
    const std::string id = "j" + std::to_string(at);
    record.id = id;
    record.submit = at_seconds(first + at);
    record.begin = at_seconds(first + at + 3);
    binding.add(record);
  }
  return binding.finish();
}

TEST(Binder, RebasesCalendarTimesToTheFirstSubmit) {
  BindOptions options;
  EXPECT_EQ(three_jobs(options, 1'000'000).workload.jobs[0].submit, at_seconds(1'000'000));
  options.time_base = BindOptions::TimeBase::kFirstSubmit;
  const Bound bound = three_jobs(options, 1'700'000'000);
  EXPECT_EQ(bound.summary.offset, seconds(1'700'000'000));
  EXPECT_EQ(bound.workload.jobs[0].submit, SimTime{});
  EXPECT_EQ(bound.workload.jobs[2].submit, at_seconds(40));
  EXPECT_EQ(bound.workload.jobs[2].eligible, at_seconds(43));
}

TEST(Binder, DividesArrivalGapsByTheLoadFactor) {
  const Bound bound = three_jobs(with("load_factor", "0.8"));  // gaps 10, 30 -> 12.5, 37.5
  EXPECT_EQ(bound.workload.jobs[0].submit, at_seconds(1000));
  EXPECT_EQ(bound.workload.jobs[1].submit, SimTime::at(nanoseconds(1'012'500'000'000)));
  EXPECT_EQ(bound.workload.jobs[2].submit, at_seconds(1050));
  EXPECT_EQ(bound.workload.jobs[2].eligible, at_seconds(1053));
  EXPECT_EQ(bound.workload.jobs[2].runtime, seconds(100));
}

TEST(Binder, RepeatsTheTraceOneMeanGapAfterItsLastSubmit) {
  const Bound bound = three_jobs(with("repeat", "3"));  // span 40, mean gap 20: period 60
  const auto& jobs = bound.workload.jobs;
  ASSERT_EQ(jobs.size(), 9U);
  const std::vector<std::int64_t> expected = {0, 10, 40, 60, 70, 100, 120, 130, 160};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i].submit, at_seconds(1000 + expected[i]));
    EXPECT_EQ(jobs[i].eligible, at_seconds(1003 + expected[i]));
  }
  EXPECT_EQ(bound.workload.symbols.text(jobs[0].name), "j0");
  EXPECT_EQ(bound.workload.symbols.text(jobs[4].name), "j10.2");
  EXPECT_EQ(bound.workload.symbols.text(jobs[8].name), "j40.3");
  EXPECT_EQ(bound.summary.jobs, 9U);
}

TEST(Binder, RefusesARepeatOrLoadFactorThatLeavesTheTimeRange) {
  for (const auto& [name, value] :
       {std::pair{"repeat", "1000000"}, {"load_factor", "0.000000001"}}) {
    Binding binding(flat_pool(8), with(name, value));
    JobRecord record = plain_record();
    binding.add(record);
    record.submit = SimTime::at(days(300));
    record.id = "2";
    binding.add(record);
    static_cast<void>(binding.finish());
    EXPECT_FALSE(binding.diagnostics.ok()) << name;
  }
}

// A first job at 1000 s and a gap of ten days are as good as any other arrivals.
TEST(Binder, TakesAnyArrivalPattern) {
  Binding binding(flat_pool(8));
  for (const std::int64_t at :
       {std::int64_t{1000}, std::int64_t{1000}, 1000 + 10 * std::int64_t{86400}}) {
    JobRecord record = plain_record();
    record.submit = at_seconds(at);
    binding.add(record);
  }
  const Bound bound = binding.finish();
  EXPECT_TRUE(binding.diagnostics.ok());
  EXPECT_EQ(bound.workload.jobs[2].submit - bound.workload.jobs[0].submit, days(10));
}

TEST(Binder, NamesTheFirstFiveLinesOfARule) {
  Binding binding(flat_pool(8));
  for (std::uint32_t line = 10; line < 20; ++line) {
    JobRecord record = plain_record();
    const std::string id = std::to_string(line);
    record.id = id;
    record.runtime = Duration{};
    record.line = line;
    binding.add(record);
  }
  EXPECT_THAT(to_text(binding.finish().summary),
              HasSubstr("10 jobs with run time 0: run 1 s (first log.swf:10, 11, 12, 13, 14)"));
}

TEST(BindOptions, RefuseUnknownWordsNamingTheAllowedOnes) {
  BindOptions options;
  EXPECT_THAT(set_option(options, "size", "alocated").value_or(""),
              HasSubstr("did you mean 'allocated'?"));
  EXPECT_THAT(set_option(options, "missing_limit", "5").value_or(""), HasSubstr("duration"));
  EXPECT_THAT(set_option(options, "colour", "red").value_or(""), HasSubstr("load_factor"));
  for (const char* const bad :
       {"0", "-1", "1.", ".5", "1e3", "nan", "inf", "", "0.0", "1234567890"}) {
    EXPECT_TRUE(set_option(options, "load_factor", bad).has_value()) << bad;
  }
  for (const char* const bad : {"0", "-1", "1.5", "", "9999999999"}) {
    EXPECT_TRUE(set_option(options, "repeat", bad).has_value()) << bad;
  }
}

TEST(Ratio, IsExact) {
  EXPECT_EQ(parse_ratio("1.2").value(), (Ratio{12, 10}));
  EXPECT_EQ(parse_ratio("3").value(), (Ratio{3, 1}));
  EXPECT_EQ(parse_ratio("0.000000001").value(), (Ratio{1, 1'000'000'000}));
}

// Against the definition: sort the rows, and each kept row keeps its own times.
TEST(Binder, AgreesWithAPlainRecountOnRandomLogs) {
  const bool holds = rc::check("random logs", [] {
    const auto rows = *rc::gen::inRange(0, 60);
    struct Row {
      std::string id;
      std::int64_t submit;
      std::int64_t runtime;
      std::int64_t limit;
      std::int64_t size;
    };
    std::vector<Row> all;
    Binding binding(flat_pool(16));
    for (int i = 0; i < rows; ++i) {
      Row row{std::to_string(*rc::gen::inRange(1, 80)),
              *rc::gen::inRange(0, 30),
              *rc::gen::inRange(0, 5),
              *rc::gen::inRange(-1, 5),
              *rc::gen::inRange(0, 20)};
      JobRecord record = plain_record();
      record.id = row.id;
      record.submit = at_seconds(row.submit);
      record.runtime = seconds(row.runtime);
      if (row.limit >= 0) {
        record.limit = seconds(row.limit);
      } else {
        record.limit.reset();
      }
      record.allocated_processors = row.size;
      record.requested_processors.reset();
      record.line = static_cast<std::uint32_t>(i + 1);
      binding.add(record);
      all.push_back(row);
    }
    const Bound bound = binding.finish();
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].size > 0) {
        kept.push_back(i);
      }
    }
    std::stable_sort(kept.begin(), kept.end(), [&](std::size_t a, std::size_t b) {
      return all[a].submit < all[b].submit;
    });
    RC_ASSERT(bound.workload.jobs.size() == kept.size());
    std::uint64_t rejected = 0;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const Row& row = all[kept[j]];
      const Job& job = bound.workload.jobs[j];
      const std::int64_t runtime = std::max<std::int64_t>(row.runtime, 1);
      RC_ASSERT(bound.workload.symbols.text(job.name) == row.id);
      RC_ASSERT(job.line == kept[j] + 1);
      RC_ASSERT(job.runtime == seconds(runtime));
      RC_ASSERT(job.limit == seconds(row.limit > 0 ? row.limit : runtime));
      RC_ASSERT(bound.workload.shapes[index(job.shape)].gpus == gpus(row.size));
      RC_ASSERT((job.rejected != kNoSymbol) == (row.size > 16));
      rejected += row.size > 16 ? 1U : 0U;
    }
    RC_ASSERT(bound.summary.rejected == rejected);
    std::uint64_t seen_before = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].size > 0) {
        for (std::size_t k = 0; k < i; ++k) {
          if (all[k].size > 0 && all[k].id == all[i].id) {
            ++seen_before;
            break;
          }
        }
      }
    }
    RC_ASSERT(bound.summary.count(ImportRule::kDuplicateId) == seen_before);
  });
  EXPECT_TRUE(holds);
}

TEST(ImportSummary, NamesEachPlaceOnceAndSaysHowManyCopies) {
  ImportSummary summary;
  const auto place = [](std::uint32_t line) {
    return Source{std::make_shared<const std::string>("a.swf"), line, 0};
  };
  summary.notes.push_back({ImportRule::kNoLimit, 6, "6 jobs", {place(1), place(2), place(1)}});
  EXPECT_EQ(to_text(summary), "no_limit: 6 jobs (first a.swf:1, 2)");

  JobRecord zero = plain_record();
  zero.runtime = Duration{};
  const Bound bound = bind_one(flat_pool(4), zero, with("repeat", "2"));
  EXPECT_EQ(bound.summary.jobs, 2U);
  EXPECT_THAT(to_text(bound.summary),
              HasSubstr("1 job with run time 0: run 1 s, in each of 2 copies"));
}

}  // namespace
}  // namespace weft::workloads
