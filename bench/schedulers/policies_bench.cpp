// Cost of the policies per job, state included, on made-up workloads: a pool at a load that keeps
// a queue, and nodes of 8 GPUs in two sizes (the cost must not follow the number of nodes).
#include <benchmark/benchmark.h>

#include "base/rng.hpp"
#include "schedulers/availability_profile.hpp"
#include "schedulers/registry.hpp"
#include "tests/schedulers/replay.hpp"

namespace weft::schedulers {
namespace {

using testing::Replay;
using testing::WorkloadBuilder;

// Offered load `load` on `units` GPUs: sizes 1 to 64, runtimes around an hour, limits 1 to 5 times.
Workload made_up(std::size_t count, double load, double units) {
  Rng rng(1, "bench.schedulers");
  WorkloadBuilder builder;
  constexpr double kMeanSize = 127.0 / 7.0;
  constexpr double kMeanRuntime = 3600;
  const double gap = kMeanSize * kMeanRuntime / (units * load);
  double submit = 0;
  for (std::size_t i = 0; i < count; ++i) {
    submit += rng.exponential(gap);
    const auto size = std::int64_t{1} << rng.below(7);
    const double runtime = 1 + rng.exponential(kMeanRuntime);
    const Duration run = nanoseconds(static_cast<std::int64_t>(runtime * 1e9));
    const Duration limit = run * static_cast<std::int64_t>(1 + rng.below(5)) + seconds(60);
    builder.job(WorkloadBuilder::any_gpus(size),
                SimTime::at(nanoseconds(static_cast<std::int64_t>(submit * 1e9))),
                run,
                limit);
  }
  return std::move(builder.workload);
}

void replay(benchmark::State& bench,
            const ClusterLayout& layout,
            const Workload& workload,
            const char* kind) {
  SchedulerConfig config;
  config.kind = kind;
  for (auto _ : bench) {
    const auto scheduler = make_scheduler(config);
    benchmark::DoNotOptimize(Replay(layout, workload, false).run(*scheduler));
  }
  bench.counters["jobs/s"] = benchmark::Counter(
      static_cast<double>(workload.jobs.size()) * static_cast<double>(bench.iterations()),
      benchmark::Counter::kIsRate);
}

void easy_on_a_pool(benchmark::State& bench) {
  const double load = static_cast<double>(bench.range(0)) / 100;
  replay(bench, flat_pool(256), made_up(100'000, load, 256), "easy");
}
BENCHMARK(easy_on_a_pool)->Arg(85)->Arg(106)->Unit(benchmark::kMillisecond);

void conservative_on_a_pool(benchmark::State& bench) {
  const double load = static_cast<double>(bench.range(0)) / 100;
  replay(bench, flat_pool(256), made_up(10'000, load, 256), "conservative");
}
BENCHMARK(conservative_on_a_pool)->Arg(85)->Arg(106)->Unit(benchmark::kMillisecond);

void easy_on_nodes(benchmark::State& bench) {
  const auto nodes = static_cast<std::uint32_t>(bench.range(0));
  replay(bench, testing::uniform_nodes(nodes, 8), made_up(50'000, 0.5, 1250 * 8), "easy");
}
BENCHMARK(easy_on_nodes)->Arg(1250)->Arg(12'500)->Unit(benchmark::kMillisecond);

void profile_search(benchmark::State& bench) {
  Rng rng(1, "bench.profile");
  AvailabilityProfile profile(100);
  for (std::int64_t i = 0; i < bench.range(0); ++i) {
    const auto units = static_cast<std::int32_t>(1 + rng.below(40));
    const Duration length = seconds(static_cast<std::int64_t>(60 + rng.below(36'000)));
    const SimTime start = profile.earliest_fit(units, length, SimTime{});
    profile.add(start, start + length, units);
  }
  for (auto _ : bench) {
    benchmark::DoNotOptimize(profile.earliest_fit(30, hours(8), SimTime{}));
  }
}
BENCHMARK(profile_search)->Arg(100)->Arg(1000)->Arg(10'000);

}  // namespace
}  // namespace weft::schedulers

BENCHMARK_MAIN();
