// A platform as YAML: canonical, fully resolved (no include, catalogue values written out), with
// units. parse_platform reads it back to an equal Platform, if the platform was valid and its
// GPUs resolved (as loaded, or built with set_gpus).
#pragma once

#include <string>
#include <string_view>

#include "platforms/platform.hpp"

namespace weft::platforms {

[[nodiscard]] std::string to_yaml(const Platform& platform);

// `text` as a YAML scalar that reads back to it: plain where that is safe, else in double quotes.
[[nodiscard]] std::string yaml_scalar(std::string_view text);

}  // namespace weft::platforms
