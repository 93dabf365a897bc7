#include "formats/json_tree.hpp"

#include <algorithm>
#include <simdjson.h>
#include <utility>

#include "formats/read_context.hpp"

namespace weft::formats {

namespace {

namespace ondemand = simdjson::ondemand;

}  // namespace

struct JsonTree::Parser {
  ondemand::parser parser;
};

// Walks the document once, which also validates all of it.
class JsonTree::Builder {
 public:
  Builder(JsonTree& tree, const char* base) : tree_(tree), base_(base) {}

  bool build(ondemand::document& document) {
    ondemand::json_type type{};
    if (!check(document.type().get(type))) {
      return false;
    }
    const std::uint32_t root = add(0);
    tree_.nodes_[root].offset = here(document);
    if (type == ondemand::json_type::object) {
      ondemand::object object;
      if (!check(document.get_object().get(object)) || !members(object, root, 1)) {
        return false;
      }
    } else if (type == ondemand::json_type::array) {
      ondemand::array array;
      if (!check(document.get_array().get(array)) || !elements(array, root, 1)) {
        return false;
      }
    } else {
      return fail(tree_.nodes_[root].offset, "a single value", "an object or an array");
    }
    const char* rest = nullptr;
    if (document.current_location().get(rest) == simdjson::SUCCESS) {
      return fail(static_cast<std::size_t>(rest - base_),
                  "more text",
                  "the end, after one object or array");
    }
    return true;
  }

  JsonFault fault;

 private:
  std::uint32_t add(std::size_t offset) {
    tree_.nodes_.emplace_back().offset = offset;
    last_offset_ = offset;
    return static_cast<std::uint32_t>(tree_.nodes_.size() - 1);
  }

  std::size_t here(ondemand::document& document) {
    const char* at = nullptr;
    return document.current_location().get(at) == simdjson::SUCCESS
               ? static_cast<std::size_t>(at - base_)
               : last_offset_;
  }

  bool fail(std::size_t offset, std::string found, std::string allowed) {
    fault = {offset, std::move(found), std::move(allowed)};
    return false;
  }

  bool check(simdjson::error_code error) {
    return error == simdjson::SUCCESS ||
           fail(last_offset_, "a number out of range", "a number that fits 64 bits");
  }

  void append(std::uint32_t parent, std::uint32_t& last, std::uint32_t child) {
    JsonNode& p = tree_.nodes_[parent];
    ++p.children;
    if (last == JsonNode::kNone) {
      p.first_child = child;
    } else {
      tree_.nodes_[last].next = child;
    }
    last = child;
  }

  bool members(ondemand::object& object, std::uint32_t node, int depth) {
    tree_.nodes_[node].type = JsonNode::Type::kObject;
    if (depth > kMaxDepth) {
      return fail(last_offset_, "too many levels", "at most " + std::to_string(kMaxDepth));
    }
    std::uint32_t last = JsonNode::kNone;
    for (auto entry : object) {
      ondemand::field field;
      if (!check(std::move(entry).get(field))) {
        return false;
      }
      // The raw key starts just behind its quote.
      const auto key_offset = static_cast<std::size_t>(field.key().raw() - base_) - 1;
      last_offset_ = key_offset;
      std::string_view key;
      if (!check(field.unescaped_key().get(key))) {
        return false;
      }
      std::uint32_t child = 0;
      if (!value(field.value(), child, depth)) {
        return false;
      }
      tree_.nodes_[child].key = key;
      tree_.nodes_[child].key_offset = key_offset;
      append(node, last, child);
    }
    return keys_differ(node);
  }

  // Sorted, because a hostile object may have a million keys.
  bool keys_differ(std::uint32_t node) {
    keys_.clear();
    const JsonNode* member = tree_.first_child(tree_.nodes_[node]);
    for (; member != nullptr; member = tree_.next(*member)) {
      keys_.emplace_back(member->key, member->key_offset);
    }
    std::sort(keys_.begin(), keys_.end());
    for (std::size_t i = 1; i < keys_.size(); ++i) {
      if (keys_[i].first == keys_[i - 1].first) {
        return fail(keys_[i].second, "key " + quoted(keys_[i].first) + " twice", "each key once");
      }
    }
    return true;
  }

