#include "workloads/bind_options.hpp"

#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "base/errors.hpp"

namespace weft::workloads {

namespace {

template <class Enum>
using Words = std::vector<std::pair<std::string_view, Enum>>;

template <class Enum>
std::optional<std::string> choose(std::string_view value, const Words<Enum>& words, Enum& target) {
  std::vector<std::string_view> known;
  for (const auto& [word, meaning] : words) {
    if (word == value) {
      target = meaning;
      return std::nullopt;
    }
    known.push_back(word);
  }
  return allowed_words(value, known);
}

// One of the words, or a duration, which then stands in `fixed`.
std::optional<std::string> choose_or_duration(std::string_view value,
                                              const Words<BindOptions::Missing>& words,
                                              BindOptions::Missing& target,
                                              Duration& fixed) {
  const auto refused = choose(value, words, target);
  if (!refused) {
    return std::nullopt;
  }
  const auto duration = parse_duration(value);
  if (!duration || duration.value() <= Duration{}) {
    return *refused + " or a duration above 0 (as 4h)";
  }
  target = BindOptions::Missing::kFixed;
  fixed = *duration;
  return std::nullopt;
}

}  // namespace

Parsed<Ratio> parse_ratio(std::string_view text) {
  constexpr std::size_t kDigits = 9;
  const char* const allowed = "a number above 0 with up to 9 digits on each side of the point";
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = point == std::string_view::npos ? "" : text.substr(point + 1);
  if (whole.empty() || whole.size() > kDigits || part.size() > kDigits ||
      (point != std::string_view::npos && part.empty())) {
    return Parsed<Ratio>::refused(allowed);
  }
  Ratio ratio{0, 1};
  for (const std::string_view digits : {whole, part}) {
    for (const char c : digits) {
      if (c < '0' || c > '9') {
        return Parsed<Ratio>::refused(allowed);
      }
      ratio.numerator = ratio.numerator * 10 + (c - '0');
    }
  }
  for (std::size_t i = 0; i < part.size(); ++i) {
    ratio.denominator *= 10;
  }
  if (ratio.numerator == 0) {
    return Parsed<Ratio>::refused(allowed);
  }
  return ratio;
}

std::optional<std::string> set_option(BindOptions& options,
                                      std::string_view name,
                                      std::string_view value) {
  using B = BindOptions;
  if (name == "size") {
    const Words<B::Size> words = {{"allocated", B::Size::kAllocated},
                                  {"requested", B::Size::kRequested}};
    return choose(value, words, options.size);
  }
  if (name == "run_over_limit") {
    const Words<B::RunOverLimit> words = {{"kill", B::RunOverLimit::kKill},
                                          {"extend", B::RunOverLimit::kExtend}};
    return choose(value, words, options.run_over_limit);
  }
  if (name == "zero_runtime") {
    const Words<B::ZeroRuntime> words = {{"one_second", B::ZeroRuntime::kOneSecond},
                                         {"drop", B::ZeroRuntime::kDrop}};
    return choose(value, words, options.zero_runtime);
  }
  if (name == "missing_runtime") {
    const Words<B::Missing> words = {{"drop", B::Missing::kDrop}, {"limit", B::Missing::kLimit}};
    return choose_or_duration(value, words, options.missing_runtime, options.fixed_runtime);
  }
  if (name == "missing_limit") {
    const Words<B::Missing> words = {{"runtime", B::Missing::kRuntime},
                                     {"unlimited", B::Missing::kUnlimited}};
    return choose_or_duration(value, words, options.missing_limit, options.fixed_limit);
  }
  if (name == "too_large") {
    const Words<B::TooLarge> words = {
        {"reject", B::TooLarge::kReject}, {"drop", B::TooLarge::kDrop}, {"cap", B::TooLarge::kCap}};
    return choose(value, words, options.too_large);
  }
  if (name == "unknown_partition") {
    const Words<B::UnknownPartition> words = {{"any", B::UnknownPartition::kAnyNode},
                                              {"first", B::UnknownPartition::kFirst},
                                              {"reject", B::UnknownPartition::kReject}};
    return choose(value, words, options.unknown_partition);
  }
  if (name == "load_factor") {
    const auto ratio = parse_ratio(value);
    if (!ratio) {
      return ratio.allowed();
    }
    options.load_factor = *ratio;
    return std::nullopt;
  }
  if (name == "repeat") {
    std::uint32_t times = 0;
    const char* const end = value.data() + value.size();
    const auto [at, error] = std::from_chars(value.data(), end, times);
    if (error != std::errc{} || at != end || times == 0 || times > 1'000'000) {
      return "a whole number from 1 to 1000000";
    }
    options.repeat = times;
    return std::nullopt;
  }
  return "size, run_over_limit, zero_runtime, missing_runtime, missing_limit, too_large, "
         "unknown_partition, load_factor, repeat";
}

}  // namespace weft::workloads
