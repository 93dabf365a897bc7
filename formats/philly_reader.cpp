// The CSV excerpt of Microsoft's Philly log: timestamp,duration,num_gpus,gpu_time,cluster.
// Timestamps are local without a zone, rows in any order; there is no id, node, wait or status.

#include "formats/philly_reader.hpp"

#include <algorithm>
#include <limits>

#include "formats/csv_rows.hpp"
#include "formats/time_zone.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

enum Column : std::size_t { kTimestamp, kDuration, kGpus, kCluster };

struct PhillyRow {
  std::int64_t submit = 0;  // ns since 1970
  Duration runtime;
  std::int64_t gpus = 0;
  std::string_view cluster;
  std::uint32_t line = 0;
};

void read_philly_csv(ReadContext& context, Calendar& calendar) {
  CsvRows rows(context);
  if (!rows.read_header(
          {{"timestamp",
            true,
            "a column with submission times; without it sizes and durations can only be replayed "
            "with generated arrivals (weft trace fit)"},
           {"duration", true, "a column with run times in seconds"},
           {"num_gpus", true, "a column with GPU counts"},
           {"cluster", false, "jobs have no partition"}})) {
    return;
  }
  std::vector<PhillyRow> jobs;
  while (rows.next()) {
    PhillyRow row;
    row.line = rows.line();
    const Parsed<std::int64_t> submit = calendar.unix_ns(rows.text(kTimestamp));
    if (submit) {
      row.submit = *submit;
    } else {
      rows.fault(kTimestamp, quoted(rows.text(kTimestamp)), submit.allowed());
    }
    std::optional<Duration> runtime;
    std::optional<std::int64_t> gpus;
    bool ok = rows.read_seconds_cell(kDuration, runtime) && submit.ok();
    ok = rows.read_count(kGpus, std::numeric_limits<std::int32_t>::max(), gpus) && ok;
    if (rows.text(kDuration).empty()) {
      ok = rows.missing_value(kDuration, "a number of seconds");
    }
    if (rows.text(kGpus).empty()) {
      ok = rows.missing_value(kGpus, "a number of GPUs");
    }
    if (ok) {
      row.runtime = *runtime;
      row.gpus = *gpus;
      row.cluster = rows.text(kCluster);
      jobs.push_back(row);
    }
  }
  std::int64_t zero = std::numeric_limits<std::int64_t>::max();
  for (const PhillyRow& row : jobs) {
    zero = std::min(zero, row.submit);
  }
  if (!jobs.empty()) {
    context.info.zero_unix_ns = zero;
  }
  JobRecord job;
  for (const PhillyRow& row : jobs) {
    job.line = row.line;
    job.submit = SimTime::at(nanoseconds(row.submit - zero));
    job.runtime = row.runtime;
    job.gpus = gpus(row.gpus);
    job.partition = row.cluster;
    context.sink.record(job);
  }
}

}  // namespace

void read_philly(ReadContext& context) {
  Parsed<Calendar> zone = Calendar::in_zone(context.options.time_zone);
  if (!zone) {
    context.file_fault({}, "--timezone", quoted(context.options.time_zone), zone.allowed());
    return;
  }
  Calendar calendar = zone.value();
  context.info.zero_is_first_submit = true;
  context.info.time_zone = calendar.zone_name();
  const std::string_view text = context.file.text();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{')) {
    read_philly_json(context, calendar);
  } else {
    read_philly_csv(context, calendar);
  }
}

}  // namespace weft::formats
