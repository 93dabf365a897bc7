#include "results/report_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace weft::results::report {
namespace {

// Length of the valid UTF-8 sequence at the start of `text`, 0 if it is none (RFC 3629).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    return 1;
  }
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : (lead & 0xF0) == 0xE0        ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) > 0x9F;
  const bool too_large = lead == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

std::string with_separators(std::string digits) {
  const std::size_t begin = digits.starts_with('-') ? 1 : 0;
  const std::size_t point = digits.find('.');
  std::size_t at = point == std::string::npos ? digits.size() : point;
  while (at > begin + 3) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

// `value` with three significant digits, whole above 100.
std::string three_digits(double value) {
  const double size = std::abs(value);
  const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (decimals > 0) {
    while (text.back() == '0') {
      text.pop_back();
    }
    if (text.back() == '.') {
      text.pop_back();
    }
  }
  return with_separators(text == "-0" ? "0" : text);
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (length > 1) {
      out += text.substr(0, length);
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
      out += "\xEF\xBF\xBD";
    } else {
      out.push_back(c);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string escape_json_for_html(std::string json) {
  std::string out;
  out.reserve(json.size() + json.size() / 32);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else if (json.compare(i, 3, "\xE2\x80\xA8") == 0) {
      out += "\\u2028";
      i += 2;
    } else if (json.compare(i, 3, "\xE2\x80\xA9") == 0) {
      out += "\\u2029";
      i += 2;
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string count_text(double value) {
  return with_separators(fmt::format("{:.0f}", value));
}

std::string number_text(double value) {
  const double size = std::abs(value);
  if (size > 0 && size < 0.01) {
    return fmt::format("{:.2g}", value);
  }
  return three_digits(value);
}

std::string percent_text(double share) {
  const double percent = share * 100;
  const double size = std::abs(percent);
  if (size > 0 && size < 0.1) {
    return share < 0 ? "-<0.1 %" : "<0.1 %";
  }
  return fmt::format("{:.1f} %", percent);
}

std::string duration_text(double seconds) {
  const double size = std::abs(seconds);
  if (size > 0 && size < 1e-3) {
    return three_digits(seconds * 1e6) + " us";
  }
  if (size > 0 && size < 1) {
    return three_digits(seconds * 1e3) + " ms";
  }
  if (size < 120) {
    return three_digits(seconds) + " s";
  }
  if (size < 7200) {
    return three_digits(seconds / 60) + " min";
  }
  if (size < 48 * 3600.0) {
    return three_digits(seconds / 3600) + " h";
  }
  return three_digits(seconds / 86400) + " d";
}

std::string dollars_text(double dollars) {
  const double size = std::abs(dollars);
  const std::string sign = dollars < 0 ? "-$" : "$";
  if (size >= 100) {
    return sign + count_text(size);
  }
  return sign + fmt::format("{:.{}f}", size, size >= 0.01 || size == 0 ? 2 : 4);
}

std::string or_na(std::optional<double> value, NumberFormat format) {
  return value && std::isfinite(*value) ? format(*value) : "n/a";
}

std::string data_element(std::string_view exact, std::string_view shown) {
  return fmt::format("<data value=\"{}\">{}</data>", escape_html(exact), escape_html(shown));
}

std::string exact_text(double value) {
  std::array<char, 40> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string("n/a");
}

}  // namespace weft::results::report
