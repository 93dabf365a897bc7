// Reading job logs: which formats there are, which one a file has, and one entry for all of them.
//
// A reader turns each job of a file into a workloads::JobRecord and hands it to the caller's sink.
// It never invents a value: what the file does not say stays empty, and the decisions about it are
// the sink's (workloads/binding.hpp). A row with a fault is an error with line, column and field;
// under ReadOptions::skip_bad_rows it is a warning and the whole row is left out. docs/formats.md
// describes every format, its quirks and what was decided about them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/quantity.hpp"
#include "base/units.hpp"
#include "formats/input_file.hpp"
#include "workloads/job_record.hpp"

namespace weft::formats {

enum class JobFormat : std::uint8_t {
  kSwf,             // Standard Workload Format
  kSacct,           // sacct --parsable2 of Slurm
  kPhilly,          // Microsoft Philly 2017, the CSV excerpt or the original JSON
  kAlibabaGpu2023,  // the openb pod list of cluster-trace-gpu-v2023
  kBatsim,          // Batsim's JSON workload
  kWeft,            // weft's own jobs, one JSON object a line or a JSON array
  kCsv              // any CSV with a header, through ReadOptions::columns
};
[[nodiscard]] std::span<const JobFormat> all_job_formats();
[[nodiscard]] std::string_view to_string(JobFormat format);  // the word before "swf:FILE"
[[nodiscard]] std::string_view describe(JobFormat format);   // one line, for people
[[nodiscard]] std::optional<JobFormat> find_job_format(std::string_view word);

// From the first lines of the content; the name's extension decides only where those say nothing.
// kCsv is never guessed: it needs a column map.
[[nodiscard]] std::optional<JobFormat> detect_format(std::string_view name, std::string_view head);

// "swf:FILE" or "FILE". An unknown word before the colon is refused, naming the nearest known one,
// unless it is part of a path (has a slash or a dot, or a file of the whole name exists).
struct JobFileName {
  std::optional<JobFormat> format;
  std::string path;
};
[[nodiscard]] Parsed<JobFileName> parse_job_file_name(const std::string& text);

// Where a log has both what a job asked for and what it got.
enum class SizeSource : std::uint8_t { kRequested, kAllocated };

// What a job that waited until it was deleted would have run for.
enum class NeverStarted : std::uint8_t {
  kLifetime,   // from submission to deletion: it wanted to run all that time
  kNoRunTime,  // not known: the sink decides
};

// "gpus=GPU Count", "runtime=Minutes@min", "submit=Start@iso": the field of a JobRecord, the
// column that holds it and the unit of its numbers. Units: ns us ms s min h d, iso (calendar time),
// B KB MB GB TB KiB MiB GiB TiB, milli (thousandths). Defaults: s, B, and whole GPUs and CPUs.
struct ColumnMapping {
  std::string field;
  std::string column;
  std::string unit;
};
[[nodiscard]] Parsed<ColumnMapping> parse_column_mapping(const std::string& text);

struct ReadOptions {
  bool skip_bad_rows = false;                // --on-bad-job skip
  std::string time_zone = "UTC";             // of calendar times: UTC, +02:00, Europe/Stockholm
  SizeSource size = SizeSource::kRequested;  // sacct; the other where this is empty
  NeverStarted never_started = NeverStarted::kLifetime;   // alibaba-gpu-2023
  FlopsPerSec batsim_speed = FlopsPerSec::from_raw(1e9);  // a host's, for parallel_homogeneous
  std::vector<ColumnMapping> columns;                     // kCsv only
};

// The fields of a JobRecord whose coverage is counted.
enum class JobField : std::uint8_t {
  kId,
  kSubmit,
  kBegin,
  kStart,
  kEnd,
  kRuntime,
  kLimit,
  kProcessors,
  kGpus,
  kNodes,
  kCpus,
  kMemory,
  kGpuModel,
  kUser,
  kAccount,
  kPartition,
  kQos,
  kRecordedEnd
};
constexpr std::size_t kJobFieldCount = 18;
[[nodiscard]] std::string_view to_string(JobField field);

// Something the reader did with rows that the file's owner should know: dropped job steps, ...
struct ReadNote {
  std::string what;
  std::uint64_t rows = 0;
  std::uint32_t first_line = 0;
};

struct MissingColumn {
  std::string column;   // as its format calls it
  std::string instead;  // what is used in its place
};

struct DayCoverage {
  std::uint32_t jobs = 0;
  std::uint32_t with_size = 0;  // GPUs or processors known
};

// What a file holds beside its jobs, for the import summary and the manifest.
struct JobFileInfo {
  JobFormat format = JobFormat::kSwf;
  std::vector<std::pair<std::string, std::string>> header;  // in file order; keys may repeat
  std::vector<std::string> columns;                         // of formats with a header line
  std::vector<MissingColumn> missing_columns;
  std::vector<ReadNote> notes;  // in order of first appearance

  // Simulated time 0: the trace's own zero (SWF, openb, Batsim, weft), else the first submit.
  bool zero_is_first_submit = false;
  std::optional<std::int64_t> zero_unix_ns;  // its calendar time, where known
  std::string time_zone;                     // in which calendar times were read; else empty

  std::uint64_t rows = 0;                                // data rows of the file, good and bad
  std::uint64_t records = 0;                             // jobs handed to the sink
  std::vector<std::uint32_t> bad_lines;                  // rows left out under skip_bad_rows
  std::array<std::uint64_t, kJobFieldCount> coverage{};  // records that have the field
  std::vector<DayCoverage> days;  // by day of submission, from simulated time 0

  [[nodiscard]] std::optional<std::string_view> header_value(std::string_view key) const;
  [[nodiscard]] std::uint64_t covered(JobField field) const {
    return coverage[static_cast<std::size_t>(field)];
  }
};

// Reads all jobs of `file`. After errors the sink has seen some of the jobs only: check
// diagnostics.ok() before using them. A file without any job is an error.
JobFileInfo read_jobs(const InputFile& file,
                      JobFormat format,
                      const ReadOptions& options,
                      workloads::RecordSink& sink,
                      Diagnostics& diagnostics);

}  // namespace weft::formats
