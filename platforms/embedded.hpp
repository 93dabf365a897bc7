// Files compiled into the binary (platforms/CMakeLists.txt), so that it needs no data folder.
#pragma once

#include <span>
#include <string_view>

namespace weft::platforms {

struct EmbeddedFile {
  std::string_view name;  // "catalogue/gpus.yaml", "small-32.yaml"; in order of name
  std::string_view text;
};
[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

}  // namespace weft::platforms
