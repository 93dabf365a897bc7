// A file written once, front to back, in large chunks. What cannot be written (no such directory,
// read-only, disk full) is an OutputError with the path and the reason.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weft::results {

class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class OutputFile {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;

  explicit OutputFile(std::string path);  // truncates what is there
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  // writes what is left, silently; call close() to learn of errors

  // Room for `most` characters; write there and hand the end to written().
  [[nodiscard]] char* room(std::size_t most) {
    if (capacity_ - used_ < most) {
      make_room(most);
    }
    return buffer_.get() + used_;
  }
  void written(const char* end) {
    used_ = static_cast<std::size_t>(end - buffer_.get());
    if (used_ >= kChunk) {
      flush();
    }
  }
  void append(std::string_view text);
  void close();

 private:
  static constexpr std::size_t kSlack = std::size_t{1} << 14;

  void make_room(std::size_t most);
  void flush();
  void write_out(std::string_view text);

  std::string path_;
  int descriptor_ = -1;
  std::unique_ptr<char[]> buffer_;  // NOLINT(modernize-avoid-c-arrays): uninitialised on purpose
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
};

// Creates `directory` and its parents. Throws OutputError.
void make_directory(const std::string& directory);

// A CSV field: quoted (RFC 4180) if it holds a comma, a quote or a line break, else as it is.
[[nodiscard]] std::string csv_field(std::string_view text);
[[nodiscard]] inline std::size_t csv_room(std::string_view text) {
  return 2 * text.size() + 2;
}
char* write_csv_field(char* out, std::string_view text);  // at most csv_room(text)

}  // namespace weft::results
