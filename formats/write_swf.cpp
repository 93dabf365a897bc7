// Standard Workload Format 2.2: eighteen numbers a job, -1 where nothing is known.

#include "formats/write_support.hpp"
#include "workloads/statistics.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

class SwfWriter final : public JobWriter {
 public:
  SwfWriter(std::ostream& out, const WriteOptions& options) : JobWriter(out) {
    text_ = "; Version: 2.2\n";
    if (options.zero_unix_ns) {
      text_ += "; UnixStartTime: ";
      append_int(text_, *options.zero_unix_ns / kNsPerSecond);
      text_ += '\n';
    }
    if (options.processors) {
      text_ += "; MaxProcs: ";
      append_int(text_, *options.processors);
      text_ += '\n';
    }
  }

  void record(const JobRecord& job) override {
    if (!job.submit) {
      lose("jobs without a submit time, left out", job);
      return;
    }
    ++ordinal_;
    field(job_number(job));
    time_field(job.submit->since_start());
    time_field(job.start && *job.start >= *job.submit ? std::optional(*job.start - *job.submit)
                                                      : std::nullopt);
    const auto runtime = workloads::recorded_runtime(job);
    time_field(runtime);
    std::optional<std::int64_t> allocated = job.allocated_processors;
    if (!allocated && !job.requested_processors) {
      allocated = processors_of_gpus(job);
    }
    field(allocated.value_or(-1));
    field(-1);  // CPU time
    field(-1);  // used memory
    field(job.requested_processors   ? *job.requested_processors
          : job.allocated_processors ? -1
                                     : allocated.value_or(-1));
    if (job.limit && *job.limit >= kUnlimited) {
      lose("a limit that says unlimited (written as unknown)", job);
      field(-1);
    } else {
      time_field(job.limit);
    }
    memory_field(job,
                 job.requested_processors.value_or(0) > 0 ? job.requested_processors : allocated);
    field(status(job));
    field(word(users_, job.user, "users that are not numbers (numbered in order)", job));
    field(word(groups_, job.account, "accounts that are not numbers (numbered in order)", job));
    field(word(programs_, job.profile, "profiles that are not numbers (numbered in order)", job));
    field(word(queues_, job.partition, "partitions that are not numbers (numbered in order)", job));
    text_ += "-1 -1 -1\n";
    note_losses(job);
    flush_if_full();
  }

 private:
  void field(std::int64_t value) {
    append_int(text_, value);
    text_ += ' ';
  }
  void time_field(std::optional<Duration> value) {
    if (value) {
      append_seconds(text_, *value);
      text_ += ' ';
    } else {
      text_ += "-1 ";
    }
  }

  std::int64_t job_number(const JobRecord& job) {
    if (job.id.empty()) {
      return ordinal_;
    }
    return word(ids_, job.id, "ids that are not numbers (numbered in order)", job);
  }
  std::int64_t word(WordNumbers& numbers,
                    std::string_view text,
                    std::string_view loss,
                    const JobRecord& job) {
    const WordNumbers::Number number = numbers.of(text);
    if (number.made) {
      lose(loss, job);
    }
    return number.value;
  }

  std::optional<std::int64_t> processors_of_gpus(const JobRecord& job) {
    std::optional<std::int64_t> size = total_size(job);
    if (size && *size > 0) {
      if (*size % 1000 != 0) {
        lose("parts of a GPU (rounded up to a processor)", job);
      }
      if (job.cpus || job.cpus_per_node) {
        lose("CPUs beside GPUs (processors stand for GPUs)", job);
      }
      return (*size + 999) / 1000;
    }
    if (job.cpus && job.cpus->raw() > 0) {
      return (job.cpus->raw() + 999) / 1000;
    }
    if (job.cpus_per_node && job.cpus_per_node->raw() > 0) {
      return (job.cpus_per_node->raw() * job.nodes.value_or(1) + 999) / 1000;
    }
    return job.nodes ? std::optional<std::int64_t>(*job.nodes) : std::nullopt;
  }

  // Kilobytes for each processor: of those requested, where that is known.
  void memory_field(const JobRecord& job, std::optional<std::int64_t> processors) {
    std::optional<std::int64_t> total;
    if (job.memory) {
      total = job.memory->raw();
    } else if (job.memory_per_node) {
      total = job.memory_per_node->raw() * job.nodes.value_or(1);
    }
    if (!total || !processors || *processors <= 0) {
      field(-1);
      return;
    }
    const std::int64_t kilobyte = 1024 * *processors;
    if (*total % kilobyte != 0) {
      lose("memory that is not whole kilobytes a processor (rounded up)", job);
    }
    field((*total + kilobyte - 1) / kilobyte);
  }

  std::int64_t status(const JobRecord& job) {
    switch (job.recorded_end) {
      case RecordedEnd::kUnknown:
        return -1;
      case RecordedEnd::kCompleted:
        return 1;
      case RecordedEnd::kFailed:
        return 0;
      case RecordedEnd::kCancelled:
        return 5;
      default:
        lose(
            "how the job ended, where that is neither completed, failed nor cancelled (written as "
            "failed)",
            job);
        return 0;
    }
  }

  void note_losses(const JobRecord& job) {
    if (job.begin && *job.begin > *job.submit) {
      lose("the time before which a job may not start", job);
    }
    if (job.nodes || job.gpus_per_node || job.whole_nodes) {
      lose("how a job divides over nodes", job);
    }
    if (!job.gpu_models.empty()) {
      lose("the GPU model", job);
    }
    if (!job.qos.empty()) {
      lose("the QOS", job);
    }
    if (job.priority != 0) {
      lose("the priority", job);
    }
    if (!job.recorded_nodes.empty()) {
      lose("the nodes a job ran on", job);
    }
  }

  std::int64_t ordinal_ = 0;
  WordNumbers ids_;
  WordNumbers users_;
  WordNumbers groups_;
  WordNumbers programs_;
  WordNumbers queues_;
};

}  // namespace

std::unique_ptr<JobWriter> make_swf_writer(std::ostream& out, const WriteOptions& options) {
  return std::make_unique<SwfWriter>(out, options);
}

}  // namespace weft::formats
