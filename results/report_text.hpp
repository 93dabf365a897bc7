// How the report writes numbers and strings: for people on the page, exactly in `value`
// attributes. Nothing here ever prints nan or inf: what is not known is "n/a".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace weft::results::report {

[[nodiscard]] std::string escape_html(std::string_view text);  // also makes valid UTF-8 of it
// JSON text that may stand inside <script>: no "<", ">", "&", U+2028 or U+2029.
[[nodiscard]] std::string escape_json_for_html(std::string json);

[[nodiscard]] std::string count_text(double value);       // 1,234,567
[[nodiscard]] std::string number_text(double value);      // three significant digits: 1,230  0.0123
[[nodiscard]] std::string percent_text(double share);     // 0.2134 -> 21.3 %
[[nodiscard]] std::string duration_text(double seconds);  // 32 s, 4.5 min, 6.2 h, 3.1 d
[[nodiscard]] std::string dollars_text(double dollars);   // $12,800  $0.42

// "n/a" for what is not there.
using NumberFormat = std::string (*)(double);
[[nodiscard]] std::string or_na(std::optional<double> value, NumberFormat format);

// <data value="EXACT">SHOWN</data>: `exact` is the text that the CSV or JSON file holds.
[[nodiscard]] std::string data_element(std::string_view exact, std::string_view shown);

// Shortest decimal text that reads back to the same double.
[[nodiscard]] std::string exact_text(double value);

}  // namespace weft::results::report
