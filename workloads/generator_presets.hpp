// Generator parameters whose means, medians and shares are those published for real clusters.
// Sources, and which figures are assumptions: docs/workloads.md.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "workloads/generator.hpp"

namespace weft::workloads {

// philly, helios, acme-seren, acme-kalos, pai
[[nodiscard]] std::vector<std::string_view> preset_names();
[[nodiscard]] std::optional<GeneratorParameters> find_preset(std::string_view name);

}  // namespace weft::workloads
