#include "platforms/yaml_document.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace weft::platforms {
namespace {

constexpr std::size_t kMaxKeyLength = 200;
constexpr std::size_t kMaxKeys = 10'000;  // of one map: duplicates are searched one by one

// Ends a parse whose error has been reported.
struct Refused : std::exception {};

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(YamlDocument& document,
              std::shared_ptr<const std::string> file,
              Diagnostics& diagnostics)
      : document_(document), file_(std::move(file)), diagnostics_(diagnostics) {}

  [[nodiscard]] std::optional<std::uint32_t> root() const { return root_; }
  [[nodiscard]] bool had_errors() const { return had_errors_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root_) {
      refuse(mark, "a second document", "one document a file");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode node;
    // yaml-cpp marks an absent value where the next token stands, often another key.
    const bool absent_value = !open_.empty() && is_map(open_.back()) && open_.back().has_key;
    node.at = absent_value ? open_.back().key.at : source(mark);
    finish(std::move(node), anchor);
  }
  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.at = source(mark);
    node.text = value;
    node.quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    if (!node.quoted) {
      check_tag(mark, tag);
      if (value == "~" || value == "null") {
        node.kind = YamlNode::Kind::kNull;
      }
    }
    finish(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::optional<std::uint32_t> target =
        anchor < anchors_.size() ? anchors_[anchor] : std::nullopt;
    if (!target) {
      refuse(mark, "an alias to a node that contains it", "an alias to an earlier node");
    }
    if (open_.empty() || (is_map(open_.back()) && !open_.back().has_key)) {
      refuse(mark, "an alias as a key", "a plain word");
    }
    attach(*target, source(mark));
  }
  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    check_tag(mark, tag);
    open(mark, YamlNode::Kind::kList, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    check_tag(mark, tag);
    open(mark, YamlNode::Kind::kMap, anchor);
  }
  void OnMapEnd() override { close(); }

