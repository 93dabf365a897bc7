// Standard Workload Format, version 2.2 (D. Feitelson, Parallel Workloads Archive):
// http://www.cs.huji.ac.il/labs/parallel/workload/swf.html
//
// A row is scanned twice only if something is wrong with it: scan_row is the hot path (a million
// rows in a fifth of a second) and only says that there is a fault; report_row says which.

#include <cstddef>
#include <cstring>
#include <limits>

#include "base/number.hpp"
#include "formats/read_context.hpp"
#include "formats/utf8.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

constexpr std::size_t kFields = 18;
constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();

enum Field : std::size_t {
  kJob,
  kSubmit,
  kWait,
  kRun,
  kAllocated,
  kCpuTime,
  kUsedMemory,
  kRequested,
  kRequestedTime,
  kRequestedMemory,
  kStatus,
  kUser,
  kGroup,
  kExecutable,
  kQueue,
  kPartition,
  kPreceding,
  kThinkTime
};

struct FieldRule {
  std::string_view name;
  bool decimal;       // seconds or kilobytes, which may have a fraction; else an integer
  std::int64_t most;  // of an integer
};
constexpr std::int64_t kAnyInt = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostProcessors = std::numeric_limits<std::int32_t>::max();
constexpr FieldRule kRules[kFields] = {
    {"field 1 (job number)", false, kAnyInt},
    {"field 2 (submit time)", true, 0},
    {"field 3 (wait time)", true, 0},
    {"field 4 (run time)", true, 0},
    {"field 5 (allocated processors)", false, kMostProcessors},
    {"field 6 (average CPU time)", true, 0},
    {"field 7 (used memory)", true, 0},
    {"field 8 (requested processors)", false, kMostProcessors},
    {"field 9 (requested time)", true, 0},
    {"field 10 (requested memory)", true, 0},
    {"field 11 (status)", false, 5},
    {"field 12 (user)", false, kAnyInt},
    {"field 13 (group)", false, kAnyInt},
    {"field 14 (executable)", false, kAnyInt},
    {"field 15 (queue)", false, kAnyInt},
    {"field 16 (partition)", false, kAnyInt},
    {"field 17 (preceding job)", false, kAnyInt},
    {"field 18 (think time)", true, 0},
};

