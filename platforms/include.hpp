// "include:": a platform file laid over another one, before anything is read from either.
//
// Maps are merged key by key. An item of the lists nodes, fabrics, storage and partitions is laid
// over the base's item of the same name; a list of one item over a list of one, whatever their
// names. The items of nodes are then exactly those the file lists; of the other three, items of
// the base that the file does not mention stay. All other lists replace the base's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "platforms/yaml_document.hpp"

namespace weft::platforms {

// Parses `text` (from `file`, whose folder relative includes start from) and lays it over what it
// includes. `chain`: the files that led here, outermost first; a file met twice is an error.
[[nodiscard]] std::optional<YamlDocument::NodeIndex> parse_with_includes(
    YamlDocument& document,
    std::string_view text,
    const std::string& file,
    std::vector<std::string>& chain,
    Diagnostics& diagnostics);
// The same for a file on disk.
[[nodiscard]] std::optional<YamlDocument::NodeIndex> parse_file_with_includes(
    YamlDocument& document, const std::string& path, Diagnostics& diagnostics);

// "small-32" -> its text; nothing if no such platform is shipped.
[[nodiscard]] std::optional<std::string_view> shipped_text(std::string_view name);
[[nodiscard]] std::vector<std::string_view> shipped_names();
// Whether `spec` is meant as a path ("./a", "a.yaml") rather than a name.
[[nodiscard]] bool looks_like_path(std::string_view spec);

}  // namespace weft::platforms
