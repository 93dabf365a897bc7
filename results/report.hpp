// The HTML report: one self-contained file, made from finished run folders alone, so that it can
// be rebuilt at any time and shows exactly what the other output files say (docs/report.md).
//
// A folder needs summary.json, jobs.csv, timeline.csv, ledger.csv and manifest.json; nodes.csv,
// users.csv and accounts.csv are shown where they are there. Columns are found by name. jobs.csv
// and timeline.csv are read as a stream: the report's size does not grow with them.
#pragma once

#include <string>
#include <vector>

namespace weft::results {

struct ReportOptions {
  std::string title;               // empty: the name of the only run, or "Comparison of N runs"
  std::vector<std::string> names;  // one a run; empty or missing: the folder's name
};

constexpr std::size_t kMaxReportRuns = 12;

// The page. Several folders stand side by side, differences against the first. Throws InputErrors
// with the path, line and column for folders and files that cannot be read.
[[nodiscard]] std::string build_report(const std::vector<std::string>& run_dirs,
                                       const ReportOptions& options);

// build_report into the file `path`, replaced only when the page is complete. Throws InputErrors
// also when the file cannot be written.
void write_report(const std::vector<std::string>& run_dirs,
                  const std::string& path,
                  const ReportOptions& options);

}  // namespace weft::results
