// YAML text as a bounded tree with a position at every node and key; no yaml-cpp type is visible.
//
// Refused while parsing, each with its place: text that is not UTF-8, UTF-16/32, tabs in
// indentation, syntax errors, several documents, an empty document, duplicate keys, keys that are
// not plain words, merge keys (<<), tags, recursive aliases, more than kMaxDepth levels or
// kMaxNodes nodes counted with aliases written out (so that no small file stands for a huge one).
// A byte-order mark of UTF-8 and CRLF line ends are fine.
//
// One document may hold the trees of several files (includes); every node knows its file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

namespace weft::platforms {

struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };
  struct Key {
    std::string text;
    Source at;
  };

  Kind kind = Kind::kNull;
  bool quoted = false;  // scalar written in quotes: never a number
  std::uint16_t height = 0;
  std::uint32_t size = 1;  // nodes below and with it, aliases written out
  Source at;
  std::string text;                  // scalar
  std::vector<Key> keys;             // map: key i belongs to items[i]
  std::vector<std::uint32_t> items;  // list and map
};

class YamlDocument {
 public:
  using NodeIndex = std::uint32_t;
  static constexpr std::size_t kMaxDepth = 64;
  static constexpr std::size_t kMaxNodes = 1'000'000;
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;

  // Parses text and returns its root; nothing (and errors) if it is refused.
  std::optional<NodeIndex> parse(std::string_view text, std::string file, Diagnostics& diagnostics);
  // The same for a file on disk: must be a regular file of at most kMaxBytes.
  std::optional<NodeIndex> parse_file(const std::string& path, Diagnostics& diagnostics);

  [[nodiscard]] const YamlNode& node(NodeIndex index) const { return nodes_[index]; }
  [[nodiscard]] std::optional<NodeIndex> find(NodeIndex map, std::string_view key) const;
  NodeIndex add(YamlNode node);  // computes size and height

  // A copy of root where what stands at path ("a.b[0].c"; keys may be new, list positions must
  // exist) is the node `value`. Nothing, and an error at `at`, if the path does not lead there.
  std::optional<NodeIndex> with_value(NodeIndex root,
                                      std::string_view path,
                                      NodeIndex value,
                                      const Source& at,
                                      Diagnostics& diagnostics);

 private:
  std::vector<YamlNode> nodes_;
};

}  // namespace weft::platforms
