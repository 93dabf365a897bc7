#include "workloads/generator_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/rng.hpp"
#include "workloads/statistics.hpp"

namespace weft::workloads {

namespace {

using Sample = GeneratorFitter::Sample;
constexpr double kDay = 86400;

// Six significant digits: what the YAML shows is what was fitted.
double rounded(double v) {
  if (v == 0 || !std::isfinite(v)) {
    return 0;
  }
  double scale = 1;
  double size = std::fabs(v);
  while (size < 1e5 && scale < 1e12) {
    size *= 10;
    scale *= 10;
  }
  return std::floor(v * scale + 0.5) / scale;
}

Duration whole_seconds(double s) {
  return seconds(std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(s + 0.5)), 1));
}

// Mixture of up to three normals by expectation-maximisation (Dempster, Laird, Rubin 1977), on at
// most 4,000 evenly spaced order statistics. Starts at the sixths of the sample, so no random
// start decides the outcome.
std::vector<DurationPart> fit_durations(std::vector<double> logs) {
  constexpr std::size_t kPoints = 4000;
  constexpr int kRounds = 80;
  constexpr double kLeastSigma = 0.02;
  std::sort(logs.begin(), logs.end());
  if (logs.size() > kPoints) {
    std::vector<double> thinned(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) {
      thinned[i] = logs[(2 * i + 1) * logs.size() / (2 * kPoints)];
    }
    logs = std::move(thinned);
  }
  const auto n = static_cast<double>(logs.size());
  double mean = 0;
  for (const double x : logs) {
    mean += x / n;
  }
  double variance = 0;
  for (const double x : logs) {
    variance += (x - mean) * (x - mean) / n;
  }
  const double overall = std::max(std::sqrt(variance), kLeastSigma);
  const std::size_t parts = logs.size() >= 50 ? 3 : 1;
  struct Normal {
    double weight;
    double mean;
    double sigma;
  };
  std::vector<Normal> mixture;
  for (std::size_t k = 0; k < parts; ++k) {
    mixture.push_back({1.0 / static_cast<double>(parts),
                       parts == 1 ? mean : logs[(2 * k + 1) * logs.size() / (2 * parts)],
                       parts == 1 ? overall : std::max(overall / 2, kLeastSigma)});
  }
  for (int round = 0; parts > 1 && round < kRounds; ++round) {
    std::vector<double> weight(parts, 0);
    std::vector<double> sum(parts, 0);
    std::vector<double> squares(parts, 0);
    std::vector<double> density(parts);
    for (const double x : logs) {
      double total = 0;
      for (std::size_t k = 0; k < parts; ++k) {
        const double z = (x - mixture[k].mean) / mixture[k].sigma;
        density[k] = mixture[k].weight / mixture[k].sigma * portable::exp(-0.5 * z * z);
        total += density[k];
      }
      for (std::size_t k = 0; k < parts; ++k) {
        const double part = total > 0 ? density[k] / total : 1.0 / static_cast<double>(parts);
        weight[k] += part;
        sum[k] += part * x;
        squares[k] += part * x * x;
      }
    }
    for (std::size_t k = 0; k < parts; ++k) {
      if (weight[k] > 1e-9) {
        const double m = sum[k] / weight[k];
        const double v = std::max(squares[k] / weight[k] - m * m, 0.0);
        mixture[k] = {weight[k] / n, m, std::max(std::sqrt(v), kLeastSigma)};
      }
    }
  }
  std::vector<DurationPart> result;
  for (const Normal& part : mixture) {
    if (part.weight >= 1e-4) {
      result.push_back(DurationPart{
          rounded(part.weight), whole_seconds(portable::exp(part.mean)), rounded(part.sigma)});
    }
  }
  return result;
}

std::string size_range_name(std::int64_t least, std::int64_t most) {
  const auto text = [](std::int64_t thousandths) {
    return thousandths % 1000 == 0 ? fmt::format("{}", thousandths / 1000)
                                   : fmt::format("{:.3g}", static_cast<double>(thousandths) / 1000);
  };
  return least == most ? text(least) + "-gpu" : text(least) + "-to-" + text(most) + "-gpu";
}

