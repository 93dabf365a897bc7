// Values given beside a YAML file: `--set key.path=value`, or an option that stands for one key.
//
// They are laid over the parsed tree before it is validated, so that one reader with one set of
// rules judges what was written and what was set; errors about a value that was set name where it
// came from instead of a line of the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/quantity.hpp"
#include "platforms/yaml_document.hpp"

namespace weft::formats {

struct Override {
  // "horizon", "workload[0].load_factor", "workload[*].repeat" (every entry). The index of a list
  // with one entry may be left out.
  std::string path;
  std::string value;     // YAML: "30d", "{kind: easy}"
  std::string origin;    // as the user wrote it: "--set horizon=30d", "--horizon 30d"
  bool literal = false;  // take `value` as text as it stands (file names), not as YAML
};

// "key.path=value" of --set. Refused: no '=', an empty path.
[[nodiscard]] Parsed<Override> parse_set(std::string_view text);

// The tree with the value at its path; maps on the way are made where there are none. Nothing, and
// errors, if that cannot be done.
[[nodiscard]] std::optional<platforms::YamlDocument::NodeIndex> apply_override(
    platforms::YamlDocument& document,
    platforms::YamlDocument::NodeIndex root,
    const Override& change,
    Diagnostics& diagnostics);

}  // namespace weft::formats
