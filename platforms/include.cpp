#include "platforms/include.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "platforms/embedded.hpp"
#include "platforms/yaml_reader.hpp"

namespace weft::platforms {
namespace {

using NodeIndex = YamlDocument::NodeIndex;

constexpr std::size_t kMaxIncludes = 16;
constexpr std::string_view kYamlEnding = ".yaml";

std::string_view name_of(const YamlDocument& document, NodeIndex item) {
  const std::optional<NodeIndex> name =
      document.node(item).kind == YamlNode::Kind::kMap ? document.find(item, "name") : std::nullopt;
  return name ? std::string_view(document.node(*name).text) : std::string_view();
}

NodeIndex merge(YamlDocument& document, NodeIndex base, NodeIndex over);

// Lists of named items; see the header.
NodeIndex merge_named(YamlDocument& document, NodeIndex base, NodeIndex over, bool keep_others) {
  YamlNode merged = document.node(over);
  const std::vector<NodeIndex> base_items = document.node(base).items;
  std::vector<bool> met(base_items.size(), false);
  const bool one_over_one = base_items.size() == 1 && merged.items.size() == 1;
  for (NodeIndex& item : merged.items) {
    for (std::size_t i = 0; i < base_items.size(); ++i) {
      const std::string_view name = name_of(document, item);
      if (one_over_one || (!name.empty() && name_of(document, base_items[i]) == name)) {
        met[i] = true;
        item = merge(document, base_items[i], item);
        break;
      }
    }
  }
  if (keep_others) {
    std::vector<NodeIndex> all;
    for (std::size_t i = 0; i < base_items.size(); ++i) {
      if (!met[i]) {
        all.push_back(base_items[i]);
      }
    }
    all.insert(all.end(), merged.items.begin(), merged.items.end());
    merged.items = std::move(all);
  }
  return document.add(std::move(merged));
}

NodeIndex merge(YamlDocument& document, NodeIndex base, NodeIndex over) {
  if (document.node(base).kind != YamlNode::Kind::kMap ||
      document.node(over).kind != YamlNode::Kind::kMap) {
    return over;
  }
  YamlNode merged = document.node(base);
  merged.at = document.node(over).at;
  const YamlNode top = document.node(over);
  for (std::size_t i = 0; i < top.keys.size(); ++i) {
    const auto same = std::find_if(merged.keys.begin(), merged.keys.end(), [&](const auto& key) {
      return key.text == top.keys[i].text;
    });
    if (same == merged.keys.end()) {
      merged.keys.push_back(top.keys[i]);
      merged.items.push_back(top.items[i]);
      continue;
    }
    const auto at = static_cast<std::size_t>(same - merged.keys.begin());
    merged.keys[at] = top.keys[i];
    merged.items[at] = merge(document, merged.items[at], top.items[i]);
  }
  return document.add(std::move(merged));
}

NodeIndex merge_platforms(YamlDocument& document, NodeIndex base, NodeIndex over) {
  constexpr std::array<std::pair<std::string_view, bool>, 4> kNamedLists{
      {{"nodes", false}, {"fabrics", true}, {"storage", true}, {"partitions", true}}};
  YamlNode top = document.node(over);
  for (std::size_t i = 0; i < top.keys.size(); ++i) {
    for (const auto& [list, keep_others] : kNamedLists) {
      const std::optional<NodeIndex> below = document.find(base, list);
      if (top.keys[i].text == list && below &&
          document.node(*below).kind == YamlNode::Kind::kList &&
          document.node(top.items[i]).kind == YamlNode::Kind::kList) {
        top.items[i] = merge_named(document, *below, top.items[i], keep_others);
      }
    }
  }
  return merge(document, base, document.add(std::move(top)));
}

// The path of an include as seen from `file`; shipped files include shipped ones only.
std::string beside(const std::string& file, std::string_view include) {
  return (std::filesystem::path(file).parent_path() / std::filesystem::path(include)).string();
}

std::string identity(const std::string& path) {
  std::error_code fault;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, fault);
  return fault ? path : whole.string();
}

std::optional<NodeIndex> with_base(YamlDocument& document,
                                   NodeIndex root,
                                   const std::string& file,
                                   std::vector<std::string>& chain,
                                   Diagnostics& diagnostics);

std::optional<NodeIndex> parse_file_in(YamlDocument& document,
                                       const std::string& path,
                                       std::vector<std::string>& chain,
                                       Diagnostics& diagnostics) {
  const std::optional<NodeIndex> root = document.parse_file(path, diagnostics);
  return root ? with_base(document, *root, path, chain, diagnostics) : std::nullopt;
}

// What the value of "include" stands for, parsed.
std::optional<NodeIndex> parse_base(YamlDocument& document,
                                    const Value& include,
                                    const std::string& file,
                                    std::vector<std::string>& chain,
                                    Diagnostics& diagnostics) {
  std::string text;
  if (!include.read(text)) {
    return std::nullopt;
  }
  const bool is_path = looks_like_path(text);
  const std::string target = is_path ? beside(file, text) : text;
  const std::string who = is_path ? identity(target) : target;
  if (std::find(chain.begin(), chain.end(), who) != chain.end()) {
    std::string circle;
    for (const std::string& link : chain) {
      circle += link + " -> ";
    }
    include.fault("a circle of includes: " + circle + who, "files that do not include each other");
    return std::nullopt;
  }
  if (chain.size() >= kMaxIncludes) {
    include.fault("more than " + std::to_string(kMaxIncludes) + " includes of includes", "fewer");
    return std::nullopt;
  }
  chain.push_back(who);
  std::optional<NodeIndex> base;
  if (is_path) {
    std::error_code fault;
    if (std::filesystem::is_regular_file(target, fault)) {
      base = parse_file_in(document, target, chain, diagnostics);
    } else {
      include.fault("'" + text + "', which is no file",
                    "a YAML file (looked for " + target + ") or the name of a shipped platform");
    }
  } else if (const std::optional<std::string_view> shipped = shipped_text(text)) {
    base = parse_with_includes(
        document, *shipped, text + std::string(kYamlEnding), chain, diagnostics);
  } else {
    include.fault("a .yaml file or " + allowed_words(text, shipped_names()));
  }
  chain.pop_back();
  return base;
}

std::optional<NodeIndex> with_base(YamlDocument& document,
                                   NodeIndex root,
                                   const std::string& file,
                                   std::vector<std::string>& chain,
                                   Diagnostics& diagnostics) {
  const std::optional<NodeIndex> include = document.find(root, "include");
  if (!include) {
    return root;
  }
  YamlNode own = document.node(root);
  for (std::size_t i = 0; i < own.keys.size(); ++i) {
    if (own.keys[i].text == "include") {
      own.keys.erase(own.keys.begin() + static_cast<std::ptrdiff_t>(i));
      own.items.erase(own.items.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  const std::optional<NodeIndex> base = parse_base(
      document, Value(document, *include, "include", diagnostics), file, chain, diagnostics);
  // Without its base a file lacks half its keys: those faults would only hide the real one.
  if (!base || document.node(*base).kind != YamlNode::Kind::kMap) {
    return std::nullopt;
  }
  return merge_platforms(document, *base, document.add(std::move(own)));
}

}  // namespace

std::optional<NodeIndex> parse_with_includes(YamlDocument& document,
                                             std::string_view text,
                                             const std::string& file,
                                             std::vector<std::string>& chain,
                                             Diagnostics& diagnostics) {
  const std::optional<NodeIndex> root = document.parse(text, file, diagnostics);
  return root ? with_base(document, *root, file, chain, diagnostics) : std::nullopt;
}

std::optional<NodeIndex> parse_file_with_includes(YamlDocument& document,
                                                  const std::string& path,
                                                  Diagnostics& diagnostics) {
  std::vector<std::string> chain{identity(path)};
  return parse_file_in(document, path, chain, diagnostics);
}

std::optional<std::string_view> shipped_text(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name.size() == name.size() + kYamlEnding.size() && file.name.starts_with(name) &&
        file.name.find('/') == std::string_view::npos) {
      return file.text;
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> shipped_names() {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name.find('/') == std::string_view::npos) {
      names.push_back(file.name.substr(0, file.name.size() - kYamlEnding.size()));
    }
  }
  return names;
}

bool looks_like_path(std::string_view spec) {
  return spec.find('/') != std::string_view::npos || spec.ends_with(kYamlEnding) ||
         spec.ends_with(".yml");
}

}  // namespace weft::platforms
