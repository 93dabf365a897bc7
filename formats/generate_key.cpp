#include "formats/generate_key.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "platforms/write.hpp"
#include "workloads/generator_yaml.hpp"

namespace weft::formats {

using platforms::YamlDocument;
using platforms::YamlNode;
using NodeIndex = YamlDocument::NodeIndex;

namespace {
std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += "\\x";
      quoted += kHex[byte >> 4U];
      quoted += kHex[byte & 0xFU];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string scalar(const YamlNode& node) {
  // What a flow map or list would read otherwise than the block it may come from.
  constexpr std::string_view kEndsAPlainScalar = ",[]{}:#\n";
  return node.quoted || node.text.empty() ||
                 node.text.find_first_of(kEndsAPlainScalar) != std::string::npos
             ? in_quotes(node.text)
             : node.text;
}

// The node that `key` ("generator.classes[0].name") leads to, or the last one on the way.
NodeIndex nearest_node(const YamlDocument& document, NodeIndex from, std::string_view key) {
  while (!key.empty()) {
    const YamlNode& node = document.node(from);
    if (key.front() == '.') {
      key.remove_prefix(1);
    }
    std::optional<NodeIndex> next;
    std::size_t length = 0;
    if (key.front() == '[') {
      length = std::min(key.find(']'), key.size() - 1) + 1;
      for (std::size_t i = 0; node.kind == YamlNode::Kind::kList && i < node.items.size(); ++i) {
        if (key.substr(0, length) == '[' + std::to_string(i) + ']') {
          next = node.items[i];
        }
      }
    } else {
      length = std::min(key.find_first_of(".["), key.size());
      if (node.kind == YamlNode::Kind::kMap) {
        next = document.find(from, key.substr(0, length));
      }
    }
    if (!next) {
      return from;
    }
    from = *next;
    key.remove_prefix(length);
  }
  return from;
}
}  // namespace

std::string flow_yaml(const YamlDocument& document, NodeIndex index) {
  const YamlNode& node = document.node(index);
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "null";
    case YamlNode::Kind::kScalar:
      return scalar(node);
    case YamlNode::Kind::kList:
      for (const NodeIndex item : node.items) {
        text += (text.empty() ? "" : ", ") + flow_yaml(document, item);
      }
      return '[' + text + ']';
    case YamlNode::Kind::kMap:
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        text += (text.empty() ? "" : ", ") + platforms::yaml_scalar(node.keys[i].text) + ": " +
                flow_yaml(document, node.items[i]);
      }
      return '{' + text + '}';
  }
  return text;
}

std::optional<workloads::GeneratorParameters> read_generate(const YamlDocument& document,
                                                            NodeIndex map,
                                                            const std::string& path,
                                                            Diagnostics& diagnostics) {
  std::string text = flow_yaml(document, map);
  if (document.node(map).kind == YamlNode::Kind::kMap && !document.find(map, "weft")) {
    text = "{weft: 1" + std::string(document.node(map).keys.empty() ? "" : ", ") + text.substr(1);
  }
  Diagnostics found;
  std::optional<workloads::GeneratorParameters> parameters =
      workloads::read_generator(text, path, found);
  const auto moved = [&](InputError error) {
    error.at = document.node(nearest_node(document, map, error.key)).at;
    error.key = error.key.empty() ? path : path + '.' + error.key;
    return error;
  };
  for (const InputError& error : found.errors()) {
    diagnostics.error(moved(error));
  }
  for (const InputError& warning : found.warnings()) {
    diagnostics.warning(moved(warning));
  }
  return parameters;
}

}  // namespace weft::formats
