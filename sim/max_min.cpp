#include "sim/max_min.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/errors.hpp"

namespace weft::sim {

MaxMinSolver::Link MaxMinSolver::add_link(double capacity) {
  WEFT_ASSERT(std::isfinite(capacity) && capacity >= 0, "capacity " + std::to_string(capacity));
  links_.emplace_back().capacity = capacity;
  return static_cast<Link>(links_.size() - 1);
}

void MaxMinSolver::set_capacity(Link link, double capacity) {
  WEFT_ASSERT(std::isfinite(capacity) && capacity >= 0, "capacity " + std::to_string(capacity));
  if (links_[link].capacity != capacity) {
    links_[link].capacity = capacity;
    changed_links_.push_back(link);
  }
}

MaxMinSolver::Flow MaxMinSolver::add_flow(std::span<const Use> uses, double fairness, double cap) {
  WEFT_ASSERT(std::isfinite(fairness) && fairness > 0, "fairness " + std::to_string(fairness));
  WEFT_ASSERT(cap >= 0 && (std::isfinite(cap) || !uses.empty()), "cap " + std::to_string(cap));
  Flow id = 0;
  if (free_flows_.empty()) {
    id = static_cast<Flow>(flows_.size());
    flows_.emplace_back();
  } else {
    id = free_flows_.back();
    free_flows_.pop_back();
  }
  FlowState& flow = flows_[id];
  flow.fairness = fairness;
  flow.cap = cap;
  flow.rate = 0;
  flow.in_use = true;
  for (const Use& use : uses) {
    WEFT_ASSERT(std::isfinite(use.load) && use.load > 0, "load " + std::to_string(use.load));
    std::vector<Crossing>& crossings = links_[use.link].crossings;
    const auto slot = static_cast<std::uint32_t>(flow.uses.size());
    flow.uses.push_back(FlowUse{use.link, static_cast<std::uint32_t>(crossings.size()), use.load});
    crossings.push_back(Crossing{id, slot});
  }
  changed_flows_.push_back(id);
  return id;
}

void MaxMinSolver::remove_flow(Flow id) {
  FlowState& flow = flows_[id];
  WEFT_ASSERT(flow.in_use, "flow " + std::to_string(id) + " is not there");
  for (const FlowUse& use : flow.uses) {
    std::vector<Crossing>& crossings = links_[use.link].crossings;
    const Crossing moved = crossings.back();  // the last one takes the place of the one that goes
    crossings[use.position] = moved;
    flows_[moved.flow].uses[moved.slot].position = use.position;
    crossings.pop_back();
    changed_links_.push_back(use.link);
  }
  flow.uses.clear();
  flow.in_use = false;
  flow.rate = 0;
  free_flows_.push_back(id);
}

void MaxMinSolver::set_cap(Flow id, double cap) {
  WEFT_ASSERT(flows_[id].in_use && cap >= 0, "cap " + std::to_string(cap));
  if (flows_[id].cap != cap) {
    flows_[id].cap = cap;
    changed_flows_.push_back(id);
  }
}

double MaxMinSolver::load_on(Link link) const {
  double load = 0;
  for (const Crossing& crossing : links_[link].crossings) {
    const FlowState& flow = flows_[crossing.flow];
    load += flow.rate * flow.uses[crossing.slot].load;
  }
  return load;
}

void MaxMinSolver::visit_flow(Flow id) {
  FlowState& flow = flows_[id];
  if (flow.in_use && flow.visit != visit_) {
    flow.visit = visit_;
    flow.standing = false;
    component_flows_.push_back(id);
  }
}

void MaxMinSolver::visit_link(Link id) {
  LinkState& link = links_[id];
  if (link.visit != visit_) {
    link.visit = visit_;
    component_links_.push_back(id);
  }
}

// Everything joined to what changed, in an order that depends on the input alone.
void MaxMinSolver::collect_component() {
  ++visit_;
  component_flows_.clear();
  component_links_.clear();
  for (const Flow flow : changed_flows_) {
    visit_flow(flow);
  }
  for (const Link link : changed_links_) {
    visit_link(link);
  }
  changed_flows_.clear();
  changed_links_.clear();
  std::size_t flows_done = 0;
  std::size_t links_done = 0;
  while (flows_done < component_flows_.size() || links_done < component_links_.size()) {
    for (; links_done < component_links_.size(); ++links_done) {
      for (const Crossing& crossing : links_[component_links_[links_done]].crossings) {
        visit_flow(crossing.flow);
      }
    }
    for (; flows_done < component_flows_.size(); ++flows_done) {
      for (const FlowUse& use : flows_[component_flows_[flows_done]].uses) {
        visit_link(use.link);
      }
    }
  }
  std::sort(component_flows_.begin(), component_flows_.end());
  std::sort(component_links_.begin(), component_links_.end());
  flows_touched_ = component_flows_.size();
}

// The share at which a link is full, if its standing flows stay and the others grow alike.
double MaxMinSolver::level_of(const LinkState& link) const {
  return std::max(link.room, 0.0) / link.demand;
}

// The same from scratch: the running sums lose digits where loads differ by orders of magnitude.
double MaxMinSolver::exact_level_of(LinkState& link) const {
  double standing = 0;
  double demand = 0;
  for (const Crossing& crossing : link.crossings) {
    const FlowState& flow = flows_[crossing.flow];
    const double load = flow.uses[crossing.slot].load;
    if (flow.standing) {
      standing += flow.rate * load;
    } else {
      demand += load / flow.fairness;
    }
  }
  link.room = link.capacity - standing;
  link.demand = demand;
  return level_of(link);
}

// Fixes a flow at a rate; the rest of its links' capacity is for the others.
void MaxMinSolver::stand(Flow id, double rate) {
  FlowState& flow = flows_[id];
  flow.standing = true;
  for (const FlowUse& use : flow.uses) {
    LinkState& link = links_[use.link];
    link.room -= rate * use.load;
    link.demand -= use.load / flow.fairness;
    --link.open;
  }
  if (rate != flow.rate) {
    flow.rate = rate;
    rate_changed_.push_back(id);
  }
}

void MaxMinSolver::fill() {
  levels_.clear();
  caps_.clear();
  for (const Flow id : component_flows_) {
    const FlowState& flow = flows_[id];
    if (std::isfinite(flow.cap)) {
      caps_.emplace_back(flow.cap * flow.fairness, id);
    }
  }
  for (const Link id : component_links_) {
    LinkState& link = links_[id];
    link.room = link.capacity;
    link.demand = 0;
    link.open = static_cast<std::uint32_t>(link.crossings.size());
    double most = 0;  // what its flows could put on it at the most
    for (const Crossing& crossing : link.crossings) {
      const FlowState& flow = flows_[crossing.flow];
      const double load = flow.uses[crossing.slot].load;
      link.demand += load / flow.fairness;
      most += load * flow.cap;
    }
    if (link.open > 0 && !(most <= link.capacity)) {  // else the caps bind first, always
      levels_.emplace_back(level_of(link), id);
    }
  }
  std::sort(caps_.begin(), caps_.end());
  std::make_heap(levels_.begin(), levels_.end(), std::greater<>{});

  std::size_t left = component_flows_.size();
  std::size_t next_cap = 0;
  while (left > 0) {
    while (next_cap < caps_.size() && flows_[caps_[next_cap].second].standing) {
      ++next_cap;
    }
    // A link's level only rises while others fill up first, so a stale one is a lower bound.
    Link fullest = 0;
    double level = kNoCap;
    while (!levels_.empty()) {
      const auto [known, id] = levels_.front();
      LinkState& link = links_[id];
      if (link.open == 0) {
        std::pop_heap(levels_.begin(), levels_.end(), std::greater<>{});
        levels_.pop_back();
        continue;
      }
      double now = level_of(link);
      if (!(now > known)) {
        now = exact_level_of(link);
      }
      if (now > known) {
        std::pop_heap(levels_.begin(), levels_.end(), std::greater<>{});
        levels_.back().first = now;
        std::push_heap(levels_.begin(), levels_.end(), std::greater<>{});
        continue;
      }
      fullest = id;
      level = now;
      break;
    }
    if (next_cap < caps_.size() && caps_[next_cap].first <= level) {
      stand(caps_[next_cap].second, flows_[caps_[next_cap].second].cap);
      --left;
      continue;
    }
    WEFT_ASSERT(std::isfinite(level), "flows without a bound: " + std::to_string(left));
    for (const Crossing& crossing : links_[fullest].crossings) {
      if (!flows_[crossing.flow].standing) {
        stand(crossing.flow, level / flows_[crossing.flow].fairness);
        --left;
      }
    }
  }
}

std::span<const MaxMinSolver::Flow> MaxMinSolver::solve() {
  rate_changed_.clear();
  if (needs_solve()) {
    collect_component();
    fill();
    std::sort(rate_changed_.begin(), rate_changed_.end());
  }
  return rate_changed_;
}

}  // namespace weft::sim
