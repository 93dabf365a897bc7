#include "base/hostlist.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

namespace weft {

namespace {

using Hosts = Parsed<std::vector<std::string>>;

constexpr std::size_t kMaxNumberDigits = 18;  // any such number fits 64 bits
constexpr std::size_t kMaxNameLength = 255;   // of a DNS name

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "first-last:step" of a bracket.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t step = 1;
  std::size_t width = 1;

  [[nodiscard]] std::uint64_t count() const { return (last - first) / step + 1; }
};

// Text up to the ranges of its bracket; the last piece of a part may have none.
struct Piece {
  std::string_view text;
  std::vector<Range> ranges;
};

void append_number(std::string& out, std::uint64_t value, std::size_t width) {
  std::array<char, 20> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  const auto length = static_cast<std::size_t>(end - digits.data());
  out.append(width > length ? width - length : 0, '0');
  out.append(digits.data(), length);
}

// Takes digits off the front of `text`. False if there are none, or too many.
bool take_number(std::string_view& text, std::uint64_t& value, std::size_t& width) {
  width = 0;
  while (width < text.size() && is_digit(text[width])) {
    ++width;
  }
  if (width == 0 || width > kMaxNumberDigits) {
    return false;
  }
  std::from_chars(text.data(), text.data() + width, value);
  text.remove_prefix(width);
  return true;
}

// Reads "001-128,130,0-8:2". Says what is wrong, or nothing.
std::string read_ranges(std::string_view text, std::vector<Range>& ranges) {
  while (true) {
    const std::string_view whole = text.substr(0, text.find(','));
    std::string_view item = whole;
    Range range;
    if (!take_number(item, range.first, range.width)) {
      return "numbers of at most 18 digits in brackets, for example [001-128,130]";
    }
    range.last = range.first;
    if (item.starts_with('-')) {
      item.remove_prefix(1);
      const bool padded_end = item.size() > 1 && item.front() == '0';
      std::size_t end_width = 0;
      if (!take_number(item, range.last, end_width)) {
        return "a range with its end, for example [001-128]";
      }
      if (padded_end && end_width != range.width) {
        return "a range whose ends have the same width, for example [001-128]";
      }
      if (range.last < range.first) {
        return "a range that ascends, not [" + std::string(whole) + "]";
      }
      if (item.starts_with(':')) {
        item.remove_prefix(1);
        std::size_t step_width = 0;
        if (!take_number(item, range.step, step_width) || range.step == 0) {
          return "a step of at least 1, for example [0-8:2]";
        }
      }
    }
    if (!item.empty()) {
      return "numbers and ranges in brackets, not [" + std::string(whole) + "]";
    }
    ranges.push_back(range);
    if (whole.size() == text.size()) {
      return {};
    }
    text.remove_prefix(whole.size() + 1);
  }
}

// Takes one part ("gpu[1-2]n[3-4]-ib") off the front of `text`, up to a comma outside of brackets
// or the end. Says what is wrong, or nothing.
std::string take_part(std::string_view& text, std::vector<Piece>& pieces) {
  pieces.clear();
  std::size_t begin = 0;
  std::size_t at = 0;
  std::size_t name_length = 0;
  bool empty = true;
  for (; at < text.size() && text[at] != ','; ++at) {
    const char c = text[at];
    empty = false;
    if (c == ']') {
      return "a [ before the ]";
    }
    if (c == '[') {
      const std::size_t close = text.find_first_of("[]", at + 1);
      if (close == std::string_view::npos || text[close] == '[') {
        return "a ] for each [";
      }
      Piece piece{text.substr(begin, at - begin), {}};
      if (std::string fault = read_ranges(text.substr(at + 1, close - at - 1), piece.ranges);
          !fault.empty()) {
        return fault;
      }
      pieces.push_back(std::move(piece));
      at = close;
      begin = close + 1;
      name_length += kMaxNumberDigits;
    } else if (static_cast<unsigned char>(c) <= ' ' || c == '\x7F') {
      return "host names without blanks, separated by commas";
    } else {
      ++name_length;
    }
    if (name_length > kMaxNameLength) {
      return "host names of at most 255 characters";
    }
  }
  if (empty) {
    return "a host name before and after each comma";
  }
  pieces.push_back(Piece{text.substr(begin, at - begin), {}});
  text.remove_prefix(at);
  return {};
}

// The hosts of a part: at most `most` + 1, so that no product overflows.
std::uint64_t count_hosts(const std::vector<Piece>& pieces, std::uint64_t most) {
  std::uint64_t hosts = 1;
  for (const Piece& piece : pieces) {
    if (piece.ranges.empty()) {
      continue;
    }
    std::uint64_t in_bracket = 0;
    for (const Range& range : piece.ranges) {
      in_bracket += range.count();
      if (in_bracket > most) {
        return most + 1;
      }
    }
    if (hosts > most / in_bracket) {
      return most + 1;
    }
    hosts *= in_bracket;
  }
  return hosts;
}

// All names that begin with `prefix` and go on with pieces[at...], the last bracket fastest.
// As deep as the part has brackets: at most 15, by the length of a name.
void expand_pieces(const std::vector<Piece>& pieces,
                   std::size_t at,
                   std::string& prefix,
                   std::vector<std::string>& hosts) {
  if (at == pieces.size()) {
    hosts.push_back(prefix);
    return;
  }
  const std::size_t before = prefix.size();
  const Piece& piece = pieces[at];
  prefix += piece.text;
  if (piece.ranges.empty()) {
    expand_pieces(pieces, at + 1, prefix, hosts);
  }
  const std::size_t with_text = prefix.size();
  for (const Range& range : piece.ranges) {
    for (std::uint64_t i = 0; i < range.count(); ++i) {
      append_number(prefix, range.first + i * range.step, range.width);
      expand_pieces(pieces, at + 1, prefix, hosts);
      prefix.resize(with_text);
    }
  }
  prefix.resize(before);
}

}  // namespace

