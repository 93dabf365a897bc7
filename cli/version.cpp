#include "cli/version.hpp"

#include <algorithm>

#include "sim/clock.hpp"
#include "weft_commit.hpp"  // made by the build (cli/commit.cmake)

namespace weft::cli {

std::string version() {
  return WEFT_VERSION;
}

std::string commit() {
  return WEFT_COMMIT;
}

std::string simgrid_version() {
  const std::string text = sim::simgrid_version();  // "SimGrid version 3.32" in some releases
  return text.substr(std::min(text.find_first_of("0123456789"), text.size()));
}

std::string version_text() {
  const std::string from = commit();
  return "weft " + version() + " (" + (from.empty() ? "" : from + ", ") + "SimGrid " +
         simgrid_version() + ")";
}

}  // namespace weft::cli
