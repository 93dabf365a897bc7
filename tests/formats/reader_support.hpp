// What the reader tests share: records kept by value, a reader run on a text.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "formats/job_reader.hpp"

namespace weft::formats::testing_support {

// A JobRecord with its texts kept.
struct KeptRecord {
  workloads::JobRecord job;  // its views are stale: use the strings
  std::string id;
  std::string gpu_models;
  std::string profile;
  std::string user;
  std::string account;
  std::string partition;
  std::string qos;
  std::string recorded_nodes;
};

class KeepingSink final : public workloads::RecordSink {
 public:
  void record(const workloads::JobRecord& job) override {
    records.push_back({job,
                       std::string(job.id),
                       std::string(job.gpu_models),
                       std::string(job.profile),
                       std::string(job.user),
                       std::string(job.account),
                       std::string(job.partition),
                       std::string(job.qos),
                       std::string(job.recorded_nodes)});
  }
  std::vector<KeptRecord> records;
};

struct ReadResult {
  JobFileInfo info;
  std::vector<KeptRecord> records;
  Diagnostics diagnostics;

  [[nodiscard]] std::string errors() const {
    std::string text;
    for (const InputError& error : diagnostics.errors()) {
      text += to_string(error) + "\n";
    }
    return text;
  }
  [[nodiscard]] std::optional<std::uint64_t> note_rows(std::string_view part) const {
    for (const ReadNote& note : info.notes) {
      if (note.what.find(part) != std::string::npos) {
        return note.rows;
      }
    }
    return std::nullopt;
  }
};

inline ReadResult read_text(std::string_view text,
                            JobFormat format,
                            const ReadOptions& options = {}) {
  ReadResult result;
  const auto file = InputFile::from_text("log", text, result.diagnostics);
  if (file) {
    KeepingSink sink;
    result.info = read_jobs(*file, format, options, sink, result.diagnostics);
    result.records = std::move(sink.records);
  }
  return result;
}

inline std::string all_fields(const KeptRecord& r) {
  std::string text = r.id;
  const auto add = [&](const auto& value) {
    text += '/';
    if (value) {
      text += std::to_string(value->raw());
    }
  };
  const auto add_time = [&](const std::optional<SimTime>& time) {
    text += '/';
    if (time) {
      text += std::to_string(time->ns());
    }
  };
  const auto add_number = [&](const auto& value) {
    text += '/';
    if (value) {
      text += std::to_string(*value);
    }
  };
  add_time(r.job.submit);
  add_time(r.job.begin);
  add_time(r.job.start);
  add_time(r.job.end);
  add(r.job.runtime);
  add(r.job.limit);
  add_number(r.job.allocated_processors);
  add_number(r.job.requested_processors);
  add(r.job.gpus);
  add_number(r.job.nodes);
  add(r.job.gpus_per_node);
  add(r.job.cpus);
  add(r.job.cpus_per_node);
  add(r.job.memory);
  add(r.job.memory_per_node);
  for (const std::string& word :
       {r.gpu_models, r.profile, r.user, r.account, r.partition, r.qos, r.recorded_nodes}) {
    text += '/' + word;
  }
  return text + '/' + std::to_string(static_cast<int>(r.job.recorded_end)) + '/' +
         std::to_string(r.job.line);
}

// The folder of large reference inputs, if this machine has it.
inline std::optional<std::filesystem::path> shared_folder() {
  const char* const named = std::getenv("WEFT_SHARED");
  const std::filesystem::path folder =
      named != nullptr ? std::filesystem::path(named)
                       : std::filesystem::path(WEFT_SOURCE_DIR).parent_path() / "shared";
  return std::filesystem::exists(folder / "traces") ? std::optional(folder) : std::nullopt;
}

}  // namespace weft::formats::testing_support
