#include "base/start_reason.hpp"

namespace weft {

std::string_view to_string(StartReason reason) {
  switch (reason) {
    case StartReason::kHead:
      return "head";
    case StartReason::kBackfill:
      return "backfill";
    case StartReason::kReserved:
      return "reserved";
    case StartReason::kSubmit:
      return "submit";
    case StartReason::kMain:
      return "main";
    case StartReason::kScheduled:
      return "scheduled";
    case StartReason::kNominated:
      return "nominated";
    case StartReason::kGang:
      return "gang";
  }
  return "";
}

}  // namespace weft
