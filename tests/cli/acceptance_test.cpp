// Real logs through the binary: every start of the KTH-SP2 log against schedules made by another
// implementation of the same rules, and the books of two GPU traces added up again from the files.
// The logs are not part of the repository: WEFT_SHARED names their folder, or they lie in
// ../shared.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/units.hpp"
#include "weft_process.hpp"

namespace weft::cli::test {
namespace {

std::optional<std::string> shared_file(const std::string& name) {
  const char* shared = std::getenv("WEFT_SHARED");
  const std::filesystem::path root = shared != nullptr
                                         ? std::filesystem::path(shared)
                                         : std::filesystem::path(WEFT_SOURCE_DIR) / ".." / "shared";
  const std::filesystem::path path = root / name;
  return std::filesystem::exists(path) ? std::optional(path.string()) : std::nullopt;
}

// A decimal as a whole number of 10^-12, exactly: thousandths of a GPU times nanoseconds.
Int128 picos(const std::string& text) {
  constexpr int kDigits = 12;
  Int128 value = 0;
  int after_point = -1;
  for (const char c : text) {
    if (c == '.' && after_point < 0) {
      after_point = 0;
      continue;
    }
    EXPECT_TRUE(c >= '0' && c <= '9') << text;
    value = value * 10 + (c - '0');
    after_point += after_point >= 0 ? 1 : 0;
  }
  EXPECT_FALSE(text.empty());
  EXPECT_LE(after_point, kDigits) << text;
  for (int i = std::max(after_point, 0); i < kDigits; ++i) {
    value *= 10;
  }
  return value;
}

// job_id to start, as text, of a reference schedule.
std::map<std::string, std::string> reference_starts(const std::string& path) {
  std::map<std::string, std::string> starts;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "job_id,submit,start,finish,procs,estimate");
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string id;
    std::string start;
    std::getline(fields, id, ',');
    std::getline(fields, start, ',');  // submit
    std::getline(fields, start, ',');
    starts[id] = start;
  }
  return starts;
}

struct KthCase {
  const char* log;
  const char* scheduler;
  const char* schedule;
  double bounded_slowdown;
  int digits;  // of bounded_slowdown behind the point
};

class Kth : public testing::TestWithParam<KthCase> {};