  [[nodiscard]] Source source(const YAML::Mark& mark) const {
    if (mark.is_null()) {
      return Source{file_, 0, 0};
    }
    return Source{file_,
                  static_cast<std::uint32_t>(mark.line) + 1,
                  static_cast<std::uint32_t>(mark.column) + 1};
  }
  void error(const Source& at, std::string key, std::string found, std::string allowed) {
    had_errors_ = true;
    diagnostics_.error({at, std::move(key), std::move(found), std::move(allowed)});
  }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;  // a map's key has been read, its value is next
    bool drop_value = false;
    YamlNode::Key key;
  };
  static bool is_map(const Open& open) { return open.node.kind == YamlNode::Kind::kMap; }

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string found, std::string allowed) {
    error(source(mark), path(), std::move(found), std::move(allowed));
    throw Refused();
  }

  [[nodiscard]] std::string path() const {
    std::string text;
    for (const Open& open : open_) {
      if (is_map(open)) {
        if (open.has_key) {
          text += (text.empty() ? "" : ".") + open.key.text;
        }
      } else {
        text += '[' + std::to_string(open.node.items.size()) + ']';
      }
    }
    return text;
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") {
      error(source(mark), path(), "the tag '" + tag + "'", "no tags");
    }
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind, YAML::anchor_t anchor) {
    if (!open_.empty() && is_map(open_.back()) && !open_.back().has_key) {
      refuse(mark, "a map or list as a key", "a plain word");
    }
    if (open_.size() >= YamlDocument::kMaxDepth) {
      refuse(mark,
             "more than " + std::to_string(YamlDocument::kMaxDepth) + " levels",
             "at most " + std::to_string(YamlDocument::kMaxDepth));
    }
    Open frame;
    frame.node.kind = kind;
    frame.node.at = source(mark);
    frame.anchor = anchor;
    open_.push_back(std::move(frame));
  }

  void close() {
    Open frame = std::move(open_.back());
    open_.pop_back();
    finish(std::move(frame.node), frame.anchor);
  }

  void finish(YamlNode node, YAML::anchor_t anchor) {
    if (!open_.empty() && is_map(open_.back()) && !open_.back().has_key) {
      take_key(node);
      return;
    }
    const Source at = node.at;
    const std::uint32_t index = document_.add(std::move(node));
    if (anchor != 0) {
      if (anchors_.size() <= anchor) {
        anchors_.resize(anchor + 1);
      }
      anchors_[anchor] = index;
    }
    attach(index, at);
  }

  void take_key(const YamlNode& node) {
    Open& map = open_.back();
    if (map.node.keys.size() >= kMaxKeys) {
      error(node.at,
            path(),
            "more than " + std::to_string(kMaxKeys) + " keys",
            "at most " + std::to_string(kMaxKeys));
      throw Refused();
    }
    map.has_key = true;
    map.drop_value = false;
    map.key = YamlNode::Key{node.text, node.at};
    if (node.kind != YamlNode::Kind::kScalar || node.text.empty()) {
      map.drop_value = true;
      map.has_key = false;
      error(node.at, path(), "an empty key", "a plain word");
      map.has_key = true;
    } else if (node.text.size() > kMaxKeyLength) {
      map.drop_value = true;
      map.key.text.resize(kMaxKeyLength);
      error(node.at,
            "",
            "a key of " + std::to_string(node.text.size()) + " characters",
            "at most " + std::to_string(kMaxKeyLength));
    } else if (node.text == "<<" && !node.quoted) {
      map.drop_value = true;
      error(node.at, path(), "a merge key", "no merge keys (aliases and 'include' are read)");
    } else {
      for (const YamlNode::Key& other : map.node.keys) {
        if (other.text == node.text) {
          map.drop_value = true;
          error(node.at,
                path(),
                "the key a second time (first in line " + std::to_string(other.at.line) + ")",
                "each key once");
          break;
        }
      }
    }
  }

  void attach(std::uint32_t index, const Source& at) {
    const YamlNode& node = document_.node(index);
    ++total_;
    if (open_.size() + node.height > YamlDocument::kMaxDepth) {
      error(at,
            path(),
            "more than " + std::to_string(YamlDocument::kMaxDepth) + " levels through aliases",
            "at most " + std::to_string(YamlDocument::kMaxDepth));
      throw Refused();
    }
    if (open_.empty()) {
      root_ = index;
      return;
    }
    Open& parent = open_.back();
    parent.node.size += node.size;  // both at most kMaxNodes: no overflow
    if (parent.node.size > YamlDocument::kMaxNodes || total_ > YamlDocument::kMaxNodes) {
      error(
          at,
          path(),
          "more than " + std::to_string(YamlDocument::kMaxNodes) + " values (aliases written out)",
          "at most " + std::to_string(YamlDocument::kMaxNodes));
      throw Refused();
    }
    if (!is_map(parent)) {
      parent.node.items.push_back(index);
      return;
    }
    if (!parent.drop_value) {
      parent.node.keys.push_back(std::move(parent.key));
      parent.node.items.push_back(index);
    }
    parent.has_key = false;
  }

  YamlDocument& document_;
  std::shared_ptr<const std::string> file_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::vector<std::optional<std::uint32_t>> anchors_;
  std::optional<std::uint32_t> root_;
  std::size_t total_ = 0;
  bool had_errors_ = false;
};

struct TextFault {
  std::size_t offset = 0;
  std::string found;
  std::string allowed;
};

// Length of the UTF-8 sequence at text[i], 0 if it is not one (RFC 3629: no overlong forms, no
// surrogates, at most U+10FFFF).
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
  };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return follows(1) ? 2 : 0;
  }
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool beyond = first == 0xF4 && byte(1) > 0x8F;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

