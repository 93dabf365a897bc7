#include "results/summary.hpp"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/quantity.hpp"
#include "results/decimal.hpp"
#include "results/output_file.hpp"

namespace weft::results {

namespace {

class Items {
 public:
  void text(std::string_view key, const std::string& value) {
    items_.push_back({std::string(key), value, true});
  }
  void count(std::string_view key, std::int64_t value) { number(key, std::to_string(value)); }
  void time(std::string_view key, const std::optional<Duration>& value) {
    number(key, value ? seconds_text(*value) : std::string());
  }
  void gpu_seconds(std::string_view key, GpuTime value) { number(key, gpu_seconds_text(value)); }
  void money(std::string_view key, const std::optional<Money>& value) {
    number(key, value ? dollars_text(*value) : std::string());
  }
  void ratio(std::string_view key, const std::optional<double>& value) {
    number(key, value ? ratio_text(*value, 9) : std::string());
  }
  void percentiles(const std::string& name, const Percentiles& p) {
    time(name + "_p50", p.p50);
    time(name + "_p90", p.p90);
    time(name + "_p95", p.p95);
    time(name + "_p99", p.p99);
  }
  void number(std::string_view key, std::string value) {
    items_.push_back({std::string(key), std::move(value), false});
  }
  [[nodiscard]] std::vector<SummaryItem> take() { return std::move(items_); }

