#include "sim/simulation.hpp"

#include <algorithm>
#include <string_view>

#include "base/errors.hpp"
#include "schedulers/cluster_state.hpp"
#include "schedulers/scheduler.hpp"
#include "sim/event_queue.hpp"
#include "sim/idle_claims.hpp"

namespace weft::sim {
namespace {

using schedulers::ClusterState;
using schedulers::ClusterView;
using schedulers::Event;

enum class Phase : std::uint8_t { kFuture, kWaiting, kRunning, kDone };

// A job while it runs. Slots are reused, so their vectors keep their capacity.
struct Running {
  JobId job{};
  SimTime started;
  JobState end_state{};
  StartReason reason{};
  std::uint32_t attempt = 1;
  Allocation allocation;
  bool in_use = false;
};

constexpr std::uint64_t kEventsPerProgress = 8192;
constexpr std::size_t kWaitingShown = 100;
// Wake-ups in a row that bring no start while nothing runs or arrives: a policy that only ever asks
// to be woken again would otherwise keep the run going for ever.
constexpr std::uint32_t kFruitlessWakeUps = 100'000;

JobState state_at_end(RecordedEnd recorded) {
  switch (recorded) {
    case RecordedEnd::kUnknown:
    case RecordedEnd::kCompleted:
      return JobState::kCompleted;
    case RecordedEnd::kFailed:
      return JobState::kFailed;
    case RecordedEnd::kCancelled:
      return JobState::kCancelled;
    case RecordedEnd::kTimeout:
      return JobState::kTimeout;
    case RecordedEnd::kNodeFail:
      return JobState::kNodeFail;
    case RecordedEnd::kOutOfMemory:
      return JobState::kOutOfMemory;
    case RecordedEnd::kPreempted:
      return JobState::kPreempted;
    case RecordedEnd::kDeadline:
      return JobState::kDeadline;
  }
  return JobState::kCompleted;
}

class Simulation final : public TimedWork, private schedulers::DecisionSink {
 public:
  Simulation(const RunRequest& request, Observer& observer)
      : request_(request),
        layout_(*request.layout),
        workload_(*request.workload),
        policy_(*request.scheduler),
        observer_(observer),
        state_(layout_),
        view_{SimTime{}, workload_, state_},
        idle_(layout_, workload_, state_, policy_),
        phase_(workload_.jobs.size(), Phase::kFuture) {
    outcome_.begin = workload_.jobs.empty() ? SimTime{} : workload_.jobs.front().submit;
    cut_ = request.horizon ? outcome_.begin + *request.horizon : kNever;
    last_end_ = outcome_.begin;
  }

  RunOutcome run() {
    observer_.run_begins(RunInfo{&layout_, &workload_, outcome_.begin});
    observer_.idle_changes(outcome_.begin, idle_.split());
    try {
      request_.clock->run(*this);
    } catch (...) {
      finish(now_);
      throw;
    }
    finish(end_of_run());
    return outcome_;
  }

  [[nodiscard]] SimTime next() const override {
    if (ended_) {
      return kNever;
    }
    SimTime next = events_.next();
    if (next_submission_ < workload_.jobs.size()) {
      next = std::min(next, workload_.jobs[next_submission_].submit);
    }
    return next >= cut_ && next < kNever ? cut_ : next;
  }

  void advance(SimTime now) override {
    WEFT_ASSERT(now >= now_,
                "time went back from " + std::to_string(now_.ns()) + " to " +
                    std::to_string(now.ns()) + " ns");
    // An interruption is a horizon at this instant, unless a decision was already made in it: then
    // at the next, so that a run with that horizon gives the same schedule.
    if (now > std::max(now_, outcome_.begin) && cut_ > now && request_.stop != nullptr &&
        request_.stop->load(std::memory_order_relaxed)) {
      cut_ = now;
      interrupted_ = true;
    }
    now_ = now;
    news_.clear();
    take_due_events(now);
    if (now >= cut_) {
      outcome_.end = interrupted_ ? RunOutcome::End::kInterrupted : RunOutcome::End::kHorizon;
      ended_ = true;
      return;
    }
    view_.now = now;
    if (!news_.empty()) {
      decide();
    }
    if (next() != now) {  // last round of this instant
      const auto split = idle_.split();
      if (idle_.changed()) {
        observer_.idle_changes(now, split);
      }
    }
    report_progress();
  }

 private:
  void take_due_events(SimTime now) {
    while (events_.next() == now && events_.front().event_class() == EventClass::kCompletion) {
      complete(events_.pop().subject);
    }
    if (now < cut_) {
      while (next_submission_ < workload_.jobs.size() &&
             workload_.jobs[next_submission_].submit == now) {
        submit(JobId{static_cast<std::uint32_t>(next_submission_++)});
      }
    }
    while (events_.next() == now && now < cut_) {
      const PendingEvent event = events_.pop();
      ++outcome_.events;
      if (event.event_class() == EventClass::kSubmission) {
        becomes_eligible(JobId{event.subject});
      } else if (news_.empty() || news_.back().kind != Event::Kind::kWakeUp) {
        news_.push_back(Event{Event::Kind::kWakeUp, JobId{}});
      }
    }
  }

