#include "schedulers/conservative.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/quantity.hpp"
#include "schedulers/head_plan.hpp"
#include "schedulers/texts.hpp"

namespace weft::schedulers {

namespace {
enum : std::uint8_t { kNotAsked = 0, kFits = 1, kNeverFits = 2 };
}  // namespace

ConservativeScheduler::ConservativeScheduler(const ConservativeOptions& options)
    : options_(options) {}

void ConservativeScheduler::prepare(const ClusterView& view) {
  plan_ = is_counting(view) ? make_flat_reservations(options_.placement, view)
                            : make_node_reservations(options_.placement, view);
  position_.assign(view.workload.jobs.size(), kNone);
  until_.resize(view.workload.jobs.size());
  verdict_.assign(view.workload.shapes.size(), kNotAsked);
}

void ConservativeScheduler::submit(JobId job, const ClusterView& view, DecisionSink& sink) {
  const Job& what = view.workload.job(job);
  std::uint8_t& verdict = verdict_[index(what.shape)];
  if (verdict == kNotAsked) {
    const bool fits = fits_empty(view.state.layout(), view.workload.shapes[index(what.shape)]);
    verdict = fits ? kFits : kNeverFits;
  }
  if (verdict == kNeverFits) {
    sink.reject(job, kRejectedText);
    return;
  }
  Waiting waiting;
  waiting.reservation.job = job;
  waiting.reservation.shape = what.shape;
  waiting.reservation.length = std::max(what.limit, nanoseconds(1));
  waiting.place = next_place_++;
  waiting.planned_at = view.now;
  plan_->reserve(waiting.reservation, waiting_ == 0, view);
  starts_.insert(waiting.reservation.start, job, 0);
  position_[index(job)] = static_cast<std::uint32_t>(queue_.size());
  queue_.push_back(waiting);
  ++waiting_;
}

void ConservativeScheduler::end(JobId job, const ClusterView& view) {
  const SimTime until = until_[index(job)];
  plan_->ended(job, until, view);
  if (until > view.now) {
    growth_.ended(Growth::Interval{view.now, until, plan_->most_free(view.now, until)});
  }
}

// The earliest start that tests of other jobs in this compression leave open. If a job could not
// move to any time before its start s, neither can one that needs no less, for no less time, and
// stands at s or later: it would fit a part of what was found too short or too small.
SimTime ConservativeScheduler::first_open(const Reservation& r,
                                          std::int64_t units,
                                          SimTime now) const {
  SimTime open = now;
  for (const Shown& shown : shown_) {
    if (shown.units <= units && shown.length <= r.length && shown.no_start_before <= r.start) {
      open = std::max(
          open, std::min(shown.no_start_before, shown.grown_from - r.length + nanoseconds(1)));
    }
  }
  return open;
}

void ConservativeScheduler::note_shown(const Reservation& r, std::int64_t units) {
  for (Shown& shown : shown_) {
    if (shown.units == units && shown.length >= r.length && shown.no_start_before <= r.start) {
      shown = Shown{units, r.length, r.start, kNever};
      return;
    }
  }
  if (shown_.size() < kMostShown) {
    shown_.push_back(Shown{units, r.length, r.start, kNever});
  } else {
    shown_[oldest_shown_] = Shown{units, r.length, r.start, kNever};
    oldest_shown_ = (oldest_shown_ + 1) % kMostShown;
  }
}

// Tests, one after the other, the intervals in which capacity has grown: the job may begin so
// early that it just reaches into one, or inside it.
bool ConservativeScheduler::move_earlier(Waiting& waiting, SimTime now) {
  Reservation& r = waiting.reservation;
  const bool pool = !plan_->has_nodes();
  const std::int64_t units = plan_->units_of(r.shape);
  const SimTime matters_until = pool ? r.start : end_of(r);
  SimTime tested = pool ? first_open(r, units, now) : now;
  bool moved = false;
  bool searched = false;
  for (const Growth::Interval& grown : growth_.intervals()) {
    if (grown.from >= matters_until) {
      break;
    }
    if (grown.most < units) {
      continue;
    }
    const SimTime from = std::max(tested, grown.from - r.length + nanoseconds(1));
    const SimTime before = std::min(grown.to, r.start);
    if (from < before) {
      searched = true;
      moved = plan_->move_earlier(r, from, before);
      if (moved) {
        break;
      }
    }
    tested = std::max(tested, before);
  }
  if (pool && searched) {
    note_shown(r, units);  // it stands at the earliest time now, moved or not
  }
  return moved;
}

void ConservativeScheduler::compress(SimTime now) {
  growth_.begin(now);
  shown_.clear();
  oldest_shown_ = 0;
  for (std::size_t i = first_; i < queue_.size(); ++i) {
    Waiting& waiting = queue_[i];
    if (waiting.gone || waiting.reservation.start <= now) {
      continue;
    }
    growth_.reach(waiting.place);
    const Reservation stood = waiting.reservation;
    if (!move_earlier(waiting, now)) {
      continue;
    }
    starts_.erase(stood.start, stood.job);
    starts_.insert(waiting.reservation.start, stood.job, 0);
    waiting.planned_at = now;
    const SimTime left_from =
        plan_->has_nodes() ? stood.start : std::max(stood.start, end_of(waiting.reservation));
    const SimTime left_to = end_of(stood);
    if (left_from < left_to) {
      for (Shown& shown : shown_) {
        shown.grown_from = std::min(shown.grown_from, left_from);
      }
      growth_.moved(waiting.place,
                    Growth::Interval{left_from, left_to, plan_->most_free(left_from, left_to)});
    }
  }
  growth_.finish();
}

void ConservativeScheduler::start_due(const ClusterView& view, DecisionSink& sink) {
  due_.clear();
  starts_.visit([&](const ReleaseList::Entry& entry) {
    if (entry.end > view.now.ns()) {
      return true;
    }
    due_.push_back(position_[index(entry.job)]);
    return false;
  });
  std::sort(due_.begin(), due_.end());  // queue order
  for (const std::uint32_t at : due_) {
    Waiting& waiting = queue_[at];
    Reservation& r = waiting.reservation;
    const SimTime stood = r.start;
    if (!plan_->start(r, view, where_)) {
      irregular_ = true;
      continue;
    }
    if (stood < view.now) {
      plan_->move_to(r, view.now);
      growth_.ended(Growth::Interval{view.now, kNever, INT64_MAX});
    }
    starts_.erase(stood, r.job);
    until_[index(r.job)] = end_of(r);
    while (queue_[first_].gone) {
      ++first_;
    }
    const StartReason why = at == first_                    ? StartReason::kHead
                            : waiting.planned_at < view.now ? StartReason::kReserved
                                                            : StartReason::kBackfill;
    waiting.gone = true;
    position_[index(r.job)] = kNone;
    --waiting_;
    sink.start(r.job, where_, why);
  }
}

void ConservativeScheduler::compact() {
  constexpr std::size_t kWorthIt = 64;
  if (queue_.size() < kWorthIt || waiting_ * 2 > queue_.size()) {
    return;
  }
  std::size_t to = 0;
  for (std::size_t i = first_; i < queue_.size(); ++i) {
    if (!queue_[i].gone) {
      position_[index(queue_[i].reservation.job)] = static_cast<std::uint32_t>(to);
      queue_[to++] = queue_[i];
    }
  }
  queue_.resize(to);
  first_ = 0;
}

void ConservativeScheduler::decide(std::span<const Event> events,
                                   const ClusterView& view,
                                   DecisionSink& sink) {
  if (plan_ == nullptr) {
    prepare(view);
  }
  plan_->advance(view.now);
  bool completion = false;
  for (const Event& event : events) {
    if (event.kind == Event::Kind::kJobEnded) {
      end(event.job, view);
      completion = true;
    }
  }
  if (completion && !growth_.empty()) {
    compress(view.now);
  }
  for (const Event& event : events) {
    if (event.kind == Event::Kind::kJobSubmitted) {
      submit(event.job, view, sink);
    }
  }
  start_due(view, sink);
  compact();
  if (irregular_ && !starts_.empty()) {
    SimTime next = kNever;
    starts_.visit([&](const ReleaseList::Entry& entry) {
      next = SimTime::at(nanoseconds(entry.end));
      return next > view.now;
    });
    if (next > view.now && next < kNever) {
      sink.wake_at(next);
    }
  }
}

Hold ConservativeScheduler::hold(JobId /*job*/) const {
  return Hold::kPlan;
}

std::string ConservativeScheduler::why_waiting(JobId job, const ClusterView& view) const {
  if (plan_ == nullptr || position_[index(job)] == kNone) {
    return "not in the queue";
  }
  const std::uint32_t at = position_[index(job)];
  std::size_t ahead = 0;
  for (std::size_t i = first_; i < at; ++i) {
    ahead += queue_[i].gone ? 0 : 1;
  }
  const Reservation& r = queue_[at].reservation;
  std::string text = ahead_text(ahead) + "; " + need_text(view, job) + "; ";
  if (r.start >= kNever) {
    return text + "no planned time, as the jobs it waits for have no limit";
  }
  text += r.start <= view.now ? "planned for now, but a job past its limit is in its way"
                              : "planned for " + seconds_text(r.start.since_start()) + " s";
  if (r.start > view.now && fits_now(view.state, view.workload.shape_of(job))) {
    text += "; it would fit now, but not for all of its limit beside the planned starts";
  }
  return text;
}

}  // namespace weft::schedulers