Hosts expand_hostlist(std::string_view text, std::size_t most) {
  most = std::min<std::size_t>(most, std::numeric_limits<std::uint32_t>::max());
  std::vector<std::string> hosts;
  std::vector<Piece> pieces;
  std::string prefix;
  while (true) {
    if (const std::string fault = take_part(text, pieces); !fault.empty()) {
      return Hosts::refused(fault);
    }
    const std::uint64_t count = count_hosts(pieces, most);
    if (count > most - hosts.size()) {
      return Hosts::refused("at most " + std::to_string(most) + " hosts");
    }
    expand_pieces(pieces, 0, prefix, hosts);
    if (text.empty()) {
      return hosts;
    }
    text.remove_prefix(1);
  }
}

namespace {

// A name as its text and the number it ends with.
struct NumberedName {
  std::string_view prefix;
  std::string_view digits;  // empty: no number
  std::uint64_t number = 0;
};

NumberedName split_name(std::string_view host) {
  std::size_t begin = host.size();
  while (begin > 0 && is_digit(host[begin - 1])) {
    --begin;
  }
  NumberedName name{host.substr(0, begin), host.substr(begin), 0};
  if (name.digits.size() > kMaxNumberDigits) {
    return NumberedName{host, {}, 0};
  }
  std::from_chars(name.digits.data(), name.digits.data() + name.digits.size(), name.number);
  return name;
}

std::size_t digits_of(std::uint64_t number) {
  std::size_t digits = 1;
  for (; number >= 10; number /= 10) {
    ++digits;
  }
  return digits;
}

// Padded to a width of its own, or not padded (1): names of one width share a bracket.
std::size_t padded_width(const NumberedName& name) {
  const bool padded = name.digits.size() > 1 && name.digits.front() == '0';
  return padded ? name.digits.size() : 1;
}

bool fits_width(const NumberedName& name, std::size_t width) {
  return name.digits.size() == std::max(width, digits_of(name.number));
}

}  // namespace

std::string compress_hostlist(const std::vector<std::string_view>& hosts) {
  std::string text;
  std::size_t i = 0;
  while (i < hosts.size()) {
    if (i > 0) {
      text += ',';
    }
    const NumberedName first = split_name(hosts[i++]);
    if (first.digits.empty()) {
      text += first.prefix;
      continue;
    }
    const std::size_t width = padded_width(first);
    std::string ranges;
    bool many = false;
    std::uint64_t run_begin = first.number;
    std::uint64_t run_end = first.number;
    const auto close_run = [&ranges, &run_begin, &run_end, width] {
      append_number(ranges, run_begin, width);
      if (run_end != run_begin) {
        ranges += '-';
        append_number(ranges, run_end, width);
      }
    };
    for (; i < hosts.size(); ++i) {
      const NumberedName next = split_name(hosts[i]);
      if (next.digits.empty() || next.prefix != first.prefix || !fits_width(next, width)) {
        break;
      }
      many = true;
      if (next.number != run_end + 1) {
        close_run();
        ranges += ',';
        run_begin = next.number;
      }
      run_end = next.number;
    }
    close_run();
    text += first.prefix;
    text += many ? "[" + ranges + "]" : ranges;
  }
  return text;
}

}  // namespace weft
