#include "results/metrics.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/errors.hpp"
#include "base/quantity.hpp"
#include "results/decimal.hpp"
#include "results/output_file.hpp"

namespace weft::results {

namespace {

constexpr double kRatioUnit = 1e9;
// Below, ratio x 1e9 fits an int64.
constexpr double kSmallRatio = 9e9;

double ratio_of(Duration part, Duration whole) {
  return static_cast<double>(part.raw()) / static_cast<double>(whole.raw());
}

}  // namespace

double bounded_slowdown(Duration waited, Duration ran) {
  return std::max(1.0, ratio_of(waited + ran, std::max(ran, kBoundedSlowdownTau)));
}

void RatioMean::add(double ratio) {
  const double scaled = ratio * kRatioUnit + 0.5;
  sum_ += ratio < kSmallRatio ? static_cast<std::int64_t>(scaled) : static_cast<Int128>(scaled);
  ++count_;
  most_ = std::max(most_, ratio);
}

std::optional<double> RatioMean::mean() const {
  if (count_ == 0) {
    return std::nullopt;
  }
  return static_cast<double>(sum_) / kRatioUnit / static_cast<double>(count_);
}

std::optional<double> RatioMean::most() const {
  return count_ == 0 ? std::nullopt : std::optional(most_);
}

void DurationMean::add(Duration value) {
  sum_ += value.raw();
  ++count_;
  most_ = std::max(most_, value);
}

std::optional<Duration> DurationMean::mean() const {
  if (count_ == 0) {
    return std::nullopt;
  }
  return nanoseconds(static_cast<std::int64_t>(divide_rounded(sum_, count_)));
}

std::optional<Duration> DurationMean::most() const {
  return count_ == 0 ? std::nullopt : std::optional(most_);
}

std::optional<Duration> nearest_rank(std::vector<std::int64_t>& values, int percent) {
  if (values.empty()) {
    return std::nullopt;
  }
  const std::size_t rank = (values.size() * static_cast<std::size_t>(percent) + 99) / 100;  // >= 1
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(values.begin(), at, values.end());
  return nanoseconds(*at);
}

std::optional<double> jain_index(const std::vector<double>& values) {
  double sum = 0;
  double squares = 0;
  for (const double x : values) {
    sum += x;
    squares += x * x;
  }
  if (squares <= 0) {
    return std::nullopt;
  }
  return sum * sum / (static_cast<double>(values.size()) * squares);
}

JobMetrics::JobMetrics(const Workload& workload, Measure window)
    : workload_(&workload), window_(window) {}

std::uint32_t JobMetrics::group(Grouping& grouping, SymbolId symbol) const {
  const std::size_t at = weft::index(symbol);
  if (at >= grouping.group_of_symbol.size()) {
    grouping.group_of_symbol.resize(at + 1, 0);
  }
  std::uint32_t& group = grouping.group_of_symbol[at];
  if (group == 0) {
    grouping.symbols.push_back(symbol);
    grouping.groups.emplace_back();
    group = static_cast<std::uint32_t>(grouping.groups.size());
  }
  return group - 1;
}

void JobMetrics::add(const JobOutcome& outcome) {
  const Job& job = *outcome.job;
  if (!window_.contains(job.submit)) {
    return;
  }
  JobCounts& counts = statistics_.counts;
  ++counts.all;
  first_submit_ = std::min(first_submit_.value_or(job.submit), job.submit);
  switch (outcome.state) {
    case sim::JobState::kPending:
      ++counts.pending;
      break;
    case sim::JobState::kRunning:
      ++counts.running;
      break;
    case sim::JobState::kRejected:
      ++counts.rejected;
      break;
    case sim::JobState::kCompleted:
      ++counts.success;
      break;
    case sim::JobState::kFailed:
    case sim::JobState::kOutOfMemory:
    case sim::JobState::kNodeFail:
      ++counts.failed;
      break;
    case sim::JobState::kTimeout:
    case sim::JobState::kDeadline:
    case sim::JobState::kCancelled:
    case sim::JobState::kPreempted:
      ++counts.killed;
      break;
  }
  const std::uint32_t user_at = group(users_, job.user);
  const std::uint32_t account_at = group(accounts_, job.account);
  GroupStatistics& user = users_.groups[user_at];
  GroupStatistics& account = accounts_.groups[account_at];
  for (GroupStatistics* group : {&user, &account}) {
    ++group->jobs;
    group->cost =
        group->cost && outcome.cost ? std::optional(*group->cost + *outcome.cost) : std::nullopt;
  }
  if (!outcome.has_started()) {
    return;
  }
  const Duration waited = outcome.waited();
  WEFT_ASSERT(
      waited >= Duration{} && outcome.ran() >= Duration{},
      "a job waited " + seconds_text(waited) + " s and ran " + seconds_text(outcome.ran()) + " s");
  statistics_.waiting.add(waited);
  statistics_.waiting_eligible.add(outcome.started - job.eligible);
  waits_.push_back(waited.raw());
  users_.of_wait.push_back(user_at);
  accounts_.of_wait.push_back(account_at);
  for (GroupStatistics* group : {&user, &account}) {
    group->waiting.add(waited);
    group->held += outcome.held;
  }
  if (!outcome.has_ended()) {
    return;
  }
  ++counts.finished;
  ++user.finished;
  ++account.finished;
  const Duration ran = outcome.ran();
  const Duration turnaround = waited + ran;
  statistics_.turnaround.add(turnaround);
  turnarounds_.push_back(turnaround.raw());
  if (ran > Duration{}) {
    statistics_.slowdown.add(ratio_of(turnaround, ran));
  }
  const double slowdown = bounded_slowdown(waited, ran);
  statistics_.bounded_slowdown.add(slowdown);
  user.bounded_slowdown.add(slowdown);
  account.bounded_slowdown.add(slowdown);
  last_end_ = std::max(last_end_.value_or(outcome.ended), outcome.ended);
}

JobStatistics JobMetrics::statistics() {
  JobStatistics result = statistics_;
  if (last_end_) {
    result.makespan = *last_end_ - *first_submit_;
  }
  const auto percentiles = [](std::vector<std::int64_t> values) {
    Percentiles p;
    p.p50 = nearest_rank(values, 50);
    p.p90 = nearest_rank(values, 90);
    p.p95 = nearest_rank(values, 95);
    p.p99 = nearest_rank(values, 99);
    return p;
  };
  result.waiting_percentiles = percentiles(waits_);  // a copy: of_wait goes by position
  result.turnaround_percentiles = percentiles(std::move(turnarounds_));
  turnarounds_.clear();
  return result;
}

std::vector<GroupStatistics> JobMetrics::by_user() const {
  return finished(users_);
}

std::vector<GroupStatistics> JobMetrics::by_account() const {
  return finished(accounts_);
}

std::vector<GroupStatistics> JobMetrics::finished(const Grouping& grouping) const {
  std::vector<std::vector<std::int64_t>> waits(grouping.groups.size());
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    waits[grouping.of_wait[i]].push_back(waits_[i]);
  }
  std::vector<GroupStatistics> groups = grouping.groups;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].name = workload_->symbols.text(grouping.symbols[g]);
    groups[g].waiting_median = nearest_rank(waits[g], 50);
    groups[g].waiting_p95 = nearest_rank(waits[g], 95);
  }
  std::sort(groups.begin(), groups.end(), [](const GroupStatistics& a, const GroupStatistics& b) {
    return a.name < b.name;
  });
  return groups;
}

