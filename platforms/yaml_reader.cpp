#include "platforms/yaml_reader.hpp"

#include <algorithm>
#include <charconv>

#include "platforms/number_text.hpp"

namespace weft::platforms {
namespace {

constexpr std::size_t kShownText = 60;

// A scalar as it may stand in a message: on one line, not too long.
std::string shown(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, kShownText)) {
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  // Never cut a UTF-8 sequence in two.
  if (text.size() > kShownText) {
    std::size_t cut = kShownText;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) {
      --cut;
    }
    out.resize(1 + cut);
    return out + "'...";
  }
  return out + "'";
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// -?digits without leading zeros.
NumberFault to_integer(std::string_view text, std::int64_t& into) {
  const std::string_view digits = text.substr(!text.empty() && text[0] == '-' ? 1 : 0);
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) {
    return NumberFault::kNoNumber;
  }
  if (digits.size() > 1 && digits[0] == '0') {
    return NumberFault::kLeadingZero;
  }
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), into);
  return fault == std::errc() && end == text.data() + text.size() ? NumberFault::kNone
                                                                  : NumberFault::kTooLarge;
}

std::string explain(NumberFault fault, std::string allowed) {
  return fault == NumberFault::kLeadingZero ? allowed + ", without leading zeros" : allowed;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return lower;
}

}  // namespace

std::string allowed_with_guess(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t kShortestStart = 2;
  if (word.size() >= kShortestStart) {
    const std::string start = lower_case(word);
    for (const std::string_view candidate : known) {
      if (lower_case(candidate).starts_with(start)) {
        return allowed_words(candidate, known) + " (did you mean '" + std::string(candidate) +
               "'?)";
      }
    }
  }
  return allowed_words(word, known);
}

std::string Value::found() const {
  switch (node().kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kScalar:
      return shown(node().text);
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a map";
  }
  return {};
}

void Value::fault(std::string allowed) const {
  fault(found(), std::move(allowed));
}
void Value::fault(std::string found, std::string allowed) const {
  diagnostics_->error({at(), path_, std::move(found), std::move(allowed)});
}
void Value::warn(std::string found, std::string allowed) const {
  diagnostics_->warning({at(), path_, std::move(found), std::move(allowed)});
}

bool Value::read(std::string& into) const {
  if (!is_scalar() || raw().empty()) {
    fault(is_scalar() ? "empty text" : found(), "text");
    return false;
  }
  into = raw();
  return true;
}

bool Value::read(bool& into) const {
  if (!is_scalar() || node().quoted || (raw() != "true" && raw() != "false")) {
    fault("true or false");
    return false;
  }
  into = raw() == "true";
  return true;
}

template <class T>
bool Value::take(const Parsed<T>& parsed, T& into) const {
  if (!is_scalar() || !parsed) {
    fault(parsed ? std::string("one value") : parsed.allowed());
    return false;
  }
  into = *parsed;
  return true;
}

bool Value::read(Duration& into) const {
  return take(parse_duration(raw()), into);
}
bool Value::read(BytesPerSec& into) const {
  return take(parse_rate(raw()), into);
}
bool Value::read(Bytes& into) const {
  return take(parse_bytes(raw()), into);
}
bool Value::read(Power& into) const {
  return take(parse_power(raw()), into);
}
bool Value::read(FlopsPerSec& into) const {
  return take(parse_flops(raw()), into);
}
bool Value::read_per_second(double& into) const {
  return take(parse_per_second(raw()), into);
}
bool Value::read_carbon(double& into) const {
  return take(parse_carbon(raw()), into);
}
bool Value::read_price(Money& into, PriceUnit::Kind unit) const {
  return take(parse_price(raw(), unit), into);
}

bool Value::read_integer(std::int64_t& into, IntegerRange range) const {
  const std::string allowed = range.least == range.most
                                  ? std::to_string(range.least)
                                  : "a whole number from " + std::to_string(range.least) + " to " +
                                        std::to_string(range.most);
  std::int64_t value = 0;
  const NumberFault bad =
      is_scalar() && !node().quoted ? to_integer(raw(), value) : NumberFault::kNoNumber;
  if (bad != NumberFault::kNone || value < range.least || value > range.most) {
    fault(explain(bad, allowed));
    return false;
  }
  into = value;
  return true;
}

bool Value::read_number(double& into, NumberRange range) const {
  const std::string allowed =
      "a number from " + number_text(range.least) + " to " + number_text(range.most);
  double value = 0;
  const NumberFault bad =
      is_scalar() && !node().quoted ? read_plain_number(raw(), value) : NumberFault::kNoNumber;
  if (bad != NumberFault::kNone || value < range.least || value > range.most) {
    fault(explain(bad, allowed));
    return false;
  }
  into = value;
  return true;
}

bool Value::read_word(std::size_t& into, const std::vector<std::string_view>& known) const {
  const auto at = std::find(known.begin(), known.end(), raw());
  if (!is_scalar() || at == known.end()) {
    fault(allowed_with_guess(raw(), known));
    return false;
  }
  into = static_cast<std::size_t>(at - known.begin());
  return true;
}

