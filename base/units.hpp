// Strong unit types: one representation per dimension, chosen once.
//
//   SimTime / Duration  int64 nanoseconds      exact comparison and order, +-292 years
//   Bytes               int64 bytes
//   GpuShare            int64 thousandths of a GPU (GPU sharing is accounted in 1/1000)
//   CpuShare            int64 thousandths of a CPU
//   Money               int64 micro-dollars
//   Power               int64 milliwatts
//   Energy              int64 microjoules
//   BytesPerSec, FlopsPerSec  double           rates are results of divisions
//
// A factory or reader carries the unit in its name; nothing converts to a number by itself.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace weft {

template <class Tag, class Rep>
class Quantity {
 public:
  constexpr Quantity() = default;
  static constexpr Quantity from_raw(Rep value) {
    Quantity q;
    q.value_ = value;
    return q;
  }
  [[nodiscard]] constexpr Rep raw() const { return value_; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return from_raw(a.value_ + b.value_);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return from_raw(a.value_ - b.value_);
  }
  friend constexpr Quantity operator*(Quantity a, Rep k) { return from_raw(a.value_ * k); }
  constexpr Quantity& operator+=(Quantity b) {
    value_ += b.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity b) {
    value_ -= b.value_;
    return *this;
  }

 private:
  Rep value_{};
};

using Duration = Quantity<struct DurationTag, std::int64_t>;
using Bytes = Quantity<struct BytesTag, std::int64_t>;
using GpuShare = Quantity<struct GpuShareTag, std::int64_t>;
using CpuShare = Quantity<struct CpuShareTag, std::int64_t>;
using Money = Quantity<struct MoneyTag, std::int64_t>;
using Power = Quantity<struct PowerTag, std::int64_t>;
using Energy = Quantity<struct EnergyTag, std::int64_t>;
using BytesPerSec = Quantity<struct BytesPerSecTag, double>;
using FlopsPerSec = Quantity<struct FlopsPerSecTag, double>;

// A point in simulated time. time - time = duration, time + duration = time; time + time: no.
class SimTime {
 public:
  constexpr SimTime() = default;
  static constexpr SimTime at(Duration since_start) {
    SimTime t;
    t.since_start_ = since_start;
    return t;
  }
  [[nodiscard]] constexpr Duration since_start() const { return since_start_; }
  [[nodiscard]] constexpr std::int64_t ns() const { return since_start_.raw(); }
  friend constexpr auto operator<=>(SimTime, SimTime) = default;
  friend constexpr SimTime operator+(SimTime t, Duration d) { return at(t.since_start_ + d); }
  friend constexpr SimTime operator-(SimTime t, Duration d) { return at(t.since_start_ - d); }
  friend constexpr Duration operator-(SimTime a, SimTime b) {
    return a.since_start_ - b.since_start_;
  }

 private:
  Duration since_start_;
};

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

constexpr Duration nanoseconds(std::int64_t n) {
  return Duration::from_raw(n);
}
constexpr Duration seconds(std::int64_t s) {
  return Duration::from_raw(s * kNsPerSecond);
}
constexpr Duration minutes(std::int64_t m) {
  return seconds(m * 60);
}
constexpr Duration hours(std::int64_t h) {
  return seconds(h * 3600);
}
constexpr Duration days(std::int64_t d) {
  return seconds(d * 86400);
}
// For display and statistics only: a double holds 15-16 digits, a Duration up to 19.
constexpr double to_seconds(Duration d) {
  return static_cast<double>(d.raw()) * 1e-9;
}
constexpr SimTime at_seconds(std::int64_t s) {
  return SimTime::at(seconds(s));
}

// "No limit" and "never": a quarter of the range, so that adding two of them cannot overflow.
constexpr Duration kUnlimited = Duration::from_raw(std::numeric_limits<std::int64_t>::max() / 4);
constexpr SimTime kNever = SimTime::at(kUnlimited);

constexpr GpuShare gpus(std::int64_t n) {
  return GpuShare::from_raw(n * 1000);
}
constexpr GpuShare gpu_thousandths(std::int64_t n) {
  return GpuShare::from_raw(n);
}
constexpr CpuShare cpus(std::int64_t n) {
  return CpuShare::from_raw(n * 1000);
}
constexpr CpuShare cpu_thousandths(std::int64_t n) {
  return CpuShare::from_raw(n);
}
constexpr Bytes bytes(std::int64_t n) {
  return Bytes::from_raw(n);
}
constexpr Money micro_dollars(std::int64_t n) {
  return Money::from_raw(n);
}
constexpr Money dollars(std::int64_t n) {
  return Money::from_raw(n * 1'000'000);
}
constexpr Power milliwatts(std::int64_t n) {
  return Power::from_raw(n);
}
constexpr Power watts(std::int64_t n) {
  return Power::from_raw(n * 1000);
}
constexpr BytesPerSec gigabits_per_sec(double g) {
  return BytesPerSec::from_raw(g * 1e9 / 8.0);
}
constexpr BytesPerSec bytes_per_sec(double b) {
  return BytesPerSec::from_raw(b);
}
constexpr FlopsPerSec teraflops_per_sec(double t) {
  return FlopsPerSec::from_raw(t * 1e12);
}

// Thousandths of a GPU x nanoseconds. 100,000 GPUs for 10 years need 95 bits, so 128.
__extension__ using Int128 = __int128;  // NOLINT(readability-identifier-naming)
using GpuTime = Quantity<struct GpuTimeTag, Int128>;
constexpr GpuTime operator*(GpuShare s, Duration d) {
  return GpuTime::from_raw(static_cast<Int128>(s.raw()) * d.raw());
}

}  // namespace weft
