#include <gtest/gtest.h>

#include "formats/openb_platform.hpp"
#include "platforms/catalogue.hpp"
#include "tests/formats/reader_support.hpp"

namespace weft::formats {
namespace {

using testing_support::read_text;
using testing_support::ReadResult;

TEST(PhillyReader, ReadsUnsortedRows) {
  const ReadResult r = read_text(
      "timestamp,duration,num_gpus,gpu_time,cluster\n"
      "2017-10-01 00:01:00,61.5,2,123,a1\n"
      "2017-10-01 00:00:00,30.0,1,30.0,\"b,2\"\n",
      JobFormat::kPhilly);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 2U);
  EXPECT_EQ(r.records[0].job.submit, at_seconds(60));
  EXPECT_EQ(r.records[0].job.runtime->raw(), 61'500'000'000);
  EXPECT_EQ(r.records[0].job.gpus, gpus(2));
  EXPECT_EQ(r.records[0].partition, "a1");
  EXPECT_EQ(r.records[1].job.submit, at_seconds(0));
  EXPECT_EQ(r.records[1].partition, "b,2");
  EXPECT_TRUE(r.info.zero_is_first_submit);
}

constexpr std::string_view kPods =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n"
    "p0,12000,16384,1,460,T4|P100,LS,Succeeded,10,110,20\n"
    "p1,8000,1024,8,1000,,BE,Failed,15,40,15\n"
    "p2,500,512,0,0,,BE,Running,20,,30\n"
    "p3,500,512,1,1000,,LS,Pending,50,90,\n";

TEST(AlibabaReader, ReadsPods) {
  const ReadResult r = read_text(kPods, JobFormat::kAlibabaGpu2023);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 4U);
  EXPECT_EQ(r.records[0].job.gpus_per_node, gpu_thousandths(460));
  EXPECT_EQ(r.records[0].job.nodes, 1);
  EXPECT_EQ(r.records[0].gpu_models, "T4|P100");
  EXPECT_EQ(r.records[0].job.cpus_per_node, cpus(12));
  EXPECT_EQ(r.records[0].job.memory_per_node, bytes(std::int64_t{16} << 30));
  EXPECT_EQ(r.records[0].job.submit, at_seconds(10));
  EXPECT_EQ(r.records[0].job.start, at_seconds(20));
  EXPECT_EQ(r.records[0].job.runtime, seconds(90));
  EXPECT_EQ(r.records[0].job.recorded_end, RecordedEnd::kCompleted);
  EXPECT_EQ(r.records[1].job.gpus_per_node, gpus(8));
  EXPECT_EQ(r.records[2].job.gpus_per_node, gpus(0));
  EXPECT_EQ(r.records[2].job.runtime, seconds(80));  // to the trace's last time, 110
  EXPECT_EQ(r.records[3].job.runtime, seconds(40));  // its lifetime
  EXPECT_FALSE(r.records[3].job.start.has_value());
  EXPECT_EQ(r.note_rows("never scheduled"), 1U);
  EXPECT_EQ(r.note_rows("no deletion_time"), 1U);
  EXPECT_FALSE(r.info.zero_is_first_submit);
}

TEST(AlibabaReader, LeavesPendingPodsWithoutRunTimeWhenAsked) {
  ReadOptions options;
  options.never_started = NeverStarted::kNoRunTime;
  const ReadResult r = read_text(kPods, JobFormat::kAlibabaGpu2023, options);
  EXPECT_FALSE(r.records.at(3).job.runtime.has_value());
}

TEST(MappedCsv, ReadsColumnsWithTheirUnits) {
  ReadOptions options;
  for (const char* text : {"id=Job",
                           "submit=When@iso",
                           "runtime=Took@min",
                           "gpus=Share@milli",
                           "memory=Mem@GiB",
                           "nodes=N",
                           "user=Who"}) {
    const Parsed<ColumnMapping> mapping = parse_column_mapping(text);
    ASSERT_TRUE(mapping.ok()) << text;
    options.columns.push_back(*mapping);
  }
  const ReadResult r = read_text(
      "Who,Job,When,Took,Share,Mem,N,Other\n"
      "ann,a,2024-01-01T00:00:30,1.5,2500,4,2.0,x\n"
      "bob,b,2024-01-01 00:00:00Z,,500,,1,\"y\ny\"\n",
      JobFormat::kCsv,
      options);
  ASSERT_TRUE(r.diagnostics.ok()) << r.errors();
  ASSERT_EQ(r.records.size(), 2U);
  EXPECT_EQ(r.records[0].job.submit, at_seconds(30));
  EXPECT_EQ(r.records[0].job.runtime, seconds(90));
  EXPECT_EQ(r.records[0].job.gpus, gpu_thousandths(2500));
  EXPECT_EQ(r.records[0].job.memory, bytes(std::int64_t{4} << 30));
  EXPECT_EQ(r.records[0].job.nodes, 2);
  EXPECT_EQ(r.records[0].user, "ann");
  EXPECT_FALSE(r.records[1].job.runtime.has_value());
}

TEST(MappedCsv, RefusesMapsThatMakeNoSense) {
  for (const char* text : {"runtime",
                           "runtime=",
                           "runtme=x",
                           "runtime=x@GB",
                           "user=x@s",
                           "gpus=x@iso",
                           "memory=x@min"}) {
    EXPECT_FALSE(parse_column_mapping(text).ok()) << text;
  }
  EXPECT_NE(parse_column_mapping("runtme=x").allowed().find("runtime"), std::string::npos);
  ReadOptions options;
  EXPECT_FALSE(read_text("a,b\n1,2\n", JobFormat::kCsv, options).diagnostics.ok());
  // Durations and delays but no submission time: refused, with what could be done.
  options.columns = {{"runtime", "duration", ""}, {"gpus", "gpus", ""}};
  const ReadResult r =
      read_text("duration,delay,gpus\n10,1,1\n20,2,1\n30,3,1\n", JobFormat::kCsv, options);
  ASSERT_EQ(r.diagnostics.errors().size(), 1U);
  EXPECT_EQ(r.diagnostics.errors()[0].key, "submit");
  EXPECT_NE(r.errors().find("generated arrivals"), std::string::npos);
}

platforms::Platform nodes_of(std::string_view text, Diagnostics& diagnostics) {
  const auto file = InputFile::from_text("dir/nodes.csv", text, diagnostics);
  return file ? openb_platform(*file, platforms::builtin_catalogue(), diagnostics)
              : platforms::Platform{};
}

TEST(OpenbPlatform, KeepsNodesInOrder) {
  Diagnostics diagnostics;
  const platforms::Platform p = nodes_of(
      "sn,cpu_milli,memory_mib,gpu,model\n"
      "n0,32000,1024,0,\nn1,64000,2048,2,P100\nn2,64000,2048,2,P100\nn3,32000,1024,0,\n"
      "n4,8000,512,8,Mystery\n",
      diagnostics);
  ASSERT_TRUE(diagnostics.ok());
  EXPECT_EQ(p.name, "nodes");
  ASSERT_EQ(p.nodes.size(), 4U);
  EXPECT_EQ(platforms::node_count(p), 5U);
  EXPECT_EQ(platforms::gpu_count(p), 12);
  EXPECT_FALSE(p.nodes[0].gpu.has_value());
  EXPECT_EQ(p.nodes[1].names, (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(p.nodes[1].gpu->model, "P100");
  EXPECT_TRUE(p.nodes[1].gpu->memory.has_value());  // from the catalogue
  EXPECT_EQ(p.nodes[1].cpus, cpus(64));
  EXPECT_EQ(p.nodes[1].memory, bytes(std::int64_t{2} << 30));
  EXPECT_TRUE(p.nodes[3].gpu->custom);
}

TEST(OpenbPlatform, NamesTheFaults) {
  Diagnostics diagnostics;
  (void)nodes_of(
      "sn,cpu_milli,memory_mib,gpu,model\n"
      "n0,32000,1024,2,\nn0,x,1024,0,\nn1,1000,0,0,\nn2,1000,5,0,\nn2,1000,5,0,\n",
      diagnostics);
  ASSERT_EQ(diagnostics.errors().size(), 4U);
  EXPECT_EQ(to_string(diagnostics.errors()[0]),
            "dir/nodes.csv:2:17: model: found nothing, allowed the model of a node's GPUs");
  EXPECT_EQ(diagnostics.errors()[1].at.column, 4U);
  EXPECT_EQ(diagnostics.errors()[2].at.line, 4U);
  EXPECT_NE(to_string(diagnostics.errors()[3]).find("'n2' again"), std::string::npos);
  Diagnostics pods;
  (void)nodes_of(kPods, pods);
  EXPECT_FALSE(pods.ok());
}

}  // namespace
}  // namespace weft::formats
