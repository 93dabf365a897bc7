// Any bytes as a platform file: errors or a platform, never a crash; and what was read is written
// so that it reads back the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors.hpp"
#include "platforms/catalogue.hpp"
#include "platforms/cost.hpp"
#include "platforms/load.hpp"
#include "platforms/write.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;             // NOLINT(google-build-using-namespace)
  using namespace weft::platforms;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const Catalogue catalogue = builtin_catalogue();  // read once: it is most of a run's time
  Diagnostics diagnostics;
  const Platform platform = parse_platform(text, "fuzz.yaml", diagnostics, {}, catalogue);
  if (!diagnostics.ok()) {
    return 0;
  }
  (void)cost_rates(platform);
  Diagnostics again;
  const Platform copy = parse_platform(to_yaml(platform), "again.yaml", again, {}, catalogue);
  WEFT_ASSERT(again.ok(), to_string(again.errors().front()));
  WEFT_ASSERT(copy == platform, to_yaml(copy));
  return 0;
}
