#include "results/report.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/errors.hpp"
#include "results/output_file.hpp"
#include "results/report_page.hpp"

namespace weft::results {
namespace {

constexpr std::size_t kGanttBlocks = 20000;  // shared by all runs: keeps the page below 3 MB

std::string name_of(const std::string& folder) {
  std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  if (!path.has_filename()) {
    path = path.parent_path();
  }
  const std::string name = path.filename().string();
  return name.empty() || name == "." || name == ".." ? folder : name;
}

// Names are what tells runs apart on every chart: equal ones get the folder's whole path.
void make_unique(report::Runs& runs) {
  std::vector<bool> shared(runs.size(), false);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t j = 0; j < runs.size(); ++j) {
      shared[i] = shared[i] || (i != j && runs[i].name == runs[j].name);
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (shared[i]) {
      runs[i].name += " (" + std::to_string(i + 1) + ": " + runs[i].folder + ")";
    }
  }
}

}  // namespace

std::string build_report(const std::vector<std::string>& run_dirs, const ReportOptions& options) {
  if (run_dirs.empty() || run_dirs.size() > kMaxReportRuns) {
    throw InputErrors({InputError{{},
                                  "report",
                                  std::to_string(run_dirs.size()) + " run folders",
                                  "1 to " + std::to_string(kMaxReportRuns)}});
  }
  report::Runs runs;
  std::vector<InputError> errors;
  for (std::size_t i = 0; i < run_dirs.size(); ++i) {
    const bool named = i < options.names.size() && !options.names[i].empty();
    try {
      runs.push_back(report::read_run(run_dirs[i],
                                      named ? options.names[i] : name_of(run_dirs[i]),
                                      kGanttBlocks / run_dirs.size()));
    } catch (const InputErrors& found) {
      errors.insert(errors.end(), found.errors().begin(), found.errors().end());
    }
  }
  if (!errors.empty()) {
    throw InputErrors(std::move(errors));
  }
  make_unique(runs);
  std::string title = options.title;
  if (title.empty()) {
    title =
        runs.size() == 1 ? runs[0].name : "Comparison of " + std::to_string(runs.size()) + " runs";
  }
  return report::page_html(runs, title);
}

void write_report(const std::vector<std::string>& run_dirs,
                  const std::string& path,
                  const ReportOptions& options) {
  const std::string page = build_report(run_dirs, options);
  // A page appears whole or not at all; but a device or pipe is written to, never replaced.
  std::error_code no_such_file;
  const bool in_place = std::filesystem::exists(path, no_such_file) &&
                        (!std::filesystem::is_regular_file(path, no_such_file) ||
                         std::filesystem::is_symlink(path, no_such_file));
  const std::string partial = in_place ? path : path + ".partial";
  try {
    OutputFile file(partial);
    file.append(page);
    file.close();
  } catch (const OutputError&) {
    if (!in_place) {
      std::remove(partial.c_str());
    }
    throw;
  }
  if (!in_place && std::rename(partial.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(partial.c_str());
    throw OutputError("cannot write " + path + ": " + std::generic_category().message(error));
  }
}

}  // namespace weft::results
