#include "platforms/load.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "platforms/catalogue.hpp"
#include "platforms/include.hpp"
#include "platforms/platform_reading.hpp"
#include "platforms/yaml_reader.hpp"

namespace weft::platforms {
namespace {

using NodeIndex = YamlDocument::NodeIndex;

// Lays the settings over the tree and reads the result.
Platform read_tree(YamlDocument& document,
                   NodeIndex root,
                   std::span<const Setting> settings,
                   const Catalogue& catalogue,
                   Diagnostics& diagnostics) {
  for (const Setting& setting : settings) {
    std::string where = "--set " + setting.path + '=' + setting.value;
    const Source at = whole_file(where);
    const std::optional<NodeIndex> value =
        document.parse(setting.value, std::move(where), diagnostics);
    if (!value) {
      continue;
    }
    root = document.with_value(root, setting.path, *value, at, diagnostics).value_or(root);
  }
  Reader reader(document, root, diagnostics);
  return read_platform(reader, catalogue, diagnostics);
}

}  // namespace

Platform parse_platform(std::string_view yaml_text,
                        std::string file_name,
                        Diagnostics& diagnostics,
                        std::span<const Setting> settings,
                        const Catalogue& catalogue) {
  YamlDocument document;
  std::vector<std::string> chain{file_name};
  const std::optional<NodeIndex> root =
      parse_with_includes(document, yaml_text, file_name, chain, diagnostics);
  return root ? read_tree(document, *root, settings, catalogue, diagnostics) : Platform{};
}

Platform parse_platform(std::string_view yaml_text,
                        std::string file_name,
                        Diagnostics& diagnostics,
                        std::span<const Setting> settings) {
  return parse_platform(
      yaml_text, std::move(file_name), diagnostics, settings, builtin_catalogue());
}

Platform load_platform(const std::string& spec,
                       Diagnostics& diagnostics,
                       std::span<const Setting> settings) {
  const std::optional<std::string_view> shipped = shipped_text(spec);
  std::error_code fault;
  // A file of a shipped platform's name is reached by its path (./small-32).
  if (!shipped && !looks_like_path(spec) && !std::filesystem::is_regular_file(spec, fault)) {
    diagnostics.error({Source{},
                       "",
                       "the platform '" + spec + "'",
                       "a .yaml file or " + allowed_words(spec, shipped_names())});
    return {};
  }
  YamlDocument document;
  std::optional<NodeIndex> root;
  if (shipped && !looks_like_path(spec)) {
    std::vector<std::string> chain{spec};
    root = parse_with_includes(document, *shipped, spec + ".yaml", chain, diagnostics);
  } else {
    root = parse_file_with_includes(document, spec, diagnostics);
  }
  return root ? read_tree(document, *root, settings, builtin_catalogue(), diagnostics) : Platform{};
}

std::vector<ShippedPlatform> shipped_platforms() {
  std::vector<ShippedPlatform> all;
  for (const std::string_view name : shipped_names()) {
    all.push_back({name, *shipped_text(name)});
  }
  return all;
}

}  // namespace weft::platforms
