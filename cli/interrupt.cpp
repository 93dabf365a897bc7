#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace weft::cli {

namespace {
// A signal handler can reach nothing but static storage; this flag is the only one of the program.
static_assert(std::atomic<bool>::is_always_lock_free);
std::atomic<bool> interrupt_requested{
    false};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

extern "C" void note_interrupt(int signal) {
  interrupt_requested.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}
}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_requested.store(false, std::memory_order_relaxed);
  arm();
}

void InterruptGuard::arm() const {
  if (!requested()) {
    std::signal(SIGINT, note_interrupt);
    std::signal(SIGTERM, note_interrupt);
  }
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>* InterruptGuard::flag() const {
  return &interrupt_requested;
}

}  // namespace weft::cli
