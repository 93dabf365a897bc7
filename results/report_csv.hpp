// Reads a CSV file of a run folder row by row, columns by name. The file is mapped, not copied:
// jobs.csv may hold a million rows. RFC 4180: quoted fields may hold commas, quotes and line ends.
//
// Faults are collected (wrong number of fields, not a number, missing column) and thrown together
// as InputErrors by finish(); what cannot be read at all is thrown at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

namespace weft::results::report {

// A file's bytes, mapped read-only. Throws InputErrors if it is not there or not a regular file.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();
  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

class CsvReader {
 public:
  static constexpr std::size_t kNoColumn = SIZE_MAX;

  explicit CsvReader(const std::string& path);

  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] std::size_t find(std::string_view column) const;  // kNoColumn if not there
  [[nodiscard]] std::size_t require(std::string_view column);     // its absence is a fault

  bool next();  // false at the end of the file
  // The field of the current row; empty for kNoColumn. Valid until next().
  [[nodiscard]] std::string_view field(std::size_t column) const {
    return column < fields_.size() ? fields_[column] : std::string_view();
  }
  // Empty field or kNoColumn: nothing. Not a finite number of at most 1e15: nothing, and a fault.
  [[nodiscard]] std::optional<double> number(std::size_t column);
  void fault(std::size_t column, std::string allowed);
  [[nodiscard]] std::uint32_t line() const { return line_; }

  // The last row, without moving: nothing if there is none. For values wanted before streaming.
  [[nodiscard]] std::optional<std::vector<std::string>> last_row() const;

  void finish() const { faults_.throw_if_errors(); }

 private:
  bool split_record();
  std::string_view unquote(std::size_t begin, std::size_t end);
  std::size_t skip_quoted(std::size_t at);

  std::shared_ptr<const std::string> path_;
  MappedFile file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 0;       // of the current record's first line
  std::uint32_t next_line_ = 1;  // of the record after it
  std::vector<std::string> header_;
  std::vector<std::string_view> fields_;
  std::vector<std::unique_ptr<std::string>> unquoted_;  // fields of this row with doubled quotes
  Diagnostics faults_;
};

// A decimal number, the whole of `text`; refuses nan, inf and magnitudes above 1e15.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

}  // namespace weft::results::report
