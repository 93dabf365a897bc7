// The solver against hand-computed shares, a brute-force progressive filling and the laws of
// max-min fairness.
#include "sim/max_min.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace weft::sim {
namespace {

using Use = MaxMinSolver::Use;

constexpr double kGb = 1e9 / 8;  // bytes a second

TEST(MaxMin, TwoFlowsShareALink) {
  MaxMinSolver solver;
  const auto link = solver.add_link(400 * kGb);
  const Use use[] = {{link, 1}};
  const auto a = solver.add_flow(use);
  const auto b = solver.add_flow(use);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(a), 200 * kGb);
  EXPECT_DOUBLE_EQ(solver.rate(b), 200 * kGb);
}

TEST(MaxMin, FourQueuePairsTakeFourShares) {
  // One 400G NIC: a collective with 4 queue pairs there and a storage flow with one.
  // share = 400 / (4 + 1) = 80: the collective gets 4 x 80 = 320, storage 80 Gb/s.
  MaxMinSolver solver;
  const auto nic = solver.add_link(400 * kGb);
  const Use use[] = {{nic, 1}};
  const auto collective = solver.add_flow(use, 1.0 / 4);
  const auto storage = solver.add_flow(use, 1);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(collective), 320 * kGb);
  EXPECT_DOUBLE_EQ(solver.rate(storage), 80 * kGb);
}

TEST(MaxMin, ACapLeavesTheRestToTheOthers) {
  MaxMinSolver solver;
  const auto link = solver.add_link(10);
  const Use use[] = {{link, 1}};
  const auto capped = solver.add_flow(use, 1, 2);
  const auto other = solver.add_flow(use);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(capped), 2);
  EXPECT_DOUBLE_EQ(solver.rate(other), 8);
}

TEST(MaxMin, ALinkCrossedTwiceCountsTwice) {
  MaxMinSolver solver;
  const auto link = solver.add_link(10);
  const Use twice[] = {{link, 2}};
  const auto flow = solver.add_flow(twice);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(flow), 5);
}

TEST(MaxMin, ADeadLinkStopsItsFlowsAndNoOther) {
  MaxMinSolver solver;
  const auto dead = solver.add_link(0);
  const auto live = solver.add_link(10);
  const Use both[] = {{dead, 1}, {live, 1}};
  const Use one[] = {{live, 1}};
  const auto stopped = solver.add_flow(both);
  const auto runs = solver.add_flow(one);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(stopped), 0);
  EXPECT_DOUBLE_EQ(solver.rate(runs), 10);
  solver.set_capacity(dead, 4);
  solver.solve();
  EXPECT_DOUBLE_EQ(solver.rate(stopped), 4);
  EXPECT_DOUBLE_EQ(solver.rate(runs), 6);
}

TEST(MaxMin, OnlyTheChangedComponentIsTouched) {
  MaxMinSolver solver;
  const auto left = solver.add_link(10);
  const auto right = solver.add_link(10);
  const Use on_left[] = {{left, 1}};
  const Use on_right[] = {{right, 1}};
  solver.add_flow(on_left);
  solver.add_flow(on_left);
  const auto lonely = solver.add_flow(on_right);
  solver.solve();
  solver.remove_flow(lonely);
  solver.solve();
  EXPECT_EQ(solver.flows_touched(), 0U);
  solver.add_flow(on_right);
  EXPECT_EQ(solver.solve().size(), 1U);
  EXPECT_EQ(solver.flows_touched(), 1U);
}

// ---- random cases ----

struct Case {
  std::vector<double> capacity;
  struct Flow {
    std::vector<Use> uses;
    double fairness = 1;
    double cap = MaxMinSolver::kNoCap;
  };
  std::vector<Flow> flows;
};

