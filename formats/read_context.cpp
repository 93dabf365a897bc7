#include "formats/read_context.hpp"

#include <algorithm>
#include <utility>

namespace weft::formats {

using workloads::JobRecord;

namespace {

constexpr std::uint32_t bit(JobField field) {
  return std::uint32_t{1} << static_cast<unsigned>(field);
}
constexpr std::uint32_t bit_if(bool present, JobField field) {
  return present ? bit(field) : 0;
}

bool size_known(const JobRecord& job) {
  return job.gpus || job.gpus_per_node || job.requested_processors || job.allocated_processors;
}

std::uint32_t fields_of(const JobRecord& job) {
  return bit_if(!job.id.empty(), JobField::kId) |
         bit_if(job.submit.has_value(), JobField::kSubmit) |
         bit_if(job.begin.has_value(), JobField::kBegin) |
         bit_if(job.start.has_value(), JobField::kStart) |
         bit_if(job.end.has_value(), JobField::kEnd) |
         bit_if(job.runtime.has_value(), JobField::kRuntime) |
         bit_if(job.limit.has_value(), JobField::kLimit) |
         bit_if(job.requested_processors || job.allocated_processors, JobField::kProcessors) |
         bit_if(job.gpus || job.gpus_per_node, JobField::kGpus) |
         bit_if(job.nodes.has_value(), JobField::kNodes) |
         bit_if(job.cpus || job.cpus_per_node, JobField::kCpus) |
         bit_if(job.memory || job.memory_per_node, JobField::kMemory) |
         bit_if(!job.gpu_models.empty(), JobField::kGpuModel) |
         bit_if(!job.user.empty(), JobField::kUser) |
         bit_if(!job.account.empty(), JobField::kAccount) |
         bit_if(!job.partition.empty(), JobField::kPartition) |
         bit_if(!job.qos.empty(), JobField::kQos) |
         bit_if(job.recorded_end != RecordedEnd::kUnknown, JobField::kRecordedEnd);
}

}  // namespace

void CountingSink::record(const JobRecord& job) {
  const std::uint32_t mask = fields_of(job);
  if (mask != mask_) {
    flush();
    mask_ = mask;
  }
  ++run_;
  if (job.submit) {
    count_day(job);
  }
  next_.record(job);
}

void CountingSink::count_day(const JobRecord& job) {
  if (*job.submit < day_begin_ || *job.submit >= day_end_) {
    const std::int64_t day = std::max<std::int64_t>(job.submit->ns(), 0) / days(1).raw();
    day_ = static_cast<std::size_t>(day);
    day_begin_ = SimTime::at(days(day));
    day_end_ = day_begin_ + days(1);
    if (info_.days.size() <= day_) {
      info_.days.resize(day_ + 1);
    }
  }
  DayCoverage& count = info_.days[day_];
  ++count.jobs;
  count.with_size += size_known(job) ? 1 : 0;
}

void CountingSink::flush() {
  for (std::size_t i = 0; i < kJobFieldCount; ++i) {
    if ((mask_ >> i & 1) != 0) {
      info_.coverage[i] += run_;
    }
  }
  info_.records += run_;
  run_ = 0;
}

void ReadContext::file_fault(const Source& at,
                             std::string key,
                             std::string found,
                             std::string allowed) {
  diagnostics.error({at, std::move(key), std::move(found), std::move(allowed)});
}

void ReadContext::row_fault(std::uint32_t line,
                            std::uint32_t column,
                            std::string key,
                            std::string found,
                            std::string allowed) {
  InputError fault{file.at(line, column), std::move(key), std::move(found), std::move(allowed)};
  if (!options.skip_bad_rows) {
    diagnostics.error(std::move(fault));
    return;
  }
  if (info.bad_lines.empty() || info.bad_lines.back() != line) {
    info.bad_lines.push_back(line);
  }
  diagnostics.warning(std::move(fault));
}

void ReadContext::note(std::string_view what, std::uint32_t line) {
  for (ReadNote& known : info.notes) {
    if (known.what == what) {
      ++known.rows;
      return;
    }
  }
  info.notes.push_back({std::string(what), 1, line});
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xF];
    } else {
      out += c;
    }
  }
  out += text.size() > kMost ? "...'" : "'";
  return out;
}

}  // namespace weft::formats
