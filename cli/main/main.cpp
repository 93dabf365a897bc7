#include <fcntl.h>
#include <iostream>
#include <unistd.h>

#include "cli/app.hpp"

int main(int argc, char** argv) {
  // With stdout closed, the first file opened would take its place and its data.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
      // The lowest free number is this one; writing to it fails, as to a closed one.
      static_cast<void>(::open("/dev/null", O_RDONLY));
    }
  }
  std::ios::sync_with_stdio(false);
  return weft::cli::run_command_line(
      {argv + (argc > 0 ? 1 : 0), argv + argc}, std::cout, std::cerr);
}