TEST_P(Kth, EveryStartIsEqual) {
  const KthCase& c = GetParam();
  const auto log = shared_file(std::string("traces/swf/") + c.log);
  const auto schedule = shared_file(std::string("traces/swf/expected/") + c.schedule);
  if (!log || !schedule) {
    GTEST_SKIP() << "no KTH-SP2 log: set WEFT_SHARED";
  }
  const Folder folder;
  const Finished run = run_weft({"run",
                                 "-p",
                                 "flat:100",
                                 "-w",
                                 *log,
                                 "-s",
                                 c.scheduler,
                                 "--no-report",
                                 "--quiet",
                                 "-o",
                                 folder.path("out")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::map<std::string, std::string> expected = reference_starts(*schedule);
  const std::vector<CsvRow> jobs = csv_rows(folder.read("out/jobs.csv"));
  ASSERT_EQ(jobs.size(), 28'481U);
  ASSERT_EQ(expected.size(), jobs.size());
  std::size_t differ = 0;
  for (const CsvRow& job : jobs) {
    const auto at = expected.find(job.at("job_id"));
    ASSERT_NE(at, expected.end()) << job.at("job_id");
    if (picos(job.at("starting_time")) != picos(at->second) && differ++ < 5) {
      ADD_FAILURE() << "job " << at->first << " starts at " << job.at("starting_time")
                    << ", expected " << at->second;
    }
  }
  EXPECT_EQ(differ, 0U);
  const double got =
      nlohmann::json::parse(folder.read("out/summary.json"))["mean_bounded_slowdown"];
  std::printf("%s %s: %zu of %zu starts equal; mean bounded slowdown expected %.*f, got %.6f\n",
              c.log,
              c.scheduler,
              jobs.size() - differ,
              jobs.size(),
              c.digits,
              c.bounded_slowdown,
              got);
  EXPECT_NEAR(got, c.bounded_slowdown, c.digits == 2 ? 0.005 : 0.00005);
}

constexpr const char* kDetied = "KTH-SP2.detied.swf";
constexpr const char* kFiltered = "KTH-SP2.sc15-filtered.swf";

INSTANTIATE_TEST_SUITE_P(
    Acceptance,
    Kth,
    testing::Values(
        KthCase{kDetied, "fcfs", "KTH-SP2.detied.fcfs.csv", 6878.90, 2},
        KthCase{kDetied, "easy", "KTH-SP2.detied.easy.csv", 93.0939, 4},
        KthCase{kDetied, "conservative", "KTH-SP2.detied.cons.csv", 88.4590, 4},
        KthCase{kFiltered, "fcfs", "KTH-SP2.sc15-filtered.fcfs.tie-batch.csv", 6814.97, 2},
        KthCase{kFiltered, "easy", "KTH-SP2.sc15-filtered.easy.tie-batch.csv", 92.6877, 4},
        KthCase{kFiltered, "conservative", "KTH-SP2.sc15-filtered.cons.tie-batch.csv", 88.9666, 4}),
    [](const testing::TestParamInfo<KthCase>& kth) {
      return std::string(kth.param.log == std::string(kDetied) ? "Detied_" : "Filtered_") +
             kth.param.scheduler;
    });

// The ledger of a run, added up again in whole numbers from what the files say.
void expect_conserved(const Folder& folder, const std::string& name) {
  const nlohmann::json summary = nlohmann::json::parse(folder.read("out/summary.json"));
  const nlohmann::json manifest = nlohmann::json::parse(folder.read("out/manifest.json"));
  const std::int64_t installed = summary["installed_gpus"];
  const std::string length = manifest["horizon"]["length_s"];
  const Int128 whole = installed * picos(length);
  Int128 accounts = 0;
  Int128 total = -1;
  Int128 held = 0;
  std::string total_text;
  for (const CsvRow& row : csv_rows(folder.read("out/ledger.csv"))) {
    const Int128 time = picos(row.at("gpu_seconds"));
    if (row.at("account") == "total") {
      total = time;
      total_text = row.at("gpu_seconds");
      continue;
    }
    accounts += time;
    held += row.at("group") == "idle" || row.at("group") == "not_available" ? 0 : time;
  }
  EXPECT_TRUE(accounts == total) << name << ": the accounts do not sum to the total row";
  EXPECT_TRUE(whole == total) << name << ": " << installed << " GPUs x " << length << " s is not "
                              << total_text;

  Int128 of_jobs = 0;
  for (const CsvRow& job : csv_rows(folder.read("out/jobs.csv"))) {
    if (!job.at("execution_time").empty()) {
      // Thousandths of a GPU times nanoseconds: jobs.csv has no more digits.
      of_jobs += picos(job.at("gpus")) / 1'000'000'000 * (picos(job.at("execution_time")) / 1000);
    }
  }
  EXPECT_TRUE(of_jobs == held) << name << ": jobs.csv and ledger.csv disagree on held GPU time";
  std::printf("%s: %lld GPUs x %s s = %s GPU-seconds in ledger.csv\n",
              name.c_str(),
              static_cast<long long>(installed),
              length.c_str(),
              total_text.c_str());
}

void run_and_conserve(const std::string& platform,
                      const std::string& log,
                      const std::string& scheduler) {
  const Folder folder;
  const Finished run = run_weft({"run",
                                 "-p",
                                 platform,
                                 "-w",
                                 log,
                                 "-s",
                                 scheduler,
                                 "--no-report",
                                 "--quiet",
                                 "-o",
                                 folder.path("out")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  expect_conserved(folder, scheduler + " on " + platform.substr(platform.rfind('/') + 1));
}

TEST(Acceptance, OpenbConservesItsGpuTime) {
  const auto nodes = shared_file("traces/gpu/openb_node_list_gpu_node.csv");
  const auto pods = shared_file("traces/gpu/openb_pod_list_default.csv");
  if (!nodes || !pods) {
    GTEST_SKIP() << "no openb trace: set WEFT_SHARED";
  }
  run_and_conserve("openb:" + *nodes, *pods, "easy");
}

TEST(Acceptance, PhillyConservesItsGpuTime) {
  const auto log = shared_file("traces/gpu/philly_pollux_2017-10.csv");
  if (!log) {
    GTEST_SKIP() << "no Philly trace: set WEFT_SHARED";
  }
  run_and_conserve("scale-100k", *log, "easy");
  run_and_conserve("small-32", *log, "easy");  // a cluster it overloads
}

}  // namespace
}  // namespace weft::cli::test
