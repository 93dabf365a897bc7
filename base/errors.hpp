// Faults in what the user gave us. The rule everywhere: collect all of a file's errors, then stop
// with exit code 3 and write nothing. A fault of our own is an assert (WEFT_ASSERT), never this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

// Where in an input: line and column count from 1; 0 = the whole file.
struct Source {
  std::shared_ptr<const std::string> file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
[[nodiscard]] Source whole_file(std::string file);

struct InputError {
  Source at;
  std::string key;      // path of the key ("nodes[0].gpu.model"), column name, or empty
  std::string found;    // what is there, or "nothing"
  std::string allowed;  // what may be there, with the nearest known word where there is one
};
// "file:line:column: key: found X, allowed Y"; parts that are not known are left out.
[[nodiscard]] std::string to_string(const InputError& error);

class InputErrors : public std::exception {
 public:
  explicit InputErrors(std::vector<InputError> errors);
  [[nodiscard]] const std::vector<InputError>& errors() const { return errors_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<InputError> errors_;
  std::string text_;  // a line an error
};

// Collects errors and warnings while a file is read. A file with thousands of equal faults is cut
// at kMaxErrors, with a last entry that says how many more there are.
class Diagnostics {
 public:
  static constexpr std::size_t kMaxErrors = 200;

  void error(InputError error);
  void warning(InputError warning);
  [[nodiscard]] bool ok() const { return error_count_ == 0; }
  [[nodiscard]] const std::vector<InputError>& errors() const { return errors_; }
  [[nodiscard]] const std::vector<InputError>& warnings() const { return warnings_; }
  void throw_if_errors() const;  // throws InputErrors

 private:
  std::vector<InputError> errors_;
  std::vector<InputError> warnings_;
  std::size_t error_count_ = 0;
};

// The nearest of `known` to `word` (Damerau-Levenshtein distance at most a third of its length),
// or empty. Ties go to the first.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       const std::vector<std::string_view>& known);
// "did you mean 'x'? allowed: a, b, c"
[[nodiscard]] std::string allowed_words(std::string_view word,
                                        const std::vector<std::string_view>& known);

// Our own fault: prints the condition, the place and the message with its values, then aborts.
[[noreturn]] void assertion_failed(const char* condition,
                                   const char* file,
                                   int line,
                                   const std::string& message);

}  // namespace weft

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): needs the condition's text, file and line
#define WEFT_ASSERT(condition, message)                                    \
  do {                                                                     \
    if (!(condition)) [[unlikely]] {                                       \
      ::weft::assertion_failed(#condition, __FILE__, __LINE__, (message)); \
    }                                                                      \
  } while (false)
