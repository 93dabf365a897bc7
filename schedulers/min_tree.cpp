#include "schedulers/min_tree.hpp"

#include <algorithm>

namespace weft::schedulers {

void MinTree::clear() {
  values_.clear();
  for (auto& level : blocks_) {
    level.clear();  // keeps its memory
  }
  levels_ = 0;
}

std::int64_t MinTree::smallest_of(const std::vector<std::int64_t>& values, std::size_t block) {
  const std::size_t begin = block * kBlock;
  const std::size_t end = std::min(begin + kBlock, values.size());
  std::int64_t smallest = kHole;
  for (std::size_t i = begin; i < end; ++i) {
    smallest = std::min(smallest, values[i]);
  }
  return smallest;
}

void MinTree::append(std::int64_t value) {
  values_.push_back(value);
  std::size_t i = values_.size() - 1;
  std::size_t below = values_.size();  // entries of the level below the one looked at
  std::size_t level = 0;
  while (below > kBlock) {
    if (level == blocks_.size()) {
      blocks_.emplace_back();
    }
    std::vector<std::int64_t>& minima = blocks_[level];
    const std::vector<std::int64_t>& source = level == 0 ? values_ : blocks_[level - 1];
    i /= kBlock;
    if (minima.empty() && below > 1) {  // a new level: the blocks before this one
      for (std::size_t b = 0; b < i; ++b) {
        minima.push_back(smallest_of(source, b));
      }
    }
    if (i == minima.size()) {
      minima.push_back(smallest_of(source, i));
    } else {
      minima[i] = std::min(minima[i], value);
    }
    below = minima.size();
    ++level;
  }
  levels_ = level;
}

void MinTree::remove(std::uint32_t i) {
  values_[i] = kHole;
  std::size_t at = i;
  for (std::size_t level = 0; level < levels_; ++level) {
    at /= kBlock;
    const std::int64_t smallest = smallest_of(level == 0 ? values_ : blocks_[level - 1], at);
    if (blocks_[level][at] == smallest) {
      return;
    }
    blocks_[level][at] = smallest;
  }
}

std::uint32_t MinTree::first_at_most(std::uint32_t from, std::int64_t bound) const {
  // Up: the rest of the block, then the rest of the block of blocks, ...; down: into the first hit.
  std::size_t i = from;
  for (std::size_t level = 0;; ++level) {
    const std::vector<std::int64_t>& values = level == 0 ? values_ : blocks_[level - 1];
    const bool top = level == levels_;
    const std::size_t end =
        top ? values.size() : std::min((i / kBlock + 1) * kBlock, values.size());
    while (i < end && values[i] > bound) {
      ++i;
    }
    if (i < end) {
      for (std::size_t down = level; down > 0; --down) {
        const std::vector<std::int64_t>& below = down == 1 ? values_ : blocks_[down - 2];
        i *= kBlock;
        while (below[i] > bound) {
          ++i;
        }
      }
      return static_cast<std::uint32_t>(i);
    }
    if (top) {
      return kNone;
    }
    i = (i + kBlock - 1) / kBlock;  // i is at a block's end, or at the end of all
  }
}

}  // namespace weft::schedulers
