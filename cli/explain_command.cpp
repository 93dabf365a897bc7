// `weft explain DIR JOB`: runs DIR/resolved.yaml again with an eye on one job.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/hostlist.hpp"
#include "base/quantity.hpp"
#include "cli/counted.hpp"
#include "cli/experiment.hpp"
#include "cli/interrupt.hpp"
#include "cli/job_story.hpp"
#include "cli/manifest.hpp"
#include "cli/node_fit.hpp"
#include "cli/scenario_input.hpp"
#include "cli/session.hpp"
#include "cli/simulate.hpp"
#include "results/job_outcome.hpp"
#include "schedulers/registry.hpp"
#include "sim/simulation.hpp"

namespace weft::cli {

namespace {
using Json = nlohmann::ordered_json;
constexpr std::size_t kShownInText = 12;  // of a long list

std::string_view why_it_could(StartReason reason) {
  switch (reason) {
    case StartReason::kHead:
      return "its turn: nothing ahead of it in the queue";
    case StartReason::kBackfill:
      return "ahead of its turn: it delays no reservation";
    case StartReason::kReserved:
      return "at the time its reservation named";
    default:
      return "";
  }
}

// "97224.5 s (1d 03:00:24)"
std::string when(Duration d) {
  const std::int64_t s = d.raw() / kNsPerSecond;
  return fmt::format("{} s ({}d {:02}:{:02}:{:02})",
                     seconds_text(d),
                     s / 86400,
                     s / 3600 % 24,
                     s / 60 % 60,
                     s % 60);
}
std::string when(SimTime t) {
  return when(t.since_start());
}

std::string gpu_text(GpuShare share) {
  return share.raw() % 1000 == 0
             ? fmt::format("{} GPU{}", share.raw() / 1000, share.raw() == 1000 ? "" : "s")
             : fmt::format("{:.3f} GPU", static_cast<double>(share.raw()) / 1000);
}

std::string request_text(const RequestShape& shape) {
  switch (shape.kind) {
    case RequestShape::Kind::kAnyGpus:
      return gpu_text(shape.gpus) + " on any nodes";
    case RequestShape::Kind::kPerNode:
      return fmt::format(
          "{} node{} x {}", shape.nodes, shape.nodes == 1 ? "" : "s", gpu_text(shape.gpus));
    case RequestShape::Kind::kWholeNodes:
      return fmt::format("{} whole node{} ({} of each asked for)",
                         shape.nodes,
                         shape.nodes == 1 ? "" : "s",
                         gpu_text(shape.gpus));
  }
  return {};
}

struct Place {
  std::string nodelist;
  std::size_t nodes = 0;
  std::set<std::uint32_t> leaves;
};

Place place_of(const Allocation& where, const ClusterLayout& layout) {
  Place place;
  std::vector<std::string_view> names;
  for (const NodeId node : where.nodes) {
    names.push_back(layout.node_names[index(node)]);
    if (layout.node(node).leaf != kNoLeaf) {
      place.leaves.insert(static_cast<std::uint32_t>(layout.node(node).leaf));
    }
  }
  place.nodes = names.size();
  place.nodelist = compress_hostlist(names);
  return place;
}

std::string_view placement_help(schedulers::Placement placement) {
  for (const schedulers::PlacementHelp& help : schedulers::placements()) {
    if (help.placement == placement) {
      return help.help;
    }
  }
  return "";
}

JobId find_job(const Workload& workload, const std::string& name) {
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    if (workload.symbols.text(workload.jobs[i].name) == name) {
      return JobId{static_cast<std::uint32_t>(i)};
    }
  }
  throw InputErrors(
      {{whole_file("JOB"),
        {},
        "'" + name + "'",
        fmt::format(
            "a job_id of jobs.csv ({}, the first is '{}')",
            counted(workload.jobs.size(), "job"),
            workload.jobs.empty() ? "" : workload.symbols.text(workload.jobs.front().name))}});
}

class Explanation {
 public:
  Explanation(const Experiment& experiment, JobId job, const JobStory& story)
      : experiment_(experiment),
        workload_(experiment.bound.workload),
        id_(job),
        job_(workload_.job(job)),
        story_(story) {}

  void print_text(std::ostream& out) const {
    out << fmt::format(
        "Job {} asks for {}", text(job_.name), request_text(workload_.shape_of(id_)));
    out << (job_.limit < kUnlimited ? ", limit " + when(job_.limit) : ", no limit");
    if (job_.user != kNoSymbol) {
      out << ", user " << text(job_.user);
    }
    out << ".\nSubmitted  " << when(job_.submit) << '\n';
    if (job_.eligible > job_.submit) {
      out << "Eligible   " << when(job_.eligible) << '\n';
    }
    print_nodes(out);
    print_waiting(out);
    for (const Attempt& attempt : story_.attempts()) {
      print_attempt(out, attempt);
    }
    if (!story_.rejected().empty()) {
      out << "Rejected   " << story_.rejected() << '\n';
    } else if (story_.pending()) {
      out << "PENDING    at the end of the run, " << when(story_.horizon()) << '\n';
    } else if (!story_.submitted()) {
      out << "The run ended at " << when(story_.horizon()) << ", before the job was submitted.\n";
    }
  }

