#include "cli/version.hpp"

#include "sim/clock.hpp"
#include "weft_commit.hpp"  // made by the build (cli/commit.cmake)

namespace weft::cli {

std::string version() {
  return WEFT_VERSION;
}

std::string commit() {
  return WEFT_COMMIT;
}

std::string version_text() {
  const std::string from = commit();
  return "weft " + version() + " (" + (from.empty() ? "" : from + ", ") + "SimGrid " +
         sim::simgrid_version() + ")";
}

}  // namespace weft::cli