// The power of two at or above a size: jobs of one bucket share their durations.
std::int64_t bucket_of(std::int64_t size) {
  if (size <= 1000) {
    return size < 1000 ? 0 : 1;
  }
  std::int64_t bucket = 1;
  while (bucket * 1000 < size) {
    bucket *= 2;
  }
  return bucket;
}

double gpu_seconds_of(const Sample& s) {
  return s.runtime * static_cast<double>(s.size) / 1000;
}

double gpu_seconds_of(const std::vector<Sample>& samples) {
  double sum = 0;
  for (const Sample& s : samples) {
    sum += gpu_seconds_of(s);
  }
  return sum;
}

double gpu_seconds_of(const std::vector<const Sample*>& samples) {
  double sum = 0;
  for (const Sample* s : samples) {
    sum += gpu_seconds_of(*s);
  }
  return sum;
}

std::vector<JobClass> fit_classes(const std::vector<Sample>& samples) {
  std::map<std::int64_t, std::vector<const Sample*>> buckets;
  for (const Sample& s : samples) {
    buckets[bucket_of(s.size)].push_back(&s);
  }
  // Too few jobs to say anything of their own: join the next smaller bucket. But the few large jobs
  // that hold much of the GPU time run longer than small ones, and stay apart.
  const std::size_t least = std::max<std::size_t>(50, samples.size() / 500);
  constexpr std::size_t kLeastOfMuch = 8;
  constexpr double kMuch = 0.02;  // of the GPU time
  const double demand = gpu_seconds_of(samples);
  const auto apart = [&](const std::vector<const Sample*>& members) {
    return members.size() >= least ||
           (members.size() >= kLeastOfMuch && gpu_seconds_of(members) >= kMuch * demand);
  };
  std::vector<std::vector<const Sample*>> groups;
  for (auto& [bucket, members] : buckets) {
    if (!groups.empty() && !(apart(members) && apart(groups.back()))) {
      groups.back().insert(groups.back().end(), members.begin(), members.end());
    } else {
      groups.push_back(std::move(members));
    }
  }
  std::vector<JobClass> classes;
  for (const auto& group : groups) {
    JobClass c;
    std::map<std::int64_t, std::uint64_t> sizes;
    std::vector<double> logs;
    double longest = 1;
    for (const Sample* s : group) {
      ++sizes[s->size];
      logs.push_back(portable::log(std::max(s->runtime, 1.0)));
      longest = std::max(longest, s->runtime);
    }
    for (const auto& [size, count] : sizes) {
      c.sizes.push_back(SizeWeight{gpu_thousandths(size), static_cast<double>(count)});
    }
    c.name = size_range_name(sizes.begin()->first, sizes.rbegin()->first);
    c.share = rounded(static_cast<double>(group.size()) / static_cast<double>(samples.size()));
    c.durations = fit_durations(std::move(logs));
    c.longest = std::min(whole_seconds(std::ceil(longest)), days(3650));
    classes.push_back(std::move(c));
  }
  return classes;
}

// Maximum likelihood for the shape of a gamma distribution, in the closed approximation of Minka
// (2002), good to 1.5 %.
double gamma_shape(const std::vector<double>& gaps) {
  double mean = 0;
  double mean_log = 0;
  const auto n = static_cast<double>(gaps.size());
  for (const double g : gaps) {
    mean += g / n;
    mean_log += portable::log(g) / n;
  }
  const double s = portable::log(mean) - mean_log;
  if (s <= 1e-4) {
    return 1000;
  }
  const double shape = (3 - s + std::sqrt((s - 3) * (s - 3) + 24 * s)) / (12 * s);
  return std::clamp(shape, 0.05, 1000.0);
}

