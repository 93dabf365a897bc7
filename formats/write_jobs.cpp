#include "formats/write_jobs.hpp"

#include <algorithm>

#include "base/calendar.hpp"
#include "base/number.hpp"
#include "formats/utf8.hpp"
#include "formats/write_support.hpp"
#include "workloads/statistics.hpp"

namespace weft::formats {

bool JobWriter::finish() {
  end();
  flush();
  out_->flush();
  return out_->good();
}

void JobWriter::lose(std::string_view what, const workloads::JobRecord& job) {
  for (WriteLoss& loss : losses_) {
    if (loss.what == what) {
      ++loss.jobs;
      return;
    }
  }
  losses_.push_back(WriteLoss{std::string(what), 1, job.line});
}

void JobWriter::flush_if_full() {
  constexpr std::size_t kFull = 1U << 16U;
  if (text_.size() >= kFull) {
    flush();
  }
}

void JobWriter::flush() {
  out_->write(text_.data(), static_cast<std::streamsize>(text_.size()));
  text_.clear();
}

std::unique_ptr<JobWriter> make_job_writer(JobFormat format,
                                           std::ostream& out,
                                           const WriteOptions& options) {
  switch (format) {
    case JobFormat::kSwf:
      return make_swf_writer(out, options);
    case JobFormat::kWeft:
      return make_weft_writer(out);
    case JobFormat::kBatsim:
      return make_batsim_writer(out, options);
    case JobFormat::kPhilly:
      return make_philly_writer(out, options);
    case JobFormat::kAlibabaGpu2023:
      return make_pod_writer(out);
    case JobFormat::kSacct:
      return make_sacct_writer(out, options);
    default:
      return nullptr;
  }
}

WordNumbers::Number WordNumbers::of(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const bool is_number = text[0] != '-' && (text[0] != '0' || text.size() == 1) &&
                         read_int64(text.data(), end, value) == end;
  if (kind_ == Kind::kUnknown) {
    kind_ = is_number ? Kind::kNumbers : Kind::kWords;
  }
  if (kind_ == Kind::kNumbers && is_number) {
    return {value, false};
  }
  const auto order = static_cast<std::int64_t>(words_.intern(text));  // from 1
  return {kind_ == Kind::kWords ? order : kFirstMade - 1 + order, true};
}

void append_int(std::string& out, std::int64_t value) {
  char digits[kIntRoom];
  out.append(digits, write_int(digits, value));
}

void append_seconds(std::string& out, Duration value) {
  char digits[kSecondsRoom];
  out.append(digits, write_seconds(digits, value));
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string mended;
  if (find_invalid_utf8(text) != std::string_view::npos) {
    mended = to_valid_utf8(text);
    text = mended;
  }
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_calendar(std::string& out, Duration since_epoch, char between) {
  std::string text = calendar_text(since_epoch);  // ends with Z
  text.pop_back();
  const std::size_t t = text.find('T');
  text[t] = between;
  out += text;
}

std::optional<std::int64_t> total_size(const workloads::JobRecord& job) {
  const auto size = workloads::recorded_size(job);
  return size ? std::optional(size->raw()) : std::nullopt;
}

}  // namespace weft::formats
