#include "results/step_series.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/errors.hpp"

namespace weft::results {

StepSeries::StepSeries(std::size_t count, SimTime origin)
    : count_(count),
      origin_(origin.ns()),
      latest_(std::numeric_limits<std::int64_t>::min()),
      newest_(count, 0) {}

void StepSeries::add_step(std::int64_t at, std::size_t series, std::int64_t delta) {
  WEFT_ASSERT(at >= origin_, "a change at " + std::to_string(at) + " ns, before the first");
  if (at > latest_) {
    if (steps_ == kMostSteps) {
      start_binning();
      find_bin(at);
      add_to_bin(at, series, delta);
      return;
    }
    latest_ = at;
    ++steps_;
  }
  if (newest_[series] > 0 && changes_[newest_[series] - 1].at == at) {
    changes_[newest_[series] - 1].delta += delta;
    return;
  }
  changes_.push_back({at, delta, series});
  newest_[series] = changes_.size();
}

void StepSeries::start_binning() {
  // The finest decimal unit that the bins can start with and still cover what there is; it only
  // doubles from here on.
  const std::int64_t span = latest_ - origin_;
  width_ = kNsPerSecond;
  while (width_ > 1 && span / width_ < static_cast<std::int64_t>(kMostBins) / 2) {
    width_ /= 1000;
  }
  binned_ = true;
  cells_.assign((kMostBins + 1) * count_, Cell{});
  carried_.assign(count_, 0);
  std::vector<Change> changes;
  changes.swap(changes_);
  for (const Change& change : changes) {
    find_bin(change.at);
    add_to_bin(change.at, change.series, change.delta);
  }
}

void StepSeries::find_bin(std::int64_t at) {
  WEFT_ASSERT(at >= origin_, "a change at " + std::to_string(at) + " ns, before the first");
  while ((at - origin_) / width_ >= static_cast<std::int64_t>(kMostBins)) {
    merge_pairs();
  }
  bin_ = static_cast<std::size_t>((at - origin_) / width_);
  bin_begin_ = origin_ + static_cast<std::int64_t>(bin_) * width_;
  bin_end_ = bin_begin_ + width_;
}

// Two bins of width w become one of 2 w. What changed in the left one lasts through the right one:
// integral += change x w; what changed in either has changed when the next bin begins. In place:
// bin b is written after 2b - 1, 2b and 2b + 1 were read.
void StepSeries::merge_pairs() {
  for (std::size_t b = 0; b <= kMostBins / 2; ++b) {
    for (std::size_t s = 0; s < count_; ++s) {
      Cell merged = cells_[2 * b * count_ + s];
      if (2 * b < kMostBins) {
        const Cell& right = cells_[(2 * b + 1) * count_ + s];
        merged.integral += right.integral + static_cast<Int128>(right.level_change) * width_;
      }
      if (b > 0) {
        merged.level_change += carried_[s];
      }
      carried_[s] = 2 * b < kMostBins ? cells_[(2 * b + 1) * count_ + s].level_change : 0;
      cells_[b * count_ + s] = merged;
    }
  }
  std::fill(cells_.begin() + static_cast<std::ptrdiff_t>((kMostBins / 2 + 1) * count_),
            cells_.end(),
            Cell{});
  width_ *= 2;
}

void StepSeries::rows(SimTime end, const Row& row) const {
  if (end.ns() <= origin_) {
    return;
  }
  if (binned_) {
    bin_rows(end.ns(), row);
  } else {
    step_rows(end.ns(), row);
  }
}

void StepSeries::step_rows(std::int64_t end, const Row& row) const {
  std::vector<Change> changes = changes_;
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.at != b.at ? a.at < b.at : a.series < b.series;
  });
  std::vector<std::int64_t> level(count_, 0);
  std::vector<std::int64_t> shown(count_, 0);
  std::vector<Int128> sums(count_);
  std::int64_t from = origin_;
  const auto emit = [&](std::int64_t until) {
    for (std::size_t s = 0; s < count_; ++s) {
      sums[s] = static_cast<Int128>(shown[s]) * (until - from);
    }
    row(SimTime::at(nanoseconds(from)), nanoseconds(until - from), sums);
  };
  for (std::size_t i = 0; i < changes.size() && changes[i].at < end;) {
    const std::int64_t at = changes[i].at;
    for (; i < changes.size() && changes[i].at == at; ++i) {
      level[changes[i].series] += changes[i].delta;
    }
    if (level == shown) {
      continue;
    }
    if (at > from) {
      emit(at);
    }
    from = at;
    shown = level;
  }
  emit(end);
}

void StepSeries::bin_rows(std::int64_t end, const Row& row) const {
  std::vector<std::int64_t> level(count_, 0);  // at the start of the bin
  std::vector<Int128> sums(count_);
  for (std::size_t b = 0; b < kMostBins; ++b) {
    const std::int64_t from = origin_ + static_cast<std::int64_t>(b) * width_;
    if (from >= end) {
      break;
    }
    // The last bin may reach beyond the end; there the level is what it is after all changes.
    const std::int64_t beyond = std::max<std::int64_t>(0, from + width_ - end);
    for (std::size_t s = 0; s < count_; ++s) {
      const Cell& cell = cells_[b * count_ + s];
      level[s] += cell.level_change;
      const std::int64_t after = level[s] + cells_[(b + 1) * count_ + s].level_change;
      sums[s] = static_cast<Int128>(level[s]) * width_ + cell.integral -
                static_cast<Int128>(after) * beyond;
    }
    row(SimTime::at(nanoseconds(from)), nanoseconds(width_ - beyond), sums);
  }
}

}  // namespace weft::results