ArrivalPattern fit_arrivals(const std::vector<Sample>& samples, double span) {
  ArrivalPattern pattern;
  const double first = samples.front().submit;
  // How much of each hour and weekday the span holds, so that a cut week does not bias the rates.
  std::array<double, 24> hour_time{};
  std::array<double, 7> day_time{};
  for (double t = std::floor(first / 3600) * 3600; t < first + span; t += 3600) {
    const double part = std::min(t + 3600, first + span) - std::max(t, first);
    hour_time[static_cast<std::size_t>(t / 3600) % 24] += part;
    day_time[static_cast<std::size_t>(t / kDay) % 7] += part;
  }
  std::array<double, 24> hour_jobs{};
  std::array<double, 7> day_jobs{};
  for (const Sample& s : samples) {
    hour_jobs[static_cast<std::size_t>(s.submit / 3600) % 24] += 1;
    day_jobs[static_cast<std::size_t>(s.submit / kDay) % 7] += 1;
  }
  const auto n = static_cast<double>(samples.size());
  if (span >= 2 * kDay) {
    for (std::size_t h = 0; h < 24; ++h) {
      pattern.hours[h] = hour_time[h] > 0 ? rounded(hour_jobs[h] / hour_time[h] * span / n) : 0;
    }
  }
  if (span >= 14 * kDay) {
    for (std::size_t d = 0; d < 7; ++d) {
      pattern.weekdays[d] = rounded(day_jobs[d] / day_time[d] * span / n);
    }
  }
  // Gaps in time that runs with the rate.
  std::vector<double> cumulative = {0};
  const double last = samples.back().submit;
  for (std::size_t hour = 0; static_cast<double>(hour) * 3600 <= last; ++hour) {
    cumulative.push_back(cumulative.back() +
                         pattern.hours[hour % 24] * pattern.weekdays[hour / 24 % 7]);
  }
  const auto rate_time = [&](double t) {
    const auto hour = static_cast<std::size_t>(t / 3600);
    return cumulative[hour] +
           (cumulative[hour + 1] - cumulative[hour]) * (t / 3600 - static_cast<double>(hour));
  };
  std::vector<double> gaps;
  // Logs count whole seconds: a gap of 0 lies anywhere below one, half a second is its middle.
  const double least = 0.5 / 3600;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    gaps.push_back(
        std::max(rate_time(samples[i].submit) - rate_time(samples[i - 1].submit), least));
  }
  pattern.gap_shape = rounded(gamma_shape(gaps));
  return pattern;
}

UserPattern fit_users(const std::vector<Sample>& samples, std::uint32_t accounts) {
  UserPattern users;
  std::map<std::uint32_t, double> jobs_of;
  std::map<std::int64_t, double> jobs_of_size;
  for (const Sample& s : samples) {
    jobs_of[s.user] += 1;
    jobs_of_size[s.size] += 1;
  }
  users.count = static_cast<std::uint32_t>(std::min<std::size_t>(jobs_of.size(), 1'000'000));
  users.accounts = std::clamp(accounts, 1U, users.count);
  std::vector<double> ranked;
  for (const auto& [user, jobs] : jobs_of) {
    ranked.push_back(jobs);
  }
  std::sort(ranked.rbegin(), ranked.rend());
  // Zipf's exponent: least squares of ln(jobs) on ln(rank), weighted by jobs.
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t r = 0; r < ranked.size(); ++r) {
    const double lx = portable::log(static_cast<double>(r + 1));
    const double ly = portable::log(ranked[r]);
    w += ranked[r];
    x += ranked[r] * lx;
    y += ranked[r] * ly;
    xx += ranked[r] * lx * lx;
    xy += ranked[r] * lx * ly;
  }
  const double spread = w * xx - x * x;
  users.zipf = spread > 0 ? std::clamp(rounded(-(w * xy - x * y) / spread), 0.0, 5.0) : 0.0;
  // Neighbours of one user and size, beyond what chance alone would make.
  double same = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    same += samples[i].user == samples[i - 1].user && samples[i].size == samples[i - 1].size;
  }
  const auto n = static_cast<double>(samples.size());
  double same_user = 0;
  for (const auto& [user, jobs] : jobs_of) {
    same_user += jobs / n * jobs / n;
  }
  double same_size = 0;
  for (const auto& [size, jobs] : jobs_of_size) {
    same_size += jobs / n * jobs / n;
  }
  const double chance = same_user * same_size;
  if (jobs_of.size() > 1 && chance < 1) {
    users.repeat = std::clamp(rounded((same / (n - 1) - chance) / (1 - chance)), 0.0, 0.99);
  }
  return users;
}

