// "1 job", "2 jobs": a number and what it counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::cli {

// `one`: the singular, whose plural is formed with -s.
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view one) {
  return std::to_string(count) + ' ' + std::string(one) + (count == 1 ? "" : "s");
}

}  // namespace weft::cli
