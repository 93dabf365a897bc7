#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "results/report_csv.hpp"
#include "results/report_run.hpp"

namespace weft::results::report {
namespace {

constexpr std::size_t kListedJobs = 15;
constexpr double kSlowdownBound = 10;  // tau, seconds (docs/report.md)
constexpr std::size_t kSizeClasses = 40;

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

// 0: no GPU; 1: less than one; k >= 2: more than 2^(k-3) and at most 2^(k-2) GPUs.
std::size_t size_class(double gpus) {
  if (gpus < 1) {
    return gpus > 0 ? 1 : 0;
  }
  std::size_t k = 2;
  for (double top = 1; gpus > top && k + 1 < kSizeClasses; top *= 2) {
    ++k;
  }
  return k;
}

std::string size_class_name(std::size_t k) {
  if (k <= 1) {
    return k == 0 ? std::string(kNoGpus) : "part of one";
  }
  const std::int64_t top = std::int64_t{1} << (k - 2);
  const std::int64_t bottom = top / 2 + 1;
  return bottom >= top ? std::to_string(top) : std::to_string(bottom) + "–" + std::to_string(top);
}

class JobReader {
 public:
  JobReader(const std::string& path, GanttBuilder& gantt, std::optional<TimeSpan> submitted_in);
  JobStatistics read();

 private:
  // A started job's share in the distributions by group.
  struct Sample {
    double wait;
    std::uint32_t user;
    std::uint32_t size_class;
  };
  struct UserSums {
    std::string name;
    std::int64_t jobs = 0;
    double gpu_seconds = 0;
  };

  void row();
  [[nodiscard]] bool counts(double submitted) const;
  void started(ReportJob& job, bool counted);
  void book_times(const ReportJob& job, double held);
  void keep_longest(const ReportJob& job);
  std::uint32_t user_index(std::string_view name);
  [[nodiscard]] std::vector<WaitGroup> by_size() const;
  [[nodiscard]] std::vector<WaitGroup> by_user() const;
  [[nodiscard]] std::string_view text(std::size_t column) const { return csv_.field(column); }