  void submit(JobId id) {
    ++outcome_.events;
    const Job& job = workload_.job(id);
    observer_.job_submitted(now_, id);
    if (job.rejected != kNoSymbol) {
      phase_[index(id)] = Phase::kDone;
      ++jobs_done_;
      observer_.job_rejected(now_, id, workload_.symbols.text(job.rejected));
    } else if (job.eligible > now_) {
      events_.add(job.eligible, EventClass::kSubmission, static_cast<std::uint32_t>(id));
    } else {
      becomes_eligible(id);
    }
  }

  void becomes_eligible(JobId id) {
    phase_[index(id)] = Phase::kWaiting;
    ++outcome_.waiting_jobs;
    idle_.job_waits(id);
    news_.push_back(Event{Event::Kind::kJobSubmitted, id});
  }

  void complete(std::uint32_t slot) {
    ++outcome_.events;
    Running& running = running_[slot];
    state_.give_back(workload_.shape_of(running.job), running.allocation);
    phase_[index(running.job)] = Phase::kDone;
    ++jobs_done_;
    last_end_ = now_;
    report_end(running, running.end_state);
    news_.push_back(Event{Event::Kind::kJobEnded, running.job});
    running.in_use = false;
    free_slots_.push_back(slot);
  }

  void report_end(const Running& running, JobState state) {
    observer_.job_ends(JobEnd{now_,
                              running.started,
                              running.job,
                              running.attempt,
                              state,
                              running.reason,
                              &running.allocation});
  }

  void decide() {
    const std::uint64_t before = outcome_.decisions;
    policy_.decide(news_, view_, *this);
    const bool only_wake_up = news_.size() == 1 && news_[0].kind == Event::Kind::kWakeUp;
    const bool fruitless = only_wake_up && outcome_.decisions == before &&
                           free_slots_.size() == running_.size() &&
                           next_submission_ == workload_.jobs.size();
    fruitless_wake_ups_ = fruitless ? fruitless_wake_ups_ + 1 : 0;
    if (fruitless_wake_ups_ > kFruitlessWakeUps) {
      outcome_.end = RunOutcome::End::kStalled;
      ended_ = true;
    }
    if (request_.follow && phase_[index(request_.follow->job)] == Phase::kWaiting) {
      request_.follow->waits(now_, policy_.why_waiting(request_.follow->job, view_));
    }
  }

  // ---- decisions of the policy (schedulers::DecisionSink) ----

  void start(JobId id, const Allocation& where, StartReason why) override {
    check_waiting(id, "start");
    const RequestShape& shape = workload_.shape_of(id);
    if (const std::string wrong = state_.check(shape, where); !wrong.empty()) {
      refuse("start", id, wrong);
    }
    const Job& job = workload_.job(id);
    state_.take(shape, where);
    phase_[index(id)] = Phase::kRunning;
    --outcome_.waiting_jobs;
    ++outcome_.decisions;
    idle_.job_leaves(id);

    std::uint32_t slot = 0;
    if (free_slots_.empty()) {
      slot = static_cast<std::uint32_t>(running_.size());
      running_.emplace_back();
    } else {
      slot = free_slots_.back();
      free_slots_.pop_back();
    }
    Running& running = running_[slot];
    running.job = id;
    running.started = now_;
    running.reason = why;
    running.attempt = 1;
    running.allocation = where;
    running.in_use = true;
    const bool over_limit = job.runtime > job.limit;
    running.end_state = over_limit ? JobState::kTimeout : state_at_end(job.recorded_end);
    events_.add(now_ + std::min(job.runtime, job.limit), EventClass::kCompletion, slot);
    observer_.job_starts(JobStart{now_, id, running.attempt, why, &running.allocation});
  }

  void reject(JobId id, std::string_view why) override {
    check_waiting(id, "reject");
    phase_[index(id)] = Phase::kDone;
    --outcome_.waiting_jobs;
    ++outcome_.decisions;
    ++jobs_done_;
    idle_.job_leaves(id);
    observer_.job_rejected(now_, id, why);
  }

  void wake_at(SimTime when) override {
    if (when <= now_) {
      throw PolicyError("policy '" + std::string(policy_.name()) + "' asked at " +
                        std::to_string(now_.ns()) + " ns to be woken at " +
                        std::to_string(when.ns()) + " ns, which is not later");
    }
    events_.add(when, EventClass::kWakeUp, 0);
  }

