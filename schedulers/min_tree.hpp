// A growing list of numbers that answers "the first one from here on that is at most x" in
// O(log n), by minima over blocks of 16, blocks of blocks, and so on. Removing an entry leaves a
// hole; positions never change. Used for the limits of waiting jobs.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace weft::schedulers {

class MinTree {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr std::int64_t kHole = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t kAny = kHole - 1;  // a bound that every entry meets

  void clear();
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  [[nodiscard]] std::int64_t operator[](std::uint32_t i) const { return values_[i]; }
  [[nodiscard]] std::int64_t minimum() const {  // kHole if there is no entry
    return levels_ == 0 ? smallest_of(values_, 0) : smallest_of(blocks_[levels_ - 1], 0);
  }

  void append(std::int64_t value);  // < kHole
  void remove(std::uint32_t i);

  // The first position >= from whose value is <= bound (< kHole), or kNone.
  [[nodiscard]] std::uint32_t first_at_most(std::uint32_t from, std::int64_t bound) const;

 private:
  static constexpr std::uint32_t kBlock = 16;
  [[nodiscard]] static std::int64_t smallest_of(const std::vector<std::int64_t>& values,
                                                std::size_t block);

  std::vector<std::int64_t> values_;
  std::vector<std::vector<std::int64_t>> blocks_;  // [0]: minima of values_, [1]: of [0], ...
  std::size_t levels_ = 0;  // of blocks_ in use: the last one has at most kBlock entries
};

}  // namespace weft::schedulers
