// Why a job was started: the vocabulary of start_reason in jobs.csv.
#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

enum class StartReason : std::uint8_t {
  kHead,       // its turn: nothing ahead of it in the queue
  kBackfill,   // started ahead of its turn, delaying no reservation
  kReserved,   // at the time its reservation named
  kSubmit,     // Slurm: at submission
  kMain,       // Slurm: the main loop
  kScheduled,  // Kubernetes
  kNominated,
  kGang
};
[[nodiscard]] std::string_view to_string(StartReason reason);

}  // namespace weft
