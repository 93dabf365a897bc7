// A whole input in memory: what every reader of this room works on.
//
// The text is UTF-8 or a superset of ASCII without NUL bytes, its byte order mark removed; lines
// end in LF or CR LF. kPadding zero bytes follow it, so that a scanner may look one character
// ahead and simdjson may read in blocks. Views into text() live as long as the InputFile (moving
// it keeps them valid).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace weft::formats {

class InputFile {
 public:
  static constexpr std::size_t kPadding = 64;

  // Reads `path`, "-" for standard input. A file that cannot be read, is a directory, is empty, or
  // is not text (UTF-16, gzip and other archives, NUL bytes) is an error in `diagnostics`.
  [[nodiscard]] static std::optional<InputFile> read(const std::string& path,
                                                     Diagnostics& diagnostics);
  // The same checks on a text that is already here; `name` stands for the path in messages.
  [[nodiscard]] static std::optional<InputFile> from_text(std::string name,
                                                          std::string_view text,
                                                          Diagnostics& diagnostics);

  [[nodiscard]] const std::string& name() const { return *name_; }
  [[nodiscard]] std::string_view text() const {
    return {bytes_.get() + skipped_, size_ - skipped_};
  }
  [[nodiscard]] Source at(std::uint32_t line, std::uint32_t column) const {
    return {name_, line, column};
  }
  // Line and column (in bytes) of an offset into text(), from 1. Counts lines: for messages only.
  [[nodiscard]] Source at_offset(std::size_t offset) const;

  // Of the bytes as they are on disk, 64 hexadecimal digits; computed at each call.
  [[nodiscard]] std::string sha256() const;

 private:
  InputFile(std::string name, std::unique_ptr<char[]> bytes, std::size_t size);
  [[nodiscard]] bool check_text(Diagnostics& diagnostics);

  std::shared_ptr<const std::string> name_;
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t skipped_ = 0;  // byte order mark
};

}  // namespace weft::formats
