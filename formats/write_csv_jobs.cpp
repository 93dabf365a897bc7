// Philly's CSV excerpt, the openb pod list and sacct dumps.

#include "base/csv.hpp"
#include "formats/write_support.hpp"
#include "workloads/statistics.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

class PhillyWriter final : public JobWriter {
 public:
  PhillyWriter(std::ostream& out, const WriteOptions& options)
      : JobWriter(out), zero_(nanoseconds(options.zero_unix_ns.value_or(0))) {
    text_ = "timestamp,duration,num_gpus,gpu_time,cluster\n";
  }

  void record(const JobRecord& job) override {
    const auto runtime = workloads::recorded_runtime(job);
    const auto size = total_size(job);
    if (!job.submit || !runtime || !size) {
      lose("jobs without a submit time, run time or GPU count, left out", job);
      return;
    }
    if (*size % 1000 != 0) {
      lose("parts of a GPU (rounded up)", job);
    }
    const std::int64_t count = (*size + 999) / 1000;
    append_calendar(text_, zero_ + job.submit->since_start(), ' ');
    text_ += ',';
    append_seconds(text_, *runtime);
    text_ += ',';
    append_int(text_, count);
    text_ += ',';
    // A column derived from the others; beyond the range of a time it says nothing.
    if (count == 0 || *runtime <= nanoseconds(kUnlimited.raw() / count)) {
      append_seconds(text_, *runtime * count);
    }
    text_ += ',';
    append_csv_field(text_, job.partition);
    text_ += '\n';
    note_losses(job);
    flush_if_full();
  }

 private:
  void note_losses(const JobRecord& job) {
    if (!job.id.empty()) {
      lose("the id", job);
    }
    if (job.limit) {
      lose("the limit", job);
    }
    if (!job.user.empty() || !job.account.empty()) {
      lose("user and account", job);
    }
    if (!job.profile.empty() || !job.qos.empty() || job.priority != 0 || job.begin) {
      lose("profile, QOS, priority and begin time", job);
    }
    if (job.nodes || job.gpus_per_node || job.whole_nodes) {
      lose("how a job divides over nodes", job);
    }
    if (job.cpus || job.cpus_per_node || job.memory || job.memory_per_node) {
      lose("CPUs and memory", job);
    }
    if (!job.gpu_models.empty()) {
      lose("the GPU model", job);
    }
    if (job.start || job.recorded_end != RecordedEnd::kUnknown || !job.recorded_nodes.empty()) {
      lose("when and where a job ran and how it ended", job);
    }
  }

  Duration zero_;
};

class PodWriter final : public JobWriter {
 public:
  explicit PodWriter(std::ostream& out) : JobWriter(out) {
    text_ =
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
        "deletion_time,scheduled_time\n";
  }

  void record(const JobRecord& job) override {
    const auto runtime = workloads::recorded_runtime(job);
    if (!job.submit || !runtime) {
      lose("jobs without a submit time or run time, left out", job);
      return;
    }
    const std::int64_t size = total_size(job).value_or(0);
    if (job.nodes.value_or(1) != 1 || size > kMostGpus * 1000) {
      lose("jobs of more than one node, left out (a pod is on one)", job);
      return;
    }
    if (size > 1000 && size % 1000 != 0) {
      lose("fractions above one GPU (rounded up)", job);
    }
    ++ordinal_;
    append_csv_field(text_, job.id.empty() ? std::to_string(ordinal_) : std::string(job.id));
    text_ += ',';
    if (const auto cpus = job.cpus ? job.cpus : job.cpus_per_node) {
      append_int(text_, cpus->raw());
    }
    text_ += ',';
    if (const auto memory = job.memory ? job.memory : job.memory_per_node) {
      constexpr std::int64_t kMib = std::int64_t{1} << 20U;
      if (memory->raw() % kMib != 0) {
        lose("memory that is not whole MiB (rounded up)", job);
      }
      append_int(text_, memory->raw() / kMib + (memory->raw() % kMib != 0 ? 1 : 0));
    }
    text_ += ',';
    append_int(text_, (size + 999) / 1000);
    text_ += ',';
    append_int(text_, size < 1000 ? size : 1000);
    text_ += ',';
    append_csv_field(text_, job.gpu_models);
    text_ += ',';
    append_csv_field(text_, job.qos);
    text_ += ',';
    text_ += job.recorded_end == RecordedEnd::kCompleted ? "Succeeded"
             : job.recorded_end == RecordedEnd::kFailed  ? "Failed"
                                                         : "";
    const Duration start = (job.start.value_or(*job.submit)).since_start();
    text_ += ',';
    append_seconds(text_, job.submit->since_start());
    text_ += ',';
    append_seconds(text_, start + *runtime);
    text_ += ',';
    append_seconds(text_, start);
    text_ += '\n';
    note_losses(job);
    flush_if_full();
  }

