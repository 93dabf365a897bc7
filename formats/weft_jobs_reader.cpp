// weft's own jobs: JSON objects, one a line or in one list. Keys are those of docs/formats.md;
// unknown keys are errors. Times and sizes carry their unit ("90s", "2h", "1TB").

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/number.hpp"
#include "formats/json_rows.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

constexpr std::string_view kKeys[] = {
    "id",        "submit", "kind",     "gpus",    "nodes",    "gpus_per_node", "gpu_model",
    "cpus",      "memory", "limit",    "begin",   "deadline", "user",          "account",
    "partition", "qos",    "priority", "runtime", "recorded", "profile"};
// Known to the format, but of job kinds and rules that this version does not simulate.
constexpr std::string_view kOtherKeys[] = {
    "min_nodes", "max_nodes", "after",      "array",    "switches", "tolerations", "model",
    "parallel",  "steps",     "checkpoint", "data",     "engine",   "replicas",    "autoscale",
    "slo",       "requests",  "stages",     "arrivals", "trials",   "parallelism", "stop"};
constexpr std::string_view kOtherKinds[] = {"training", "serving", "agent", "search"};
constexpr std::string_view kRecordedKeys[] = {"start", "end", "nodes", "state"};

template <std::size_t N>
bool among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

struct StateWord {
  std::string_view word;
  RecordedEnd end;
};
constexpr StateWord kStates[] = {{"COMPLETED", RecordedEnd::kCompleted},
                                 {"FAILED", RecordedEnd::kFailed},
                                 {"CANCELLED", RecordedEnd::kCancelled},
                                 {"TIMEOUT", RecordedEnd::kTimeout},
                                 {"NODE_FAIL", RecordedEnd::kNodeFail},
                                 {"OUT_OF_MEMORY", RecordedEnd::kOutOfMemory},
                                 {"PREEMPTED", RecordedEnd::kPreempted},
                                 {"DEADLINE", RecordedEnd::kDeadline}};

class WeftJobsReader {
 public:
  WeftJobsReader(ReadContext& context, const JsonTree& tree)
      : context_(context), tree_(tree), rows_(context, tree) {}

  void take_job(const JsonNode& job);

 private:
  bool check_keys(const JsonNode& job);
  void take_times(const JsonNode& job, JobRecord& record);
  void take_size(const JsonNode& job, JobRecord& record);
  void take_recorded(const JsonNode& recorded, JobRecord& record);
  std::optional<Duration> duration(const JsonNode* value);
  std::optional<std::int64_t> thousandths(const JsonNode* value);
  std::string_view models(const JsonNode* value);

  ReadContext& context_;
  const JsonTree& tree_;
  JsonRows rows_;
  std::string models_;  // alternatives of the job at hand, joined
};

bool WeftJobsReader::check_keys(const JsonNode& job) {
  const JsonNode* const kind = rows_.member(job, "kind");
  if (kind != nullptr && rows_.string(kind) != "fixed") {
    if (among(kOtherKinds, kind->text)) {
      rows_.fault(*kind,
                  quoted(kind->text) + ", a kind this version does not simulate",
                  "'fixed': a job with a runtime of its own");
    } else if (kind->type == JsonNode::Type::kString) {
      rows_.fault(*kind,
                  quoted(kind->text),
                  allowed_words(kind->text, {"fixed", "training", "serving", "agent", "search"}));
    }
    return false;
  }
  for (const JsonNode* member = tree_.first_child(job); member != nullptr;
       member = tree_.next(*member)) {
    if (among(kKeys, member->key)) {
      continue;
    }
    if (among(kOtherKeys, member->key)) {
      rows_.key_fault(
          *member, "a key this version does not simulate for kind fixed", "a job without it");
    } else {
      rows_.key_fault(*member,
                      "unknown key " + quoted(member->key),
                      allowed_words(member->key, {std::begin(kKeys), std::end(kKeys)}));
    }
  }
  return true;
}

