#include "schedulers/availability_profile.hpp"

#include <algorithm>
#include <string>

#include "base/errors.hpp"

namespace weft::schedulers {

AvailabilityProfile::AvailabilityProfile(std::int32_t capacity, SimTime origin) {
  Block& all = blocks_.emplace_back();
  all.size = 1;
  all.begin[0] = origin.ns();
  all.free[0] = capacity;
  summaries_.emplace_back();
  summarize(0);
}

void AvailabilityProfile::summarize(std::size_t b) {
  const Block& block = blocks_[b];
  std::int32_t least = block.free[0];
  std::int32_t most = block.free[0];
  for (std::uint32_t i = 1; i < block.size; ++i) {
    least = std::min(least, block.free[i]);
    most = std::max(most, block.free[i]);
  }
  summaries_[b] = Summary{block.begin[0], least, most};
}

std::size_t AvailabilityProfile::steps() const {
  std::size_t count = 0;
  for (const Block& block : blocks_) {
    count += block.size;
  }
  return count;
}

AvailabilityProfile::Place AvailabilityProfile::find(std::int64_t t) const {
  WEFT_ASSERT(t >= summaries_.front().begin,
              "time " + std::to_string(t) + " ns is before the profile's begin, " +
                  std::to_string(summaries_.front().begin) + " ns");
  std::size_t low = 0;
  std::size_t high = blocks_.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    if (summaries_[middle].begin <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const Block& block = blocks_[low];
  const auto after = std::upper_bound(block.begin.begin(), block.begin.begin() + block.size, t);
  return Place{low, static_cast<std::uint32_t>(after - block.begin.begin()) - 1};
}

void AvailabilityProfile::next(Place& p) const {
  if (++p.step == blocks_[p.block].size) {
    p.step = 0;
    ++p.block;
  }
}

AvailabilityProfile::Place AvailabilityProfile::first_with(Place p,
                                                           std::int32_t units,
                                                           std::int64_t stop) const {
  for (; p.block < blocks_.size(); ++p.block, p.step = 0) {
    if (summaries_[p.block].begin >= stop) {
      return Place{blocks_.size(), 0};
    }
    if (summaries_[p.block].most < units) {
      continue;
    }
    const Block& block = blocks_[p.block];
    for (std::uint32_t i = p.step; i < block.size; ++i) {
      if (block.free[i] >= units) {
        return block.begin[i] < stop ? Place{p.block, i} : Place{blocks_.size(), 0};
      }
    }
  }
  return p;
}

AvailabilityProfile::Place AvailabilityProfile::first_without(Place p,
                                                              std::int32_t units,
                                                              std::int64_t stop) const {
  for (; p.block < blocks_.size(); ++p.block, p.step = 0) {
    if (summaries_[p.block].begin >= stop) {
      return Place{blocks_.size(), 0};
    }
    if (summaries_[p.block].least >= units) {
      continue;
    }
    const Block& block = blocks_[p.block];
    for (std::uint32_t i = p.step; i < block.size; ++i) {
      if (block.free[i] < units) {
        return block.begin[i] < stop ? Place{p.block, i} : Place{blocks_.size(), 0};
      }
    }
  }
  return p;
}

std::int64_t AvailabilityProfile::search(std::int32_t units,
                                         std::int64_t duration,
                                         std::int64_t t,
                                         std::int64_t before,
                                         std::int64_t enough) const {
  Place p = find(t);
  while (true) {
    p = first_with(p, units, before);
    if (at_end(p, blocks_)) {
      return kNever.ns();
    }
    t = std::max(t, blocks_[p.block].begin[p.step]);
    // The units must stay free up to here. A step that begins there does not matter.
    const std::int64_t until = std::min(t + duration, enough);
    p = first_without(p, units, until);
    if (at_end(p, blocks_)) {
      return t;
    }
    t = blocks_[p.block].begin[p.step];
    if (t >= before) {
      return kNever.ns();
    }
  }
}

SimTime AvailabilityProfile::earliest_fit(std::int32_t units,
                                          Duration duration,
                                          SimTime not_before) const {
  if (not_before >= kNever) {
    return kNever;
  }
  const std::int64_t length = std::clamp<std::int64_t>(duration.raw(), 1, kUnlimited.raw());
  return SimTime::at(nanoseconds(search(units, length, not_before.ns(), kNever.ns(), kNever.ns())));
}

std::optional<SimTime> AvailabilityProfile::earlier_fit(std::int32_t units,
                                                        Duration duration,
                                                        SimTime stands,
                                                        SimTime not_before,
                                                        SimTime before) const {
  if (not_before >= before) {
    return std::nullopt;
  }
  const std::int64_t length = std::clamp<std::int64_t>(duration.raw(), 1, kUnlimited.raw());
  // From `stands` on its own units do: a move to an earlier time ends before it ends now.
  const std::int64_t t = search(units, length, not_before.ns(), before.ns(), stands.ns());
  return t < kNever.ns() ? std::optional(SimTime::at(nanoseconds(t))) : std::nullopt;
}

std::int32_t AvailabilityProfile::free_at(SimTime t) const {
  const Place p = find(t.ns());
  return blocks_[p.block].free[p.step];
}

std::int32_t AvailabilityProfile::min_free(SimTime from, SimTime to) const {
  Place p = find(from.ns());
  std::int32_t least = blocks_[p.block].free[p.step];
  while (!at_end(p, blocks_) && blocks_[p.block].begin[p.step] < to.ns()) {
    const Block& block = blocks_[p.block];
    const bool whole =
        p.step == 0 && p.block + 1 < blocks_.size() && summaries_[p.block + 1].begin <= to.ns();
    if (whole) {
      least = std::min(least, summaries_[p.block].least);
      ++p.block;
    } else {
      least = std::min(least, block.free[p.step]);
      next(p);
    }
  }
  return least;
}

std::int32_t AvailabilityProfile::max_free(SimTime from, SimTime to) const {
  Place p = find(from.ns());
  std::int32_t most = blocks_[p.block].free[p.step];
  while (!at_end(p, blocks_) && blocks_[p.block].begin[p.step] < to.ns()) {
    const Block& block = blocks_[p.block];
    const bool whole =
        p.step == 0 && p.block + 1 < blocks_.size() && summaries_[p.block + 1].begin <= to.ns();
    if (whole) {
      most = std::max(most, summaries_[p.block].most);
      ++p.block;
    } else {
      most = std::max(most, block.free[p.step]);
      next(p);
    }
  }
  return most;
}

// Makes a step begin at t.
void AvailabilityProfile::split_at(std::int64_t t) {
  Place p = find(t);
  if (blocks_[p.block].begin[p.step] == t) {
    return;
  }
  if (blocks_[p.block].size == kBlock) {
    constexpr std::uint32_t kHalf = kBlock / 2;
    Block second;
    const Block& full = blocks_[p.block];
    second.size = kBlock - kHalf;
    std::copy(full.begin.begin() + kHalf, full.begin.end(), second.begin.begin());
    std::copy(full.free.begin() + kHalf, full.free.end(), second.free.begin());
    blocks_[p.block].size = kHalf;
    const auto after = static_cast<std::ptrdiff_t>(p.block) + 1;
    blocks_.insert(blocks_.begin() + after, second);
    summaries_.insert(summaries_.begin() + after, Summary{});
    summarize(p.block);
    summarize(p.block + 1);
    if (p.step >= kHalf) {
      ++p.block;
      p.step -= kHalf;
    }
  }
  Block& block = blocks_[p.block];
  const std::uint32_t at = p.step + 1;
  std::copy_backward(block.begin.begin() + at,
                     block.begin.begin() + block.size,
                     block.begin.begin() + block.size + 1);
  std::copy_backward(block.free.begin() + at,
                     block.free.begin() + block.size,
                     block.free.begin() + block.size + 1);
  block.begin[at] = t;
  block.free[at] = block.free[p.step];
  ++block.size;
}

// Joins the step that begins at t with the one before it if they are equal.
void AvailabilityProfile::merge_at(std::int64_t t) {
  const Place p = find(t);
  if (blocks_[p.block].begin[p.step] != t || (p.block == 0 && p.step == 0)) {
    return;
  }
  Block& block = blocks_[p.block];
  const Block& before = p.step > 0 ? block : blocks_[p.block - 1];
  const std::int32_t free_before =
      p.step > 0 ? block.free[p.step - 1] : before.free[before.size - 1];
  if (free_before != block.free[p.step]) {
    return;
  }
  std::copy(block.begin.begin() + p.step + 1,
            block.begin.begin() + block.size,
            block.begin.begin() + p.step);
  std::copy(block.free.begin() + p.step + 1,
            block.free.begin() + block.size,
            block.free.begin() + p.step);
  --block.size;
  if (block.size == 0) {
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(p.block));
    summaries_.erase(summaries_.begin() + static_cast<std::ptrdiff_t>(p.block));
  } else {
    summarize(p.block);
  }
}

void AvailabilityProfile::change(SimTime from, SimTime to, std::int32_t units) {
  from = std::max(from, SimTime::at(nanoseconds(summaries_.front().begin)));
  if (from >= to || units == 0) {
    return;
  }
  split_at(from.ns());
  split_at(to.ns());
  Place p = find(from.ns());
  while (p.block < blocks_.size() && blocks_[p.block].begin[p.step] < to.ns()) {
    Block& block = blocks_[p.block];
    std::uint32_t end = block.size;
    if (block.begin[end - 1] >= to.ns()) {
      end = static_cast<std::uint32_t>(std::lower_bound(block.begin.begin() + p.step,
                                                        block.begin.begin() + block.size,
                                                        to.ns()) -
                                       block.begin.begin());
    }
    if (p.step == 0 && end == block.size) {
      summaries_[p.block].least += units;
      summaries_[p.block].most += units;
      for (std::uint32_t i = 0; i < end; ++i) {
        block.free[i] += units;
      }
    } else {
      for (std::uint32_t i = p.step; i < end; ++i) {
        block.free[i] += units;
      }
      summarize(p.block);
    }
    ++p.block;
    p.step = 0;
  }
  merge_at(to.ns());
  merge_at(from.ns());
}

void AvailabilityProfile::advance(SimTime now) {
  if (now.ns() <= blocks_.front().begin[0]) {
    return;
  }
  const Place p = find(now.ns());
  blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(p.block));
  summaries_.erase(summaries_.begin(), summaries_.begin() + static_cast<std::ptrdiff_t>(p.block));
  Block& first = blocks_.front();
  if (p.step > 0) {
    std::copy(first.begin.begin() + p.step, first.begin.begin() + first.size, first.begin.begin());
    std::copy(first.free.begin() + p.step, first.free.begin() + first.size, first.free.begin());
    first.size -= p.step;
  }
  first.begin[0] = now.ns();
  summarize(0);
}

}  // namespace weft::schedulers
