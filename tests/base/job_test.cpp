#include "base/job.hpp"

#include <gtest/gtest.h>

#include "base/allocation.hpp"
#include "base/start_reason.hpp"
#include "base/units.hpp"

namespace weft {
namespace {

RequestShape shape(RequestShape::Kind kind, std::int32_t nodes, GpuShare gpus_asked) {
  RequestShape s;
  s.kind = kind;
  s.nodes = nodes;
  s.gpus = gpus_asked;
  return s;
}

TEST(RequestShape, TotalsItsGpus) {
  using Kind = RequestShape::Kind;
  EXPECT_EQ(total_gpus(shape(Kind::kAnyGpus, 0, gpus(12))), gpus(12));
  EXPECT_EQ(total_gpus(shape(Kind::kPerNode, 4, gpus(8))), gpus(32));
  EXPECT_EQ(total_gpus(shape(Kind::kPerNode, 1, gpu_thousandths(460))), gpu_thousandths(460));
  EXPECT_EQ(total_gpus(shape(Kind::kWholeNodes, 3, gpus(2))), gpus(6));
  EXPECT_EQ(total_gpus(shape(Kind::kWholeNodes, 3, gpus(0))), gpus(0));
}

TEST(RequestShape, IsEqualOnlyInEveryPart) {
  const RequestShape one = shape(RequestShape::Kind::kPerNode, 2, gpus(8));
  RequestShape other = one;
  EXPECT_EQ(one, other);
  other.memory = bytes(1);
  EXPECT_NE(one, other);
  other = one;
  other.gpu_models = 1;
  EXPECT_NE(one, other);
  other = one;
  other.partition = PartitionId{0};
  EXPECT_NE(one, other);
}

TEST(Job, StartsWithoutLimitPartitionOrRejection) {
  const Job job;
  EXPECT_EQ(job.limit, kUnlimited);
  EXPECT_FALSE(job.has_own_limit);
  EXPECT_EQ(job.rejected, kNoSymbol);
  EXPECT_EQ(RequestShape{}.partition, kNoPartition);
}

TEST(Workload, FindsAJobAndItsShape) {
  Workload workload;
  workload.shapes = {shape(RequestShape::Kind::kAnyGpus, 0, gpus(1)),
                     shape(RequestShape::Kind::kAnyGpus, 0, gpus(2))};
  workload.jobs.resize(2);
  workload.jobs[1].shape = ShapeId{1};
  workload.jobs[1].submit = at_seconds(5);
  EXPECT_EQ(workload.job(JobId{1}).submit, at_seconds(5));
  EXPECT_EQ(workload.shape_of(JobId{0}).gpus, gpus(1));
  EXPECT_EQ(workload.shape_of(JobId{1}).gpus, gpus(2));
}

TEST(Allocation, CountsItsGpusAndTheirShare) {
  Allocation allocation;
  EXPECT_EQ(allocation.gpu_count(), 0);
  allocation.gpus = {{0, 4}, {8, 2}};
  EXPECT_EQ(allocation.gpu_count(), 6);
  EXPECT_EQ(allocation.total_share(), gpus(6));
  allocation.share = gpu_thousandths(500);
  EXPECT_EQ(allocation.total_share(), gpus(3));
  allocation.nodes = {NodeId{0}, NodeId{1}};
  allocation.clear();
  EXPECT_TRUE(allocation.nodes.empty() && allocation.gpus.empty());
  EXPECT_EQ(allocation.share, gpus(1));
}

TEST(StartReason, HasTheWordsOfTheOutput) {
  EXPECT_EQ(to_string(StartReason::kHead), "head");
  EXPECT_EQ(to_string(StartReason::kBackfill), "backfill");
  EXPECT_EQ(to_string(StartReason::kReserved), "reserved");
  EXPECT_EQ(to_string(StartReason::kSubmit), "submit");
  EXPECT_EQ(to_string(StartReason::kMain), "main");
  EXPECT_EQ(to_string(StartReason::kScheduled), "scheduled");
  EXPECT_EQ(to_string(StartReason::kNominated), "nominated");
  EXPECT_EQ(to_string(StartReason::kGang), "gang");
}

TEST(Units, ConvertAndDoNotOverflowWhereTheyPromise) {
  EXPECT_EQ(days(2), hours(48));
  EXPECT_EQ(minutes(2), seconds(120));
  EXPECT_EQ(watts(3), milliwatts(3000));
  EXPECT_EQ(dollars(2), micro_dollars(2'000'000));
  EXPECT_EQ(gigabits_per_sec(400), bytes_per_sec(50e9));
  EXPECT_GT(kUnlimited + kUnlimited, kUnlimited);
  EXPECT_GT(kNever + kUnlimited, kNever);
  // 100,000 GPUs for ten years: 95 bits.
  const GpuTime total = gpus(100'000) * days(3650);
  EXPECT_EQ(total.raw() / 1'000'000'000, Int128{100'000'000} * 3650 * 86400);
  EXPECT_EQ(to_seconds(nanoseconds(1'500'000'000)), 1.5);
}

}  // namespace
}  // namespace weft
