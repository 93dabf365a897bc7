// Where on the cluster a request goes, as a choice of its own: policies decide when and in which
// order, a Placer decides where. Also the two questions that need no place: does it fit now, and
// would it fit if everything were free.
//
// All placements find a place whenever there is one; they differ in which.
//
//   first_fit  the nodes that come first
//   best_fit   the nodes with the fewest free GPUs that suffice; a request for GPUs anywhere takes
//              the fewest nodes
//   pack       the fewest leaves (the fullest leaf that suffices), best_fit inside them
//   spread     the nodes with the most free GPUs; a request for GPUs anywhere takes as many nodes
//              as it can
//
// A part of a GPU goes to the partly used GPU with the least left that suffices, and else to a
// whole one (spread: the other way round). On a flat pool all take the lowest free processors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/allocation.hpp"
#include "base/cluster.hpp"
#include "base/job.hpp"
#include "schedulers/cluster_state.hpp"

namespace weft::schedulers {

enum class Placement : std::uint8_t { kFirstFit, kBestFit, kPack, kSpread };
[[nodiscard]] std::string_view to_string(Placement placement);
[[nodiscard]] std::optional<Placement> find_placement(std::string_view word);
struct PlacementHelp {
  Placement placement{};
  std::string_view name;
  std::string_view help;  // one line
};
[[nodiscard]] std::span<const PlacementHelp> placements();

// kIgnore: as if every partition and GPU model would do (the ledger's question: is it a rule that
// keeps this job from free GPUs?).
enum class Rules : std::uint8_t { kApply, kIgnore };

// Whether the request fits on what is free now. Cost: O(cells x levels); with CPUs or memory that
// may bind, or whole nodes, it looks at nodes with enough GPUs until enough of them fit.
[[nodiscard]] bool fits_now(const ClusterState& state,
                            const RequestShape& shape,
                            Rules rules = Rules::kApply);

// Room a node has for the request now: GPUs for a request for GPUs anywhere, else 0 or 1. A request
// fits if the rooms of all nodes add up to room_needed. What plans count with as jobs end.
[[nodiscard]] std::int64_t room_on(const ClusterState& state,
                                   const RequestShape& shape,
                                   NodeId node);
[[nodiscard]] std::int64_t room_needed(const RequestShape& shape);
[[nodiscard]] std::int64_t room_total(const ClusterState& state, const RequestShape& shape);

// Whether the request would fit on the empty cluster. O(nodes): ask once a shape.
[[nodiscard]] bool fits_empty(const ClusterLayout& layout, const RequestShape& shape);

// Finds places. Owns scratch memory, so it is not const and not for two threads; allocation-free
// once the scratch has grown.
class Placer {
 public:
  explicit Placer(Placement placement) : placement_(placement) {}

  [[nodiscard]] Placement placement() const { return placement_; }

  // Fills `out` with a place for `shape` on what is free in `state` and returns true, or returns
  // false if there is none; `out` is then unspecified.
  bool place(const ClusterState& state, const RequestShape& shape, Allocation& out);

 private:
  struct Source {  // nodes of one cell at one level, in order
    const IndexSet* set = nullptr;
    std::span<const NodeId> nodes;
    std::uint32_t at = 0;
  };
  struct Chosen {
    NodeId node{};
    std::uint32_t gpus = 0;  // how many; for a part of a GPU: which
  };
  struct Leaf {
    std::uint32_t first_group = 0;
    std::uint32_t end_group = 0;
    std::uint64_t room = 0;  // nodes that fit, or GPUs
  };

  [[nodiscard]] bool place_flat(const ClusterState& state,
                                const RequestShape& shape,
                                Allocation& out) const;
  [[nodiscard]] bool place_nodes(const ClusterState& state, const RequestShape& shape);
  [[nodiscard]] bool place_part(const ClusterState& state, const RequestShape& shape);
  [[nodiscard]] bool place_any(const ClusterState& state, const RequestShape& shape);

  void begin_walk(const ClusterState& state,
                  const RequestShape& shape,
                  std::uint32_t low_level,
                  std::uint32_t high_level);
  [[nodiscard]] std::optional<NodeId> next_node();
  [[nodiscard]] bool is_chosen(NodeId node) const;
  void choose_walked(const ClusterState& state, const RequestShape& shape, std::size_t wanted);
  void choose_by_level(const ClusterState& state, const RequestShape& shape, std::size_t wanted);

  void rank_leaves(const ClusterState& state, const RequestShape& shape, std::uint64_t wanted);
  [[nodiscard]] bool pack_nodes(const ClusterState& state,
                                const RequestShape& shape,
                                std::size_t wanted);
  [[nodiscard]] bool best_single(const ClusterState& state,
                                 const RequestShape& shape,
                                 std::uint32_t wanted);
  [[nodiscard]] std::uint32_t fill_fewest(const ClusterState& state,
                                          const RequestShape& shape,
                                          std::uint32_t wanted);
  [[nodiscard]] std::uint32_t fill_evenly(const ClusterState& state,
                                          const RequestShape& shape,
                                          std::uint32_t wanted);
  [[nodiscard]] std::uint32_t fill_leaf(const ClusterState& state,
                                        const RequestShape& shape,
                                        const Leaf& leaf,
                                        std::uint32_t wanted);

  Placement placement_;
  std::vector<Source> sources_;
  std::vector<Chosen> chosen_;
  std::vector<Chosen> candidates_;
  std::vector<Leaf> leaves_;
};

}  // namespace weft::schedulers
