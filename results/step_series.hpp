// Several step functions of time, recorded as changes: exact while there are few of them, averaged
// over equal bins when there are many. Memory is bounded whatever the length of the run.
//
// Everything is an integer, so merging bins loses nothing: the integral of each series over each
// bin is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/units.hpp"

namespace weft::results {

class StepSeries {
 public:
  static constexpr std::size_t kMostSteps = 20'000;  // times with a change; beyond: bins
  static constexpr std::size_t kMostBins = 4096;     // beyond: pairs are merged, widths double

  // `count` series, all 0 before their first change at or after `origin`.
  StepSeries(std::size_t count, SimTime origin);

  // From `at` on (>= origin) series `series` is higher by `delta`. Times rise from call to call;
  // an earlier one is allowed if something was changed at that time before.
  void add(SimTime at, std::size_t series, std::int64_t delta) {
    if (!binned_) {
      add_step(at.ns(), series, delta);
      return;
    }
    if (at.ns() < bin_begin_ || at.ns() >= bin_end_) {
      find_bin(at.ns());
    }
    add_to_bin(at.ns(), series, delta);
  }

  [[nodiscard]] bool binned() const { return binned_; }
  [[nodiscard]] Duration bin_width() const { return Duration::from_raw(width_); }

  // A row: the mean of series i over the row's time is sums[i] / length.ns.
  using Row = std::function<void(SimTime from, Duration length, std::span<const Int128> sums)>;
  // Rows that cover [origin, end), in order: one for every time at which a value changed, or one a
  // bin. None if end == origin. Changes at or after `end` do not show.
  void rows(SimTime end, const Row& row) const;

 private:
  struct Change {
    std::int64_t at;
    std::int64_t delta;
    std::size_t series;
  };
  // Series i over bin b: level at its start = sum of level_change up to b; within the bin,
  // changes add `integral`.
  struct Cell {
    Int128 integral = 0;
    std::int64_t level_change = 0;
  };

  void add_step(std::int64_t at, std::size_t series, std::int64_t delta);
  void add_to_bin(std::int64_t at, std::size_t series, std::int64_t delta) {
    Cell& cell = cells_[bin_ * count_ + series];
    cell.integral += static_cast<Int128>(delta) * (bin_end_ - at);
    cells_[(bin_ + 1) * count_ + series].level_change += delta;
  }
  void find_bin(std::int64_t at);
  void start_binning();
  void merge_pairs();
  void step_rows(std::int64_t end, const Row& row) const;
  void bin_rows(std::int64_t end, const Row& row) const;

  std::size_t count_;
  std::int64_t origin_;
  bool binned_ = false;

  std::vector<Change> changes_;
  std::size_t steps_ = 0;            // distinct times
  std::int64_t latest_;              // time of the newest step
  std::vector<std::size_t> newest_;  // series -> 1 + position of its newest change; 0: none

  std::int64_t width_ = 0;
  std::vector<Cell> cells_;            // (bins + 1) x series
  std::vector<std::int64_t> carried_;  // merge_pairs: level change of the right bin before
  std::size_t bin_ = 0;                // the bin of the last call
  std::int64_t bin_begin_ = 0;
  std::int64_t bin_end_ = 0;
};

}  // namespace weft::results
