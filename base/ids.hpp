// Identifiers: small integers that do not mix. Dense from 0, so that they index flat arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace weft {

enum class JobId : std::uint32_t {};       // position in the workload: order of (submit, file)
enum class NodeId : std::uint32_t {};      // position in the cluster layout
enum class GpuIndex : std::uint32_t {};    // platform-wide; a node's GPUs are contiguous
enum class ShapeId : std::uint32_t {};     // distinct resource request of a workload
enum class SymbolId : std::uint32_t {};    // interned string of a workload
enum class GpuModelId : std::uint16_t {};  // position in the cluster layout's model list
enum class PartitionId : std::uint16_t {};
enum class LeafId : std::uint32_t {};
enum class SpineId : std::uint32_t {};  // pod (the group of leaves joined below the top tier)
enum class RackId : std::uint32_t {};

template <class Id>
requires std::is_enum_v<Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

constexpr SymbolId kNoSymbol{0};  // the empty string
constexpr PartitionId kNoPartition{0xFFFF};
constexpr LeafId kNoLeaf{0xFFFFFFFF};
constexpr SpineId kNoSpine{0xFFFFFFFF};
constexpr RackId kNoRack{0xFFFFFFFF};

}  // namespace weft