struct Row {
  const char* begin[kFields];
  const char* end[kFields];
  std::int64_t value[kFields];  // integers as they are, decimals x 10^9, kUnknown for -1
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool is_separator(char c) {
  return is_blank(c) || c == '\n' || c == '\0';
}

// One field's text to its value; false if it is none. The text ends at a separator.
bool field_value(std::size_t field, const char* begin, const char* end, std::int64_t& value) {
  const FieldRule& rule = kRules[field];
  const bool negative = *begin == '-';
  const char* const digits = negative ? begin + 1 : begin;
  if (rule.decimal) {
    Duration d;
    if (read_seconds(digits, end, d) != end) {
      return false;
    }
    if (negative && d != seconds(1)) {
      return false;
    }
    value = negative ? kUnknown : d.raw();
    return true;
  }
  if (read_int64(begin, end, value) != end || value < -1 || value > rule.most) {
    return false;
  }
  if (value == -1) {
    value = kUnknown;
  }
  return true;
}

// The usual field is a short run of digits or "-1". False: use field_value.
bool quick_value(std::size_t field, const char*& p, std::int64_t& value) {
  if (*p == '-') {
    if (p[1] == '1' && is_separator(p[2])) {
      p += 2;
      value = kUnknown;
      return true;
    }
    return false;
  }
  constexpr std::ptrdiff_t kSafeDigits = 9;  // in seconds below kMaxSeconds, in a count below 2^31
  const char* const begin = p;
  std::int64_t v = 0;
  while (*p >= '0' && *p <= '9') {
    v = v * 10 + (*p - '0');
    ++p;
    if (p - begin > kSafeDigits) {
      return false;
    }
  }
  if (p == begin || !is_separator(*p)) {
    return false;
  }
  if (kRules[field].decimal) {
    value = v * kNsPerSecond;
    return true;
  }
  value = v;
  return v <= kRules[field].most;
}

const char* skip_blanks(const char* p) {
  while (is_blank(*p)) {
    ++p;
  }
  return p;
}

const char* field_end(const char* p) {
  while (!is_separator(*p)) {
    ++p;
  }
  return p;
}

// From the row's first field to its end; false if anything is wrong. The text is followed by a
// NUL (InputFile), which ends the last row.
bool scan_row(const char*& p, Row& row) {
  for (std::size_t field = 0; field < kFields; ++field) {
    p = skip_blanks(p);
    const char* const begin = p;
    row.begin[field] = begin;
    if (!quick_value(field, p, row.value[field])) {
      p = field_end(begin);
      if (p == begin || !field_value(field, begin, p, row.value[field])) {
        return false;
      }
    }
    row.end[field] = p;
  }
  p = skip_blanks(p);
  return *p == '\n' || *p == '\0';
}

std::string allowed_value(std::size_t field) {
  if (field == kStatus) {
    return "-1, 0 (failed), 1 (completed), 2 to 4 (a part of a job), 5 (cancelled)";
  }
  if (field == kJob) {
    return "a job number";
  }
  const FieldRule& rule = kRules[field];
  if (rule.decimal) {
    return "a number from 0 to 290 years of seconds, or -1 (unknown)";
  }
  return rule.most == kMostProcessors ? "an integer from 0 to 2147483647, or -1 (unknown)"
                                      : "an integer from 0, or -1 (unknown)";
}

void report_row(ReadContext& context, const char* line_begin, std::uint32_t line) {
  const char* p = skip_blanks(line_begin);
  const auto column = [&](const char* at) {
    return static_cast<std::uint32_t>(at - line_begin + 1);
  };
  std::size_t field = 0;
  for (; field < kFields && !is_separator(*p); ++field) {
    const char* const end = field_end(p);
    std::int64_t value = 0;
    const bool fits = field_value(field, p, end, value);
    if (!fits || (field == kJob && value == kUnknown)) {
      context.row_fault(line,
                        column(p),
                        std::string(kRules[field].name),
                        quoted({p, static_cast<std::size_t>(end - p)}),
                        allowed_value(field));
    }
    p = skip_blanks(end);
  }
  if (field < kFields) {
    context.row_fault(line,
                      column(p),
                      {},
                      std::to_string(field) + (field == 1 ? " field" : " fields"),
                      "18 fields");
  } else if (!is_separator(*p)) {
    context.row_fault(line, column(p), {}, "more than 18 fields", "18 fields");
  }
}

// "; Key: value". Lines without a key (notes, continuations) are comments.
void read_header_line(std::string_view text, JobFileInfo& info) {
  const std::size_t first = text.find_first_not_of("; \t");
  if (first == std::string_view::npos) {
    return;
  }
  text.remove_prefix(first);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    return;
  }
  const std::string_view key = text.substr(0, colon);
  if (key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") !=
      std::string_view::npos) {
    return;
  }
  std::string_view value = text.substr(colon + 1);
  const std::size_t begin = value.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return;
  }
  value = value.substr(begin, value.find_last_not_of(" \t\r") + 1 - begin);
  info.header.emplace_back(key, to_valid_utf8(value));
}

RecordedEnd recorded_end(std::int64_t status) {
  switch (status) {
    case 0:
    case 4:
      return RecordedEnd::kFailed;
    case 1:
    case 3:
      return RecordedEnd::kCompleted;
    case 5:
      return RecordedEnd::kCancelled;
    default:
      return RecordedEnd::kUnknown;
  }
}

class SwfRecord {
 public:
  const JobRecord& from(const Row& row, std::uint32_t line) {
    job_.id = text(row, kJob);
    job_.line = line;
    job_.submit = time(row, kSubmit);
    job_.runtime = duration(row, kRun);
    job_.limit = duration(row, kRequestedTime);
    job_.start.reset();
    job_.end.reset();
    if (job_.submit && row.value[kWait] != kUnknown) {
      job_.start = *job_.submit + nanoseconds(row.value[kWait]);
      if (job_.runtime && job_.start->ns() <= kMostNs - job_.runtime->raw()) {
        job_.end = *job_.start + *job_.runtime;
      }
    }
    job_.allocated_processors = count(row, kAllocated);
    job_.requested_processors = count(row, kRequested);
    job_.memory = memory(row);
    job_.user = text(row, kUser);
    job_.account = text(row, kGroup);
    job_.profile = text(row, kExecutable);
    job_.partition = text(row, kQueue);
    job_.recorded_end = recorded_end(row.value[kStatus]);
    return job_;
  }

