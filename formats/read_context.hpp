// What every reader of this room needs while it goes through a file: where faults go, what is
// counted, where records go. Internal to formats/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/job_reader.hpp"

namespace weft::formats {

// Passes records on and counts which fields they have.
class CountingSink final : public workloads::RecordSink {
 public:
  CountingSink(workloads::RecordSink& next, JobFileInfo& info) : next_(next), info_(info) {}
  void record(const workloads::JobRecord& job) override;
  void flush();  // brings the counts of `info` up to date

 private:
  void count_day(const workloads::JobRecord& job);

  workloads::RecordSink& next_;
  JobFileInfo& info_;
  std::uint32_t mask_ = 0;  // fields of the last records, which mostly are the same
  std::uint64_t run_ = 0;   // how many in a row had mask_
  SimTime day_begin_;
  SimTime day_end_;
  std::size_t day_ = 0;
};

class ReadContext {
 public:
  ReadContext(const InputFile& input,
              const ReadOptions& read_options,
              JobFileInfo& job_file_info,
              workloads::RecordSink& record_sink,
              Diagnostics& where_faults_go)
      : file(input),
        options(read_options),
        info(job_file_info),
        sink(record_sink),
        diagnostics(where_faults_go) {}

  // A fault of the whole file: an error whatever the options.
  void file_fault(const Source& at, std::string key, std::string found, std::string allowed);
  // A fault of one row: its reader must leave the row out.
  void row_fault(std::uint32_t line,
                 std::uint32_t column,
                 std::string key,
                 std::string found,
                 std::string allowed);
  void note(std::string_view what, std::uint32_t line);

  const InputFile& file;
  const ReadOptions& options;
  JobFileInfo& info;
  workloads::RecordSink& sink;
  Diagnostics& diagnostics;
};

// 'text', shortened, with what does not print as \xNN: for messages.
[[nodiscard]] std::string quoted(std::string_view text);

// The readers.
void read_swf(ReadContext& context);
void read_sacct(ReadContext& context);
void read_philly(ReadContext& context);
void read_alibaba_pods(ReadContext& context);
void read_batsim(ReadContext& context);
void read_weft_jobs(ReadContext& context);
void read_mapped_csv(ReadContext& context);

}  // namespace weft::formats
