#include "cli/output_folder.hpp"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/exit_code.hpp"

namespace weft::cli {

namespace fs = std::filesystem;

namespace {
constexpr std::string_view kMark = "manifest.json";  // the first file every run writes

// What a run may leave; nothing else is ever removed.
constexpr std::array<std::string_view, 13> kRunFiles = {"manifest.json",
                                                        "resolved.yaml",
                                                        "summary.json",
                                                        "jobs.csv",
                                                        "attempts.csv",
                                                        "ledger.csv",
                                                        "timeline.csv",
                                                        "nodes.csv",
                                                        "users.csv",
                                                        "accounts.csv",
                                                        "links.csv",
                                                        "events.jsonl",
                                                        "report.html"};
}  // namespace

std::string why_not_an_output_folder(const std::string& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) {
    // A file on the way ("file/out") shows up as an error other than "not found".
    if (error && error != std::errc::no_such_file_or_directory) {
      return "'" + folder + "' cannot be made: " + error.message();
    }
    return {};
  }
  if (!fs::is_directory(status)) {
    return "'" + folder + "' is a file, not a folder";
  }
  const bool empty = fs::is_empty(folder, error);
  if (error) {
    return "'" + folder + "' cannot be read: " + error.message();
  }
  if (!empty && !fs::exists(fs::path(folder) / kMark, error)) {
    return "'" + folder + "' holds files that are not a weft run's; name a new or empty folder";
  }
  return {};
}

void make_output_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw RunError("the output folder '" + folder + "' cannot be made: " + error.message());
  }
  for (const std::string_view name : kRunFiles) {
    fs::remove(fs::path(folder) / name, error);
    if (error) {
      throw RunError("'" + (fs::path(folder) / name).string() +
                     "' of an earlier run cannot be removed: " + error.message());
    }
  }
}

}  // namespace weft::cli
