// The files of results/assets/ that every report carries, as bytes in the binary
// (cmake/embed.cmake generates the definitions at build time).
#pragma once

#include <string_view>

namespace weft::results::assets {

[[nodiscard]] std::string_view report_html();  // template with {{places}}
[[nodiscard]] std::string_view report_css();
[[nodiscard]] std::string_view report_js();         // behaviour of the page
[[nodiscard]] std::string_view report_charts_js();  // the charts
[[nodiscard]] std::string_view echarts_min_js();    // third party, with its notices

}  // namespace weft::results::assets
