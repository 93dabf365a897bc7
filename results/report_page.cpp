#include "results/report_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "results/report_assets.hpp"

namespace weft::results::report {
namespace {

struct Figure {
  std::string id;        // of the plot
  std::string title;     // what to see; plain text
  std::string subtitle;  // what is drawn; plain text
  std::string controls;  // HTML between caption and plot
  std::string numbers;   // HTML of the tables below it
};

std::string figure_html(const Figure& figure) {
  std::string html = fmt::format(
      "<figure>\n<figcaption><h3>{}</h3><p>{}</p></figcaption>\n{}"
      "<div class=\"plot\" id=\"plot-{}\" role=\"img\" aria-label=\"{}. {}\"></div>\n",
      escape_html(figure.title),
      escape_html(figure.subtitle),
      figure.controls,
      figure.id,
      escape_html(figure.title),
      escape_html(figure.subtitle));
  if (!figure.numbers.empty()) {
    html += "<details><summary>Numbers</summary>\n" + figure.numbers + "</details>\n";
  }
  return html + "</figure>\n";
}

std::string section(const char* id, const char* title, const std::string& content) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, title, content);
}

std::string legend(std::string_view id, bool of_runs = false) {
  return fmt::format(
      "<ul class=\"legend\" id=\"legend-{}\"{}></ul>\n", id, of_runs ? " data-runs-legend" : "");
}

std::string findings(const Runs& runs) {
  std::string html;
  for (const RunReport& run : runs) {
    const std::string name = runs.size() > 1 ? "<b>" + escape_html(run.name) + "</b>" : "";
    html += "<p class=\"finding\">" + name + escape_html(main_finding(run)) + "</p>\n";
  }
  return html;
}

std::string gpu_time(const Runs& runs) {
  const bool priced =
      std::all_of(runs.begin(), runs.end(), [](const RunReport& r) { return r.ledger.cost; });
  std::string choice =
      "<div class=\"choice\" data-choice=\"unit\" role=\"group\" aria-label=\"Unit\">"
      "<button type=\"button\" value=\"hours\">GPU-hours</button>";
  choice += priced ? "<button type=\"button\" value=\"usd\">$</button>" : "";
  choice += "<button type=\"button\" value=\"share\">Share</button></div>\n";
  Figure figure;
  figure.id = "accounts";
  figure.title = runs.size() > 1 ? "All GPU time of each run, by what it was spent on"
                                 : "All GPU time of the run, by what it was spent on";
  figure.subtitle =
      "Blue: useful. Orange: allocated, not useful. Purple: idle, by cause. Grey: not available.";
  figure.controls = choice + legend("accounts");
  return figure_html(figure) + "<div class=\"ledger\">" + ledger_table(runs) + "</div>\n";
}

std::string over_time(const Runs& runs) {
  const char* const kind =
      runs[0].timeline.binned ? "means over 1/600 of the time" : "every change as it happened";
  Figure timeline{
      "timeline",
      timeline_finding(runs),
      fmt::format("Installed GPUs by account over time; {}. Ctrl and wheel zooms.", kind),
      legend("timeline"),
      timeline_table(runs)};
  Figure queue{"queue",
               queue_finding(runs),
               fmt::format("Jobs waiting, the GPUs they ask for, jobs running; {}{}.",
                           kind,
                           runs[0].timeline.binned ? " (thin: greatest queue in it)" : ""),
               legend("queue", true),
               queue_table(runs)};
  std::string html = figure_html(timeline) + figure_html(queue);
  if (std::any_of(runs.begin(), runs.end(), [](const RunReport& run) {
        return !run.timeline.power.empty();
      })) {
    html += figure_html(
        {"power", power_finding(runs), "Electrical power over time.", legend("power", true), ""});
  }
  return html;
}

