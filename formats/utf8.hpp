// Whether a text is UTF-8: what the outputs (JSON, HTML) must be made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::formats {

// Offset of the first byte that is not part of a character (RFC 3629); npos if there is none.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);
// With '?' in place of such bytes.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

}  // namespace weft::formats
