#include "platforms/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace weft::platforms {
namespace {
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
}  // namespace

NumberFault read_plain_number(std::string_view text, double& into) {
  std::size_t i = !text.empty() && text[0] == '-' ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < text.size() && is_digit(text[i])) {
      ++i;
    }
    return i - first;
  };
  const std::size_t start = i;
  const std::size_t whole = digits();
  if (whole == 0) {
    return NumberFault::kNoNumber;
  }
  if (whole > 1 && text[start] == '0') {
    return NumberFault::kLeadingZero;
  }
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) {
      return NumberFault::kNoNumber;
    }
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    i += i < text.size() && (text[i] == '+' || text[i] == '-') ? 1 : 0;
    if (digits() == 0) {
      return NumberFault::kNoNumber;
    }
  }
  if (i != text.size()) {
    return NumberFault::kNoNumber;
  }
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), into);
  return fault == std::errc() && end == text.data() + text.size() && std::isfinite(into)
             ? NumberFault::kNone
             : NumberFault::kTooLarge;
}

std::optional<double> parse_plain_number(std::string_view text) {
  double value = 0;
  if (read_plain_number(text, value) != NumberFault::kNone) {
    return std::nullopt;
  }
  return value;
}

std::string number_text(double value) {
  constexpr double kLargestPlain = 1e15;
  std::array<char, 400> buffer{};
  const auto [end, fault] =
      std::abs(value) < kLargestPlain
          ? std::to_chars(
                buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed)
          : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return fault == std::errc() ? std::string(buffer.data(), end) : std::string("?");
}

}  // namespace weft::platforms
