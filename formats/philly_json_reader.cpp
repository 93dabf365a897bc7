// Microsoft's original Philly job log (cluster_job_log): a list of jobs, each with the attempts its
// retries made. A retry repeated the job on Philly whatever the reason, so the job's run time is
// the sum of its attempts; its size is that of the last one.

#include <limits>

#include "formats/json_rows.hpp"
#include "formats/philly_reader.hpp"
#include "formats/time_zone.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

struct PhillyJob {
  JobRecord record;                    // without times
  std::optional<std::int64_t> submit;  // ns since 1970, as the times below
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
};

class PhillyJsonReader {
 public:
  PhillyJsonReader(ReadContext& context, const JsonTree& tree, const Calendar& calendar)
      : context_(context), tree_(tree), rows_(context, tree), calendar_(calendar) {}

  void read();

 private:
  void take_job(const JsonNode& job);
  std::optional<std::int64_t> time_of(const JsonNode* value);
  void take_attempts(const JsonNode& list, PhillyJob& job);
  void take_placement(const JsonNode& list, JobRecord& record);
  void take_status(const JsonNode& job, JobRecord& record);
  void hand_over();

  ReadContext& context_;
  const JsonTree& tree_;
  JsonRows rows_;
  Calendar calendar_;
  std::vector<PhillyJob> jobs_;
};

std::optional<std::int64_t> PhillyJsonReader::time_of(const JsonNode* value) {
  if (value == nullptr || value->text == "None" ||
      (value->type == JsonNode::Type::kString && value->text.empty())) {
    return std::nullopt;
  }
  const std::string_view text = rows_.string(value);
  if (value->type != JsonNode::Type::kString) {
    return std::nullopt;
  }
  const Parsed<std::int64_t> time = calendar_.unix_ns(text);
  if (!time) {
    rows_.fault(*value, quoted(text), time.allowed());
    return std::nullopt;
  }
  return *time;
}

void PhillyJsonReader::take_placement(const JsonNode& list, JobRecord& record) {
  std::int64_t gpu_total = 0;
  std::int32_t node_count = 0;
  std::optional<std::uint32_t> each;
  bool even = true;
  for (const JsonNode* node = tree_.first_child(list); node != nullptr; node = tree_.next(*node)) {
    const JsonNode* const gpu_list =
        node->type == JsonNode::Type::kObject ? tree_.find(*node, "gpus") : nullptr;
    if (gpu_list == nullptr || gpu_list->type != JsonNode::Type::kArray) {
      rows_.fault(*node, describe(*node), "an object with ip and gpus (a list)");
      return;
    }
    gpu_total += gpu_list->children;
    ++node_count;
    even = even && (!each || *each == gpu_list->children);
    each = gpu_list->children;
  }
  if (node_count > 0) {
    record.gpus = gpus(gpu_total);
    // Philly spread jobs as it found GPUs: an uneven placement was nobody's wish.
    record.nodes = even ? std::optional(node_count) : std::nullopt;
  }
}

void PhillyJsonReader::take_attempts(const JsonNode& list, PhillyJob& job) {
  Duration total;
  std::uint32_t finished = 0;
  for (const JsonNode* attempt = tree_.first_child(list); attempt != nullptr;
       attempt = tree_.next(*attempt)) {
    if (attempt->type != JsonNode::Type::kObject) {
      rows_.fault(*attempt, describe(*attempt), "an object: an attempt");
      return;
    }
    const auto start = time_of(rows_.member(*attempt, "start_time"));
    const JsonNode* const end_node = rows_.member(*attempt, "end_time");
    const auto end = time_of(end_node);
    if (start && !job.start) {
      job.start = start;
    }
    if (start && end) {
      if (*end < *start) {
        rows_.fault(*end_node, describe(*end_node), "a time from start_time on");
        return;
      }
      total += nanoseconds(*end - *start);
      job.end = end;
      ++finished;
    }
    const JsonNode* const detail = rows_.member(*attempt, "detail");
    if (detail != nullptr && detail->type == JsonNode::Type::kArray) {
      take_placement(*detail, job.record);
    }
  }
  if (finished > 0 && total <= kUnlimited) {
    job.record.runtime = total;
  }
  if (list.children > 1) {
    context_.note("several attempts: the run time is their sum", rows_.line());
  }
  if (finished < list.children) {
    context_.note("attempt without start or end: adds no run time", rows_.line());
  }
}

