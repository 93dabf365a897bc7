// Any bytes as a job log: errors or jobs, never a crash, and the same for the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors.hpp"
#include "formats/job_reader.hpp"

namespace weft::formats {

class FuzzSink final : public workloads::RecordSink {
 public:
  void record(const workloads::JobRecord& job) override {
    ++count;
    for (const std::string_view text : {job.id, job.user, job.partition, job.profile}) {
      for (const char c : text) {
        sum = sum * 31 + static_cast<unsigned char>(c);  // touches every byte of every view
      }
    }
    // Times must be usable without overflow.
    WEFT_ASSERT(!job.runtime || *job.runtime >= Duration{}, "a negative run time");
    WEFT_ASSERT(!job.limit || *job.limit >= Duration{}, "a negative limit");
    WEFT_ASSERT(!job.submit || job.submit->since_start() >= Duration{}, "a negative submission");
  }
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
};

inline int fuzz_reader(const std::uint8_t* data,
                       std::size_t size,
                       JobFormat format,
                       ReadOptions options = {}) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool skip : {false, true}) {
    options.skip_bad_rows = skip;
    Diagnostics diagnostics;
    const auto file = InputFile::from_text("fuzz", text, diagnostics);
    if (!file) {
      WEFT_ASSERT(!diagnostics.ok(), "refused without a word");
      return 0;
    }
    (void)detect_format("fuzz", file->text());
    FuzzSink sink;
    const JobFileInfo info = read_jobs(*file, format, options, sink, diagnostics);
    WEFT_ASSERT(info.records == sink.count, "records counted wrong");
    WEFT_ASSERT(sink.count > 0 || !diagnostics.ok(), "neither jobs nor errors");
    for (const InputError& error : diagnostics.errors()) {
      WEFT_ASSERT(!to_string(error).empty(), "an error without words");
    }
  }
  return 0;
}

}  // namespace weft::formats
