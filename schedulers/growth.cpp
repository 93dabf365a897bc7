#include "schedulers/growth.hpp"

#include <algorithm>

namespace weft::schedulers {

void Growth::begin(SimTime now) {
  now_ = now;
  moved_now_.clear();
  passed_ = 0;
  rebuild();
}

void Growth::rebuild() {
  intervals_.clear();
  for (const Interval& interval : ended_) {
    insert(interval);
  }
  for (std::size_t i = passed_; i < moved_before_.size(); ++i) {
    insert(moved_before_[i].left);
  }
  for (const Move& move : moved_now_) {
    insert(move.left);
  }
  passed_built_ = passed_;
}

void Growth::reach(std::uint64_t place) {
  while (passed_ < moved_before_.size() && moved_before_[passed_].place <= place) {
    ++passed_;
  }
  // Keeping too much is right but slow; rebuilding each time is too.
  constexpr std::size_t kWorthIt = 8;
  const std::size_t stale = passed_ - passed_built_;
  if (stale > 0 && (stale >= kWorthIt || passed_ == moved_before_.size())) {
    rebuild();
  }
}

void Growth::moved(std::uint64_t place, const Interval& left) {
  moved_now_.push_back(Move{place, left});
  insert(left);
}

void Growth::finish() {
  ended_.clear();
  moved_before_.swap(moved_now_);
}

// Keeps intervals_ disjoint: overlapping and touching ones become one.
void Growth::insert(Interval interval) {
  interval.from = std::max(interval.from, now_);
  if (interval.from >= interval.to) {
    return;
  }
  auto first = std::lower_bound(
      intervals_.begin(), intervals_.end(), interval, [](const Interval& a, const Interval& b) {
        return a.to < b.from;
      });
  auto last = first;
  for (; last != intervals_.end() && last->from <= interval.to; ++last) {
    interval.from = std::min(interval.from, last->from);
    interval.to = std::max(interval.to, last->to);
    interval.most = std::max(interval.most, last->most);
  }
  if (first == last) {
    intervals_.insert(first, interval);
  } else {
    *first = interval;
    intervals_.erase(first + 1, last);
  }
  if (intervals_.size() > kMostIntervals) {
    join_nearest();
  }
}

void Growth::join_nearest() {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i + 1 < intervals_.size(); ++i) {
    if (intervals_[i + 1].from - intervals_[i].to <
        intervals_[nearest + 1].from - intervals_[nearest].to) {
      nearest = i;
    }
  }
  intervals_[nearest].to = intervals_[nearest + 1].to;
  intervals_[nearest].most = std::max(intervals_[nearest].most, intervals_[nearest + 1].most);
  intervals_.erase(intervals_.begin() + static_cast<std::ptrdiff_t>(nearest) + 1);
}

}  // namespace weft::schedulers
