// Small tables for stdout: aligned text for people, CSV or JSON for programs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/session.hpp"

namespace weft::cli {

class Table {
 public:
  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  // As many cells as there are columns; an empty cell is a value that is not known (JSON: null).
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::ostream& out, OutputFormat format) const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace weft::cli
