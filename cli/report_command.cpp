// `weft report DIR...`: the HTML report of finished runs.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/session.hpp"
#include "results/report.hpp"

namespace weft::cli {

namespace {
struct ReportRequest {
  std::vector<std::string> folders;
  std::string output;
  results::ReportOptions options;
};

ExitCode make_report(const ReportRequest& request, const Session& session) {
  if (session.common.format != OutputFormat::kText) {
    throw UsageError("--format: report prints the page's path: allowed text");
  }
  const std::string path =
      request.output.empty()
          ? (std::filesystem::path(request.folders.front()) / "report.html").string()
          : request.output;
  results::write_report(request.folders, path, request.options);
  session.out << path << '\n';
  return ExitCode::kDone;
}
}  // namespace

void add_report_command(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "report", "Make report.html from finished runs; several stand side by side");
  const auto request = std::make_shared<ReportRequest>();
  command->add_option("DIR", request->folders, "Folders of finished runs")->required();
  command->add_option("-o,--output", request->output, "File to write; DIR/report.html if not given")
      ->type_name("FILE");
  command->add_option("--title", request->options.title, "Heading of the page")->type_name("TEXT");
  command
      ->add_option(
          "--name", request->options.names, "What to call a run, in the order of the folders")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  add_common_options(*command, session.common);
  command->footer("Example:\n  weft report out/fcfs out/easy -o compare.html");
  command->callback([&session, request] {
    session.action = [&session, request] { return make_report(*request, session); };
  });
}

}  // namespace weft::cli
