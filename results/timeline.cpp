#include "results/timeline.hpp"

#include <algorithm>
#include <string>

#include "base/errors.hpp"
#include "base/number.hpp"
#include "base/quantity.hpp"
#include "results/decimal.hpp"

namespace weft::results {

Timeline::Timeline(SimTime begin, Measure window, GpuShare installed)
    : window_(window),
      begin_(window.clip(begin)),
      installed_(installed),
      series_(kSeries, begin_),
      queue_since_(begin_) {}

void Timeline::note_longest_queue(SimTime until) {
  const SimTime clipped = window_.clip(until);
  if (clipped > queue_since_) {
    queue_statistics_.most_jobs = std::max(queue_statistics_.most_jobs, queue_jobs_);
    queue_statistics_.most_gpus = std::max(queue_statistics_.most_gpus, queue_gpus_);
    queue_since_ = clipped;
  }
}

void Timeline::change_queue(SimTime now, std::int64_t jobs, GpuShare asked) {
  note_longest_queue(now);
  queue_jobs_ += jobs;
  queue_gpus_ += asked;
  WEFT_ASSERT(queue_jobs_ >= 0 && queue_gpus_ >= GpuShare{}, "a job left the queue twice");
  change(now, kQueueJobs, jobs);
  change(now, kQueueGpus, asked.raw());
}

void Timeline::enters_queue(SimTime now, GpuShare asked) {
  change_queue(now, 1, asked);
}

void Timeline::leaves_queue(SimTime now, GpuShare asked) {
  change_queue(now, -1, asked * -1);
}

void Timeline::job_starts(SimTime now, HeldGpus held) {
  change(now, kRunningJobs, 1);
  change(now, Account::kCompute, held.requested);
  change(now, Account::kUnusedAllocation, held.unused);
}

void Timeline::job_ends(SimTime started, SimTime now, HeldGpus held, Account work) {
  change(now, kRunningJobs, -1);
  change(now, Account::kUnusedAllocation, held.unused * -1);
  if (work != Account::kCompute) {
    change(started, Account::kCompute, held.requested * -1);
    change(started, work, held.requested);
    change(now, work, held.requested * -1);
  } else {
    change(now, Account::kCompute, held.requested * -1);
  }
}

void Timeline::idle_changes(SimTime now, std::span<const sim::IdleShare> split) {
  std::array<GpuShare, sim::kIdleAccounts> next{};
  for (const sim::IdleShare& share : split) {
    next[static_cast<std::size_t>(share.account)] += share.gpus;
  }
  for (std::size_t i = 0; i < next.size(); ++i) {
    change(now, account_of(static_cast<sim::IdleAccount>(i)), next[i] - idle_[i]);
  }
  idle_ = next;
}

void Timeline::write(OutputFile& out, SimTime horizon) {
  std::string header = "time,queue_jobs,queue_gpus,running_jobs";
  for (std::size_t a = 0; a < kAccounts; ++a) {
    header += ',';
    header += to_string(account_at(a));
  }
  out.append(header + ",power_w\n");

  const SimTime end = window_.clip(horizon);
  note_longest_queue(end);
  std::string values;  // of the last row
  const auto put_row = [&](SimTime at) {
    char* p = out.room(kSecondsRoom + values.size() + 1);
    p = write_seconds(p, at.since_start());
    p = std::copy(values.begin(), values.end(), p);
    *p++ = '\n';
    out.written(p);
  };
  std::array<Int128, 2> queue_sums{};
  series_.rows(end, [&](SimTime from, Duration length, std::span<const Int128> sums) {
    Int128 gpus_sum = 0;
    values.clear();
    for (std::size_t s = 0; s < kSeries; ++s) {
      const bool counts_jobs = s == kQueueJobs || s == kRunningJobs;
      std::array<char, kScaledRoom> text{};
      const Int128 micro = divide_rounded(sums[s] * (counts_jobs ? 1'000'000 : 1000), length.raw());
      values += ',';
      values.append(text.data(), write_scaled<6>(text.data(), static_cast<std::int64_t>(micro)));
      gpus_sum += s >= kFirstAccount ? sums[s] : 0;
    }
    values += ',';
    WEFT_ASSERT(gpus_sum == (installed_ * length).raw(),
                "at " + seconds_text(from.since_start()) + " s the accounts hold " +
                    to_text(gpus_sum) + " thousandth-ns, not " +
                    to_text((installed_ * length).raw()));
    queue_sums[kQueueJobs] += sums[kQueueJobs];
    queue_sums[kQueueGpus] += sums[kQueueGpus];
    put_row(from);
  });
  if (end > begin_) {
    put_row(end);
    const double length = static_cast<double>((end - begin_).raw());
    queue_statistics_.mean_jobs = static_cast<double>(queue_sums[kQueueJobs]) / length;
    queue_statistics_.mean_gpus = static_cast<double>(queue_sums[kQueueGpus]) / length / 1000;
  }
}

}  // namespace weft::results
