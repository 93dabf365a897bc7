// The one place for SimGrid names that changed between 3.32 (Debian 12) and 4.x. Nothing here is
// deprecated or gone in 4.1; names that are (create_full_zone, create_host, create_link,
// on_completion_cb, Link::get_usage) must not be used anywhere in sim/.
#pragma once

#include <xbt/log.h>

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/version.h>

namespace weft::sim::compat {

using Engine = simgrid::s4u::Engine;
using Model = simgrid::kernel::resource::Model;

inline bool engine_exists() {
  return Engine::is_initialized();
}

inline double clock_seconds() {
  return Engine::get_clock();
}

// SimGrid reports on stderr; only its warnings are of interest to a user of weft.
inline void quiet_logs() {
  xbt_log_control_set("root.thresh:warning");
}

}  // namespace weft::sim::compat
