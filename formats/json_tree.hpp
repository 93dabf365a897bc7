// A JSON text as a tree whose every value knows where it stands, so that a reader can name the line
// and column of what it does not like. Parsed by simdjson; strict (RFC 8259), UTF-8, no key twice
// in an object, at most kMaxDepth levels. Internal to formats/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/input_file.hpp"

namespace weft::formats {

struct JsonNode {
  enum class Type : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  Type type = Type::kNull;
  bool boolean = false;
  std::uint32_t first_child = kNone;
  std::uint32_t next = kNone;
  std::uint32_t children = 0;
  std::size_t offset = 0;      // into the file's text
  std::size_t key_offset = 0;  // of the member's key
  std::string_view key;        // in an object
  std::string_view text;       // of a string without quotes and escapes; a number as written
};

struct JsonFault {
  std::size_t offset = 0;
  std::string found;
  std::string allowed;
};

// The first place where `text` is not JSON; nothing if it is.
[[nodiscard]] std::optional<JsonFault> find_json_fault(std::string_view text);

class JsonTree {
 public:
  static constexpr int kMaxDepth = 32;

  JsonTree();
  ~JsonTree();
  JsonTree(const JsonTree&) = delete;
  JsonTree& operator=(const JsonTree&) = delete;

  // Parses text().substr(begin, size), which must be one object or array. Values of an earlier
  // parse are gone then.
  [[nodiscard]] std::optional<JsonFault> parse(const InputFile& file,
                                               std::size_t begin,
                                               std::size_t size);
  [[nodiscard]] const JsonNode& root() const { return nodes_.front(); }
  // For walking: null behind the last.
  [[nodiscard]] const JsonNode* first_child(const JsonNode& node) const {
    return node.first_child == JsonNode::kNone ? nullptr : &nodes_[node.first_child];
  }
  [[nodiscard]] const JsonNode* next(const JsonNode& node) const {
    return node.next == JsonNode::kNone ? nullptr : &nodes_[node.next];
  }
  [[nodiscard]] const JsonNode* find(const JsonNode& object, std::string_view key) const;

 private:
  class Builder;
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<JsonNode> nodes_;
};

// "a number", "an object", ...; a string or number with its text.
[[nodiscard]] std::string describe(const JsonNode& node);

// Lines of offsets that only grow: cheaper than InputFile::at_offset for each of many.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  std::uint32_t line_at(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace weft::formats
