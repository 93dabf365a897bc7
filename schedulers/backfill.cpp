#include "schedulers/backfill.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/quantity.hpp"
#include "schedulers/texts.hpp"

namespace weft::schedulers {

namespace {
enum : std::uint8_t { kNotAsked = 0, kFits = 1, kNeverFits = 2 };
}  // namespace

SimTime limit_end(const Job& job, SimTime now) {
  return std::min(now + job.limit, kNever);
}

BackfillScheduler::BackfillScheduler(const BackfillOptions& options) : options_(options) {}

std::string_view BackfillScheduler::name() const {
  return options_.backfill ? "easy" : "fcfs";
}

void BackfillScheduler::prepare(const ClusterView& view) {
  plan_ = is_counting(view) ? make_flat_plan(options_.placement)
                            : make_node_plan(options_.placement, view);
  queue_.prepare(view.workload);
  limit_end_.resize(view.workload.jobs.size());
  verdict_.assign(view.workload.shapes.size(), kNotAsked);
  candidates_.reserve(view.workload.shapes.size());
}

void BackfillScheduler::submit(JobId job, const ClusterView& view, DecisionSink& sink) {
  const ShapeId shape = view.workload.job(job).shape;
  std::uint8_t& verdict = verdict_[index(shape)];
  if (verdict == kNotAsked) {
    verdict =
        fits_empty(view.state.layout(), view.workload.shapes[index(shape)]) ? kFits : kNeverFits;
  }
  if (verdict == kNeverFits) {
    sink.reject(job, kRejectedText);
    return;
  }
  queue_.push(job, view.workload);
}

void BackfillScheduler::start(
    JobId job, bool beside, StartReason why, const ClusterView& view, DecisionSink& sink) {
  const Job& what = view.workload.job(job);
  queue_.remove(job, what.shape);
  const SimTime end = limit_end(what, view.now);
  limit_end_[index(job)] = end;
  sink.start(job, where_, why);
  plan_->started(job, where_, end, beside, view);
  ++changes_;
}

void BackfillScheduler::decide(std::span<const Event> events,
                               const ClusterView& view,
                               DecisionSink& sink) {
  if (plan_ == nullptr) {
    prepare(view);
  }
  std::size_t submitted = 0;
  JobId newest{};
  for (const Event& event : events) {
    switch (event.kind) {
      case Event::Kind::kJobEnded:
        plan_->ended(event.job, limit_end_[index(event.job)], view);
        planned_ = false;
        break;
      case Event::Kind::kJobSubmitted:
        submit(event.job, view, sink);
        ++submitted;
        newest = event.job;
        break;
      case Event::Kind::kWakeUp:
        break;
    }
  }
  if (queue_.empty()) {
    return;
  }
  // Nothing was given back and the head is the one that did not fit before: only the new jobs can
  // start, because what is free and the time up to the plan only shrink between completions.
  if (planned_ && planned_start_ > view.now) {
    if (!options_.backfill || submitted == 0) {
      return;
    }
    if (submitted == 1 && options_.depth == UINT64_MAX) {
      if (queue_.contains(newest)) {
        backfill_one(newest, view, sink);
      }
      return;
    }
    backfill_all(view, sink);
    return;
  }
  start_heads(view, sink);
  if (queue_.empty()) {
    return;
  }
  plan_head(view);
  if (options_.backfill && queue_.size() > 1) {
    backfill_all(view, sink);
  }
}

void BackfillScheduler::start_heads(const ClusterView& view, DecisionSink& sink) {
  while (!queue_.empty()) {
    const JobId head = queue_.front();
    const ShapeId shape = view.workload.job(head).shape;
    if (!plan_->fits_now(shape, view) || !plan_->place(shape, false, view, where_)) {
      return;
    }
    start(head, false, StartReason::kHead, view, sink);
  }
}

void BackfillScheduler::plan_head(const ClusterView& view) {
  planned_ = true;
  planned_head_ = queue_.front();
  // Without backfilling nothing depends on when the head starts; completions bring it about.
  planned_start_ = options_.backfill ? plan_->plan(planned_head_, view) : kNever;
}

std::int64_t BackfillScheduler::gap(SimTime now) const {
  // A job without a limit ends by no time, not even by kNever.
  const std::int64_t longest = kUnlimited.raw() - 1;
  return std::min(std::max<std::int64_t>((planned_start_ - now).raw(), 0), longest);
}

void BackfillScheduler::backfill_one(JobId job, const ClusterView& view, DecisionSink& sink) {
  const Job& what = view.workload.job(job);
  if (!plan_->fits_now(what.shape, view)) {
    return;
  }
  const bool by_limit = what.limit.raw() <= gap(view.now);
  if (!by_limit && !plan_->fits_beside(what.shape, view)) {
    return;
  }
  if (plan_->place(what.shape, !by_limit, view, where_)) {
    start(job, !by_limit, StartReason::kBackfill, view, sink);
  }
}

// The next job of a class at or after `from` whose limit is at most `bound`: in queue order, or
// (sjf) the one with the smallest limit, within the depth.
std::uint32_t BackfillScheduler::find_in_class(ShapeId shape,
                                               std::uint32_t from,
                                               std::int64_t bound) const {
  const WaitingQueue::Class& its = queue_.of(shape);
  if (options_.order == BackfillOrder::kFcfs) {
    const std::uint32_t found = its.limits.first_at_most(from, bound);
    return found != MinTree::kNone && its.places[found] <= last_place_ ? found : MinTree::kNone;
  }
  if (last_place_ == UINT32_MAX) {
    const std::int64_t smallest = its.limits.minimum();
    return smallest <= bound ? its.limits.first_at_most(0, smallest) : MinTree::kNone;
  }
  std::uint32_t best = MinTree::kNone;
  for (std::uint32_t i = its.limits.first_at_most(0, bound);
       i != MinTree::kNone && its.places[i] <= last_place_;
       i = its.limits.first_at_most(i + 1, bound)) {
    if (best == MinTree::kNone || its.limits[i] < its.limits[best]) {
      best = i;
    }
  }
  return best;
}

bool BackfillScheduler::comes_before(const Candidate& a, const Candidate& b) const {
  const WaitingQueue::Class& class_a = queue_.of(a.shape);
  const WaitingQueue::Class& class_b = queue_.of(b.shape);
  if (options_.order == BackfillOrder::kSjf) {
    const std::int64_t limit_a = class_a.limits[a.position];
    const std::int64_t limit_b = class_b.limits[b.position];
    if (limit_a != limit_b) {
      return limit_a < limit_b;
    }
  }
  return class_a.places[a.position] < class_b.places[b.position];
}

// One pass over the waiting jobs behind the head. What is free only shrinks within it, so a job
// that was passed over stays passed over, and each class needs its next candidate only.
void BackfillScheduler::backfill_all(const ClusterView& view, DecisionSink& sink) {
  const std::int64_t longest = gap(view.now);
  last_place_ =
      options_.depth == UINT64_MAX ? UINT32_MAX : queue_.place_behind_front(options_.depth);
  candidates_.clear();
  for (const ShapeId shape : queue_.active()) {
    if (queue_.of(shape).units > view.state.free_total()) {
      break;  // ordered by size
    }
    if (queue_.of(shape).limits.minimum() > longest && !plan_->fits_beside(shape, view)) {
      continue;
    }
    if (!plan_->fits_now(shape, view)) {
      continue;
    }
    const bool beside = plan_->fits_beside(shape, view);
    const std::uint32_t found = find_in_class(shape, 0, beside ? MinTree::kAny : longest);
    if (found != MinTree::kNone) {
      candidates_.push_back(Candidate{shape, found, beside, changes_});
    }
  }
  while (!candidates_.empty()) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < candidates_.size(); ++i) {
      if (comes_before(candidates_[i], candidates_[first])) {
        first = i;
      }
    }
    Candidate& candidate = candidates_[first];
    const ShapeId shape = candidate.shape;
    const WaitingQueue::Class& its = queue_.of(shape);
    const bool by_limit = its.limits[candidate.position] <= longest;
    std::uint32_t from = candidate.position;
    bool fits = true;
    if (candidate.checked != changes_) {
      candidate.checked = changes_;
      fits = plan_->fits_now(shape, view);
      candidate.beside = candidate.beside && plan_->fits_beside(shape, view);
    }
    if (fits && (by_limit || candidate.beside)) {
      fits = plan_->place(shape, !by_limit, view, where_);
      WEFT_ASSERT(fits, "a request that fits has no place; shape " + std::to_string(index(shape)));
      start(its.jobs[from], !by_limit, StartReason::kBackfill, view, sink);
      ++from;
    }
    std::uint32_t next = MinTree::kNone;
    if (fits && its.waiting > 0) {
      next = find_in_class(shape, from, candidate.beside ? MinTree::kAny : longest);
    }
    if (next == MinTree::kNone) {
      candidate = candidates_.back();
      candidates_.pop_back();
    } else {
      candidate.position = next;
    }
  }
}

