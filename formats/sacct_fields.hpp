// The values of Slurm's accounting columns: durations, memory, TRES and GRES strings, states.
// Meanings follow Slurm's documentation (sacct(1), slurm.conf(5)); docs/formats.md has the table.
// Internal to formats/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/job.hpp"
#include "base/quantity.hpp"
#include "base/units.hpp"

namespace weft::formats {

// Slurm writes nothing, "Unknown", "None", "N/A", "(null)" or "None assigned" where it has no
// value.
[[nodiscard]] bool is_no_value(std::string_view text);

// [d-]hh:mm:ss, [d-]hh:mm, d-hh, mm:ss, each with a fraction of the second where seconds stand.
// A number alone is minutes, as in sbatch --time, or refused where the column never has that.
enum class BareNumber : std::uint8_t { kMinutes, kSeconds, kRefused };
[[nodiscard]] Parsed<Duration> parse_slurm_duration(std::string_view text, BareNumber bare);

// kUnlimited for UNLIMITED and INFINITE, nothing for Partition_Limit: the partition's default.
[[nodiscard]] Parsed<std::optional<Duration>> parse_slurm_limit(std::string_view text,
                                                                BareNumber bare);

// "4000Mc" for each core, "16Gn" for each node, "32G" in total; K M G T P are powers of 1024 and
// a number alone is MiB. Zero means not specified.
struct SlurmMemory {
  enum class Scope : std::uint8_t { kUnspecified, kPerCpu, kPerNode, kTotal };
  Scope scope = Scope::kUnspecified;
  Bytes amount;
};
[[nodiscard]] Parsed<SlurmMemory> parse_slurm_memory(std::string_view text);

// GPUs of a GRES list ("gpu:h100:8(S:0-1),nvme:1") or a TRES list ("cpu=8,gres/gpu:h100=8"):
// typed, untyped and indexed forms count alike. models: the types named, joined by '|'.
struct SlurmGpus {
  std::int64_t count = 0;
  std::string models;
};
[[nodiscard]] Parsed<SlurmGpus> parse_gres(std::string_view text);

struct SlurmTres {
  SlurmGpus gpus;
  std::optional<std::int64_t> cpus;
  std::optional<std::int64_t> nodes;
  std::optional<Bytes> memory;
};
[[nodiscard]] Parsed<SlurmTres> parse_tres(std::string_view text);

// "CANCELLED by 1234", "OUT_OF_ME+" (cut off by sacct), "CD": the state's meaning here.
struct SlurmState {
  RecordedEnd end = RecordedEnd::kUnknown;
  bool pending = false;  // has not started
  bool running = false;  // has no end yet
};
[[nodiscard]] Parsed<SlurmState> parse_slurm_state(std::string_view text);

// "12_[1-10,15-21:2%4]": the job's number and the tasks, at most `most` of them.
struct ArrayTasks {
  std::string_view job;
  std::vector<std::int64_t> tasks;
};
[[nodiscard]] bool has_array_tasks(std::string_view job_id);
[[nodiscard]] Parsed<ArrayTasks> parse_array_tasks(std::string_view job_id, std::size_t most);

}  // namespace weft::formats
