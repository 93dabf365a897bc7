// What one node has free at each future time: the per-node step function of conservative
// backfilling. Whole GPUs are counted, not named: a planned job has no GPU numbers until it starts.
// Parts of a GPU are planned in bins: a bin that holds anything occupies one GPU, so what is
// planned together can be put on one GPU when its first job starts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cluster.hpp"
#include "base/job.hpp"
#include "schedulers/cluster_state.hpp"

namespace weft::schedulers {

class NodeTimeline {
 public:
  static constexpr std::uint32_t kNoBin = 0xFFFFFFFF;

  // What a job takes of the node.
  struct Piece {
    NodeId node{};
    std::uint32_t gpus = 0;      // whole ones
    std::uint32_t bin = kNoBin;  // or a part of one: where,
    std::uint32_t share = 0;     // and how much, thousandths
    NodeAmounts amounts;
  };
  struct Step {
    std::int64_t begin = 0;  // ns
    std::int32_t gpus = 0;   // free whole ones: neither taken whole nor by a bin
    std::int32_t jobs = 0;
    std::int64_t cpus = 0;
    std::int64_t memory = 0;
  };
  // Over an interval, the least of each.
  struct Window {
    std::int32_t gpus = 0;
    std::int32_t jobs = 0;  // the most
    std::int64_t cpus = 0;
    std::int64_t memory = 0;
  };

  NodeTimeline(const NodeInfo& node, std::int64_t begin);

  // Takes the piece (takes it back) over [from, to).
  void take(const Piece& piece, std::int64_t from, std::int64_t to) { change(piece, from, to, 1); }
  void give_back(const Piece& piece, std::int64_t from, std::int64_t to) {
    change(piece, from, to, -1);
  }
  void forget_before(std::int64_t now);

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] Window window(std::int64_t from, std::int64_t to) const;

  // Bins: how many there are, whether `share` fits in one at a step, the most it holds over an
  // interval, and whether `share` fits in it over all of that.
  [[nodiscard]] std::uint32_t bins() const { return bin_count_; }
  [[nodiscard]] bool bin_fits(std::size_t step, std::uint32_t bin, std::uint32_t share) const {
    const std::uint32_t used = bins_.empty() ? 0 : bins_[step * bin_count_ + bin];
    return used + share <= 1000 && (used > 0 || steps_[step].gpus > 0);
  }
  struct BinUse {
    std::uint32_t most = 0;
    bool fits = true;
  };
  [[nodiscard]] BinUse bin_use(std::uint32_t bin,
                               std::uint32_t share,
                               std::int64_t from,
                               std::int64_t to) const;

 private:
  static constexpr std::uint32_t kMaxBins = 256;

  void change(const Piece& piece, std::int64_t from, std::int64_t to, std::int32_t sign);
  [[nodiscard]] std::size_t step_at(std::int64_t t) const;
  std::size_t split_at(std::int64_t t);
  void merge(std::size_t first, std::size_t last);
  [[nodiscard]] bool equal(std::size_t a, std::size_t b) const;
  void erase(std::size_t first, std::size_t last);

  std::vector<Step> steps_;          // never empty; the last one has no end
  std::vector<std::uint16_t> bins_;  // bin_count_ a step; empty until a part is planned
  std::uint32_t bin_count_ = 0;
};

}  // namespace weft::schedulers
