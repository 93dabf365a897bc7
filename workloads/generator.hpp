// Synthetic workloads of GPU clusters: a seeded generator, described by few parameters.
//
// Jobs come in classes (kinds of work), each with its sizes and run times. Arrivals follow the hour
// of the day and the day of the week, in bursts; users differ in how much they submit and go on
// with the same work; limits are what people type, not what jobs take. Equations, defaults and
// sources: docs/workloads.md. The parameters are fitted to a log by generator_fit.hpp, read from
// YAML by generator_yaml.hpp, and made from a description of teams by team_description.hpp.
//
// The same parameters and seed give the same bytes everywhere: each purpose has its own stream of
// random numbers, and no libm function takes part.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "workloads/job_record.hpp"

namespace weft::workloads {

struct SizeWeight {
  GpuShare gpus;  // in total; below 1000: a part of one GPU
  double weight = 1;
  friend bool operator==(const SizeWeight&, const SizeWeight&) = default;
};

// One log-normal part of a mixture: ln(run time) is normal with mean ln(median).
struct DurationPart {
  double weight = 1;
  Duration median;
  double sigma = 0;  // of the natural logarithm
  friend bool operator==(const DurationPart&, const DurationPart&) = default;
};

struct JobClass {
  std::string name;     // becomes the jobs' profile
  double share = 1;     // of the submissions, relative to the other classes
  std::string account;  // who submits it; empty: anybody
  std::vector<SizeWeight> sizes;
  std::vector<DurationPart> durations;
  Duration longest = days(30);  // draws above are cut to this, below 1 s to 1 s
  friend bool operator==(const JobClass&, const JobClass&) = default;
};

// Relative rates; they need not add up to anything.
struct ArrivalPattern {
  std::array<double, 24> hours{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                               1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::array<double, 7> weekdays{1, 1, 1, 1, 1, 1, 1};  // Monday first
  int first_weekday = 0;                                // of time 0, which is midnight; 0: Monday
  // Shape of the gamma distribution of gaps, in time that runs with the rate: 1 is a Poisson
  // process, less is burstier (variation coefficient 1/sqrt(shape)).
  double gap_shape = 1;
  friend bool operator==(const ArrivalPattern&, const ArrivalPattern&) = default;
};

struct UserPattern {
  std::uint32_t count = 50;
  double zipf = 1;             // user of rank r submits in proportion to r^-zipf
  std::uint32_t accounts = 5;  // users are dealt to them in turn
  double repeat = 0;           // chance that a job continues the one before: same user, class, size
  friend bool operator==(const UserPattern&, const UserPattern&) = default;
};

// A job that needs r gets the limit r x max(1, X), X log-normal, rounded up to a value people type.
struct LimitPattern {
  double missing = 0;  // share of jobs without a limit
  double under = 0;    // share whose limit is too short: the next lower value of the menu
  double factor_median = 2;
  double factor_sigma = 1;
  std::vector<Duration> menu;  // ascending; empty: no rounding
  Duration longest = days(14);
  friend bool operator==(const LimitPattern&, const LimitPattern&) = default;
};

struct EndPattern {
  double failed = 0;
  double cancelled = 0;
  // Failed and cancelled jobs stop at a uniformly drawn part of what they would have taken. Off
  // where the durations were fitted to a log, whose failed jobs had ended early already.
  bool early = true;
  friend bool operator==(const EndPattern&, const EndPattern&) = default;
};

struct GeneratorParameters {
  std::string name = "generated";
  Duration span = days(30);
  // One of the two at least. With both, run times are stretched by one factor to meet the load.
  std::optional<std::uint64_t> jobs;
  std::optional<double> load;  // GPU time asked for / (gpus x span)
  std::uint32_t gpus = 256;    // of the cluster the load refers to
  ArrivalPattern arrivals;
  UserPattern users;
  LimitPattern limits;
  EndPattern ends;
  std::vector<JobClass> classes;
  friend bool operator==(const GeneratorParameters&, const GeneratorParameters&) = default;
};

constexpr std::uint64_t kMostGeneratedJobs = 20'000'000;

// The values people type as limits: 5 min to 14 days.
[[nodiscard]] std::vector<Duration> usual_limits();
// Relative rates of a working week: an assumption, documented as such.
[[nodiscard]] ArrivalPattern working_week();

struct Generated {
  std::uint64_t jobs = 0;
  GpuTime demand;            // run times cut at the limits
  double load = 0;           // of parameters.gpus over parameters.span
  double stretch = 1;        // by which run times were multiplied
  bool reached_load = true;  // false: stopped at kMostGeneratedJobs, or `longest` binds
};

// Hands over the records in order of submission, times in whole seconds from time 0, ids 1, 2, ...
// The parameters must be sound (problem_of).
Generated generate(const GeneratorParameters& parameters, std::uint64_t seed, RecordSink& sink);

// Empty if generate() can work with them; else what is wrong.
[[nodiscard]] std::string problem_of(const GeneratorParameters& parameters);

}  // namespace weft::workloads
