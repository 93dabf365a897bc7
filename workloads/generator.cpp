#include "workloads/generator.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/rng.hpp"

namespace weft::workloads {

namespace {

// What one job is, before it has a time.
struct Body {
  double need = 0;      // s, as drawn; stretched later
  double end_part = 1;  // part of it after which it fails or is cancelled
  double limit_factor = 1;
  std::int64_t size = 0;  // thousandths of a GPU
  std::uint32_t job_class = 0;
  std::uint32_t user = 0;
  RecordedEnd end = RecordedEnd::kCompleted;
  bool has_limit = true;
  bool under = false;
};

struct Run {
  std::int64_t seconds = 1;
  std::int64_t limit = 0;  // s; 0: none
  [[nodiscard]] std::int64_t effective() const {
    return limit > 0 ? std::min(seconds, limit) : seconds;
  }
};

std::int64_t whole_seconds(double s) {
  return std::max<std::int64_t>(static_cast<std::int64_t>(std::floor(s + 0.5)), 1);
}

std::int64_t seconds_of(Duration d) {
  return d.raw() / kNsPerSecond;
}

std::vector<double> zipf_weights(std::uint32_t count, double exponent) {
  std::vector<double> weights;
  weights.reserve(count);
  for (std::uint32_t rank = 1; rank <= count; ++rank) {
    weights.push_back(1.0 / portable::pow(rank, exponent));
  }
  return weights;
}

class Draws {
 public:
  Draws(const GeneratorParameters& parameters, std::uint64_t seed)
      : p_(parameters),
        kinds_(seed, "generator.classes"),
        durations_(seed, "generator.durations"),
        limits_(seed, "generator.limits"),
        users_(seed, "generator.users"),
        ends_(seed, "generator.ends"),
        class_of_(class_weights(parameters)),
        user_of_(zipf_weights(parameters.users.count, parameters.users.zipf)),
        team_user_of_(zipf_weights(users_a_team(), parameters.users.zipf)) {
    for (const JobClass& c : p_.classes) {
      std::vector<double> sizes;
      for (const SizeWeight& s : c.sizes) {
        sizes.push_back(s.weight);
      }
      size_of_.emplace_back(sizes);
      std::vector<double> parts;
      for (const DurationPart& d : c.durations) {
        parts.push_back(d.weight);
      }
      part_of_.emplace_back(parts);
    }
    menu_.reserve(p_.limits.menu.size());
    for (const Duration d : p_.limits.menu) {
      menu_.push_back(seconds_of(d));
    }
    log_factor_ = portable::log(p_.limits.factor_median);
  }

  Body next() {
    Body body;
    const bool repeats = users_.chance(p_.users.repeat) && any_;
    if (repeats) {
      body.job_class = last_.job_class;
      body.size = last_.size;
      body.user = last_.user;
    } else {
      body.job_class = static_cast<std::uint32_t>(class_of_(kinds_));
      const JobClass& c = p_.classes[body.job_class];
      body.size = c.sizes[size_of_[body.job_class](kinds_)].gpus.raw();
      body.user =
          static_cast<std::uint32_t>(c.account.empty() ? user_of_(users_) : team_user_of_(users_));
    }
    const JobClass& c = p_.classes[body.job_class];
    const DurationPart& part = c.durations[part_of_[body.job_class](durations_)];
    body.need = durations_.lognormal(portable::log(to_seconds(part.median)), part.sigma);

    const double end = ends_.uniform();
    const double end_part = 1.0 - ends_.uniform();  // (0, 1]
    if (end < p_.ends.failed) {
      body.end = RecordedEnd::kFailed;
    } else if (end < p_.ends.failed + p_.ends.cancelled) {
      body.end = RecordedEnd::kCancelled;
    }
    if (p_.ends.early && body.end != RecordedEnd::kCompleted) {
      body.end_part = end_part;
    }
    body.has_limit = !limits_.chance(p_.limits.missing);
    body.under = limits_.chance(p_.limits.under);
    body.limit_factor = limits_.lognormal(log_factor_, p_.limits.factor_sigma);
    last_ = body;
    any_ = true;
    return body;
  }