Case random_case(Rng& rng) {
  Case c;
  const std::size_t links = 1 + rng.below(8);
  for (std::size_t l = 0; l < links; ++l) {
    c.capacity.push_back(rng.chance(0.05) ? 0 : 1 + 99 * rng.uniform());
  }
  const std::size_t flows = 1 + rng.below(12);
  for (std::size_t f = 0; f < flows; ++f) {
    Case::Flow flow;
    for (std::size_t l = 0; l < links; ++l) {
      if (rng.chance(0.4)) {
        flow.uses.push_back(
            Use{static_cast<std::uint32_t>(l), rng.chance(0.5) ? 1 : 0.01 + 5 * rng.uniform()});
      }
    }
    flow.fairness = rng.chance(0.5) ? 1 : 0.05 + rng.uniform();
    if (flow.uses.empty() || rng.chance(0.3)) {
      flow.cap = 50 * rng.uniform();
    }
    c.flows.push_back(flow);
  }
  return c;
}

// Progressive filling, as written in the textbook: raise the common share to the next event.
std::vector<double> brute_force(const Case& c) {
  std::vector<long double> rate(c.flows.size(), 0);
  std::vector<bool> standing(c.flows.size(), false);
  for (;;) {
    long double lowest = -1;
    for (std::size_t l = 0; l < c.capacity.size(); ++l) {
      long double room = c.capacity[l];
      long double demand = 0;
      for (std::size_t f = 0; f < c.flows.size(); ++f) {
        for (const Use& use : c.flows[f].uses) {
          if (use.link == l) {
            (standing[f] ? room : demand) +=
                standing[f] ? -rate[f] * use.load : use.load / c.flows[f].fairness;
          }
        }
      }
      if (demand > 0) {
        const long double level = std::max<long double>(room, 0) / demand;
        lowest = lowest < 0 ? level : std::min(lowest, level);
      }
    }
    for (std::size_t f = 0; f < c.flows.size(); ++f) {
      if (!standing[f] && std::isfinite(c.flows[f].cap)) {
        const long double level = static_cast<long double>(c.flows[f].cap) * c.flows[f].fairness;
        lowest = lowest < 0 ? level : std::min(lowest, level);
      }
    }
    if (lowest < 0) {
      break;
    }
    // Whoever is at a full link or at its cap at this level stands still.
    std::vector<bool> now_standing = standing;
    for (std::size_t l = 0; l < c.capacity.size(); ++l) {
      long double load = 0;
      bool open = false;
      for (std::size_t f = 0; f < c.flows.size(); ++f) {
        for (const Use& use : c.flows[f].uses) {
          if (use.link == l) {
            load += use.load * (standing[f] ? rate[f] : lowest / c.flows[f].fairness);
            open = open || !standing[f];
          }
        }
      }
      if (open && load >= c.capacity[l] * (1 - 1e-15L)) {
        for (std::size_t f = 0; f < c.flows.size(); ++f) {
          for (const Use& use : c.flows[f].uses) {
            if (use.link == l && !standing[f]) {
              now_standing[f] = true;
              rate[f] = lowest / c.flows[f].fairness;
            }
          }
        }
      }
    }
    for (std::size_t f = 0; f < c.flows.size(); ++f) {
      if (!now_standing[f] && std::isfinite(c.flows[f].cap) &&
          lowest >= static_cast<long double>(c.flows[f].cap) * c.flows[f].fairness) {
        now_standing[f] = true;
        rate[f] = c.flows[f].cap;
      }
    }
    standing = now_standing;
    if (std::all_of(standing.begin(), standing.end(), [](bool s) { return s; })) {
      break;
    }
  }
  return {rate.begin(), rate.end()};
}

std::vector<double> solve(const Case& c) {
  MaxMinSolver solver;
  for (const double capacity : c.capacity) {
    solver.add_link(capacity);
  }
  std::vector<MaxMinSolver::Flow> ids;
  for (const Case::Flow& flow : c.flows) {
    ids.push_back(solver.add_flow(flow.uses, flow.fairness, flow.cap));
  }
  solver.solve();
  std::vector<double> rates;
  for (const auto id : ids) {
    rates.push_back(solver.rate(id));
  }
  return rates;
}

