// The options of `weft run`: each stands for one key of the scenario, so they become overrides and
// the scenario's reader is the one judge of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/session.hpp"
#include "formats/scenario.hpp"

namespace weft::cli {

struct RunOptions {
  std::string scenario;  // file; empty: all from options
  std::vector<formats::Override> overrides;
  std::string output_folder = "weft-out";
};

// What CLI11 fills. Values stay text: the scenario's reader parses them.
class RunOptionParser {
 public:
  // Adds the options to `command`, which must not outlive this object.
  void add_to(CLI::App& command);
  // Call after a successful parse. Throws UsageError for what cannot be a scenario.
  [[nodiscard]] RunOptions options(const CommonOptions& common) const;

 private:
  struct KeyOption {
    std::string option;  // "--horizon"
    std::string path;    // "horizon"
    std::string value;
    bool given = false;
  };
  void add_key(CLI::App& command,
               const std::string& option,
               const std::string& path,
               const std::string& help,
               const std::string& type);
  [[nodiscard]] formats::Override workload_list() const;

  std::string scenario_;
  std::string platform_;
  std::string scheduler_;
  std::string output_folder_ = "weft-out";
  std::vector<std::string> logs_;
  std::vector<std::string> sets_;
  std::vector<std::unique_ptr<KeyOption>> keys_;
  bool events_ = false;
  bool no_report_ = false;
};

}  // namespace weft::cli
