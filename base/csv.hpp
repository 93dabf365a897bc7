// Splits delimited text (CSV, `sacct -P`, tab-separated) into records, strictly and fast.
//
// The reader borrows the text, which must outlive it; fields are views into it, or into the reader
// (a quoted field with "" inside), valid until the next next(). One pass, no allocation per record.
// It knows nothing of columns or headers: the formats do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct DelimitedField {
  std::string_view text;     // without the quotes
  std::uint32_t line = 0;    // from 1; differs from the record's after a quoted line break
  std::uint32_t column = 0;  // in bytes, from 1; of the opening quote if there is one
};

struct DelimitedFault {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string found;
  std::string allowed;
};

// kRfc4180: a field that begins with a quote ends with one; separators, line breaks and doubled
// quotes may stand inside; a quote elsewhere is a fault. kNone: quotes are plain characters, as
// sacct -P writes them.
enum class Quoting : std::uint8_t { kRfc4180, kNone };

class DelimitedReader {
 public:
  static constexpr std::size_t kMaxRecord = std::size_t{1} << 20;  // bytes

  DelimitedReader(std::string_view text, char separator, Quoting quoting = Quoting::kRfc4180);

  // To the next record; false at the end. Lines end with LF, CRLF or the end of the text; empty
  // lines are skipped, and so is a byte order mark.
  bool next();
  // Of a faulty record: none.
  [[nodiscard]] std::span<const DelimitedField> fields() const { return fields_; }
  [[nodiscard]] std::uint32_t line() const { return record_line_; }
  // What is wrong with this record (NUL byte, stray quote, quote never closed, carriage return
  // inside a line, longer than kMaxRecord); reading goes on with the line after its first.
  [[nodiscard]] const std::optional<DelimitedFault>& fault() const { return fault_; }

 private:
  void read_record();
  bool read_plain();   // false: fault
  bool read_quoted();  // false: fault
  bool end_field(std::string_view field, std::uint32_t line, std::size_t column);
  bool fail(std::uint32_t line, std::size_t column, std::string found, std::string allowed);
  bool fail_here(std::string found, std::string allowed);  // at p_; both return false
  void resume();
  [[nodiscard]] std::size_t column_of(const char* p) const {
    return static_cast<std::size_t>(p - line_begin_) + 1;
  }

  const char* p_;
  const char* end_;
  const char* line_begin_;
  const char* record_begin_ = nullptr;
  char separator_;
  Quoting quoting_;
  bool more_fields_ = false;
  std::array<bool, 256> special_{};  // characters at which a plain field ends, or is at fault
  std::uint32_t line_ = 1;
  std::uint32_t record_line_ = 0;
  std::size_t rescans_ = 0;
  std::vector<DelimitedField> fields_;
  std::vector<char> unquoted_;  // text of the fields whose quotes were doubled
  std::size_t unquoted_size_ = 0;
  std::optional<DelimitedFault> fault_;
};

// Appends the field, in quotes if it needs them (RFC 4180, separator comma).
void append_csv_field(std::string& out, std::string_view field);

}  // namespace weft
