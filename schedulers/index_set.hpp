// A set of small integers: one bit each, with summary levels (a bit per 64 below), so that "the
// first element from here on" costs O(levels) however sparse the set is. Four levels hold 16
// million elements. Allocates in resize() only.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace weft::schedulers {

class IndexSet {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Empties the set and makes room for elements 0 .. size - 1.
  void resize(std::uint32_t size);

  [[nodiscard]] bool has_room() const { return !words_.empty(); }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool contains(std::uint32_t i) const {
    return ((words_[i / 64] >> (i % 64)) & 1U) != 0;
  }
  void insert(std::uint32_t i) {
    const std::uint64_t old = words_[i / 64];
    const std::uint64_t now = old | (std::uint64_t{1} << (i % 64));
    words_[i / 64] = now;
    count_ += static_cast<std::uint32_t>(now != old);
    if (old == 0) {
      raise(i / 64);
    }
  }
  void erase(std::uint32_t i) {
    const std::uint64_t old = words_[i / 64];
    const std::uint64_t now = old & ~(std::uint64_t{1} << (i % 64));
    words_[i / 64] = now;
    count_ -= static_cast<std::uint32_t>(now != old);
    if (now == 0 && old != 0) {
      lower(i / 64);
    }
  }
  void insert_range(std::uint32_t first, std::uint32_t count);
  void erase_range(std::uint32_t first, std::uint32_t count);

  // The smallest element >= from, or kNone.
  [[nodiscard]] std::uint32_t next(std::uint32_t from) const;
  // How many elements follow each other without a gap from element `from` on, at most `most`.
  [[nodiscard]] std::uint32_t run_length(std::uint32_t from, std::uint32_t most) const;
  // Elements in [first, first + count).
  [[nodiscard]] std::uint32_t count_range(std::uint32_t first, std::uint32_t count) const;

 private:
  static constexpr std::size_t kMaxLevels = 6;  // 64^6 > 2^32

  // Marks word `i` of level 0 as not empty (empty) in the levels above.
  void raise(std::uint32_t i);
  void lower(std::uint32_t i);

  std::vector<std::uint64_t> words_;                  // level 0, then level 1, ...
  std::array<std::uint32_t, kMaxLevels> begin_ = {};  // of each level in words_
  std::array<std::uint32_t, kMaxLevels> size_ = {};   // words
  std::uint32_t levels_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace weft::schedulers
