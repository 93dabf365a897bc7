// Strict reading of YAML maps: what every YAML file of weft is read with.
//
// A Reader wraps one map and remembers which keys were asked for; when it goes out of scope (or
// at done()) every other key is reported as unknown, with the nearest key that was asked for. All
// getters report faults to the Diagnostics with file:line:column and the full key path, leave the
// target as it was, and return false; reading goes on, so that one run shows all faults of a file.
//
//   YamlDocument document;
//   if (const auto root = document.parse(text, "queue.yaml", diagnostics)) {
//     Reader reader(document, *root, diagnostics);
//     std::string name;
//     Duration limit = hours(24);                      // the default
//     std::optional<Bytes> memory;
//     reader.read("name", name, Need::kRequired);
//     reader.read_positive("limit", limit);
//     reader.read("memory", memory);                   // optional targets stay empty
//     reader.read_integer("depth", depth, {0, 1000});
//     reader.read_word("order", order, kOrders);       // std::array of Word<Order>
//     if (auto costs = reader.map("costs")) { costs->read("tariff", ...); }
//     for (Reader& queue : reader.maps("queues")) { ... }
//   }                                                  // unknown keys are reported here
//
// A map read by two Readers reports each other's keys: read a map once. The document and the
// diagnostics must outlive Readers and Values. Numbers must be plain decimals ("8", "0.5", "1e3"):
// no signs but for integers whose range allows it, no leading zeros, no quotes, no nan or inf.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/quantity.hpp"
#include "base/units.hpp"
#include "platforms/yaml_document.hpp"

namespace weft::platforms {

enum class Need : std::uint8_t { kOptional, kRequired };

template <class E>
struct Word {
  std::string_view text;
  E value;
};

template <class E, std::size_t N>
[[nodiscard]] constexpr std::string_view word_of(const std::array<Word<E>, N>& words, E value) {
  for (const Word<E>& word : words) {
    if (word.value == value) {
      return word.text;
    }
  }
  return "?";
}

struct IntegerRange {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int32_t>::max();
};
struct NumberRange {
  double least = 0;
  double most = 1e15;
};

// allowed_words, but words that continue what was written are better guesses than those spelt most
// alike: "cpu" means cpus, not gpu, and "h100" H100-SXM, not P100. Case does not matter for that.
[[nodiscard]] std::string allowed_with_guess(std::string_view word,
                                             const std::vector<std::string_view>& known);

class Reader;

// One node with its path. Cheap to copy.
class Value {
 public:
  Value(const YamlDocument& document,
        YamlDocument::NodeIndex node,
        std::string path,
        Diagnostics& diagnostics)
      : document_(&document), node_(node), path_(std::move(path)), diagnostics_(&diagnostics) {}

  [[nodiscard]] bool is_map() const { return node().kind == YamlNode::Kind::kMap; }
  [[nodiscard]] bool is_list() const { return node().kind == YamlNode::Kind::kList; }
  [[nodiscard]] bool is_scalar() const { return node().kind == YamlNode::Kind::kScalar; }
  // The scalar's characters, quoted or not; empty for lists and maps.
  [[nodiscard]] std::string_view raw() const { return node().text; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Source& at() const { return node().at; }
  [[nodiscard]] YamlDocument::NodeIndex index() const { return node_; }
  // "'x'", "a map", "a list", "nothing": what an error says was found.
  [[nodiscard]] std::string found() const;

  bool read(std::string& into) const;  // not empty
  bool read(bool& into) const;         // true or false
  bool read(Duration& into) const;
  bool read(BytesPerSec& into) const;
  bool read(Bytes& into) const;
  bool read(Power& into) const;
  bool read(FlopsPerSec& into) const;
  bool read_integer(std::int64_t& into, IntegerRange range) const;
  bool read_number(double& into, NumberRange range) const;
  bool read_per_second(double& into) const;
  bool read_carbon(double& into) const;  // grams a kWh
  bool read_price(Money& into, PriceUnit::Kind unit) const;
  // Position of the word in `known`.
  bool read_word(std::size_t& into, const std::vector<std::string_view>& known) const;

  // Its items; a fault if it is not a list.
  [[nodiscard]] std::vector<Value> items() const;
  [[nodiscard]] std::optional<Reader> map() const;  // a fault if it is not a map
  // A map's entry, without fault and without marking it as known to a Reader.
  [[nodiscard]] std::optional<Value> peek(std::string_view key) const;

  void fault(std::string allowed) const;  // found: found()
  void fault(std::string found, std::string allowed) const;
  void warn(std::string found, std::string allowed) const;

 private:
  friend class Reader;
  [[nodiscard]] const YamlNode& node() const { return document_->node(node_); }
  template <class T>
  bool take(const Parsed<T>& parsed, T& into) const;

  const YamlDocument* document_;
  YamlDocument::NodeIndex node_;
  std::string path_;
  Diagnostics* diagnostics_;
};

class Reader {
 public:
  // The root of a document; a root that is not a map is a fault and reads as an empty map.
  Reader(const YamlDocument& document, YamlDocument::NodeIndex root, Diagnostics& diagnostics);
  explicit Reader(Value map);
  Reader(Reader&& other) noexcept = default;
  Reader& operator=(Reader&&) = delete;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { done(); }

