// `generate:` of a scenario's workload entry: the generator's YAML (docs/workloads.md) in place of
// a log. It has a reader of its own, which takes text; the tree, overrides applied, becomes text
// here and the positions of its faults are found again in the tree.
#pragma once

#include <optional>
#include <string>

#include "base/errors.hpp"
#include "platforms/yaml_document.hpp"
#include "workloads/generator.hpp"

namespace weft::formats {

// `map` stands at `path` ("workload[0].generate").
[[nodiscard]] std::optional<workloads::GeneratorParameters> read_generate(
    const platforms::YamlDocument& document,
    platforms::YamlDocument::NodeIndex map,
    const std::string& path,
    Diagnostics& diagnostics);

// The tree below `node` as one line of YAML that parses to the same tree.
[[nodiscard]] std::string flow_yaml(const platforms::YamlDocument& document,
                                    platforms::YamlDocument::NodeIndex node);

}  // namespace weft::formats
