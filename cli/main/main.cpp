#include <iostream>

#include "cli/app.hpp"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return weft::cli::run_command_line(
      {argv + (argc > 0 ? 1 : 0), argv + argc}, std::cout, std::cerr);
}