Hold BackfillScheduler::hold(JobId job) const {
  if (options_.backfill && options_.depth != UINT64_MAX && queue_.contains(job) &&
      queue_.ahead_of(job) > options_.depth) {
    return Hold::kNotConsidered;
  }
  return Hold::kPlan;
}

std::string BackfillScheduler::why_waiting(JobId job, const ClusterView& view) const {
  if (plan_ == nullptr || !queue_.contains(job)) {
    return "not in the queue";
  }
  const JobId head = queue_.front();
  std::string plan;
  if (options_.backfill && planned_ && planned_head_ == head) {
    plan = planned_start_ < kNever
               ? "planned for " + seconds_text(planned_start_.since_start()) + " s when " +
                     job_text(view, plan_->planned_after()) + " reaches its limit"
               : "without a planned time, as the jobs it waits for have no limit";
  }
  const std::size_t ahead = queue_.ahead_of(job);
  std::string text = ahead_text(ahead) + "; " + need_text(view, job);
  if (job == head) {
    return text + (plan.empty() ? "" : "; " + plan);
  }
  const RequestShape& shape = view.workload.shape_of(job);
  if (!fits_now(view.state, shape)) {
    const GpuShare wanted = total_gpus(shape);
    const GpuShare free = view.state.free_total();
    return text + (free < wanted ? "; " + gpu_text(wanted - free) + " missing"
                                 : "; not free in the shape it needs");
  }
  if (!options_.backfill) {
    return text + "; it would fit, but jobs start in queue order and " + job_text(view, head) +
           " at the head does not fit";
  }
  if (hold(job) == Hold::kNotConsidered) {
    return text + "; it would fit, but a pass looks at " + std::to_string(options_.depth) +
           " jobs behind the head only";
  }
  const Duration limit = view.workload.job(job).limit;
  text += "; it would fit, but head " + job_text(view, head) + " is " +
          (plan.empty() ? std::string("not planned yet") : plan);
  return text +
         (limit >= kUnlimited
              ? std::string(", this job has no limit")
              : ", this job could run until " + seconds_text((view.now + limit).since_start()) +
                    " s by its limit") +
         ", and there is no room for it beside the head";
}

}  // namespace weft::schedulers
