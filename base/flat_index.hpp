// A hash index from keys kept elsewhere to 32-bit positions: open addressing, 8 bytes a slot, no
// allocation a key. The caller compares keys; nothing here is ever iterated, so no order leaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace weft {

// Mixes `word` into a running hash. For tables only: never let a result depend on it.
inline std::uint64_t hash_mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

inline std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = hash_mix(0x51ED270B9F3D4A21U, text.size());
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    hash = hash_mix(hash, word);
  }
  // The rest, up to seven bytes: overlapping loads instead of a loop.
  std::uint64_t word = 0;
  if (left >= 4) {
    std::uint32_t front = 0;
    std::uint32_t back = 0;
    std::memcpy(&front, at, 4);
    std::memcpy(&back, at + left - 4, 4);
    word = (std::uint64_t{front} << 32U) | back;
  } else if (left > 0) {
    word = (std::uint64_t{static_cast<unsigned char>(at[0])} << 16U) |
           (std::uint64_t{static_cast<unsigned char>(at[left / 2])} << 8U) |
           static_cast<unsigned char>(at[left - 1]);
  }
  return hash_mix(hash, word);
}

class FlatIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // The value with this hash for which equal(value) holds, or kNone.
  template <class Equal>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Equal equal) const {
    if (slots_.empty()) {
      return kNone;
    }
    const std::uint32_t tag = tag_of(hash);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = tag & mask; slots_[at].value != kNone; at = (at + 1) & mask) {
      if (slots_[at].tag == tag && equal(slots_[at].value)) {
        return slots_[at].value;
      }
    }
    return kNone;
  }

  // Adds a value (not kNone) whose key is not here yet.
  void insert(std::uint64_t hash, std::uint32_t value) {
    if (2 * (used_ + 1) > slots_.size()) {
      grow(slots_.empty() ? 64 : 2 * slots_.size());
    }
    place(Slot{tag_of(hash), value});
    ++used_;
  }

  void reserve(std::size_t keys) {
    std::size_t size = 64;
    while (size < 2 * keys) {
      size *= 2;
    }
    if (size > slots_.size()) {
      grow(size);
    }
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t value = kNone;
  };

  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 32U);
  }

  void place(Slot slot) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = slot.tag & mask;
    while (slots_[at].value != kNone) {
      at = (at + 1) & mask;
    }
    slots_[at] = slot;
  }

  void grow(std::size_t size) {
    std::vector<Slot> old(size);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.value != kNone) {
        place(slot);
      }
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace weft
