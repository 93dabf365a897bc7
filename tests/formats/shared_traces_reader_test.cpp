// Real logs, where this machine has them: row counts and what is known of them.

#include <gtest/gtest.h>

#include "formats/openb_platform.hpp"
#include "tests/formats/reader_support.hpp"

namespace weft::formats {
namespace {

using testing_support::KeepingSink;
using testing_support::shared_folder;

class SharedTraces : public testing::Test {
 protected:
  void SetUp() override {
    if (!shared_folder()) {
      GTEST_SKIP() << "no folder of shared traces (set WEFT_SHARED)";
    }
  }
  // Reads a file in the format that is detected, which must be `expected`.
  void read(const std::string& path, JobFormat expected) {
    const std::string full = (*shared_folder() / path).string();
    const auto file = InputFile::read(full, diagnostics_);
    ASSERT_TRUE(file) << full;
    EXPECT_EQ(detect_format(full, file->text().substr(0, 4096)), expected);
    info_ = read_jobs(*file, expected, {}, sink_, diagnostics_);
    ASSERT_TRUE(diagnostics_.ok()) << to_string(diagnostics_.errors()[0]);
  }

  Diagnostics diagnostics_;
  KeepingSink sink_;
  JobFileInfo info_;
};

TEST_F(SharedTraces, KthHasAllItsJobs) {
  read("traces/swf/KTH-SP2-1996-2.1-cln.swf", JobFormat::kSwf);
  EXPECT_EQ(info_.records, 28'476U);
  EXPECT_EQ(info_.header_value("MaxProcs"), "100");
  EXPECT_EQ(sink_.records.front().id, "15");
}
TEST_F(SharedTraces, KthFilteredHasAllItsJobs) {
  read("traces/swf/KTH-SP2.sc15-filtered.swf", JobFormat::kSwf);
  EXPECT_EQ(info_.records, 28'481U);
}
TEST_F(SharedTraces, KthDetiedKeepsItsMicroseconds) {
  read("traces/swf/KTH-SP2.detied.swf", JobFormat::kSwf);
  EXPECT_EQ(info_.records, 28'481U);
  EXPECT_EQ(info_.covered(JobField::kLimit), 28'481U);
}
TEST_F(SharedTraces, NasaHasNoLimits) {
  read("traces/swf/NASA-iPSC-1993-3.1-cln.swf", JobFormat::kSwf);
  EXPECT_EQ(info_.records, 18'239U);
  EXPECT_EQ(info_.covered(JobField::kLimit), 0U);
  EXPECT_EQ(info_.covered(JobField::kRecordedEnd), 0U);
}
TEST_F(SharedTraces, LublinHasAllItsJobs) {
  read("traces/swf/lublin_256.swf", JobFormat::kSwf);
  EXPECT_EQ(info_.records, 10'000U);
}
TEST_F(SharedTraces, OpenbHasAllItsPods) {
  read("traces/gpu/openb_pod_list_gpuspec33.csv", JobFormat::kAlibabaGpu2023);
  EXPECT_EQ(info_.records, 8'152U);
  EXPECT_EQ(info_.covered(JobField::kGpuModel), 2'388U);
  EXPECT_EQ(info_.covered(JobField::kStart), 8'152U - 897U);
  std::uint64_t shared = 0;
  for (const auto& pod : sink_.records) {
    shared += pod.job.gpus_per_node > gpus(0) && pod.job.gpus_per_node < gpus(1) ? 1 : 0;
  }
  EXPECT_EQ(shared, 3'078U);
}
TEST_F(SharedTraces, PhillyHasAllItsJobs) {
  read("traces/gpu/philly_pollux_2017-10.csv", JobFormat::kPhilly);
  EXPECT_EQ(info_.records, 47'192U);
}
TEST_F(SharedTraces, SacctDumpOfARealRun) {
  read("traces/slurm/micro_real_sacct_first100.psv", JobFormat::kSacct);
  EXPECT_EQ(info_.records, 100U);
  EXPECT_EQ(sink_.records[1].job.runtime, seconds(1201));
  EXPECT_EQ(sink_.records[1].job.limit, minutes(30));
}
TEST_F(SharedTraces, SacctDumpWithDelimitersInNames) {
  read("files/acct-01.log", JobFormat::kSacct);
  ASSERT_EQ(info_.records, 4U);
  EXPECT_EQ(sink_.records[0].job.runtime, seconds(84'805));
  EXPECT_EQ(sink_.records[1].profile, "job_0||0002");
  EXPECT_EQ(sink_.records[2].job.nodes, 2);
  EXPECT_EQ(sink_.records[0].job.memory, bytes(536'870'912'000));
  EXPECT_EQ(sink_.records[0].job.limit, seconds(259'200));
}
TEST_F(SharedTraces, SacctDumpWithPipesInSubmitLines) {
  read("files/acct-03.log", JobFormat::kSacct);
  EXPECT_EQ(info_.rows, 7U);
  EXPECT_EQ(sink_.records[0].job.runtime, seconds(56));
  EXPECT_EQ(sink_.records[0].job.limit, minutes(1440));
}
TEST_F(SharedTraces, BatsimWorkload) {
  read("files/other-07.json", JobFormat::kBatsim);
  EXPECT_EQ(info_.records, 250U);
  EXPECT_EQ(info_.header_value("nb_res"), "128");
}
TEST_F(SharedTraces, OpenbNodes) {
  const auto platform = openb_platform(
      (*shared_folder() / "traces/gpu/openb_node_list_all_node.csv").string(), diagnostics_);
  ASSERT_TRUE(diagnostics_.ok());
  EXPECT_EQ(platforms::node_count(platform), 1'523U);
  EXPECT_EQ(platforms::gpu_count(platform), 6'212);
}

}  // namespace
}  // namespace weft::formats
