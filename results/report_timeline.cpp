#include <algorithm>
#include <cmath>

#include "results/report_csv.hpp"
#include "results/report_run.hpp"

namespace weft::results::report {
namespace {

constexpr std::size_t kMostRows = 1200;  // drawn as they are
constexpr std::size_t kBins = 600;

class TimelineReader {
 public:
  explicit TimelineReader(const std::string& path);
  Timeline read();

 private:
  // Everything of one row but its time; also sums of value x seconds over a bin.
  struct Row {
    std::vector<double> values;
    double queue_most = 0;
  };

  void find_span(const std::string& path);
  void hold(double from, double to);  // the row read last holds in [from, to)
  void close_bin();
  void keep(double time, const Row& row);
  void read_values();
  [[nodiscard]] double value(std::size_t column) const { return now_.values[column]; }

  CsvReader csv_;
  std::size_t time_;
  std::vector<std::size_t> columns_;  // queue_jobs, queue_gpus, running_jobs, power, accounts...
  static constexpr std::size_t kQueueJobs = 0;
  static constexpr std::size_t kQueueGpus = 1;
  static constexpr std::size_t kRunningJobs = 2;
  static constexpr std::size_t kPower = 3;
  static constexpr std::size_t kFirstAccount = 4;
  bool power_seen_ = false;
  Timeline timeline_;
  Row now_;
  Row sums_;
  std::size_t bin_ = 0;
  double bin_width_ = 0;
  double queue_seconds_ = 0;
};

TimelineReader::TimelineReader(const std::string& path) : csv_(path), time_(csv_.require("time")) {
  columns_ = {csv_.require("queue_jobs"),
              csv_.find("queue_gpus"),
              csv_.find("running_jobs"),
              csv_.find("power_w")};
  for (std::size_t i = 0; i < kAccounts; ++i) {
    columns_.push_back(csv_.find(to_string(account_at(i))));
  }
  csv_.finish();
  now_.values.assign(columns_.size(), 0);
  sums_.values.assign(columns_.size(), 0);
  timeline_.account.resize(kAccounts);
  find_span(path);
}

// The span must be known before the rows stream by: it decides the width of the bins.
void TimelineReader::find_span(const std::string& path) {
  CsvReader ahead(path);
  std::size_t rows = 0;
  while (rows <= kMostRows && ahead.next()) {
    if (rows++ == 0) {
      timeline_.begin = ahead.number(time_).value_or(0);
    }
  }
  timeline_.binned = rows > kMostRows;
  timeline_.end = timeline_.begin;
  if (const auto last = ahead.last_row(); last && time_ < last->size()) {
    timeline_.end = std::max(timeline_.begin, parse_number((*last)[time_]).value_or(0));
  }
  bin_width_ = (timeline_.end - timeline_.begin) / static_cast<double>(kBins);
}

void TimelineReader::read_values() {
  now_.queue_most = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::optional<double> read = csv_.number(columns_[c]);
    if (read && *read < 0) {
      csv_.fault(columns_[c], "not less than 0");
    }
    power_seen_ = power_seen_ || (c == kPower && read);
    now_.values[c] = read.value_or(0);
  }
}

void TimelineReader::keep(double time, const Row& row) {
  timeline_.time.push_back(time);
  timeline_.queue_jobs.push_back(row.values[kQueueJobs]);
  timeline_.queue_jobs_most.push_back(row.queue_most);
  timeline_.queue_gpus.push_back(row.values[kQueueGpus]);
  timeline_.running_jobs.push_back(row.values[kRunningJobs]);
  timeline_.power.push_back(row.values[kPower]);
  for (std::size_t a = 0; a < kAccounts; ++a) {
    timeline_.account[a].push_back(row.values[kFirstAccount + a]);
  }
}

void TimelineReader::close_bin() {
  for (double& sum : sums_.values) {
    sum /= bin_width_;
  }
  keep(timeline_.begin + bin_width_ * static_cast<double>(bin_), sums_);
  std::fill(sums_.values.begin(), sums_.values.end(), 0.0);
  sums_.queue_most = 0;
  ++bin_;
}

void TimelineReader::hold(double from, double to) {
  queue_seconds_ += value(kQueueJobs) * (to - from);
  if (!timeline_.binned) {
    return;
  }
  while (from < to && bin_ < kBins) {
    const bool last = bin_ + 1 == kBins;
    const double edge = timeline_.begin + bin_width_ * static_cast<double>(bin_ + 1);
    const double until = last ? to : std::min(to, edge);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      sums_.values[c] += now_.values[c] * (until - from);
    }
    sums_.queue_most = std::max(sums_.queue_most, value(kQueueJobs));
    if (until >= edge && !last) {
      close_bin();
    }
    from = until;
  }
}

Timeline TimelineReader::read() {
  double since = timeline_.begin;
  bool first = true;
  while (csv_.next()) {
    const double time = csv_.number(time_).value_or(since);
    if (time < since || time > timeline_.end) {
      csv_.fault(time_, "times in ascending order");
      continue;
    }
    if (!first) {
      hold(since, time);
    }
    read_values();
    if (value(kQueueJobs) > timeline_.peak_queue) {
      timeline_.peak_queue = value(kQueueJobs);
      timeline_.peak_queue_time = time;
    }
    double installed = 0;
    for (std::size_t a = 0; a < kAccounts; ++a) {
      installed += value(kFirstAccount + a);
    }
    timeline_.installed_gpus = std::max(timeline_.installed_gpus, installed);
    if (!timeline_.binned) {
      now_.queue_most = value(kQueueJobs);
      keep(time, now_);
    }
    since = time;
    first = false;
  }
  csv_.finish();
  if (timeline_.binned && bin_ < kBins && bin_width_ > 0) {
    close_bin();
  }
  if (!power_seen_) {
    timeline_.power.clear();
  }
  const double span = timeline_.end - timeline_.begin;
  timeline_.mean_queue = span > 0 ? queue_seconds_ / span : 0;
  return std::move(timeline_);
}

}  // namespace

Timeline read_timeline(const std::string& path) {
  return TimelineReader(path).read();
}

}  // namespace weft::results::report
