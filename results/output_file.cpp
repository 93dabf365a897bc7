#include "results/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/csv.hpp"

namespace weft::results {

namespace {

// A loop: most fields are shorter than a search for a set of characters takes to begin.
bool needs_quotes(std::string_view text) {
  for (const char c : text) {
    if (c == ',' || c == '"' || c == '\n' || c == '\r') {
      return true;
    }
  }
  return false;
}

std::string reason(int code) {
  return std::generic_category().message(code);
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) {
    throw OutputError("cannot write " + path_ + ": " + reason(errno));
  }
}

OutputFile::~OutputFile() {
  try {
    close();
  } catch (const OutputError&) {
    // A destructor may run because of this very error.
  }
}

// The buffer starts small and grows to a chunk: most files of a run are short.
void OutputFile::make_room(std::size_t most) {
  if (used_ + most > kChunk + kSlack) {
    flush();
  }
  const std::size_t wanted = used_ + most;
  if (wanted <= capacity_) {
    return;
  }
  std::size_t grown = capacity_ == 0 ? kSlack : capacity_;
  while (grown < wanted) {
    grown *= 4;
  }
  grown = std::max(wanted, std::min(grown, kChunk + kSlack));
  std::unique_ptr<char[]> bigger(new char[grown]);  // NOLINT(modernize-avoid-c-arrays)
  if (used_ > 0) {
    std::memcpy(bigger.get(), buffer_.get(), used_);
  }
  buffer_ = std::move(bigger);
  capacity_ = grown;
}

void OutputFile::append(std::string_view text) {
  if (text.empty()) {
    return;
  }
  if (text.size() > kChunk) {
    flush();
    write_out(text);
    return;
  }
  char* out = room(text.size());
  std::memcpy(out, text.data(), text.size());
  written(out + text.size());
}

void OutputFile::flush() {
  const std::size_t used = std::exchange(used_, 0);  // a failed write is not tried again
  write_out({buffer_.get(), used});
}

void OutputFile::write_out(std::string_view text) {
  while (!text.empty()) {
    const ::ssize_t n = ::write(descriptor_, text.data(), text.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      throw OutputError("cannot write " + path_ + ": " + reason(errno));
    }
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void OutputFile::close() {
  if (descriptor_ < 0) {
    return;
  }
  // The descriptor is given up even if the last write fails.
  std::string failed;
  try {
    flush();
  } catch (const OutputError& error) {
    failed = error.what();
  }
  if (::close(std::exchange(descriptor_, -1)) != 0 && failed.empty()) {
    failed = "cannot write " + path_ + ": " + reason(errno);
  }
  if (!failed.empty()) {
    throw OutputError(failed);
  }
}

void make_directory(const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) {
    throw OutputError("cannot create directory " + directory + ": " + failed.message());
  }
  if (!std::filesystem::is_directory(directory, failed)) {
    throw OutputError("cannot create directory " + directory + ": a file of that name exists");
  }
}

char* write_csv_field(char* out, std::string_view text) {
  if (!needs_quotes(text)) {
    if (!text.empty()) {
      std::memcpy(out, text.data(), text.size());
    }
    return out + text.size();
  }
  *out++ = '"';
  for (const char c : text) {
    if (c == '"') {
      *out++ = '"';
    }
    *out++ = c;
  }
  *out++ = '"';
  return out;
}

std::string csv_field(std::string_view text) {
  std::string field;
  append_csv_field(field, text);
  return field;
}

}  // namespace weft::results
