// resolved.yaml: a scenario with nothing left to look up.
#include <filesystem>
#include <string>
#include <string_view>

#include "base/quantity.hpp"
#include "formats/scenario.hpp"
#include "formats/scheduler_file.hpp"
#include "platforms/write.hpp"
#include "workloads/generator_yaml.hpp"

namespace weft::formats {

namespace {
using platforms::yaml_scalar;

std::string indented(std::string_view text, std::size_t by) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) {
      out += std::string(by, ' ') + std::string(text.substr(0, end));
    }
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string platform_text(const PlatformChoice& choice) {
  return choice.platform ? "platform:\n" + indented(platforms::to_yaml(*choice.platform), 2)
                         : "platform: " + choice.spec + '\n';
}

// Which of two sizes counts where the user did not say: by the log's format.
std::string_view size_word(const WorkloadSource& source) {
  return source.format == JobFormat::kSacct ? "requested" : "allocated";
}

std::string source_text(const WorkloadSource& source, const BindingChoice& binding) {
  std::string text;
  if (source.generate) {
    text += "  - generate:\n" + indented(workloads::to_yaml(*source.generate), 6);
  } else {
    const std::string path =
        source.file == "-" ? source.file
                           : std::filesystem::absolute(source.file).lexically_normal().string();
    text += "  - file: " + yaml_scalar(path) + '\n';
    if (source.format) {
      text += "    format: " + std::string(to_string(*source.format)) + '\n';
    }
    text += "    on_bad_job: " + std::string(source.read.skip_bad_rows ? "skip" : "error") + '\n';
    text += "    timezone: " + yaml_scalar(source.read.time_zone) + '\n';
    text += "    batsim_speed: " + to_text(source.read.batsim_speed) + '\n';
    for (std::size_t i = 0; i < source.read.columns.size(); ++i) {
      const ColumnMapping& column = source.read.columns[i];
      text += (i == 0 ? "    columns:\n      " : "      ") + column.field + ": " +
              yaml_scalar(column.column + (column.unit.empty() ? "" : '@' + column.unit)) + '\n';
    }
  }
  for (const auto& [name, word] : binding.words) {
    const bool by_format = name == "size" && !binding.size_given && !source.generate;
    text += "    " + name + ": " + (by_format ? std::string(size_word(source)) : word) + '\n';
  }
  return text;
}
}  // namespace

std::string resolved_yaml(const Scenario& scenario) {
  std::string text = "weft: 1\nname: " + yaml_scalar(scenario.name) + '\n';
  text += platform_text(scenario.platform);
  text += "workload:\n";
  for (const WorkloadSource& source : scenario.workload) {
    text += source_text(source, scenario.binding);
  }
  text += "scheduler: " + scheduler_yaml(scenario.scheduler) + '\n';
  text += "placement: " + std::string(schedulers::to_string(scenario.scheduler.placement)) + '\n';
  text += "fidelity: trace\n";
  if (scenario.horizon) {
    text += "horizon: " + to_text(*scenario.horizon) + '\n';
  }
  if (scenario.measure) {
    text +=
        "measure: " + to_text(scenario.measure->from) + ".." + to_text(scenario.measure->to) + '\n';
  }
  text += "seed: " + std::to_string(scenario.seed) + '\n';
  text += "outputs: {events: " + std::string(scenario.outputs.events ? "true" : "false") +
          ", report: " + (scenario.outputs.report ? "true" : "false") + "}\n";
  return text;
}

}  // namespace weft::formats
