// The small containers beside their plain counterparts.
#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedulers/growth.hpp"
#include "schedulers/index_set.hpp"
#include "schedulers/min_tree.hpp"
#include "schedulers/release_list.hpp"

namespace weft::schedulers {
namespace {

RC_GTEST_PROP(IndexSet, EqualsStdSet, ()) {
  const auto size = *rc::gen::element<std::uint32_t>(1, 63, 64, 65, 4096, 4097, 20'000);
  IndexSet set;
  set.resize(size);
  std::set<std::uint32_t> plain;
  for (int i = 0; i < 60; ++i) {
    const auto a = *rc::gen::inRange<std::uint32_t>(0, size);
    const auto n = std::min<std::uint32_t>(*rc::gen::inRange<std::uint32_t>(1, 200), size - a);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        set.insert(a);
        plain.insert(a);
        break;
      case 1:
        set.erase(a);
        plain.erase(a);
        break;
      case 2:
        set.insert_range(a, n);
        for (std::uint32_t j = a; j < a + n; ++j) {
          plain.insert(j);
        }
        break;
      default:
        set.erase_range(a, n);
        for (std::uint32_t j = a; j < a + n; ++j) {
          plain.erase(j);
        }
        break;
    }
    const auto from = *rc::gen::inRange<std::uint32_t>(0, size + 2);
    const auto it = plain.lower_bound(from);
    RC_ASSERT(set.next(from) == (it == plain.end() ? IndexSet::kNone : *it));
    RC_ASSERT(set.count() == plain.size());
    RC_ASSERT(set.contains(a) == plain.contains(a));
    std::uint32_t run = 0;
    while (run < n && plain.contains(a + run)) {
      ++run;
    }
    RC_ASSERT(set.run_length(a, n) == run);
    RC_ASSERT(set.count_range(a, n) == static_cast<std::uint32_t>(std::distance(
                                           plain.lower_bound(a), plain.lower_bound(a + n))));
  }
}

RC_GTEST_PROP(MinTree, FindsTheFirstThatIsSmallEnough, ()) {
  MinTree tree;
  std::vector<std::int64_t> plain;
  const auto rounds = *rc::gen::inRange(1, 3);
  for (int round = 0; round < rounds; ++round) {
    tree.clear();
    plain.clear();
    const auto count = *rc::gen::element(1, 15, 16, 17, 256, 257, 700, 5000);
    for (int i = 0; i < count; ++i) {
      const auto value = static_cast<std::int64_t>((i * 7919) % 1000);
      tree.append(value);
      plain.push_back(value);
    }
    for (int i = 0; i < 40; ++i) {
      const auto gone = *rc::gen::inRange<std::uint32_t>(0, tree.size());
      tree.remove(gone);
      plain[gone] = MinTree::kHole;
      const auto from = *rc::gen::inRange<std::uint32_t>(0, tree.size() + 1);
      const auto bound = *rc::gen::element<std::int64_t>(-1, 0, 3, 50, 999, MinTree::kAny);
      std::uint32_t expected = from;
      while (expected < plain.size() && plain[expected] > bound) {
        ++expected;
      }
      RC_ASSERT(tree.first_at_most(from, bound) ==
                (expected < plain.size() ? expected : MinTree::kNone));
      RC_ASSERT(tree.minimum() == *std::min_element(plain.begin(), plain.end()));
    }
  }
}

RC_GTEST_PROP(ReleaseList, FindsWhenEnoughIsGivenBack, ()) {
  struct Plain {
    std::int64_t end;
    std::uint32_t job;
    std::int64_t units;
  };
  ReleaseList list;
  std::vector<Plain> plain;
  const auto count = *rc::gen::element(1, 10, 300, 1500);
  std::uint32_t next = 0;
  for (int i = 0; i < count; ++i) {
    const Plain p{(i * 7919) % 97, next++, 1 + (i * 31) % 5};
    list.insert(SimTime::at(nanoseconds(p.end)), JobId{p.job}, p.units);
    plain.push_back(p);
    if (i % 3 == 2) {
      const std::size_t gone = static_cast<std::size_t>(i * 104'729) % plain.size();
      list.erase(SimTime::at(nanoseconds(plain[gone].end)), JobId{plain[gone].job});
      plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(gone));
    }
  }
  std::int64_t total = 0;
  for (const Plain& p : plain) {
    total += p.units;
  }
  const auto now = *rc::gen::inRange<std::int64_t>(0, 100);
  const auto needed = *rc::gen::inRange<std::int64_t>(1, total + 2);
  // At each time in turn: what is given back by then.
  std::int64_t when = -1;
  std::int64_t units = 0;
  for (std::int64_t t = now; t < 200 && when < 0; ++t) {
    units = 0;
    for (const Plain& p : plain) {
      units += std::max(p.end, now) <= t ? p.units : 0;
    }
    when = units >= needed ? t : -1;
  }
  const ReleaseList::Answer answer = list.earliest(needed, SimTime::at(nanoseconds(now)));
  RC_ASSERT(answer.found == (when >= 0));
  if (answer.found) {
    RC_ASSERT(answer.when.ns() == when);
    RC_ASSERT(answer.units == units);
  }
}

TEST(Growth, AMoveCountsForTheJobsBehindAndNextTimeForThoseAhead) {
  const auto interval = [](std::int64_t from, std::int64_t to) {
    return Growth::Interval{at_seconds(from), at_seconds(to), 1};
  };
  Growth growth;
  EXPECT_TRUE(growth.empty());
  growth.ended(interval(0, 10));
  growth.begin(at_seconds(0));
  growth.reach(5);
  ASSERT_EQ(growth.intervals().size(), 1U);
  growth.moved(5, interval(50, 60));
  growth.reach(6);
  EXPECT_EQ(growth.intervals().size(), 2U);
  growth.finish();
  EXPECT_FALSE(growth.empty());  // jobs ahead of place 5 have not seen its move

  growth.begin(at_seconds(1));
  growth.reach(4);
  ASSERT_EQ(growth.intervals().size(), 1U);
  EXPECT_EQ(growth.intervals()[0].from, at_seconds(50));
  growth.reach(5);
  EXPECT_TRUE(growth.intervals().empty());
  growth.finish();
  EXPECT_TRUE(growth.empty());
}

}  // namespace
}  // namespace weft::schedulers
