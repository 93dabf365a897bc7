#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "results/decimal.hpp"
#include "results/report_csv.hpp"
#include "results/report_page.hpp"

namespace weft::results::report {
namespace {

constexpr std::size_t kMostCell = 400;  // characters of a provenance value
constexpr std::size_t kSampledRows = 12;

std::string seconds_data(double seconds) {
  return data_element(exact_text(seconds), duration_text(seconds));
}

std::string number_data(double value, NumberFormat format = number_text) {
  return data_element(exact_text(value), format(value));
}

std::string user_text(const std::string& user) {
  return user.empty() ? "<i>no user</i>" : escape_html(user);
}

std::string group_label(AccountGroup group) {
  switch (group) {
    case AccountGroup::kUseful:
      return "useful";
    case AccountGroup::kAllocatedNotUseful:
      return "allocated, not useful";
    case AccountGroup::kIdle:
      return "idle";
    case AccountGroup::kNotAvailable:
      break;
  }
  return "not available";
}

std::string delta(const Metric& base, const Metric& other) {
  if (!base.value || !other.value || *base.value == 0) {
    return {};
  }
  const double change = *other.value / *base.value - 1;
  if (!std::isfinite(change) || change == 0) {
    return change == 0 ? " <span class=\"delta\">same</span>" : "";
  }
  const bool higher = change > 0;
  const char* verdict = "";
  if (base.better != Metric::Better::kNeither) {
    verdict = higher == (base.better == Metric::Better::kHigher) ? " better" : " worse";
  }
  const std::string size = std::abs(change) >= 10 ? number_text(std::abs(change) + 1) + "×"
                                                  : percent_text(std::abs(change));
  return fmt::format(
      " <span class=\"delta{}\">{}{}{}</span>", verdict, higher ? "+" : "−", size, verdict);
}

std::string cards(const RunReport& run) {
  std::string html = "<dl class=\"cards\">";
  for (const Metric& metric : metrics_of(run)) {
    html += fmt::format("<div><dt>{}</dt><dd class=\"figure\">{}</dd><dd>{}</dd></div>\n",
                        escape_html(metric.label),
                        metric_html(metric),
                        escape_html(metric.explanation));
  }
  return html + "</dl>\n";
}

std::string differences(const Runs& runs) {
  HtmlTable table;
  table.caption = "Differences against " + escape_html(runs[0].name);
  table.header = {"figure"};
  std::vector<std::vector<Metric>> all;
  for (const RunReport& run : runs) {
    table.header.push_back(escape_html(run.name));
    all.push_back(metrics_of(run));
  }
  for (std::size_t m = 0; m < all[0].size(); ++m) {
    std::vector<std::string> row{escape_html(all[0][m].label)};
    for (std::size_t r = 0; r < all.size(); ++r) {
      row.push_back(metric_html(all[r][m]) + (r > 0 ? delta(all[0][m], all[r][m]) : ""));
    }
    table.rows.push_back(std::move(row));
  }
  return to_html(table);
}

}  // namespace

std::string metric_html(const Metric& metric) {
  return metric.value && std::isfinite(*metric.value)
             ? data_element(metric.exact, metric.format(*metric.value))
             : "n/a";
}

std::string to_html(const HtmlTable& table) {
  if (table.rows.empty()) {
    return "<p class=\"none\">" + table.caption + ": none.</p>\n";
  }
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Table\"><table>\n<caption>" +
      table.caption + "</caption>\n<thead><tr>";
  const auto cls = [&](std::size_t c) {
    return c < table.text_columns || c >= table.text_again ? "" : " class=\"n\"";
  };
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    html += fmt::format("<th scope=\"col\"{}>{}</th>", cls(c), table.header[c]);
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      html += c == 0 ? "<th scope=\"row\">" + row[c] + "</th>"
                     : fmt::format("<td{}>{}</td>", cls(c), row[c]);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string headline_html(const Runs& runs) {
  return runs.size() == 1 ? cards(runs[0]) : differences(runs);
}

std::string ledger_table(const Runs& runs) {
  std::string html;
  for (const RunReport& run : runs) {
    HtmlTable table;
    table.caption = "GPU-second ledger" + (runs.size() > 1 ? ", " + escape_html(run.name) : "");
    table.header = {"account", "share", "GPU-hours", "cost", "GPU-seconds", "group", "meaning"};
    table.text_again = 5;
    const double total = run.ledger.total_seconds();
    const auto add = [&](const std::string& name,
                         GpuTime time,
                         std::optional<Money> cost,
                         const std::string& group,
                         std::string_view meaning) {
      const double share = total > 0 ? gpu_seconds(time) / total : 0;
      table.rows.push_back(
          {name,
           fmt::format("<span class=\"bar\" style=\"--share:{:.2f}%\"></span>"
                       "<span class=\"share\">{}</span>",
                       share * 100,
                       percent_text(share)),
           number_data(gpu_seconds(time) / 3600),
           cost ? data_element(results::dollars_text(*cost), dollars_text(in_dollars(*cost)))
                : "n/a",
           data_element(gpu_seconds_text(time), count_text(gpu_seconds(time))),
           group,
           std::string(meaning)});
    };
    for (const AccountSum& account : run.ledger.accounts) {
      const std::string name =
          fmt::format("<i class=\"key\" data-account=\"{}\"></i>{}", account.name, account.label);
      add(name, account.time, account.cost, group_label(account.group), meaning_of(account.name));
    }
    if (!table.rows.empty()) {
      add("total", run.ledger.total, run.ledger.cost, "", "installed GPUs × measured time");
    }
    html += to_html(table);
    if (!run.ledger.warning.empty()) {
      html += "<p class=\"warning\">" + escape_html(run.ledger.warning) + "</p>\n";
    }
  }
  return html;
}

namespace {

// The timeline's values at evenly spaced times.
std::vector<std::size_t> sampled(const Timeline& timeline) {
  std::vector<std::size_t> rows;
  const std::size_t n = timeline.time.size();
  for (std::size_t i = 0; i < std::min(n, kSampledRows); ++i) {
    rows.push_back(n <= kSampledRows ? i : i * (n - 1) / (kSampledRows - 1));
  }
  return rows;
}

}  // namespace

std::string timeline_table(const Runs& runs) {
  std::string html;
  for (const RunReport& run : runs) {
    HtmlTable table;
    table.caption = "GPUs by account, sampled: " + escape_html(run.name);
    table.header = {"time"};
    for (const AccountSum& account : run.ledger.accounts) {
      table.header.push_back(account.label);
    }
    const Timeline& t = run.timeline;
    for (const std::size_t at : sampled(t)) {
      std::vector<std::string> row{duration_text(t.time[at] - t.begin)};
      for (std::size_t a = 0; a < kAccounts; ++a) {
        const auto is_this = [&](const AccountSum& s) {
          return s.name == to_string(account_at(a));
        };
        if (std::any_of(run.ledger.accounts.begin(), run.ledger.accounts.end(), is_this)) {
          row.push_back(number_data(t.account[a][at]));
        }
      }
      table.rows.push_back(std::move(row));
    }
    html += to_html(table);
  }
  return html;
}

std::string queue_table(const Runs& runs) {
  std::string html;
  for (const RunReport& run : runs) {
    HtmlTable table;
    table.caption = "Queue, sampled: " + escape_html(run.name);
    table.header = {"time", "jobs waiting", "GPUs they ask for", "jobs running"};
    const Timeline& t = run.timeline;
    for (const std::size_t at : sampled(t)) {
      table.rows.push_back({duration_text(t.time[at] - t.begin),
                            number_data(t.queue_jobs[at]),
                            number_data(t.queue_gpus[at]),
                            number_data(t.running_jobs[at])});
    }
    html += to_html(table);
  }
  return html;
}

std::string distribution_table(const Runs& runs, Distribution which) {
  HtmlTable table;
  table.caption = "Quantiles";
  table.header = {"run", "jobs", "mean", "p5", "p25", "median", "p75", "p95", "p99", "max"};
  for (const RunReport& run : runs) {
    const Quantiles& q = which == Distribution::kWait         ? run.jobs.wait
                         : which == Distribution::kTurnaround ? run.jobs.turnaround
                                                              : run.jobs.bounded_slowdown;
    std::vector<std::string> row{escape_html(run.name),
                                 number_data(static_cast<double>(q.count), count_text)};
    for (const double value : {q.mean, q.p5, q.p25, q.p50, q.p75, q.p95, q.p99, q.max}) {
      row.push_back(q.count == 0                              ? "n/a"
                    : which == Distribution::kBoundedSlowdown ? number_data(value)
                                                              : seconds_data(value));
    }
    table.rows.push_back(std::move(row));
  }
  return to_html(table);
}

std::string groups_table(const Runs& runs,
                         const std::vector<std::string>& names,
                         std::vector<WaitGroup> JobStatistics::*groups,
                         const char* heading) {
  std::string html;
  for (const RunReport& run : runs) {
    HtmlTable table;
    table.caption = "Wait: " + escape_html(run.name);
    table.header = {heading, "jobs", "GPU-hours", "mean", "p5", "p25", "median", "p75", "p95"};
    for (const std::string& name : names) {
      const WaitGroup* group = find_group(run.jobs.*groups, name);
      if (group == nullptr) {
        continue;
      }
      std::vector<std::string> row{user_text(name),
                                   number_data(static_cast<double>(group->jobs), count_text),
                                   number_data(group->gpu_seconds / 3600)};
      const Quantiles& q = group->wait;
      for (const double value : {q.mean, q.p5, q.p25, q.p50, q.p75, q.p95}) {
        row.push_back(seconds_data(value));
      }
      table.rows.push_back(std::move(row));
    }
    html += to_html(table);
  }
  return html;
}

std::string gantt_table(const RunReport& run) {
  const Gantt& gantt = run.jobs.gantt;
  HtmlTable table;
  table.header = {gantt.detailed ? "job" : gantt.processors ? "processors" : "nodes"};
  if (gantt.detailed) {
    constexpr std::size_t kFirst = 20;
    table.caption = "The first jobs on the chart";
    table.header.insert(table.header.end(), {"GPUs", "start", "end"});
    for (std::size_t i = 0; i < std::min(gantt.jobs.size(), kFirst); ++i) {
      const GanttJob& job = gantt.jobs[i];
      table.rows.push_back({escape_html(job.id),
                            number_data(job.gpus),
                            seconds_data(job.started),
                            seconds_data(std::min(job.ended, run.timeline.end))});
    }
    return to_html(table);
  }
  table.caption = "Share of GPUs allocated over the whole time";
  table.header.insert(table.header.end(), {"GPUs", "allocated"});
  for (std::size_t lane = 0; lane < gantt.lanes.size(); ++lane) {
    double sum = 0;
    for (std::size_t bin = 0; bin < Gantt::kBins; ++bin) {
      sum += gantt.share[lane * Gantt::kBins + bin];
    }
    table.rows.push_back({escape_html(gantt.lanes[lane].name),
                          number_data(static_cast<double>(gantt.lanes[lane].gpus), count_text),
                          percent_text(sum / static_cast<double>(Gantt::kBins))});
  }
  return to_html(table);
}

std::string jobs_tables(const RunReport& run) {
  HtmlTable longest;
  longest.caption = "Longest waits: " + escape_html(run.name);
  longest.header = {"job", "user", "state", "started as", "GPUs", "submitted", "waited"};
  longest.text_columns = 4;
  for (const ReportJob& job : run.jobs.longest_waits) {
    longest.rows.push_back({escape_html(job.id),
                            user_text(job.user),
                            escape_html(job.state),
                            escape_html(job.why),
                            number_data(job.gpus),
                            seconds_data(job.submitted),
                            data_element(job.waited_text, duration_text(*job.waited))});
  }
  HtmlTable rejected;
  const auto it = run.jobs.states.find("REJECTED");
  const auto count = it == run.jobs.states.end() ? 0 : it->second;
  rejected.caption = "Rejected jobs: " + escape_html(run.name);
  if (static_cast<std::size_t>(count) > run.jobs.rejected.size()) {
    rejected.caption += fmt::format(
        " (the first {} of {})", run.jobs.rejected.size(), count_text(static_cast<double>(count)));
  }
  rejected.header = {"job", "user", "why", "GPUs", "submitted"};
  rejected.text_columns = 3;
  for (const ReportJob& job : run.jobs.rejected) {
    rejected.rows.push_back({escape_html(job.id),
                             user_text(job.user),
                             escape_html(job.why),
                             number_data(job.gpus),
                             seconds_data(job.submitted)});
  }
  return to_html(longest) + to_html(rejected);
}

namespace {

// A field of another file, for people: the column's name tells its unit.
std::string shown_as(const std::string& column, const std::string& text) {
  const double number = parse_number(text).value_or(std::nan(""));
  if (std::isnan(number)) {
    return escape_html(text);
  }
  const bool seconds = column.find("waiting_time") != std::string::npos ||
                       column.find("turnaround_time") != std::string::npos;
  const NumberFormat format = column.ends_with("_usd") ? dollars_text
                              : seconds                ? duration_text
                                                       : number_text;
  return data_element(text, format(number));
}

}  // namespace

std::string text_table(const TextTable& table, const std::string& caption) {
  HtmlTable html;
  html.caption = caption;
  if (table.rows_in_file > static_cast<std::int64_t>(table.rows.size())) {
    html.caption += fmt::format(" (the first {} of {})",
                                table.rows.size(),
                                count_text(static_cast<double>(table.rows_in_file)));
  }
  for (const std::string& name : table.header) {
    html.header.push_back(escape_html(name));
  }
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(c == 0 ? escape_html(row[c]) : shown_as(table.header[c], row[c]));
    }
    html.rows.push_back(std::move(cells));
  }
  return to_html(html);
}

std::string decisions_table(const RunReport& run, const std::string& caption) {
  HtmlTable table;
  table.caption = caption;
  table.header = {"what was decided while reading the inputs", "how often"};
  for (const auto& [decision, count] : run.decisions) {
    const std::optional<double> number = parse_number(count);
    table.rows.push_back({escape_html(decision),
                          number ? data_element(count, count_text(*number)) : escape_html(count)});
  }
  return to_html(table);
}

std::string key_value_table(const std::vector<std::pair<std::string, std::string>>& rows,
                            const std::string& caption) {
  HtmlTable table;
  table.caption = caption;
  table.header = {"key", "value"};
  table.text_columns = 2;
  for (const auto& [key, value] : rows) {
    const bool cut = value.size() > kMostCell;
    table.rows.push_back({escape_html(key),
                          escape_html(std::string_view(value).substr(0, kMostCell)) +
                              (cut ? " … (see manifest.json)" : "")});
  }
  return to_html(table);
}

}  // namespace weft::results::report
