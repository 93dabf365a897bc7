#include "results/event_log.hpp"

#include <nlohmann/json.hpp>

#include "base/quantity.hpp"
#include "results/accounts.hpp"
#include "results/decimal.hpp"
#include "results/job_outcome.hpp"

namespace weft::results {

namespace {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

EventLog::EventLog(const std::string& path) : file_(path) {}

std::string EventLog::opening(SimTime now, std::string_view event) const {
  return "{\"time\":" + seconds_text(now.since_start()) + ",\"event\":\"" + std::string(event) +
         '"';
}

std::string EventLog::opening(SimTime now, std::string_view event, JobId job) const {
  return opening(now, event) +
         ",\"job_id\":" + json_string(workload_->symbols.text(workload_->job(job).name));
}

void EventLog::run_begins(const sim::RunInfo& run) {
  layout_ = run.layout;
  workload_ = run.workload;
  now_ = run.begin;
  file_.append(opening(now_, "run_begins") + "}\n");
}

void EventLog::job_submitted(SimTime now, JobId job) {
  now_ = now;
  file_.append(opening(now, "submit", job) + "}\n");
}

void EventLog::job_starts(const sim::JobStart& start) {
  now_ = start.now;
  std::string line = opening(start.now, "start", start.job) +
                     ",\"attempt\":" + std::to_string(start.attempt) + ",\"reason\":\"" +
                     std::string(weft::to_string(start.reason)) + "\",\"nodes\":[";
  const char* comma = "";
  for (const NodeId node : start.allocation->nodes) {
    line += comma + json_string(layout_->node_names[index(node)]);
    comma = ",";
  }
  line += "],\"gpus\":[";
  comma = "";
  for (const GpuRange& range : start.allocation->gpus) {
    line += comma + ("[" + std::to_string(range.first) + ',' + std::to_string(range.count) + ']');
    comma = ",";
  }
  file_.append(line + "],\"share\":" + gpus_text(start.allocation->share) + "}\n");
}

void EventLog::job_ends(const sim::JobEnd& end) {
  now_ = end.now;
  file_.append(opening(end.now, "end", end.job) + ",\"attempt\":" + std::to_string(end.attempt) +
               ",\"state\":\"" + std::string(to_string(end.state)) + "\"}\n");
}

void EventLog::job_rejected(SimTime now, JobId job, std::string_view why) {
  now_ = now;
  file_.append(opening(now, "reject", job) + ",\"why\":" + json_string(why) + "}\n");
}

void EventLog::idle_changes(SimTime now, std::span<const sim::IdleShare> split) {
  now_ = now;
  std::string line = opening(now, "idle") + ",\"split\":[";
  const char* comma = "";
  for (const sim::IdleShare& share : split) {
    line += comma + ("{\"account\":\"" + std::string(to_string(account_of(share.account)))) +
            "\",\"gpu_model\":" + json_string(layout_->gpu_models[index(share.gpu_model)]);
    if (share.partition != kNoPartition) {
      line += ",\"partition\":" + json_string(layout_->partitions[index(share.partition)].name);
    }
    line += ",\"gpus\":" + gpus_text(share.gpus) + '}';
    comma = ",";
  }
  file_.append(line + "]}\n");
}

void EventLog::job_pending(JobId job) {
  file_.append(opening(now_, "pending", job) + "}\n");
}

void EventLog::run_ends(SimTime horizon) {
  file_.append(opening(horizon, "run_ends") + "}\n");
}

}  // namespace weft::results
