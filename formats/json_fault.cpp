// Where exactly a text stops being JSON. simdjson is fast but does not say; nlohmann's parser reads
// character by character and does. Called for faulty texts only.

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "formats/json_tree.hpp"
#include "formats/read_context.hpp"

namespace weft::formats {

namespace {

class FaultFinder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*elements*/) override { return true; }
  bool key(string_t& /*value*/) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t /*elements*/) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position,
                   const std::string& last_token,
                   const nlohmann::json::exception& error) override {
    position_ = position;
    constexpr int kNumberOutOfRange = 406;
    out_of_range_ = error.id == kNumberOutOfRange;
    message_ = error.what();
    // A sound token in the wrong place: nlohmann stands at its end, the fault is where it begins.
    const bool misplaced = message_.find("unexpected ") != std::string::npos &&
                           message_.find("unexpected end of input") == std::string::npos;
    if (misplaced && position_ >= last_token.size()) {
      position_ -= last_token.empty() ? 0 : last_token.size() - 1;
    }
    return false;
  }

  // Counted from 1; 0: no fault.
  std::size_t position_ = 0;
  bool out_of_range_ = false;
  std::string message_;
};

// "... syntax error while parsing value - invalid literal; last read: 'nux'; expected ']'": the
// part that says what was expected, else what is wrong.
std::string allowed_from(const std::string& message) {
  const std::string_view text = message;
  if (const std::size_t at = text.rfind("expected "); at != std::string_view::npos) {
    return std::string(text.substr(at + 9));
  }
  const std::size_t dash = text.find(" - ");
  if (dash == std::string_view::npos) {
    return "valid JSON";
  }
  std::string_view reason = text.substr(dash + 3);
  reason = reason.substr(0, reason.find("; last read"));
  return "valid JSON (" + std::string(reason) + ")";
}

}  // namespace

std::optional<JsonFault> find_json_fault(std::string_view text) {
  FaultFinder finder;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &finder)) {
    return std::nullopt;
  }
  if (finder.out_of_range_) {
    // The position is behind the number.
    std::size_t begin = std::min(finder.position_, text.size());
    const auto in_number = [](char c) {
      return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
    };
    while (begin > 0 && in_number(text[begin - 1])) {
      --begin;
    }
    return JsonFault{begin, "a number out of range", "a number that fits 64 bits"};
  }
  const std::size_t offset = finder.position_ > 0 ? finder.position_ - 1 : 0;
  if (offset >= text.size()) {
    return JsonFault{text.size(), "the end of the text", allowed_from(finder.message_)};
  }
  return JsonFault{offset, quoted(text.substr(offset, 1)), allowed_from(finder.message_)};
}

}  // namespace weft::formats
