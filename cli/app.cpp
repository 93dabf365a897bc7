#include "cli/app.hpp"

#include <algorithm>
#include <new>
#include <ostream>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/errors.hpp"
#include "cli/exit_code.hpp"
#include "cli/session.hpp"
#include "cli/version.hpp"
#include "results/output_file.hpp"
#include "sim/simulation.hpp"

namespace weft::cli {

void Session::say(const std::string& message) const {
  if (!common.quiet) {
    err << message << '\n' << std::flush;
  }
}

void add_common_options(CLI::App& command, CommonOptions& common) {
  command.add_flag("-q,--quiet", common.quiet, "Print no messages and no progress, only errors");
  command.add_flag("--no-progress", common.no_progress, "Print no progress");
  command
      .add_option_function<std::string>(
          "--format",
          [&common](const std::string& word) {
            common.format = word == "json"  ? OutputFormat::kJson
                            : word == "csv" ? OutputFormat::kCsv
                                            : OutputFormat::kText;
          },
          "What goes to stdout: text, json or csv")
      ->check(CLI::IsMember({"text", "json", "csv"}).description(""))
      ->type_name("text|json|csv");
  command.add_option("--on-bad-job", common.on_bad_job, "What a wrong row of a job log does")
      ->check(CLI::IsMember({"error", "skip"}).description(""))
      ->type_name("error|skip");
  command
      .add_option("--timezone",
                  common.timezone,
                  "Zone of calendar times without one in a log, such as Europe/Berlin or +02:00")
      ->type_name("ZONE");
}

namespace {
std::vector<std::string_view> command_names(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string_view> names;
  names.reserve(commands.size());
  for (const CLI::App* command : commands) {
    names.push_back(command->get_name());
  }
  return names;
}

// The command the user got to before the fault: "weft trace convert".
const CLI::App& deepest(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest(*chosen.front());
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? "weft" : full_name(*parent) + ' ' + command.get_name();
}

// Words that CLI11 could make nothing of, as a sentence with the nearest known word.
std::string unknown_words(const CLI::App& command, const std::vector<std::string>& words) {
  const std::string& word = words.front();
  if (word.size() > 1 && word.front() == '-') {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> options;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& known : option->get_lnames()) {
        options.push_back("--" + known);
      }
      for (const std::string& known : option->get_snames()) {
        options.push_back('-' + known);
      }
    }
    const std::string_view guess = nearest(name, {options.begin(), options.end()});
    return "unknown option '" + name + "' of '" + full_name(command) + "'" +
           (guess.empty() ? "" : "; did you mean '" + std::string(guess) + "'?");
  }
  const std::vector<const CLI::App*> commands = command.get_subcommands(nullptr);
  if (!commands.empty()) {
    return "unknown command '" + word +
           "'; allowed: " + allowed_words(word, command_names(commands));
  }
  return "'" + full_name(command) + "' takes no further argument, found '" + word + "'";
}

int usage_fault(const CLI::App& app, const CLI::ParseError& error, std::ostream& err) {
  const CLI::App& command = deepest(app);
  std::vector<std::string> words = command.remaining();
  std::string text = error.what();
  // By exit code: get_name() of some of these is the command's.
  const auto is = [&error](CLI::ExitCodes code) {
    return error.get_exit_code() == static_cast<int>(code);
  };
  if (!words.empty() && (is(CLI::ExitCodes::ExtrasError) || is(CLI::ExitCodes::RequiredError))) {
    text = unknown_words(command, words);
  } else if (is(CLI::ExitCodes::RequiredError) && !command.get_subcommands(nullptr).empty()) {
    text = "no command given; allowed: " +
           allowed_words("", command_names(command.get_subcommands(nullptr)));
  }
  err << "weft: " << text << "\nTry '" << full_name(command) << " --help'.\n";
  return static_cast<int>(ExitCode::kUsage);
}

int fault(const std::string& text, ExitCode code, std::ostream& err) {
  err << "weft: " << text << '\n';
  return static_cast<int>(code);
}

// Every kind of failure has one place where it becomes an exit code: here.
int act(const Session& session) {
  try {
    return static_cast<int>(session.action());
  } catch (const InputErrors& errors) {
    session.err << errors.what() << '\n';
    return static_cast<int>(ExitCode::kInvalidInput);
  } catch (const UsageError& error) {
    return fault(error.what(), ExitCode::kUsage, session.err);
  } catch (const Interrupted& error) {
    return fault(error.what(), ExitCode::kInterrupted, session.err);
  } catch (const sim::PolicyError& error) {
    return fault(error.what(), ExitCode::kFailed, session.err);
  } catch (const RunError& error) {
    return fault(error.what(), ExitCode::kFailed, session.err);
  } catch (const results::OutputError& error) {
    return fault(error.what(), ExitCode::kFailed, session.err);
  } catch (const std::bad_alloc&) {
    return fault("not enough memory", ExitCode::kFailed, session.err);
  } catch (const std::exception& error) {
    return fault(std::string("failed: ") + error.what(), ExitCode::kFailed, session.err);
  }
}
}  // namespace

namespace {
int parse_and_act(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  Session session{out, err, arguments, {}, {}};
  CLI::App app{"weft simulates GPU clusters: where every GPU-second goes, and what it costs.",
               "weft"};
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("--version", version_text(), "Print the version and exit");
  app.require_subcommand(1);
  app.footer(
      "Example:\n"
      "  weft run -p medium-256 -w jobs.swf -s easy -o out/\n"
      "'weft COMMAND --help' explains a command.");
  add_run_command(app, session);
  add_check_command(app, session);
  add_trace_command(app, session);
  add_report_command(app, session);
  add_list_command(app, session);
  add_explain_command(app, session);
  try {
    std::vector<std::string> reversed = arguments;  // CLI11 takes them last first
    std::reverse(reversed.begin(), reversed.end());
    app.parse(std::move(reversed));
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted, out, err);
  } catch (const CLI::ParseError& error) {
    return usage_fault(app, error, err);
  } catch (const std::exception& error) {
    return fault(std::string("failed: ") + error.what(), ExitCode::kFailed, err);
  }
  return act(session);
}
}  // namespace

int run_command_line(const std::vector<std::string>& arguments,
                     std::ostream& out,
                     std::ostream& err) {
  const int code = parse_and_act(arguments, out, err);
  // What was printed may be all there is of a result: half of it must not pass for done.
  if (!out.flush() && code == static_cast<int>(ExitCode::kDone)) {
    return fault("standard output cannot be written", ExitCode::kFailed, err);
  }
  return code;
}

}  // namespace weft::cli
