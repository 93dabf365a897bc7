#include "results/job_rows.hpp"

#include <algorithm>
#include <cstring>

#include "base/hostlist.hpp"
#include "base/number.hpp"
#include "results/accounts.hpp"
#include "results/decimal.hpp"

namespace weft::results {

namespace {

constexpr std::string_view kJobsHeader =
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
    "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
    "stretch,allocated_resources,consumed_energy,metadata,"
    "state,eligible_time,waiting_time_eligible,user,account,gpus,gpu_model,nodes,nodelist,leaves,"
    "start_reason,attempts,allreduce_slowdown,comm_time,io_wait_time,checkpoint_time,lost_time,"
    "cost_usd\n";
constexpr std::string_view kAttemptsHeader =
    "job_id,attempt,eligible_time,starting_time,finish_time,state,nodelist,start_reason,"
    "lost_time\n";

// Enough for all numbers, words and commas of a row; texts and GPU ranges come on top.
constexpr std::size_t kNumbersRoom = 640;
constexpr std::size_t kRangeRoom = 2 * kIntRoom + 2;

inline char* put(char* out, std::string_view text) {
  if (!text.empty()) {
    std::memcpy(out, text.data(), text.size());
  }
  return out + text.size();
}

inline char* put_gpus(char* out, GpuShare share) {
  return share.raw() % 1000 == 0 ? write_int(out, share.raw() / 1000)
                                 : write_scaled<3>(out, share.raw());
}

// turnaround / execution, to six decimals as long as they fit.
inline char* put_stretch(char* out, Duration turnaround, Duration ran) {
  const double stretch = static_cast<double>(turnaround.raw()) / static_cast<double>(ran.raw());
  return stretch < 9e12 ? write_scaled<6>(out, static_cast<std::int64_t>(stretch * 1e6 + 0.5))
                        : write_fixed(out, stretch, 0);
}

// Batsim's intervals: "0-3 7"; ranges of neighbouring nodes that touch are one.
char* put_intervals(char* out, const std::vector<GpuRange>& ranges) {
  for (std::size_t i = 0; i < ranges.size();) {
    const std::uint32_t first = ranges[i].first;
    std::uint32_t end = first;
    for (; i < ranges.size() && (end == first || ranges[i].first == end); ++i) {
      end = ranges[i].first + ranges[i].count;
    }
    out = write_int(out, first);
    if (end - first > 1) {
      *out++ = '-';
      out = write_int(out, end - 1);
    }
    *out++ = ' ';
  }
  return ranges.empty() ? out : out - 1;
}

}  // namespace

JobRows::JobRows(const std::string& directory,
                 const ClusterLayout& layout,
                 const Workload& workload)
    : layout_(&layout),
      workload_(&workload),
      workload_field_(csv_field(workload.name)),
      jobs_(directory + "/jobs.csv"),
      attempts_(directory + "/attempts.csv"),
      leaf_seen_(layout.leaf_count, 0) {
  jobs_.append(kJobsHeader);
  attempts_.append(kAttemptsHeader);
}

std::string_view JobRows::nodelist(const Allocation& where) {
  if (where.nodes.size() == 1) {
    return layout_->node_names[index(where.nodes.front())];
  }
  node_names_.clear();
  for (const NodeId node : where.nodes) {
    node_names_.emplace_back(layout_->node_names[index(node)]);
  }
  nodelist_ = compress_hostlist(node_names_);
  return nodelist_;
}

std::string_view JobRows::gpu_models(const Allocation& where) {
  if (where.gpus.empty()) {
    return {};
  }
  // Most jobs have one model; several are joined in the order of their first node.
  models_.clear();
  std::vector<GpuModelId> seen;
  GpuModelId first{};
  bool any = false;
  for (const NodeId id : where.nodes) {
    const NodeInfo& node = layout_->node(id);
    if (node.gpu_count == 0 || (any && node.gpu_model == first)) {
      continue;
    }
    if (!any) {
      any = true;
      first = node.gpu_model;
      models_ = layout_->gpu_models[index(first)];
    } else if (std::find(seen.begin(), seen.end(), node.gpu_model) == seen.end()) {
      seen.push_back(node.gpu_model);
      models_ += '|';
      models_ += layout_->gpu_models[index(node.gpu_model)];
    }
  }
  return models_;
}

std::uint32_t JobRows::leaves(const Allocation& where) {
  ++stamp_;
  std::uint32_t count = 0;
  for (const NodeId id : where.nodes) {
    const LeafId leaf = layout_->node(id).leaf;
    if (leaf != kNoLeaf && leaf_seen_[index(leaf)] != stamp_) {
      leaf_seen_[index(leaf)] = stamp_;
      ++count;
    }
  }
  return count;
}

char* JobRows::write_batsim_columns(char* out, const JobOutcome& outcome, Fields& fields) {
  const Job& job = *outcome.job;
  const char* field = out;
  out = write_csv_field(out, fields.name);
  fields.job_id = {field, static_cast<std::size_t>(out - field)};
  *out++ = ',';
  out = put(out, workload_field_);
  *out++ = ',';
  out = write_csv_field(out, fields.profile);
  *out++ = ',';
  field = out;
  out = write_seconds(out, job.submit.since_start());
  fields.submitted = {field, static_cast<std::size_t>(out - field)};
  *out++ = ',';
  out = put_gpus(out, total_gpus(*outcome.shape));
  *out++ = ',';
  if (job.limit < kUnlimited) {
    out = write_seconds(out, job.limit);
  }
  *out++ = ',';
  if (outcome.has_ended() || outcome.state == sim::JobState::kRejected) {
    *out++ = outcome.state == sim::JobState::kCompleted ? '1' : '0';
  }
  *out++ = ',';
  out = put(out, batsim_word(outcome.state));
  *out++ = ',';
  if (!outcome.has_started()) {
    out = put(out, ",,,,,,,-1,");
    return write_csv_field(out, outcome.rejected);
  }
  field = out;
  out = write_seconds(out, outcome.started.since_start());
  fields.started = {field, static_cast<std::size_t>(out - field)};
  *out++ = ',';
  const Duration turnaround = outcome.ended - job.submit;
  if (outcome.has_ended()) {
    out = write_seconds(out, outcome.ran());
    *out++ = ',';
    field = out;
    out = write_seconds(out, outcome.ended.since_start());
    fields.ended = {field, static_cast<std::size_t>(out - field)};
    *out++ = ',';
    field = out;
    out = write_seconds(out, outcome.waited());
    fields.waited = {field, static_cast<std::size_t>(out - field)};
    *out++ = ',';
    out = write_seconds(out, turnaround);
    *out++ = ',';
    if (outcome.ran().raw() > 0) {
      out = put_stretch(out, turnaround, outcome.ran());
    }
    *out++ = ',';
  } else {
    *out++ = ',';
    *out++ = ',';
    field = out;
    out = write_seconds(out, outcome.waited());
    fields.waited = {field, static_cast<std::size_t>(out - field)};
    out = put(out, ",,,");
  }
  out = put_intervals(out, outcome.allocation->gpus);
  return put(out, ",-1,");
}

char* JobRows::write_own_columns(char* out, const JobOutcome& outcome, Fields& fields) {
  const Job& job = *outcome.job;
  *out++ = ',';
  out = put(out, to_string(outcome.state));
  *out++ = ',';
  // Most jobs are eligible when submitted: then the texts are there already.
  const bool at_once = job.eligible == job.submit;
  const char* field = out;
  out = at_once ? put(out, fields.submitted) : write_seconds(out, job.eligible.since_start());
  fields.eligible = {field, static_cast<std::size_t>(out - field)};
  *out++ = ',';
  if (outcome.has_started()) {
    out = at_once ? put(out, fields.waited) : write_seconds(out, outcome.started - job.eligible);
  }
  *out++ = ',';
  out = write_csv_field(out, fields.user);
  *out++ = ',';
  out = write_csv_field(out, fields.account);
  *out++ = ',';
  if (!outcome.has_started()) {
    return put(out, ",,,,,,0,,,,,,\n");
  }
  const Allocation& where = *outcome.allocation;
  out = put_gpus(out, where.total_share());
  *out++ = ',';
  out = write_csv_field(out, fields.gpu_models);
  *out++ = ',';
  out = write_int(out, static_cast<std::int64_t>(where.nodes.size()));
  *out++ = ',';
  field = out;
  out = write_csv_field(out, fields.nodelist);
  fields.nodelist = {field, static_cast<std::size_t>(out - field)};
  *out++ = ',';
  if (const std::uint32_t n = leaves(where); n > 0) {
    out = write_int(out, n);
  }
  *out++ = ',';
  out = put(out, to_string(outcome.reason));
  *out++ = ',';
  out = write_int(out, outcome.attempts);
  out = put(out, ",,,,,");  // communication, I/O and checkpoints are not simulated
  field = out;
  if (outcome.has_ended()) {
    const bool lost = account_of_work(outcome.state) == Account::kLostWork;
    out = write_seconds(out, lost ? outcome.ran() : Duration{});
  }
  fields.lost = {field, static_cast<std::size_t>(out - field)};
  *out++ = ',';
  if (outcome.cost) {
    out = write_scaled<6>(out, outcome.cost->raw());
  }
  *out++ = '\n';
  return out;
}

void JobRows::write_attempt(const JobOutcome& outcome, const Fields& fields) {
  char* out = attempts_.room(kNumbersRoom + fields.job_id.size() + fields.nodelist.size());
  out = put(out, fields.job_id);
  *out++ = ',';
  out = write_int(out, outcome.attempts);
  *out++ = ',';
  out = put(out, fields.eligible);
  *out++ = ',';
  out = put(out, fields.started);
  *out++ = ',';
  out = put(out, fields.ended);
  *out++ = ',';
  out = put(out, to_string(outcome.state));
  *out++ = ',';
  out = put(out, fields.nodelist);
  *out++ = ',';
  out = put(out, to_string(outcome.reason));
  *out++ = ',';
  out = put(out, fields.lost);
  *out++ = '\n';
  attempts_.written(out);
}

void JobRows::write(const JobOutcome& outcome) {
  const Symbols& symbols = workload_->symbols;
  const Job& job = *outcome.job;
  Fields fields;
  fields.name = symbols.text(job.name);
  fields.profile = symbols.text(job.profile);
  fields.user = symbols.text(job.user);
  fields.account = symbols.text(job.account);
  std::size_t room = kNumbersRoom + workload_field_.size() + csv_room(fields.name) +
                     csv_room(fields.profile) + csv_room(fields.user) + csv_room(fields.account) +
                     csv_room(outcome.rejected);
  if (outcome.has_started()) {
    fields.nodelist = nodelist(*outcome.allocation);
    fields.gpu_models = gpu_models(*outcome.allocation);
    room += csv_room(fields.nodelist) + csv_room(fields.gpu_models) +
            outcome.allocation->gpus.size() * kRangeRoom;
  }
  char* out = jobs_.room(room);
  out = write_batsim_columns(out, outcome, fields);
  out = write_own_columns(out, outcome, fields);
  if (outcome.has_started()) {
    write_attempt(outcome, fields);  // before the jobs row may leave its buffer
  }
  jobs_.written(out);
}

void JobRows::close() {
  jobs_.close();
  attempts_.close();
}

}  // namespace weft::results
