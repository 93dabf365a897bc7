#include "formats/sacct_fields.hpp"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

std::int64_t ms(std::string_view text, BareNumber bare = BareNumber::kRefused) {
  const Parsed<Duration> d = parse_slurm_duration(text, bare);
  return d ? d.value().raw() / 1'000'000 : -1;
}

TEST(SlurmDuration, ReadsEveryFormSacctPrints) {
  EXPECT_EQ(ms("1-02:03:04"), 93'784'000);
  EXPECT_EQ(ms("03:25"), 205'000);
  EXPECT_EQ(ms("00:18.500"), 18'500);
  EXPECT_EQ(ms("00:00:15"), 15'000);
  EXPECT_EQ(ms("23:33:25"), 84'805'000);
  EXPECT_EQ(ms("2-12"), 60 * 3'600'000);
  EXPECT_EQ(ms("2-12:30"), 60 * 3'600'000 + 30 * 60'000);
  EXPECT_EQ(ms("100:00:00"), 360'000'000);  // hours alone may pass a day
  EXPECT_EQ(ms("90:00"), 5'400'000);        // minutes alone an hour
  EXPECT_EQ(ms("10", BareNumber::kMinutes), 600'000);
  EXPECT_EQ(ms("10", BareNumber::kSeconds), 10'000);
  EXPECT_EQ(ms("01:00", BareNumber::kMinutes), 60'000);  // mm:ss, not hh:mm
}

TEST(SlurmDuration, RefusesTheRest) {
  for (const std::string_view text : {"",
                                      "10",
                                      "-1",
                                      "1-",
                                      "-05:00",
                                      "1:2:3:4",
                                      "00:60",
                                      "00:61:00",
                                      "1-24:00:00",
                                      "a:b",
                                      "1.5:00",
                                      "00:00:-1",
                                      "99999999999-00:00:00",
                                      "1-00:00:00:00",
                                      "1--2",
                                      ":",
                                      "nan",
                                      "1:",
                                      ":30"}) {
    EXPECT_EQ(ms(text), -1) << text;
  }
}

TEST(SlurmLimit, ReadsWordsAndMinutes) {
  const auto limit = [](std::string_view text) {
    return parse_slurm_limit(text, BareNumber::kMinutes).value();
  };
  EXPECT_EQ(limit("UNLIMITED"), kUnlimited);
  EXPECT_EQ(limit("Partition_Limit"), std::nullopt);
  EXPECT_EQ(limit("365-00:00:00"), seconds(31'536'000));
  EXPECT_EQ(limit("10"), seconds(600));
  EXPECT_EQ(limit(""), std::nullopt);
  EXPECT_FALSE(parse_slurm_limit("soon", BareNumber::kMinutes).ok());
}

TEST(SlurmMemory, KnowsPerCorePerNodeAndTotal) {
  constexpr std::int64_t kMib = std::int64_t{1} << 20;
  struct Case {
    std::string_view text;
    SlurmMemory::Scope scope;
    std::int64_t mib;
  };
  for (const Case& c : {Case{"4000Mc", SlurmMemory::Scope::kPerCpu, 4000},
                        Case{"16Gn", SlurmMemory::Scope::kPerNode, 16 * 1024},
                        Case{"32G", SlurmMemory::Scope::kTotal, 32 * 1024},
                        Case{"2.50G", SlurmMemory::Scope::kTotal, 2560},
                        Case{"500", SlurmMemory::Scope::kTotal, 500},
                        Case{"1T", SlurmMemory::Scope::kTotal, 1024 * 1024},
                        Case{"0n", SlurmMemory::Scope::kUnspecified, 0},
                        Case{"0c", SlurmMemory::Scope::kUnspecified, 0},
                        Case{"", SlurmMemory::Scope::kUnspecified, 0}}) {
    const Parsed<SlurmMemory> m = parse_slurm_memory(c.text);
    ASSERT_TRUE(m.ok()) << c.text;
    EXPECT_EQ(m.value().scope, c.scope) << c.text;
    EXPECT_EQ(m.value().amount.raw(), c.mib * kMib) << c.text;
  }
  for (const std::string_view text : {"lots", "4000Mx", "-1G", "c", "n", "1e30P", "G"}) {
    EXPECT_FALSE(parse_slurm_memory(text).ok()) << text;
  }
}

TEST(SlurmGres, CountsTypedUntypedAndIndexedFormsAlike) {
  const auto count = [](std::string_view text) { return parse_gres(text).value().count; };
  EXPECT_EQ(count("gpu:h100:8(S:0-1)"), 8);
  EXPECT_EQ(count("gpu:(null):4(IDX:0-3)"), 4);
  EXPECT_EQ(count("gpu:a100:3(IDX:0,2-3)"), 3);
  EXPECT_EQ(count("(null)"), 0);
  EXPECT_EQ(count(""), 0);
  EXPECT_EQ(count("gpu:4(S:0-1)"), 4);
  EXPECT_EQ(count("gpu:2"), 2);
  EXPECT_EQ(count("gpu"), 1);
  EXPECT_EQ(count("gres:gpu:2"), 2);
  EXPECT_EQ(count("gpu:v100:4(S:0-1),nvme:3600"), 4);
  EXPECT_EQ(count("gpu:a100:2,gpu:v100:1"), 3);
  EXPECT_EQ(count("gpu:h100"), 1);
  EXPECT_EQ(count("craynetwork:1,gpus:4"), 0);
  EXPECT_EQ(parse_gres("gpu:h100:8").value().models, "h100");
  EXPECT_EQ(parse_gres("gpu:(null):4").value().models, "");
  for (const std::string_view text : {"gpu:h100:x", "gpu:-1", "gpu:a:b:c:1", "gpu:99999999999"}) {
    EXPECT_FALSE(parse_gres(text).ok()) << text;
  }
}

TEST(SlurmTres, TakesTheTotalOrTheTypesButNeverBoth) {
  const auto gpus_of = [](std::string_view text) { return parse_tres(text).value().gpus; };
  EXPECT_EQ(gpus_of("billing=32,cpu=32,gres/gpu=8,mem=500G,node=2").count, 8);
  EXPECT_EQ(gpus_of("gres/gpu:h100=8").count, 8);
  EXPECT_EQ(gpus_of("gres/gpu:h100=8,gres/gpu=8").count, 8);
  EXPECT_EQ(gpus_of("gres/gpu:h100=8,gres/gpu=8").models, "h100");
  EXPECT_EQ(gpus_of("gres/gpumem=80G,gres/gpuutil=10").count, 0);
  const Parsed<SlurmTres> tres = parse_tres("cpu=32,mem=500G,node=2");
  EXPECT_EQ(tres.value().cpus, 32);
  EXPECT_EQ(tres.value().nodes, 2);
  EXPECT_EQ(tres.value().memory, bytes(std::int64_t{500} << 30));
  for (const std::string_view text : {"cpu", "cpu=x", "gres/gpu=-1", "mem=many", "node=1.5"}) {
    EXPECT_FALSE(parse_tres(text).ok()) << text;
  }
}

TEST(SlurmState, ReadsWordsCodesAndCutWords) {
  const auto end = [](std::string_view text) { return parse_slurm_state(text).value().end; };
  EXPECT_EQ(end("COMPLETED"), RecordedEnd::kCompleted);
  EXPECT_EQ(end("CANCELLED by 1234"), RecordedEnd::kCancelled);
  EXPECT_EQ(end("CANCELLED+"), RecordedEnd::kCancelled);
  EXPECT_EQ(end("OUT_OF_ME+"), RecordedEnd::kOutOfMemory);
  EXPECT_EQ(end("TO"), RecordedEnd::kTimeout);
  EXPECT_EQ(end("NODE_FAIL"), RecordedEnd::kNodeFail);
  EXPECT_TRUE(parse_slurm_state("PENDING").value().pending);
  EXPECT_TRUE(parse_slurm_state("RUNNING").value().running);
  const Parsed<SlurmState> wrong = parse_slurm_state("COMPLETD");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.allowed().find("COMPLETED"), std::string::npos);
  EXPECT_FALSE(parse_slurm_state("").ok());
}

TEST(SlurmArray, ListsItsTasks) {
  const auto tasks = [](std::string_view id) { return parse_array_tasks(id, 1000).value().tasks; };
  EXPECT_EQ(tasks("12_[1-4%2]"), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(tasks("12_[0,3,7-11:2]"), (std::vector<std::int64_t>{0, 3, 7, 9, 11}));
  EXPECT_EQ(parse_array_tasks("12_[5]", 10).value().job, "12");
  for (const std::string_view id : {"12_[4-1]",
                                    "12_[]",
                                    "12_[1-",
                                    "12_[a]",
                                    "12_[1-5:0]",
                                    "12_[0-5000]",
                                    "12_[1,2,...]",
                                    "12_[0-9999999999]"}) {
    EXPECT_FALSE(parse_array_tasks(id, 1000).ok()) << id;
  }
}

}  // namespace
}  // namespace weft::formats
