// From a short description of a cluster's teams and what they run to generator parameters, for
// people who have no log yet. The kinds of work that are built in, and that their figures are
// assumptions, stand in docs/workloads.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/generator.hpp"

namespace weft::workloads {

struct WorkKind {
  std::string name;
  std::vector<SizeWeight> sizes;
  Duration median;
  double sigma = 1;
  Duration longest = days(14);
  friend bool operator==(const WorkKind&, const WorkKind&) = default;
};
// pretraining, finetuning, hyperparameter-search, evaluation, batch-inference, notebooks, debugging
[[nodiscard]] std::vector<WorkKind> built_in_work();
[[nodiscard]] std::optional<WorkKind> find_work(std::string_view name);

struct TeamWork {
  WorkKind kind;
  double share = 1;  // of the team's GPU hours, relative to its other work
};

struct Team {
  std::string name;
  double share = 1;  // of all GPU hours, relative to the other teams
  std::vector<TeamWork> work;
};

struct TeamDescription {
  std::string name = "described";
  std::uint32_t gpus = 256;
  Duration span = days(30);
  std::optional<double> load;                // GPU time asked for / GPU time there
  std::optional<double> gpu_hours_per_week;  // instead of load
  std::optional<std::uint64_t> jobs;         // stretches run times to meet both
  std::uint32_t users = 40;
  std::vector<Team> teams;
};

// Mean run time of a kind, in s: the log-normal's mean with draws above `longest` cut to it.
[[nodiscard]] double mean_runtime(const WorkKind& kind);

// Sizes above half of the cluster are left out (of a kind with none left, half of it remains).
[[nodiscard]] GeneratorParameters parameters_of(const TeamDescription& description);

}  // namespace weft::workloads
