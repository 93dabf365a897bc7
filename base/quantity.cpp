#include "base/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/number.hpp"

namespace weft {

namespace {

__extension__ using UInt128 = unsigned __int128;  // NOLINT(readability-identifier-naming)

constexpr int kMaxDigits = 60;    // significant digits of a number; more are refused
constexpr int kMaxPlaces = 19;    // decimal places kept: 10^19 fits 64 bits
constexpr int kMaxPower = 10000;  // an exponent beyond it makes any number too large or too small

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// ---------------------------------------------------------------------------------------------
// The number: digits * 10^exponent, exactly as written.

struct Decimal {
  std::array<char, kMaxDigits> digits;  // no leading and no trailing zeros; none at all: zero
  int count = 0;
  int exponent = 0;

  void shift(int by) { exponent += by; }
};

enum class NumberFault { kNone, kNotANumber, kLeadingZeros, kTooLong };

// Appends digits, holding back zeros until a digit follows them.
class DecimalBuilder {
 public:
  explicit DecimalBuilder(Decimal& to) : to_(to) {}
  // False: too many digits.
  bool add(char c, bool after_point) {
    if (after_point) {
      --places_;
    }
    if (c == '0') {
      zeros_ += to_.count > 0 ? 1 : 0;
      return true;
    }
    if (to_.count + zeros_ >= kMaxDigits) {
      return false;
    }
    for (; zeros_ > 0; --zeros_) {
      to_.digits[static_cast<std::size_t>(to_.count++)] = '0';
    }
    to_.digits[static_cast<std::size_t>(to_.count++)] = c;
    return true;
  }
  void finish(int power) { to_.exponent = places_ + zeros_ + power; }

 private:
  Decimal& to_;
  int zeros_ = 0;
  int places_ = 0;
};

// digits [. digits] [e [+-] digits]; `rest` is what follows. No sign.
NumberFault scan_number(std::string_view text, Decimal& number, std::string_view& rest) {
  constexpr std::size_t kLongest = 1000;  // characters; keeps every count in an int
  if (text.size() > kLongest) {
    return NumberFault::kTooLong;
  }
  DecimalBuilder builder(number);
  std::size_t at = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (!builder.add(text[at], false)) {
      return NumberFault::kTooLong;
    }
  }
  if (at == 0) {
    return NumberFault::kNotANumber;
  }
  if (at > 1 && text[0] == '0') {
    return NumberFault::kLeadingZeros;
  }
  if (at < text.size() && text[at] == '.') {
    const std::size_t first = ++at;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      if (!builder.add(text[at], true)) {
        return NumberFault::kTooLong;
      }
    }
    if (at == first) {
      return NumberFault::kNotANumber;
    }
  }
  int power = 0;
  // 'E' may also be the prefix of a unit (1EB): an exponent has digits.
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t p = at + 1;
    const bool negative = p < text.size() && text[p] == '-';
    p += p < text.size() && (text[p] == '-' || text[p] == '+') ? 1 : 0;
    if (p < text.size() && is_digit(text[p])) {
      for (; p < text.size() && is_digit(text[p]); ++p) {
        power = std::min(power * 10 + (text[p] - '0'), kMaxPower);
      }
      power = negative ? -power : power;
      at = p;
    }
  }
  builder.finish(power);
  rest = text.substr(at);
  return NumberFault::kNone;
}

// Number and unit of a quantity; one blank may stand between.
NumberFault scan_quantity(std::string_view text, Decimal& number, std::string_view& unit) {
  const NumberFault fault = scan_number(text, number, unit);
  if (fault == NumberFault::kNone && unit.size() > 1 && unit.front() == ' ') {
    unit.remove_prefix(1);
  }
  return fault;
}

// What a kind of quantity is called in an error, and how it is written.
struct Words {
  std::string_view what;     // "a rate with a unit"
  std::string_view example;  // "400Gbps or 50GB/s"
};

std::string asked(const Words& words) {
  return std::string(words.what) + ", for example " + std::string(words.example);
}

std::string why(NumberFault fault, const Words& words) {
  switch (fault) {
    case NumberFault::kLeadingZeros:
      return asked(words) + ", without leading zeros";
    case NumberFault::kTooLong:
      return asked(words) + ", of at most " + std::to_string(kMaxDigits) + " digits";
    case NumberFault::kNone:
    case NumberFault::kNotANumber:
      break;
  }
  return asked(words);
}

