#include "cli/table.hpp"

#include <algorithm>
#include <ostream>

#include <nlohmann/json.hpp>

#include "results/output_file.hpp"

namespace weft::cli {

namespace {
void print_csv_row(std::ostream& out, const std::vector<std::string>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    out << (i == 0 ? "" : ",") << results::csv_field(row[i]);
  }
  out << '\n';
}
}  // namespace

void Table::print(std::ostream& out, OutputFormat format) const {
  if (format == OutputFormat::kJson) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const std::vector<std::string>& row : rows_) {
      nlohmann::ordered_json object = nlohmann::ordered_json::object();
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        object[columns_[i]] =
            row[i].empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(row[i]);
      }
      all.push_back(std::move(object));
    }
    out << all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    return;
  }
  if (format == OutputFormat::kCsv) {
    print_csv_row(out, columns_);
    for (const std::vector<std::string>& row : rows_) {
      print_csv_row(out, row);
    }
    return;
  }
  std::vector<std::size_t> widths;
  for (const std::string& column : columns_) {
    widths.push_back(column.size());
  }
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  const auto print_row = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      line += std::string(widths[i] - row[i].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  print_row(columns_);
  for (const std::vector<std::string>& row : rows_) {
    print_row(row);
  }
}

}  // namespace weft::cli
