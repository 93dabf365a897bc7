#include "sim/clock.hpp"

namespace weft::sim {
namespace {

class PlainClock final : public Clock {
 public:
  void run(TimedWork& work) override {
    for (SimTime next = work.next(); next < kNever; next = work.next()) {
      work.advance(next);
    }
  }
};

}  // namespace

std::unique_ptr<Clock> make_plain_clock() {
  return std::make_unique<PlainClock>();
}

}  // namespace weft::sim
