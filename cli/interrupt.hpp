// Ctrl-C: the first asks the run to end cleanly, the second kills the process.
#pragma once

#include <atomic>

namespace weft::cli {

// While one lives, SIGINT and SIGTERM set a flag instead of ending the process. The handler gives
// the signal its default effect back, so that the next one ends it. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  // Installs the handlers again, after a library has installed its own (SimGrid's engine does).
  void arm() const;

  // For sim::RunRequest::stop; never null.
  [[nodiscard]] const std::atomic<bool>* flag() const;
  [[nodiscard]] bool requested() const { return flag()->load(std::memory_order_relaxed); }
};

}  // namespace weft::cli
