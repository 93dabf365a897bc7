// What a GPU-hour costs on a platform: capital amortised straight-line plus running costs, over
// the GPU-hours of all installed GPUs (a year is 8760 hours). Idle GPUs cost as much as busy ones.
//
//   a year = (servers + GPUs + storage + network + facility) / cost.years
//          + node maximum power x PUE x 8760 h x tariff
//          + colocation (x 12 months) + staff + licences x GPUs
//
// Servers, GPUs, energy, per-kW colocation and licences belong to the GPU model of their nodes;
// the rest, and nodes without GPUs, are shared by GPU count (largest remainder: parts sum to the
// whole). Exact integers: a line is rounded to the micro-dollar once, a rate once more.
// A stated cost.per_gpu_hour wins.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "platforms/platform.hpp"

namespace weft::platforms {

struct CostLine {
  std::string name;       // "servers gpu[001-128]"
  std::string formula;    // "128 x 50k$ / 3y"
  std::string gpu_model;  // whose it is; empty: shared
  Money per_year;
};

struct ModelCost {
  std::string gpu_model;
  std::int64_t gpus = 0;
  Money per_year;                     // of all its GPUs
  std::optional<Money> per_gpu_hour;  // nothing: not known
};

struct CostRates {
  bool known = false;             // some model has a rate; else cost columns stay empty
  std::vector<ModelCost> models;  // in the order of gpu_models(platform)
  std::vector<CostLine> lines;
  std::vector<std::string> notes;  // what was counted as 0, and why

  [[nodiscard]] std::optional<Money> per_gpu_hour(std::string_view gpu_model) const;
};

[[nodiscard]] CostRates cost_rates(const Platform& platform);

// Splits `total` (>= 0) in proportion to `weights` by largest remainder; ties go to the first.
[[nodiscard]] std::vector<Int128> split_by_largest_remainder(
    Int128 total, const std::vector<std::int64_t>& weights);

}  // namespace weft::platforms
