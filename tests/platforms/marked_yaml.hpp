// YAML for tests of error positions: a '^' before a character marks where an error must point.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace weft::platforms {

struct MarkedYaml {
  std::string text;                                            // without the marks
  std::vector<std::pair<std::uint32_t, std::uint32_t>> marks;  // line and column, from 1

  explicit MarkedYaml(std::string_view marked) {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
    for (const char c : marked) {
      if (c == '^') {
        marks.emplace_back(line, column);
        continue;
      }
      text += c;
      column = c == '\n' ? 1 : column + 1;
      line += c == '\n' ? 1 : 0;
    }
  }
};

inline std::string all_errors(const Diagnostics& diagnostics) {
  std::string text;
  for (const InputError& error : diagnostics.errors()) {
    text += to_string(error) + '\n';
  }
  return text;
}

inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  if (at != std::string::npos) {
    text.replace(at, what.size(), with);
  }
  return text;
}

}  // namespace weft::platforms