  // People know what the whole job needs, not that it will fail: the limit comes from the need.
  [[nodiscard]] Run run_of(const Body& body, double stretch) const {
    const JobClass& c = p_.classes[body.job_class];
    const double longest = to_seconds(c.longest);
    const double need = std::min(body.need * stretch, longest);
    Run run;
    run.seconds = whole_seconds(need * body.end_part);
    if (!body.has_limit) {
      return run;
    }
    if (body.under && body.end == RecordedEnd::kCompleted) {
      const std::int64_t lower = next_lower(whole_seconds(need));
      if (lower > 0) {
        run.limit = lower;
        return run;
      }
    }
    const double most = to_seconds(p_.limits.longest);
    const double wanted = need * std::max(body.limit_factor, 1.0);
    run.limit = next_higher(whole_seconds(std::min(wanted, std::max(most, need))));
    // The longest limit allowed stops whoever needs more.
    run.limit = std::min(run.limit, seconds_of(p_.limits.longest));
    return run;
  }

  [[nodiscard]] std::uint32_t users_a_team() const {
    return std::max<std::uint32_t>(p_.users.count / std::max(p_.users.accounts, 1U), 1);
  }

 private:
  static std::vector<double> class_weights(const GeneratorParameters& p) {
    std::vector<double> weights;
    for (const JobClass& c : p.classes) {
      weights.push_back(c.share);
    }
    return weights;
  }
  [[nodiscard]] std::int64_t next_higher(std::int64_t s) const {
    const auto at = std::lower_bound(menu_.begin(), menu_.end(), s);
    return at == menu_.end() ? s : *at;
  }
  [[nodiscard]] std::int64_t next_lower(std::int64_t s) const {
    const auto at = std::lower_bound(menu_.begin(), menu_.end(), s);
    return at == menu_.begin() ? 0 : *(at - 1);
  }

  const GeneratorParameters& p_;
  Rng kinds_;
  Rng durations_;
  Rng limits_;
  Rng users_;
  Rng ends_;
  DiscreteDistribution class_of_;
  DiscreteDistribution user_of_;
  DiscreteDistribution team_user_of_;
  std::vector<DiscreteDistribution> size_of_;
  std::vector<DiscreteDistribution> part_of_;
  std::vector<std::int64_t> menu_;
  double log_factor_ = 0;
  Body last_;
  bool any_ = false;
};

// GPU seconds.
double demand_of(const Draws& draws, const std::vector<Body>& bodies, double stretch) {
  double sum = 0;
  for (const Body& body : bodies) {
    sum += static_cast<double>(body.size) * 1e-3 *
           static_cast<double>(draws.run_of(body, stretch).effective());
  }
  return sum;
}

// The factor on run times that makes the bodies ask for `target` GPU seconds. Demand rises with
// the factor (but for rounding), from next to nothing to where all jobs take their longest.
double stretch_to(const Draws& draws, const std::vector<Body>& bodies, double target) {
  double low = 1e-6;
  double high = 1e6;
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = std::sqrt(low * high);
    if (demand_of(draws, bodies, middle) < target) {
      low = middle;
    } else {
      high = middle;
    }
    if (high / low < 1.0 + 1e-7) {
      break;
    }
  }
  return std::sqrt(low * high);
}

// Time at which each hour of the span begins, in units of expected arrivals.
std::vector<double> cumulative_rate(const GeneratorParameters& p) {
  std::vector<double> cumulative = {0};
  const double span_hours = to_seconds(p.span) / 3600.0;
  for (std::size_t hour = 0; static_cast<double>(hour) < span_hours; ++hour) {
    const std::size_t day = (static_cast<std::size_t>(p.arrivals.first_weekday) + hour / 24) % 7;
    const double part = std::min(1.0, span_hours - static_cast<double>(hour));
    cumulative.push_back(cumulative.back() +
                         p.arrivals.hours[hour % 24] * p.arrivals.weekdays[day] * part);
  }
  return cumulative;
}

// Gamma gaps in time that runs with the rate, mapped back to the clock. Given the number of jobs,
// dividing by the sum of all gaps is the process conditioned on that number.
std::vector<std::int64_t> arrival_seconds(const GeneratorParameters& p,
                                          std::size_t count,
                                          std::uint64_t seed) {
  Rng rng(seed, "generator.arrivals");
  std::vector<double> at(count + 1);
  double sum = 0;
  for (double& t : at) {
    sum += rng.gamma(p.arrivals.gap_shape, 1.0);
    t = sum;
  }
  const std::vector<double> cumulative = cumulative_rate(p);
  std::vector<std::int64_t> result;
  result.reserve(count);
  const std::int64_t last_second = std::max<std::int64_t>(seconds_of(p.span) - 1, 0);
  std::size_t hour = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double wanted = sum > 0 ? at[i] / sum * cumulative.back() : 0.0;
    while (hour + 2 < cumulative.size() && cumulative[hour + 1] <= wanted) {
      ++hour;
    }
    const double rate = cumulative[hour + 1] - cumulative[hour];
    const double part = rate > 0 ? (wanted - cumulative[hour]) / rate : 0.0;
    const double s = 3600.0 * (static_cast<double>(hour) + std::clamp(part, 0.0, 1.0));
    result.push_back(std::min(static_cast<std::int64_t>(std::floor(s)), last_second));
  }
  return result;
}

