// Pending events in order of (time, class, sequence): at one instant completions come before
// submissions before wake-ups, and within a class the one added first comes first.
//
// A binary heap in a flat array. Submissions known in advance need not be in it: the engine merges
// them from the sorted workload.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/units.hpp"

namespace weft::sim {

enum class EventClass : std::uint8_t { kCompletion = 0, kSubmission = 1, kWakeUp = 2 };

struct PendingEvent {
  SimTime time;
  std::uint64_t order = 0;  // class in the top byte, sequence below
  std::uint32_t subject = 0;

  [[nodiscard]] EventClass event_class() const { return static_cast<EventClass>(order >> 56U); }
  friend bool operator>(const PendingEvent& a, const PendingEvent& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }
};

class EventQueue {
 public:
  void add(SimTime time, EventClass event_class, std::uint32_t subject) {
    const std::uint64_t order = static_cast<std::uint64_t>(event_class) << 56U | sequence_++;
    heap_.push_back(PendingEvent{time, order, subject});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] SimTime next() const { return heap_.empty() ? kNever : heap_.front().time; }
  [[nodiscard]] const PendingEvent& front() const { return heap_.front(); }
  PendingEvent pop() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
    const PendingEvent event = heap_.back();
    heap_.pop_back();
    return event;
  }

 private:
  std::vector<PendingEvent> heap_;
  std::uint64_t sequence_ = 0;
};

}  // namespace weft::sim
