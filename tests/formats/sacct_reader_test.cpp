#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "tests/formats/reader_support.hpp"

namespace weft::formats {
namespace {

using testing_support::KeptRecord;
using testing_support::read_text;
using testing_support::ReadResult;

ReadResult read_sacct_text(std::string_view text, const ReadOptions& options = {}) {
  return read_text(text, JobFormat::kSacct, options);
}

constexpr std::string_view kDump =
    "JobID|JobName|User|Account|Partition|QOS|Submit|Eligible|Start|End|Elapsed|Timelimit|State|"
    "NNodes|AllocCPUS|ReqMem|ReqTRES|NodeList\n"
    "10|train|ann|physics|gpu|high|2024-03-01T10:00:00|2024-03-01T10:08:20|2024-03-01T10:08:50|"
    "2024-03-01T11:08:50|01:00:00|02:00:00|COMPLETED|2|64|16Gn|cpu=64,gres/gpu:h100=16,node=2|"
    "gpu[01-02]\n"
    "10.batch|batch||physics||||2024-03-01T10:08:50|2024-03-01T10:08:50|2024-03-01T11:08:50|"
    "01:00:00||COMPLETED|1|32|||gpu01\n"
    "11|probe|bob|physics|gpu|low|2024-03-01T09:59:00|2024-03-01T09:59:00|Unknown|"
    "2024-03-01T10:30:00|00:00:00|UNLIMITED|CANCELLED by 501|1|8|4000Mc|cpu=8,node=1|"
    "None assigned\n";

TEST(SacctReader, ReadsADump) {
  const ReadResult r = read_sacct_text(kDump);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 2U);
  const KeptRecord& train = r.records[0];
  EXPECT_EQ(train.id, "10");
  EXPECT_EQ(train.job.submit, at_seconds(60));  // time 0 is the first submission, job 11's
  EXPECT_EQ(train.job.begin, at_seconds(560));  // eligible 500 s after its submission
  EXPECT_EQ(train.job.start, at_seconds(590));
  EXPECT_EQ(train.job.runtime, hours(1));
  EXPECT_EQ(train.job.limit, hours(2));
  EXPECT_EQ(train.job.nodes, 2);
  EXPECT_EQ(train.job.gpus, gpus(16));
  EXPECT_EQ(train.job.cpus, cpus(64));
  EXPECT_EQ(train.job.memory_per_node, bytes(std::int64_t{16} << 30));
  EXPECT_EQ(train.gpu_models, "h100");
  EXPECT_EQ(train.user + train.account + train.partition + train.qos + train.profile,
            "annphysicsgpuhightrain");
  EXPECT_EQ(train.recorded_nodes, "gpu[01-02]");
  const KeptRecord& probe = r.records[1];
  EXPECT_EQ(probe.job.submit, at_seconds(0));
  EXPECT_FALSE(probe.job.start || probe.job.runtime || probe.job.end);
  EXPECT_EQ(probe.job.limit, kUnlimited);
  EXPECT_EQ(probe.job.recorded_end, RecordedEnd::kCancelled);
  EXPECT_EQ(probe.job.memory, bytes(std::int64_t{32'000} << 20));
  EXPECT_EQ(r.note_rows("job step"), 1U);
  EXPECT_EQ(r.note_rows("never started"), 1U);
  EXPECT_TRUE(r.info.zero_is_first_submit);
  EXPECT_EQ(r.info.zero_unix_ns, std::int64_t{1'709'287'140} * kNsPerSecond);
  EXPECT_EQ(r.info.time_zone, "UTC");
}

// Two nodes of four cores each; what every node must have.
TEST(SacctReader, TurnsRequestedMemoryIntoWhatItMeans) {
  const auto per_node_mib = [](std::string_view mem) -> std::int64_t {
    const ReadResult r = read_sacct_text(
        "JobID|Submit|NNodes|ReqCPUS|ReqMem\n1|2024-01-01T00:00:00|2|8|" + std::string(mem) + "\n");
    EXPECT_EQ(r.records.size(), 1U) << r.errors();
    const workloads::JobRecord& job = r.records.at(0).job;
    if (job.memory_per_node) {
      return job.memory_per_node->raw() >> 20;
    }
    return job.memory ? (job.memory->raw() >> 20) / *job.nodes : -1;
  };
  EXPECT_EQ(per_node_mib("4000Mc"), 16000);
  EXPECT_EQ(per_node_mib("16Gn"), 16 * 1024);
  EXPECT_EQ(per_node_mib("32G"), 16 * 1024);
  EXPECT_EQ(per_node_mib("0n"), -1);
}

TEST(SacctReader, FindsTheDelimiterAndAnyOrderOfColumns) {
  const ReadResult r = read_sacct_text(
      "State;Elapsed;NNodes;Submit;JobID\n"
      "COMPLETED;00:18.500;3;2024-01-01T00:00:00;5\n");
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 1U);
  EXPECT_EQ(r.records[0].job.runtime->raw(), 18'500'000'000);
  std::string missing;
  for (const MissingColumn& m : r.info.missing_columns) {
    missing += m.column + ":" + m.instead + ";";
  }
  EXPECT_NE(missing.find("ReqMem:memory does not bind"), std::string::npos) << missing;
  EXPECT_NE(missing.find("Timelimit:"), std::string::npos);
  EXPECT_EQ(missing.find("Submit:"), std::string::npos);
}

TEST(SacctReader, TakesQuotedCommasAndCopiedCommandLines) {
  const ReadResult r = read_sacct_text(
      "$ sacct -P --format=ALL\n"
      "JobID,Submit,Elapsed,ReqTRES\n1,2024-01-01T00:00:00,01:00,\"cpu=4,gres/gpu=2\"\n");
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 1U);
  EXPECT_EQ(r.records[0].job.gpus, gpus(2));
}

TEST(SacctReader, TakesClosedLines) {
  const ReadResult r = read_sacct_text("JobID|Submit|Elapsed|\r\n1|2024-01-01T00:00:00|01:00|\r\n");
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  EXPECT_EQ(r.records.size(), 1U);
  EXPECT_EQ(r.info.columns.size(), 3U);
}

// All ways to ask for GPUs end up in the accounting lists; only some in GRES.
TEST(SacctReader, CountsGpusHoweverTheyWereAskedFor) {
  const ReadResult r = read_sacct_text(
      "JobID|Submit|NNodes|ReqGRES|ReqTRES\n"
      "1|2024-01-01T00:00:00|2|gpu:4|cpu=2,gres/gpu=4,node=2\n"
      "2|2024-01-01T00:00:00|2||cpu=2,gres/gpu=4,node=2\n"
      "3|2024-01-01T00:00:00|1||cpu=2,gres/gpu=3\n"
      "4|2024-01-01T00:00:00|1||cpu=5,gres/gpu=5\n"
      "5|2024-01-01T00:00:00|1|(null)|cpu=5\n");
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  std::int64_t total = 0;
  for (const KeptRecord& job : r.records) {
    total += job.job.gpus->raw();
  }
  EXPECT_EQ(total, 16'000);
  EXPECT_EQ(r.records[4].job.gpus, gpus(0));
}

TEST(SacctReader, PrefersTheSizeAskedForUnlessToldOtherwise) {
  constexpr std::string_view kBoth =
      "JobID|Submit|ReqCPUS|AllocCPUS|ReqTRES|AllocTRES\n"
      "1|2024-01-01T00:00:00|4|64|cpu=4,gres/gpu=1|cpu=64,gres/gpu:a100=8\n"
      "2|2024-01-01T00:00:00|4|0|cpu=4,gres/gpu=1|\n";
  const ReadResult asked = read_sacct_text(kBoth);
  EXPECT_EQ(asked.records[0].job.gpus, gpus(1));
  EXPECT_EQ(asked.records[0].job.cpus, cpus(4));
  ReadOptions options;
  options.size = SizeSource::kAllocated;
  const ReadResult got = read_sacct_text(kBoth, options);
  EXPECT_EQ(got.records[0].job.gpus, gpus(8));
  EXPECT_EQ(got.records[0].job.cpus, cpus(64));
  EXPECT_EQ(got.records[0].gpu_models, "");     // what was given is no wish
  EXPECT_EQ(got.records[1].job.gpus, gpus(1));  // nothing allocated: what was asked for
}

TEST(SacctReader, ExpandsArraysAndKeepsTasks) {
  const ReadResult r = read_sacct_text(
      "JobID|Submit|State|Elapsed\n"
      "12_[3-5%2]|2024-01-01T00:00:00|PENDING|00:00:00\n"
      "12_1|2024-01-01T00:00:00|COMPLETED|00:10:00\n");
  ASSERT_EQ(r.records.size(), 4U) << r.errors();
  EXPECT_EQ(r.records[0].id, "12_3");
  EXPECT_EQ(r.records[2].id, "12_5");
  EXPECT_EQ(r.records[3].id, "12_1");
  EXPECT_EQ(r.note_rows("job array"), 1U);
}

TEST(SacctReader, MakesOneJobOfARequeuedOnesAttempts) {
  const ReadResult r = read_sacct_text(
      "JobID|JobName|User|Submit|Start|Elapsed|State\n"
      "7|a|ann|2024-01-01T00:00:00|2024-01-01T00:00:10|00:05:00|NODE_FAIL\n"
      "8|b|ann|2024-01-01T00:00:05|2024-01-01T00:00:10|00:05:00|COMPLETED\n"
      "7|a|ann|2024-01-01T00:05:10|2024-01-01T00:06:00|00:20:00|COMPLETED\n"
      "8|other|bob|2024-02-01T00:00:00|2024-02-01T00:00:10|00:01:00|COMPLETED\n");
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 3U);
  EXPECT_EQ(r.records[1].id, "7");
  EXPECT_EQ(r.records[1].job.submit, at_seconds(0));  // when it first was submitted
  EXPECT_EQ(r.records[1].job.runtime, minutes(20));   // of the attempt that counts
  EXPECT_EQ(r.note_rows("earlier attempt"), 1U);
  EXPECT_EQ(r.note_rows("id used again"), 1U);
}

TEST(SacctReader, TakesTheTimeSoFarOfRunningJobs) {
  const ReadResult r = read_sacct_text(
      "JobID|Submit|Start|End|Elapsed|State\n"
      "1|2024-01-01T00:00:00|2024-01-01T00:00:10|Unknown|1-00:00:00|RUNNING\n");
  ASSERT_EQ(r.records.size(), 1U) << r.errors();
  EXPECT_EQ(r.records[0].job.runtime, days(1));
  EXPECT_FALSE(r.records[0].job.end.has_value());
  EXPECT_EQ(r.note_rows("still running"), 1U);
}

TEST(SacctReader, UnderstandsDelimitersInsideNames) {
  const ReadResult r = read_sacct_text(
      "JobID|Submit|Constraints|State|NNodes|JobName|NTasks\n"
      "1|2024-01-01T00:00:00||COMPLETED|1|plain|\n"
      "2|2024-01-01T00:00:00||COMPLETED|2|a||b|\n"
      "3|2024-01-01T00:00:00|x|y|COMPLETED|3|c|d|4\n");
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 3U);
  EXPECT_EQ(r.records[0].profile, "plain");
  EXPECT_EQ(r.records[1].profile, "a||b");
  EXPECT_EQ(r.records[2].profile, "c|d");
  EXPECT_EQ(r.records[2].job.nodes, 3);
  EXPECT_EQ(r.note_rows("delimiter inside"), 2U);
}

TEST(SacctReader, ReadsTimesInTheGivenZone) {
  constexpr std::string_view kText =
      "JobID|Submit\n1|2024-07-01T12:00:00\n2|2024-12-01T12:00:00\n3|1719828000\n";
  ReadOptions options;
  options.time_zone = "+02:00";
  const ReadResult fixed = read_sacct_text(kText, options);
  ASSERT_TRUE(fixed.diagnostics.ok()) << fixed.errors();
  EXPECT_EQ(fixed.info.zero_unix_ns, std::int64_t{1'719'828'000} * kNsPerSecond);
  EXPECT_EQ(fixed.records[2].job.submit, at_seconds(0));
  options.time_zone = "Mars/Olympus";
  EXPECT_FALSE(read_sacct_text(kText, options).diagnostics.ok());
}

TEST(SacctReader, RefusesADumpWithoutSubmissionTimes) {
  const ReadResult r = read_sacct_text("JobID|Elapsed|NNodes\n1|00:10|2\n2|00:10|2\n");
  ASSERT_EQ(r.diagnostics.errors().size(), 1U) << r.errors();
  EXPECT_EQ(r.diagnostics.errors()[0].key, "Submit");
  EXPECT_NE(r.errors().find("generate arrivals"), std::string::npos);
}

// The same jobs whatever the order of the columns.
TEST(SacctReader, ReadsTheSameJobsFromShuffledColumns) {
  std::vector<std::vector<std::string>> rows;
  std::string cell;
  rows.emplace_back();
  for (const char c : kDump) {
    if (c == '|' || c == '\n') {
      rows.back().push_back(cell);
      cell.clear();
      if (c == '\n') {
        rows.emplace_back();
      }
    } else {
      cell += c;
    }
  }
  rows.pop_back();
  const ReadResult plain = read_sacct_text(kDump);
  std::mt19937_64 random(1);  // NOLINT: a fixed seed, so that a failure repeats
  std::vector<std::size_t> order(rows[0].size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  for (int round = 0; round < 50; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    std::string text;
    for (const std::vector<std::string>& row : rows) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        text += (i == 0 ? "" : "|") + row[order[i]];
      }
      text += '\n';
    }
    const ReadResult shuffled = read_sacct_text(text);
    ASSERT_TRUE(shuffled.diagnostics.ok()) << text << shuffled.errors();
    ASSERT_EQ(shuffled.records.size(), plain.records.size());
    for (std::size_t i = 0; i < plain.records.size(); ++i) {
      EXPECT_EQ(testing_support::all_fields(shuffled.records[i]),
                testing_support::all_fields(plain.records[i]));
    }
  }
}

}  // namespace
}  // namespace weft::formats
