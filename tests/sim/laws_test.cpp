// Laws that hold for any workload under any policy, on random clusters and jobs; and the idle split
// against an oracle that walks all waiting jobs one by one, as docs/ledger.md words the rule.
#include <algorithm>
#include <atomic>
#include <map>

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "schedulers/placement.hpp"
#include "tests/sim/scripted_policy.hpp"
#include "tests/sim/support.hpp"

namespace weft::sim::testing {
namespace {

using schedulers::ClusterView;
using schedulers::Event;
using schedulers::Hold;

constexpr const char* kPolicies[] = {"fcfs", "easy", "conservative"};

// 2-7 nodes of 1-8 GPUs, up to two models, sometimes two overlapping partitions.
ClusterLayout random_cluster(Rng& rng) {
  ClusterLayout layout;
  layout.gpu_models = {"H100-SXM", "A100-SXM"};
  const auto nodes = static_cast<std::uint32_t>(2 + rng.below(6));
  const bool one_model = rng.chance(0.4);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    NodeInfo node;
    node.gpu_count = static_cast<std::uint32_t>(1 + rng.below(8));
    node.gpu_model = GpuModelId{static_cast<std::uint16_t>(one_model ? 0 : rng.below(2))};
    layout.nodes.push_back(node);
    layout.node_names.push_back("n" + std::to_string(n));
  }
  if (rng.chance(0.5)) {
    layout.partitions.push_back(PartitionInfo{"low", {}});
    layout.partitions.push_back(PartitionInfo{"high", {}});
    for (std::uint32_t n = 0; n < nodes; ++n) {
      const std::uint64_t where = rng.below(3);
      if (where != 1) {
        layout.partitions[0].nodes.push_back(NodeId{n});
      }
      if (where != 0) {
        layout.partitions[1].nodes.push_back(NodeId{n});
      }
    }
  }
  finish_layout(layout);
  return layout;
}

WorkloadMaker random_jobs(Rng& rng, const ClusterLayout& layout, int count) {
  WorkloadMaker jobs;
  std::int64_t submit = static_cast<std::int64_t>(rng.below(100));
  for (int j = 0; j < count; ++j) {
    submit += static_cast<std::int64_t>(rng.below(30));
    const auto runtime = static_cast<std::int64_t>(rng.below(200));
    const auto limit =
        1 + runtime + static_cast<std::int64_t>(rng.chance(0.3) ? 0 : rng.below(200));
    const bool ruled = rng.chance(0.3);
    const std::uint64_t models = ruled ? 1 + rng.below(3) : ~std::uint64_t{0};
    const PartitionId partition = layout.partitions.size() > 1 && rng.chance(0.4)
                                      ? PartitionId{static_cast<std::uint16_t>(rng.below(2))}
                                      : kNoPartition;
    if (rng.chance(0.3)) {
      jobs.job(submit, runtime, limit, static_cast<std::int64_t>(1 + rng.below(12)));
    } else {
      jobs.nodes_job(submit,
                     runtime,
                     limit,
                     static_cast<std::int32_t>(1 + rng.below(3)),
                     static_cast<std::int64_t>(rng.below(6)),
                     models,
                     partition);
    }
    if (rng.chance(0.1)) {
      jobs.last().eligible = at_seconds(submit + static_cast<std::int64_t>(rng.below(300)));
    }
    if (rng.chance(0.05)) {
      jobs.last().limit = kUnlimited;
    }
  }
  return jobs;
}

std::unique_ptr<schedulers::Scheduler> policy_named(const std::string& kind) {
  schedulers::SchedulerConfig config;
  config.kind = kind;
  return schedulers::make_scheduler(config);
}

TEST(Laws, EveryGpuIsInExactlyOneAccountAtEveryInstant) {
  Rng rng(31, "clusters and jobs");
  for (int round = 0; round < 120; ++round) {
    const ClusterLayout layout = random_cluster(rng);
    const WorkloadMaker jobs = random_jobs(rng, layout, 80);
    for (const char* kind : kPolicies) {
      const auto policy = policy_named(kind);
      Recorder recorder;
      const RunOutcome outcome = run(layout, jobs.workload(), *policy, recorder);
      const GpuTime installed = gpus(layout.gpu_count) * (outcome.horizon - outcome.begin);
      ASSERT_EQ(recorder.busy.raw() + recorder.idle_total().raw(), installed.raw())
          << kind << " round " << round;
    }
  }
}

TEST(Laws, RenamingJobsChangesNothing) {
  Rng rng(32, "clusters and jobs");
  for (int round = 0; round < 40; ++round) {
    const ClusterLayout layout = random_cluster(rng);
    const WorkloadMaker jobs = random_jobs(rng, layout, 60);
    Workload renamed = jobs.workload();
    for (std::size_t j = 0; j < renamed.jobs.size(); ++j) {
      renamed.jobs[j].name =
          renamed.symbols.intern("renamed-" + std::to_string(renamed.jobs.size() - j));
    }
    for (const char* kind : kPolicies) {
      Recorder before;
      Recorder after;
      const auto policy = policy_named(kind);
      const auto again = policy_named(kind);
      run(layout, jobs.workload(), *policy, before);
      run(layout, renamed, *again, after);
      ASSERT_EQ(before.text, after.text) << kind << " round " << round;
    }
  }
}

TEST(Laws, ShiftingTheTraceShiftsTheSchedule) {
  Rng rng(33, "clusters and jobs");
  constexpr std::int64_t kShift = 1'000'000;
  for (int round = 0; round < 40; ++round) {
    const ClusterLayout layout = random_cluster(rng);
    const WorkloadMaker jobs = random_jobs(rng, layout, 60);
    Workload shifted = jobs.workload();
    for (Job& job : shifted.jobs) {
      job.submit = job.submit + seconds(kShift);
      job.eligible = job.eligible + seconds(kShift);
    }
    for (const char* kind : kPolicies) {
      Recorder before;
      Recorder after;
      const auto policy = policy_named(kind);
      const auto again = policy_named(kind);
      run(layout, jobs.workload(), *policy, before);
      run(layout, shifted, *again, after);
      ASSERT_EQ(before.started.size(), after.started.size());
      for (std::size_t j = 0; j < before.started.size(); ++j) {
        if (before.started[j] < kNever) {
          ASSERT_EQ(before.started[j] + seconds(kShift), after.started[j]);
        }
      }
      ASSERT_EQ(before.busy, after.busy);
      ASSERT_EQ(before.idle_total(), after.idle_total());
    }
  }
}

TEST(Laws, AskingWhyAJobWaitsChangesNothing) {
  Rng rng(34, "clusters and jobs");
  for (int round = 0; round < 40; ++round) {
    const ClusterLayout layout = random_cluster(rng);
    const WorkloadMaker jobs = random_jobs(rng, layout, 60);
    for (const char* kind : kPolicies) {
      Recorder silent;
      Recorder asked;
      const auto policy = policy_named(kind);
      const auto inner = policy_named(kind);
      ScriptedPolicy curious([&](auto events, const auto& view, auto& sink) {
        inner->decide(events, view, sink);
        for (const Event& event : events) {
          if (event.kind == Event::Kind::kJobSubmitted) {
            static_cast<void>(inner->why_waiting(event.job, view));
            static_cast<void>(inner->why_waiting(event.job, view));
          }
        }
      });
      run(layout, jobs.workload(), *policy, silent);
      run(layout, jobs.workload(), curious, asked);
      ASSERT_EQ(silent.started, asked.started) << kind << " round " << round;
    }
  }
}

TEST(Laws, AnInterruptedRunIsTheRunWithThatHorizon) {
  Rng rng(36, "clusters and jobs");
  for (int round = 0; round < 60; ++round) {
    const ClusterLayout layout = random_cluster(rng);
    const WorkloadMaker jobs = random_jobs(rng, layout, 60);
    const std::uint64_t stop_after = rng.below(90);
    for (const char* kind : kPolicies) {
      std::atomic<bool> stop{false};
      const auto inner = policy_named(kind);
      std::uint64_t decisions = 0;
      ScriptedPolicy stopping([&](auto events, const auto& view, auto& sink) {
        inner->decide(events, view, sink);
        stop = ++decisions > stop_after;
      });
      Recorder interrupted;
      const auto clock = make_plain_clock();
      RunRequest request{&layout, &jobs.workload(), &stopping, clock.get()};
      request.stop = &stop;
      const RunOutcome outcome = run_simulation(request, interrupted);
      if (outcome.end != RunOutcome::End::kInterrupted) {
        continue;  // it was over before
      }
      Recorder cut;
      const auto again = policy_named(kind);
      RunRequest same{&layout, &jobs.workload(), again.get(), clock.get()};
      same.horizon = outcome.horizon - outcome.begin;
      ASSERT_EQ(run_simulation(same, cut).end, RunOutcome::End::kHorizon);
      ASSERT_EQ(interrupted.text, cut.text) << kind << " round " << round;
      ASSERT_EQ(interrupted.pending, cut.pending);
    }
  }
}

// ---- the idle split against the rule as it is worded ----

using Split = std::map<std::tuple<int, std::size_t, std::size_t>, std::int64_t>;

// A job's verdict and claims, one job after the other.
class Oracle {
 public:
  Split split(const ClusterView& view,
              const std::vector<JobId>& waiting,
              const schedulers::Scheduler& policy) {
    const ClusterLayout& layout = view.state.layout();
    free_.clear();
    for (std::uint32_t c = 0; c < layout.cells.size(); ++c) {
      free_.push_back(view.state.free_in_cell(c).raw());
    }
    const std::vector<std::int64_t> all_free = free_;
    split_.clear();
    for (const IdleAccount account : {IdleAccount::kPolicy,
                                      IdleAccount::kReserved,
                                      IdleAccount::kFragmented,
                                      IdleAccount::kDraining,
                                      IdleAccount::kSchedulerLatency}) {
      for (const JobId job : waiting) {
        const RequestShape& shape = view.workload.shape_of(job);
        if (verdict(view, shape, all_free, policy.hold(job)) == account) {
          claim(layout, shape, account);
        }
      }
    }
    for (std::size_t c = 0; c < free_.size(); ++c) {
      const Cell& cell = layout.cells[c];
      book(IdleAccount::kNoDemand,
           cell,
           cell.partitions.empty() ? kNoPartition : cell.partitions.front(),
           free_[c]);
    }
    return split_;
  }

