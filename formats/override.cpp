#include "formats/override.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace weft::formats {

using platforms::YamlDocument;
using platforms::YamlNode;
using NodeIndex = YamlDocument::NodeIndex;

namespace {
constexpr std::size_t kMostPaths = 10'000;  // that one [*] may stand for

// What reads as a plain scalar needs no parser; it then has no line and column, which would only
// point into the option.
bool is_plain(std::string_view text) {
  constexpr std::string_view kSpecial = "[]{},&*!|>'\"%@`#\t\r\n";
  return !text.empty() && text != "~" && text != "null" && text.front() != ' ' &&
         text.back() != ' ' && text.front() != '-' && text.front() != '?' &&
         text.find_first_of(kSpecial) == std::string_view::npos &&
         text.find(": ") == std::string_view::npos && text.back() != ':';
}

// The brackets that are still open at the end, quoted text left aside.
std::string open_brackets(std::string_view text) {
  std::string open;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      i += quote == '"' && c == '\\' ? 1U : 0U;
      quote = c == quote ? char{0} : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      open += c;
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    }
  }
  return open;
}

// A copy whose nodes all stand in the option: line and column of a value typed on the command line
// say nothing. `copies`: a node that several aliases name is copied once.
NodeIndex placed_at(YamlDocument& document,
                    NodeIndex from,
                    const Source& at,
                    std::map<NodeIndex, NodeIndex>& copies) {
  if (const auto known = copies.find(from); known != copies.end()) {
    return known->second;
  }
  YamlNode node = document.node(from);
  node.at = at;
  for (YamlNode::Key& key : node.keys) {
    key.at = at;
  }
  for (NodeIndex& item : node.items) {
    item = placed_at(document, item, at, copies);
  }
  const NodeIndex copy = document.add(std::move(node));
  copies.emplace(from, copy);
  return copy;
}

std::optional<NodeIndex> parsed(YamlDocument& document,
                                const Override& change,
                                const Source& at,
                                Diagnostics& diagnostics) {
  if (change.value.find_first_not_of(' ') == std::string::npos) {
    diagnostics.error({at, change.path, "no value", "a value after the '='"});
    return std::nullopt;
  }
  if (const std::string open = open_brackets(change.value); !open.empty()) {
    const bool list = open.back() == '[';
    diagnostics.error(
        {at,
         change.path,
         list ? "a list whose '[' is never closed" : "a map whose '{' is never closed",
         list ? "[VALUE, VALUE]" : "{KEY: VALUE}"});
    return std::nullopt;
  }
  Diagnostics found;
  const std::optional<NodeIndex> value = document.parse(change.value, change.origin, found);
  for (InputError error : found.errors()) {
    error.at = at;
    error.key = error.key.empty() ? change.path : change.path + '.' + error.key;
    diagnostics.error(std::move(error));
  }
  std::map<NodeIndex, NodeIndex> copies;
  return value ? std::optional(placed_at(document, *value, at, copies)) : std::nullopt;
}

std::optional<NodeIndex> node_of(YamlDocument& document,
                                 const Override& change,
                                 const Source& at,
                                 Diagnostics& diagnostics) {
  if (change.literal || is_plain(change.value)) {
    YamlNode scalar;
    scalar.kind = YamlNode::Kind::kScalar;
    scalar.quoted = change.literal;
    scalar.at = at;
    scalar.text = change.value;
    return document.add(std::move(scalar));
  }
  return parsed(document, change, at, diagnostics);
}

// The path with every [*] and every left-out index of an only entry written out.
class PathExpansion {
 public:
  PathExpansion(const YamlDocument& document, NodeIndex root, std::string_view path)
      : document_(document), path_(path) {
    step(root, {}, 0);
  }
  [[nodiscard]] std::vector<std::string> paths() && { return std::move(paths_); }

 private:
  void step(std::optional<NodeIndex> node, const std::string& so_far, std::size_t at) {
    if (paths_.size() >= kMostPaths) {
      return;
    }
    if (at >= path_.size()) {
      paths_.push_back(so_far);
      return;
    }
    const bool list = node && document_.node(*node).kind == YamlNode::Kind::kList;
    if (path_.substr(at, 3) == "[*]") {
      const std::size_t entries = list ? document_.node(*node).items.size() : 0;
      for (std::size_t i = 0; i < entries; ++i) {
        enter(*node, i, so_far, at + 3);
      }
      return;
    }
    if (path_[at] == '[') {
      const std::size_t close = std::min(path_.find(']', at), path_.size() - 1);
      const std::string_view index = path_.substr(at, close + 1 - at);
      std::optional<NodeIndex> below;
      if (list) {
        for (std::size_t i = 0; i < document_.node(*node).items.size(); ++i) {
          if (index == '[' + std::to_string(i) + ']') {
            below = document_.node(*node).items[i];
          }
        }
      }
      step(below, so_far + std::string(index), close + 1);
      return;
    }
    if (list && document_.node(*node).items.size() == 1) {
      enter(*node, 0, so_far, at);
      return;
    }
    const std::size_t begin = path_[at] == '.' ? at + 1 : at;
    const std::size_t end = std::min(path_.find_first_of(".[", begin), path_.size());
    const std::string key(path_.substr(begin, end - begin));
    const bool map = node && document_.node(*node).kind == YamlNode::Kind::kMap;
    step(map ? document_.find(*node, key) : std::nullopt,
         so_far.empty() ? key : so_far + '.' + key,
         std::max(end, at + 1));
  }

  void enter(NodeIndex list, std::size_t entry, const std::string& so_far, std::size_t at) {
    step(document_.node(list).items[entry], so_far + '[' + std::to_string(entry) + ']', at);
  }

  const YamlDocument& document_;
  std::string_view path_;
  std::vector<std::string> paths_;
};
}  // namespace

Parsed<Override> parse_set(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Parsed<Override>::refused("key.path=value, such as horizon=30d or workload[0].repeat=2");
  }
  Override change;
  change.path = text.substr(0, equals);
  change.value = text.substr(equals + 1);
  change.origin = "--set " + std::string(text);
  return change;
}

std::optional<NodeIndex> apply_override(YamlDocument& document,
                                        NodeIndex root,
                                        const Override& change,
                                        Diagnostics& diagnostics) {
  const Source at = whole_file(change.origin);
  const std::optional<NodeIndex> value = node_of(document, change, at, diagnostics);
  if (!value) {
    return std::nullopt;
  }
  for (const std::string& path : PathExpansion(document, root, change.path).paths()) {
    const std::optional<NodeIndex> changed =
        document.with_value(root, path, *value, at, diagnostics);
    if (!changed) {
      return std::nullopt;
    }
    root = *changed;
  }
  return root;
}

}  // namespace weft::formats
