// The jobs of a JSON job log one by one: positions of faults, typed getters. Internal to formats/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"
#include "formats/json_tree.hpp"
#include "formats/read_context.hpp"

namespace weft::formats {

class JsonRows {
 public:
  JsonRows(ReadContext& context, const JsonTree& tree)
      : context_(context), tree_(tree), lines_(context.file.text()) {}

  // From here on faults are of this job. Jobs come in file order.
  void begin(const JsonNode& row);
  [[nodiscard]] std::uint32_t line() const { return line_; }
  // Whether the row had no fault so far.
  [[nodiscard]] bool ok() const { return ok_; }
  void fault(const JsonNode& at, std::string found, std::string allowed);
  // At the key, not the value.
  void key_fault(const JsonNode& member, std::string found, std::string allowed);
  // "runtime: found nothing"
  void missing(std::string_view key, std::string allowed);

  // Members of the row's object. Absent or null: nothing. Of another type or out of range: nothing,
  // and reported.
  const JsonNode* member(const JsonNode& object, std::string_view key) const;
  std::optional<std::int64_t> whole_number(const JsonNode* value,
                                           std::int64_t least,
                                           std::int64_t most);
  std::optional<Duration> seconds_number(const JsonNode* value);
  std::string_view string(const JsonNode* value);
  // A string, or a number as written: ids.
  std::string_view text(const JsonNode* value);

 private:
  void report(std::size_t offset, std::string_view key, std::string found, std::string allowed);

  ReadContext& context_;
  const JsonTree& tree_;
  LineCounter lines_;
  std::size_t offset_ = 0;
  std::uint32_t line_ = 0;
  bool ok_ = true;
};

// A fault of the whole text, at its place.
void report_json_fault(ReadContext& context, const JsonFault& fault);

}  // namespace weft::formats