 private:
  static bool allowed(const Cell& cell, const RequestShape& shape) {
    return (shape.gpu_models >> index(cell.gpu_model) & 1U) != 0 &&
           (shape.partition == kNoPartition ||
            std::count(cell.partitions.begin(), cell.partitions.end(), shape.partition) > 0);
  }

  static IdleAccount verdict(const ClusterView& view,
                             const RequestShape& shape,
                             const std::vector<std::int64_t>& all_free,
                             Hold hold) {
    using schedulers::fits_now;
    if (fits_now(view.state, shape)) {
      return hold == Hold::kPlan ? IdleAccount::kReserved : IdleAccount::kSchedulerLatency;
    }
    if (fits_now(view.state, shape, schedulers::Rules::kIgnore)) {
      return IdleAccount::kPolicy;
    }
    std::int64_t may_use = 0;
    for (std::size_t c = 0; c < all_free.size(); ++c) {
      may_use += allowed(view.state.layout().cells[c], shape) ? all_free[c] : 0;
    }
    return may_use >= total_gpus(shape).raw() ? IdleAccount::kFragmented : IdleAccount::kDraining;
  }

  void claim(const ClusterLayout& layout, const RequestShape& shape, IdleAccount account) {
    std::int64_t wanted = total_gpus(shape).raw();
    for (const bool want_allowed : {false, true}) {
      for (std::size_t c = 0; c < free_.size(); ++c) {
        const Cell& cell = layout.cells[c];
        if (allowed(cell, shape) != want_allowed ||
            (!want_allowed && account != IdleAccount::kPolicy)) {
          continue;
        }
        const std::int64_t share = std::min(wanted, free_[c]);
        free_[c] -= share;
        wanted -= share;
        book(account,
             cell,
             shape.partition != kNoPartition ? shape.partition
             : cell.partitions.empty()       ? kNoPartition
                                             : cell.partitions.front(),
             share);
      }
    }
  }