std::string groups_csv(std::string_view key, const std::vector<GroupStatistics>& groups) {
  GpuTime all;
  for (const GroupStatistics& group : groups) {
    all += group.held;
  }
  const auto time = [](const std::optional<Duration>& value) {
    return value ? seconds_text(*value) : std::string();
  };
  std::string csv(key);
  csv +=
      ",jobs,finished,gpu_hours,share,mean_waiting_time,median_waiting_time,p95_waiting_time,"
      "mean_bounded_slowdown,cost_usd\n";
  for (const GroupStatistics& group : groups) {
    const std::optional<double> slowdown = group.bounded_slowdown.mean();
    csv += csv_field(group.name) + ',' + std::to_string(group.jobs) + ',' +
           std::to_string(group.finished) + ',' + ratio_text(gpu_hours(group.held), 6) + ',' +
           (all.raw() == 0 ? std::string() : ratio_text(share_of(group.held, all), 9)) + ',' +
           time(group.waiting.mean()) + ',' + time(group.waiting_median) + ',' +
           time(group.waiting_p95) + ',' + (slowdown ? ratio_text(*slowdown, 9) : std::string()) +
           ',' + (group.cost ? dollars_text(*group.cost) : std::string()) + '\n';
  }
  return csv;
}

}  // namespace weft::results
