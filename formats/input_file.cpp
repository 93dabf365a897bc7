#include "formats/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "formats/sha256.hpp"

namespace weft::formats {

namespace {

using namespace std::literals;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ > STDIN_FILENO) {
      ::close(fd_);
    }
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

struct Bytes {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;
};

// False: errno says why.
bool read_all(int fd, std::size_t expected, Bytes& out) {
  constexpr std::size_t kFirstBlock = 64 * 1024;
  // One byte more than expected, so that the end is seen without growing.
  std::size_t room = std::max(expected + 1, kFirstBlock);
  out.data = std::make_unique_for_overwrite<char[]>(room + InputFile::kPadding);
  while (true) {
    if (out.size == room) {
      room *= 2;
      auto larger = std::make_unique_for_overwrite<char[]>(room + InputFile::kPadding);
      std::memcpy(larger.get(), out.data.get(), out.size);
      out.data = std::move(larger);
    }
    const ssize_t got = ::read(fd, out.data.get() + out.size, room - out.size);
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      return false;
    }
    if (got == 0) {
      break;
    }
    out.size += static_cast<std::size_t>(got);
  }
  std::memset(out.data.get() + out.size, 0, InputFile::kPadding);
  return true;
}

std::string error_text(int error) {
  return std::generic_category().message(error);
}

// What a file is that is not text, or empty. First bytes as given by each format's specification.
std::string_view binary_kind(std::string_view head) {
  struct Magic {
    std::string_view bytes;
    std::string_view kind;
  };
  constexpr Magic kMagics[] = {
      {"\x1F\x8B"sv, "gzip-compressed data"sv},
      {"BZh"sv, "bzip2-compressed data"sv},
      {"\xFD\x37zXZ"sv, "xz-compressed data"sv},
      {"\x28\xB5\x2F\xFD"sv, "zstd-compressed data"sv},
      {"PK\x03\x04"sv, "a zip archive"sv},
      {"PAR1"sv, "a Parquet file"sv},
      {"SQLite format 3"sv, "an SQLite file"sv},
      {"\xFF\xFE"sv, "UTF-16 text"sv},
      {"\xFE\xFF"sv, "UTF-16 text"sv},
      {"\x7F\x45LF"sv, "a program"sv},
  };
  for (const Magic& magic : kMagics) {
    if (head.starts_with(magic.bytes)) {
      return magic.kind;
    }
  }
  return {};
}

std::string advice(std::string_view kind) {
  if (kind == "UTF-16 text") {
    return "UTF-8 text (iconv -f UTF-16 -t UTF-8 converts it)";
  }
  if (kind.find("compressed") != std::string_view::npos) {
    return "the text itself; unpack it first or pipe it in (zcat FILE | weft ... -w FORMAT:-)";
  }
  return "a text file";
}

}  // namespace

InputFile::InputFile(std::string name, std::unique_ptr<char[]> bytes, std::size_t size)
    : name_(std::make_shared<const std::string>(std::move(name))),
      bytes_(std::move(bytes)),
      size_(size) {}

bool InputFile::check_text(Diagnostics& diagnostics) {
  const std::string_view all{bytes_.get(), size_};
  if (const std::string_view kind = binary_kind(all); !kind.empty()) {
    diagnostics.error({at(0, 0), {}, std::string(kind), advice(kind)});
    return false;
  }
  if (all.starts_with("\xEF\xBB\xBF"sv)) {
    skipped_ = 3;
  }
  const std::string_view content = text();
  if (content.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    diagnostics.error(
        {at(0, 0), {}, size_ == 0 ? "an empty file" : "nothing but blanks", "a text"});
    return false;
  }
  if (const std::size_t nul = content.find('\0'); nul != std::string_view::npos) {
    diagnostics.error({at_offset(nul), {}, "a NUL byte", "a text file"});
    return false;
  }
  return true;
}

std::optional<InputFile> InputFile::read(const std::string& path, Diagnostics& diagnostics) {
  const bool standard_input = path == "-";
  std::string name = standard_input ? "<stdin>" : path;
  const Source whole = whole_file(name);
  const Descriptor fd(standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) {
    diagnostics.error({whole, {}, error_text(errno), "a file that can be read"});
    return std::nullopt;
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) {
    diagnostics.error({whole, {}, error_text(errno), "a file that can be read"});
    return std::nullopt;
  }
  if (S_ISDIR(status.st_mode)) {
    diagnostics.error({whole, {}, "a directory", "a file"});
    return std::nullopt;
  }
  const auto expected = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  Bytes bytes;
  if (!read_all(fd.get(), expected, bytes)) {
    diagnostics.error({whole, {}, error_text(errno), "a file that can be read"});
    return std::nullopt;
  }
  InputFile file(std::move(name), std::move(bytes.data), bytes.size);
  if (!file.check_text(diagnostics)) {
    return std::nullopt;
  }
  return file;
}

std::optional<InputFile> InputFile::from_text(std::string name,
                                              std::string_view text,
                                              Diagnostics& diagnostics) {
  auto bytes = std::make_unique_for_overwrite<char[]>(text.size() + kPadding);
  std::copy(text.begin(), text.end(), bytes.get());
  std::memset(bytes.get() + text.size(), 0, kPadding);
  InputFile file(std::move(name), std::move(bytes), text.size());
  if (!file.check_text(diagnostics)) {
    return std::nullopt;
  }
  return file;
}

Source InputFile::at_offset(std::size_t offset) const {
  const std::string_view before = text().substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last = before.rfind('\n');
  const std::size_t column = last == std::string_view::npos ? offset + 1 : offset - last;
  return at(static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column));
}

std::string InputFile::sha256() const {
  return sha256_hex({bytes_.get(), size_});
}

}  // namespace weft::formats
