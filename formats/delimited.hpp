// Rows of delimited text (CSV, sacct dumps), cell by cell with their positions. Internal to
// formats/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/input_file.hpp"

namespace weft::formats {

struct Cell {
  std::string_view text;  // without surrounding blanks and quotes
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// Cells hold their text as long as the DelimitedRows and its file live, also after next().
class DelimitedRows {
 public:
  enum class Quotes : std::uint8_t { kPlain, kRfc4180 };  // kPlain: a quote is a character

  DelimitedRows(const InputFile& file, char delimiter, Quotes quotes);

  // The next row that is not blank; false at the end.
  bool next();
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }
  [[nodiscard]] std::uint32_t line() const { return row_line_; }
  // Just behind the row's last character.
  [[nodiscard]] std::uint32_t end_column() const { return end_column_; }
  // A quote that does not close, or text behind the one that does; the row is not to be used.
  struct Fault {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string found;
  };
  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }

 private:
  void read_row();
  Cell plain_cell();
  Cell quoted_cell();
  [[nodiscard]] std::uint32_t column() const {
    return static_cast<std::uint32_t>(at_ - line_begin_ + 1);
  }

  std::string_view text_;
  char delimiter_;
  bool quotes_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t row_line_ = 1;
  std::uint32_t end_column_ = 1;
  std::vector<Cell> cells_;
  std::optional<Fault> fault_;
  std::deque<std::string> unescaped_;  // cells that had "" inside
};

// Columns of a header line, found by name whatever the case.
class ColumnNames {
 public:
  ColumnNames() = default;
  explicit ColumnNames(const std::vector<Cell>& header);
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;  // as written
};

[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace weft::formats