 private:
  std::vector<SummaryItem> items_;
};

std::optional<double> share(GpuTime part, GpuTime whole) {
  return whole.raw() == 0 ? std::nullopt : std::optional(share_of(part, whole));
}

void add_jobs(Items& items, const JobStatistics& jobs) {
  const JobCounts& counts = jobs.counts;
  items.count("nb_jobs", counts.all);
  items.count("nb_jobs_finished", counts.finished);
  items.count("nb_jobs_success", counts.success);
  items.count("nb_jobs_killed", counts.killed);
  items.count("nb_jobs_failed", counts.failed);
  items.count("nb_jobs_rejected", counts.rejected);
  items.count("nb_jobs_unfinished", counts.running + counts.pending);
  items.count("nb_jobs_running", counts.running);
  items.count("nb_jobs_pending", counts.pending);
  items.ratio("success_rate",
              counts.finished == 0 ? std::nullopt
                                   : std::optional(static_cast<double>(counts.success) /
                                                   static_cast<double>(counts.finished)));
  items.time("makespan", jobs.makespan);
  items.time("mean_waiting_time", jobs.waiting.mean());
  items.time("max_waiting_time", jobs.waiting.most());
  items.percentiles("waiting_time", jobs.waiting_percentiles);
  items.time("mean_waiting_time_eligible", jobs.waiting_eligible.mean());
  items.time("max_waiting_time_eligible", jobs.waiting_eligible.most());
  items.time("mean_turnaround_time", jobs.turnaround.mean());
  items.time("max_turnaround_time", jobs.turnaround.most());
  items.percentiles("turnaround_time", jobs.turnaround_percentiles);
  items.ratio("mean_slowdown", jobs.slowdown.mean());
  items.ratio("max_slowdown", jobs.slowdown.most());
  items.ratio("mean_bounded_slowdown", jobs.bounded_slowdown.mean());
  items.ratio("max_bounded_slowdown", jobs.bounded_slowdown.most());
}

void add_gpus(Items& items, const Summary& summary) {
  const LedgerTable& ledger = summary.ledger;
  items.number("installed_gpus", gpus_text(summary.installed));
  items.time("horizon_begin_s", summary.begin.since_start());
  items.time("horizon_s", summary.length);
  items.ratio("utilization_allocated", summary.utilization_allocated());
  items.ratio("utilization_useful", summary.utilization_useful());
  items.gpu_seconds("installed_gpu_seconds", ledger.total);
  for (std::size_t g = 0; g < kAccountGroups; ++g) {
    items.gpu_seconds(std::string(to_string(static_cast<AccountGroup>(g))) + "_gpu_seconds",
                      ledger.by_group[g]);
  }
  items.gpu_seconds("unfinished_gpu_seconds", summary.unfinished);
  for (std::size_t a = 0; a < kAccounts; ++a) {
    items.ratio("ledger_" + std::string(to_string(account_at(a))) + "_share",
                share(ledger.by_account[a], ledger.total));
  }
}

}  // namespace

std::optional<double> Summary::utilization_allocated() const {
  return share(ledger.by_group[index(AccountGroup::kAllocatedNotUseful)] +
                   ledger.by_group[index(AccountGroup::kUseful)],
               ledger.total);
}

std::optional<double> Summary::utilization_useful() const {
  return share(ledger.by_group[index(AccountGroup::kUseful)], ledger.total);
}

std::optional<Money> Summary::jobs_cost() const {
  if (!ledger.total_cost) {
    return std::nullopt;
  }
  return *ledger.group_cost[index(AccountGroup::kAllocatedNotUseful)] +
         *ledger.group_cost[index(AccountGroup::kUseful)];
}

std::optional<Money> Summary::cost_per_useful_gpu_hour() const {
  const GpuTime useful = ledger.by_group[index(AccountGroup::kUseful)];
  if (!ledger.total_cost || useful.raw() == 0) {
    return std::nullopt;
  }
  const Int128 micro = static_cast<Int128>(ledger.total_cost->raw()) * kCostUnit;
  const Int128 rate = divide_rounded(micro, useful.raw());
  return rate <= std::numeric_limits<std::int64_t>::max()
             ? std::optional(micro_dollars(static_cast<std::int64_t>(rate)))
             : std::nullopt;
}

std::vector<SummaryItem> summary_items(const Summary& summary) {
  Items items;
  items.text("workload", summary.workload);
  items.text("platform", summary.platform);
  items.text("scheduler", summary.scheduler);
  add_jobs(items, summary.jobs);
  add_gpus(items, summary);
  const bool measured = summary.length > Duration{};
  items.ratio("mean_queue_jobs", measured ? std::optional(summary.queue.mean_jobs) : std::nullopt);
  items.count("max_queue_jobs", summary.queue.most_jobs);
  items.ratio("mean_queue_gpus", measured ? std::optional(summary.queue.mean_gpus) : std::nullopt);
  items.number("max_queue_gpus", gpus_text(summary.queue.most_gpus));
  const LedgerTable& ledger = summary.ledger;
  items.money("total_cost_usd", ledger.total_cost);
  items.money("jobs_cost_usd", summary.jobs_cost());
  items.money("useful_cost_usd", ledger.group_cost[index(AccountGroup::kUseful)]);
  items.money("idle_gpu_cost_usd", ledger.group_cost[index(AccountGroup::kIdle)]);
  items.money("not_available_gpu_cost_usd", ledger.group_cost[index(AccountGroup::kNotAvailable)]);
  items.money("cost_per_useful_gpu_hour_usd", summary.cost_per_useful_gpu_hour());
  items.ratio("user_fairness_gpu_hours", summary.fairness_gpu_hours);
  items.ratio("user_fairness_bounded_slowdown", summary.fairness_bounded_slowdown);
  return items.take();
}

std::string summary_json(const std::vector<SummaryItem>& items) {
  std::string json = "{\n";
  for (const SummaryItem& item : items) {
    const std::string value =
        item.is_text ? nlohmann::json(item.value)
                           .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                     : (item.value.empty() ? std::string("null") : item.value);
    json += "  \"" + item.key + "\": " + value + (&item == &items.back() ? "\n" : ",\n");
  }
  return json + "}\n";
}

std::string summary_csv(const std::vector<SummaryItem>& items) {
  std::string header;
  std::string row;
  for (const SummaryItem& item : items) {
    const char end = &item == &items.back() ? '\n' : ',';
    header += item.key + end;
    row += csv_field(item.value) + end;
  }
  return header + row;
}

}  // namespace weft::results
