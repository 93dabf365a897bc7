#include "workloads/statistics.hpp"

#include <algorithm>

namespace weft::workloads {

namespace {

constexpr Duration kNotKnown = Duration::from_raw(-1);

enum Odd : std::size_t {
  kNoSubmit,
  kUnsorted,
  kDuplicateId,
  kRunOverLimit,
  kZeroRun,
  kSameInstant,
  kNoRun,
  kNoSize,
  kNoLimit
};
constexpr std::array<std::string_view, 9> kOddities = {"without a submit time",
                                                       "submitted before the row above",
                                                       "with an id seen before",
                                                       "that ran longer than their limit",
                                                       "with run time 0",
                                                       "submitted at the same instant as another",
                                                       "without a run time",
                                                       "without a size",
                                                       "without a limit"};

std::uint8_t bit(CoveredField field) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(field));
}

// The wall clock's remainder of a day or week, also before 1970.
std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

}  // namespace

std::string_view to_string(CoveredField field) {
  constexpr std::array<std::string_view, kCoveredFields> kNames = {
      "size", "runtime", "limit", "user", "partition", "end"};
  return kNames[static_cast<std::size_t>(field)];
}

Quantiles quantiles(std::vector<double> values) {
  Quantiles q;
  q.count = values.size();
  if (values.empty()) {
    return q;
  }
  std::sort(values.begin(), values.end());
  const auto rank = [&](std::size_t percent) {
    return values[std::max<std::size_t>((values.size() * percent + 99) / 100, 1) - 1];
  };
  double sum = 0;
  for (const double v : values) {
    sum += v;
  }
  q.mean = sum / static_cast<double>(values.size());
  q.least = values.front();
  q.p5 = rank(5);
  q.p25 = rank(25);
  q.median = rank(50);
  q.p75 = rank(75);
  q.p95 = rank(95);
  q.p99 = rank(99);
  q.most = values.back();
  return q;
}

