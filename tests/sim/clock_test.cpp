// The two clocks give the same bytes, and SimGrid's refuses what it cannot do.
#include "sim/clock.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "tests/sim/support.hpp"

namespace weft::sim::testing {
namespace {

std::string record(Clock& clock, const std::string& kind, std::uint64_t seed) {
  const ClusterLayout layout = uniform_cluster(6, 8);
  Rng rng(seed, "jobs");
  WorkloadMaker jobs;
  std::int64_t submit = 0;
  for (int j = 0; j < 3000; ++j) {
    submit += static_cast<std::int64_t>(rng.below(40));
    const auto runtime = static_cast<std::int64_t>(1 + rng.below(900));
    const auto nodes = static_cast<std::int32_t>(1 + rng.below(3));
    const auto per_node = nodes == 1 ? static_cast<std::int64_t>(1 + rng.below(8)) : 8;
    jobs.nodes_job(
        submit, runtime, runtime + static_cast<std::int64_t>(rng.below(600)), nodes, per_node);
    // Odd nanoseconds late in the run, where SimGrid's double clock cannot tell neighbours apart.
    jobs.last().runtime += nanoseconds(static_cast<std::int64_t>(rng.below(3)));
  }
  schedulers::SchedulerConfig config;
  config.kind = kind;
  const auto policy = schedulers::make_scheduler(config);
  Recorder recorder;
  RunRequest request{&layout, &jobs.workload(), policy.get(), &clock};
  run_simulation(request, recorder);
  return recorder.text;
}

TEST(Clock, SimgridAndPlainGiveTheSameBytes) {
  const auto plain = make_plain_clock();
  const auto simgrid = make_simgrid_clock();
  EXPECT_EQ(record(*plain, "easy", 7), record(*simgrid, "easy", 7));
}

TEST(Clock, SimgridKeepsNanosecondsAfterAYear) {
  class Ticks final : public TimedWork {
   public:
    [[nodiscard]] SimTime next() const override {
      return seen.size() < 3
                 ? at_seconds(366 * 86400) + nanoseconds(static_cast<std::int64_t>(seen.size()))
                 : kNever;
    }
    void advance(SimTime now) override { seen.push_back(now); }
    std::vector<SimTime> seen;
  };
  Ticks ticks;
  make_simgrid_clock()->run(ticks);
  ASSERT_EQ(ticks.seen.size(), 3U);
  EXPECT_EQ(ticks.seen[2] - ticks.seen[0], nanoseconds(2));
}

TEST(Clock, SimgridRefusesASecondSimulationInOneProcess) {
  class Once final : public TimedWork {
   public:
    [[nodiscard]] SimTime next() const override { return done_ ? kNever : at_seconds(1); }
    void advance(SimTime /*now*/) override { done_ = true; }

   private:
    bool done_ = false;
  };
  Once once;
  make_simgrid_clock()->run(once);
  EXPECT_THROW(make_simgrid_clock(), std::logic_error);
}

TEST(Clock, AnExceptionOfTheWorkPassesThroughSimgrid) {
  class Failing final : public TimedWork {
   public:
    [[nodiscard]] SimTime next() const override { return at_seconds(1); }
    void advance(SimTime /*now*/) override { throw std::runtime_error("wanted"); }
  };
  Failing failing;
  const auto clock = make_simgrid_clock();
  EXPECT_THROW(clock->run(failing), std::runtime_error);
}

}  // namespace
}  // namespace weft::sim::testing
