// The words of the platform schema, one table for reading and writing each.
#pragma once

#include <array>

#include "platforms/platform.hpp"
#include "platforms/yaml_reader.hpp"

namespace weft::platforms {

inline constexpr std::array<Word<ScaleUpKind>, 5> kScaleUpKinds{
    {{"nvswitch", ScaleUpKind::kNvswitch},
     {"nvlink", ScaleUpKind::kNvlink},
     {"xgmi", ScaleUpKind::kXgmi},
     {"pcie", ScaleUpKind::kPcie},
     {"none", ScaleUpKind::kNone}}};
inline constexpr std::array<Word<RailKind>, 3> kRailKinds{
    {{"gpu", RailKind::kGpu}, {"spread", RailKind::kSpread}, {"dual-homed", RailKind::kDualHomed}}};
inline constexpr std::array<Word<FabricKind>, 5> kFabricKinds{
    {{"infiniband", FabricKind::kInfiniband},
     {"roce", FabricKind::kRoce},
     {"spectrum-x", FabricKind::kSpectrumX},
     {"srd", FabricKind::kSrd},
     {"tcp", FabricKind::kTcp}}};
inline constexpr std::array<Word<TopologyKind>, 7> kTopologyKinds{
    {{"single", TopologyKind::kSingle},
     {"dual-leaf", TopologyKind::kDualLeaf},
     {"leaf-spine", TopologyKind::kLeafSpine},
     {"rail-only", TopologyKind::kRailOnly},
     {"fat-tree", TopologyKind::kFatTree},
     {"multi-plane", TopologyKind::kMultiPlane},
     {"file", TopologyKind::kFile}}};
inline constexpr std::array<Word<RoutingKind>, 5> kRoutingKinds{
    {{"static", RoutingKind::kStatic},
     {"ecmp", RoutingKind::kEcmp},
     {"e-ecmp", RoutingKind::kEEcmp},
     {"adaptive", RoutingKind::kAdaptive},
     {"spray", RoutingKind::kSpray}}};
inline constexpr std::array<Word<CongestionControl>, 3> kCongestionControls{
    {{"none", CongestionControl::kNone},
     {"pfc", CongestionControl::kPfc},
     {"dcqcn", CongestionControl::kDcqcn}}};
inline constexpr std::array<Word<StorageKind>, 4> kStorageKinds{
    {{"parallel-fs", StorageKind::kParallelFs},
     {"nfs", StorageKind::kNfs},
     {"object", StorageKind::kObject},
     {"cache", StorageKind::kCache}}};
inline constexpr std::array<Word<RackPolicy>, 3> kRackPolicies{
    {{"trip", RackPolicy::kTrip}, {"cap", RackPolicy::kCap}, {"warn", RackPolicy::kWarn}}};
inline constexpr std::array<Word<FailurePreset>, 2> kFailurePresets{
    {{"none", FailurePreset::kNone}, {"llama3", FailurePreset::kLlama3}}};
inline constexpr std::array<Word<ComponentClass>, 6> kComponentClasses{
    {{"gpu", ComponentClass::kGpu},
     {"node", ComponentClass::kNode},
     {"nic", ComponentClass::kNic},
     {"link", ComponentClass::kLink},
     {"switch", ComponentClass::kSwitch},
     {"storage", ComponentClass::kStorage}}};
inline constexpr std::array<Word<EventState>, 2> kEventStates{
    {{"down", EventState::kDown}, {"maintenance", EventState::kMaintenance}}};

}  // namespace weft::platforms
