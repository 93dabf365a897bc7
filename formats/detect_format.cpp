// Which format a job log has, from its first lines.

#include <algorithm>
#include <cctype>

#include "formats/job_reader.hpp"

namespace weft::formats {

namespace {

std::string_view first_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return out;
}

// The words of a header line, whatever separates them.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : lower(line)) {
    if (c == '|' || c == ';' || c == ',' || c == '"' || c == ' ' || c == '\t') {
      if (!word.empty()) {
        words.push_back(word);
      }
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) {
    words.push_back(word);
  }
  return words;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_swf_row(std::string_view line) {
  constexpr std::size_t kFields = 18;
  if (line.find_first_not_of("0123456789.-+eE \t") != std::string_view::npos) {
    return false;
  }
  const std::size_t fields = words_of(line).size();
  return fields >= kFields - 2 && fields <= kFields + 2;  // a few too many or few: swf with a fault
}

std::optional<JobFormat> json_format(std::string_view head) {
  const auto mentions = [&](std::string_view key) {
    return head.find(key) != std::string_view::npos;
  };
  if (mentions("\"attempts\"") || mentions("\"submitted_time\"") || mentions("\"jobid\"")) {
    return JobFormat::kPhilly;
  }
  if (mentions("\"nb_res\"") || mentions("\"profiles\"") || mentions("\"subtime\"")) {
    return JobFormat::kBatsim;
  }
  if (mentions("\"submit\"") || mentions("\"kind\"") || mentions("\"id\"")) {
    return JobFormat::kWeft;
  }
  return std::nullopt;
}

}  // namespace

std::optional<JobFormat> detect_format(std::string_view name, std::string_view head) {
  const std::string_view line = first_line(head);
  if (line.empty()) {
    return std::nullopt;
  }
  const std::string extension = lower(name.substr(std::min(name.size(), name.rfind('.'))));
  if (line.front() == '{' || line.front() == '[') {
    return json_format(head);
  }
  if (extension == ".swf" || line.front() == ';' || is_swf_row(line)) {
    return JobFormat::kSwf;
  }
  std::string_view header = line;
  for (std::string_view rest = head; has(words_of(header), "sacct") && !rest.empty();) {
    // "$ sacct -P ..." copied along with its output
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      break;
    }
    rest.remove_prefix(end + 1);
    header = first_line(rest);
  }
  const std::vector<std::string> words = words_of(header);
  if (has(words, "jobid") || has(words, "jobidraw")) {
    const bool delimited = header.find_first_of("|;,") != std::string_view::npos;
    return delimited ? std::optional(JobFormat::kSacct) : std::nullopt;
  }
  if (has(words, "num_gpu") || has(words, "gpu_milli")) {
    return JobFormat::kAlibabaGpu2023;
  }
  if (has(words, "num_gpus") && has(words, "timestamp")) {
    return JobFormat::kPhilly;
  }
  return std::nullopt;
}

}  // namespace weft::formats
