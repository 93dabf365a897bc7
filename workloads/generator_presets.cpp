#include "workloads/generator_presets.hpp"

#include <initializer_list>
#include <string>
#include <utility>

namespace weft::workloads {

namespace {

using Sizes = std::initializer_list<std::pair<double, double>>;  // GPUs, weight

JobClass job_class(
    std::string name, double share, const Sizes& sizes, DurationPart duration, Duration longest) {
  JobClass c;
  c.name = std::move(name);
  c.share = share;
  for (const auto& [count, weight] : sizes) {
    c.sizes.push_back(SizeWeight{gpu_thousandths(static_cast<std::int64_t>(count * 1000)), weight});
  }
  c.durations = {duration};
  c.longest = longest;
  return c;
}

// What the five share: none of these clusters published limits, users or arrival rates by hour, so
// these are the assumptions of docs/workloads.md. Recorded run times of failed jobs are as they
// ended, so ends are not early once more.
GeneratorParameters common(std::string name, double failed, double cancelled) {
  GeneratorParameters p;
  p.name = std::move(name);
  p.load = 0.85;
  p.arrivals = working_week();
  p.arrivals.gap_shape = 0.5;
  p.users.count = 100;
  p.users.accounts = 10;
  p.users.zipf = 1.0;
  p.users.repeat = 0.4;
  p.limits.factor_median = 2.5;
  p.limits.factor_sigma = 1.0;
  p.limits.under = 0.02;
  p.limits.menu = usual_limits();
  p.limits.longest = days(60);
  p.ends.failed = failed;
  p.ends.cancelled = cancelled;
  p.ends.early = false;
  return p;
}

}  // namespace

std::vector<std::string_view> preset_names() {
  return {"philly", "helios", "acme-seren", "acme-kalos", "pai"};
}

// Log-normal run times with the published median; sigma is what gives the published mean once
// draws above `longest` are cut to it (without the cut: sigma^2 = 2 ln(mean / median)).
std::optional<GeneratorParameters> find_preset(std::string_view name) {
  if (name == "philly") {
    GeneratorParameters p = common("philly", 0.305, 0.090);
    p.classes = {job_class("training",
                           1,
                           {{1, 0.82},
                            {2, 0.055},
                            {4, 0.065},
                            {8, 0.043},
                            {16, 0.012},
                            {32, 0.004},
                            {64, 0.0008},
                            {128, 0.0002}},
                           DurationPart{1, seconds(874), 2.494},
                           days(75))};
    p.limits.longest = days(75);
    return p;
  }
  if (name == "helios") {
    GeneratorParameters p = common("helios", 0.155, 0.221);
    p.classes = {job_class("training",
                           1,
                           {{1, 0.657},
                            {2, 0.07},
                            {4, 0.10},
                            {8, 0.13},
                            {16, 0.025},
                            {32, 0.011},
                            {64, 0.0055},
                            {128, 0.0017},
                            {256, 0.0006}},
                           DurationPart{1, seconds(206), 2.666},
                           days(60))};
    return p;
  }
  if (name == "acme-seren") {
    GeneratorParameters p = common("acme-seren", 0.429, 0.075);
    p.classes = {job_class("pretraining",
                           0.009,
                           {{64, 0.24}, {128, 0.27}, {256, 0.28}, {512, 0.17}, {1024, 0.04}},
                           DurationPart{1, seconds(916), 1.8},
                           days(60)),
                 job_class("other",
                           0.991,
                           {{1, 0.62}, {2, 0.07}, {4, 0.08}, {8, 0.19}, {16, 0.03}, {32, 0.01}},
                           DurationPart{1, seconds(120), 2.213},
                           days(60))};
    return p;
  }
  if (name == "acme-kalos") {
    GeneratorParameters p = common("acme-kalos", 0.397, 0.062);
    p.classes = {
        job_class("pretraining",
                  0.032,
                  {{256, 0.18}, {512, 0.37}, {1024, 0.45}},
                  DurationPart{1, seconds(715), 1.8},
                  days(60)),
        job_class("other",
                  0.968,
                  {{1, 0.60}, {2, 0.05}, {4, 0.07}, {8, 0.21}, {16, 0.04}, {32, 0.02}, {64, 0.01}},
                  DurationPart{1, seconds(122), 2.132},
                  days(60))};
    p.gpus = 2048;
    return p;
  }
  if (name == "pai") {
    GeneratorParameters p = common("pai", 0, 0);
    p.classes = {
        job_class("task",
                  1,
                  {{0.25, 0.21}, {0.5, 0.5}, {1, 0.25}, {2, 0.026}, {4, 0.008}, {8, 0.006}},
                  DurationPart{1, seconds(340), 2.3},
                  days(60))};
    return p;
  }
  return std::nullopt;
}

}  // namespace weft::workloads
