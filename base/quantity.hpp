// Reading and printing quantities. A quantity is a number with a unit; a number without one is
// refused, and so is an unknown unit, a negative value, nan, inf, leading zeros and what does not
// fit its type. Every parse_ returns the value or why not, in words an InputError can carry.
//
// Bits are b, bytes B; k M G T P E are powers of 1000, Ki Mi Gi Ti Pi of 1024. Exponents are
// read ("1e15FLOP/s"); a blank may stand between number and unit. What is held in an integer is
// rounded to its nearest unit (1.1GiB is 1181116006B), and refused if that makes it zero ("0.1B").
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/units.hpp"

namespace weft {

template <class T>
class Parsed {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): reads as a value
  Parsed(T value) : result_(std::move(value)) {}
  static Parsed refused(const std::string& allowed) {
    Parsed p{T{}};
    p.result_ = allowed;
    return p;
  }
  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(result_); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const T& value() const { return std::get<T>(result_); }
  [[nodiscard]] const T& operator*() const { return value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }
  [[nodiscard]] const std::string& allowed() const { return std::get<std::string>(result_); }

 private:
  std::variant<T, std::string> result_;
};

// $ per unit of something, in micro-dollars: 0.12$/kWh, 2.5$/GPUh, 184$/kW/month, 100k$/y,
// 1k$/GPU/y.
struct PriceUnit {
  enum class Kind {
    kOnce,        // 20k$
    kPerKwh,      // 0.12$/kWh
    kPerGpuHour,  // 1.9$/GPUh
    kPerYear,     // 100k$/y
    kPerMonth,    // 20k$/month
    kPerKwMonth,  // 184$/kW/month
    kPerGpuYear,  // 1k$/GPU/y
  };
};

// 2us 90s 5min 1.5h 30d 2w 1y (365 days). Not "5m": minutes to some, months to others.
[[nodiscard]] Parsed<Duration> parse_duration(std::string_view text);
[[nodiscard]] Parsed<BytesPerSec> parse_rate(std::string_view text);   // 400Gbps = 50GB/s
[[nodiscard]] Parsed<Bytes> parse_bytes(std::string_view text);        // 80GiB 2TB 1e9B
[[nodiscard]] Parsed<Power> parse_power(std::string_view text);        // 10.2kW
[[nodiscard]] Parsed<FlopsPerSec> parse_flops(std::string_view text);  // 989TFLOP/s
[[nodiscard]] Parsed<double> parse_per_second(std::string_view text);  // 5M, 100k/s, 5MIOPS, 5000
[[nodiscard]] Parsed<double> parse_carbon(std::string_view text);      // 350g/kWh: grams a kWh
[[nodiscard]] Parsed<Money> parse_price(std::string_view text, PriceUnit::Kind unit);

// Shortest text that parses back to the same value, in the largest unit that keeps it exact:
// "50GB/s", "80GiB", "2us", "30d", "10kW".
[[nodiscard]] std::string to_text(Duration value);
[[nodiscard]] std::string to_text(BytesPerSec value);
[[nodiscard]] std::string to_text(Bytes value);
[[nodiscard]] std::string to_text(Power value);
[[nodiscard]] std::string to_text(FlopsPerSec value);
[[nodiscard]] std::string price_to_text(Money value, PriceUnit::Kind unit);
[[nodiscard]] std::string per_second_to_text(double value);      // "5M/s"
[[nodiscard]] std::string carbon_to_text(double grams_per_kwh);  // "350g/kWh"

// Nanoseconds as decimal seconds without trailing zeros, no exponent: 97224.552583, 0.5, 60.
[[nodiscard]] std::string seconds_text(Duration value);
// Decimal seconds ("12", "0.000001", "1e3") to nanoseconds, rounded to nearest. Refuses negatives,
// nan, inf and values beyond 290 years. The fast path of log readers.
[[nodiscard]] Parsed<Duration> parse_seconds(std::string_view text);

// 128-bit integer to decimal text.
[[nodiscard]] std::string to_text(Int128 value);

}  // namespace weft
