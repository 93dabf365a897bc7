#include "base/csv.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/errors.hpp"

namespace weft {

namespace {

// Faulty records whose lines are read again one by one. Beyond it (a file of another kind) reading
// resumes where the scan stopped, so that no file takes quadratic time.
constexpr std::size_t kMaxRescans = 1000;

std::string printable(char c) {
  if (c == '\t') {
    return "a tab";
  }
  return std::string("'") + c + "'";
}

}  // namespace

DelimitedReader::DelimitedReader(std::string_view text, char separator, Quoting quoting)
    : p_(text.data()),
      end_(text.data() + text.size()),
      line_begin_(text.data()),
      separator_(separator),
      quoting_(quoting) {
  WEFT_ASSERT(separator != '"' && separator != '\n' && separator != '\r' && separator != '\0',
              "separator " + std::to_string(static_cast<int>(separator)));
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) {
    p_ += kByteOrderMark.size();
    line_begin_ = p_;
  }
  for (const char c : {separator, '\n', '\r', '\0'}) {
    special_[static_cast<unsigned char>(c)] = true;
  }
  special_[static_cast<unsigned char>('"')] = quoting == Quoting::kRfc4180;
}

bool DelimitedReader::next() {
  fields_.clear();
  fault_.reset();
  while (p_ != end_ && (*p_ == '\n' || (*p_ == '\r' && p_ + 1 != end_ && p_[1] == '\n'))) {
    p_ += *p_ == '\n' ? 1 : 2;
    line_begin_ = p_;
    ++line_;
  }
  if (p_ == end_) {
    return false;
  }
  read_record();
  return true;
}

void DelimitedReader::read_record() {
  record_begin_ = p_;
  record_line_ = line_;
  unquoted_size_ = 0;
  more_fields_ = true;
  while (more_fields_) {
    const bool quoted = quoting_ == Quoting::kRfc4180 && p_ != end_ && *p_ == '"';
    if (!(quoted ? read_quoted() : read_plain())) {
      resume();
      return;
    }
    if (static_cast<std::size_t>(p_ - record_begin_) > kMaxRecord) {
      fail(record_line_,
           1,
           std::to_string(p_ - record_begin_) + " bytes",
           "lines of at most " + std::to_string(kMaxRecord) + " bytes");
      resume();
      return;
    }
  }
}

bool DelimitedReader::read_plain() {
  const char* const begin = p_;
  while (p_ != end_ && !special_[static_cast<unsigned char>(*p_)]) {
    ++p_;
  }
  const std::string_view field(begin, static_cast<std::size_t>(p_ - begin));
  if (p_ != end_ && *p_ == '"' && quoting_ == Quoting::kRfc4180) {
    return fail_here("a quote inside a field", "quotes around the whole field, doubled inside");
  }
  return end_field(field, line_, column_of(begin));
}

bool DelimitedReader::read_quoted() {
  const std::uint32_t first_line = line_;
  const std::size_t first_column = column_of(p_);
  const char* const limit = static_cast<std::size_t>(end_ - record_begin_) > kMaxRecord
                                ? record_begin_ + kMaxRecord
                                : end_;
  const char* part = ++p_;  // text not yet copied
  const std::size_t copied_from = unquoted_size_;
  bool copied = false;
  while (true) {
    while (p_ < limit && *p_ != '"' && *p_ != '\n' && *p_ != '\0') {
      ++p_;
    }
    if (p_ >= limit) {
      return fail(first_line, first_column, "a quote that is never closed", "a closing quote");
    }
    if (*p_ == '\0') {
      return fail_here("a NUL byte", "text");
    }
    if (*p_ == '\n') {
      line_begin_ = ++p_;
      ++line_;
      continue;
    }
    const bool doubled = p_ + 1 != end_ && p_[1] == '"';
    if (!doubled && !copied) {
      const std::string_view field(part, static_cast<std::size_t>(p_ - part));
      ++p_;
      return end_field(field, first_line, first_column);
    }
    if (!copied) {
      copied = true;
      // Room for all of the record at once: growing later would move the fields already cut.
      if (unquoted_.empty()) {
        unquoted_.resize(kMaxRecord + 1);
      }
    }
    const auto length = static_cast<std::size_t>(p_ - part) + (doubled ? 1 : 0);
    std::memcpy(unquoted_.data() + unquoted_size_, part, length);
    unquoted_size_ += length;
    p_ += doubled ? 2 : 1;
    part = p_;
    if (!doubled) {
      return end_field(
          {unquoted_.data() + copied_from, unquoted_size_ - copied_from}, first_line, first_column);
    }
  }
}

// p_ stands after the field: at a separator, a line end, the end, or a fault.
bool DelimitedReader::end_field(std::string_view field, std::uint32_t line, std::size_t column) {
  fields_.push_back(DelimitedField{field, line, static_cast<std::uint32_t>(column)});
  if (p_ == end_) {
    more_fields_ = false;
    return true;
  }
  if (*p_ == separator_) {
    ++p_;
    return true;
  }
  if (*p_ == '\n' || (*p_ == '\r' && p_ + 1 != end_ && p_[1] == '\n')) {
    p_ += *p_ == '\n' ? 1 : 2;
    line_begin_ = p_;
    ++line_;
    more_fields_ = false;
    return true;
  }
  if (*p_ == '\0') {
    return fail_here("a NUL byte", "text");
  }
  if (*p_ == '\r') {
    return fail_here("a carriage return inside a line", "lines that end with LF or CRLF");
  }
  return fail_here(printable(*p_) + " after a closing quote",
                   printable(separator_) + " or the line's end");
}

bool DelimitedReader::fail(std::uint32_t line,
                           std::size_t column,
                           std::string found,
                           std::string allowed) {
  fault_ = DelimitedFault{
      line, static_cast<std::uint32_t>(column), std::move(found), std::move(allowed)};
  return false;
}

bool DelimitedReader::fail_here(std::string found, std::string allowed) {
  return fail(line_, column_of(p_), std::move(found), std::move(allowed));
}

// After a fault: on with the line after the record's first, or after the place of the fault.
void DelimitedReader::resume() {
  fields_.clear();
  more_fields_ = false;
  if (rescans_ < kMaxRescans) {
    ++rescans_;
    p_ = record_begin_;
    line_ = record_line_;
  } else if (p_ == line_begin_) {
    return;
  }
  const auto* const newline =
      static_cast<const char*>(std::memchr(p_, '\n', static_cast<std::size_t>(end_ - p_)));
  p_ = newline == nullptr ? end_ : newline + 1;
  line_begin_ = p_;
  ++line_;
}

void append_csv_field(std::string& out, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') {
      out += '"';
    }
    out += c;
  }
  out += '"';
}

}  // namespace weft
