#include <gtest/gtest.h>

#include "tests/formats/reader_support.hpp"

namespace weft::formats {
namespace {

using testing_support::read_text;
using testing_support::ReadResult;

constexpr std::string_view kRow = "7 100 20 300 4 -1 -1 8 600 1024 1 3 2 9 5 -1 -1 -1\n";

TEST(SwfReader, ReadsEveryField) {
  const ReadResult r = read_text(kRow, JobFormat::kSwf);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 1U);
  const auto& [job, id, models, profile, user, account, partition, qos, nodes] = r.records[0];
  EXPECT_EQ(id, "7");
  EXPECT_EQ(job.submit, at_seconds(100));
  EXPECT_EQ(job.start, at_seconds(120));
  EXPECT_EQ(job.end, at_seconds(420));
  EXPECT_EQ(job.runtime, seconds(300));
  EXPECT_EQ(job.limit, seconds(600));
  EXPECT_EQ(job.allocated_processors, 4);
  EXPECT_EQ(job.requested_processors, 8);
  EXPECT_EQ(job.memory, bytes(8 * 1024 * 1024));  // 1024 kB for each of 8 processors
  EXPECT_EQ(job.recorded_end, RecordedEnd::kCompleted);
  EXPECT_EQ(user, "3");
  EXPECT_EQ(account, "2");
  EXPECT_EQ(profile, "9");
  EXPECT_EQ(partition, "5");
  EXPECT_FALSE(job.gpus.has_value());
}

TEST(SwfReader, LeavesUnknownFieldsEmpty) {
  const ReadResult r =
      read_text("1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1", JobFormat::kSwf);
  ASSERT_EQ(r.records.size(), 1U);
  const workloads::JobRecord& job = r.records[0].job;
  EXPECT_FALSE(job.submit || job.start || job.end || job.runtime || job.limit || job.memory);
  EXPECT_FALSE(job.allocated_processors || job.requested_processors);
  EXPECT_EQ(job.recorded_end, RecordedEnd::kUnknown);
  EXPECT_EQ(r.records[0].user, "");
}

TEST(SwfReader, ReadsFractionsExactly) {
  const ReadResult r = read_text(
      "1 97224.552583 0 9382.000001 1 -1.0 12.5 1 1e3 -1 1 1 1 1 1 1 -1 -1", JobFormat::kSwf);
  ASSERT_EQ(r.records.size(), 1U) << r.errors();
  EXPECT_EQ(r.records[0].job.submit->ns(), 97'224'552'583'000);
  EXPECT_EQ(r.records[0].job.runtime->raw(), 9'382'000'001'000);
  EXPECT_EQ(r.records[0].job.limit, seconds(1000));
}

TEST(SwfReader, TakesBlanksTabsAndDosLineEndsAsSeparators) {
  std::string row(kRow);
  row.pop_back();
  for (char& c : row) {
    c = c == ' ' ? '\t' : c;
  }
  const ReadResult r =
      read_text("\r\n; MaxProcs: 128\r\n   " + row + "  \r\n\r\n" + row, JobFormat::kSwf);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 2U);
  EXPECT_EQ(r.records[0].job.line, 3U);
  EXPECT_EQ(r.records[1].job.line, 5U);
  EXPECT_EQ(r.records[0].partition, "5");
  EXPECT_EQ(r.info.header_value("MaxProcs"), "128");
}

TEST(SwfReader, ReadsTheHeader) {
  const ReadResult r = read_text(
      "; Version: 2.2\n;Computer:  Alpha \n; Note: a text\n;   that goes on: here\n; "
      "UnixStartTime: 1000\n; Queue: 1 a\n; Queue: 2 b\n" +
          std::string(kRow) + "; a comment between rows\n" + std::string(kRow),
      JobFormat::kSwf);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  EXPECT_EQ(r.info.header_value("Computer"), "Alpha");
  EXPECT_EQ(r.info.zero_unix_ns, std::int64_t{1000} * kNsPerSecond);
  EXPECT_FALSE(r.info.zero_is_first_submit);
  EXPECT_EQ(r.info.header.size(), 6U);  // the continuation is no key
  EXPECT_EQ(r.info.rows, 2U);
}

TEST(SwfReader, KeepsOldCommentsOutOfTheOutputsWay) {
  const ReadResult r = read_text("; Acknowledge: Jos\xE9\n" + std::string(kRow), JobFormat::kSwf);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  EXPECT_EQ(r.info.header_value("Acknowledge"), "Jos?");
}

