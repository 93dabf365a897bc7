#include "cli/trace_input.hpp"

#include "base/calendar.hpp"
#include "cli/scenario_input.hpp"
#include "formats/time_zone.hpp"

namespace weft::cli {

using formats::JobFormat;

std::optional<JobFormat> format_of(const std::optional<JobFormat>& said,
                                   bool has_columns,
                                   const formats::InputFile& input,
                                   Diagnostics& diagnostics) {
  constexpr std::size_t kHead = 64 * 1024;
  if (said) {
    return said;
  }
  if (has_columns) {
    return JobFormat::kCsv;
  }
  const std::optional<JobFormat> found =
      formats::detect_format(input.name(), input.text().substr(0, kHead));
  if (!found) {
    std::string words;
    for (const JobFormat format : formats::all_job_formats()) {
      words += (words.empty() ? "" : ", ") + std::string(formats::to_string(format));
    }
    diagnostics.error({whole_file(input.name()),
                       {},
                       "a content that no known job log format has",
                       words + " (say which with 'format:' or FORMAT:FILE; a CSV with columns of " +
                           "its own is read as csv:FILE, with the scenario key 'columns' or, in " +
                           "weft trace, --column)"});
  }
  return found;
}

namespace {
// What the clock on the wall showed at an instant, in the zone the log was read in.
Duration wall_clock(std::int64_t unix_ns, const std::string& zone) {
  const std::string utc = calendar_text(nanoseconds(unix_ns));
  Parsed<formats::Calendar> calendar = formats::Calendar::in_zone(zone);
  if (zone.empty() || !calendar) {
    return nanoseconds(unix_ns);
  }
  // Reading the UTC text as if it were local is off by the zone's offset.
  formats::Calendar local = calendar.value();
  const Parsed<std::int64_t> as_local = local.unix_ns(utc.substr(0, utc.find('Z')));
  return as_local ? nanoseconds(unix_ns + (unix_ns - *as_local)) : nanoseconds(unix_ns);
}
}  // namespace

TraceInput read_trace(const std::string& argument,
                      const std::vector<std::string>& columns,
                      const Session& session,
                      workloads::RecordSink& sink) {
  Diagnostics diagnostics;
  const Parsed<formats::JobFileName> name = formats::parse_job_file_name(argument);
  if (!name) {
    diagnostics.error({whole_file(argument), {}, "'" + argument + "'", name.allowed()});
    diagnostics.throw_if_errors();
  }
  formats::ReadOptions options;
  options.skip_bad_rows = session.common.on_bad_job == "skip";
  if (!session.common.timezone.empty()) {
    options.time_zone = session.common.timezone;
  }
  for (const std::string& column : columns) {
    const Parsed<formats::ColumnMapping> mapping = formats::parse_column_mapping(column);
    if (!mapping) {
      throw UsageError("--column " + column + ": allowed " + mapping.allowed());
    }
    options.columns.push_back(*mapping);
  }
  const std::optional<formats::InputFile> file = formats::InputFile::read(name->path, diagnostics);
  diagnostics.throw_if_errors();
  const std::optional<JobFormat> format =
      format_of(name->format, !columns.empty(), *file, diagnostics);
  diagnostics.throw_if_errors();
  TraceInput input;
  input.file = name->path;
  input.info = formats::read_jobs(*file, *format, options, sink, diagnostics);
  print_warnings(diagnostics, session);
  diagnostics.throw_if_errors();
  if (input.info.zero_unix_ns) {
    input.wall_clock_at_zero = wall_clock(*input.info.zero_unix_ns, input.info.time_zone);
  }
  return input;
}

}  // namespace weft::cli