  void check_waiting(JobId id, std::string_view decision) const {
    if (index(id) >= workload_.jobs.size()) {
      throw PolicyError("policy '" + std::string(policy_.name()) + "' decided to " +
                        std::string(decision) + " job number " + std::to_string(index(id)) +
                        ", but there are only " + std::to_string(workload_.jobs.size()) + " jobs");
    }
    switch (phase_[index(id)]) {
      case Phase::kWaiting:
        return;
      case Phase::kFuture:
        refuse(decision, id, "the job is not submitted or not eligible yet");
      case Phase::kRunning:
        refuse(decision, id, "the job is running already");
      case Phase::kDone:
        refuse(decision, id, "the job has ended or was rejected");
    }
  }

  [[noreturn]] void refuse(std::string_view decision, JobId id, const std::string& why) const {
    throw PolicyError("policy '" + std::string(policy_.name()) + "' decided at " +
                      std::to_string(now_.ns()) + " ns to " + std::string(decision) + " job '" +
                      std::string(workload_.symbols.text(workload_.job(id).name)) + "': " + why);
  }

  // ---- the end ----

  SimTime end_of_run() {
    if (!ended_ && outcome_.waiting_jobs > 0) {
      outcome_.end = RunOutcome::End::kStalled;
    }
    if (outcome_.end == RunOutcome::End::kStalled) {
      for (std::size_t j = 0; j < phase_.size() && outcome_.waiting.size() < kWaitingShown; ++j) {
        const JobId id{static_cast<std::uint32_t>(j)};
        if (phase_[j] == Phase::kWaiting) {
          outcome_.waiting.push_back(WaitingJob{id, policy_.why_waiting(id, view_)});
        }
      }
      return now_;
    }
    switch (outcome_.end) {
      case RunOutcome::End::kInterrupted:
      case RunOutcome::End::kHorizon:
        return cut_;
      default:
        // The horizon is [first submit, last end]; without any end, up to the last submission.
        return last_end_ > outcome_.begin ? last_end_ : std::max(last_end_, now_);
    }
  }

  [[nodiscard]] SimTime last_submission_time() const {
    return workload_.jobs.empty() ? outcome_.begin : workload_.jobs.back().submit;
  }

  void finish(SimTime horizon) {
    outcome_.horizon = horizon;
    now_ = horizon;
    std::vector<std::uint32_t> cut_short;
    for (std::size_t slot = 0; slot < running_.size(); ++slot) {
      if (running_[slot].in_use) {
        cut_short.push_back(static_cast<std::uint32_t>(slot));
      }
    }
    std::sort(cut_short.begin(), cut_short.end(), [this](std::uint32_t a, std::uint32_t b) {
      return running_[a].job < running_[b].job;
    });
    for (const std::uint32_t slot : cut_short) {
      report_end(running_[slot], JobState::kRunning);
    }
    for (std::size_t j = 0; j < phase_.size(); ++j) {
      if (phase_[j] == Phase::kWaiting || (phase_[j] == Phase::kFuture && j < next_submission_)) {
        observer_.job_pending(JobId{static_cast<std::uint32_t>(j)});
      }
    }
    observer_.run_ends(horizon);
    report(request_.progress);
  }

  void report_progress() {
    if (outcome_.events - events_reported_ >= kEventsPerProgress) {
      events_reported_ = outcome_.events;
      report(request_.progress);
    }
  }

  void report(const std::function<void(const Progress&)>& progress) const {
    if (progress) {
      progress(Progress{
          now_, last_submission_time(), jobs_done_, workload_.jobs.size(), outcome_.events});
    }
  }

  const RunRequest& request_;
  const ClusterLayout& layout_;
  const Workload& workload_;
  schedulers::Scheduler& policy_;
  Observer& observer_;

  ClusterState state_;
  ClusterView view_;
  IdleClaims idle_;
  EventQueue events_;  // completions by running slot, delayed submissions by job, wake-ups
  std::size_t next_submission_ = 0;
  std::vector<Phase> phase_;  // by job
  std::vector<Running> running_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<Event> news_;

  SimTime now_;
  SimTime cut_ = kNever;
  SimTime last_end_;
  bool ended_ = false;
  bool interrupted_ = false;  // cut_ is where the user stopped the run
  std::uint64_t jobs_done_ = 0;
  std::uint64_t events_reported_ = 0;
  std::uint32_t fruitless_wake_ups_ = 0;
  RunOutcome outcome_;
};

}  // namespace

RunOutcome run_simulation(const RunRequest& request, Observer& observer) {
  WEFT_ASSERT(request.layout != nullptr && request.workload != nullptr &&
                  request.scheduler != nullptr && request.clock != nullptr,
              "a run needs a cluster, a workload, a policy and a clock");
  return Simulation(request, observer).run();
}

}  // namespace weft::sim
