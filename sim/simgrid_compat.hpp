// The one place for SimGrid names that changed between 3.32 (Debian 12) and 4.x. Nothing here is
// gone in 4.1; names that are (Activity::on_completion_cb, Link::get_usage) must not be used in
// sim/.
#pragma once

#include <xbt/log.h>

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <simgrid/version.h>

namespace weft::sim::compat {

using Engine = simgrid::s4u::Engine;
using Model = simgrid::kernel::resource::Model;

inline bool engine_exists() {
  return Engine::is_initialized();
}

// The root zone that a simulation must have, whatever else is in it.
inline simgrid::s4u::NetZone* make_root_zone(Engine& engine) {
#if SIMGRID_VERSION >= 40000
  return engine.set_rootnetzone_full("world");
#else
  static_cast<void>(engine);
  return simgrid::s4u::create_full_zone("world");
#endif
}

// SimGrid reports on stderr; only its warnings are of interest to a user of weft.
inline void quiet_logs() {
  xbt_log_control_set("root.thresh:warning");
}

}  // namespace weft::sim::compat
