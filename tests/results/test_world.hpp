// Small clusters and workloads for tests, and what a run left in its folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/cluster.hpp"
#include "base/csv.hpp"
#include "base/job.hpp"
#include "results/run_writer.hpp"

namespace weft::results::test {

inline std::string fresh_directory(const std::string& name) {
  const std::string path = testing::TempDir() + "weft_results_" + name;
  std::filesystem::remove_all(path);
  return path;
}

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

using CsvRow = std::map<std::string, std::string>;

inline std::vector<CsvRow> read_csv(const std::string& path) {
  const std::string text = read_text(path);
  DelimitedReader reader(text, ',');
  std::vector<std::string> header;
  std::vector<CsvRow> rows;
  while (reader.next()) {
    EXPECT_FALSE(reader.fault()) << path << ":" << reader.line();
    if (header.empty()) {
      for (const DelimitedField& field : reader.fields()) {
        header.emplace_back(field.text);
      }
      continue;
    }
    EXPECT_EQ(reader.fields().size(), header.size()) << path << ":" << reader.line();
    CsvRow row;
    for (std::size_t i = 0; i < header.size() && i < reader.fields().size(); ++i) {
      row[header[i]] = reader.fields()[i].text;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

inline std::string first_line(const std::string& path) {
  const std::string text = read_text(path);
  return text.substr(0, text.find('\n'));
}

// `count` nodes of `gpus_each` GPUs of one model, all in the partition "all".
inline ClusterLayout uniform_cluster(std::uint32_t count, std::uint32_t gpus_each) {
  ClusterLayout layout;
  layout.name = "test";
  layout.gpu_models = {"H100"};
  for (std::uint32_t n = 0; n < count; ++n) {
    NodeInfo node;
    node.gpu_count = gpus_each;
    node.leaf = LeafId{n / 2};
    layout.nodes.push_back(node);
    layout.node_names.push_back("n" + std::to_string(n + 1));
  }
  layout.leaf_count = (count + 1) / 2;
  finish_layout(layout);
  return layout;
}

class JobList {
 public:
  JobList() { workload.name = "script"; }

  // The shape and times of a job; ids are "1", "2", ...
  JobId add(const RequestShape& shape, SimTime submit, Duration runtime) {
    Job job;
    job.submit = submit;
    job.eligible = submit;
    job.runtime = runtime;
    job.shape = ShapeId{static_cast<std::uint32_t>(workload.shapes.size())};
    workload.shapes.push_back(shape);
    const JobId id{static_cast<std::uint32_t>(workload.jobs.size())};
    job.name = workload.symbols.intern(std::to_string(workload.jobs.size() + 1));
    workload.jobs.push_back(job);
    return id;
  }
  Job& job(JobId id) { return workload.jobs[index(id)]; }

  Workload workload;
};

inline RequestShape any_gpus(std::int64_t count) {
  RequestShape shape;
  shape.gpus = gpus(count);
  return shape;
}

inline RequestShape whole_nodes(std::int32_t nodes, std::int64_t gpus_each) {
  RequestShape shape;
  shape.kind = RequestShape::Kind::kWholeNodes;
  shape.nodes = nodes;
  shape.gpus = gpus(gpus_each);
  return shape;
}

inline Allocation on(std::vector<NodeId> nodes, std::vector<GpuRange> ranges) {
  Allocation where;
  where.nodes = std::move(nodes);
  where.gpus = std::move(ranges);
  return where;
}

// Feeds a run writer by hand, keeping who runs since when.
class Script {
 public:
  Script(RunWriterOptions options, const ClusterLayout& layout, const Workload& workload)
      : directory(options.directory), writer_(std::move(options)) {
    sim::RunInfo info;
    info.layout = &layout;
    info.workload = &workload;
    info.begin = workload.jobs.empty() ? SimTime{} : workload.jobs.front().submit;
    writer_.run_begins(info);
  }

  void submit(std::int64_t at, JobId job) { writer_.job_submitted(at_seconds(at), job); }
  void start(std::int64_t at,
             JobId job,
             Allocation where,
             StartReason reason = StartReason::kHead) {
    sim::JobStart start;
    start.now = at_seconds(at);
    start.job = job;
    start.reason = reason;
    Running& running = running_[index(job)];
    running = {start.now, std::move(where), reason};
    start.allocation = &running.where;
    writer_.job_starts(start);
  }
  void end(std::int64_t at, JobId job, sim::JobState state = sim::JobState::kCompleted) {
    const Running& running = running_.at(index(job));
    sim::JobEnd end;
    end.now = at_seconds(at);
    end.started = running.since;
    end.job = job;
    end.state = state;
    end.reason = running.reason;
    end.allocation = &running.where;
    writer_.job_ends(end);
    running_.erase(index(job));
  }
  void reject(std::int64_t at, JobId job) {
    writer_.job_rejected(at_seconds(at), job, "too large");
  }
  // All idle GPUs in one account, of model 0 in partition 0.
  void idle(std::int64_t at, sim::IdleAccount account, GpuShare share) {
    std::vector<sim::IdleShare> split;
    if (share.raw() > 0) {
      split.push_back({account, GpuModelId{0}, PartitionId{0}, share});
    }
    writer_.idle_changes(at_seconds(at), split);
  }
  Summary finish(std::int64_t at) {
    writer_.run_ends(at_seconds(at));
    return writer_.finish();
  }
  RunWriter& writer() { return writer_; }

  [[nodiscard]] std::vector<CsvRow> csv(const std::string& file) const {
    return read_csv(directory + "/" + file);
  }

  std::string directory;

 private:
  struct Running {
    SimTime since;
    Allocation where;
    StartReason reason{};
  };
  RunWriter writer_;
  std::map<std::size_t, Running> running_;
};

inline RunWriterOptions options(const std::string& name) {
  RunWriterOptions options;
  options.directory = fresh_directory(name);
  return options;
}

inline RunWriterOptions options_at(const std::string& name, Money per_gpu_hour) {
  RunWriterOptions with_price = options(name);
  with_price.prices = GpuHourPrices({per_gpu_hour});
  return with_price;
}

}  // namespace weft::results::test