  [[nodiscard]] Json json() const {
    Json all{{"job_id", text(job_.name)},
             {"request", request_text(workload_.shape_of(id_))},
             {"submission_time", seconds_text(job_.submit.since_start())},
             {"eligible_time", seconds_text(job_.eligible.since_start())}};
    all["requested_time"] = job_.limit < kUnlimited ? Json(seconds_text(job_.limit)) : Json();
    const NodeFit fit = node_fit(experiment_.layout, workload_.shape_of(id_));
    all["suitable_nodes"] = fit.fit_nodelist;
    all["unsuitable_nodes"] = Json::array();
    for (const UnfitNodes& group : fit.unfit) {
      all["unsuitable_nodes"].push_back(Json{{"nodelist", group.nodelist}, {"why", group.why}});
    }
    all["waited"] = Json::array();
    for (const WaitSpan& span : story_.waited()) {
      all["waited"].push_back(Json{{"from", seconds_text(span.from.since_start())},
                                   {"to", seconds_text(span.to.since_start())},
                                   {"reason", span.first_reason},
                                   {"last_reason", span.last_reason},
                                   {"wordings", span.wordings}});
    }
    all["waited_for"] = Json::array();
    for (const WaitTotal& total : story_.wait_totals()) {
      all["waited_for"].push_back(
          Json{{"reason", total.reason}, {"seconds", seconds_text(total.time)}});
    }
    all["earlier_jobs_started_meanwhile"] = story_.started_in_turn();
    all["later_jobs_started_before_it"] = Json::array();
    for (const Overtaker& other : story_.overtakers()) {
      all["later_jobs_started_before_it"].push_back(
          Json{{"job_id", text(workload_.job(other.job).name)},
               {"starting_time", seconds_text(other.at.since_start())},
               {"gpus", static_cast<double>(other.gpus.raw()) / 1000},
               {"start_reason", std::string(to_string(other.reason))}});
    }
    all["attempts"] = Json::array();
    for (const Attempt& attempt : story_.attempts()) {
      const Place place = place_of(attempt.where, experiment_.layout);
      all["attempts"].push_back(
          Json{{"starting_time", seconds_text(attempt.started.since_start())},
               {"finish_time", seconds_text(attempt.ended.since_start())},
               {"start_reason", std::string(to_string(attempt.reason))},
               {"state", std::string(results::to_string(attempt.state))},
               {"gpus", static_cast<double>(attempt.where.total_share().raw()) / 1000},
               {"nodelist", place.nodelist},
               {"leaves", place.leaves},
               {"placement", std::string(schedulers::to_string(placement()))}});
    }
    all["state"] = std::string(results::to_string(final_state()));
    all["rejected_because"] = story_.rejected().empty() ? Json() : Json(story_.rejected());
    return all;
  }

 private:
  std::string text(SymbolId id) const { return std::string(workload_.symbols.text(id)); }
  schedulers::Placement placement() const { return experiment_.scenario.scheduler.placement; }

  sim::JobState final_state() const {
    if (!story_.rejected().empty()) {
      return sim::JobState::kRejected;
    }
    return story_.attempts().empty() ? sim::JobState::kPending : story_.attempts().back().state;
  }

  // Only where the cluster has nodes that would not do: else it says nothing about this job.
  void print_nodes(std::ostream& out) const {
    const NodeFit fit = node_fit(experiment_.layout, workload_.shape_of(id_));
    if (fit.unfit.empty()) {
      return;
    }
    out << fmt::format("Could go   to {} of {} nodes{}{}\n",
                       fit.fit,
                       experiment_.layout.nodes.size(),
                       fit.fit == 0 ? "" : ": ",
                       fit.fit_nodelist);
    for (const UnfitNodes& group : fit.unfit) {
      out << fmt::format("           not {}: {}\n", group.nodelist, group.why);
    }
  }

  void print_waiting(std::ostream& out) const {
    const std::vector<WaitSpan>& spans = story_.waited();
    if (spans.empty()) {
      if (!story_.attempts().empty()) {
        out << "Waited     not at all\n";
      }
      return;
    }
    out << "Waited     " << when(spans.back().to - job_.submit) << ":\n";
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (i >= kShownInText && i + 1 < spans.size()) {
        if (i == kShownInText) {
          out << fmt::format("  ... {} more (all with --format json)\n",
                             spans.size() - kShownInText - 1);
        }
        continue;
      }
      const WaitSpan& span = spans[i];
      out << fmt::format("  {} to {} s: {}\n",
                         seconds_text(span.from.since_start()),
                         seconds_text(span.to.since_start()),
                         span.first_reason);
      if (span.wordings > 1) {
        out << fmt::format("    at the end, after {} of the figures: {}\n",
                           counted(span.wordings - 1, "change"),
                           span.last_reason);
      }
    }
    if (spans.size() > 1) {
      out << "How long each reason held:\n";
      const std::vector<WaitTotal> totals = story_.wait_totals();
      for (std::size_t i = 0; i < std::min(totals.size(), kShownInText); ++i) {
        out << fmt::format("  {:>12} s  {}\n", seconds_text(totals[i].time), totals[i].reason);
      }
    }
    print_others(out);
  }