  void book(IdleAccount account, const Cell& cell, PartitionId partition, std::int64_t share) {
    if (share > 0) {
      split_[{static_cast<int>(account), index(cell.gpu_model), index(partition)}] += share;
    }
  }

  std::vector<std::int64_t> free_;
  Split split_;
};

TEST(Laws, TheIdleSplitIsTheRuleJobByJob) {
  Rng rng(35, "clusters and jobs");
  std::size_t compared = 0;
  for (int round = 0; round < 150; ++round) {
    const ClusterLayout layout = random_cluster(rng);
    const WorkloadMaker jobs = random_jobs(rng, layout, 60);
    for (const char* kind : kPolicies) {
      const auto inner = policy_named(kind);
      Recorder recorder;
      std::vector<JobId> waiting;
      Oracle oracle;
      std::optional<Split> expected;
      SimTime expected_at;
      const auto compare = [&](SimTime now) {
        if (!expected || now == expected_at) {
          return;  // another round of the same instant
        }
        Split got;
        for (const IdleShare& share : recorder.idle_split) {
          got[{static_cast<int>(share.account), index(share.gpu_model), index(share.partition)}] +=
              share.gpus.raw();
        }
        ASSERT_EQ(got, *expected) << kind << " round " << round << " at " << expected_at.ns();
        ++compared;
      };
      // A sink that knows who still waits.
      class Sink final : public schedulers::DecisionSink {
       public:
        Sink(schedulers::DecisionSink& to, std::vector<JobId>& waiting_jobs)
            : to_(to), waiting_(waiting_jobs) {}
        void start(JobId job, const Allocation& where, StartReason why) override {
          std::erase(waiting_, job);
          to_.start(job, where, why);
        }
        void reject(JobId job, std::string_view why) override {
          std::erase(waiting_, job);
          to_.reject(job, why);
        }
        void wake_at(SimTime when) override { to_.wake_at(when); }

       private:
        schedulers::DecisionSink& to_;
        std::vector<JobId>& waiting_;
      };
      class Probe final : public schedulers::Scheduler {
       public:
        using Decide = ScriptedPolicy::Decide;
        Probe(schedulers::Scheduler& inner_policy, Decide decide)
            : inner_(inner_policy), decide_(std::move(decide)) {}
        [[nodiscard]] std::string_view name() const override { return "probe"; }
        void decide(std::span<const Event> events,
                    const ClusterView& view,
                    schedulers::DecisionSink& sink) override {
          decide_(events, view, sink);
        }
        [[nodiscard]] Hold hold(JobId job) const override { return inner_.hold(job); }
        [[nodiscard]] std::string why_waiting(JobId job, const ClusterView& view) const override {
          return inner_.why_waiting(job, view);
        }

       private:
        schedulers::Scheduler& inner_;
        Decide decide_;
      };
      Probe probe(*inner, [&](auto events, const auto& view, auto& sink) {
        compare(view.now);
        for (const Event& event : events) {
          if (event.kind == Event::Kind::kJobSubmitted) {
            waiting.push_back(event.job);
          }
        }
        Sink counting(sink, waiting);
        inner->decide(events, view, counting);
        expected = oracle.split(view, waiting, *inner);
        expected_at = view.now;
      });
      run(layout, jobs.workload(), probe, recorder);
      if (HasFatalFailure()) {
        return;
      }
    }
  }
  EXPECT_GT(compared, 10'000U);
}

}  // namespace
}  // namespace weft::sim::testing
