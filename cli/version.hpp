// Which weft this is.
#pragma once

#include <string>

namespace weft::cli {

[[nodiscard]] std::string version();          // "0.1.0"
[[nodiscard]] std::string commit();           // "51fc31aab2c4", with + if changed since; or empty
[[nodiscard]] std::string simgrid_version();  // "3.32"
[[nodiscard]] std::string version_text();     // "weft 0.1.0 (51fc31aab2c4, SimGrid 3.32)"

}  // namespace weft::cli