std::string waits(const Runs& runs) {
  const auto one = [&](const char* id, Distribution which, const char* subtitle) {
    return figure_html({id,
                        distribution_finding(runs, which),
                        subtitle,
                        legend(std::string(id) + "-runs", true),
                        distribution_table(runs, which)});
  };
  return "<div class=\"row\">\n" +
         one("wait",
             Distribution::kWait,
             "Share of started jobs whose wait, from submission to first start, is at most x.") +
         one("turnaround",
             Distribution::kTurnaround,
             "Share of ended jobs whose completion time, from submission to end, is at most x.") +
         one("slowdown",
             Distribution::kBoundedSlowdown,
             "Share of ended jobs whose bounded slowdown is at most x; 1 means never waited.") +
         "</div>\n";
}

std::string by_size(const Runs& runs) {
  return figure_html({"size",
                      size_finding(runs),
                      "Wait by number of GPUs: line from p5 to p95, box from p25 to p75, mark at "
                      "the median.",
                      legend("size", true),
                      groups_table(runs, size_classes(runs), &JobStatistics::by_size, "GPUs")});
}

std::string by_user(const Runs& runs) {
  const std::vector<std::string> users = top_users(runs);
  return figure_html({"user",
                      user_finding(runs, users),
                      "Wait of the 15 users with most GPU time, largest first; bars as above.",
                      legend("user", true),
                      groups_table(runs, users, &JobStatistics::by_user, "user")});
}

std::string gantt(const Runs& runs) {
  std::string html;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::string id = "gantt-" + std::to_string(r);
    const bool detailed = runs[r].jobs.gantt.detailed;
    const std::string name = runs.size() > 1 ? runs[r].name + ": " : "";
    const char* const choice =
        "<div class=\"choice\" data-choice=\"ganttBy\" role=\"group\" aria-label=\"Colour by\">"
        "<button type=\"button\" value=\"size\">Colour by size</button>"
        "<button type=\"button\" value=\"user\">Colour by user</button></div>\n";
    const char* const subtitle =
        runs[r].timeline.installed_gpus == 0 ? "There is no GPU to hold."
        : detailed
            ? "Height: GPUs held. The slider below, or Ctrl and wheel, zooms. Of a job that "
              "ran several times, the last run is drawn."
            : "Too many nodes or jobs for single bars: mean share of GPUs held, by time. Of a "
              "job that ran several times, the last run counts.";
    html += figure_html({id,
                         name + gantt_finding(runs[r]),
                         subtitle,
                         (detailed ? choice : "") + legend(id),
                         gantt_table(runs[r])});
  }
  return html;
}

std::string tables(const Runs& runs) {
  std::string html;
  for (const RunReport& run : runs) {
    const std::string of = runs.size() > 1 ? ": " + escape_html(run.name) : "";
    html += text_table(run.users, "Users" + of) + text_table(run.accounts, "Accounts" + of) +
            jobs_tables(run);
  }
  return html;
}

std::string definitions(const Runs& runs) {
  std::string html = definitions_html();
  for (const RunReport& run : runs) {
    const std::string of = runs.size() > 1 ? ": " + escape_html(run.name) : "";
    html += decisions_table(run, "Import decisions" + of);
  }
  return html;
}

std::string provenance(const Runs& runs) {
  std::string html;
  for (const RunReport& run : runs) {
    html += key_value_table(run.provenance, "manifest.json: " + escape_html(run.name));
    html += "<details><summary>All of summary.json</summary>\n" +
            key_value_table({run.summary.begin(), run.summary.end()},
                            "summary.json: " + escape_html(run.name)) +
            "</details>\n";
  }
  return html;
}

std::string subtitle(const Runs& runs) {
  std::string text;
  for (const RunReport& run : runs) {
    text += (text.empty() ? "" : " · ") + run.name;
  }
  return runs.size() > 1 ? "Runs: " + text : "One run: " + text;
}

