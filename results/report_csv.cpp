#include "results/report_csv.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace weft::results::report {
namespace {

constexpr double kLargest = 1e15;
constexpr std::array<double, 16> kPowersOfTen{
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

[[noreturn]] void cannot_read(const std::string& path, std::string found, std::string allowed) {
  throw InputErrors({InputError{whole_file(path), "", std::move(found), std::move(allowed)}});
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    cannot_read(path, std::strerror(errno), "a readable file");
  }
  struct stat info {};
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(file);
    cannot_read(path, "not a regular file", "a readable file");
  }
  size_ = static_cast<std::size_t>(info.st_size);
  if (size_ > 0) {
    void* data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) {
      const int error = errno;
      ::close(file);
      cannot_read(path, std::strerror(error), "a readable file");
    }
    ::madvise(data, size_, MADV_SEQUENTIAL);
    data_ = static_cast<const char*>(data);
  }
  ::close(file);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    ::munmap(const_cast<char*>(data_), size_);  // munmap's signature wants it without const
  }
}

// At most 15 digits and 15 decimals: the quotient of two exactly represented integers is the
// correctly rounded value, several times faster than the general conversion.
std::optional<double> parse_number(std::string_view text) {
  std::size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  at += negative ? 1 : 0;
  std::int64_t digits = 0;
  std::size_t count = 0;
  std::size_t decimals = 0;
  for (; at < text.size() && is_digit(text[at]) && count <= 15; ++at, ++count) {
    digits = digits * 10 + (text[at] - '0');
  }
  if (at < text.size() && text[at] == '.' && count > 0) {
    for (++at; at < text.size() && is_digit(text[at]) && count <= 15; ++at, ++count, ++decimals) {
      digits = digits * 10 + (text[at] - '0');
    }
  }
  if (at == text.size() && count > 0 && count <= 15) {
    const double value = static_cast<double>(digits) / kPowersOfTen[decimals];
    return negative ? -value : value;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      std::abs(value) > kLargest) {
    return std::nullopt;
  }
  return value;
}

CsvReader::CsvReader(const std::string& path)
    : path_(std::make_shared<const std::string>(path)), file_(path), text_(file_.text()) {
  if (text_.starts_with("\xEF\xBB\xBF")) {
    text_.remove_prefix(3);
  }
  if (!split_record()) {
    faults_.throw_if_errors();
    cannot_read(path, "an empty file", "a header row");
  }
  for (const std::string_view name : fields_) {
    if (std::find(header_.begin(), header_.end(), name) != header_.end()) {
      faults_.error({Source{path_, line_, static_cast<std::uint32_t>(header_.size() + 1)},
                     std::string(name),
                     "the column twice",
                     "each column once"});
    }
    header_.emplace_back(name);
  }
}

std::size_t CsvReader::find(std::string_view column) const {
  const auto it = std::find(header_.begin(), header_.end(), column);
  return it == header_.end() ? kNoColumn : static_cast<std::size_t>(it - header_.begin());
}

std::size_t CsvReader::require(std::string_view column) {
  const std::size_t index = find(column);
  if (index == kNoColumn) {
    faults_.error({Source{path_, 1, 0}, std::string(column), "nothing", "a column of this name"});
  }
  return index;
}

// `at` is behind an opening quote; returns the place behind the closing one.
std::size_t CsvReader::skip_quoted(std::size_t at) {
  while (at < text_.size()) {
    if (text_[at] == '"') {
      if (at + 1 >= text_.size() || text_[at + 1] != '"') {
        return at + 1;
      }
      ++at;
    } else if (text_[at] == '\n') {
      ++next_line_;
    }
    ++at;
  }
  faults_.error({Source{path_, line_, static_cast<std::uint32_t>(fields_.size() + 1)},
                 "",
                 "a quoted field without an end",
                 "a closing quote"});
  return at;
}

std::string_view CsvReader::unquote(std::size_t begin, std::size_t end) {
  const std::string_view raw = text_.substr(begin, end - begin);
  if (raw.size() < 2 || raw.back() != '"') {
    return raw.substr(std::min<std::size_t>(1, raw.size()));
  }
  const std::string_view inner = raw.substr(1, raw.size() - 2);
  if (inner.find('"') == std::string_view::npos) {
    return inner;
  }
  auto text = std::make_unique<std::string>();
  for (std::size_t i = 0; i < inner.size(); ++i) {
    text->push_back(inner[i]);
    if (inner[i] == '"' && i + 1 < inner.size() && inner[i + 1] == '"') {
      ++i;
    }
  }
  unquoted_.push_back(std::move(text));
  return *unquoted_.back();
}

bool CsvReader::split_record() {
  while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) {
    next_line_ += text_[at_] == '\n' ? 1U : 0U;
    ++at_;
  }
  fields_.clear();
  unquoted_.clear();
  if (at_ >= text_.size()) {
    return false;
  }
  line_ = next_line_;
  while (true) {
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      at_ = skip_quoted(at_ + 1);
    }
    const std::size_t after_quotes = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') {
      ++at_;
    }
    std::size_t end = at_;
    if (end > after_quotes && text_[end - 1] == '\r' &&
        (at_ >= text_.size() || text_[at_] == '\n')) {
      --end;
    }
    fields_.push_back(after_quotes > begin ? unquote(begin, end)
                                           : text_.substr(begin, end - begin));
    if (at_ >= text_.size()) {
      return true;
    }
    if (text_[at_++] == '\n') {
      ++next_line_;
      return true;
    }
  }
}

bool CsvReader::next() {
  while (split_record()) {
    if (fields_.size() == header_.size()) {
      return true;
    }
    faults_.error({Source{path_, line_, 0},
                   "",
                   std::to_string(fields_.size()) + " fields",
                   std::to_string(header_.size()) + " as in the header"});
  }
  return false;
}

std::optional<double> CsvReader::number(std::size_t column) {
  const std::string_view text = field(column);
  if (text.empty()) {
    return std::nullopt;
  }
  const std::optional<double> value = parse_number(text);
  if (!value) {
    fault(column, "a number of at most 1e15, or nothing");
  }
  return value;
}

void CsvReader::fault(std::size_t column, std::string allowed) {
  const std::string_view text = field(column);
  faults_.error({Source{path_, line_, static_cast<std::uint32_t>(column + 1)},
                 column < header_.size() ? header_[column] : std::string(),
                 text.empty() ? "nothing" : "'" + std::string(text.substr(0, 80)) + "'",
                 std::move(allowed)});
}

// Splits at commas only: the files it is for (timeline.csv) hold numbers.
std::optional<std::vector<std::string>> CsvReader::last_row() const {
  std::string_view rest = text_;
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) {
    rest.remove_suffix(1);
  }
  const std::size_t begin = rest.rfind('\n');
  if (begin == std::string_view::npos) {
    return std::nullopt;
  }
  rest.remove_prefix(begin + 1);
  std::vector<std::string> row;
  while (true) {
    const std::size_t comma = rest.find(',');
    row.emplace_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) {
      return row;
    }
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace weft::results::report
