#include "cli/output_folder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <nlohmann/json.hpp>

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

bool is_run_file(std::string_view name) {
  return std::find(kRunFiles.begin(), kRunFiles.end(), name) != kRunFiles.end();
}

// By content: a manifest.json belongs to many kinds of software.
bool is_manifest(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return false;
  }
  std::ifstream in(path, std::ios::binary);
  const nlohmann::json all = nlohmann::json::parse(in, nullptr, false);
  const auto text = [&all](const char* key) { return all.contains(key) && all[key].is_string(); };
  return all.is_object() && text("weft") && text("simgrid") && text("state");
}
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
  const bool ours = is_manifest(fs::path(folder) / kMark);
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code unknown;
    if (entry->is_directory(unknown) && !entry->is_symlink(unknown)) {
      if (is_run_file(name)) {
        return "'" + entry->path().string() + "' is a folder where a file of the run would go";
      }
    } else if (!ours) {
      return "'" + folder + "' holds files that are not a weft run's ('" + name +
             "'); name a new or empty folder";
    }
  }
  if (error) {
    return "'" + folder + "' cannot be read: " + error.message();
  }
  return {};
}

std::string input_in_the_way(const std::string& folder, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    for (const std::string_view name : kRunFiles) {
      std::error_code not_there;
      if (fs::equivalent(fs::path(folder) / name, input, not_there)) {
        return input;
      }
    }
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
