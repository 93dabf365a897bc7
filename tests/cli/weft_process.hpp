// Runs the built binary as its users do: arguments in, exit code, stdout and stderr out.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace weft::cli::test {

struct Finished {
  int exit_code = -1;  // 128 + signal if a signal ended it
  std::string out;
  std::string err;
};

// `cwd`: where it runs. `while_running` gets the process id soon after it was started.
Finished run_weft(const std::vector<std::string>& arguments,
                  const std::filesystem::path& cwd = {},
                  const std::function<void(int pid)>& while_running = {});

// A fresh folder below the test's temporary one; removed with the object.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  [[nodiscard]] std::string path(const std::string& name = {}) const;
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] std::string read(const std::string& name) const;

 private:
  std::filesystem::path root_;
};

// A CSV by its header, quotes undone.
using CsvRow = std::map<std::string, std::string>;
std::vector<CsvRow> csv_rows(const std::string& text);
// The row of jobs.csv of one job; empty if there is none.
CsvRow row_of(const std::vector<CsvRow>& rows, const std::string& job_id);

// Jobs of an SWF log: a line each, "submit wait run processors limit".
std::string swf(const std::vector<std::string>& jobs);

}  // namespace weft::cli::test
