#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "results/report_csv.hpp"
#include "results/report_page.hpp"

namespace weft::results::report {
namespace {

using Json = nlohmann::ordered_json;

// A chart is some hundred pixels wide: more digits than these only make the page larger.
double rounded(double value, int digits = 6) {
  fmt::basic_memory_buffer<char, 64> text;
  fmt::format_to(std::back_inserter(text), "{:.{}g}", value, digits);
  return parse_number({text.data(), text.size()}).value_or(0);
}

Json number(double value, int digits = 6) {
  const double r = rounded(value, digits);
  const bool whole = r == std::floor(r) && std::abs(r) < 1e15;
  return whole ? Json(static_cast<std::int64_t>(r)) : Json(r);
}

Json numbers(const std::vector<double>& values, int digits = 6) {
  Json array = Json::array();
  for (const double value : values) {
    array.push_back(number(value, digits));
  }
  return array;
}

Json curve(const Curve& c) {
  return Json{{"x", numbers(c.x)}, {"y", numbers(c.y)}};
}

Json timeline(const RunReport& run) {
  const Timeline& t = run.timeline;
  Json json{{"begin", t.begin},
            {"end", t.end},
            {"binned", t.binned},
            {"time", numbers(t.time, 9)},
            {"queue", numbers(t.queue_jobs)},
            {"queueMost", numbers(t.queue_jobs_most)},
            {"queueGpus", numbers(t.queue_gpus)},
            {"running", numbers(t.running_jobs)},
            {"power", numbers(t.power)}};
  Json accounts = Json::object();
  for (std::size_t a = 0; a < kAccounts; ++a) {
    bool any = false;
    for (const double gpus : t.account[a]) {
      any = any || gpus > 0;
    }
    if (any) {
      accounts[std::string(to_string(account_at(a)))] = numbers(t.account[a]);
    }
  }
  json["accounts"] = std::move(accounts);
  return json;
}

Json groups(const std::vector<WaitGroup>& all, const std::vector<std::string>& names) {
  Json json = Json::array();
  for (const std::string& name : names) {
    const WaitGroup* group = find_group(all, name);
    if (group == nullptr) {
      json.push_back(nullptr);
      continue;
    }
    const Quantiles& q = group->wait;
    json.push_back({{"jobs", group->jobs},
                    {"mean", number(q.mean)},
                    {"q", numbers({q.p5, q.p25, q.p50, q.p75, q.p95})}});
  }
  return json;
}

Json gantt(const RunReport& run) {
  const Gantt& g = run.jobs.gantt;
  Json json{{"detailed", g.detailed}, {"processors", g.processors}, {"gpus", g.gpus}};
  Json lanes = Json::array();
  for (const GanttLane& lane : g.lanes) {
    lanes.push_back(Json::array({lane.name, lane.first_gpu, lane.gpus}));
  }
  json["lanes"] = std::move(lanes);
  if (!g.detailed) {
    Json share = Json::array();  // whole percent
    for (const double s : g.share) {
      share.push_back(static_cast<int>(std::lround(s * 100)));
    }
    json["begin"] = g.begin;
    json["width"] = g.bin_width;
    json["bins"] = Gantt::kBins;
    json["share"] = std::move(share);
    return json;
  }
  Json jobs = Json::array();
  for (const GanttJob& job : g.jobs) {
    jobs.push_back(Json::array({job.id,
                                job.user,
                                job.state,
                                number(job.gpus),
                                number(job.submitted, 9),
                                number(job.started, 9),
                                number(std::min(job.ended, run.timeline.end), 9)}));
  }
  Json blocks = Json::array();
  for (const GanttBlock& block : g.blocks) {
    blocks.push_back(Json::array({block.job, block.first_gpu, block.gpus}));
  }
  json["jobs"] = std::move(jobs);
  json["blocks"] = std::move(blocks);
  return json;
}

}  // namespace

std::string chart_data(const Runs& runs) {
  const std::vector<std::string> users = top_users(runs);
  const std::vector<std::string> sizes = size_classes(runs);
  Json labels = Json::object();
  for (std::size_t a = 0; a < kAccounts; ++a) {
    const std::string name(to_string(account_at(a)));
    labels[name] = {{"group", std::string(to_string(group_of(account_at(a))))},
                    {"meaning", std::string(meaning_of(name))}};
  }
  Json json{{"accounts", labels}, {"users", users}, {"sizes", sizes}, {"runs", Json::array()}};
  for (const RunReport& run : runs) {
    Json ledger = Json::array();
    for (const AccountSum& account : run.ledger.accounts) {
      ledger.push_back({{"account", account.name},
                        {"hours", number(gpu_seconds(account.time) / 3600, 9)},
                        {"usd", account.cost ? Json(in_dollars(*account.cost)) : Json(nullptr)}});
    }
    json["runs"].push_back({{"name", run.name},
                            {"ledger", ledger},
                            {"timeline", timeline(run)},
                            {"wait", curve(run.jobs.wait_curve)},
                            {"turnaround", curve(run.jobs.turnaround_curve)},
                            {"slowdown", curve(run.jobs.bounded_slowdown_curve)},
                            {"bySize", groups(run.jobs.by_size, sizes)},
                            {"byUser", groups(run.jobs.by_user, users)},
                            {"gantt", gantt(run)}});
  }
  return escape_json_for_html(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace weft::results::report
