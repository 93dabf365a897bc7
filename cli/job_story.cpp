#include "cli/job_story.hpp"

#include <algorithm>

namespace weft::cli {

namespace {
// The reason without its figures.
std::string kind_of(const std::string& reason) {
  std::string kind;
  bool in_number = false;
  for (const char c : reason) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !in_number) {
      kind += '#';
    } else if (!digit && !(in_number && (c == '.' || c == ':'))) {
      kind += c;
    }
    in_number = digit || (in_number && (c == '.' || c == ':'));
  }
  return kind;
}
}  // namespace

void JobStory::waits(SimTime now, const std::string& why) {
  std::string kind = kind_of(why);
  if (!waited_.empty() && waiting_ && kind == kind_) {
    WaitSpan& open = waited_.back();
    if (open.last_reason != why) {
      open.last_reason = why;
      ++open.wordings;
    }
    open.to = now;
    return;
  }
  end_span(now);
  kind_ = std::move(kind);
  waiting_ = true;
  waited_.push_back({now, now, why, why, 1});
}

void JobStory::end_span(SimTime now) {
  if (waiting_) {
    waited_.back().to = now;
    waiting_ = false;
  }
}

void JobStory::run_begins(const sim::RunInfo& run) {
  workload_ = run.workload;
}

void JobStory::job_submitted(SimTime /*now*/, JobId job) {
  submitted_ = submitted_ || job == job_;
}

void JobStory::job_starts(const sim::JobStart& start) {
  if (start.job == job_) {
    end_span(start.now);
    attempts_.push_back(
        {start.now, start.now, start.reason, sim::JobState::kRunning, *start.allocation});
    return;
  }
  if (!submitted_ || !attempts_.empty() || !rejected_.empty()) {
    return;
  }
  if (start.job > job_) {
    overtakers_.push_back({start.now, start.job, start.reason, start.allocation->total_share()});
  } else {
    ++started_in_turn_;
  }
}

void JobStory::job_ends(const sim::JobEnd& end) {
  if (end.job == job_ && !attempts_.empty()) {
    attempts_.back().ended = end.now;
    attempts_.back().state = end.state;
  }
}

void JobStory::job_rejected(SimTime now, JobId job, std::string_view why) {
  if (job == job_) {
    end_span(now);
    rejected_ = why;
  }
}

void JobStory::job_pending(JobId job) {
  pending_ = pending_ || job == job_;
}

void JobStory::run_ends(SimTime horizon) {
  horizon_ = horizon;
  end_span(horizon);
}

std::vector<WaitTotal> JobStory::wait_totals() const {
  std::vector<WaitTotal> totals;
  std::vector<std::string> kinds;
  for (const WaitSpan& span : waited_) {
    const std::string kind = kind_of(span.first_reason);
    const auto known = std::find(kinds.begin(), kinds.end(), kind);
    if (known == kinds.end()) {
      kinds.push_back(kind);
      totals.push_back({span.first_reason, span.to - span.from});
    } else {
      totals[static_cast<std::size_t>(known - kinds.begin())].time += span.to - span.from;
    }
  }
  std::stable_sort(totals.begin(), totals.end(), [](const WaitTotal& a, const WaitTotal& b) {
    return a.time > b.time;
  });
  return totals;
}

}  // namespace weft::cli
