// Random observer streams: random clusters (models, overlapping partitions, nodes without GPUs),
// jobs of every kind and end, idle splits at random; what the files say against a bookkeeping that
// walks every GPU over every interval.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/quantity.hpp"
#include "results/decimal.hpp"
#include "tests/results/test_world.hpp"

namespace weft::results {
namespace {

using test::CsvRow;

class RandomRun {
 public:
  RandomRun(std::uint64_t seed, std::size_t job_count) : random_(seed) {
    make_cluster();
    make_jobs(job_count);
    holder_.assign(layout.gpu_count, kFree);
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  // account, model, partition -> time, as ledger.csv names them
  using Books = std::map<std::vector<std::string>, Int128>;

  void play(RunWriter& writer);

  ClusterLayout layout;
  test::JobList jobs;
  Books books;
  SimTime horizon;

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  struct Running {
    SimTime since;
    SimTime until;
    Allocation where;
    sim::JobState state{};
    // account, model, partition of each GPU it holds
    std::map<std::vector<std::string>, GpuShare> held;
  };

  void make_cluster() {
    layout.name = "random";
    layout.gpu_models = {"A", "B"};
    const std::size_t nodes = below(6) + 1;
    for (std::size_t n = 0; n < nodes; ++n) {
      NodeInfo node;
      node.gpu_count = static_cast<std::uint32_t>(below(5));
      node.gpu_model = GpuModelId{static_cast<std::uint16_t>(below(2))};
      layout.nodes.push_back(node);
      layout.node_names.push_back("n" + std::to_string(n));
    }
    const std::size_t partitions = below(4);
    for (std::size_t p = 0; p < partitions; ++p) {
      PartitionInfo partition;
      partition.name = "p" + std::to_string(p);
      for (std::size_t n = 0; n < nodes; ++n) {
        if (below(2) == 0) {
          partition.nodes.push_back(NodeId{static_cast<std::uint32_t>(n)});
        }
      }
      layout.partitions.push_back(partition);
    }
    finish_layout(layout);
  }

  void make_jobs(std::size_t count) {
    std::int64_t submit = static_cast<std::int64_t>(below(1000));
    for (std::size_t i = 0; i < count; ++i) {
      submit += static_cast<std::int64_t>(below(3) * below(1'000'000'007));
      jobs.add(RequestShape{}, SimTime::at(nanoseconds(submit)), Duration{});
    }
  }

  std::string partition_name(PartitionId partition) const {
    return partition == kNoPartition ? "" : layout.partitions[index(partition)].name;
  }
  PartitionId first_partition(const NodeInfo& node) const {
    const Cell& cell = layout.cells[node.cell];
    return cell.partitions.empty() ? kNoPartition : cell.partitions.front();
  }

  bool try_start(std::uint32_t id, SimTime now, RunWriter& writer);
  void end(std::uint32_t id, RunWriter& writer);
  void report_idle(SimTime now, RunWriter& writer);
  void account_until(SimTime now);

  std::mt19937_64 random_;
  std::vector<std::uint32_t> holder_;  // GPU -> job
  std::map<std::uint32_t, Running> running_;
  std::map<std::vector<std::string>, GpuShare> idle_;
  SimTime accounted_;
};

void RandomRun::account_until(SimTime now) {
  const Duration time = now - accounted_;
  accounted_ = now;
  for (const auto& [key, share] : idle_) {
    books[key] += (share * time).raw();
  }
  for (const auto& [id, job] : running_) {
    for (const auto& [key, share] : job.held) {
      books[key] += (share * time).raw();
    }
  }
}

bool RandomRun::try_start(std::uint32_t id, SimTime now, RunWriter& writer) {
  RequestShape& shape = jobs.workload.shapes[id];
  Running run;
  run.since = now;
  run.until = now + nanoseconds(static_cast<std::int64_t>(below(3) * below(4'000'000'009)));
  const std::vector<sim::JobState> states = {sim::JobState::kCompleted,
                                             sim::JobState::kFailed,
                                             sim::JobState::kTimeout,
                                             sim::JobState::kNodeFail};
  run.state = states[below(states.size())];
  const std::string work =
      run.state == sim::JobState::kFailed || run.state == sim::JobState::kNodeFail ? "lost_work"
                                                                                   : "compute";
  if (below(2) == 0) {
    shape.partition = PartitionId{static_cast<std::uint16_t>(below(layout.partitions.size()))};
  }
  const bool whole = below(3) == 0;
  for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
    const NodeInfo& node = layout.nodes[n];
    const std::vector<PartitionId>& in = layout.cells[node.cell].partitions;
    const auto first = static_cast<std::uint32_t>(index(node.first_gpu));
    const PartitionId booked =
        shape.partition == kNoPartition ? first_partition(node) : shape.partition;
    if (shape.partition != kNoPartition &&
        std::find(in.begin(), in.end(), shape.partition) == in.end()) {
      continue;
    }
    std::vector<std::uint32_t> free;
    for (std::uint32_t g = first; g < first + node.gpu_count; ++g) {
      if (holder_[g] == kFree) {
        free.push_back(g);
      }
    }
    if (free.empty() || (whole && free.size() < node.gpu_count) || below(3) == 0) {
      continue;
    }
    std::int64_t asked = static_cast<std::int64_t>(free.size());
    if (whole) {
      asked = shape.nodes == 0 ? static_cast<std::int64_t>(below(node.gpu_count + 1))
                               : shape.gpus.raw() / 1000;
      if (asked > node.gpu_count) {
        continue;
      }
      shape.gpus = gpus(asked);
      ++shape.nodes;
    } else {
      free.resize(below(free.size()) + 1);
      asked = static_cast<std::int64_t>(free.size());
    }
    run.where.nodes.push_back(NodeId{static_cast<std::uint32_t>(n)});
    bool new_node = true;
    for (const std::uint32_t g : free) {
      holder_[g] = id;
      std::vector<GpuRange>& ranges = run.where.gpus;
      if (!new_node && ranges.back().first + ranges.back().count == g) {
        ++ranges.back().count;
      } else {
        ranges.push_back({g, 1});
      }
      new_node = false;
      const std::string account = asked > 0 ? work : "unused_allocation";
      --asked;
      run.held[{account, layout.gpu_models[index(node.gpu_model)], partition_name(booked)}] +=
          gpus(1);
    }
  }
  shape.kind = whole ? RequestShape::Kind::kWholeNodes : RequestShape::Kind::kAnyGpus;
  if (!whole) {
    shape.gpus = run.where.total_share();
  }
  if (run.where.nodes.empty()) {
    return false;
  }
  sim::JobStart start;
  start.now = now;
  start.job = JobId{id};
  const Running& kept = running_[id] = std::move(run);
  start.allocation = &kept.where;
  writer.job_submitted(now, JobId{id});
  writer.job_starts(start);
  return true;
}

void RandomRun::end(std::uint32_t id, RunWriter& writer) {
  const Running& run = running_.at(id);
  sim::JobEnd end;
  end.now = run.until;
  end.started = run.since;
  end.job = JobId{id};
  end.state = run.state;
  end.allocation = &run.where;
  writer.job_ends(end);
  for (const GpuRange& range : run.where.gpus) {
    std::fill_n(holder_.begin() + range.first, range.count, kFree);
  }
  running_.erase(id);
}

void RandomRun::report_idle(SimTime now, RunWriter& writer) {
  std::vector<sim::IdleShare> split;
  idle_.clear();
  for (const NodeInfo& node : layout.nodes) {
    const auto first = static_cast<std::uint32_t>(index(node.first_gpu));
    const Cell& cell = layout.cells[node.cell];
    for (std::uint32_t g = first; g < first + node.gpu_count; ++g) {
      if (holder_[g] != kFree) {
        continue;
      }
      const auto account = static_cast<sim::IdleAccount>(below(sim::kIdleAccounts));
      const PartitionId partition =
          cell.partitions.empty() ? kNoPartition : cell.partitions[below(cell.partitions.size())];
      split.push_back({account, node.gpu_model, partition, gpus(1)});
      idle_[{std::string(to_string(account_of(account))),
             layout.gpu_models[index(node.gpu_model)],
             partition_name(partition)}] += gpus(1);
    }
  }
  writer.idle_changes(now, split);
}

void RandomRun::play(RunWriter& writer) {
  sim::RunInfo info;
  info.layout = &layout;
  info.workload = &jobs.workload;
  info.begin = jobs.workload.jobs.front().submit;
  accounted_ = info.begin;
  writer.run_begins(info);
  std::uint32_t next = 0;
  while (next < jobs.workload.jobs.size() || !running_.empty()) {
    SimTime now = kNever;
    if (next < jobs.workload.jobs.size()) {
      now = jobs.workload.jobs[next].submit;
    }
    for (const auto& [id, run] : running_) {
      now = std::min(now, run.until);
    }
    account_until(now);
    for (bool again = true; again;) {
      again = false;
      for (const auto& [id, run] : running_) {
        if (run.until == now) {
          end(id, writer);
          again = true;
          break;
        }
      }
    }
    for (; next < jobs.workload.jobs.size() && jobs.workload.jobs[next].submit == now; ++next) {
      if (!try_start(next, now, writer)) {
        writer.job_rejected(now, JobId{next}, "no room");
      }
    }
    report_idle(now, writer);
    horizon = now;
  }
  writer.run_ends(horizon);
}

void check_ledger(const RandomRun& run, const std::string& directory) {
  RandomRun::Books printed;
  for (const CsvRow& row : test::read_csv(directory + "/ledger.csv")) {
    const GpuTime expected = GpuTime::from_raw([&]() -> Int128 {
      if (row.at("account") == "total") {
        return (gpus(run.layout.gpu_count) * (run.horizon - run.jobs.workload.jobs[0].submit))
            .raw();
      }
      const auto found =
          run.books.find({row.at("account"), row.at("gpu_model"), row.at("partition")});
      return found == run.books.end() ? Int128{-1} : found->second;
    }());
    EXPECT_EQ(row.at("gpu_seconds"), gpu_seconds_text(expected))
        << row.at("account") << ' ' << row.at("gpu_model") << ' ' << row.at("partition");
    printed[{row.at("account"), row.at("gpu_model"), row.at("partition")}] = 1;
  }
  for (const auto& [key, time] : run.books) {
    EXPECT_TRUE(time == 0 || printed.count(key) == 1) << key[0];
  }
}

// The integral of an account's column is its sum over the rows of ledger.csv.
void check_timeline(const RandomRun& run, const std::string& directory) {
  std::map<std::string, double> integral;
  const std::vector<CsvRow> rows = test::read_csv(directory + "/timeline.csv");
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const double length = std::stod(rows[i + 1].at("time")) - std::stod(rows[i].at("time"));
    for (const auto& [column, value] : rows[i]) {
      integral[column] += value.empty() ? 0.0 : std::stod(value) * length;
    }
  }
  std::map<std::string, double> booked;
  for (const auto& [key, time] : run.books) {
    booked[key[0]] += static_cast<double>(time) * 1e-12;
  }
  for (const auto& [account, time] : booked) {
    EXPECT_NEAR(integral[account], time, 1e-6 * (1 + time)) << account;
  }
}

TEST(LedgerProperty, EveryGpuIsInOneAccountAtEveryInstant) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomRun run(seed, 40);
    RunWriterOptions options = test::options("property");
    options.prices = GpuHourPrices({dollars(3), micro_dollars(1'234'567)});
    RunWriter writer(options);
    run.play(writer);
    const Summary summary = writer.finish();
    check_ledger(run, options.directory);
    check_timeline(run, options.directory);
    if (run.layout.gpu_count > 0) {
      std::int64_t cost = 0;
      for (const CsvRow& row : test::read_csv(options.directory + "/jobs.csv")) {
        const std::string& text = row.at("cost_usd");
        cost += text.empty() ? 0 : std::llround(std::stod(text) * 1e6);
      }
      EXPECT_EQ(summary.jobs_cost(), micro_dollars(cost)) << "jobs sum to the ledger";
    }
    if (testing::Test::HasFailure()) {
      return;
    }
  }
}

TEST(LedgerProperty, SameCallsSameBytes) {
  std::string first;
  for (int repeat = 0; repeat < 2; ++repeat) {
    RandomRun run(7, 100);
    RunWriterOptions options = test::options("bytes");
    options.events = true;
    RunWriter writer(options);
    run.play(writer);
    static_cast<void>(writer.finish());
    std::string all;
    for (const char* file : {"jobs.csv",
                             "attempts.csv",
                             "ledger.csv",
                             "timeline.csv",
                             "users.csv",
                             "accounts.csv",
                             "nodes.csv",
                             "summary.json",
                             "events.jsonl"}) {
      all += test::read_text(options.directory + "/" + file);
    }
    if (repeat == 0) {
      first = all;
    }
    EXPECT_EQ(all, first);
  }
}

}  // namespace
}  // namespace weft::results
