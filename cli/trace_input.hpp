// Reading a log for `weft trace`: no cluster, no decisions, only what the log says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "cli/session.hpp"
#include "formats/job_reader.hpp"
#include "workloads/job_record.hpp"

namespace weft::cli {

struct TraceInput {
  std::string file;
  formats::JobFileInfo info;
  // On the wall clock, since 1970-01-01, at the log's time 0, where that is known.
  std::optional<Duration> wall_clock_at_zero;
};

// `argument`: FILE or FORMAT:FILE; `columns`: "field=column@unit" for a CSV. Hands the jobs to
// `sink`. Throws InputErrors; warnings and notes go to stderr.
TraceInput read_trace(const std::string& argument,
                      const std::vector<std::string>& columns,
                      const Session& session,
                      workloads::RecordSink& sink);

// The format of `input`, from its content unless `said`; a fault if it has none.
[[nodiscard]] std::optional<formats::JobFormat> format_of(
    const std::optional<formats::JobFormat>& said,
    bool has_columns,
    const formats::InputFile& input,
    Diagnostics& diagnostics);

}  // namespace weft::cli