void emit(const GeneratorParameters& p,
          const Draws& draws,
          const std::vector<Body>& bodies,
          const std::vector<std::int64_t>& submits,
          double stretch,
          RecordSink& sink) {
  fmt::memory_buffer id;
  fmt::memory_buffer user;
  fmt::memory_buffer account;
  const auto view = [](const fmt::memory_buffer& b) {
    return std::string_view(b.data(), b.size());
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const JobClass& c = p.classes[body.job_class];
    const Run run = draws.run_of(body, stretch);
    id.clear();
    user.clear();
    account.clear();
    fmt::format_to(std::back_inserter(id), "{}", i + 1);
    if (c.account.empty()) {
      fmt::format_to(std::back_inserter(user), "user{:03}", body.user + 1);
      fmt::format_to(
          std::back_inserter(account), "team{}", body.user % std::max(p.users.accounts, 1U) + 1);
    } else {
      fmt::format_to(std::back_inserter(user), "{}-{:02}", c.account, body.user + 1);
      fmt::format_to(std::back_inserter(account), "{}", c.account);
    }
    JobRecord record;
    record.id = view(id);
    record.submit = at_seconds(submits[i]);
    record.runtime = seconds(run.seconds);
    if (run.limit > 0) {
      record.limit = seconds(run.limit);
    }
    record.gpus = gpu_thousandths(body.size);
    record.profile = c.name;
    record.user = view(user);
    record.account = view(account);
    record.recorded_end =
        run.limit > 0 && run.seconds > run.limit ? RecordedEnd::kTimeout : body.end;
    record.line = static_cast<std::uint32_t>(i + 1);
    sink.record(record);
  }
}

bool is_share(double x) {
  return x >= 0 && x <= 1;
}

bool is_weight(double x) {
  return x >= 0 && x <= 1e12;
}

template <class Items, class Weight>
bool weigh(const Items& items, Weight weight) {
  double sum = 0;
  for (const auto& item : items) {
    if (!is_weight(weight(item))) {
      return false;
    }
    sum += weight(item);
  }
  return sum > 0;
}

std::string problem_of(const JobClass& c) {
  const std::string name = "class " + c.name + ": ";
  if (!is_weight(c.share)) {
    return name + "share must be 0 or more";
  }
  if (!weigh(c.sizes, [](const SizeWeight& s) { return s.weight; })) {
    return name + "sizes must have weights of 0 or more, one of them above 0";
  }
  for (const SizeWeight& s : c.sizes) {
    if (s.gpus.raw() < 1 || s.gpus > gpus(10'000'000) ||
        (s.gpus.raw() > 1000 && s.gpus.raw() % 1000 != 0)) {
      return name + "sizes must be part of one GPU or whole GPUs up to 10000000";
    }
  }
  if (!weigh(c.durations, [](const DurationPart& d) { return d.weight; })) {
    return name + "durations must have weights of 0 or more, one of them above 0";
  }
  for (const DurationPart& d : c.durations) {
    if (d.median <= Duration{} || d.median > days(3650) || !(d.sigma >= 0 && d.sigma <= 10)) {
      return name + "durations must have a median above 0 and a sigma from 0 to 10";
    }
  }
  return c.longest < seconds(1) || c.longest > days(3650) ? name + "longest must be 1s to 10y"
                                                          : std::string{};
}

}  // namespace

std::vector<Duration> usual_limits() {
  return {minutes(5), minutes(10), minutes(15), minutes(30), hours(1),  hours(2),  hours(3),
          hours(4),   hours(6),    hours(8),    hours(12),   hours(18), hours(24), hours(36),
          hours(48),  days(3),     days(4),     days(5),     days(7),   days(10),  days(14)};
}

ArrivalPattern working_week() {
  ArrivalPattern pattern;
  pattern.hours = {0.5, 0.4, 0.3, 0.25, 0.25, 0.3, 0.4, 0.6, 1.0, 1.5, 1.8, 1.7,
                   1.3, 1.5, 1.8, 1.8,  1.7,  1.5, 1.2, 1.1, 1.1, 1.0, 0.9, 0.7};
  pattern.weekdays = {1.1, 1.2, 1.2, 1.2, 1.1, 0.6, 0.6};
  return pattern;
}

