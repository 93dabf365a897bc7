// What the process returns. Scripts rely on these (docs/cli.md).
#pragma once

#include <stdexcept>
#include <string>

namespace weft::cli {

enum class ExitCode : int {
  kDone = 0,
  kFailed = 1,         // the run failed or could not finish
  kUsage = 2,          // wrong command line
  kInvalidInput = 3,   // an input is wrong; nothing was written
  kCheckViolated = 4,  // a requested check was violated
  kInterrupted = 130,  // stopped by Ctrl-C; what was finished is written
};

// A wrong command line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A run that could not finish, or a file that could not be written; `what` says why.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The user pressed Ctrl-C before there was anything to write.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted; nothing was written") {}
};

}  // namespace weft::cli
