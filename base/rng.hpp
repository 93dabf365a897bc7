// Random numbers that are the same on every machine and compiler.
//
// One stream per purpose, named: two runs that differ in one purpose see the same numbers in all
// others (common random numbers). The generator is xoshiro256** (Blackman, Vigna 2018) seeded by
// splitmix64 from the run's seed and a hash (FNV-1a) of the name. The standard library's
// distributions differ between implementations and libm's log/exp between versions, so the
// distributions and the elementary functions here are our own (docs/architecture.md).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace weft {

class Rng {
 public:
  Rng(std::uint64_t seed, std::string_view stream);

  std::uint64_t bits();                      // uniform on all 64-bit values
  double uniform();                          // [0, 1), 53 bits
  std::uint64_t below(std::uint64_t bound);  // [0, bound), bound > 0, without bias
  double exponential(double mean);
  double normal(double mean, double deviation);
  double lognormal(double mu, double sigma);  // of the logarithm
  double gamma(double shape, double scale);
  double weibull(double shape, double scale);
  bool chance(double probability);

 private:
  std::uint64_t state_[4];
  double spare_normal_ = 0;
  bool has_spare_normal_ = false;
};

// Draws an index with probability proportional to its weight (Walker's alias method): O(1).
class DiscreteDistribution {
 public:
  explicit DiscreteDistribution(std::span<const double> weights);  // >= 0, sum > 0
  std::size_t operator()(Rng& rng) const;

 private:
  std::vector<double> threshold_;
  std::vector<std::uint32_t> alias_;
};

// Elementary functions in plain IEEE arithmetic; relative error below 1e-14 (tested against libm).
namespace portable {
double log(double x);
double exp(double x);
double cos_turn(double turns);  // cos(2 pi turns)
double sin_turn(double turns);
double pow(double base, double exponent);
}  // namespace portable

}  // namespace weft
