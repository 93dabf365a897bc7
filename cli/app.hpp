// The command line of weft: which command, which options, and what a fault of each kind means for
// the exit code. main() hands everything here.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace weft::cli {

// Runs the command line `arguments` (without the program's name). Data goes to `out`, messages to
// `err`. Returns the exit code (docs/cli.md); never throws.
int run_command_line(const std::vector<std::string>& arguments,
                     std::ostream& out,
                     std::ostream& err);

}  // namespace weft::cli
