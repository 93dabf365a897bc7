// SHA-256 (FIPS 180-4) of inputs, for the manifest.
#pragma once

#include <string>
#include <string_view>

namespace weft::formats {

// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);
// The same without the processor's SHA instructions (what sha256_hex falls back to).
[[nodiscard]] std::string sha256_hex_portable(std::string_view bytes);

}  // namespace weft::formats