  bool elements(ondemand::array& array, std::uint32_t node, int depth) {
    tree_.nodes_[node].type = JsonNode::Type::kArray;
    if (depth > kMaxDepth) {
      return fail(last_offset_, "too many levels", "at most " + std::to_string(kMaxDepth));
    }
    std::uint32_t last = JsonNode::kNone;
    for (auto entry : array) {
      ondemand::value element;
      if (!check(std::move(entry).get(element))) {
        return false;
      }
      std::uint32_t child = 0;
      if (!value(element, child, depth)) {
        return false;
      }
      append(node, last, child);
    }
    return true;
  }

  bool value(ondemand::value element, std::uint32_t& child, int depth) {
    const std::string_view raw = element.raw_json_token();
    child = add(static_cast<std::size_t>(raw.data() - base_));
    ondemand::json_type type{};
    if (!check(element.type().get(type))) {
      return false;
    }
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object object;
        return check(element.get_object().get(object)) && members(object, child, depth + 1);
      }
      case ondemand::json_type::array: {
        ondemand::array array;
        return check(element.get_array().get(array)) && elements(array, child, depth + 1);
      }
      case ondemand::json_type::string: {
        tree_.nodes_[child].type = JsonNode::Type::kString;
        return check(element.get_string().get(tree_.nodes_[child].text));
      }
      case ondemand::json_type::number: {
        tree_.nodes_[child].type = JsonNode::Type::kNumber;
        tree_.nodes_[child].text = raw.substr(0, raw.find_last_not_of(" \t\r\n") + 1);
        ondemand::number number;
        return check(element.get_number().get(number));
      }
      case ondemand::json_type::boolean:
        tree_.nodes_[child].type = JsonNode::Type::kBool;
        return check(element.get_bool().get(tree_.nodes_[child].boolean));
      case ondemand::json_type::null: {
        bool is_null = false;
        return check(element.is_null().get(is_null)) &&
               (is_null || fail(last_offset_, quoted(raw), "null, true, false or a number"));
      }
    }
    return fail(last_offset_, quoted(raw), "a JSON value");
  }

  JsonTree& tree_;
  const char* base_;
  std::size_t last_offset_ = 0;
  std::vector<std::pair<std::string_view, std::size_t>> keys_;  // scratch of keys_differ
};

JsonTree::JsonTree() : parser_(std::make_unique<Parser>()) {}
JsonTree::~JsonTree() = default;

std::optional<JsonFault> JsonTree::parse(const InputFile& file,
                                         std::size_t begin,
                                         std::size_t size) {
  static_assert(InputFile::kPadding >= simdjson::SIMDJSON_PADDING);
  nodes_.clear();
  const std::string_view all = file.text();
  const std::size_t room = all.size() + InputFile::kPadding - begin;
  const simdjson::padded_string_view text(all.data() + begin, size, room);
  ondemand::document document;
  const auto error = parser_->parser.iterate(text).get(document);
  Builder builder(*this, all.data());
  if (error == simdjson::SUCCESS && builder.build(document)) {
    return std::nullopt;
  }
  if (auto fault = find_json_fault(all.substr(begin, size))) {
    fault->offset += begin;
    return fault;
  }
  // Sound JSON that is refused all the same: a key twice, too deep, not an object or array.
  return error == simdjson::SUCCESS
             ? builder.fault
             : JsonFault{begin, simdjson::error_message(error), "an object or an array"};
}

const JsonNode* JsonTree::find(const JsonNode& object, std::string_view key) const {
  for (const JsonNode* member = first_child(object); member != nullptr; member = next(*member)) {
    if (member->key == key) {
      return member;
    }
  }
  return nullptr;
}

std::string describe(const JsonNode& node) {
  switch (node.type) {
    case JsonNode::Type::kNull:
      return "null";
    case JsonNode::Type::kBool:
      return node.boolean ? "true" : "false";
    case JsonNode::Type::kNumber:
      return std::string(node.text.substr(0, 40));
    case JsonNode::Type::kString:
      return quoted(node.text);
    case JsonNode::Type::kArray:
      return "a list";
    case JsonNode::Type::kObject:
      return "an object";
  }
  return {};
}

std::uint32_t LineCounter::line_at(std::size_t offset) {
  const std::string_view passed = text_.substr(at_, offset - at_);
  line_ += static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
  at_ = offset;
  return line_;
}

}  // namespace weft::formats
