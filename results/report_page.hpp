// From RunReports to the page: sentences, figures, tables, the charts' data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/report_run.hpp"
#include "results/report_text.hpp"

namespace weft::results::report {

using Runs = std::vector<RunReport>;

// A figure of the headline: its number, as the files hold it and as the page shows it.
struct Metric {
  std::string label;
  std::string explanation;
  std::optional<double> value;
  std::string exact;  // text of summary.json, or the value computed from the CSV files
  NumberFormat format = number_text;
  enum class Better { kNeither, kLower, kHigher } better = Better::kNeither;
};
[[nodiscard]] std::vector<Metric> metrics_of(const RunReport& run);
// "<data value=...>12.3 s</data>" or "n/a".
[[nodiscard]] std::string metric_html(const Metric& metric);

// What to see, in a sentence (plain text; user strings in it are not yet escaped).
[[nodiscard]] std::string main_finding(const RunReport& run);
[[nodiscard]] std::string timeline_finding(const Runs& runs);
[[nodiscard]] std::string queue_finding(const Runs& runs);
[[nodiscard]] std::string power_finding(const Runs& runs);
enum class Distribution { kWait, kTurnaround, kBoundedSlowdown };
[[nodiscard]] std::string distribution_finding(const Runs& runs, Distribution which);
[[nodiscard]] std::string size_finding(const Runs& runs);
[[nodiscard]] std::string user_finding(const Runs& runs, const std::vector<std::string>& users);
[[nodiscard]] std::string gantt_finding(const RunReport& run);
[[nodiscard]] std::string_view meaning_of(std::string_view account);

// The users shown by name: most GPU time over all runs first.
[[nodiscard]] std::vector<std::string> top_users(const Runs& runs);
[[nodiscard]] const WaitGroup* find_group(const std::vector<WaitGroup>& groups,
                                          std::string_view name);
[[nodiscard]] std::vector<std::string> size_classes(const Runs& runs);  // ascending

// A table in a box of its own that scrolls sideways. Cells and captions are HTML already.
struct HtmlTable {
  std::string caption;
  std::vector<std::string> header;
  // Columns from text_columns up to text_again hold numbers, aligned right; the others text.
  std::size_t text_columns = 1;
  std::size_t text_again = SIZE_MAX;
  std::vector<std::vector<std::string>> rows;
};
[[nodiscard]] std::string to_html(const HtmlTable& table);

[[nodiscard]] std::string headline_html(const Runs& runs);
[[nodiscard]] std::string ledger_table(const Runs& runs);
[[nodiscard]] std::string timeline_table(const Runs& runs);
[[nodiscard]] std::string queue_table(const Runs& runs);
[[nodiscard]] std::string distribution_table(const Runs& runs, Distribution which);
[[nodiscard]] std::string groups_table(const Runs& runs,
                                       const std::vector<std::string>& names,
                                       std::vector<WaitGroup> JobStatistics::*groups,
                                       const char* heading);
[[nodiscard]] std::string gantt_table(const RunReport& run);
[[nodiscard]] std::string text_table(const TextTable& table, const std::string& caption);
[[nodiscard]] std::string jobs_tables(const RunReport& run);
[[nodiscard]] std::string key_value_table(
    const std::vector<std::pair<std::string, std::string>>& rows, const std::string& caption);
[[nodiscard]] std::string decisions_table(const RunReport& run, const std::string& caption);

[[nodiscard]] std::string definitions_html();
// The JSON that report.js draws from, safe inside <script>.
[[nodiscard]] std::string chart_data(const Runs& runs);
[[nodiscard]] std::string page_html(const Runs& runs, const std::string& title);

}  // namespace weft::results::report