 private:
  static constexpr std::int64_t kMostGpus = 1024;

  void note_losses(const JobRecord& job) {
    if (!job.start) {
      lose("that the start is not known (written as the submit time)", job);
    }
    if (job.limit) {
      lose("the limit", job);
    }
    if (!job.user.empty() || !job.account.empty() || !job.partition.empty()) {
      lose("user, account and partition", job);
    }
    if (!job.profile.empty() || job.priority != 0 || job.begin) {
      lose("profile, priority and begin time", job);
    }
    if (job.whole_nodes) {
      lose("the wish for a node of its own", job);
    }
    if (job.recorded_end != RecordedEnd::kUnknown && job.recorded_end != RecordedEnd::kCompleted &&
        job.recorded_end != RecordedEnd::kFailed) {
      lose("how the job ended, where that is neither succeeded nor failed", job);
    }
    if (!job.recorded_nodes.empty()) {
      lose("the nodes a job ran on", job);
    }
  }

  std::int64_t ordinal_ = 0;
};

// The columns of `sacct -P` that say what a record can; times on the UTC wall clock.
class SacctWriter final : public JobWriter {
 public:
  SacctWriter(std::ostream& out, const WriteOptions& options)
      : JobWriter(out), zero_(nanoseconds(options.zero_unix_ns.value_or(0))) {
    text_ =
        "JobID|JobName|User|Account|Partition|QOS|Submit|Eligible|Start|End|Elapsed|Timelimit|"
        "ReqNodes|NNodes|ReqCPUS|ReqMem|ReqTRES|AllocTRES|State|NodeList\n";
  }

  void record(const JobRecord& job) override {
    if (!job.submit) {
      lose("jobs without a submit time, left out", job);
      return;
    }
    const auto runtime = workloads::recorded_runtime(job);
    const WordNumbers::Number id = ids_.of(job.id.empty() ? std::to_string(++ordinal_) : job.id);
    if (id.made) {
      lose("ids that are not numbers (numbered in order)", job);
    }
    append_int(text_, id.value);
    text_ += '|';
    for (const std::string_view word :
         {job.profile, job.user, job.account, job.partition, job.qos}) {
      text(word, job);
    }
    time(job.submit, job);
    time(job.begin ? job.begin : job.submit, job);
    // sacct shows a run by its start and end; where only the run time is known, it began at once.
    const std::optional<SimTime> start =
        job.start || !runtime ? job.start : std::optional(job.begin.value_or(*job.submit));
    if (!job.start && runtime) {
      lose("that the start is not known (written as the submit time)", job);
    }
    time(start, job);
    time(start && runtime ? std::optional(*start + *runtime) : job.end, job);
    elapsed(runtime, job);
    text_ += '|';
    if (job.limit && *job.limit >= kUnlimited) {
      text_ += "UNLIMITED";
    } else if (job.limit) {
      elapsed(job.limit, job);
    }
    text_ += '|';
    sizes(job, runtime.has_value());
    text_ += state(job, runtime.has_value());
    text_ += '|';
    text(job.recorded_nodes, job);
    text_.back() = '\n';
    if (job.whole_nodes) {
      lose("the wish for nodes of its own", job);
    }
    if (!job.gpu_models.empty()) {
      lose("alternatives of the GPU model", job);
    }
    if (job.priority != 0) {
      lose("the priority", job);
    }
    flush_if_full();
  }

 private:
  void text(std::string_view word, const JobRecord& job) {
    for (const char c : word) {
      const bool breaks = c == '|' || c == '\n' || c == '\r';
      if (breaks) {
        lose("separators and line ends in text (written as _)", job);
      }
      text_ += breaks ? '_' : c;
    }
    text_ += '|';
  }

