#include "formats/job_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "formats/read_context.hpp"
#include "formats/utf8.hpp"

namespace weft::formats {

namespace {

struct FormatRow {
  JobFormat format;
  std::string_view word;
  std::string_view description;
  void (*read)(ReadContext&);
};

constexpr FormatRow kFormats[] = {
    {JobFormat::kSwf, "swf", "Standard Workload Format, 18 fields", read_swf},
    {JobFormat::kSacct, "sacct", "Slurm's sacct --parsable2 with any columns", read_sacct},
    {JobFormat::kPhilly,
     "philly",
     "Microsoft Philly 2017: the CSV excerpt or the original JSON job log",
     read_philly},
    {JobFormat::kAlibabaGpu2023,
     "alibaba-gpu-2023",
     "pods of Alibaba's cluster-trace-gpu-v2023 (openb)",
     read_alibaba_pods},
    {JobFormat::kBatsim, "batsim", "Batsim's JSON workload, delay profiles", read_batsim},
    {JobFormat::kWeft, "weft", "weft's own jobs, one JSON object a line", read_weft_jobs},
    {JobFormat::kCsv, "csv", "any CSV with a header and a column map", read_mapped_csv},
};
constexpr JobFormat kAll[] = {JobFormat::kSwf,
                              JobFormat::kSacct,
                              JobFormat::kPhilly,
                              JobFormat::kAlibabaGpu2023,
                              JobFormat::kBatsim,
                              JobFormat::kWeft,
                              JobFormat::kCsv};
static_assert(std::size(kFormats) == std::size(kAll));

const FormatRow& row_of(JobFormat format) {
  return kFormats[static_cast<std::size_t>(format)];
}

std::vector<std::string_view> format_words() {
  std::vector<std::string_view> words;
  for (const FormatRow& row : kFormats) {
    words.push_back(row.word);
  }
  return words;
}

constexpr std::string_view kFieldNames[] = {"id",
                                            "submit",
                                            "begin",
                                            "start",
                                            "end",
                                            "runtime",
                                            "limit",
                                            "processors",
                                            "gpus",
                                            "nodes",
                                            "cpus",
                                            "memory",
                                            "gpu_model",
                                            "user",
                                            "account",
                                            "partition",
                                            "qos",
                                            "state"};
static_assert(std::size(kFieldNames) == kJobFieldCount);

// A log whose sizes are known for part of its days only would replay as an empty cluster first.
void warn_of_uneven_coverage(const InputFile& file, JobFileInfo& info, Diagnostics& diagnostics) {
  std::size_t submitting = 0;
  std::size_t poor = 0;
  std::size_t first_poor = 0;
  bool any_good = false;
  for (std::size_t day = 0; day < info.days.size(); ++day) {
    const DayCoverage& count = info.days[day];
    if (count.jobs == 0) {
      continue;
    }
    ++submitting;
    if (count.with_size * 2 < count.jobs) {
      first_poor = poor == 0 ? day : first_poor;
      ++poor;
    } else {
      any_good = true;
    }
  }
  if (poor > 0 && any_good) {
    diagnostics.warning({file.at(0, 0),
                         "gpus",
                         "a size for less than half of the jobs on " + std::to_string(poor) +
                             " of " + std::to_string(submitting) + " days (the first is day " +
                             std::to_string(first_poor + 1) + ")",
                         "a size for every job; or use only the days that have one"});
  }
}

}  // namespace

std::span<const JobFormat> all_job_formats() {
  return kAll;
}
std::string_view to_string(JobFormat format) {
  return row_of(format).word;
}
std::string_view describe(JobFormat format) {
  return row_of(format).description;
}
std::string_view to_string(JobField field) {
  return kFieldNames[static_cast<std::size_t>(field)];
}

std::optional<JobFormat> find_job_format(std::string_view word) {
  for (const FormatRow& row : kFormats) {
    if (row.word == word) {
      return row.format;
    }
  }
  return std::nullopt;
}

Parsed<JobFileName> parse_job_file_name(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    return JobFileName{std::nullopt, text};
  }
  const std::string_view word = std::string_view(text).substr(0, colon);
  if (const auto format = find_job_format(word)) {
    if (colon + 1 == text.size()) {
      return Parsed<JobFileName>::refused("a file name after '" + text + "'");
    }
    return JobFileName{format, text.substr(colon + 1)};
  }
  std::error_code ignored;
  if (word.find_first_of("/.") != std::string_view::npos ||
      std::filesystem::exists(text, ignored)) {
    return JobFileName{std::nullopt, text};
  }
  return Parsed<JobFileName>::refused(allowed_words(word, format_words()));
}

std::optional<std::string_view> JobFileInfo::header_value(std::string_view key) const {
  for (const auto& [known, value] : header) {
    if (known == key) {
      return value;
    }
  }
  return std::nullopt;
}

JobFileInfo read_jobs(const InputFile& file,
                      JobFormat format,
                      const ReadOptions& options,
                      workloads::RecordSink& sink,
                      Diagnostics& diagnostics) {
  JobFileInfo info;
  info.format = format;
  CountingSink counting(sink, info);
  ReadContext context(file, options, info, counting, diagnostics);
  const bool sound_before = diagnostics.ok();
  // Of an SWF log only comments can hold such bytes, and many an old one does.
  const std::size_t invalid =
      format == JobFormat::kSwf ? std::string_view::npos : find_invalid_utf8(file.text());
  if (invalid == std::string_view::npos) {
    row_of(format).read(context);
  } else {
    context.file_fault(file.at_offset(invalid),
                       {},
                       "a byte that is not UTF-8: " + quoted(file.text().substr(invalid, 1)),
                       "UTF-8 text (iconv -f LATIN1 -t UTF-8 converts Latin-1)");
  }
  counting.flush();
  if (info.records == 0 && (diagnostics.ok() || !sound_before)) {
    diagnostics.error({file.at(0, 0), {}, "no job that can be used", "at least one job"});
  }
  warn_of_uneven_coverage(file, info, diagnostics);
  return info;
}

}  // namespace weft::formats
