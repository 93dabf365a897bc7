// Generator parameters as YAML (docs/workloads.md has the keys): the full parameters under
// `generator:`, as `weft trace fit` prints them, or a short description of teams under `teams:`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "workloads/generator.hpp"

namespace weft::workloads {

// Reads either form. Nothing if there are errors (in `diagnostics`); what is returned is sound.
[[nodiscard]] std::optional<GeneratorParameters> read_generator(std::string_view text,
                                                                const std::string& file,
                                                                Diagnostics& diagnostics);
// The full form; read_generator gives the same parameters back.
[[nodiscard]] std::string to_yaml(const GeneratorParameters& parameters);

}  // namespace weft::workloads