std::vector<Value> Value::items() const {
  std::vector<Value> values;
  if (!is_list()) {
    fault("a list");
    return values;
  }
  values.reserve(node().items.size());
  for (std::size_t i = 0; i < node().items.size(); ++i) {
    values.emplace_back(
        *document_, node().items[i], path_ + '[' + std::to_string(i) + ']', *diagnostics_);
  }
  return values;
}

std::optional<Reader> Value::map() const {
  if (!is_map()) {
    fault("a map of keys and values");
    return std::nullopt;
  }
  return Reader(*this);
}

std::optional<Value> Value::peek(std::string_view key) const {
  const std::optional<YamlDocument::NodeIndex> entry = document_->find(node_, key);
  if (!entry) {
    return std::nullopt;
  }
  return Value(*document_, *entry, path_ + '.' + std::string(key), *diagnostics_);
}

Reader::Reader(const YamlDocument& document, YamlDocument::NodeIndex root, Diagnostics& diagnostics)
    : Reader(Value(document, root, "", diagnostics)) {
  if (!map_.is_map()) {
    map_.fault("a map of keys and values");
  }
}

Reader::Reader(Value map) : map_(std::move(map)), open_(std::make_unique<bool>(true)) {
  used_.resize(map_.node().keys.size());
}

std::optional<std::size_t> Reader::position(std::string_view key) const {
  const std::vector<YamlNode::Key>& keys = map_.node().keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) {
      return i;
    }
  }
  return std::nullopt;
}

std::string Reader::path_of(std::string_view key) const {
  return path().empty() ? std::string(key) : path() + '.' + std::string(key);
}

Value Reader::value(std::size_t position) const {
  const YamlNode& node = map_.node();
  return {
      *map_.document_, node.items[position], path_of(node.keys[position].text), *map_.diagnostics_};
}

std::optional<Value> Reader::find(std::string_view key, Need need, std::string_view expected) {
  const std::optional<std::size_t> at = position(key);
  if (!at) {
    known_.emplace_back(key);
    if (need == Need::kRequired && map_.is_map()) {
      map_.diagnostics_->error({this->at(), path_of(key), "nothing", std::string(expected)});
    }
    return std::nullopt;
  }
  if (!used_[*at]) {
    used_[*at] = true;
    known_.emplace_back(key);
  }
  return value(*at);
}

bool Reader::has(std::string_view key) const {
  return position(key).has_value();
}

std::optional<Reader> Reader::map(std::string_view key, Need need) {
  const std::optional<Value> value = find(key, need, "a map of keys and values");
  return value ? value->map() : std::nullopt;
}

std::vector<Value> Reader::items(std::string_view key, Need need) {
  const std::optional<Value> value = find(key, need, "a list");
  return value ? value->items() : std::vector<Value>{};
}

std::vector<Reader> Reader::maps(std::string_view key, Need need) {
  std::vector<Reader> readers;
  for (const Value& item : items(key, need)) {
    if (std::optional<Reader> reader = item.map()) {
      readers.push_back(std::move(*reader));
    }
  }
  return readers;
}

std::vector<std::pair<std::string, Value>> Reader::entries() {
  std::vector<std::pair<std::string, Value>> all;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    used_[i] = true;
    all.emplace_back(map_.node().keys[i].text, value(i));
  }
  return all;
}

bool Reader::read_number(std::string_view key, double& into, NumberRange range, Need need) {
  const std::optional<Value> value = find(key, need, "a number");
  return value && value->read_number(into, range);
}

bool Reader::read_per_second(std::string_view key, std::optional<double>& into) {
  double number = 0;
  const std::optional<Value> value = find(key);
  return value && value->read_per_second(number) && (into = number, true);
}

bool Reader::read_price(std::string_view key, std::optional<Money>& into, PriceUnit::Kind unit) {
  Money price;
  const std::optional<Value> value = find(key);
  return value && value->read_price(price, unit) && (into = price, true);
}

Source Reader::at(std::string_view key) const {
  const std::optional<std::size_t> found = position(key);
  return found ? value(*found).at() : at();
}

void Reader::fault(std::string_view key, std::string allowed) const {
  const std::optional<std::size_t> found = position(key);
  fault(key, found ? value(*found).found() : "nothing", std::move(allowed));
}
void Reader::fault(std::string_view key, std::string found, std::string allowed) const {
  map_.diagnostics_->error({at(key), path_of(key), std::move(found), std::move(allowed)});
}
void Reader::warn(std::string_view key, std::string found, std::string allowed) const {
  map_.diagnostics_->warning({at(key), path_of(key), std::move(found), std::move(allowed)});
}

std::string Reader::word_list(const std::vector<std::string_view>& words) {
  return allowed_words("", words);
}

void Reader::done() {
  if (!open_) {
    return;
  }
  open_.reset();
  const std::vector<YamlNode::Key>& keys = map_.node().keys;
  std::vector<std::string_view> known(known_.begin(), known_.end());
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (!used_[i]) {
      map_.diagnostics_->error({keys[i].at,
                                path_of(keys[i].text),
                                "an unknown key",
                                allowed_with_guess(keys[i].text, known)});
    }
  }
}

}  // namespace weft::platforms