LimitPattern fit_limits(const std::vector<Sample>& samples) {
  LimitPattern limits;
  double missing = 0, under = 0, count = 0, sum = 0, squares = 0, longest = 0;
  std::map<std::int64_t, double> values;
  for (const Sample& s : samples) {
    if (s.limit <= 0) {
      missing += 1;
      continue;
    }
    longest = std::max(longest, s.limit);
    values[static_cast<std::int64_t>(std::floor(s.limit + 0.5))] += 1;
    if (s.runtime > s.limit || s.end == RecordedEnd::kTimeout) {
      under += 1;
      continue;
    }
    const double ratio = portable::log(s.limit / std::max(s.runtime, 1.0));
    count += 1;
    sum += ratio;
    squares += ratio * ratio;
  }
  const auto n = static_cast<double>(samples.size());
  limits.missing = rounded(missing / n);
  limits.under = rounded(missing < n ? under / (n - missing) : 0);
  if (count > 0) {
    const double mean = sum / count;
    limits.factor_median = rounded(std::clamp(portable::exp(mean), 1e-3, 1e6));
    limits.factor_sigma =
        rounded(std::min(std::sqrt(std::max(squares / count - mean * mean, 0.0)), 10.0));
    limits.longest = std::min(whole_seconds(std::ceil(longest)), days(3650));
    // Values that people type again and again.
    double typed = 0;
    for (const auto& [value, jobs] : values) {
      if (value >= 1 && jobs >= std::max(2.0, 0.002 * n)) {
        limits.menu.push_back(seconds(value));
        typed += jobs;
      }
    }
    if (typed < 0.8 * (n - missing)) {
      limits.menu.clear();
    }
  }
  return limits;
}

EndPattern fit_ends(const std::vector<Sample>& samples) {
  EndPattern ends;
  ends.early = false;
  const auto n = static_cast<double>(samples.size());
  for (const Sample& s : samples) {
    ends.failed += s.end == RecordedEnd::kFailed || s.end == RecordedEnd::kNodeFail ||
                   s.end == RecordedEnd::kOutOfMemory;
    ends.cancelled += s.end == RecordedEnd::kCancelled;
  }
  ends.failed = std::floor(ends.failed / n * 1e6) / 1e6;
  ends.cancelled = std::floor(ends.cancelled / n * 1e6) / 1e6;
  return ends;
}

struct Marginals {
  std::vector<double> size;
  std::vector<double> runtime;
  std::vector<double> interarrival;
  double demand = 0;  // GPU seconds
};

class MarginalSink final : public RecordSink {
 public:
  void record(const JobRecord& job) override {
    add(to_seconds(job.submit->since_start()), to_seconds(*job.runtime), job.gpus->raw());
  }
  void add(double submit, double runtime, std::int64_t size) {
    marginals.size.push_back(static_cast<double>(size));
    marginals.runtime.push_back(runtime);
    if (marginals.size.size() > 1) {
      marginals.interarrival.push_back(submit - last_);
    }
    marginals.demand += runtime * static_cast<double>(size) / 1000;
    last_ = submit;
  }
  Marginals marginals;

 private:
  double last_ = 0;
};

GoodnessOfFit compare(const GeneratorParameters& parameters,
                      const std::vector<Sample>& samples,
                      std::uint64_t seed) {
  MarginalSink log;
  for (const Sample& s : samples) {
    // The generator counts whole seconds, so the log's fractions are rounded for the comparison.
    log.add(std::floor(s.submit), std::max(std::floor(s.runtime + 0.5), 1.0), s.size);
  }
  MarginalSink made;
  generate(parameters, seed, made);
  GoodnessOfFit goodness;
  goodness.size = kolmogorov_smirnov(log.marginals.size, made.marginals.size);
  goodness.runtime = kolmogorov_smirnov(log.marginals.runtime, made.marginals.runtime);
  goodness.interarrival =
      kolmogorov_smirnov(log.marginals.interarrival, made.marginals.interarrival);
  goodness.demand_ratio =
      log.marginals.demand > 0 ? made.marginals.demand / log.marginals.demand : 0;
  return goodness;
}

}  // namespace

