#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "results/report_page.hpp"

namespace weft::results::report {
namespace {

constexpr std::size_t kShownUsers = 15;

std::string no_value() {
  return "n/a";
}

std::string percent_of(double part, double whole) {
  return whole > 0 ? percent_text(part / whole) : no_value();
}

std::string cost_suffix(std::optional<Money> cost) {
  return cost ? ", " + dollars_text(in_dollars(*cost)) : std::string();
}

// "A: 3 s; B: 5 s".
template <class Value>
std::string per_run(const Runs& runs, Value value) {
  std::string text;
  for (const RunReport& run : runs) {
    text += (text.empty() ? "" : "; ") + run.name + ": " + value(run);
  }
  return text;
}

const Quantiles& quantiles(const RunReport& run, Distribution which) {
  switch (which) {
    case Distribution::kTurnaround:
      return run.jobs.turnaround;
    case Distribution::kBoundedSlowdown:
      return run.jobs.bounded_slowdown;
    case Distribution::kWait:
      break;
  }
  return run.jobs.wait;
}

// A figure of summary.json under the first of its names, else what the CSV files give.
Metric metric(const RunReport& run,
              std::string label,
              std::initializer_list<const char*> keys,
              std::optional<double> otherwise) {
  Metric m;
  m.label = std::move(label);
  m.value = run.number(keys);
  for (const char* key : keys) {
    const auto it = run.summary.find(key);
    if (m.value && m.exact.empty() && it != run.summary.end()) {
      m.exact = it->second;
    }
  }
  if (!m.value && otherwise) {
    m.value = otherwise;
    m.exact = exact_text(*otherwise);
  }
  return m;
}

std::optional<double> ratio(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

void add_waits(const RunReport& run, std::vector<Metric>& all) {
  const Quantiles& wait = run.jobs.wait;
  const Quantiles& slowdown = run.jobs.bounded_slowdown;
  const auto known = [](const Quantiles& q, double value) {
    return q.count > 0 ? std::optional(value) : std::nullopt;
  };
  const auto add = [&](Metric m, const char* explanation, NumberFormat format) {
    m.explanation = explanation;
    m.format = format;
    m.better = Metric::Better::kLower;
    all.push_back(std::move(m));
  };
  add(metric(run, "Mean wait", {"mean_waiting_time"}, known(wait, wait.mean)),
      "from submission to first start",
      duration_text);
  add(metric(run, "Median wait", {"waiting_time_p50"}, known(wait, wait.p50)),
      "half the jobs waited no longer",
      duration_text);
  add(metric(run, "p95 wait", {"waiting_time_p95"}, known(wait, wait.p95)),
      "19 jobs in 20 waited no longer",
      duration_text);
  add(metric(
          run, "Mean bounded slowdown", {"mean_bounded_slowdown"}, known(slowdown, slowdown.mean)),
      "1 = never waited; bound 10 s",
      number_text);
}

void add_costs(const RunReport& run, std::vector<Metric>& all) {
  Metric idle =
      metric(run, "Idle cost", {"idle_gpu_cost_usd"}, run.ledger.dollars(AccountGroup::kIdle));
  idle.explanation = "price of the GPU time nobody held";
  idle.format = dollars_text;
  idle.better = Metric::Better::kLower;
  all.push_back(std::move(idle));
  const double useful_hours = run.ledger.seconds(AccountGroup::kUseful) / 3600;
  Metric useful =
      metric(run,
             "Cost per useful GPU-hour",
             {"cost_per_useful_gpu_hour_usd"},
             run.ledger.cost ? ratio(in_dollars(*run.ledger.cost), useful_hours) : std::nullopt);
  useful.explanation = "all costs over useful time";
  useful.format = dollars_text;
  useful.better = Metric::Better::kLower;
  all.push_back(std::move(useful));
}

std::string group_name(AccountGroup group) {
  switch (group) {
    case AccountGroup::kUseful:
      return "did useful work";
    case AccountGroup::kAllocatedNotUseful:
      return "was allocated but not useful";
    case AccountGroup::kIdle:
      return "sat idle";
    case AccountGroup::kNotAvailable:
      break;
  }
  return "was not available";
}

const AccountSum* largest_in(const LedgerSums& ledger, AccountGroup group) {
  const AccountSum* largest = nullptr;
  for (const AccountSum& account : ledger.accounts) {
    if (account.group == group && (largest == nullptr || account.time > largest->time)) {
      largest = &account;
    }
  }
  return largest;
}

// The group whose typical job waited longest, among groups of at least `least` jobs.
const WaitGroup* slowest(const std::vector<const WaitGroup*>& groups, std::int64_t least) {
  const WaitGroup* found = nullptr;
  for (const WaitGroup* group : groups) {
    if (group->jobs >= least && (found == nullptr || group->wait.p50 > found->wait.p50)) {
      found = group;
    }
  }
  return found;
}

// What the time covers: manifest.json holds the keys the run was given.
std::string horizon_text(const RunReport& run) {
  const auto given = [&run](std::string_view key) {
    for (const auto& [name, value] : run.provenance) {
      if (name == "resolved") {
        return ('\n' + value).find('\n' + std::string(key) + ": ") != std::string::npos;
      }
    }
    return false;
  };
  if (given("measure")) {
    return "the measured part of the run";
  }
  return given("horizon") ? "from the first submission, cut by the horizon"
                          : "first submission to last end";
}

std::string slowest_text(const WaitGroup& group) {
  return fmt::format("median {}, p95 {} ({} jobs)",
                     duration_text(group.wait.p50),
                     duration_text(group.wait.p95),
                     count_text(static_cast<double>(group.jobs)));
}

}  // namespace

std::vector<Metric> metrics_of(const RunReport& run) {
  const double total = run.ledger.total_seconds();
  const double useful = run.ledger.seconds(AccountGroup::kUseful);
  const double held = useful + run.ledger.seconds(AccountGroup::kAllocatedNotUseful);
  std::vector<Metric> all;
  all.push_back(metric(run, "GPUs", {"installed_gpus"}, run.timeline.installed_gpus));
  all.back().explanation = "installed";
  all.back().format = number_text;
  all.push_back(metric(run, "Jobs", {"nb_jobs"}, static_cast<double>(run.jobs.rows)));
  all.back().format = count_text;
  std::string states;
  for (const auto& [state, count] : run.jobs.states) {
    states += (states.empty() ? "" : ", ") + count_text(static_cast<double>(count)) + " " + state;
  }
  all.back().explanation = states;
  all.push_back(metric(run, "Horizon", {"horizon_s"}, run.timeline.end - run.timeline.begin));
  all.back().explanation = horizon_text(run);
  all.back().format = duration_text;
  all.push_back(
      metric(run, "Utilisation, allocated", {"utilization_allocated"}, ratio(held, total)));
  all.back().explanation = "of installed GPU time, held by jobs";
  all.back().format = percent_text;
  all.back().better = Metric::Better::kHigher;
  all.push_back(metric(run, "Utilisation, useful", {"utilization_useful"}, ratio(useful, total)));
  all.back().explanation = "of installed GPU time, work that counted";
  all.back().format = percent_text;
  all.back().better = Metric::Better::kHigher;
  add_waits(run, all);
  add_costs(run, all);
  return all;
}

namespace {

struct AccountWords {
  std::string_view name;
  std::string_view noun;  // as a cause in a sentence
  std::string_view meaning;
};
constexpr AccountWords kWords[] = {
    {"down", "failures", "failed or under repair"},
    {"maintenance", "maintenance", "drained or reserved for maintenance"},
    {"powered_off", "powered-off nodes", "switched off"},
    {"no_demand", "no demand", "no waiting job wanted these GPUs"},
    {"fragmented",
     "fragmentation",
     "enough GPUs free for a waiting job, not in the shape it needs"},
    {"draining",
     "draining",
     "too few free GPUs for the waiting job; they wait for more to free up"},
    {"reserved", "reservations", "held for a planned start"},
    {"policy", "policy", "a quota, limit, partition, taint or GPU model forbids their use"},
    {"scheduler_latency",
     "scheduler latency",
     "a job would fit now; the scheduler had not looked yet"},
    {"starting", "starting", "container, image, model load, rendezvous"},
    {"unused_allocation",
     "unused parts of whole-node allocations",
     "allocated but not asked for (whole-node allocation)"},
    {"comm_ideal",
     "communication that a perfect fabric would still cost",
     "communication that a perfect fabric would still cost"},
    {"comm_contention",
     "contended communication",
     "communication lost to placement, collisions, neighbours"},
    {"io_wait", "waiting for input data", "waiting for input data"},
    {"checkpoint", "checkpoints", "blocked on writing or restoring checkpoints"},
    {"bubble", "pipeline bubbles", "pipeline bubble"},
    {"throttled", "throttling", "power cap, heat, or the slowest GPU of a mixed job"},
    {"lost_work", "lost work", "computed, then lost to a failure or preemption"},
    {"serving_idle", "idle replicas", "replica up, no request to serve"},
    {"compute", "compute", "work that counted"},
    {"serving_busy", "serving", "requests being served"},
};

const AccountWords& words_of(std::string_view account) {
  static constexpr AccountWords kNone{};
  const auto* const found = std::find_if(std::begin(kWords),
                                         std::end(kWords),
                                         [&](const AccountWords& w) { return w.name == account; });
  return found == std::end(kWords) ? kNone : *found;
}

// "waited", "took": a distribution's finding for a single run.
std::string distribution_sentence(const Quantiles& q, Distribution which) {
  switch (which) {
    case Distribution::kWait:
      return q.p50 > 0
                 ? fmt::format("Half the jobs waited at most {}; one in twenty more than {}",
                               duration_text(q.p50),
                               duration_text(q.p95))
                 : fmt::format("Half the jobs did not wait; one in twenty waited more than {}",
                               duration_text(q.p95));
    case Distribution::kTurnaround:
      return fmt::format("Half the jobs were done after {}; one in twenty took more than {}",
                         duration_text(q.p50),
                         duration_text(q.p95));
    case Distribution::kBoundedSlowdown:
      break;
  }
  return q.p50 > 1
             ? fmt::format(
                   "Half the jobs were slowed down by {}× at most; one in twenty by more "
                   "than {}×",
                   number_text(q.p50),
                   number_text(q.p95))
             : fmt::format("Half the jobs were not slowed down; one in twenty by more than {}×",
                           number_text(q.p95));
}

}  // namespace

std::string_view meaning_of(std::string_view account) {
  return words_of(account).meaning;
}

std::string main_finding(const RunReport& run) {
  const double total = run.ledger.total_seconds();
  if (!(total > 0)) {
    return "This run has no GPU time to account for.";
  }
  const double idle = run.ledger.seconds(AccountGroup::kIdle);
  std::string text = "No GPU time sat idle";
  if (const AccountSum* cause = largest_in(run.ledger, AccountGroup::kIdle); cause != nullptr) {
    text = fmt::format("{} of GPU time sat idle; the largest cause is {} ({}): {} GPU-hours{}",
                       percent_of(idle, total),
                       words_of(cause->name).noun,
                       meaning_of(cause->name),
                       number_text(gpu_seconds(cause->time) / 3600),
                       cost_suffix(cause->cost));
  }
  for (const AccountGroup group :
       {AccountGroup::kAllocatedNotUseful, AccountGroup::kNotAvailable}) {
    if (const AccountSum* cause = largest_in(run.ledger, group); cause != nullptr) {
      text += fmt::format("; {} {}, mostly {}",
                          percent_of(run.ledger.seconds(group), total),
                          group_name(group),
                          words_of(cause->name).noun);
    }
  }
  return text + fmt::format("; {} did useful work.",
                            percent_of(run.ledger.seconds(AccountGroup::kUseful), total));
}

std::string timeline_finding(const Runs& runs) {
  const auto useful = [](const RunReport& run) {
    return percent_of(run.ledger.seconds(AccountGroup::kUseful), run.ledger.total_seconds());
  };
  if (runs.size() > 1) {
    return "Useful share of GPU time. " + per_run(runs, useful);
  }
  if (!(runs[0].ledger.total_seconds() > 0)) {
    return "No GPU time to show";
  }
  return "On average " + useful(runs[0]) + " of the installed GPUs did useful work";
}

std::string queue_finding(const Runs& runs) {
  const auto peak = [](const RunReport& run) {
    const double most = run.number({"max_queue_jobs"}).value_or(run.timeline.peak_queue);
    return count_text(most) + (most == 1 ? " job" : " jobs");
  };
  if (runs.size() > 1) {
    return "Longest queue. " + per_run(runs, peak);
  }
  const Timeline& t = runs[0].timeline;
  if (!(t.peak_queue > 0)) {
    return "No job ever waited in the queue";
  }
  return fmt::format("The queue peaked at {} after {}; {} on average",
                     peak(runs[0]),
                     duration_text(t.peak_queue_time - t.begin),
                     number_text(runs[0].number({"mean_queue_jobs"}).value_or(t.mean_queue)));
}

std::string power_finding(const Runs& runs) {
  const auto peak = [](const RunReport& run) {
    const auto& power = run.timeline.power;
    return power.empty()
               ? no_value()
               : number_text(*std::max_element(power.begin(), power.end()) / 1000) + " kW";
  };
  return runs.size() > 1 ? "Highest power. " + per_run(runs, peak)
                         : "Power peaked at " + peak(runs[0]);
}

std::string distribution_finding(const Runs& runs, Distribution which) {
  const NumberFormat format = which == Distribution::kBoundedSlowdown
                                  ? static_cast<NumberFormat>(number_text)
                                  : static_cast<NumberFormat>(duration_text);
  const char* const what = which == Distribution::kWait         ? "wait"
                           : which == Distribution::kTurnaround ? "completion time"
                                                                : "bounded slowdown";
  const auto median = [&](const RunReport& run) {
    const Quantiles& q = quantiles(run, which);
    return q.count > 0 ? format(q.p50) : no_value();
  };
  if (runs.size() > 1) {
    return fmt::format("Median {}. {}", what, per_run(runs, median));
  }
  const Quantiles& q = quantiles(runs[0], which);
  if (q.count == 0) {
    return fmt::format("No job has a {} to show", what);
  }
  return distribution_sentence(q, which);
}

// "no GPU", "part of one GPU", "1 GPU", "5–8 GPUs".
std::string size_text(const std::string& size_class) {
  if (size_class == kNoGpus) {
    return "no GPU";
  }
  return size_class + (size_class == "1" || size_class == "part of one" ? " GPU" : " GPUs");
}

std::vector<std::string> size_classes(const Runs& runs) {
  // No GPU and "part of one" first, then by the first number of the name.
  std::map<std::int64_t, std::string> ordered;
  for (const RunReport& run : runs) {
    for (const WaitGroup& group : run.jobs.by_size) {
      const bool none = group.name == kNoGpus;
      ordered.emplace(none ? -1 : std::strtoll(group.name.c_str(), nullptr, 10), group.name);
    }
  }
  std::vector<std::string> names;
  for (auto& [bottom, name] : ordered) {
    names.push_back(name);
  }
  return names;
}

const WaitGroup* find_group(const std::vector<WaitGroup>& groups, std::string_view name) {
  const auto it = std::find_if(
      groups.begin(), groups.end(), [&](const WaitGroup& group) { return group.name == name; });
  return it == groups.end() ? nullptr : &*it;
}

std::string size_finding(const Runs& runs) {
  const auto text = [](const RunReport& run) {
    std::vector<const WaitGroup*> groups;
    for (const WaitGroup& group : run.jobs.by_size) {
      groups.push_back(&group);
    }
    const WaitGroup* found = slowest(groups, 1);
    return found == nullptr ? std::string("no job started")
                            : "jobs of " + size_text(found->name) + ", " + slowest_text(*found);
  };
  return runs.size() > 1 ? "Longest typical wait. " + per_run(runs, text)
                         : "Longest typical wait: " + text(runs[0]);
}

std::vector<std::string> top_users(const Runs& runs) {
  std::map<std::string, double> sums;
  for (const RunReport& run : runs) {
    for (const WaitGroup& user : run.jobs.by_user) {
      sums[user.name] += user.gpu_seconds;
    }
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, sum] : sums) {
    order.emplace_back(sum, name);
  }
  std::stable_sort(
      order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), kShownUsers));
  std::vector<std::string> names;
  for (auto& [sum, name] : order) {
    names.push_back(std::move(name));
  }
  return names;
}

