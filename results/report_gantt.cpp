#include "results/report_gantt.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace weft::results::report {
namespace {

constexpr std::size_t kHeatLanes = 48;

std::string group_name(const std::vector<GanttLane>& nodes, std::size_t first, std::size_t last) {
  return first == last ? nodes[first].name : nodes[first].name + " – " + nodes[last].name;
}

// At most kHeatLanes groups of equally many neighbouring nodes.
std::vector<GanttLane> grouped(const std::vector<GanttLane>& nodes) {
  const std::size_t size = (nodes.size() + kHeatLanes - 1) / kHeatLanes;
  std::vector<GanttLane> lanes;
  for (std::size_t first = 0; first < nodes.size(); first += size) {
    const std::size_t last = std::min(first + size, nodes.size()) - 1;
    GanttLane lane{group_name(nodes, first, last), nodes[first].first_gpu, 0};
    for (std::size_t i = first; i <= last; ++i) {
      lane.gpus += nodes[i].gpus;
    }
    if (lane.gpus > 0) {
      lanes.push_back(std::move(lane));
    }
  }
  return lanes;
}

// One node (a flat pool) is shown by its processors.
std::vector<GanttLane> processors_of(const GanttLane& pool) {
  constexpr std::int64_t kMost = 4096;  // more are drawn as lanes of several anyway
  const std::int64_t step = (pool.gpus + kMost - 1) / kMost;
  std::vector<GanttLane> lanes;
  for (std::int64_t first = 0; first < pool.gpus; first += step) {
    lanes.push_back({std::to_string(pool.first_gpu + first),
                     pool.first_gpu + first,
                     std::min(step, pool.gpus - first)});
  }
  return lanes;
}

bool parse_interval(std::string_view text, std::int64_t& first, std::int64_t& last) {
  const char* const end = text.data() + text.size();
  const auto [middle, first_error] = std::from_chars(text.data(), end, first);
  if (first_error != std::errc() || first < 0) {
    return false;
  }
  last = first;
  if (middle == end) {
    return true;
  }
  if (*middle != '-') {
    return false;
  }
  const auto [stop, last_error] = std::from_chars(middle + 1, end, last);
  return last_error == std::errc() && stop == end && last >= first;
}

}  // namespace

GanttBuilder::GanttBuilder(const std::vector<GanttLane>& nodes,
                           double begin,
                           double end,
                           std::size_t block_limit)
    : block_limit_(block_limit),
      begin_(begin),
      end_(end),
      bin_width_((end - begin) / static_cast<double>(Gantt::kBins)) {
  gantt_.begin = begin;
  gantt_.bin_width = bin_width_;
  gantt_.nodes = static_cast<std::int64_t>(nodes.size());
  for (const GanttLane& node : nodes) {
    gantt_.gpus += node.gpus;
  }
  gantt_.processors = nodes.size() == 1 && nodes[0].gpus > 16;
  const std::vector<GanttLane> lanes = gantt_.processors ? processors_of(nodes[0]) : nodes;
  if (gantt_.processors) {
    detail_lanes_ = nodes;
  } else if (nodes.size() <= Gantt::kMaxLanes) {
    detail_lanes_ = nodes;
  }
  too_many_ = detail_lanes_.empty() || (gantt_.processors && gantt_.gpus > 2048);
  gantt_.lanes = grouped(lanes);
  for (const GanttLane& lane : gantt_.lanes) {
    lane_starts_.push_back(lane.first_gpu);
  }
  cells_.resize(gantt_.lanes.size() * (Gantt::kBins + 1));
}

bool GanttBuilder::add(const GanttJob& job, std::string_view allocated) {
  // A job on a part of one GPU holds that part; all others hold what they are given wholly.
  const double weight = job.gpus > 0 && job.gpus < 1 ? job.gpus : 1;
  if (!too_many_) {
    too_many_ = gantt_.jobs.size() >= std::min(Gantt::kMaxJobs, block_limit_ / 2);
    gantt_.jobs.push_back(job);
  }
  while (!allocated.empty()) {
    const std::size_t blank = std::min(allocated.find(' '), allocated.size());
    std::int64_t first = 0;
    std::int64_t last = 0;
    if (!parse_interval(allocated.substr(0, blank), first, last)) {
      return false;
    }
    add_heat(job, first, last, weight);
    if (!too_many_) {
      gantt_.blocks.push_back(
          {static_cast<std::uint32_t>(gantt_.jobs.size() - 1), first, last - first + 1});
      too_many_ = gantt_.blocks.size() > block_limit_;
    }
    allocated.remove_prefix(std::min(blank + 1, allocated.size()));
  }
  return true;
}

void GanttBuilder::add_heat(const GanttJob& job,
                            std::int64_t first,
                            std::int64_t last,
                            double weight) {
  const double started = std::clamp(job.started, begin_, end_);
  const double ended = std::clamp(job.ended, begin_, end_);
  if (lane_starts_.empty() || !(bin_width_ > 0) || ended <= started) {
    return;
  }
  auto at = std::upper_bound(lane_starts_.begin(), lane_starts_.end(), first);
  at -= at == lane_starts_.begin() ? 0 : 1;
  for (; at != lane_starts_.end() && *at <= last; ++at) {
    const auto lane = static_cast<std::size_t>(at - lane_starts_.begin());
    const GanttLane& l = gantt_.lanes[lane];
    const std::int64_t held =
        std::min(last, l.first_gpu + l.gpus - 1) - std::max(first, l.first_gpu) + 1;
    if (held > 0) {
      add_heat_cell(lane, started, ended, weight * static_cast<double>(held));
    }
  }
}

// The held GPUs are a rate from the bin of `started` to the bin of `ended`; what that counts too
// much or too little in the two bins at the ends is put right in `extra`. Constant cost a job.
void GanttBuilder::add_heat_cell(std::size_t lane, double started, double ended, double gpus) {
  Cell* const row = &cells_[lane * (Gantt::kBins + 1)];
  const auto bin_of = [&](double t) {
    return std::min(static_cast<std::size_t>((t - begin_) / bin_width_), Gantt::kBins);
  };
  const auto edge = [&](std::size_t bin) { return begin_ + bin_width_ * static_cast<double>(bin); };
  const std::size_t from = bin_of(started);
  const std::size_t to = bin_of(ended);
  row[from].rate += gpus;
  row[to].rate -= gpus;
  row[from].extra -= gpus * (started - edge(from));
  row[to].extra += gpus * (ended - edge(to));
}

Gantt GanttBuilder::finish() {
  gantt_.detailed = !too_many_;
  if (gantt_.detailed) {
    gantt_.lanes = detail_lanes_;
    return std::move(gantt_);
  }
  gantt_.jobs.clear();
  gantt_.blocks.clear();
  gantt_.share.assign(gantt_.lanes.size() * Gantt::kBins, 0.0);
  for (std::size_t lane = 0; lane < gantt_.lanes.size(); ++lane) {
    const double whole = static_cast<double>(gantt_.lanes[lane].gpus) * bin_width_;
    double rate = 0;
    for (std::size_t bin = 0; bin < Gantt::kBins && whole > 0; ++bin) {
      const Cell& cell = cells_[lane * (Gantt::kBins + 1) + bin];
      rate += cell.rate;
      const double share = (rate * bin_width_ + cell.extra) / whole;
      gantt_.share[lane * Gantt::kBins + bin] = std::clamp(share, 0.0, 1.0);
    }
  }
  return std::move(gantt_);
}

}  // namespace weft::results::report
