// Batsim's JSON workloads: {"nb_res": N, "jobs": [...], "profiles": {...}}.
// https://batsim.readthedocs.io/en/latest/input-workload.html
//
// Two profile types say how long a job runs without simulating its inside: delay, and
// parallel_homogeneous, whose `cpu` FLOPs on each host take cpu / ReadOptions::batsim_speed.

#include <charconv>
#include <limits>
#include <unordered_map>

#include "base/number.hpp"
#include "formats/json_rows.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

constexpr std::string_view kShape = "an object with \"jobs\" (a list) and \"profiles\" (an object)";

class BatsimReader {
 public:
  BatsimReader(ReadContext& context, const JsonTree& tree)
      : context_(context), tree_(tree), rows_(context, tree) {}

  void read();

 private:
  void take_job(const JsonNode& job);
  std::optional<Duration> runtime_of(const JsonNode& job);
  std::optional<Duration> compute_time(const JsonNode* flops);

  ReadContext& context_;
  const JsonTree& tree_;
  JsonRows rows_;
  std::unordered_map<std::string_view, const JsonNode*> profiles_;  // only looked up in
};

std::optional<Duration> BatsimReader::compute_time(const JsonNode* flops) {
  double amount = 0;
  if (flops == nullptr || flops->type != JsonNode::Type::kNumber) {
    return std::nullopt;
  }
  const char* const end = flops->text.data() + flops->text.size();
  if (std::from_chars(flops->text.data(), end, amount).ptr != end) {
    return std::nullopt;
  }
  const double ns = amount / context_.options.batsim_speed.raw() * 1e9;
  constexpr double kMostNs = static_cast<double>(kMaxSeconds) * 1e9;
  if (!(ns >= 0 && ns <= kMostNs)) {
    return std::nullopt;
  }
  return nanoseconds(static_cast<std::int64_t>(ns + 0.5));
}

std::optional<Duration> BatsimReader::runtime_of(const JsonNode& job) {
  const JsonNode* const named = rows_.member(job, "profile");
  if (named == nullptr) {
    rows_.missing("profile", "the name of a profile");
    return std::nullopt;
  }
  const std::string_view name = rows_.string(named);
  const auto found = profiles_.find(name);
  if (found == profiles_.end()) {
    if (!name.empty() || named->type == JsonNode::Type::kString) {
      rows_.fault(*named, quoted(name), "the name of a profile in \"profiles\"");
    }
    return std::nullopt;
  }
  const JsonNode& profile = *found->second;
  const JsonNode* const type = rows_.member(profile, "type");
  const std::string_view type_name = type != nullptr ? type->text : std::string_view{};
  if (type_name == "delay" || type_name == "DelayProfile") {
    const JsonNode* const delay = rows_.member(profile, "delay");
    if (delay == nullptr) {
      rows_.fault(*named, "profile " + quoted(name) + " without delay", "a delay in seconds");
    }
    return rows_.seconds_number(delay);
  }
  if (type_name == "parallel_homogeneous" || type_name == "ParallelHomogeneousProfile") {
    const JsonNode* const cpu = rows_.member(profile, "cpu");
    const std::optional<Duration> time = compute_time(cpu);
    if (!time) {
      rows_.fault(*named,
                  "profile " + quoted(name) + " without a usable cpu",
                  "cpu as FLOPs of each host that take at most 290 years");
    } else {
      context_.note(
          "parallel_homogeneous profile: run time is cpu / host speed; its communication "
          "is left out",
          rows_.line());
    }
    return time;
  }
  rows_.fault(*named,
              "profile " + quoted(name) + " of type " + quoted(type_name),
              "a profile of type delay or parallel_homogeneous");
  return std::nullopt;
}

void BatsimReader::take_job(const JsonNode& job) {
  ++context_.info.rows;
  rows_.begin(job);
  if (job.type != JsonNode::Type::kObject) {
    rows_.fault(job, describe(job), "an object: a job");
    return;
  }
  JobRecord record;
  record.line = rows_.line();
  const JsonNode* const id = rows_.member(job, "id");
  record.id = rows_.text(id);
  const std::optional<Duration> submit = rows_.seconds_number(rows_.member(job, "subtime"));
  if (submit) {
    record.submit = SimTime::at(*submit);
  }
  const JsonNode* const limit = rows_.member(job, "walltime");
  if (limit != nullptr && limit->text != "-1" && limit->text != "-1.0") {
    record.limit = rows_.seconds_number(limit);
  }
  record.requested_processors =
      rows_.whole_number(rows_.member(job, "res"), 1, std::numeric_limits<std::int32_t>::max());
  record.runtime = runtime_of(job);
  if (const JsonNode* const profile = rows_.member(job, "profile")) {
    record.profile = profile->text;
  }
  for (const std::string_view key : {"id", "subtime", "res"}) {
    if (rows_.member(job, key) == nullptr) {
      rows_.missing(key, "a value for every job");
    }
  }
  if (rows_.ok()) {
    context_.sink.record(record);
  }
}

void BatsimReader::read() {
  const JsonNode& root = tree_.root();
  const JsonNode* const jobs = tree_.find(root, "jobs");
  const JsonNode* const profiles = tree_.find(root, "profiles");
  if (root.type != JsonNode::Type::kObject || jobs == nullptr || profiles == nullptr ||
      jobs->type != JsonNode::Type::kArray || profiles->type != JsonNode::Type::kObject) {
    const JsonNode& at = jobs != nullptr && jobs->type != JsonNode::Type::kArray ? *jobs : root;
    context_.file_fault(context_.file.at_offset(at.offset), {}, describe(at), std::string(kShape));
    return;
  }
  if (const JsonNode* const machine = tree_.find(root, "nb_res")) {
    context_.info.header.emplace_back("nb_res", machine->text);
  }
  for (const JsonNode* p = tree_.first_child(*profiles); p != nullptr; p = tree_.next(*p)) {
    if (p->type == JsonNode::Type::kObject) {
      profiles_.emplace(p->key, p);
    }
  }
  for (const JsonNode* job = tree_.first_child(*jobs); job != nullptr; job = tree_.next(*job)) {
    take_job(*job);
  }
}

}  // namespace

void read_batsim(ReadContext& context) {
  JsonTree tree;
  if (const auto fault = tree.parse(context.file, 0, context.file.text().size())) {
    report_json_fault(context, *fault);
    return;
  }
  BatsimReader(context, tree).read();
}

}  // namespace weft::formats
