// Rows of a CSV with a header: the part that the CSV-like job logs share. Internal to formats/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/delimited.hpp"
#include "formats/read_context.hpp"

namespace weft::formats {

// A column of one format: what it is called, and what to say if it is missing.
struct CsvColumn {
  std::string_view name;
  bool required = false;
  std::string_view if_missing;  // required: what could be done; else what is used instead
};

// Rows with a wrong number of cells or with broken quotes are reported and passed over.
class CsvRows {
 public:
  explicit CsvRows(ReadContext& context);

  // Reads the header; false if a required column is missing, or one that is used stands there
  // twice (all reported). Columns are then known by their position in `columns`.
  bool read_header(const std::vector<CsvColumn>& columns);
  bool next();

  [[nodiscard]] bool has(std::size_t column) const { return position_[column].has_value(); }
  // Empty if the file has no such column.
  [[nodiscard]] const Cell& cell(std::size_t column) const;
  [[nodiscard]] std::string_view text(std::size_t column) const { return cell(column).text; }
  [[nodiscard]] std::uint32_t line() const { return rows_.line(); }

  // The cell's value into `out`, nothing if the cell is empty. False if it is no such value:
  // reported.
  bool read_count(std::size_t column, std::int64_t most, std::optional<std::int64_t>& out);
  bool read_seconds_cell(std::size_t column, std::optional<Duration>& out);
  // Reports that a cell has nothing but must have something; always false.
  bool missing_value(std::size_t column, std::string allowed);
  void fault(std::size_t column, std::string found, std::string allowed);

 private:
  ReadContext& context_;
  DelimitedRows rows_;
  std::size_t width_ = 0;  // of the header
  std::vector<CsvColumn> columns_;
  std::vector<std::optional<std::size_t>> position_;
};

}  // namespace weft::formats