  // T: std::string, bool and the unit types Value::read takes; std::optional<T> is set if present.
  template <class T>
  bool read(std::string_view key, T& into, Need need = Need::kOptional) {
    const std::optional<Value> value = find(key, need, expected(&into));
    return value && value->read(into);
  }
  template <class T>
  bool read(std::string_view key, std::optional<T>& into, Need need = Need::kOptional) {
    T value{};
    return read(key, value, need) && (into = std::move(value), true);
  }
  // Quantities that may not be 0.
  template <class T>
  bool read_positive(std::string_view key, T& into, Need need = Need::kOptional) {
    T value{};
    if (!read(key, value, need)) {
      return false;
    }
    if (!(value > T{})) {
      fault(key, "more than 0");
      return false;
    }
    into = value;
    return true;
  }
  template <class T>
  bool read_positive(std::string_view key, std::optional<T>& into, Need need = Need::kOptional) {
    T value{};
    return read_positive(key, value, need) && (into = value, true);
  }
  template <class I>
  bool read_integer(std::string_view key,
                    I& into,
                    IntegerRange range,
                    Need need = Need::kOptional) {
    std::int64_t wide = 0;
    const std::optional<Value> value = find(key, need, "a whole number");
    if (!value || !value->read_integer(wide, range)) {
      return false;
    }
    into = static_cast<I>(wide);
    return true;
  }
  template <class I>
  bool read_integer(std::string_view key,
                    std::optional<I>& into,
                    IntegerRange range,
                    Need need = Need::kOptional) {
    I value{};
    return read_integer(key, value, range, need) && (into = value, true);
  }
  bool read_number(std::string_view key,
                   double& into,
                   NumberRange range,
                   Need need = Need::kOptional);
  bool read_per_second(std::string_view key, std::optional<double>& into);
  bool read_price(std::string_view key, std::optional<Money>& into, PriceUnit::Kind unit);
  template <class E, std::size_t N>
  bool read_word(std::string_view key,
                 E& into,
                 const std::array<Word<E>, N>& words,
                 Need need = Need::kOptional) {
    std::vector<std::string_view> known;
    known.reserve(N);
    for (const Word<E>& word : words) {
      known.push_back(word.text);
    }
    std::size_t position = 0;
    const std::optional<Value> value = find(key, need, word_list(known));
    if (!value || !value->read_word(position, known)) {
      return false;
    }
    into = words[position].value;
    return true;
  }

  // Marks the key as known. `expected` says what a missing required key should be.
  [[nodiscard]] std::optional<Value> find(std::string_view key,
                                          Need need = Need::kOptional,
                                          std::string_view expected = {});
  [[nodiscard]] bool has(std::string_view key) const;  // does not mark it
  [[nodiscard]] std::optional<Reader> map(std::string_view key, Need need = Need::kOptional);
  // Items of a list of maps (those that are maps; others are faults). Absent: none.
  [[nodiscard]] std::vector<Reader> maps(std::string_view key, Need need = Need::kOptional);
  [[nodiscard]] std::vector<Value> items(std::string_view key, Need need = Need::kOptional);
  // All entries, for maps with free keys (labels); marks them all.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> entries();

  [[nodiscard]] const std::string& path() const { return map_.path(); }
  [[nodiscard]] const Source& at() const { return map_.at(); }
  [[nodiscard]] std::string path_of(std::string_view key) const;
  // Where the key's value stands, or the map if it is not there.
  [[nodiscard]] Source at(std::string_view key) const;
  void fault(std::string_view key, std::string allowed) const;  // found: what stands there
  void fault(std::string_view key, std::string found, std::string allowed) const;
  void warn(std::string_view key, std::string found, std::string allowed) const;

  // Reports unknown keys, once.
  void done();

 private:
  static std::string_view expected(const std::string*) { return "text"; }
  static std::string_view expected(const bool*) { return "true or false"; }
  static std::string_view expected(const Duration*) { return "a time, for example 90s or 30d"; }
  static std::string_view expected(const BytesPerSec*) { return "a rate, for example 400Gbps"; }
  static std::string_view expected(const Bytes*) { return "a size, for example 80GB"; }
  static std::string_view expected(const Power*) { return "a power, for example 10.2kW"; }
  static std::string_view expected(const FlopsPerSec*) { return "a rate, for example 989TFLOP/s"; }
  static std::string word_list(const std::vector<std::string_view>& words);
  [[nodiscard]] std::optional<std::size_t> position(std::string_view key) const;
  [[nodiscard]] Value value(std::size_t position) const;

  Value map_;
  std::vector<bool> used_;          // by position in the map
  std::vector<std::string> known_;  // all keys asked for: suggestions
  std::unique_ptr<bool> open_;      // null: done, or moved from
};

}  // namespace weft::platforms
