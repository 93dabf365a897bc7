#include <gtest/gtest.h>

#include "tests/formats/reader_support.hpp"

namespace weft::formats {
namespace {

using testing_support::read_text;
using testing_support::ReadResult;

TEST(BatsimReader, ReadsJobsAndProfiles) {
  const ReadResult r = read_text(
      R"({"nb_res": 64, "description": "x", "jobs": [
{"id": 0, "subtime": 57.25, "walltime": 300, "res": 8, "profile": "d"},
{"id": "w!1", "subtime": 60, "walltime": -1, "res": 2, "profile": "h"},
{"id": 2, "subtime": 61, "res": 1, "profile": "old"}],
"profiles": {"d": {"type": "delay", "delay": 113.8},
"h": {"type": "parallel_homogeneous", "cpu": 5e9, "com": 1e6},
"old": {"type": "DelayProfile", "delay": 7}, "unused": {"type": "smpi"}}})",
      JobFormat::kBatsim);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 3U);
  EXPECT_EQ(r.records[0].id, "0");
  EXPECT_EQ(r.records[0].job.submit->ns(), 57'250'000'000);
  EXPECT_EQ(r.records[0].job.runtime->raw(), 113'800'000'000);
  EXPECT_EQ(r.records[0].job.limit, seconds(300));
  EXPECT_EQ(r.records[0].job.requested_processors, 8);
  EXPECT_EQ(r.records[0].job.line, 2U);
  EXPECT_EQ(r.records[1].id, "w!1");
  EXPECT_EQ(r.records[1].job.runtime, seconds(5));  // at 10^9 FLOP/s
  EXPECT_FALSE(r.records[1].job.limit.has_value());
  EXPECT_EQ(r.records[2].profile, "old");
  EXPECT_EQ(r.info.header_value("nb_res"), "64");
  EXPECT_EQ(r.note_rows("parallel_homogeneous"), 1U);
}

TEST(BatsimReader, ScalesHomogeneousProfilesWithTheHostSpeed) {
  ReadOptions options;
  options.batsim_speed = FlopsPerSec::from_raw(1e8);
  const ReadResult r = read_text(
      R"({"jobs": [{"id": 0, "subtime": 0, "res": 1, "profile": "h"}],
"profiles": {"h": {"type": "parallel_homogeneous", "cpu": 5e9}}})",
      JobFormat::kBatsim,
      options);
  ASSERT_EQ(r.records.size(), 1U) << r.errors();
  EXPECT_EQ(r.records[0].job.runtime, seconds(50));
}

TEST(BatsimReader, SkipsJobsWithOtherProfilesWhenAsked) {
  ReadOptions options;
  options.skip_bad_rows = true;
  const ReadResult r = read_text(
      R"({"jobs": [{"id": 0, "subtime": 0, "res": 1, "profile": "p"},
{"id": 1, "subtime": 0, "res": 1, "profile": "d"}],
"profiles": {"p": {"type": "composed"}, "d": {"type": "delay", "delay": 1}}})",
      JobFormat::kBatsim,
      options);
  EXPECT_TRUE(r.diagnostics.ok()) << r.errors();
  EXPECT_EQ(r.records.size(), 1U);
  EXPECT_EQ(r.info.bad_lines, std::vector<std::uint32_t>{1});
}

TEST(WeftJobs, ReadsEveryKey) {
  const ReadResult r = read_text(
      R"({"id": "a", "submit": "90s", "kind": "fixed", "nodes": 2, "gpus_per_node": 4, )"
      R"("gpu_model": ["H100", "A100"], "cpus": 16, "memory": "1TB", "limit": "2h", "begin": "1h", )"
      R"("user": "ann", "account": "x", "partition": "p", "qos": "q", "priority": -3, )"
      R"("runtime": "90min", "recorded": {"start": "100s", "end": "200s", "nodes": "n[1-2]", )"
      R"("state": "TIMEOUT"}})"
      "\n\n"
      R"({"id": 2, "submit": "0s", "gpus": 0.25, "gpu_model": "T4", "limit": "unlimited", )"
      R"("runtime": "1.5h"})"
      "\r\n",
      JobFormat::kWeft);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 2U);
  const auto& a = r.records[0];
  EXPECT_EQ(a.job.submit, at_seconds(90));
  EXPECT_EQ(a.job.begin, at_seconds(3600));
  EXPECT_EQ(a.job.nodes, 2);
  EXPECT_EQ(a.job.gpus_per_node, gpus(4));
  EXPECT_EQ(a.gpu_models, "H100|A100");
  EXPECT_EQ(a.job.cpus, cpus(16));
  EXPECT_EQ(a.job.memory, bytes(1'000'000'000'000));
  EXPECT_EQ(a.job.runtime, minutes(90));
  EXPECT_EQ(a.job.priority, -3);
  EXPECT_EQ(a.job.start, at_seconds(100));
  EXPECT_EQ(a.job.recorded_end, RecordedEnd::kTimeout);
  EXPECT_EQ(a.recorded_nodes, "n[1-2]");
  const auto& b = r.records[1];
  EXPECT_EQ(b.id, "2");
  EXPECT_EQ(b.job.gpus, gpu_thousandths(250));
  EXPECT_EQ(b.job.limit, kUnlimited);
  EXPECT_EQ(b.job.line, 3U);
}