std::optional<Duration> WeftJobsReader::duration(const JsonNode* value) {
  if (value == nullptr) {
    return std::nullopt;
  }
  if (value->type != JsonNode::Type::kString) {
    rows_.fault(*value, describe(*value), "a time with its unit, such as \"90s\" or \"2h\"");
    return std::nullopt;
  }
  const Parsed<Duration> parsed = parse_duration(value->text);
  if (!parsed) {
    rows_.fault(*value, describe(*value), parsed.allowed());
    return std::nullopt;
  }
  return *parsed;
}

// A number with at most three decimals, in thousandths.
std::optional<std::int64_t> WeftJobsReader::thousandths(const JsonNode* value) {
  if (value == nullptr) {
    return std::nullopt;
  }
  constexpr std::int64_t kMost = 1'000'000'000;
  Duration number;  // decimal digits read as for seconds are exact in 10^-9
  const char* const end = value->text.data() + value->text.size();
  if (value->type == JsonNode::Type::kNumber &&
      read_seconds(value->text.data(), end, number) == end && number.raw() % 1'000'000 == 0 &&
      number <= seconds(kMost)) {
    return number.raw() / 1'000'000;
  }
  rows_.fault(*value, describe(*value), "a number from 0 with at most three decimals");
  return std::nullopt;
}

// "A|B", or a list of models.
std::string_view WeftJobsReader::models(const JsonNode* value) {
  if (value == nullptr || value->type != JsonNode::Type::kArray) {
    return rows_.string(value);
  }
  models_.clear();
  for (const JsonNode* model = tree_.first_child(*value); model != nullptr;
       model = tree_.next(*model)) {
    models_ += models_.empty() ? "" : "|";
    models_ += rows_.string(model);
  }
  return models_;
}

void WeftJobsReader::take_times(const JsonNode& job, JobRecord& record) {
  if (const auto submit = duration(rows_.member(job, "submit"))) {
    record.submit = SimTime::at(*submit);
  }
  if (const auto begin = duration(rows_.member(job, "begin"))) {
    record.begin = SimTime::at(*begin);
  }
  record.runtime = duration(rows_.member(job, "runtime"));
  const JsonNode* const limit = rows_.member(job, "limit");
  if (limit != nullptr && limit->text == "unlimited") {
    record.limit = kUnlimited;
  } else {
    record.limit = duration(limit);
  }
  for (const std::string_view key : {"submit", "runtime"}) {
    if (rows_.member(job, key) == nullptr) {
      rows_.missing(key, "a time with its unit for every job of kind fixed");
    }
  }
  if (const JsonNode* const deadline = rows_.member(job, "deadline")) {
    if (duration(deadline)) {
      context_.note("deadline: no policy of this version looks at it", rows_.line());
    }
  }
}

void WeftJobsReader::take_size(const JsonNode& job, JobRecord& record) {
  constexpr std::int64_t kMostNodes = 1'000'000;
  if (const auto amount = thousandths(rows_.member(job, "gpus"))) {
    record.gpus = gpu_thousandths(*amount);
  }
  if (const auto amount = thousandths(rows_.member(job, "gpus_per_node"))) {
    record.gpus_per_node = gpu_thousandths(*amount);
  }
  if (const auto count = rows_.whole_number(rows_.member(job, "nodes"), 1, kMostNodes)) {
    record.nodes = static_cast<std::int32_t>(*count);
  }
  if (const auto amount = thousandths(rows_.member(job, "cpus"))) {
    record.cpus = cpu_thousandths(*amount);
  }
  if (const JsonNode* const memory = rows_.member(job, "memory")) {
    const Parsed<Bytes> parsed = parse_bytes(rows_.string(memory));
    if (parsed) {
      record.memory = *parsed;
    } else {
      rows_.fault(*memory, describe(*memory), parsed.allowed());
    }
  }
  if (record.gpus && record.gpus_per_node) {
    rows_.fault(*rows_.member(job, "gpus_per_node"),
                "both gpus and gpus_per_node",
                "gpus (in total), or nodes and gpus_per_node");
  }
  if (record.gpus_per_node && !record.nodes) {
    rows_.missing("nodes", "a number of nodes beside gpus_per_node");
  }
  if (!record.gpus && !record.gpus_per_node && !record.nodes && !record.cpus && rows_.ok()) {
    rows_.missing("gpus", "a size: gpus, nodes or cpus");
  }
  record.gpu_models = models(rows_.member(job, "gpu_model"));
}