  void time(std::optional<SimTime> at, const JobRecord& job) {
    if (at) {
      const Duration ns = zero_ + at->since_start();
      const Duration fraction = nanoseconds(ns.raw() % kNsPerSecond);
      if (fraction != Duration{}) {
        lose("fractions of a second (cut)", job);
      }
      append_calendar(text_, ns - fraction, 'T');
    } else {
      text_ += "Unknown";
    }
    text_ += '|';
  }

  // [d-]hh:mm:ss
  void elapsed(std::optional<Duration> value, const JobRecord& job) {
    if (!value) {
      text_ += "00:00:00";
      return;
    }
    std::int64_t s = value->raw() / kNsPerSecond;
    if (value->raw() % kNsPerSecond != 0) {
      lose("fractions of a second (cut)", job);
    }
    if (s >= 86400) {
      append_int(text_, s / 86400);
      text_ += '-';
      s %= 86400;
    }
    for (const std::int64_t part : {s / 3600, s / 60 % 60, s % 60}) {
      text_ += static_cast<char>('0' + part / 10);
      text_ += static_cast<char>('0' + part % 10);
      text_ += ':';
    }
    text_.pop_back();
  }

  void sizes(const JobRecord& job, bool ran) {
    const std::int64_t nodes = job.nodes.value_or(0);
    for (int column = 0; column < 2; ++column) {
      if (nodes > 0) {
        append_int(text_, nodes);
      }
      text_ += '|';
    }
    std::optional<std::int64_t> cpus;
    if (job.cpus) {
      cpus = (job.cpus->raw() + 999) / 1000;
    } else if (job.cpus_per_node) {
      cpus = (job.cpus_per_node->raw() * job.nodes.value_or(1) + 999) / 1000;
    }
    if (cpus) {
      append_int(text_, *cpus);
    }
    text_ += '|';
    if (job.memory || job.memory_per_node) {
      const std::int64_t total =
          job.memory ? job.memory->raw() : job.memory_per_node->raw() * job.nodes.value_or(1);
      append_int(text_, (total + 1023) / 1024);
      text_ += 'K';
    }
    text_ += '|';
    std::string tres;
    if (const auto size = total_size(job); size && *size > 0) {
      if (*size % 1000 != 0) {
        lose("parts of a GPU (rounded up)", job);
      }
      tres = "gres/gpu=";
      append_int(tres, (*size + 999) / 1000);
    }
    text_ += tres + '|';
    text_ += (ran ? tres : std::string{}) + '|';
  }

  std::string_view state(const JobRecord& job, bool ran) {
    switch (job.recorded_end) {
      case RecordedEnd::kUnknown:
        if (ran) {
          lose("that the end is not known (written as COMPLETED)", job);
        }
        return ran ? "COMPLETED" : "PENDING";
      case RecordedEnd::kCompleted:
        return "COMPLETED";
      case RecordedEnd::kFailed:
        return "FAILED";
      case RecordedEnd::kCancelled:
        return "CANCELLED";
      case RecordedEnd::kTimeout:
        return "TIMEOUT";
      case RecordedEnd::kNodeFail:
        return "NODE_FAIL";
      case RecordedEnd::kOutOfMemory:
        return "OUT_OF_MEMORY";
      case RecordedEnd::kPreempted:
        return "PREEMPTED";
      case RecordedEnd::kDeadline:
        return "DEADLINE";
    }
    return "COMPLETED";
  }

  Duration zero_;
  std::int64_t ordinal_ = 0;
  WordNumbers ids_;
};

}  // namespace

std::unique_ptr<JobWriter> make_philly_writer(std::ostream& out, const WriteOptions& options) {
  return std::make_unique<PhillyWriter>(out, options);
}

std::unique_ptr<JobWriter> make_pod_writer(std::ostream& out) {
  return std::make_unique<PodWriter>(out);
}

std::unique_ptr<JobWriter> make_sacct_writer(std::ostream& out, const WriteOptions& options) {
  return std::make_unique<SacctWriter>(out, options);
}

}  // namespace weft::formats
