#include "formats/json_rows.hpp"

#include <algorithm>
#include <utility>

#include "base/number.hpp"

namespace weft::formats {

void report_json_fault(ReadContext& context, const JsonFault& fault) {
  context.file_fault(context.file.at_offset(fault.offset), {}, fault.found, fault.allowed);
}

void JsonRows::begin(const JsonNode& row) {
  offset_ = row.offset;
  line_ = lines_.line_at(row.offset);
  ok_ = true;
}

void JsonRows::report(std::size_t offset,
                      std::string_view key,
                      std::string found,
                      std::string allowed) {
  ok_ = false;
  const std::string_view text = context_.file.text();
  std::uint32_t line = line_;
  if (offset >= offset_) {
    const std::string_view inside = text.substr(offset_, offset - offset_);
    line += static_cast<std::uint32_t>(std::count(inside.begin(), inside.end(), '\n'));
  } else {
    line = context_.file.at_offset(offset).line;
  }
  const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t column = newline == std::string_view::npos ? offset + 1 : offset - newline;
  context_.row_fault(line,
                     static_cast<std::uint32_t>(column),
                     std::string(key),
                     std::move(found),
                     std::move(allowed));
}

void JsonRows::fault(const JsonNode& at, std::string found, std::string allowed) {
  report(at.offset, at.key, std::move(found), std::move(allowed));
}

void JsonRows::key_fault(const JsonNode& member, std::string found, std::string allowed) {
  report(member.key_offset, member.key, std::move(found), std::move(allowed));
}

void JsonRows::missing(std::string_view key, std::string allowed) {
  report(offset_, key, "nothing", std::move(allowed));
}

const JsonNode* JsonRows::member(const JsonNode& object, std::string_view key) const {
  const JsonNode* const found = tree_.find(object, key);
  return found == nullptr || found->type == JsonNode::Type::kNull ? nullptr : found;
}

std::optional<std::int64_t> JsonRows::whole_number(const JsonNode* value,
                                                   std::int64_t least,
                                                   std::int64_t most) {
  if (value == nullptr) {
    return std::nullopt;
  }
  std::int64_t number = 0;
  const char* const end = value->text.data() + value->text.size();
  if (value->type == JsonNode::Type::kNumber &&
      read_int64(value->text.data(), end, number) == end && number >= least && number <= most) {
    return number;
  }
  fault(*value,
        describe(*value),
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

std::optional<Duration> JsonRows::seconds_number(const JsonNode* value) {
  if (value == nullptr) {
    return std::nullopt;
  }
  Duration number;
  const char* const end = value->text.data() + value->text.size();
  if (value->type == JsonNode::Type::kNumber &&
      read_seconds(value->text.data(), end, number) == end) {
    return number;
  }
  fault(*value, describe(*value), "a number of seconds from 0 to 290 years");
  return std::nullopt;
}

std::string_view JsonRows::string(const JsonNode* value) {
  if (value == nullptr) {
    return {};
  }
  if (value->type != JsonNode::Type::kString) {
    fault(*value, describe(*value), "a string");
    return {};
  }
  return value->text;
}

std::string_view JsonRows::text(const JsonNode* value) {
  return value != nullptr && value->type == JsonNode::Type::kNumber ? value->text : string(value);
}

}  // namespace weft::formats
