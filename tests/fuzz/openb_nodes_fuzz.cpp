// Any bytes as an openb node list: errors or a platform, never a crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/openb_platform.hpp"
#include "platforms/catalogue.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;  // NOLINT(google-build-using-namespace)
  static const platforms::Catalogue catalogue = platforms::builtin_catalogue();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  if (const auto file = formats::InputFile::from_text("fuzz", text, diagnostics)) {
    const platforms::Platform p = formats::openb_platform(*file, catalogue, diagnostics);
    WEFT_ASSERT(!diagnostics.ok() || platforms::node_count(p) > 0, "neither nodes nor errors");
  }
  return 0;
}