// ---------------------------------------------------------------------------------------------
// Quantities held in integers: exact arithmetic, to the nearest of the smallest unit.

struct IntUnit {
  std::string_view name;
  std::int64_t size;
};

// Ascending. A month is not a unit of time: it has no fixed length. A year has 365 days.
constexpr std::int64_t kMinuteNs = 60 * kNsPerSecond;
constexpr std::int64_t kHourNs = 60 * kMinuteNs;
constexpr std::int64_t kDayNs = 24 * kHourNs;
constexpr IntUnit kDurationUnits[] = {{"ns", 1},
                                      {"us", 1'000},
                                      {"ms", 1'000'000},
                                      {"s", kNsPerSecond},
                                      {"min", kMinuteNs},
                                      {"h", kHourNs},
                                      {"d", kDayNs},
                                      {"w", 7 * kDayNs},
                                      {"y", 365 * kDayNs}};
constexpr IntUnit kByteUnits[] = {{"B", 1},
                                  {"kB", 1'000},
                                  {"KiB", std::int64_t{1} << 10},
                                  {"MB", 1'000'000},
                                  {"MiB", std::int64_t{1} << 20},
                                  {"GB", 1'000'000'000},
                                  {"GiB", std::int64_t{1} << 30},
                                  {"TB", 1'000'000'000'000},
                                  {"TiB", std::int64_t{1} << 40},
                                  {"PB", 1'000'000'000'000'000},
                                  {"PiB", std::int64_t{1} << 50},
                                  {"EB", 1'000'000'000'000'000'000}};
constexpr IntUnit kPowerUnits[] = {
    {"mW", 1}, {"W", 1'000}, {"kW", 1'000'000}, {"MW", 1'000'000'000}, {"GW", 1'000'000'000'000}};
constexpr IntUnit kMoneyUnits[] = {
    {"$", 1'000'000}, {"k$", 1'000'000'000}, {"M$", 1'000'000'000'000}};

constexpr Words kDurationWords{"a time with a unit", "90s, 5min, 1.5h or 30d"};
constexpr Words kByteWords{"a size with a unit", "80GB (decimal) or 80GiB (binary)"};
constexpr Words kPowerWords{"a power with a unit", "700W or 10.2kW"};

enum class Fit { kFits, kTooLarge, kTooSmall };

// number * size to the nearest integer, halves up. Too small: not zero, but rounds to it. Decimal
// places after the 19th are dropped.
Fit scale(const Decimal& number, std::int64_t size, std::int64_t& out) {
  out = 0;
  if (number.count == 0) {
    return Fit::kFits;
  }
  const int whole_digits = number.count + number.exponent;  // before the point; <= 0: 0.00...
  if (whole_digits > kMaxPlaces) {
    return Fit::kTooLarge;
  }
  const auto digit_at = [&number](int i) {
    return i >= 0 && i < number.count
               ? static_cast<std::uint64_t>(number.digits[static_cast<std::size_t>(i)] - '0')
               : std::uint64_t{0};
  };
  std::uint64_t whole = 0;  // at most 19 digits fit
  for (int i = 0; i < whole_digits; ++i) {
    whole = whole * 10 + digit_at(i);
  }
  std::uint64_t places = 0;
  std::uint64_t one = 1;
  for (int i = whole_digits; i < whole_digits + kMaxPlaces; ++i) {
    places = places * 10 + digit_at(i);
    one *= 10;
  }
  // size < 2^60 and places < 2^64: nothing overflows 128 bits.
  const UInt128 part = UInt128{places} * static_cast<std::uint64_t>(size);
  UInt128 rounded = part / one;
  if (part % one >= one / 2) {
    ++rounded;
  }
  const UInt128 total = UInt128{whole} * static_cast<std::uint64_t>(size) + rounded;
  if (total > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) {
    return Fit::kTooLarge;
  }
  out = static_cast<std::int64_t>(total);
  return out == 0 ? Fit::kTooSmall : Fit::kFits;
}

// value / size as a decimal number, if it has one of at most 19 places. Empty otherwise.
std::string exact_decimal(std::uint64_t value, std::uint64_t size) {
  std::string text = std::to_string(value / size);
  std::uint64_t rest = value % size;
  if (rest != 0) {
    text += '.';
    for (int i = 0; i < kMaxPlaces && rest != 0; ++i) {
      const UInt128 next = UInt128{rest} * 10;
      text += static_cast<char>('0' + static_cast<int>(next / size));
      rest = static_cast<std::uint64_t>(next % size);
    }
    if (rest != 0) {
      return {};
    }
  }
  return text;
}

// The shortest of the texts in the units not larger than the value; the largest unit among equals.
std::string int_text(std::int64_t raw,
                     std::span<const IntUnit> units,
                     std::string_view unit_of_zero,
                     std::string_view suffix = {}) {
  if (raw == 0) {
    return "0" + std::string(unit_of_zero) + std::string(suffix);
  }
  const std::uint64_t magnitude =
      raw < 0 ? 0 - static_cast<std::uint64_t>(raw) : static_cast<std::uint64_t>(raw);
  std::string best;
  for (const IntUnit& unit : units) {
    const auto size = static_cast<std::uint64_t>(unit.size);
    if (size > magnitude && !best.empty()) {
      break;
    }
    if (std::string text = exact_decimal(magnitude, size); !text.empty()) {
      text += unit.name;
      if (best.empty() || text.size() <= best.size()) {
        best = std::move(text);
      }
    }
  }
  return (raw < 0 ? "-" : "") + best + std::string(suffix);
}

// The largest value an integer holds, in `unit`, cut after one place.
std::string largest(const IntUnit& unit) {
  const std::int64_t tenth = unit.size / 10;
  const std::int64_t tenths = std::numeric_limits<std::int64_t>::max() / tenth;
  return exact_decimal(static_cast<std::uint64_t>(tenths), 10) + std::string(unit.name);
}

template <class T>
Parsed<T> parse_int(std::string_view text,
                    std::span<const IntUnit> units,
                    const Words& words,
                    std::string_view suffix = {}) {
  Decimal number;
  std::string_view unit;
  if (const NumberFault fault = scan_quantity(text, number, unit); fault != NumberFault::kNone) {
    return Parsed<T>::refused(why(fault, words));
  }
  if (!unit.ends_with(suffix)) {
    return Parsed<T>::refused(asked(words));
  }
  unit.remove_suffix(suffix.size());
  for (const IntUnit& known : units) {
    if (unit != known.name) {
      continue;
    }
    std::int64_t raw = 0;
    switch (scale(number, known.size, raw)) {
      case Fit::kFits:
        return T::from_raw(raw);
      case Fit::kTooLarge:
        return Parsed<T>::refused(asked(words) + ", at most " + largest(units.back()) +
                                  std::string(suffix));
      case Fit::kTooSmall:
        return Parsed<T>::refused(asked(words) + ", 0 or at least " +
                                  exact_decimal(1, static_cast<std::uint64_t>(units[0].size)) +
                                  std::string(units[0].name) + std::string(suffix));
    }
  }
  return Parsed<T>::refused(asked(words));
}

// ---------------------------------------------------------------------------------------------
// Quantities held in doubles: the nearest double to the number as written.

struct Prefix {
  std::string_view name;
  int power_of_10;
  int power_of_2;
};
constexpr Prefix kPrefixes[] = {{"", 0, 0},
                                {"k", 3, 0},
                                {"M", 6, 0},
                                {"G", 9, 0},
                                {"T", 12, 0},
                                {"P", 15, 0},
                                {"E", 18, 0},
                                {"Ki", 0, 10},
                                {"Mi", 0, 20},
                                {"Gi", 0, 30},
                                {"Ti", 0, 40},
                                {"Pi", 0, 50}};
constexpr std::size_t kDecimalPrefixes = 7;  // the first ones

struct DoubleUnit {
  std::string_view name;
  int power_of_2;
  int power_of_10 = 0;
};
constexpr DoubleUnit kRateUnits[] = {{"B/s", 0}, {"Bps", 0}, {"b/s", -3}, {"bps", -3}};
constexpr DoubleUnit kFlopsUnits[] = {{"FLOP/s", 0}, {"FLOPS", 0}};
constexpr DoubleUnit kPerSecondUnits[] = {{"", 0}, {"/s", 0}, {"IOPS", 0}};
constexpr DoubleUnit kCarbonUnits[] = {{"g/kWh", 0}};

constexpr Words kRateWords{"a rate with a unit", "400Gbps or 50GB/s"};
constexpr Words kFlopsWords{"a computing rate with a unit", "989TFLOP/s"};
constexpr Words kPerSecondWords{"a number per second", "5M or 100k/s"};
constexpr Words kCarbonWords{"grams a kWh with the unit", "350g/kWh"};

// number * 10^power_of_10, correctly rounded, times 2^power_of_2 (exact in the range allowed).
std::optional<double> scale(const Decimal& number, int power_of_10, int power_of_2) {
  if (number.count == 0) {
    return 0.0;
  }
  constexpr std::size_t kExponentRoom = 8;
  std::array<char, kMaxDigits + kExponentRoom> text;
  char* end = std::copy_n(number.digits.data(), number.count, text.data());
  *end++ = 'e';
  end = std::to_chars(end, text.data() + text.size(), number.exponent + power_of_10).ptr;
  double value = 0;
  if (const auto read = std::from_chars(text.data(), end, value); read.ec != std::errc{}) {
    return std::nullopt;
  }
  value = std::ldexp(value, power_of_2);
  // A subnormal value has lost digits, and no rate is that small.
  if (!std::isnormal(value)) {
    return std::nullopt;
  }
  return value;
}

Parsed<double> parse_double(std::string_view text,
                            std::span<const DoubleUnit> units,
                            const Words& words) {
  Decimal number;
  std::string_view unit;
  if (const NumberFault fault = scan_quantity(text, number, unit); fault != NumberFault::kNone) {
    return Parsed<double>::refused(why(fault, words));
  }
  for (const Prefix& prefix : kPrefixes) {
    if (!unit.starts_with(prefix.name)) {
      continue;
    }
    const std::string_view rest = unit.substr(prefix.name.size());
    for (const DoubleUnit& known : units) {
      if (rest != known.name) {
        continue;
      }
      if (const auto value = scale(number,
                                   prefix.power_of_10 + known.power_of_10,
                                   prefix.power_of_2 + known.power_of_2)) {
        return *value;
      }
      return Parsed<double>::refused(asked(words) + ", of a size that exists");
    }
  }
  return Parsed<double>::refused(asked(words));
}

template <class T>
Parsed<T> wrap(const Parsed<double>& parsed) {
  return parsed ? Parsed<T>(T::from_raw(*parsed)) : Parsed<T>::refused(parsed.allowed());
}

// The shortest digits that read back as `value`, in the prefix that leaves one to three of them
// before the point; an exponent only far outside of all prefixes.
std::string double_text(double value, std::string_view unit) {
  if (value == 0) {
    return "0" + std::string(unit);
  }
  std::array<char, 32> buffer;
  const char* const end =
      std::to_chars(
          buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific)
          .ptr;
  const std::string_view scientific(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = scientific.find('e');
  if (mark == std::string_view::npos) {  // nan, inf: no reader lets them in
    return std::string(scientific) + std::string(unit);
  }
  std::string digits;
  std::string sign;
  for (const char c : scientific.substr(0, mark)) {
    if (c == '-') {
      sign = "-";
    } else if (c != '.') {
      digits += c;
    }
  }
  int exponent = 0;  // digits[0] stands for digits[0] * 10^exponent
  const bool plus = scientific[mark + 1] == '+';
  std::from_chars(scientific.data() + mark + (plus ? 2 : 1), end, exponent);

  constexpr int kSmallestPlain = -6;
  constexpr int kLargestPlain = 23;
  if (exponent < kSmallestPlain || exponent > kLargestPlain) {
    return sign + std::string(scientific.substr(sign.size())) + std::string(unit);
  }
  const int prefix = std::clamp(exponent / 3, 0, static_cast<int>(kDecimalPrefixes) - 1);
  const int point = exponent - 3 * prefix + 1;  // digits before the point
  if (point <= 0) {
    digits = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  } else if (static_cast<std::size_t>(point) >= digits.size()) {
    digits.resize(static_cast<std::size_t>(point), '0');
  } else {
    digits.insert(static_cast<std::size_t>(point), 1, '.');
  }
  return sign + digits + std::string(kPrefixes[prefix].name) + std::string(unit);
}

// ---------------------------------------------------------------------------------------------

struct PriceWords {
  std::string_view suffix;
  Words words;
};
PriceWords price_words(PriceUnit::Kind unit) {
  switch (unit) {
    case PriceUnit::Kind::kOnce:
      return {"", {"a price in $", "20k$"}};
    case PriceUnit::Kind::kPerKwh:
      return {"/kWh", {"a price a kWh", "0.12$/kWh"}};
    case PriceUnit::Kind::kPerGpuHour:
      return {"/GPUh", {"a price a GPU-hour", "1.9$/GPUh"}};
    case PriceUnit::Kind::kPerYear:
      return {"/y", {"a price a year", "100k$/y"}};
    case PriceUnit::Kind::kPerMonth:
      return {"/month", {"a price a month", "20k$/month"}};
    case PriceUnit::Kind::kPerKwMonth:
      return {"/kW/month", {"a price a kW and month", "184$/kW/month"}};
    case PriceUnit::Kind::kPerGpuYear:
      return {"/GPU/y", {"a price a GPU and year", "1k$/GPU/y"}};
  }
  return {};
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  // "m" is minutes to some and months to others.
  return parse_int<Duration>(text, kDurationUnits, kDurationWords);
}

Parsed<Bytes> parse_bytes(std::string_view text) {
  return parse_int<Bytes>(text, kByteUnits, kByteWords);
}

Parsed<Power> parse_power(std::string_view text) {
  return parse_int<Power>(text, kPowerUnits, kPowerWords);
}

Parsed<Money> parse_price(std::string_view text, PriceUnit::Kind unit) {
  const PriceWords price = price_words(unit);
  return parse_int<Money>(text, kMoneyUnits, price.words, price.suffix);
}

Parsed<BytesPerSec> parse_rate(std::string_view text) {
  return wrap<BytesPerSec>(parse_double(text, kRateUnits, kRateWords));
}

Parsed<FlopsPerSec> parse_flops(std::string_view text) {
  return wrap<FlopsPerSec>(parse_double(text, kFlopsUnits, kFlopsWords));
}

Parsed<double> parse_per_second(std::string_view text) {
  return parse_double(text, kPerSecondUnits, kPerSecondWords);
}

Parsed<double> parse_carbon(std::string_view text) {
  return parse_double(text, kCarbonUnits, kCarbonWords);
}

std::string to_text(Duration value) {
  return int_text(value.raw(), kDurationUnits, "s");
}

std::string to_text(Bytes value) {
  return int_text(value.raw(), kByteUnits, "B");
}

std::string to_text(Power value) {
  return int_text(value.raw(), kPowerUnits, "W");
}

std::string to_text(BytesPerSec value) {
  return double_text(value.raw(), "B/s");
}

std::string to_text(FlopsPerSec value) {
  return double_text(value.raw(), "FLOP/s");
}

std::string per_second_to_text(double value) {
  return double_text(value, "/s");
}

std::string carbon_to_text(double grams_per_kwh) {
  return double_text(grams_per_kwh, "g/kWh");
}

std::string price_to_text(Money value, PriceUnit::Kind unit) {
  return int_text(value.raw(), kMoneyUnits, "$", price_words(unit).suffix);
}

std::string seconds_text(Duration value) {
  std::array<char, kSecondsRoom> text;
  return {text.data(), write_seconds(text.data(), value)};
}

Parsed<Duration> parse_seconds(std::string_view text) {
  Duration value;
  const char* const end = text.data() + text.size();
  if (read_seconds(text.data(), end, value) != end || text.empty()) {
    return Parsed<Duration>::refused("seconds, for example 12 or 0.5, at most 290 years");
  }
  return value;
}

std::string to_text(Int128 value) {
  constexpr std::size_t kInt128Room = 40;
  std::array<char, kInt128Room> text;
  std::size_t at = text.size();
  const bool negative = value < 0;
  auto rest = static_cast<UInt128>(value);
  if (negative) {
    rest = 0 - rest;
  }
  do {
    text[--at] = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) {
    text[--at] = '-';
  }
  return {text.data() + at, text.size() - at};
}

}  // namespace weft
