// What several writers share. Internal to formats/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/flat_index.hpp"
#include "base/symbols.hpp"
#include "formats/write_jobs.hpp"

namespace weft::formats {

// Whole numbers for texts, for formats whose ids are numbers: texts that are whole numbers stay
// as they are if the first one was; all others are numbered in order of first appearance.
class WordNumbers {
 public:
  struct Number {
    std::int64_t value = -1;  // -1: no text
    bool made = false;        // not the text's own number
  };
  Number of(std::string_view text);

 private:
  static constexpr std::int64_t kFirstMade = 1'000'000'001;  // beside texts that are numbers
  enum class Kind : std::uint8_t { kUnknown, kNumbers, kWords };
  Kind kind_ = Kind::kUnknown;
  Symbols words_;
};

void append_int(std::string& out, std::int64_t value);
void append_seconds(std::string& out, Duration value);
// In double quotes, escaped, invalid UTF-8 as '?'.
void append_json_string(std::string& out, std::string_view text);
// "2017-10-03 23:12:54" (`between` ' ' or 'T'), the fraction if there is one.
void append_calendar(std::string& out, Duration since_epoch, char between);

// GPUs or processors of a record in total, in thousandths; nothing if it says none.
[[nodiscard]] std::optional<std::int64_t> total_size(const workloads::JobRecord& job);

std::unique_ptr<JobWriter> make_swf_writer(std::ostream& out, const WriteOptions& options);
std::unique_ptr<JobWriter> make_weft_writer(std::ostream& out);
std::unique_ptr<JobWriter> make_batsim_writer(std::ostream& out, const WriteOptions& options);
std::unique_ptr<JobWriter> make_philly_writer(std::ostream& out, const WriteOptions& options);
std::unique_ptr<JobWriter> make_pod_writer(std::ostream& out);
std::unique_ptr<JobWriter> make_sacct_writer(std::ostream& out, const WriteOptions& options);

}  // namespace weft::formats