std::string problem_of(const GeneratorParameters& p) {
  if (p.span < hours(1) || p.span > days(3650)) {
    return "span must be 1h to 10y";
  }
  if (!p.jobs && !p.load) {
    return "jobs or load must be given";
  }
  if (p.jobs && (*p.jobs < 1 || *p.jobs > kMostGeneratedJobs)) {
    return "jobs must be 1 to " + std::to_string(kMostGeneratedJobs);
  }
  if (p.load && !(*p.load > 0 && *p.load <= 1000)) {
    return "load must be above 0, at most 1000";
  }
  if (p.gpus == 0) {
    return "gpus must be above 0";
  }
  const auto itself = [](double x) { return x; };
  if (!weigh(p.arrivals.hours, itself) || !weigh(p.arrivals.weekdays, itself)) {
    return "arrival rates must be 0 or more, one of them above 0";
  }
  if (cumulative_rate(p).back() <= 0) {
    return "no hour of the span has an arrival rate above 0";
  }
  if (!(p.arrivals.gap_shape >= 0.01 && p.arrivals.gap_shape <= 1000)) {
    return "gap_shape must be 0.01 to 1000";
  }
  if (p.arrivals.first_weekday < 0 || p.arrivals.first_weekday > 6) {
    return "the first weekday must be 0 to 6";
  }
  if (p.users.count == 0 || p.users.count > 1'000'000 ||
      !(p.users.zipf >= 0 && p.users.zipf <= 5)) {
    return "users must be 1 to 1000000, zipf 0 to 5";
  }
  if (!is_share(p.users.repeat) || !is_share(p.limits.missing) || !is_share(p.limits.under) ||
      !is_share(p.ends.failed) || !is_share(p.ends.cancelled) ||
      !is_share(p.ends.failed + p.ends.cancelled)) {
    return "shares must be 0 to 1";
  }
  if (!(p.limits.factor_median > 0 && p.limits.factor_median <= 1e6) ||
      !(p.limits.factor_sigma >= 0 && p.limits.factor_sigma <= 10)) {
    return "the limit factor must be above 0, its sigma 0 to 10";
  }
  if (p.limits.longest < seconds(1) || p.limits.longest > days(3650) ||
      !std::is_sorted(p.limits.menu.begin(), p.limits.menu.end()) ||
      (!p.limits.menu.empty() && p.limits.menu.front() < seconds(1))) {
    return "limits must be 1s to 10y, the menu ascending";
  }
  if (!weigh(p.classes, [](const JobClass& c) { return c.share; })) {
    return "classes must have shares of 0 or more, one of them above 0";
  }
  for (const JobClass& c : p.classes) {
    if (std::string problem = problem_of(c); !problem.empty()) {
      return problem;
    }
  }
  return {};
}

Generated generate(const GeneratorParameters& p, std::uint64_t seed, RecordSink& sink) {
  WEFT_ASSERT(problem_of(p).empty(), problem_of(p));
  Draws draws(p, seed);
  const double capacity = static_cast<double>(p.gpus) * to_seconds(p.span);
  const double target = p.load.value_or(0) * capacity;
  std::vector<Body> bodies;
  if (p.jobs) {
    bodies.reserve(*p.jobs);
    while (bodies.size() < *p.jobs) {
      bodies.push_back(draws.next());
    }
  } else {
    double demand = 0;
    while (demand < target && bodies.size() < kMostGeneratedJobs) {
      bodies.push_back(draws.next());
      demand += static_cast<double>(bodies.back().size) * 1e-3 *
                static_cast<double>(draws.run_of(bodies.back(), 1.0).effective());
    }
  }
  Generated result;
  if (p.jobs && p.load) {
    result.stretch = stretch_to(draws, bodies, target);
  }
  for (const Body& body : bodies) {
    result.demand +=
        gpu_thousandths(body.size) * seconds(draws.run_of(body, result.stretch).effective());
  }
  result.jobs = bodies.size();
  result.load = static_cast<double>(result.demand.raw()) / 1000.0 /
                static_cast<double>(kNsPerSecond) / capacity;
  result.reached_load = !p.load || result.load >= 0.99 * *p.load;
  emit(p, draws, bodies, arrival_seconds(p, bodies.size(), seed), result.stretch, sink);
  return result;
}

}  // namespace weft::workloads