void PhillyJsonReader::take_status(const JsonNode& job, JobRecord& record) {
  const JsonNode* const status = rows_.member(job, "status");
  const std::string_view word = rows_.string(status);
  if (word == "Pass") {
    record.recorded_end = RecordedEnd::kCompleted;
  } else if (word == "Failed") {
    record.recorded_end = RecordedEnd::kFailed;
  } else if (word == "Killed") {
    record.recorded_end = RecordedEnd::kCancelled;
  } else if (status != nullptr && !word.empty() && word != "Running") {
    rows_.fault(
        *status, quoted(word), allowed_words(word, {"Pass", "Failed", "Killed", "Running"}));
  }
}

void PhillyJsonReader::take_job(const JsonNode& job) {
  ++context_.info.rows;
  rows_.begin(job);
  if (job.type != JsonNode::Type::kObject) {
    rows_.fault(job, describe(job), "an object: a job");
    return;
  }
  PhillyJob read;
  read.record.line = rows_.line();
  read.record.id = rows_.text(rows_.member(job, "jobid"));
  read.record.user = rows_.text(rows_.member(job, "user"));
  read.record.partition = rows_.text(rows_.member(job, "vc"));
  take_status(job, read.record);
  const JsonNode* const submitted = rows_.member(job, "submitted_time");
  read.submit = time_of(submitted);
  if (submitted == nullptr) {
    rows_.missing("submitted_time", "when the job was submitted");
  }
  const JsonNode* const attempts = rows_.member(job, "attempts");
  if (attempts != nullptr && attempts->type == JsonNode::Type::kArray) {
    take_attempts(*attempts, read);
  } else if (attempts != nullptr) {
    rows_.fault(*attempts, describe(*attempts), "a list of attempts");
  } else {
    rows_.missing("attempts", "a list of attempts");
  }
  if (rows_.ok()) {
    jobs_.push_back(read);
  }
}

void PhillyJsonReader::hand_over() {
  std::optional<std::int64_t> zero;
  for (const PhillyJob& job : jobs_) {
    if (job.submit && (!zero || *job.submit < *zero)) {
      zero = job.submit;
    }
  }
  context_.info.zero_unix_ns = zero;
  const auto time = [&](const std::optional<std::int64_t>& unix_ns) {
    return unix_ns && zero ? std::optional(SimTime::at(nanoseconds(*unix_ns - *zero)))
                           : std::nullopt;
  };
  for (PhillyJob& job : jobs_) {
    job.record.submit = time(job.submit);
    job.record.start = time(job.start);
    job.record.end = time(job.end);
    context_.sink.record(job.record);
  }
}

void PhillyJsonReader::read() {
  const JsonNode& root = tree_.root();
  if (root.type != JsonNode::Type::kArray) {
    context_.file_fault(context_.file.at_offset(root.offset), {}, describe(root), "a list of jobs");
    return;
  }
  for (const JsonNode* job = tree_.first_child(root); job != nullptr; job = tree_.next(*job)) {
    take_job(*job);
  }
  hand_over();
}

}  // namespace

void read_philly_json(ReadContext& context, const Calendar& calendar) {
  JsonTree tree;
  if (const auto fault = tree.parse(context.file, 0, context.file.text().size())) {
    report_json_fault(context, *fault);
    return;
  }
  PhillyJsonReader(context, tree, calendar).read();
}

}  // namespace weft::formats
