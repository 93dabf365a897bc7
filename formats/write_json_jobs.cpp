// weft's own jobs (a JSON object a line) and Batsim's JSON workloads.

#include <algorithm>

#include "base/number.hpp"
#include "base/quantity.hpp"
#include "formats/write_support.hpp"
#include "workloads/statistics.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

std::string_view state_word(RecordedEnd end) {
  constexpr std::array<std::string_view, 9> kWords = {"",
                                                      "COMPLETED",
                                                      "FAILED",
                                                      "CANCELLED",
                                                      "TIMEOUT",
                                                      "NODE_FAIL",
                                                      "OUT_OF_MEMORY",
                                                      "PREEMPTED",
                                                      "DEADLINE"};
  return kWords[static_cast<std::size_t>(end)];
}

class WeftWriter final : public JobWriter {
 public:
  using JobWriter::JobWriter;

  void record(const JobRecord& job) override {
    const std::optional<Duration> runtime = workloads::recorded_runtime(job);
    if (!job.submit || !runtime) {
      lose("jobs without a submit time or run time, left out", job);
      return;
    }
    ++ordinal_;
    text_ += "{\"id\": ";
    if (job.id.empty()) {
      append_json_string(text_, std::to_string(ordinal_));
    } else {
      append_json_string(text_, job.id);
    }
    time("submit", job.submit->since_start());
    if (job.begin) {
      time("begin", job.begin->since_start());
    }
    time("runtime", *runtime);
    if (job.limit && *job.limit >= kUnlimited) {
      string("limit", "unlimited");
    } else if (job.limit) {
      time("limit", *job.limit);
    }
    size(job);
    string("gpu_model", job.gpu_models);
    string("user", job.user);
    string("account", job.account);
    string("partition", job.partition);
    string("qos", job.qos);
    string("profile", job.profile);
    if (job.priority != 0) {
      key("priority");
      append_int(text_, job.priority);
    }
    recorded(job);
    text_ += "}\n";
    flush_if_full();
  }

 private:
  void key(std::string_view name) {
    text_ += ", \"";
    text_ += name;
    text_ += "\": ";
  }
  void time(std::string_view name, Duration value) {
    key(name);
    text_ += '"';
    text_ += to_text(value);
    text_ += '"';
  }
  void string(std::string_view name, std::string_view value) {
    if (!value.empty()) {
      key(name);
      append_json_string(text_, value);
    }
  }
  void thousandths(std::string_view name, std::int64_t value) {
    key(name);
    // Thousandths are to units what nanoseconds times a million are to seconds.
    append_seconds(text_, nanoseconds(value * 1'000'000));
  }

  void size(const JobRecord& job) {
    const std::int64_t allocated = job.allocated_processors.value_or(0);
    const std::int64_t requested = job.requested_processors.value_or(0);
    if (allocated > 0 || requested > 0) {
      if (allocated > 0 && requested > 0 && allocated != requested) {
        lose("a requested size other than the allocated one (allocated written)", job);
      }
      key("gpus");
      append_int(text_, allocated > 0 ? allocated : requested);
    } else if (job.gpus) {
      thousandths("gpus", job.gpus->raw());
      if (job.gpus_per_node) {
        lose("GPUs per node beside a total (total written)", job);
      }
    } else if (job.gpus_per_node) {
      thousandths("gpus_per_node", job.gpus_per_node->raw());
    }
    // The format wants a number of nodes beside GPUs per node.
    if (job.nodes) {
      key("nodes");
      append_int(text_, *job.nodes);
    } else if (job.gpus_per_node && !job.gpus && allocated <= 0 && requested <= 0) {
      key("nodes");
      append_int(text_, 1);
    }
    if (job.whole_nodes && (job.gpus || job.gpus_per_node || job.cpus || job.cpus_per_node)) {
      lose("the wish for nodes of its own", job);
    }
    const std::int64_t nodes = job.nodes.value_or(1);
    if (job.cpus) {
      thousandths("cpus", job.cpus->raw());
    } else if (job.cpus_per_node) {
      thousandths("cpus", job.cpus_per_node->raw() * nodes);
    }
    if (job.memory || job.memory_per_node) {
      key("memory");
      text_ += '"';
      text_ += to_text(job.memory ? *job.memory : *job.memory_per_node * nodes);
      text_ += '"';
    }
  }

  void recorded(const JobRecord& job) {
    const bool any = job.start || job.end || !job.recorded_nodes.empty() ||
                     job.recorded_end != RecordedEnd::kUnknown;
    if (!any) {
      return;
    }
    key("recorded");
    text_ += '{';
    const std::size_t begin = text_.size();
    if (job.start) {
      time("start", job.start->since_start());
    }
    if (job.end) {
      time("end", job.end->since_start());
    }
    string("nodes", job.recorded_nodes);
    string("state", state_word(job.recorded_end));
    text_.erase(begin, 2);  // the first ", "
    text_ += '}';
  }

