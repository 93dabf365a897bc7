#include "workloads/team_description.hpp"

#include <algorithm>
#include <utility>

#include "base/rng.hpp"

namespace weft::workloads {

namespace {

double mean_size(const std::vector<SizeWeight>& sizes) {
  double sum = 0;
  double weights = 0;
  for (const SizeWeight& s : sizes) {
    sum += static_cast<double>(s.gpus.raw()) / 1000.0 * s.weight;
    weights += s.weight;
  }
  return weights > 0 ? sum / weights : 0;
}

}  // namespace

std::vector<WorkKind> built_in_work() {
  const auto sizes = [](std::initializer_list<std::pair<std::int64_t, double>> list) {
    std::vector<SizeWeight> result;
    for (const auto& [count, weight] : list) {
      result.push_back(SizeWeight{gpus(count), weight});
    }
    return result;
  };
  return {
      {"pretraining", sizes({{32, 3}, {64, 4}, {128, 2}, {256, 1}}), hours(8), 1.3, days(14)},
      {"finetuning", sizes({{4, 2}, {8, 6}, {16, 2}, {32, 1}}), hours(2), 1.2, days(4)},
      {"hyperparameter-search", sizes({{1, 6}, {2, 2}, {4, 1}}), minutes(50), 1.2, days(2)},
      {"evaluation", sizes({{1, 6}, {2, 2}, {4, 2}, {8, 1}}), minutes(8), 1.3, days(1)},
      {"batch-inference", sizes({{1, 3}, {4, 2}, {8, 2}}), minutes(90), 1.0, days(2)},
      {"notebooks", sizes({{1, 9}, {2, 1}}), minutes(70), 1.0, days(1)},
      {"debugging", sizes({{1, 5}, {2, 1}, {8, 3}, {16, 1}}), minutes(3), 1.3, hours(8)},
  };
}

std::optional<WorkKind> find_work(std::string_view name) {
  std::vector<WorkKind> kinds = built_in_work();
  for (WorkKind& kind : kinds) {
    if (kind.name == name) {
      return std::move(kind);
    }
  }
  return std::nullopt;
}

double mean_runtime(const WorkKind& kind) {
  // Midpoint rule over +-8 standard deviations; the tail beyond weighs less than 1e-15.
  constexpr int kSteps = 1024;
  constexpr double kReach = 8;
  const double mu = portable::log(to_seconds(kind.median));
  const double longest = to_seconds(kind.longest);
  double sum = 0;
  double weights = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double z = (i + 0.5) / kSteps * 2 * kReach - kReach;
    const double weight = portable::exp(-0.5 * z * z);
    sum += weight * std::min(portable::exp(mu + kind.sigma * z), longest);
    weights += weight;
  }
  return sum / weights;
}

GeneratorParameters parameters_of(const TeamDescription& description) {
  GeneratorParameters p;
  p.name = description.name;
  p.span = description.span;
  p.gpus = description.gpus;
  p.jobs = description.jobs;
  p.load = description.load;
  if (description.gpu_hours_per_week) {
    p.load = *description.gpu_hours_per_week / (168.0 * description.gpus);
  }
  if (!p.load && !p.jobs) {
    p.load = 0.85;
  }
  p.arrivals = working_week();
  p.arrivals.gap_shape = 0.6;
  p.users.count = std::max(description.users, 1U);
  p.users.accounts = static_cast<std::uint32_t>(std::max<std::size_t>(description.teams.size(), 1));
  p.users.zipf = 1.0;
  p.users.repeat = 0.4;
  p.limits.under = 0.03;
  p.limits.factor_median = 2.5;
  p.limits.factor_sigma = 0.8;
  p.limits.menu = usual_limits();
  p.ends.failed = 0.18;
  p.ends.cancelled = 0.08;

  const std::int64_t most = std::max<std::int64_t>(description.gpus / 2, 1);
  double all_jobs = 0;
  for (const Team& team : description.teams) {
    double team_weight = 0;
    for (const TeamWork& work : team.work) {
      team_weight += work.share;
    }
    for (const TeamWork& work : team.work) {
      JobClass c;
      c.name = work.kind.name;
      c.account = team.name;
      for (const SizeWeight& size : work.kind.sizes) {
        if (size.gpus <= gpus(most)) {
          c.sizes.push_back(size);
        }
      }
      if (c.sizes.empty()) {
        c.sizes.push_back(SizeWeight{gpus(most), 1});
      }
      c.durations = {DurationPart{1, work.kind.median, work.kind.sigma}};
      c.longest = work.kind.longest;
      // Shares are of GPU hours, the generator's of submissions.
      const double gpu_seconds = mean_size(c.sizes) * mean_runtime(work.kind);
      c.share = team_weight > 0 ? team.share * work.share / team_weight / gpu_seconds : 0;
      all_jobs += c.share;
      p.classes.push_back(std::move(c));
    }
  }
  for (JobClass& c : p.classes) {
    c.share = all_jobs > 0 ? c.share / all_jobs : 0;
  }
  return p;
}

}  // namespace weft::workloads
