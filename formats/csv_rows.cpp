#include "formats/csv_rows.hpp"

#include <algorithm>

#include "base/number.hpp"

namespace weft::formats {

namespace {

const Cell kNoCell{};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

CsvRows::CsvRows(ReadContext& context)
    : context_(context), rows_(context.file, ',', DelimitedRows::Quotes::kRfc4180) {}

bool CsvRows::read_header(const std::vector<CsvColumn>& columns) {
  columns_ = columns;
  position_.assign(columns.size(), std::nullopt);
  if (!rows_.next()) {
    context_.file_fault(context_.file.at(0, 0), {}, "no header line", "a line of column names");
    return false;
  }
  if (const auto& bad = rows_.fault()) {
    context_.file_fault(
        context_.file.at(bad->line, bad->column), {}, bad->found, "cells as in RFC 4180");
    return false;
  }
  const ColumnNames names(rows_.cells());
  width_ = names.size();
  context_.info.columns = names.names();
  bool ok = true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const CsvColumn& column = columns[i];
    position_[i] = names.find(column.name);
    if (position_[i]) {
      for (std::size_t other = *position_[i] + 1; other < names.size(); ++other) {
        if (equal_ignoring_case(names.name(other), column.name)) {
          const Cell& again = rows_.cells()[other];
          context_.file_fault(context_.file.at(again.line, again.column),
                              std::string(column.name),
                              "the same column twice",
                              "each column once");
          ok = false;
        }
      }
    } else if (column.required) {
      context_.file_fault(context_.file.at(rows_.line(), 1),
                          std::string(column.name),
                          "no such column (the file has " + joined(names.names()) + ")",
                          std::string(column.if_missing));
      ok = false;
    } else {
      context_.info.missing_columns.push_back(
          {std::string(column.name), std::string(column.if_missing)});
    }
  }
  return ok;
}

bool CsvRows::next() {
  while (rows_.next()) {
    ++context_.info.rows;
    if (const auto& bad = rows_.fault()) {
      context_.row_fault(bad->line, bad->column, {}, bad->found, "cells as in RFC 4180");
      continue;
    }
    const std::size_t cells = rows_.cells().size();
    if (cells == width_) {
      return true;
    }
    context_.row_fault(rows_.line(),
                       cells > width_ ? rows_.cells()[width_].column : rows_.end_column(),
                       {},
                       std::to_string(cells) + " columns",
                       std::to_string(width_) + " columns, as in the header");
  }
  return false;
}

const Cell& CsvRows::cell(std::size_t column) const {
  return position_[column] ? rows_.cells()[*position_[column]] : kNoCell;
}

void CsvRows::fault(std::size_t column, std::string found, std::string allowed) {
  const Cell& at = cell(column);
  context_.row_fault(at.line == 0 ? rows_.line() : at.line,
                     at.column,
                     std::string(columns_[column].name),
                     std::move(found),
                     std::move(allowed));
}

bool CsvRows::missing_value(std::size_t column, std::string allowed) {
  fault(column, "nothing", std::move(allowed));
  return false;
}

bool CsvRows::read_count(std::size_t column, std::int64_t most, std::optional<std::int64_t>& out) {
  const std::string_view found = text(column);
  if (found.empty()) {
    return true;
  }
  std::int64_t value = 0;
  const char* const end = found.data() + found.size();
  const char* after = read_int64(found.data(), end, value);
  // Data frames write whole numbers of a column with gaps as 8.0.
  if (after != nullptr && after != end && *after == '.' &&
      std::all_of(after + 1, end, [](char c) { return c == '0'; })) {
    after = end;
  }
  if (after != end || value < 0 || value > most) {
    fault(column, quoted(found), "a whole number from 0 to " + std::to_string(most));
    return false;
  }
  out = value;
  return true;
}

bool CsvRows::read_seconds_cell(std::size_t column, std::optional<Duration>& out) {
  const std::string_view found = text(column);
  if (found.empty()) {
    return true;
  }
  Duration value;
  const char* const end = found.data() + found.size();
  if (read_seconds(found.data(), end, value) != end) {
    fault(column, quoted(found), "a number of seconds from 0 to 290 years");
    return false;
  }
  out = value;
  return true;
}

}  // namespace weft::formats
