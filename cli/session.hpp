// What every command gets: where to print, the options common to all commands, and the place to
// leave what it will do once the command line is known to be right.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/exit_code.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

enum class OutputFormat : std::uint8_t { kText, kJson, kCsv };

struct CommonOptions {
  bool quiet = false;  // no messages, no progress; errors are printed all the same
  bool no_progress = false;
  OutputFormat format = OutputFormat::kText;  // of what goes to stdout
  std::string on_bad_job;                     // "error", "skip" or empty: as the scenario says
  std::string timezone;                       // empty: as the scenario says, else UTC
};

struct Session {
  std::ostream& out;                   // data
  std::ostream& err;                   // messages and progress
  std::vector<std::string> arguments;  // the command line, for the manifest
  CommonOptions common;
  std::function<ExitCode()> action;

  // A message for people, unless --quiet.
  void say(const std::string& message) const;
};

// Each adds its command to `app`; `session` must outlive the parse.
void add_run_command(CLI::App& app, Session& session);
void add_check_command(CLI::App& app, Session& session);
void add_trace_command(CLI::App& app, Session& session);
void add_report_command(CLI::App& app, Session& session);
void add_list_command(CLI::App& app, Session& session);
void add_explain_command(CLI::App& app, Session& session);

// --quiet, --no-progress, --format, --on-bad-job, --timezone.
void add_common_options(CLI::App& command, CommonOptions& common);

}  // namespace weft::cli