  void print_others(std::ostream& out) const {
    out << fmt::format(
        "While it waited, {} jobs submitted before it started, and {} submitted after it:\n",
        story_.started_in_turn(),
        story_.overtakers().size());
    std::map<StartReason, std::pair<std::uint64_t, GpuShare>> by_reason;
    for (const Overtaker& other : story_.overtakers()) {
      ++by_reason[other.reason].first;
      by_reason[other.reason].second += other.gpus;
    }
    for (const auto& [reason, count] : by_reason) {
      out << fmt::format("  {} by {} ({}), {} in all\n",
                         count.first,
                         to_string(reason),
                         why_it_could(reason),
                         gpu_text(count.second));
    }
    for (std::size_t i = 0; i < std::min(story_.overtakers().size(), kShownInText); ++i) {
      const Overtaker& other = story_.overtakers()[i];
      const Job& job = workload_.job(other.job);
      out << fmt::format("  at {} s job {}: {}, limit {}, {}\n",
                         seconds_text(other.at.since_start()),
                         text(job.name),
                         gpu_text(other.gpus),
                         job.limit < kUnlimited ? seconds_text(job.limit) + " s" : "none",
                         to_string(other.reason));
    }
    if (story_.overtakers().size() > kShownInText) {
      out << fmt::format("  ... {} more (all with --format json)\n",
                         story_.overtakers().size() - kShownInText);
    }
  }

  void print_attempt(std::ostream& out, const Attempt& attempt) const {
    const Place place = place_of(attempt.where, experiment_.layout);
    out << fmt::format("Started    {}, {}: {}\n",
                       when(attempt.started),
                       to_string(attempt.reason),
                       why_it_could(attempt.reason));
    out << fmt::format("On         {} of {} node{}: {}",
                       gpu_text(attempt.where.total_share()),
                       place.nodes,
                       place.nodes == 1 ? "" : "s",
                       place.nodelist);
    if (!place.leaves.empty()) {
      out << (place.leaves.size() == 1 ? "; leaf" : "; leaves");
      for (const std::uint32_t leaf : place.leaves) {
        out << ' ' << leaf;
      }
    }
    out << fmt::format(
        "\n           {}: {}\n", schedulers::to_string(placement()), placement_help(placement()));
    out << fmt::format(
        "{:<10} {}, after running {}\n",
        attempt.state == sim::JobState::kRunning ? "RUNNING" : "Ended",
        attempt.state == sim::JobState::kRunning
            ? "at the end of the run, " + when(attempt.ended)
            : when(attempt.ended) + ", " + std::string(results::to_string(attempt.state)),
        when(attempt.ended - attempt.started));
  }

  const Experiment& experiment_;
  const Workload& workload_;
  JobId id_;
  const Job& job_;
  const JobStory& story_;
};

ExitCode explain(const std::string& folder, const std::string& name, const Session& session) {
  if (session.common.format == OutputFormat::kCsv) {
    throw UsageError("--format csv: explain prints no table: allowed text, json");
  }
  const InterruptGuard interrupt;
  const std::vector<std::string> changed = changed_inputs(folder);
  if (!changed.empty()) {
    std::vector<InputError> errors;
    for (const std::string& what : changed) {
      errors.push_back({whole_file(folder), {}, what, "the inputs of the run, unchanged"});
    }
    throw InputErrors(std::move(errors));
  }
  const std::string resolved = (std::filesystem::path(folder) / "resolved.yaml").string();
  Diagnostics diagnostics;
  const Experiment experiment = load_experiment(
      read_scenario_input(resolved, {}, session),
      [&] { return interrupt.requested(); },
      diagnostics);
  diagnostics.throw_if_errors();
  const JobId job = find_job(experiment.bound.workload, name);

  JobStory story(job);
  const sim::RunOutcome outcome =
      simulate(experiment,
               interrupt,
               session,
               story,
               sim::FollowedJob{
                   job, [&story](SimTime now, const std::string& why) { story.waits(now, why); }});
  if (outcome.end == sim::RunOutcome::End::kInterrupted) {
    throw Interrupted();
  }
  const Explanation explanation(experiment, job, story);
  if (session.common.format == OutputFormat::kText) {
    explanation.print_text(session.out);
  } else {
    session.out << explanation.json().dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  }
  session.out << std::flush;
  return ExitCode::kDone;
}

struct ExplainRequest {
  std::string folder;
  std::string job;
};
}  // namespace

void add_explain_command(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("explain", "Why a job of a finished run started when and where it did");
  const auto request = std::make_shared<ExplainRequest>();
  command->add_option("DIR", request->folder, "Folder of a finished run")->required();
  command->add_option("JOB", request->job, "The job's job_id in jobs.csv")->required();
  add_common_options(*command, session.common);
  command->footer("Example:\n  weft explain weft-out 1234");
  command->callback([&session, request] {
    session.action = [&session, request] {
      return explain(request->folder, request->job, session);
    };
  });
}

}  // namespace weft::cli
