// Microsoft's Philly logs: the original JSON (cluster_job_log). Internal to formats/.
#pragma once

#include "formats/read_context.hpp"
#include "formats/time_zone.hpp"

namespace weft::formats {

void read_philly_json(ReadContext& context, const Calendar& calendar);

}  // namespace weft::formats
