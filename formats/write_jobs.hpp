// Writing job records in the formats of job logs: `weft trace convert` and `weft trace generate`.
//
// Each format holds only so much. What a job has and its target cannot say is counted as a loss and
// never dropped in silence; what the target can say comes back the same when it is read again
// (tests/formats/write_jobs_test.cpp). docs/formats.md lists what each target can say.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "formats/job_reader.hpp"
#include "workloads/job_record.hpp"

namespace weft::formats {

struct WriteOptions {
  std::string name = "weft";                 // of the log, where the format has a place for it
  std::optional<std::int64_t> zero_unix_ns;  // calendar time of time 0; default: 1970-01-01
  std::optional<std::int64_t> processors;    // of the machine; default: the largest job
};

struct WriteLoss {
  std::string what;              // "the user (the format has no column for it)"
  std::uint64_t jobs = 0;        // how many had it
  std::uint32_t first_line = 0;  // of the source; 0 if not known
};

class JobWriter : public workloads::RecordSink {
 public:
  explicit JobWriter(std::ostream& out) : out_(&out) {}
  // Once, after the last record. False if the stream failed.
  bool finish();
  // In order of first occurrence.
  [[nodiscard]] const std::vector<WriteLoss>& losses() const { return losses_; }

 protected:
  virtual void end() {}  // what follows the last record
  void lose(std::string_view what, const workloads::JobRecord& job);
  void flush_if_full();

  std::string text_;  // not written yet

 private:
  void flush();

  std::ostream* out_;
  std::vector<WriteLoss> losses_;
};

// Formats that can be written: swf, weft, batsim, philly (CSV), alibaba-gpu-2023 (pods), sacct.
// Null for others. The stream must outlive the writer.
[[nodiscard]] std::unique_ptr<JobWriter> make_job_writer(JobFormat format,
                                                         std::ostream& out,
                                                         const WriteOptions& options);

}  // namespace weft::formats
