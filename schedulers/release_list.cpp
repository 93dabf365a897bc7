#include "schedulers/release_list.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/errors.hpp"

namespace weft::schedulers {

// The last block that begins at or before the entry (the first if all begin after it).
std::size_t ReleaseList::block_for(const Entry& entry) const {
  std::size_t low = 0;
  std::size_t high = blocks_.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    if (entry < blocks_[middle].entries.front()) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

void ReleaseList::insert(SimTime end, JobId job, std::int64_t units) {
  const Entry entry{end.ns(), job, units};
  ++size_;
  if (blocks_.empty()) {
    Block first;
    if (!spare_.empty()) {
      first = std::move(spare_.back());
      spare_.pop_back();
    }
    first.entries.reserve(kMaxBlock);
    first.entries.push_back(entry);
    first.units = units;
    blocks_.push_back(std::move(first));
    return;
  }
  const std::size_t b = block_for(entry);
  Block& block = blocks_[b];
  block.entries.insert(std::upper_bound(block.entries.begin(), block.entries.end(), entry), entry);
  block.units += units;
  if (block.entries.size() < kMaxBlock) {
    return;
  }
  Block second;
  if (!spare_.empty()) {
    second = std::move(spare_.back());
    spare_.pop_back();
  }
  second.entries.reserve(kMaxBlock);
  const auto middle = block.entries.begin() + kMaxBlock / 2;
  second.entries.assign(middle, block.entries.end());
  block.entries.erase(middle, block.entries.end());
  for (const Entry& moved : second.entries) {
    second.units += moved.units;
  }
  block.units -= second.units;
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b) + 1, std::move(second));
}

void ReleaseList::erase(SimTime end, JobId job) {
  const Entry key{end.ns(), job, 0};
  WEFT_ASSERT(size_ > 0, "no releases are planned");
  const std::size_t b = block_for(key);
  Block& block = blocks_[b];
  const auto at = std::lower_bound(block.entries.begin(), block.entries.end(), key);
  WEFT_ASSERT(at != block.entries.end() && at->job == job && at->end == end.ns(),
              "no release of job " + std::to_string(index(job)) + " at " +
                  std::to_string(end.ns()) + " ns");
  block.units -= at->units;
  block.entries.erase(at);
  --size_;
  if (block.entries.empty()) {
    block.units = 0;
    spare_.push_back(std::move(block));
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(b));
  }
}

ReleaseList::Answer ReleaseList::earliest(std::int64_t needed, SimTime now) const {
  Answer answer;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    // All of the block belongs to the sum: what is needed is not reached before its last entry,
    // or it lies wholly at or before the time found.
    const std::int64_t last = std::max(block.entries.back().end, now.ns());
    if ((!answer.found && answer.units + block.units < needed) ||
        (answer.found && last <= answer.when.ns())) {
      answer.units += block.units;
      continue;
    }
    for (const Entry& entry : block.entries) {
      const std::int64_t end = std::max(entry.end, now.ns());
      if (answer.found && end > answer.when.ns()) {
        return answer;
      }
      answer.units += entry.units;
      if (!answer.found && answer.units >= needed) {
        answer.found = true;
        answer.when = SimTime::at(nanoseconds(end));
        answer.last = entry.job;
      }
    }
  }
  return answer;
}

}  // namespace weft::schedulers
