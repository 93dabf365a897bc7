// Plain numbers as text: strict reading, and the shortest text that reads back to the same value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::platforms {

enum class NumberFault : unsigned char { kNone, kNoNumber, kLeadingZero, kTooLarge };

// -?digits[.digits][e[+-]digits], without leading zeros, finite.
[[nodiscard]] NumberFault read_plain_number(std::string_view text, double& into);
[[nodiscard]] std::optional<double> parse_plain_number(std::string_view text);
// 0.5, 1.25, 30; never an exponent below 1e15.
[[nodiscard]] std::string number_text(double value);

}  // namespace weft::platforms