  CsvReader csv_;
  GanttBuilder& gantt_;
  std::optional<TimeSpan> submitted_in_;
  std::size_t id_, submitted_, requested_, started_, executed_, finished_, waited_, turnaround_;
  std::size_t state_, final_state_, success_, allocated_, metadata_, user_, gpus_, reason_;
  JobStatistics jobs_;
  std::vector<Sample> samples_;
  std::vector<double> turnarounds_;
  std::vector<double> slowdowns_;
  std::vector<UserSums> users_;
  std::unordered_map<std::string, std::uint32_t, StringHash, std::equal_to<>> user_ids_;
  std::array<double, kSizeClasses> class_gpu_seconds_{};
};

JobReader::JobReader(const std::string& path,
                     GanttBuilder& gantt,
                     std::optional<TimeSpan> submitted_in)
    : csv_(path),
      gantt_(gantt),
      submitted_in_(submitted_in),
      id_(csv_.require("job_id")),
      submitted_(csv_.require("submission_time")),
      requested_(csv_.require("requested_number_of_resources")),
      started_(csv_.require("starting_time")),
      executed_(csv_.require("execution_time")),
      finished_(csv_.require("finish_time")),
      waited_(csv_.require("waiting_time")),
      turnaround_(csv_.require("turnaround_time")),
      state_(csv_.find("state")),
      final_state_(csv_.require("final_state")),
      success_(csv_.find("success")),
      allocated_(csv_.find("allocated_resources")),
      metadata_(csv_.find("metadata")),
      user_(csv_.find("user")),
      gpus_(csv_.find("gpus")),
      reason_(csv_.find("start_reason")) {
  csv_.finish();
}

std::uint32_t JobReader::user_index(std::string_view name) {
  const auto it = user_ids_.find(name);
  if (it != user_ids_.end()) {
    return it->second;
  }
  const auto id = static_cast<std::uint32_t>(users_.size());
  user_ids_.emplace(std::string(name), id);
  users_.push_back({std::string(name), 0, 0});
  return id;
}

bool JobReader::counts(double submitted) const {
  return !submitted_in_ || (submitted >= submitted_in_->begin && submitted < submitted_in_->end);
}

void JobReader::row() {
  ReportJob job;
  job.state = text(state_).empty() ? text(final_state_) : text(state_);
  if (job.state.empty()) {
    job.state = text(started_).empty() ? "PENDING" : "RUNNING";
  }
  job.id = text(id_);
  job.user = text(user_);
  job.gpus = csv_.number(text(gpus_).empty() ? requested_ : gpus_).value_or(0);
  job.submitted = csv_.number(submitted_).value_or(0);
  const bool counted = counts(job.submitted);
  jobs_.rows += counted ? 1 : 0;
  jobs_.states[job.state] += counted ? 1 : 0;
  job.started = csv_.number(started_);
  job.waited = csv_.number(waited_);
  if (job.gpus < 0) {
    csv_.fault(text(gpus_).empty() ? requested_ : gpus_, "not less than 0");
  }
  if (job.waited.value_or(0) < 0) {
    csv_.fault(waited_, "not less than 0");
  }
  if (job.started) {
    job.why = text(reason_);
    started(job, counted);
  } else if (counted && job.state == "REJECTED" && jobs_.rejected.size() < kListedJobs) {
    job.why = text(metadata_);
    jobs_.rejected.push_back(std::move(job));
  }
}

// All jobs are drawn; those outside the measured window count in no statistic.
void JobReader::started(ReportJob& job, bool counted) {
  const std::optional<double> finished = csv_.number(finished_);
  if (finished.value_or(*job.started) < *job.started) {
    csv_.fault(finished_, "not before starting_time");
    return;
  }
  GanttJob bar{job.id, job.user, job.state, job.gpus, job.submitted, *job.started, 0};
  bar.ended = finished.value_or(1e15);  // cut by the horizon: to the end of the chart
  if (!gantt_.add(bar, text(allocated_))) {
    csv_.fault(allocated_, "intervals of GPU indices such as '0-3 7'");
  }
  if (!counted) {
    return;
  }
  book_times(job, finished ? *finished - *job.started : 0);
  if (job.waited) {
    job.waited_text = text(waited_);
    keep_longest(job);
  }
}

void JobReader::book_times(const ReportJob& job, double held) {
  const std::uint32_t user = user_index(job.user);
  const std::size_t k = size_class(job.gpus);
  ++users_[user].jobs;
  users_[user].gpu_seconds += job.gpus * held;
  class_gpu_seconds_[k] += job.gpus * held;
  if (job.waited) {
    samples_.push_back({*job.waited, user, static_cast<std::uint32_t>(k)});
  }
  const std::optional<double> turnaround = csv_.number(turnaround_);
  const std::optional<double> executed = csv_.number(executed_);
  if (turnaround && executed && !text(finished_).empty()) {
    turnarounds_.push_back(*turnaround);
    const double total = job.waited.value_or(0) + *executed;
    slowdowns_.push_back(std::max(1.0, total / std::max(*executed, kSlowdownBound)));
  }
}

// The list is short and sorted: longest first, of equals the first in the file.
void JobReader::keep_longest(const ReportJob& job) {
  std::vector<ReportJob>& longest = jobs_.longest_waits;
  if (longest.size() == kListedJobs && *job.waited <= *longest.back().waited) {
    return;
  }
  const auto after = std::find_if(longest.begin(), longest.end(), [&](const ReportJob& other) {
    return *other.waited < *job.waited;
  });
  longest.insert(after, job);
  if (longest.size() > kListedJobs) {
    longest.pop_back();
  }
}

std::vector<WaitGroup> JobReader::by_size() const {
  std::array<std::vector<double>, kSizeClasses> waits;
  for (const Sample& sample : samples_) {
    waits[sample.size_class].push_back(sample.wait);
  }
  std::vector<WaitGroup> groups;
  for (std::size_t k = 0; k < kSizeClasses; ++k) {
    if (!waits[k].empty()) {
      const auto jobs = static_cast<std::int64_t>(waits[k].size());
      groups.push_back({size_class_name(k), jobs, class_gpu_seconds_[k], quantiles_of(waits[k])});
    }
  }
  return groups;
}

std::vector<WaitGroup> JobReader::by_user() const {
  std::vector<std::vector<double>> waits(users_.size());
  for (std::size_t u = 0; u < users_.size(); ++u) {
    waits[u].reserve(static_cast<std::size_t>(users_[u].jobs));
  }
  for (const Sample& sample : samples_) {
    waits[sample.user].push_back(sample.wait);
  }
  std::vector<WaitGroup> groups;
  for (std::size_t u = 0; u < users_.size(); ++u) {
    if (!waits[u].empty()) {
      groups.push_back(
          {users_[u].name, users_[u].jobs, users_[u].gpu_seconds, quantiles_of(waits[u])});
    }
  }
  std::sort(groups.begin(), groups.end(), [](const WaitGroup& a, const WaitGroup& b) {
    return a.gpu_seconds != b.gpu_seconds ? a.gpu_seconds > b.gpu_seconds : a.name < b.name;
  });
  return groups;
}

JobStatistics JobReader::read() {
  while (csv_.next()) {
    row();
  }
  csv_.finish();
  std::vector<double> waits;
  waits.reserve(samples_.size());
  for (const Sample& sample : samples_) {
    waits.push_back(sample.wait);
  }
  jobs_.wait = quantiles_of(waits);
  jobs_.wait_curve = curve_of_sorted(waits);
  jobs_.turnaround = quantiles_of(turnarounds_);
  jobs_.turnaround_curve = curve_of_sorted(turnarounds_);
  jobs_.bounded_slowdown = quantiles_of(slowdowns_);
  jobs_.bounded_slowdown_curve = curve_of_sorted(slowdowns_);
  jobs_.by_size = by_size();
  jobs_.by_user = by_user();
  std::erase_if(jobs_.states, [](const auto& state) { return state.second == 0; });
  jobs_.gantt = gantt_.finish();
  return std::move(jobs_);
}

}  // namespace

Quantiles quantiles_of(std::vector<double>& values) {
  Quantiles q;
  if (values.empty()) {
    return q;
  }
  std::sort(values.begin(), values.end());
  const auto n = static_cast<std::int64_t>(values.size());
  const auto rank = [&](std::int64_t percent) {  // nearest rank: ceil(n percent / 100), from 1
    const std::int64_t at = (n * percent + 99) / 100;
    return values[static_cast<std::size_t>(std::max<std::int64_t>(at, 1) - 1)];
  };
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  q.count = n;
  q.mean = sum / static_cast<double>(n);
  q.p5 = rank(5);
  q.p25 = rank(25);
  q.p50 = rank(50);
  q.p75 = rank(75);
  q.p95 = rank(95);
  q.p99 = rank(99);
  q.max = values.back();
  return q;
}

// Exact at every point kept. Equal steps in rank, and both tails in ever finer ones, so that the
// last percent of a million jobs is not one line.
Curve curve_of_sorted(const std::vector<double>& sorted) {
  Curve curve;
  const std::size_t n = sorted.size();
  std::vector<std::size_t> ranks;  // from 1
  if (n <= kCurvePoints) {
    for (std::size_t r = 1; r <= n; ++r) {
      ranks.push_back(r);
    }
  } else {
    constexpr std::size_t kEven = kCurvePoints - 101;
    for (std::size_t i = 0; i <= kEven; ++i) {
      ranks.push_back(1 + (n - 1) * i / kEven);
    }
    double tail = static_cast<double>(n) / static_cast<double>(kEven);
    for (std::size_t i = 0; i < 50 && tail >= 1; ++i, tail *= 0.75) {
      ranks.push_back(static_cast<std::size_t>(tail));
      ranks.push_back(n - static_cast<std::size_t>(tail));
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  }
  for (const std::size_t rank : ranks) {
    const double x = sorted[rank - 1];
    const double y = static_cast<double>(rank) / static_cast<double>(n);
    if (!curve.x.empty() && curve.x.back() == x) {
      curve.y.back() = y;
    } else {
      curve.x.push_back(x);
      curve.y.push_back(y);
    }
  }
  // A run of equal values ends between two kept ranks: its true share is that of its last one.
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const auto above = std::upper_bound(sorted.begin(), sorted.end(), curve.x[i]);
    curve.y[i] = static_cast<double>(above - sorted.begin()) / static_cast<double>(n);
  }
  return curve;
}

JobStatistics read_jobs(const std::string& path,
                        GanttBuilder& gantt,
                        std::optional<TimeSpan> submitted_in) {
  return JobReader(path, gantt, submitted_in).read();
}

}  // namespace weft::results::report
