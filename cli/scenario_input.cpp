#include "cli/scenario_input.hpp"

#include <algorithm>

namespace weft::cli {

namespace {
// The value of an option such as --horizon, but not of --set.
bool is_option(const InputError& error) {
  return error.at.file && error.at.file->rfind("--", 0) == 0 &&
         error.at.file->rfind("--set ", 0) != 0;
}
}  // namespace

formats::Scenario read_scenario_input(const std::string& file,
                                      const std::vector<formats::Override>& overrides,
                                      const Session& session) {
  Diagnostics diagnostics;
  formats::Scenario scenario = file.empty() ? formats::scenario_from(overrides, diagnostics)
                                            : formats::read_scenario(file, overrides, diagnostics);
  print_warnings(diagnostics, session);
  const std::vector<InputError>& errors = diagnostics.errors();
  if (!errors.empty() && std::all_of(errors.begin(), errors.end(), is_option)) {
    std::string text;
    for (const InputError& error : errors) {
      text += (text.empty() ? "" : "\n") + *error.at.file + ": allowed " + error.allowed;
    }
    throw UsageError(text);
  }
  diagnostics.throw_if_errors();
  return scenario;
}

void print_warnings(const Diagnostics& diagnostics, const Session& session) {
  for (const InputError& warning : diagnostics.warnings()) {
    session.say("warning: " + to_string(warning));
  }
}

}  // namespace weft::cli