TEST(SwfReader, MapsTheStatus) {
  const RecordedEnd expected[] = {RecordedEnd::kFailed,
                                  RecordedEnd::kCompleted,
                                  RecordedEnd::kUnknown,
                                  RecordedEnd::kCompleted,
                                  RecordedEnd::kFailed,
                                  RecordedEnd::kCancelled};
  for (int status = 0; status <= 5; ++status) {
    const ReadResult r = read_text(
        "1 0 0 1 1 -1 -1 1 1 -1 " + std::to_string(status) + " 1 1 1 1 1 -1 -1", JobFormat::kSwf);
    ASSERT_EQ(r.records.size(), 1U) << status;
    EXPECT_EQ(r.records[0].job.recorded_end, expected[status]) << status;
  }
}

// A checkpointed job has a row of its own and one for each of its parts.
TEST(SwfReader, LeavesOutThePartsOfAJobThatHasItsOwnRow) {
  const ReadResult r = read_text(
      "1 0 0 90 1 -1 -1 1 99 -1 1 1 1 1 1 1 -1 -1\n"
      "1 0 0 40 1 -1 -1 1 99 -1 2 1 1 1 1 1 -1 -1\n"
      "1 50 0 50 1 -1 -1 1 99 -1 3 1 1 1 1 1 -1 -1\n"
      "2 60 0 5 1 -1 -1 1 99 -1 3 1 1 1 1 1 -1 -1\n",
      JobFormat::kSwf);
  ASSERT_EQ(r.records.size(), 2U);
  EXPECT_EQ(r.records[0].job.runtime, seconds(90));
  EXPECT_EQ(r.records[1].id, "2");  // parts only: they are all there is
  EXPECT_EQ(r.note_rows("part of a job"), 2U);
}

TEST(SwfReader, CapsMemoryThatDoesNotFit) {
  const ReadResult r =
      read_text("1 0 0 1 1 -1 -1 2147483647 1 9000000000 1 1 1 1 1 1 -1 -1", JobFormat::kSwf);
  ASSERT_EQ(r.records.size(), 1U) << r.errors();
  EXPECT_EQ(r.records[0].job.memory, bytes(std::numeric_limits<std::int64_t>::max() / 4));
}

TEST(SwfReader, SkipsBadRowsWhenAsked) {
  ReadOptions options;
  options.skip_bad_rows = true;
  const ReadResult r = read_text(
      std::string(kRow) + "8 x y 300\n" + std::string(kRow) + "9\n", JobFormat::kSwf, options);
  EXPECT_TRUE(r.diagnostics.ok());
  EXPECT_EQ(r.records.size(), 2U);
  EXPECT_EQ(r.info.bad_lines, (std::vector<std::uint32_t>{2, 4}));
  EXPECT_EQ(r.info.rows, 4U);
  EXPECT_EQ(r.info.records, 2U);
  EXPECT_EQ(r.diagnostics.warnings().size(), 4U);  // x, y, too few fields; too few fields
}

TEST(SwfReader, RefusesAFileWithoutAnyUsableJob) {
  ReadOptions options;
  options.skip_bad_rows = true;
  EXPECT_FALSE(read_text("; only a header\n", JobFormat::kSwf).diagnostics.ok());
  EXPECT_FALSE(read_text("1 2 3\n", JobFormat::kSwf, options).diagnostics.ok());
}

TEST(SwfReader, CountsCoverage) {
  const ReadResult r = read_text(
      std::string(kRow) + "8 100 -1 300 4 -1 -1 -1 -1 -1 1 -1 2 9 5 -1 -1 -1\n", JobFormat::kSwf);
  EXPECT_EQ(r.info.covered(JobField::kSubmit), 2U);
  EXPECT_EQ(r.info.covered(JobField::kStart), 1U);
  EXPECT_EQ(r.info.covered(JobField::kLimit), 1U);
  EXPECT_EQ(r.info.covered(JobField::kProcessors), 2U);
  EXPECT_EQ(r.info.covered(JobField::kUser), 1U);
  EXPECT_EQ(r.info.covered(JobField::kGpus), 0U);
}

// Ten days of jobs whose sizes are known from the eighth on.
TEST(JobReader, WarnsWhereSizesAreKnownForSomeDaysOnly) {
  std::string log;
  for (int day = 0; day < 10; ++day) {
    for (int job = 0; job < 4; ++job) {
      log += std::to_string(day * 4 + job) + " " + std::to_string(day * 86400 + job) + " 0 60 " +
             (day < 7 ? "-1" : "8") + " -1 -1 -1 60 -1 1 1 1 1 1 1 -1 -1\n";
    }
  }
  const ReadResult r = read_text(log, JobFormat::kSwf);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.info.days.size(), 10U);
  EXPECT_EQ(r.info.days[6].jobs, 4U);
  EXPECT_EQ(r.info.days[6].with_size, 0U);
  EXPECT_EQ(r.info.days[7].with_size, 4U);
  ASSERT_EQ(r.diagnostics.warnings().size(), 1U);
  const std::string warning = to_string(r.diagnostics.warnings()[0]);
  EXPECT_NE(warning.find("7 of 10 days"), std::string::npos) << warning;
}

}  // namespace
}  // namespace weft::formats