void WeftJobsReader::take_recorded(const JsonNode& recorded, JobRecord& record) {
  if (recorded.type != JsonNode::Type::kObject) {
    rows_.fault(recorded, describe(recorded), "an object with start, end, nodes, state");
    return;
  }
  for (const JsonNode* member = tree_.first_child(recorded); member != nullptr;
       member = tree_.next(*member)) {
    if (!among(kRecordedKeys, member->key)) {
      rows_.key_fault(
          *member,
          "unknown key " + quoted(member->key),
          allowed_words(member->key, {std::begin(kRecordedKeys), std::end(kRecordedKeys)}));
    }
  }
  if (const auto start = duration(rows_.member(recorded, "start"))) {
    record.start = SimTime::at(*start);
  }
  if (const auto end = duration(rows_.member(recorded, "end"))) {
    record.end = SimTime::at(*end);
  }
  record.recorded_nodes = rows_.string(rows_.member(recorded, "nodes"));
  if (const JsonNode* const state = rows_.member(recorded, "state")) {
    const std::string_view word = rows_.string(state);
    const auto* const found = std::find_if(
        std::begin(kStates), std::end(kStates), [&](const StateWord& s) { return s.word == word; });
    if (found != std::end(kStates)) {
      record.recorded_end = found->end;
    } else {
      std::vector<std::string_view> known;
      for (const StateWord& s : kStates) {
        known.push_back(s.word);
      }
      rows_.fault(*state, describe(*state), allowed_words(word, known));
    }
  }
}

void WeftJobsReader::take_job(const JsonNode& job) {
  ++context_.info.rows;
  rows_.begin(job);
  if (job.type != JsonNode::Type::kObject) {
    rows_.fault(job, describe(job), "an object: a job");
    return;
  }
  JobRecord record;
  record.line = rows_.line();
  if (!check_keys(job)) {
    return;
  }
  record.id = rows_.text(rows_.member(job, "id"));
  if (record.id.empty() && rows_.ok()) {
    rows_.missing("id", "a name or number for every job");
  }
  take_times(job, record);
  take_size(job, record);
  record.user = rows_.string(rows_.member(job, "user"));
  record.account = rows_.string(rows_.member(job, "account"));
  record.partition = rows_.string(rows_.member(job, "partition"));
  record.qos = rows_.string(rows_.member(job, "qos"));
  record.profile = rows_.string(rows_.member(job, "profile"));
  constexpr std::int64_t kMostPriority = std::numeric_limits<std::int32_t>::max();
  if (const auto priority =
          rows_.whole_number(rows_.member(job, "priority"), -kMostPriority, kMostPriority)) {
    record.priority = static_cast<std::int32_t>(*priority);
  }
  if (const JsonNode* const recorded = rows_.member(job, "recorded")) {
    take_recorded(*recorded, record);
  }
  if (rows_.ok()) {
    context_.sink.record(record);
  }
}

}  // namespace

void read_weft_jobs(ReadContext& context) {
  const std::string_view text = context.file.text();
  JsonTree tree;
  WeftJobsReader reader(context, tree);
  if (text[text.find_first_not_of(" \t\r\n")] == '[') {
    if (const auto fault = tree.parse(context.file, 0, text.size())) {
      report_json_fault(context, *fault);
      return;
    }
    for (const JsonNode* job = tree.first_child(tree.root()); job != nullptr;
         job = tree.next(*job)) {
      reader.take_job(*job);
    }
    return;
  }
  std::uint32_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (text.substr(begin, end - begin).find_first_not_of(" \t\r") != std::string_view::npos) {
      if (const auto fault = tree.parse(context.file, begin, end - begin)) {
        ++context.info.rows;
        context.row_fault(line,
                          static_cast<std::uint32_t>(fault->offset - begin + 1),
                          {},
                          fault->found,
                          fault->allowed);
      } else {
        reader.take_job(tree.root());
      }
    }
    begin = end + 1;
  }
}

}  // namespace weft::formats
