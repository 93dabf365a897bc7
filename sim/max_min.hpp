// Exact weighted max-min shares of link capacity.
//
// A flow makes progress at a rate (bytes of its own volume a second) and puts `load` bytes on a
// link for each byte of progress. No link carries more than its capacity, no flow exceeds its own
// cap. Among the allocations that satisfy this, the solution maximises the smallest share, then the
// second smallest, and so on, where a flow's share is `rate x fairness`: the rate of its busiest
// queue pair on the fabric (with one queue pair and load 1 everywhere this is
// plain max-min). Found by progressive filling: raise all shares together; when a link is full, its
// flows stand still; when a flow reaches its cap, it stands still.
//   Bertsekas, Gallager: Data Networks, section 6.5.2.
//
// solve() touches only the connected components (flows and links joined by use) that changed since
// the last call. Capacities, loads and caps are plain doubles here: this is the arithmetic core,
// typed units stop at its callers.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace weft::sim {

class MaxMinSolver {
 public:
  using Link = std::uint32_t;
  using Flow = std::uint32_t;

  struct Use {
    Link link = 0;
    double load = 1;  // > 0; bytes on the link a byte of progress
  };
  static constexpr double kNoCap = std::numeric_limits<double>::infinity();

  Link add_link(double capacity);  // >= 0; a link of capacity 0 stops its flows
  void set_capacity(Link link, double capacity);
  [[nodiscard]] double capacity(Link link) const { return links_[link].capacity; }

  // `uses` names each link once. A flow without links runs at its cap, which then must be finite.
  // Flow numbers are reused after remove_flow.
  Flow add_flow(std::span<const Use> uses, double fairness = 1, double cap = kNoCap);
  void remove_flow(Flow flow);
  void set_cap(Flow flow, double cap);

  // Brings all rates up to date. Returns the flows whose rate changed, ascending; valid until the
  // next call.
  std::span<const Flow> solve();
  [[nodiscard]] bool needs_solve() const {
    return !changed_links_.empty() || !changed_flows_.empty();
  }

  [[nodiscard]] double rate(Flow flow) const { return flows_[flow].rate; }
  // Bytes a second on a link at the present rates.
  [[nodiscard]] double load_on(Link link) const;
  [[nodiscard]] std::size_t flows_touched() const { return flows_touched_; }  // by the last solve

 private:
  struct Crossing {  // a flow on a link
    Flow flow = 0;
    std::uint32_t slot = 0;  // position in the flow's uses
  };
  struct LinkState {
    double capacity = 0;
    std::vector<Crossing> crossings;
    double room = 0;         // during solve: capacity left beside the flows that stand still
    double demand = 0;       // during solve: bytes a second on it per unit of share
    std::uint32_t open = 0;  // during solve: flows that still grow
    std::uint64_t visit = 0;
  };
  struct FlowUse {
    Link link = 0;
    std::uint32_t position = 0;  // in the link's crossings
    double load = 0;
  };
  struct FlowState {
    std::vector<FlowUse> uses;
    double fairness = 1;
    double cap = kNoCap;
    double rate = 0;
    std::uint64_t visit = 0;
    bool in_use = false;
    bool standing = false;  // during solve
  };
  using Level = std::pair<double, Link>;  // share at which a link is full

  void collect_component();
  void visit_flow(Flow flow);
  void visit_link(Link link);
  void fill();
  void stand(Flow flow, double rate);
  [[nodiscard]] double level_of(const LinkState& link) const;
  [[nodiscard]] double exact_level_of(LinkState& link) const;

  std::vector<LinkState> links_;
  std::vector<FlowState> flows_;
  std::vector<Flow> free_flows_;
  std::vector<Link> changed_links_;
  std::vector<Flow> changed_flows_;
  std::uint64_t visit_ = 0;
  std::size_t flows_touched_ = 0;

  // Scratch of solve().
  std::vector<Flow> component_flows_;
  std::vector<Link> component_links_;
  std::vector<Level> levels_;
  std::vector<std::pair<double, Flow>> caps_;
  std::vector<Flow> rate_changed_;
};

}  // namespace weft::sim