std::optional<GpuShare> recorded_size(const JobRecord& job) {
  if (job.allocated_processors.value_or(0) > 0) {
    return gpus(std::min<std::int64_t>(*job.allocated_processors, 1'000'000'000));
  }
  if (job.requested_processors.value_or(0) > 0) {
    return gpus(std::min<std::int64_t>(*job.requested_processors, 1'000'000'000));
  }
  if (job.gpus) {
    return job.gpus;
  }
  if (job.gpus_per_node) {
    return *job.gpus_per_node * std::max(job.nodes.value_or(1), 1);
  }
  return std::nullopt;
}

std::optional<Duration> recorded_runtime(const JobRecord& job) {
  if (job.runtime) {
    return job.runtime;
  }
  if (job.start && job.end && *job.end >= *job.start) {
    return *job.end - *job.start;
  }
  return std::nullopt;
}

void StatisticsCollector::odd(std::size_t kind, std::uint32_t line) {
  Found& found = found_[kind];
  ++found.count;
  if (found.lines.size() < Oddity::kPlaces) {
    found.lines.push_back(line);
  }
}

void StatisticsCollector::record(const JobRecord& job) {
  if (!job.submit) {
    odd(kNoSubmit, job.line);
    return;
  }
  Sample sample;
  sample.submit = *job.submit;
  if (!samples_.empty()) {
    if (sample.submit < samples_.back().submit) {
      odd(kUnsorted, job.line);
    } else if (sample.submit == samples_.back().submit) {
      odd(kSameInstant, job.line);
    }
  }
  if (!job.id.empty()) {
    const std::uint64_t hash = hash_text(job.id);
    const auto same = [&](std::uint32_t i) { return names_.text(SymbolId{i}) == job.id; };
    if (ids_.find(hash, same) != FlatIndex::kNone) {
      odd(kDuplicateId, job.line);
    } else {
      ids_.insert(hash, static_cast<std::uint32_t>(names_.append(job.id)));
    }
  }
  const std::optional<Duration> runtime = recorded_runtime(job);
  const std::optional<GpuShare> size = recorded_size(job);
  sample.runtime = runtime.value_or(kNotKnown);
  sample.limit = job.limit.value_or(kNotKnown);
  if (size) {
    sample.size = size->raw();
    sample.covered |= bit(CoveredField::kSize);
  } else {
    odd(kNoSize, job.line);
  }
  if (runtime) {
    sample.covered |= bit(CoveredField::kRuntime);
    if (*runtime == Duration{}) {
      odd(kZeroRun, job.line);
    }
    if (job.limit && *runtime > *job.limit) {
      odd(kRunOverLimit, job.line);
    }
  } else {
    odd(kNoRun, job.line);
  }
  if (job.limit) {
    sample.covered |= bit(CoveredField::kLimit);
  } else {
    odd(kNoLimit, job.line);
  }
  if (!job.partition.empty()) {
    sample.covered |= bit(CoveredField::kPartition);
  }
  if (job.recorded_end != RecordedEnd::kUnknown) {
    sample.covered |= bit(CoveredField::kEnd);
  }
  ++ends_[static_cast<std::size_t>(job.recorded_end)];

  if (!job.user.empty()) {
    sample.covered |= bit(CoveredField::kUser);
    const SymbolId symbol = names_.intern(job.user);
    if (user_of_symbol_.size() <= index(symbol)) {
      user_of_symbol_.resize(index(symbol) + 1, FlatIndex::kNone);
    }
    std::uint32_t& position = user_of_symbol_[index(symbol)];
    if (position == FlatIndex::kNone) {
      position = static_cast<std::uint32_t>(users_.size());
      users_.push_back(Tally{symbol, 0, {}});
    }
    Tally& user = users_[position];
    ++user.jobs;
    if (size && runtime) {
      user.gpu_time += *size * *runtime;
    }
  }
  if (!job.account.empty()) {
    const std::size_t symbol = index(names_.intern(job.account));
    if (account_seen_.size() <= symbol) {
      account_seen_.resize(symbol + 1, false);
    }
    accounts_ += account_seen_[symbol] ? 0U : 1U;
    account_seen_[symbol] = true;
  }
  std::optional<SimTime> end = job.end;
  if (!end && job.start && runtime) {
    end = *job.start + *runtime;
  }
  if (end && (!any_end_ || *end > last_end_)) {
    any_end_ = true;
    last_end_ = *end;
  }
  samples_.push_back(sample);
}

void StatisticsCollector::fill_quantiles(TraceStatistics& into) const {
  std::vector<double> runtime;
  std::vector<double> limit;
  std::vector<double> size;
  std::vector<double> accuracy;
  runtime.reserve(samples_.size());
  size.reserve(samples_.size());
  for (const Sample& s : samples_) {
    const bool has_limit = s.limit > Duration{} && s.limit < kUnlimited;
    if (s.runtime >= Duration{}) {
      runtime.push_back(to_seconds(s.runtime));
      if (has_limit) {
        accuracy.push_back(to_seconds(s.runtime) / to_seconds(s.limit));
      }
    }
    if (has_limit) {
      limit.push_back(to_seconds(s.limit));
    }
    into.unlimited += s.limit >= kUnlimited ? 1U : 0U;
    if (s.size >= 0) {
      size.push_back(static_cast<double>(s.size) / 1000.0);
      if (s.runtime >= Duration{}) {
        into.demand += gpu_thousandths(s.size) * s.runtime;
      }
    }
    for (std::size_t f = 0; f < kCoveredFields; ++f) {
      into.with[f] += (s.covered >> f) & 1U;
    }
  }
  into.runtime = quantiles(std::move(runtime));
  into.limit = quantiles(std::move(limit));
  into.size = quantiles(std::move(size));
  into.limit_accuracy = quantiles(std::move(accuracy));
}

void StatisticsCollector::fill_arrivals(TraceStatistics& into,
                                        std::optional<Duration> wall_clock_at_zero) {
  std::stable_sort(samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) {
    return a.submit < b.submit;
  });
  into.by_wall_clock = wall_clock_at_zero.has_value();
  const std::int64_t zero = wall_clock_at_zero.value_or(Duration{}).raw();
  into.first_submit = samples_.front().submit;
  into.last_submit = samples_.back().submit;
  std::vector<double> gaps;
  gaps.reserve(samples_.size());
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const Sample& s = samples_[i];
    if (i > 0) {
      gaps.push_back(to_seconds(s.submit - samples_[i - 1].submit));
    }
    // 1970-01-01 was a Thursday; counted from a Monday it is three days later.
    const std::int64_t in_week = floor_mod(
        floor_mod(s.submit.ns(), days(7).raw()) + floor_mod(zero, days(7).raw()) + days(3).raw(),
        days(7).raw());
    ++into.by_hour[static_cast<std::size_t>(in_week % days(1).raw() / hours(1).raw())];
    if (into.by_wall_clock) {
      ++into.by_weekday[static_cast<std::size_t>(in_week / days(1).raw())];
    }
    const auto day = static_cast<std::size_t>((s.submit - into.first_submit).raw() / days(1).raw());
    if (day < TraceStatistics::kMostDays) {
      if (into.days.size() <= day) {
        into.days.resize(day + 1);
      }
      ++into.days[day].jobs;
      for (std::size_t f = 0; f < kCoveredFields; ++f) {
        into.days[day].with[f] += (s.covered >> f) & 1U;
      }
    }
  }
  into.interarrival = quantiles(std::move(gaps));
}

void StatisticsCollector::fill_sizes(TraceStatistics& into) const {
  std::vector<const Sample*> by_size;
  for (const Sample& s : samples_) {
    if (s.size >= 0) {
      by_size.push_back(&s);
    }
  }
  std::sort(by_size.begin(), by_size.end(), [](const Sample* a, const Sample* b) {
    return a->size < b->size;
  });
  for (const Sample* s : by_size) {
    if (into.sizes.empty() || into.sizes.back().size.raw() != s->size) {
      into.sizes.push_back(SizeCount{gpu_thousandths(s->size), 0, {}});
    }
    ++into.sizes.back().jobs;
    if (s->runtime >= Duration{}) {
      into.sizes.back().gpu_time += gpu_thousandths(s->size) * s->runtime;
    }
  }
}

void StatisticsCollector::fill_users(TraceStatistics& into) const {
  constexpr std::size_t kTop = 10;
  into.users = users_.size();
  std::vector<Tally> ranked = users_;
  std::sort(ranked.begin(), ranked.end(), [this](const Tally& a, const Tally& b) {
    if (a.gpu_time != b.gpu_time) {
      return a.gpu_time > b.gpu_time;
    }
    return names_.text(a.name) < names_.text(b.name);
  });
  for (std::size_t i = 0; i < std::min(kTop, ranked.size()); ++i) {
    into.top_users.push_back(
        UserCount{std::string(names_.text(ranked[i].name)), ranked[i].jobs, ranked[i].gpu_time});
  }
}

TraceStatistics StatisticsCollector::finish(std::optional<Duration> wall_clock_at_zero) {
  TraceStatistics result;
  result.jobs = samples_.size();
  result.ends = ends_;
  result.accounts = accounts_;
  for (std::size_t kind = 0; kind < kOddities.size(); ++kind) {
    if (found_[kind].count > 0) {
      result.oddities.push_back(
          Oddity{kOddities[kind], found_[kind].count, std::move(found_[kind].lines)});
    }
  }
  if (samples_.empty()) {
    return result;
  }
  fill_quantiles(result);
  fill_arrivals(result, wall_clock_at_zero);
  fill_sizes(result);
  fill_users(result);
  result.last_end = any_end_ ? last_end_ : result.first_submit;
  return result;
}

std::optional<double> offered_load(const Workload& workload, const ClusterLayout& layout) {
  if (workload.jobs.empty() || layout.gpu_count == 0) {
    return std::nullopt;
  }
  const Duration span = workload.jobs.back().submit - workload.jobs.front().submit;
  if (span <= Duration{}) {
    return std::nullopt;
  }
  GpuTime demand;
  for (const Job& job : workload.jobs) {
    if (job.rejected == kNoSymbol) {
      demand += total_gpus(workload.shapes[index(job.shape)]) * std::min(job.runtime, job.limit);
    }
  }
  const GpuTime installed = gpus(layout.gpu_count) * span;
  return static_cast<double>(demand.raw()) / static_cast<double>(installed.raw());
}

}  // namespace weft::workloads