 private:
  static constexpr std::int64_t kMostNs = kMaxSeconds * kNsPerSecond;

  static std::string_view text(const Row& row, Field field) {
    if (row.value[field] == kUnknown) {
      return {};
    }
    return {row.begin[field], static_cast<std::size_t>(row.end[field] - row.begin[field])};
  }
  static std::optional<Duration> duration(const Row& row, Field field) {
    const std::int64_t ns = row.value[field];
    return ns == kUnknown ? std::nullopt : std::optional(nanoseconds(ns));
  }
  static std::optional<SimTime> time(const Row& row, Field field) {
    const std::int64_t ns = row.value[field];
    return ns == kUnknown ? std::nullopt : std::optional(SimTime::at(nanoseconds(ns)));
  }
  static std::optional<std::int64_t> count(const Row& row, Field field) {
    const std::int64_t n = row.value[field];
    return n == kUnknown ? std::nullopt : std::optional(n);
  }
  // Field 10 is kilobytes for each processor.
  static std::optional<Bytes> memory(const Row& row) {
    const std::int64_t kilobytes_e9 = row.value[kRequestedMemory];
    const std::int64_t processors =
        row.value[kRequested] > 0 ? row.value[kRequested] : row.value[kAllocated];
    if (kilobytes_e9 == kUnknown || processors <= 0) {
      return std::nullopt;
    }
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
    const Int128 total = Int128{kilobytes_e9} * 1024 * processors / kNsPerSecond;
    return bytes(total < kMost ? static_cast<std::int64_t>(total) : kMost);
  }

  JobRecord job_;
};

void take_start_time(JobFileInfo& info) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kNsPerSecond;
  if (const auto start = info.header_value("UnixStartTime")) {
    std::int64_t unix_seconds = 0;
    const char* const end = start->data() + start->size();
    if (read_int64(start->data(), end, unix_seconds) == end && unix_seconds >= 0 &&
        unix_seconds <= kMost) {
      info.zero_unix_ns = unix_seconds * kNsPerSecond;
    }
  }
}

}  // namespace

void read_swf(ReadContext& context) {
  const std::string_view text = context.file.text();
  const char* p = text.data();
  const char* const end = p + text.size();
  Row row;
  SwfRecord record;
  std::int64_t whole_job = kUnknown;  // number of the last row that stands for a whole job
  for (std::uint32_t line = 1; p < end; ++line) {
    const char* const line_begin = p;
    p = skip_blanks(p);
    if (*p == ';' || *p == '\n' || *p == '\0') {
      const void* const newline = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
      const char* const stop = newline != nullptr ? static_cast<const char*>(newline) : end;
      if (*p == ';') {
        read_header_line({p, static_cast<std::size_t>(stop - p)}, context.info);
      }
      p = stop + 1;
      continue;
    }
    ++context.info.rows;
    if (!scan_row(p, row) || row.value[kJob] == kUnknown) {
      report_row(context, line_begin, line);
      const void* const newline = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
      p = newline != nullptr ? static_cast<const char*>(newline) + 1 : end;
      continue;
    }
    ++p;
    // A job that was swapped or checkpointed has one row for all of it and then one for each part
    // (status 2, the last 3 or 4): the parts would count its work twice.
    const std::int64_t status = row.value[kStatus];
    if (status >= 2 && status <= 4) {
      if (row.value[kJob] == whole_job) {
        context.note("part of a job that has its own row (status 2 to 4): left out", line);
        continue;
      }
    } else {
      whole_job = row.value[kJob];
    }
    context.sink.record(record.from(row, line));
  }
  take_start_time(context.info);
}

}  // namespace weft::formats