double kolmogorov_smirnov(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty()) {
    return a.empty() == b.empty() ? 0 : 1;
  }
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double distance = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= x) {
      ++i;
    }
    while (j < b.size() && b[j] <= x) {
      ++j;
    }
    distance = std::max(distance,
                        std::fabs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                  static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return distance;
}

void GeneratorFitter::record(const JobRecord& job) {
  const auto runtime = recorded_runtime(job);
  const auto size = recorded_size(job);
  if (!job.submit || !runtime || !size || size->raw() <= 0 || *size > gpus(10'000'000)) {
    ++left_out_;
    return;
  }
  Sample sample;
  sample.submit = to_seconds(job.submit->since_start());
  sample.runtime = to_seconds(*runtime);
  sample.size = size->raw() <= 1000 ? size->raw() : (size->raw() + 999) / 1000 * 1000;
  sample.limit = job.limit && *job.limit < kUnlimited ? to_seconds(*job.limit) : -1;
  sample.user = static_cast<std::uint32_t>(names_.intern(job.user));
  sample.end = job.recorded_end;
  if (!job.account.empty()) {
    const std::size_t account = index(names_.intern(job.account));
    if (account_seen_.size() <= account) {
      account_seen_.resize(account + 1, false);
    }
    accounts_ += account_seen_[account] ? 0U : 1U;
    account_seen_[account] = true;
  }
  samples_.push_back(sample);
}

std::optional<Fit> GeneratorFitter::finish(const std::string& name,
                                           std::optional<Duration> wall_clock_at_zero,
                                           std::uint64_t seed) {
  if (samples_.size() < 2 || samples_.size() > kMostGeneratedJobs) {
    return std::nullopt;
  }
  std::stable_sort(samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) {
    return a.submit < b.submit;
  });
  Fit fit;
  fit.used = samples_.size();
  fit.left_out = left_out_;
  GeneratorParameters& p = fit.parameters;
  p.name = name;

  // From here on, time 0 is a midnight: of the wall clock, else of the trace's own days.
  const double zero = to_seconds(wall_clock_at_zero.value_or(Duration{}));
  const double midnight = std::floor((samples_.front().submit + zero) / kDay) * kDay;
  for (Sample& s : samples_) {
    s.submit += zero - midnight;
  }
  const auto first_day = static_cast<std::int64_t>(midnight / kDay);
  const double span = samples_.back().submit - samples_.front().submit;
  if (span < 1 || samples_.back().submit > 3649 * kDay) {
    return std::nullopt;
  }
  p.span = std::max(whole_seconds(std::ceil(span)), hours(1));
  p.jobs = samples_.size();
  p.arrivals = fit_arrivals(samples_, span);
  // fit_arrivals counts weekdays from the first day; turn them so that Monday is first. Day 0 of
  // 1970 was a Thursday, the fourth day of its week.
  p.arrivals.first_weekday =
      wall_clock_at_zero ? static_cast<int>(((first_day + 3) % 7 + 7) % 7) : 0;
  std::array<double, 7> from_monday{};
  for (std::size_t d = 0; d < 7; ++d) {
    from_monday[(d + static_cast<std::size_t>(p.arrivals.first_weekday)) % 7] =
        p.arrivals.weekdays[d];
  }
  p.arrivals.weekdays = from_monday;
  p.users = fit_users(samples_, accounts_);
  p.limits = fit_limits(samples_);
  p.ends = fit_ends(samples_);
  p.classes = fit_classes(samples_);
  const double demand = gpu_seconds_of(samples_);
  double largest = 1;
  for (const Sample& s : samples_) {
    largest = std::max(largest, std::ceil(static_cast<double>(s.size) / 1000));
  }
  p.gpus =
      static_cast<std::uint32_t>(std::clamp(std::max(largest, std::ceil(demand / span)), 1.0, 1e9));
  // A few large jobs may hold much of the GPU time, so that a draw of them misses it by far; with
  // the load given, the generator stretches run times to meet it.
  const double load = rounded(demand / (to_seconds(p.span) * p.gpus));
  if (load >= 0.001 && load <= 1000) {
    p.load = load;
  }
  if (!problem_of(p).empty()) {
    return std::nullopt;
  }
  fit.goodness = compare(p, samples_, seed);
  return fit;
}

}  // namespace weft::workloads
