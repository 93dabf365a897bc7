#include "schedulers/index_set.hpp"

#include <algorithm>

namespace weft::schedulers {

namespace {
// Bits [low, high) of a word, 0 <= low < high <= 64.
constexpr std::uint64_t mask(std::uint32_t low, std::uint32_t high) {
  return (~std::uint64_t{0} << low) & (~std::uint64_t{0} >> (64 - high));
}
constexpr std::uint32_t bits(std::uint64_t word) {
  return static_cast<std::uint32_t>(std::popcount(word));
}
}  // namespace

void IndexSet::resize(std::uint32_t size) {
  levels_ = 0;
  count_ = 0;
  std::uint32_t total = 0;
  std::uint32_t elements = size;
  do {
    const std::uint32_t level_words = elements / 64 + (elements % 64 != 0 ? 1 : 0);
    begin_[levels_] = total;
    size_[levels_] = level_words;
    ++levels_;
    total += level_words;
    elements = level_words;
  } while (elements > 1);
  words_.assign(total, 0);
}

void IndexSet::raise(std::uint32_t i) {
  for (std::uint32_t level = 1; level < levels_; ++level) {
    std::uint64_t& word = words_[begin_[level] + i / 64];
    const bool was_empty = word == 0;
    word |= std::uint64_t{1} << (i % 64);
    if (!was_empty) {
      return;
    }
    i /= 64;
  }
}

void IndexSet::lower(std::uint32_t i) {
  for (std::uint32_t level = 1; level < levels_; ++level) {
    std::uint64_t& word = words_[begin_[level] + i / 64];
    word &= ~(std::uint64_t{1} << (i % 64));
    if (word != 0) {
      return;
    }
    i /= 64;
  }
}

void IndexSet::insert_range(std::uint32_t first, std::uint32_t count) {
  const std::uint32_t end = first + count;
  while (first < end) {
    const std::uint32_t w = first / 64;
    const std::uint32_t stop = std::min(end, (w + 1) * 64);
    const std::uint64_t old = words_[w];
    words_[w] |= mask(first % 64, stop - w * 64);
    count_ += bits(words_[w]) - bits(old);
    if (old == 0) {
      raise(w);
    }
    first = stop;
  }
}

void IndexSet::erase_range(std::uint32_t first, std::uint32_t count) {
  const std::uint32_t end = first + count;
  while (first < end) {
    const std::uint32_t w = first / 64;
    const std::uint32_t stop = std::min(end, (w + 1) * 64);
    const std::uint64_t old = words_[w];
    words_[w] &= ~mask(first % 64, stop - w * 64);
    count_ -= bits(old) - bits(words_[w]);
    if (words_[w] == 0 && old != 0) {
      lower(w);
    }
    first = stop;
  }
}

std::uint32_t IndexSet::next(std::uint32_t from) const {
  std::uint32_t i = from;
  for (std::uint32_t level = 0; level < levels_; ++level) {
    const std::uint32_t w = i / 64;
    if (w >= size_[level]) {
      return kNone;
    }
    const std::uint64_t word = words_[begin_[level] + w] >> (i % 64);
    if (word != 0) {
      i += static_cast<std::uint32_t>(std::countr_zero(word));
      while (level > 0) {  // down again: the first bit below each summary bit
        --level;
        i = i * 64 + static_cast<std::uint32_t>(std::countr_zero(words_[begin_[level] + i]));
      }
      return i;
    }
    i = w + 1;
  }
  return kNone;
}

std::uint32_t IndexSet::run_length(std::uint32_t from, std::uint32_t most) const {
  std::uint32_t length = 0;
  std::uint32_t i = from;
  while (length < most && i / 64 < size_[0]) {
    const std::uint32_t left_in_word = 64 - i % 64;
    const auto ones = std::min(
        left_in_word, static_cast<std::uint32_t>(std::countr_one(words_[i / 64] >> (i % 64))));
    length += ones;
    i += ones;
    if (ones < left_in_word) {
      break;
    }
  }
  return std::min(length, most);
}

std::uint32_t IndexSet::count_range(std::uint32_t first, std::uint32_t count) const {
  const std::uint32_t end = first + count;
  std::uint32_t found = 0;
  while (first < end) {
    const std::uint32_t w = first / 64;
    const std::uint32_t stop = std::min(end, (w + 1) * 64);
    found += bits(words_[w] & mask(first % 64, stop - w * 64));
    first = stop;
  }
  return found;
}

}  // namespace weft::schedulers
