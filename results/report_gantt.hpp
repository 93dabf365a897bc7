// The Gantt chart's data: who held which GPU when. Small runs keep a rectangle a job and block of
// neighbouring GPUs; large ones a heat map, the share of GPUs allocated by group of nodes and time
// bin. Both are collected while jobs.csv streams by, because only its end tells which is wanted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::results::report {

struct GanttLane {  // a node, or a group of nodes or processors
  std::string name;
  std::int64_t first_gpu = 0;
  std::int64_t gpus = 0;
};

struct GanttJob {
  std::string id;
  std::string user;
  std::string state;
  double gpus = 0;
  double submitted = 0;
  double started = 0;
  double ended = 0;
};

struct GanttBlock {
  std::uint32_t job = 0;  // index in Gantt::jobs
  std::int64_t first_gpu = 0;
  std::int64_t gpus = 0;
};

struct Gantt {
  static constexpr std::size_t kMaxLanes = 64;
  static constexpr std::size_t kMaxJobs = 5000;
  static constexpr std::size_t kBins = 240;

  bool detailed = false;
  bool processors = false;  // the lanes are processors of a flat pool, not nodes
  std::int64_t gpus = 0;
  std::int64_t nodes = 0;
  std::vector<GanttLane> lanes;
  // detailed
  std::vector<GanttJob> jobs;
  std::vector<GanttBlock> blocks;
  // else: allocated share of lane r in bin b at [r * kBins + b]
  double begin = 0;
  double bin_width = 0;
  std::vector<double> share;
};

class GanttBuilder {
 public:
  // `nodes` in platform order; the horizon is [begin, end). More than `block_limit` rectangles, or
  // than min(kMaxJobs, block_limit / 2) jobs, make it a heat map.
  GanttBuilder(const std::vector<GanttLane>& nodes,
               double begin,
               double end,
               std::size_t block_limit);

  // `allocated`: "0-3 7", platform-wide GPU indices. False: it is not of that form.
  [[nodiscard]] bool add(const GanttJob& job, std::string_view allocated);
  [[nodiscard]] Gantt finish();

 private:
  struct Cell {
    double rate = 0;   // change of the GPUs held from this bin on
    double extra = 0;  // GPU-seconds held in this bin beside that
  };
  void add_heat(const GanttJob& job, std::int64_t first, std::int64_t last, double weight);
  void add_heat_cell(std::size_t lane, double started, double ended, double gpus);

  std::size_t block_limit_;
  double begin_;
  double end_;
  double bin_width_;
  Gantt gantt_;
  std::vector<GanttLane> detail_lanes_;  // empty: too many nodes to show each
  std::vector<std::int64_t> lane_starts_;
  std::vector<Cell> cells_;
  bool too_many_ = false;
};

}  // namespace weft::results::report
