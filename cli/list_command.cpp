// `weft list`: what is built in.
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/quantity.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "formats/job_reader.hpp"
#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "schedulers/placement.hpp"
#include "schedulers/registry.hpp"

namespace weft::cli {

namespace {
template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? to_text(*value) : std::string();
}

Table gpus() {
  Table table({"model", "memory", "memory_bandwidth", "bf16", "fp8", "scale_up", "tdp", "price"});
  for (const platforms::GpuSpec& gpu : platforms::builtin_catalogue().gpus) {
    table.add({gpu.name,
               text_of(gpu.memory),
               text_of(gpu.memory_bandwidth),
               text_of(gpu.peak.bf16),
               text_of(gpu.peak.fp8),
               gpu.scale_up_bandwidth.raw() > 0 ? to_text(gpu.scale_up_bandwidth) : "",
               text_of(gpu.tdp),
               gpu.price ? price_to_text(*gpu.price, PriceUnit::Kind::kOnce) : ""});
  }
  return table;
}

Table platform_table() {
  Table table({"name", "nodes", "gpus", "gpu_models", "description"});
  for (const platforms::ShippedPlatform& shipped : platforms::shipped_platforms()) {
    Diagnostics diagnostics;
    const platforms::Platform platform =
        platforms::load_platform(std::string(shipped.name), diagnostics);
    std::string models;
    for (const std::string& model : platforms::gpu_models(platform)) {
      models += (models.empty() ? "" : " ") + model;
    }
    table.add({std::string(shipped.name),
               std::to_string(platforms::node_count(platform)),
               std::to_string(platforms::gpu_count(platform)),
               models,
               platform.description});
  }
  table.add({"flat:N", "1", "N", "", "one pool of N processors, any of which will do"});
  table.add({"openb:NODES.csv", "", "", "", "the node list of Alibaba's GPU trace of 2023"});
  return table;
}

Table scheduler_table() {
  Table table({"scheduler", "maturity", "description", "options"});
  schedulers::Registry registry;
  schedulers::register_builtin(registry);
  for (const schedulers::PolicyHelp& policy : registry.help()) {
    std::string options;
    for (const schedulers::OptionHelp& option : policy.options) {
      options += (options.empty() ? "" : "; ") + std::string(option.name) + ": " +
                 std::string(option.values);
    }
    table.add({std::string(policy.name),
               std::string(policy.maturity),
               std::string(policy.help),
               std::move(options)});
  }
  return table;
}

Table placement_table() {
  Table table({"placement", "description"});
  for (const schedulers::PlacementHelp& placement : schedulers::placements()) {
    table.add({std::string(placement.name), std::string(placement.help)});
  }
  return table;
}

Table job_formats() {
  Table table({"format", "description"});
  for (const formats::JobFormat format : formats::all_job_formats()) {
    table.add({std::string(formats::to_string(format)), std::string(formats::describe(format))});
  }
  return table;
}

void add_list(CLI::App& list,
              Session& session,
              const std::string& what,
              const std::string& help,
              Table (*make)()) {
  CLI::App* command = list.add_subcommand(what, help);
  command->footer("Example:\n  weft list " + what + " --format csv");
  add_common_options(*command, session.common);
  command->callback([&session, make] {
    session.action = [&session, make] {
      make().print(session.out, session.common.format);
      return ExitCode::kDone;
    };
  });
}
}  // namespace

void add_list_command(CLI::App& app, Session& session) {
  CLI::App* list = app.add_subcommand("list", "What is built in");
  list->require_subcommand(1);
  list->footer("Example:\n  weft list platforms");
  add_list(*list, session, "gpus", "GPUs of the hardware catalogue", gpus);
  add_list(*list, session, "platforms", "Clusters that can be named with -p", platform_table);
  add_list(*list, session, "schedulers", "Scheduling policies, for -s", scheduler_table);
  add_list(*list, session, "placements", "Ways to choose nodes, for --placement", placement_table);
  add_list(*list, session, "formats", "Job log formats, for -w FORMAT:FILE", job_formats);
}

}  // namespace weft::cli
