// A minimal reader of well-formed SWF logs and of the reference schedules kept outside the
// repository, for replays in tests. Times go through integers, not doubles.
#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/job.hpp"
#include "schedulers/registry.hpp"
#include "tests/schedulers/replay.hpp"

namespace weft::schedulers::testing {

// Reference data lies in $WEFT_SHARED, or in ../shared beside the checkout.
inline std::optional<std::filesystem::path> reference_file(const std::string& name) {
  namespace fs = std::filesystem;
  const char* shared = std::getenv("WEFT_SHARED");
  const fs::path root =
      shared != nullptr ? fs::path(shared) : fs::path(WEFT_SOURCE_DIR) / ".." / "shared";
  const fs::path path = root / name;
  return fs::exists(path) ? std::optional(path) : std::nullopt;
}

inline Duration decimal_seconds(const std::string& text) {
  return nanoseconds(std::llround(std::stold(text) * 1e9L));
}

// Field 5 processors, field 9 requested time; the runtime is cut at the limit. Arrival gaps are
// divided by `load_factor`. Jobs are put in order of submission; `line` keeps the job number.
inline Workload read_swf(const std::filesystem::path& path, double load_factor = 1) {
  WorkloadBuilder builder;
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == ';') {
      continue;
    }
    std::istringstream fields(line);
    std::vector<std::string> f;
    for (std::string word; fields >> word;) {
      f.push_back(word);
    }
    const Duration submit = decimal_seconds(f[1]);
    const Duration run = decimal_seconds(f[3]);
    const Duration limit = std::max(decimal_seconds(f[8]), run);
    const auto scaled =
        load_factor == 1
            ? submit
            : nanoseconds(std::llround(static_cast<double>(submit.raw()) / load_factor));
    builder.job(WorkloadBuilder::any_gpus(std::stoll(f[4])), SimTime::at(scaled), run, limit);
    builder.workload.jobs.back().line = static_cast<std::uint32_t>(std::stoul(f[0]));
  }
  std::vector<Job>& jobs = builder.workload.jobs;
  std::stable_sort(
      jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.submit < b.submit; });
  return std::move(builder.workload);
}

// Column `start` of a schedule (job_id,submit,start,...), in ns, by job_id.
inline std::map<std::uint32_t, std::int64_t> read_starts(const std::filesystem::path& path) {
  std::map<std::uint32_t, std::int64_t> starts;
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    const std::size_t third = line.find(',', second + 1);
    starts[static_cast<std::uint32_t>(std::stoul(line.substr(0, first)))] =
        decimal_seconds(line.substr(second + 1, third - second - 1)).raw();
  }
  return starts;
}

// Mean over all jobs of max(1, (wait + run) / max(run, 10 s)).
inline double mean_bounded_slowdown(const Workload& workload, const Outcome& outcome) {
  long double sum = 0;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    const Job& job = workload.jobs[j];
    const Duration run = std::min(job.runtime, job.limit);
    const auto response = static_cast<long double>(outcome.start[j] - job.submit.ns() + run.raw());
    sum += std::max(1.0L, response / static_cast<long double>(std::max(run, seconds(10)).raw()));
  }
  return static_cast<double>(sum / static_cast<long double>(workload.jobs.size()));
}

}  // namespace weft::schedulers::testing
