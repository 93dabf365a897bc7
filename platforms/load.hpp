// From a platform file or the name of a shipped platform to a Platform. Strict: contract and
// every key in docs/platforms.md. All faults of a file are reported together; after an error the
// Platform returned is of no use (Diagnostics::ok is false).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "platforms/platform.hpp"

namespace weft::platforms {

struct Catalogue;

// A value laid over what the file says ("--set fabrics[0].routing.qps=16"): value is YAML.
struct Setting {
  std::string path;
  std::string value;
};

// spec: path of a YAML file, or a shipped name. Unknown names list the shipped ones.
[[nodiscard]] Platform load_platform(const std::string& spec,
                                     Diagnostics& diagnostics,
                                     std::span<const Setting> settings = {});

// file_name is for error positions, and includes are relative to its folder.
[[nodiscard]] Platform parse_platform(std::string_view yaml_text,
                                      std::string file_name,
                                      Diagnostics& diagnostics,
                                      std::span<const Setting> settings = {});
// With the caller's own catalogue (builtin_catalogue() is read anew by the function above).
[[nodiscard]] Platform parse_platform(std::string_view yaml_text,
                                      std::string file_name,
                                      Diagnostics& diagnostics,
                                      std::span<const Setting> settings,
                                      const Catalogue& catalogue);

struct ShippedPlatform {
  std::string_view name;
  std::string_view yaml;  // the file, comments and all
};
// In order of name. "template" is the commented file to start a new one from.
[[nodiscard]] std::vector<ShippedPlatform> shipped_platforms();

}  // namespace weft::platforms
