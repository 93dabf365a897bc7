// What running jobs give back, by the time their limit ends: the sorted list a reservation is read
// from. Kept as blocks of sorted entries with a sum each, so that inserting moves one block and
// "when are `needed` units back" skips whole blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"

namespace weft::schedulers {

class ReleaseList {
 public:
  struct Entry {
    std::int64_t end = 0;  // ns
    JobId job{};
    std::int64_t units = 0;
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.end != b.end ? a.end < b.end : a.job < b.job;
    }
  };
  struct Answer {
    SimTime when = kNever;
    std::int64_t units = 0;  // given back up to and including `when`
    bool found = false;
    JobId last{};  // the job whose release suffices
  };

  void insert(SimTime end, JobId job, std::int64_t units);
  void erase(SimTime end, JobId job);
  [[nodiscard]] bool empty() const { return size_ == 0; }

  // The earliest time by which at least `needed` (> 0) units are given back, and how many are then
  // (all that end at that time). Entries before `now` are late and count as ending now.
  [[nodiscard]] Answer earliest(std::int64_t needed, SimTime now) const;

  // Calls visit(entry) in order of time until it returns true.
  template <class Visit>
  void visit(Visit visit_entry) const {
    for (const Block& block : blocks_) {
      for (const Entry& entry : block.entries) {
        if (visit_entry(entry)) {
          return;
        }
      }
    }
  }

 private:
  static constexpr std::size_t kMaxBlock = 256;
  struct Block {
    std::vector<Entry> entries;  // never empty
    std::int64_t units = 0;
  };
  [[nodiscard]] std::size_t block_for(const Entry& entry) const;

  std::vector<Block> blocks_;
  std::vector<Block> spare_;  // emptied blocks, to keep their memory
  std::size_t size_ = 0;
};

}  // namespace weft::schedulers
