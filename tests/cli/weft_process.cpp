#include "weft_process.hpp"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace weft::cli::test {

namespace fs = std::filesystem;

namespace {
std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const fs::path& cwd,
                         const fs::path& out,
                         const fs::path& err) {
  if (!cwd.empty() && chdir(cwd.c_str()) != 0) {
    _exit(126);
  }
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDERR_FILENO);
  std::vector<std::string> words{WEFT_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  execv(WEFT_BINARY, argv.data());
  _exit(127);
}
}  // namespace

Finished run_weft(const std::vector<std::string>& arguments,
                  const fs::path& cwd,
                  const std::function<void(int pid)>& while_running) {
  const Folder folder;
  const fs::path out = folder.path("stdout");
  const fs::path err = folder.path("stderr");
  const pid_t pid = fork();
  if (pid == 0) {
    become(arguments, cwd, out, err);
  }
  if (while_running) {
    while_running(pid);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  Finished finished;
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.out = content(out);
  finished.err = content(err);
  return finished;
}

Folder::Folder() {
  std::string pattern = testing::TempDir() + "weft-XXXXXX";
  root_ = mkdtemp(pattern.data());
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::string Folder::path(const std::string& name) const {
  return name.empty() ? root_.string() : (root_ / name).string();
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(root_ / name, std::ios::binary) << text;
  return path(name);
}

bool Folder::has(const std::string& name) const {
  return fs::exists(root_ / name);
}

std::string Folder::read(const std::string& name) const {
  return content(root_ / name);
}

std::vector<CsvRow> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> lines(1);
  std::string field;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted =
          !quoted;  // a doubled quote closes and opens: the quote itself is of no interest here
    } else if (!quoted && (c == ',' || c == '\n')) {
      lines.back().push_back(std::move(field));
      field.clear();
      if (c == '\n') {
        lines.emplace_back();
      }
    } else {
      field += c;
    }
  }
  EXPECT_TRUE(field.empty() && lines.back().empty() && !quoted) << "a CSV ends with a line end";
  std::vector<CsvRow> rows;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    EXPECT_EQ(lines[i].size(), lines[0].size()) << "row " << i;
    CsvRow row;
    for (std::size_t c = 0; c < std::min(lines[i].size(), lines[0].size()); ++c) {
      row[lines[0][c]] = lines[i][c];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

CsvRow row_of(const std::vector<CsvRow>& rows, const std::string& job_id) {
  for (const CsvRow& row : rows) {
    if (row.at("job_id") == job_id) {
      return row;
    }
  }
  return {};
}

std::string swf(const std::vector<std::string>& jobs) {
  std::string text = "; MaxProcs: 64\n";
  int id = 0;
  for (const std::string& job : jobs) {
    std::istringstream fields(job);
    std::string submit;
    std::string wait;
    std::string run;
    std::string processors;
    std::string limit;
    fields >> submit >> wait >> run >> processors >> limit;
    ++id;
    text += std::to_string(id) + ' ' + submit + ' ' + wait + ' ' + run + ' ' + processors +
            " -1 -1 " + processors + ' ' + limit + " -1 1 " + std::to_string(id % 3 + 1) +
            " 1 -1 1 1 -1 -1\n";
  }
  return text;
}

}  // namespace weft::cli::test
