#include "schedulers/availability_profile.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft::schedulers {
namespace {

SimTime at(std::int64_t ns) {
  return SimTime::at(nanoseconds(ns));
}

// One counter per nanosecond.
class BruteForce {
 public:
  BruteForce(std::int32_t capacity, std::int64_t horizon)
      : free_(static_cast<std::size_t>(horizon), capacity) {}
  void change(std::int64_t from, std::int64_t to, std::int32_t units) {
    for (std::int64_t t = from; t < to; ++t) {
      free_[static_cast<std::size_t>(t)] += units;
    }
  }
  [[nodiscard]] std::int32_t free(std::int64_t t) const {
    const auto i = static_cast<std::size_t>(t);
    return i < free_.size() ? free_[i] : free_.back();
  }
  [[nodiscard]] bool fits(std::int32_t units, std::int64_t from, std::int64_t to) const {
    for (std::int64_t t = from; t < std::max(to, from + 1); ++t) {
      if (free(t) < units) {
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] std::int64_t earliest(std::int32_t units,
                                      std::int64_t length,
                                      std::int64_t from,
                                      std::int64_t last) const {
    for (std::int64_t t = from; t <= last; ++t) {
      if (fits(units, t, t + length)) {
        return t;
      }
    }
    return -1;
  }

 private:
  std::vector<std::int32_t> free_;
};

struct Booked {
  std::int64_t from;
  std::int64_t to;
  std::int32_t units;
};

// Random reservations, as planned by earliest_fit, cut short, moved and forgotten.
void compare_with_brute_force(std::int64_t horizon, int operations, std::int64_t longest) {
  const auto capacity = *rc::gen::inRange<std::int32_t>(1, 12);
  AvailabilityProfile profile(capacity);
  BruteForce brute(capacity, horizon + 2 * longest + 2);
  std::vector<Booked> booked;
  std::int64_t now = 0;
  for (int i = 0; i < operations; ++i) {
    const auto units = *rc::gen::inRange<std::int32_t>(1, capacity + 1);
    const auto length = *rc::gen::inRange<std::int64_t>(0, longest);
    const auto from = *rc::gen::inRange<std::int64_t>(now, std::max(now + 1, horizon / 2));
    const std::int64_t expected = brute.earliest(units, length, from, horizon + longest);
    const SimTime found = profile.earliest_fit(units, nanoseconds(length), at(from));
    RC_ASSERT(expected >= 0);
    RC_ASSERT(found == at(expected));
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
      case 1:
        if (expected + length <= horizon) {
          profile.add(at(expected), at(expected + length), units);
          brute.change(expected, expected + length, -units);
          booked.push_back({expected, expected + length, units});
        }
        break;
      case 2:
        if (!booked.empty()) {  // ends early: its rest is given back
          const auto which = *rc::gen::inRange<std::size_t>(0, booked.size());
          Booked& b = booked[which];
          const std::int64_t cut = std::clamp(from, b.from, b.to);
          if (cut >= now) {
            profile.remove(at(cut), at(b.to), b.units);
            brute.change(cut, b.to, b.units);
            b.to = cut;
          }
        }
        break;
      case 3:
        if (!booked.empty()) {  // moves to an earlier time, if it can
          const auto which = *rc::gen::inRange<std::size_t>(0, booked.size());
          Booked& b = booked[which];
          if (b.from > now && b.to > b.from) {
            brute.change(b.from, b.to, b.units);
            const std::int64_t before = *rc::gen::inRange<std::int64_t>(now, b.from + 1);
            const std::int64_t to = brute.earliest(b.units, b.to - b.from, now, before - 1);
            const auto moved = profile.earlier_fit(
                b.units, nanoseconds(b.to - b.from), at(b.from), at(now), at(before));
            RC_ASSERT(moved.has_value() == (to >= 0));
            if (moved) {
              RC_ASSERT(*moved == at(to));
              profile.remove(at(b.from), at(b.to), b.units);
              b = {to, to + (b.to - b.from), b.units};
              profile.add(at(b.from), at(b.to), b.units);
            }
            brute.change(b.from, b.to, -b.units);
          }
        }
        break;
      default: {
        const std::int64_t step = *rc::gen::inRange<std::int64_t>(0, 3);
        now = std::min(now + step, horizon / 4);
        profile.advance(at(now));
        break;
      }
    }
    const auto a = *rc::gen::inRange<std::int64_t>(now, horizon);
    const auto b = *rc::gen::inRange<std::int64_t>(a + 1, horizon + 2);
    std::int32_t least = brute.free(a);
    std::int32_t most = brute.free(a);
    for (std::int64_t t = a; t < b; ++t) {
      least = std::min(least, brute.free(t));
      most = std::max(most, brute.free(t));
    }
    RC_ASSERT(profile.min_free(at(a), at(b)) == least);
    RC_ASSERT(profile.max_free(at(a), at(b)) == most);
    RC_ASSERT(profile.free_at(at(a)) == brute.free(a));
  }
}

RC_GTEST_PROP(AvailabilityProfile, EqualsBruteForceOnShortTimes, ()) {
  compare_with_brute_force(40, 60, 12);
}
// Enough steps for many blocks.
RC_GTEST_PROP(AvailabilityProfile, EqualsBruteForceAcrossBlocks, ()) {
  compare_with_brute_force(1200, 150, 9);
}

TEST(AvailabilityProfile, IntervalsAreHalfOpen) {
  AvailabilityProfile profile(4);
  profile.add(at(10), at(20), 4);
  EXPECT_EQ(profile.free_at(at(9)), 4);
  EXPECT_EQ(profile.free_at(at(10)), 0);
  EXPECT_EQ(profile.free_at(at(19)), 0);
  EXPECT_EQ(profile.free_at(at(20)), 4);
  // Exactly touching: ends when the other begins, begins when the other ends.
  EXPECT_EQ(profile.earliest_fit(1, nanoseconds(10), at(0)), at(0));
  EXPECT_EQ(profile.earliest_fit(1, nanoseconds(11), at(0)), at(20));
  EXPECT_EQ(profile.earliest_fit(1, nanoseconds(10), at(1)), at(20));
}

TEST(AvailabilityProfile, ZeroLengthAsksForTheInstantAndReservesNothing) {
  AvailabilityProfile profile(4);
  profile.add(at(10), at(20), 4);
  EXPECT_EQ(profile.earliest_fit(1, Duration{}, at(10)), at(20));
  EXPECT_EQ(profile.earliest_fit(1, Duration{}, at(9)), at(9));
  profile.add(at(5), at(5), 4);
  EXPECT_EQ(profile.free_at(at(5)), 4);
  EXPECT_EQ(profile.steps(), 3U);
}

TEST(AvailabilityProfile, MoreThanThePoolNeverFits) {
  const AvailabilityProfile profile(4);
  EXPECT_EQ(profile.earliest_fit(5, nanoseconds(1), at(0)), kNever);
}

TEST(AvailabilityProfile, WithoutEnd) {
  AvailabilityProfile profile(4);
  profile.add(at(0), kNever, 3);
  EXPECT_EQ(profile.earliest_fit(1, kUnlimited, at(7)), at(7));
  EXPECT_EQ(profile.earliest_fit(2, nanoseconds(1), at(7)), kNever);
}

TEST(AvailabilityProfile, EqualStepsAreJoined) {
  AvailabilityProfile profile(4);
  profile.add(at(10), at(20), 2);
  profile.add(at(20), at(30), 2);
  EXPECT_EQ(profile.steps(), 3U);
  profile.remove(at(10), at(30), 2);
  EXPECT_EQ(profile.steps(), 1U);
}

TEST(AvailabilityProfile, AMoveCountsItsOwnUnitsAsFree) {
  AvailabilityProfile profile(4);
  profile.add(at(10), at(20), 4);  // the one that moves
  profile.add(at(0), at(5), 4);
  EXPECT_EQ(profile.earlier_fit(4, nanoseconds(10), at(10), at(0), at(10)), at(5));
  EXPECT_EQ(profile.earlier_fit(4, nanoseconds(10), at(10), at(0), at(5)), std::nullopt);
}

}  // namespace
}  // namespace weft::schedulers