TEST(MaxMin, EqualsBruteForceProgressiveFilling) {
  Rng rng(20, "max-min cases");
  for (int round = 0; round < 5000; ++round) {
    const Case c = random_case(rng);
    const std::vector<double> want = brute_force(c);
    const std::vector<double> got = solve(c);
    for (std::size_t f = 0; f < want.size(); ++f) {
      ASSERT_NEAR(got[f], want[f], 1e-12 * std::max(1.0, want[f]))
          << "case " << round << " flow " << f << ": expected " << want[f] << " got " << got[f];
    }
  }
}

TEST(MaxMin, NoLinkCarriesMoreThanItsCapacity) {
  Rng rng(21, "max-min cases");
  for (int round = 0; round < 2000; ++round) {
    const Case c = random_case(rng);
    const std::vector<double> rates = solve(c);
    for (std::size_t l = 0; l < c.capacity.size(); ++l) {
      double load = 0;
      for (std::size_t f = 0; f < rates.size(); ++f) {
        for (const Use& use : c.flows[f].uses) {
          load += use.link == l ? rates[f] * use.load : 0;
        }
      }
      ASSERT_LE(load, c.capacity[l] * (1 + 1e-12) + 1e-12);
    }
  }
}

TEST(MaxMin, AddingAFlowNeverRaisesTheSmallestShare) {
  Rng rng(22, "max-min cases");
  for (int round = 0; round < 3000; ++round) {
    Case c = random_case(rng);
    const auto smallest = [](const Case& some, std::size_t flows) {
      const std::vector<double> rates = solve(some);
      double least = MaxMinSolver::kNoCap;
      for (std::size_t f = 0; f < flows; ++f) {
        least = std::min(least, rates[f] * some.flows[f].fairness);
      }
      return least;
    };
    const std::size_t before_count = c.flows.size();
    const double before = smallest(c, before_count);
    c.flows.push_back(random_case(rng).flows.front());
    std::erase_if(c.flows.back().uses,
                  [&](const Use& use) { return use.link >= c.capacity.size(); });
    if (c.flows.back().uses.empty() && !std::isfinite(c.flows.back().cap)) {
      continue;
    }
    ASSERT_LE(smallest(c, before_count), before * (1 + 1e-12));
  }
}

TEST(MaxMin, ChangesOneByOneGiveWhatSolvingAtOnceGives) {
  Rng rng(23, "max-min cases");
  for (int round = 0; round < 300; ++round) {
    Case c = random_case(rng);
    MaxMinSolver solver;
    for (const double capacity : c.capacity) {
      solver.add_link(capacity);
    }
    std::vector<std::pair<MaxMinSolver::Flow, Case::Flow>> live;
    for (int step = 0; step < 40; ++step) {
      if (!live.empty() && rng.chance(0.45)) {
        const std::size_t victim = rng.below(live.size());
        solver.remove_flow(live[victim].first);
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
      } else {
        Case::Flow flow = c.flows[rng.below(c.flows.size())];
        live.emplace_back(solver.add_flow(flow.uses, flow.fairness, flow.cap), flow);
      }
      if (rng.chance(0.2)) {
        const auto link = static_cast<MaxMinSolver::Link>(rng.below(c.capacity.size()));
        c.capacity[link] = 100 * rng.uniform();
        solver.set_capacity(link, c.capacity[link]);
      }
      solver.solve();
      Case now;
      now.capacity = c.capacity;
      for (const auto& [id, flow] : live) {
        now.flows.push_back(flow);
      }
      const std::vector<double> want = brute_force(now);
      for (std::size_t f = 0; f < live.size(); ++f) {
        ASSERT_NEAR(solver.rate(live[f].first), want[f], 1e-11 * std::max(1.0, want[f]));
      }
    }
  }
}

}  // namespace
}  // namespace weft::sim