std::string user_finding(const Runs& runs, const std::vector<std::string>& users) {
  const auto text = [&](const RunReport& run) {
    std::vector<const WaitGroup*> groups;
    for (const std::string& user : users) {
      if (const WaitGroup* group = find_group(run.jobs.by_user, user)) {
        groups.push_back(group);
      }
    }
    const WaitGroup* found = slowest(groups, 1);
    return found == nullptr
               ? std::string("no job started")
               : (found->name.empty() ? "(no user)" : found->name) + ", " + slowest_text(*found);
  };
  return runs.size() > 1 ? "Longest typical wait among the largest users. " + per_run(runs, text)
                         : "Longest typical wait among the largest users: " + text(runs[0]);
}

std::string gantt_finding(const RunReport& run) {
  const Gantt& gantt = run.jobs.gantt;
  const std::string gpus = count_text(static_cast<double>(gantt.gpus));
  if (gantt.detailed && gantt.processors) {
    return fmt::format("Each bar is a job on some of the {} processors", gpus);
  }
  if (gantt.detailed) {
    return fmt::format("Each bar is a job on GPUs of one node ({} nodes, {} GPUs)",
                       count_text(static_cast<double>(gantt.nodes)),
                       gpus);
  }
  if (gantt.processors) {
    return fmt::format("Stronger colour: more of the {} processors allocated", gpus);
  }
  return fmt::format("Stronger colour: more GPUs allocated, by group of the {} nodes ({} GPUs)",
                     count_text(static_cast<double>(gantt.nodes)),
                     gpus);
}

}  // namespace weft::results::report
