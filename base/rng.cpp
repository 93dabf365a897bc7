#include "base/rng.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/errors.hpp"

namespace weft {

namespace {

__extension__ using UInt128 = unsigned __int128;  // NOLINT(readability-identifier-naming)

// Steele, Lea, Flood 2014; the constants of Vigna's reference splitmix64.c.
std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  return hash;
}

double positive(double value, const char* what) {
  WEFT_ASSERT(value > 0 && value <= std::numeric_limits<double>::max(),
              std::string(what) + " is " + std::to_string(value));
  return value;
}

}  // namespace

// The seed is mixed before the name joins it, so that small seeds and alike names do not cancel.
// splitmix64 never gives four zeros in a row, the one state the generator must not have.
Rng::Rng(std::uint64_t seed, std::string_view stream) {
  std::uint64_t state = splitmix64(seed) ^ fnv1a(stream);
  for (std::uint64_t& word : state_) {
    word = splitmix64(state);
  }
}

std::uint64_t Rng::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

// Lemire 2019, "Fast random integer generation in an interval".
std::uint64_t Rng::below(std::uint64_t bound) {
  WEFT_ASSERT(bound > 0, "below(0)");
  UInt128 product = UInt128{bits()} * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t biased = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < biased) {
      product = UInt128{bits()} * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Rng::exponential(double mean) {
  return -positive(mean, "mean") * portable::log(1 - uniform());
}

// Box, Muller 1958: two at a time.
double Rng::normal(double mean, double deviation) {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return mean + deviation * spare_normal_;
  }
  const double radius = std::sqrt(-2 * portable::log(1 - uniform()));
  const double turns = uniform();
  spare_normal_ = radius * portable::sin_turn(turns);
  has_spare_normal_ = true;
  return mean + deviation * (radius * portable::cos_turn(turns));
}

double Rng::lognormal(double mu, double sigma) {
  return portable::exp(normal(mu, sigma));
}

// Marsaglia, Tsang 2000, "A simple method for generating gamma variables"; below shape 1 by
// their section 6.
double Rng::gamma(double shape, double scale) {
  positive(shape, "shape");
  positive(scale, "scale");
  double factor = scale;
  if (shape < 1) {
    // G(a) = G(a+1) U^(1/a). A tiny shape makes 1/a overflow: then it is 0 but for U = 1.
    factor *= portable::pow(1 - uniform(), std::min(1 / shape, std::numeric_limits<double>::max()));
    shape += 1;
  }
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal(0, 1);
    const double t = 1 + c * x;
    if (t <= 0) {
      continue;
    }
    const double v = t * t * t;
    const double u = 1 - uniform();
    if (portable::log(u) < 0.5 * x * x + d * (1 - v + portable::log(v))) {
      return d * v * factor;
    }
  }
}

double Rng::weibull(double shape, double scale) {
  positive(shape, "shape");
  const double e = -portable::log(1 - uniform());
  return positive(scale, "scale") *
         portable::pow(e, std::min(1 / shape, std::numeric_limits<double>::max()));
}

bool Rng::chance(double probability) {
  return uniform() < probability;
}

// Vose 1991: columns of height 1, each shared by at most two indices.
DiscreteDistribution::DiscreteDistribution(std::span<const double> weights)
    : threshold_(weights.size()), alias_(weights.size()) {
  const std::size_t n = weights.size();
  double sum = 0;
  for (const double w : weights) {
    WEFT_ASSERT(w >= 0, "a weight of " + std::to_string(w));
    sum += w;
  }
  positive(sum, "sum of weights");
  WEFT_ASSERT(n <= std::numeric_limits<std::uint32_t>::max(), std::to_string(n) + " weights");

  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> high;
  for (std::size_t i = 0; i < n; ++i) {
    threshold_[i] = weights[i] / sum * static_cast<double>(n);
    (threshold_[i] < 1 ? low : high).push_back(static_cast<std::uint32_t>(i));
  }
  while (!low.empty() && !high.empty()) {
    const std::uint32_t small = low.back();
    const std::uint32_t large = high.back();
    low.pop_back();
    alias_[small] = large;
    threshold_[large] -= 1 - threshold_[small];
    if (threshold_[large] < 1) {
      high.pop_back();
      low.push_back(large);
    }
  }
  // What rounding left over fills its column; what has no weight is never drawn.
  const auto heaviest = static_cast<std::uint32_t>(
      std::max_element(weights.begin(), weights.end()) - weights.begin());
  low.insert(low.end(), high.begin(), high.end());
  for (const std::uint32_t i : low) {
    threshold_[i] = weights[i] > 0 ? 1 : 0;
    alias_[i] = heaviest;
  }
}

std::size_t DiscreteDistribution::operator()(Rng& rng) const {
  const std::size_t column = rng.below(threshold_.size());
  return rng.uniform() < threshold_[column] ? column : alias_[column];
}

}  // namespace weft