  std::int64_t ordinal_ = 0;
};

class BatsimWriter final : public JobWriter {
 public:
  BatsimWriter(std::ostream& out, const WriteOptions& options)
      : JobWriter(out), machine_(options.processors) {
    text_ = "{\n\"description\": ";
    append_json_string(text_, options.name);
    text_ += ",\n\"jobs\": [";
  }

  void record(const JobRecord& job) override {
    const std::optional<Duration> runtime = workloads::recorded_runtime(job);
    const std::int64_t processors = size(job);
    if (!job.submit || !runtime || processors <= 0) {
      lose("jobs without a submit time, run time or size, left out", job);
      return;
    }
    ++ordinal_;
    largest_ = std::max(largest_, processors);
    text_ += ordinal_ == 1 ? "\n{\"id\": " : ",\n{\"id\": ";
    append_json_string(text_, job.id.empty() ? std::to_string(ordinal_) : std::string(job.id));
    text_ += ", \"subtime\": ";
    append_seconds(text_, job.submit->since_start());
    if (job.limit && *job.limit < kUnlimited) {
      text_ += ", \"walltime\": ";
      append_seconds(text_, *job.limit);
    } else if (job.limit) {
      lose("a limit that says unlimited (left out)", job);
    }
    text_ += ", \"res\": ";
    append_int(text_, processors);
    text_ += ", \"profile\": ";
    append_json_string(text_, profile_for(job, *runtime));
    text_ += '}';
    note_losses(job);
    flush_if_full();
  }

  void end() override {
    text_ += "\n],\n\"profiles\": {";
    for (std::uint32_t i = 1; i < profiles_.size(); ++i) {
      text_ += i == 1 ? "\n" : ",\n";
      append_json_string(text_, profiles_.text(SymbolId{i}));
      text_ += ": {\"type\": \"delay\", \"delay\": ";
      append_seconds(text_, delays_[i]);
      text_ += '}';
      flush_if_full();
    }
    text_ += "\n},\n\"nb_res\": ";
    append_int(text_, machine_.value_or(std::max<std::int64_t>(largest_, 1)));
    text_ += "\n}\n";
  }

 private:
  std::int64_t size(const JobRecord& job) {
    if (job.requested_processors.value_or(0) > 0) {
      if (job.allocated_processors.value_or(0) > 0 &&
          *job.allocated_processors != *job.requested_processors) {
        lose("an allocated size other than the requested one (requested written)", job);
      }
      return *job.requested_processors;
    }
    const std::optional<std::int64_t> total = total_size(job);
    if (total && *total % 1000 != 0) {
      lose("parts of a GPU (rounded up to a resource)", job);
    }
    return total ? (*total + 999) / 1000 : job.nodes.value_or(0);
  }

  // The job's own profile if all its jobs take as long, else one named after the delay.
  std::string_view profile_for(const JobRecord& job, Duration runtime) {
    if (!job.profile.empty() && takes(job.profile, runtime)) {
      return job.profile;
    }
    if (!job.profile.empty()) {
      lose("a profile that other jobs have with another run time (named by its delay)", job);
    }
    name_ = "delay-";
    append_seconds(name_, runtime);
    while (!takes(name_, runtime)) {  // a job's own profile has taken the name
      name_ += '\'';
    }
    return name_;
  }

  bool takes(std::string_view profile, Duration runtime) {
    const std::size_t id = index(profiles_.intern(profile));
    if (id == delays_.size()) {
      delays_.push_back(runtime);
    }
    return delays_[id] == runtime;
  }

  void note_losses(const JobRecord& job) {
    if (!job.user.empty() || !job.account.empty()) {
      lose("user and account", job);
    }
    if (!job.partition.empty() || !job.qos.empty()) {
      lose("partition and QOS", job);
    }
    if (job.priority != 0) {
      lose("the priority", job);
    }
    if (job.begin) {
      lose("the time before which a job may not start", job);
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

  std::optional<std::int64_t> machine_;
  std::int64_t ordinal_ = 0;
  std::int64_t largest_ = 0;
  Symbols profiles_;
  std::vector<Duration> delays_{Duration{}};  // by symbol; the first is that of no name
  std::string name_;
};

}  // namespace

std::unique_ptr<JobWriter> make_weft_writer(std::ostream& out) {
  return std::make_unique<WeftWriter>(out);
}

std::unique_ptr<JobWriter> make_batsim_writer(std::ostream& out, const WriteOptions& options) {
  return std::make_unique<BatsimWriter>(out, options);
}

}  // namespace weft::formats