// Faults that yaml-cpp would pass over in silence or report in words that do not help.
std::optional<TextFault> find_text_fault(std::string_view text) {
  constexpr std::string_view kUtf8 = "UTF-8 text";
  if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") {
    return TextFault{0, "UTF-16 or UTF-32 text", std::string(kUtf8)};
  }
  bool in_indentation = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\0') {
      return TextFault{i, "a NUL byte (UTF-16?)", std::string(kUtf8)};
    }
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') {
      return TextFault{i, "a control character", "printable text"};
    }
    if (c == '\t' && in_indentation) {
      const std::size_t rest = text.find_first_not_of(" \t\r", i);
      if (rest != std::string_view::npos && text[rest] != '\n' && text[rest] != '#') {
        return TextFault{i, "a tab in the indentation", "spaces"};
      }
    }
    in_indentation = c == '\n' || (in_indentation && (c == ' ' || c == '\t'));
    const std::size_t length = utf8_length(text, i);
    if (length == 0) {
      return TextFault{i, "a byte that is not UTF-8", std::string(kUtf8)};
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace

std::optional<YamlDocument::NodeIndex> YamlDocument::parse(std::string_view text,
                                                           std::string file,
                                                           Diagnostics& diagnostics) {
  const auto name = std::make_shared<const std::string>(std::move(file));
  if (text.substr(0, 3) == "\xEF\xBB\xBF") {
    text.remove_prefix(3);
  }
  if (text.size() > kMaxBytes) {
    diagnostics.error({Source{name, 0, 0},
                       "",
                       "a file of " + std::to_string(text.size()) + " bytes",
                       "at most " + std::to_string(kMaxBytes)});
    return std::nullopt;
  }
  if (const std::optional<TextFault> fault = find_text_fault(text)) {
    const std::string_view before = text.substr(0, fault->offset);
    const std::size_t line_start = before.rfind('\n');  // npos + 1 == 0: the first line
    Source at{name,
              static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1,
              static_cast<std::uint32_t>(fault->offset - (line_start + 1)) + 1};
    diagnostics.error({std::move(at), "", fault->found, fault->allowed});
    return std::nullopt;
  }
  TreeBuilder builder(*this, name, diagnostics);
  try {
    // yaml-cpp 0.7 takes a quote that is never closed for closed at the end of the file. An end
    // marker after it makes that the error it is, and changes nothing otherwise.
    std::istringstream stream{std::string(text) + "\n...\n"};
    YAML::Parser parser(stream);
    // Asked twice, never in a loop: on stray closing brackets yaml-cpp 0.7 offers empty
    // documents without end.
    if (parser.HandleNextDocument(builder)) {
      parser.HandleNextDocument(builder);
    }
  } catch (const Refused&) {
    return std::nullopt;
  } catch (const YAML::Exception& fault) {
    diagnostics.error(
        {builder.source(fault.mark), "", "a YAML syntax error (" + fault.msg + ")", "valid YAML"});
    return std::nullopt;
  }
  if (!builder.root() || node(*builder.root()).kind == YamlNode::Kind::kNull) {
    diagnostics.error({Source{name, 1, 1}, "", "an empty document", "a map of keys and values"});
    return std::nullopt;
  }
  return builder.root();  // after errors too: the reader may find more
}

std::optional<YamlDocument::NodeIndex> YamlDocument::parse_file(const std::string& path,
                                                                Diagnostics& diagnostics) {
  const auto refuse = [&](std::string found, std::string allowed) {
    diagnostics.error({whole_file(path), "", std::move(found), std::move(allowed)});
    return std::nullopt;
  };
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  if (!std::filesystem::exists(status)) {
    return refuse("no such file", "a YAML file");
  }
  if (std::filesystem::is_directory(status)) {
    return refuse("a folder", "a YAML file");
  }
  if (!std::filesystem::is_regular_file(status)) {
    return refuse("something that is not a plain file", "a YAML file");
  }
  const std::uintmax_t size = std::filesystem::file_size(path, fault);
  if (fault || size > kMaxBytes) {
    return refuse("a file of " + std::to_string(size) + " bytes",
                  "at most " + std::to_string(kMaxBytes));
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) {
    if (size == 0) {
      return parse("", path, diagnostics);
    }
    return refuse("a file that cannot be read", "a readable YAML file");
  }
  return parse(text.str(), path, diagnostics);
}

std::optional<YamlDocument::NodeIndex> YamlDocument::find(NodeIndex map,
                                                          std::string_view key) const {
  const YamlNode& at = nodes_[map];
  for (std::size_t i = 0; i < at.keys.size(); ++i) {
    if (at.keys[i].text == key) {
      return at.items[i];
    }
  }
  return std::nullopt;
}

YamlDocument::NodeIndex YamlDocument::add(YamlNode node) {
  std::size_t size = 1;
  std::size_t height = 0;
  for (const NodeIndex item : node.items) {
    size = std::min<std::size_t>(size + nodes_[item].size, kMaxNodes + 1);
    height = std::max<std::size_t>(height, nodes_[item].height + std::size_t{1});
  }
  node.size = static_cast<std::uint32_t>(size);
  node.height = static_cast<std::uint16_t>(height);
  nodes_.push_back(std::move(node));
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

namespace {
struct PathStep {
  std::string key;  // of a map; empty: a list position
  std::size_t position = 0;
};

// "a.b[0].c" -> a, b, 0, c; nothing if it is malformed.
std::optional<std::vector<PathStep>> split_path(std::string_view path) {
  std::vector<PathStep> steps;
  std::size_t i = 0;
  while (i < path.size()) {
    if (path[i] == '[') {
      const std::size_t close = path.find(']', i);
      if (close == std::string_view::npos || close == i + 1 || close - i > 8) {
        return std::nullopt;
      }
      PathStep step;
      for (const char c : path.substr(i + 1, close - i - 1)) {
        if (c < '0' || c > '9') {
          return std::nullopt;
        }
        step.position = step.position * 10 + static_cast<std::size_t>(c - '0');
      }
      steps.push_back(std::move(step));
      i = close + 1;
      continue;
    }
    if (!steps.empty()) {
      if (path[i] != '.') {
        return std::nullopt;
      }
      ++i;
    }
    const std::size_t end = std::min(path.find_first_of(".[", i), path.size());
    if (end == i) {
      return std::nullopt;
    }
    steps.push_back({std::string(path.substr(i, end - i)), 0});
    i = end;
  }
  if (steps.empty() || steps.size() >= YamlDocument::kMaxDepth) {
    return std::nullopt;
  }
  return steps;
}
}  // namespace

std::optional<YamlDocument::NodeIndex> YamlDocument::with_value(NodeIndex root,
                                                                std::string_view path,
                                                                NodeIndex value,
                                                                const Source& at,
                                                                Diagnostics& diagnostics) {
  const auto refuse = [&](std::string found, std::string allowed) {
    diagnostics.error({at, std::string(path), std::move(found), std::move(allowed)});
    return std::nullopt;
  };
  const std::optional<std::vector<PathStep>> steps = split_path(path);
  if (!steps) {
    return refuse("a malformed path", "a path such as fabrics[0].routing.qps");
  }
  // Down to the value's parent, copying each node on the way; then up, joining the copies.
  std::vector<YamlNode> way;
  std::vector<std::size_t> positions;
  std::optional<NodeIndex> here = root;
  for (const PathStep& step : *steps) {
    YamlNode copy;
    if (here) {
      copy = nodes_[*here];
    } else {
      copy.kind = YamlNode::Kind::kMap;
      copy.at = at;
    }
    here.reset();
    std::size_t position = step.position;
    if (step.key.empty()) {
      if (copy.kind != YamlNode::Kind::kList || position >= copy.items.size()) {
        return refuse("position " + std::to_string(position),
                      copy.kind == YamlNode::Kind::kList
                          ? "positions below " + std::to_string(copy.items.size())
                          : std::string("a key: no list is there"));
      }
      here = copy.items[position];
    } else {
      if (copy.kind != YamlNode::Kind::kMap) {
        return refuse("the key '" + step.key + "'", "no key: no map is there");
      }
      position = 0;
      while (position < copy.keys.size() && copy.keys[position].text != step.key) {
        ++position;
      }
      if (position == copy.keys.size()) {
        copy.keys.push_back({step.key, at});
        copy.items.push_back(value);
      } else {
        here = copy.items[position];
      }
    }
    way.push_back(std::move(copy));
    positions.push_back(position);
  }
  NodeIndex below = value;
  for (std::size_t i = way.size(); i-- > 0;) {
    way[i].items[positions[i]] = below;
    below = add(std::move(way[i]));
  }
  return below;
}

}  // namespace weft::platforms