TEST(WeftJobs, ReadsAList) {
  const ReadResult r = read_text(
      "[\n{\"id\": 1, \"submit\": \"0s\", \"gpus\": 1, \"runtime\": \"1h\"},\n"
      "{\"id\": 2, \"submit\": \"0s\",\n \"gpus\": 1, \"runtime\": \"1\"}]\n",
      JobFormat::kWeft);
  EXPECT_EQ(r.records.size(), 1U);
  ASSERT_EQ(r.diagnostics.errors().size(), 1U);
  EXPECT_EQ(r.diagnostics.errors()[0].at.line, 4U);
}

TEST(WeftJobs, NamesTheNearestKey) {
  const ReadResult r = read_text(
      R"({"id": 1, "submit": "0s", "gpus": 1, "runtime": "1h", "priorty": 4})", JobFormat::kWeft);
  EXPECT_NE(r.errors().find("did you mean 'priority'"), std::string::npos) << r.errors();
}

// Five jobs as Philly logged them; one has two attempts, one an uneven placement, one never ran.
TEST(PhillyReader, ReadsTheOriginalJson) {
  const ReadResult r = read_text(
      R"([
{"status": "Pass", "vc": "v1", "jobid": "a", "user": "u", "submitted_time": "2017-10-01 00:00:00",
 "attempts": [
  {"start_time": "2017-10-01 00:10:00", "end_time": "2017-10-01 00:20:00",
   "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]},
  {"start_time": "2017-10-01 00:30:00", "end_time": "2017-10-01 01:30:00",
   "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu2", "gpu3"]}]}]},
{"status": "Killed", "vc": "v1", "jobid": "b", "submitted_time": "2017-10-01 00:00:30",
 "attempts": [{"start_time": "2017-10-01 00:01:00", "end_time": "2017-10-01 00:02:00",
   "detail": [{"ip": "m1", "gpus": ["gpu0"]}, {"ip": "m2", "gpus": ["gpu0", "gpu1", "gpu2"]}]}]},
{"status": "Failed", "vc": "v2", "jobid": "c", "submitted_time": "2017-10-01 00:01:00",
 "attempts": [{"start_time": "2017-10-01 00:01:00", "end_time": "None", "detail": []}]},
{"status": "Pass", "vc": "v2", "jobid": "d", "submitted_time": "2017-10-01 00:02:00",
 "attempts": [{"start_time": "2017-10-01 00:02:00", "end_time": "2017-10-01 00:02:01",
   "detail": [{"ip": "m1", "gpus": ["gpu0"]}]}]},
{"status": "Killed", "vc": "v2", "jobid": "e", "submitted_time": "2017-10-01 00:03:00",
 "attempts": []}])",
      JobFormat::kPhilly);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 5U);
  EXPECT_EQ(r.records[0].job.runtime, seconds(600 + 3600));
  EXPECT_EQ(r.records[0].job.gpus, gpus(4));
  EXPECT_EQ(r.records[0].job.nodes, 2);
  EXPECT_EQ(r.records[0].job.start, at_seconds(600));
  EXPECT_EQ(r.records[0].partition + r.records[0].user, "v1u");
  EXPECT_EQ(r.records[1].job.gpus, gpus(4));
  EXPECT_FALSE(r.records[1].job.nodes.has_value());
  EXPECT_EQ(r.records[1].job.submit, at_seconds(30));
  EXPECT_EQ(r.records[1].job.recorded_end, RecordedEnd::kCancelled);
  EXPECT_FALSE(r.records[2].job.runtime.has_value());
  EXPECT_FALSE(r.records[4].job.runtime || r.records[4].job.gpus);
  EXPECT_EQ(r.note_rows("several attempts"), 1U);
}

}  // namespace
}  // namespace weft::formats