// Replaces {{place}}; what is put in is not searched again.
std::string filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string_view>>& values) {
  std::string out;
  while (!page.empty()) {
    const std::size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t close = page.find("}}", open);
    const std::string_view place = page.substr(open + 2, close - open - 2);
    const auto it = std::find_if(
        values.begin(), values.end(), [&](const auto& value) { return value.first == place; });
    WEFT_ASSERT(it != values.end(), fmt::format("report.html has no value for {}", place));
    out += it->second;
    page.remove_prefix(close + 2);
  }
  return out;
}

}  // namespace

std::string definitions_html() {
  static constexpr std::pair<std::string_view, std::string_view> kTerms[] = {
      {"Time",
       "Simulated seconds. Every interval is half-open: a job holds its GPUs from its start up to, "
       "but not including, its end, so one job may end and the next start at the same instant on "
       "the same GPU."},
      {"Horizon",
       "From the first submission to the last end, or as cut by --horizon and --measure. All GPU "
       "time is counted over it; with --measure, jobs count if they were submitted in it."},
      {"Wait",
       "From submission to the first start (waiting_time). jobs.csv also holds the wait from "
       "when the job became eligible (waiting_time_eligible). Jobs that never started have "
       "no wait and are left out of its distribution."},
      {"Completion time (JCT)", "From submission to the end of the last run (turnaround_time)."},
      {"Bounded slowdown",
       "max(1, (wait + execution time) / max(execution time, 10 s)): how many times longer a job "
       "took than it ran, where runs under 10 s count as 10 s. Of jobs that ended."},
      {"Utilisation, allocated",
       "GPU time held by jobs over installed GPU time. The denominator includes GPUs that were "
       "down "
       "or in maintenance."},
      {"Utilisation, useful",
       "GPU time of work that counted over installed GPU time: allocated time less starting, "
       "unused "
       "parts of whole-node allocations, exposed communication, waiting for data, lost work and "
       "the "
       "other accounts of that group."},
      {"Idle by cause",
       "An idle GPU goes to the first cause that holds, asked in this order: policy, reserved, "
       "fragmented, draining, scheduler latency; what no waiting job wants is no demand."},
      {"Cost",
       "GPU time times the platform's price a GPU-hour. Idle cost is that of the idle group; "
       "cost per useful GPU-hour is all cost over useful time."},
      {"Quantiles",
       "Nearest rank: the median is the smallest wait that at least half the jobs do "
       "not exceed. On logarithmic axes, waits under 1 s stand at 1 s."},
      {"Size of a job", "GPUs it asked for. Size classes are powers of two."},
  };
  std::string html = "<dl class=\"prose\">\n";
  for (const auto& [term, text] : kTerms) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(term), escape_html(text));
  }
  return html + "</dl>\n";
}

std::string page_html(const Runs& runs, const std::string& title) {
  const std::string main =
      section("summary", "Summary", findings(runs) + headline_html(runs)) +
      section("gpu-time", "Where the GPU-seconds went", gpu_time(runs)) +
      section("over-time", "Over time", over_time(runs)) +
      section("waits", "How long jobs waited", waits(runs)) +
      section("by-size", "Wait by job size", by_size(runs)) +
      section("by-user", "Wait by user", by_user(runs)) +
      section("gantt", "Who held which GPU", gantt(runs)) +
      section("tables", "Tables", tables(runs)) +
      section("definitions", "Assumptions and definitions", definitions(runs)) +
      section("provenance", "Provenance", provenance(runs));
  const std::string escaped_title = escape_html(title);
  const std::string escaped_subtitle = escape_html(subtitle(runs));
  const std::string data = chart_data(runs);
  return filled(assets::report_html(),
                {{"title", escaped_title},
                 {"subtitle", escaped_subtitle},
                 {"css", assets::report_css()},
                 {"main", main},
                 {"data", data},
                 {"echarts", assets::echarts_min_js()},
                 {"charts", assets::report_charts_js()},
                 {"script", assets::report_js()}});
}

}  // namespace weft::results::report
