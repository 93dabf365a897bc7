// A cluster as described: plain data, fully resolved (catalogue values and defaults filled in),
// validated when it was read (platforms/load.hpp). Easy to build in code too: readers of foreign
// formats fill these structs directly; whoever does so keeps the rules noted at the members.
//
// Owns everything it holds; no YAML type and no file stands behind it. What is optional here is
// not known or not wanted; every consumer says what it then assumes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace weft::platforms {

// Limits that keep ids and totals far from overflow (GPU models: one bit each in a request).
constexpr std::size_t kMaxNodes = 1'000'000;
constexpr std::int64_t kMaxGpusPerNode = 1024;
constexpr std::size_t kMaxGpuModels = 64;
constexpr std::size_t kMaxPartitions = 4096;

enum class ScaleUpKind : std::uint8_t { kNone, kPcie, kNvlink, kNvswitch, kXgmi };

// The GPU-to-GPU network inside a node (or a rack: domain_nodes > 1).
struct ScaleUp {
  ScaleUpKind kind = ScaleUpKind::kNone;
  BytesPerSec bandwidth;          // of one GPU, one direction; 0 if none
  bool nvls = false;              // reduction in the NVSwitch
  std::int32_t domain_nodes = 1;  // consecutive nodes that share one domain (NVL72: 18)
  friend bool operator==(const ScaleUp&, const ScaleUp&) = default;
};

// Dense peak rates; nothing: the GPU does not do this precision, or nobody knows.
struct PeakFlops {
  std::optional<FlopsPerSec> fp32;
  std::optional<FlopsPerSec> fp16;
  std::optional<FlopsPerSec> bf16;
  std::optional<FlopsPerSec> fp8;
  std::optional<FlopsPerSec> fp4;
  friend bool operator==(const PeakFlops&, const PeakFlops&) = default;
};

// The GPUs of one node.
struct GpuSet {
  std::string model;            // as written; ask the catalogue for its entry
  std::int32_t count = 0;       // >= 1
  bool custom = false;          // not in the catalogue: the values below are all there is
  std::optional<Bytes> memory;  // of one GPU, as the ones below
  std::optional<BytesPerSec> memory_bandwidth;
  PeakFlops peak;
  std::optional<Power> tdp;
  std::optional<Power> idle;
  friend bool operator==(const GpuSet&, const GpuSet&) = default;
};

// How a node's NICs serve its GPUs: NIC i serves GPU i; all share evenly; ports on two leaves.
enum class RailKind : std::uint8_t { kGpu, kSpread, kDualHomed };

struct Nics {
  std::string fabric;      // name in Platform::fabrics
  std::int32_t count = 0;  // >= 1
  BytesPerSec rate;        // of one, > 0
  RailKind rail = RailKind::kSpread;
  std::string model;  // catalogue, or empty
  friend bool operator==(const Nics&, const Nics&) = default;
};

struct LocalStorage {
  Bytes capacity;
  BytesPerSec read;
  BytesPerSec write;
  std::optional<double> read_iops;  // operations per second
  std::optional<double> write_iops;
  Duration latency;
  friend bool operator==(const LocalStorage&, const LocalStorage&) = default;
};

struct NodePower {
  Power idle;
  Power max;  // >= idle
  friend bool operator==(const NodePower&, const NodePower&) = default;
};

// One-time prices; server is without its GPUs, gpu is each.
struct NodePrice {
  std::optional<Money> server;
  std::optional<Money> gpu;
  friend bool operator==(const NodePrice&, const NodePrice&) = default;
};

// Nodes that are alike but for their names. names: unique over the platform, in node order.
struct NodeGroup {
  std::vector<std::string> names;
  std::optional<GpuSet> gpu;     // nothing: CPU-only nodes
  std::optional<CpuShare> cpus;  // nothing: CPUs do not bind
  std::optional<Bytes> memory;   // nothing: memory does not bind
  ScaleUp scale_up;
  std::vector<Nics> nics;
  std::optional<LocalStorage> local_storage;
  std::optional<NodePower> power;
  std::optional<std::int32_t> nodes_per_rack;
  NodePrice price;
  std::map<std::string, std::string> labels;

  [[nodiscard]] std::int64_t gpu_count() const {
    return gpu ? static_cast<std::int64_t>(names.size()) * gpu->count : 0;
  }
  friend bool operator==(const NodeGroup&, const NodeGroup&) = default;
};

enum class FabricKind : std::uint8_t { kInfiniband, kRoce, kSpectrumX, kSrd, kTcp };
enum class TopologyKind : std::uint8_t {
  kSingle,
  kDualLeaf,
  kLeafSpine,
  kRailOnly,
  kFatTree,
  kMultiPlane,
  kFile
};
enum class RoutingKind : std::uint8_t { kStatic, kEcmp, kEEcmp, kAdaptive, kSpray };
enum class CongestionControl : std::uint8_t { kNone, kPfc, kDcqcn };

// Positions of nodes in node order, ascending (Platform::node_at).
using NodeList = std::vector<std::uint32_t>;

struct LeafMembers {
  std::string leaf;
  NodeList nodes;
  friend bool operator==(const LeafMembers&, const LeafMembers&) = default;
};

struct Topology {
  TopologyKind kind = TopologyKind::kSingle;
  std::int32_t rails = 1;
  std::int32_t planes = 1;
  std::int32_t tiers = 2;            // of switches; single, dual-leaf and rail-only: 1
  std::int32_t leaf_ports = 0;       // of one leaf switch, down and up together; 0: not limited
  std::int32_t uplinks = 0;          // of one leaf switch
  BytesPerSec uplink_rate;           // of one
  std::int32_t pod_leaves = 0;       // three tiers: leaf switches in a pod
  std::string file;                  // kind file: where the graph stands
  std::vector<LeafMembers> leaf_of;  // empty: leaves fill in node order
  friend bool operator==(const Topology&, const Topology&) = default;
};

struct Routing {
  RoutingKind kind = RoutingKind::kStatic;
  std::int32_t qps = 1;  // queue pairs of one flow
  bool in_network_reduction = false;
  friend bool operator==(const Routing&, const Routing&) = default;
};

struct FabricLatency {
  Duration nic = nanoseconds(1000);
  Duration hop = nanoseconds(500);  // through one switch
  Duration link = nanoseconds(100);
  friend bool operator==(const FabricLatency&, const FabricLatency&) = default;
};

struct Fabric {
  std::string name;
  FabricKind kind = FabricKind::kInfiniband;
  Topology topology;
  Routing routing;
  CongestionControl congestion = CongestionControl::kNone;
  FabricLatency latency;
  std::string switch_model;  // catalogue, or empty; optics and cables likewise
  std::string optics;
  std::string cables;
  friend bool operator==(const Fabric&, const Fabric&) = default;
};

enum class StorageKind : std::uint8_t { kParallelFs, kNfs, kObject, kCache };

struct Storage {
  std::string name;
  StorageKind kind = StorageKind::kParallelFs;
  std::string fabric;  // name in Platform::fabrics, or empty
  std::int32_t servers = 1;
  std::optional<std::int32_t> nics_per_server;
  std::optional<BytesPerSec> nic_rate;
  BytesPerSec read;  // of all servers together
  BytesPerSec write;
  std::optional<BytesPerSec> per_client;
  std::optional<Bytes> capacity;
  std::optional<double> metadata;  // operations per second
  std::optional<Duration> latency;
  std::optional<Money> price;
  bool over_local_storage = false;  // kind cache: its space is the nodes' local storage
  friend bool operator==(const Storage&, const Storage&) = default;
};

enum class RackPolicy : std::uint8_t { kTrip, kCap, kWarn };

struct RackLimit {
  Power limit;
  RackPolicy policy = RackPolicy::kWarn;
  friend bool operator==(const RackLimit&, const RackLimit&) = default;
};

enum class FailurePreset : std::uint8_t { kNone, kLlama3 };
enum class ComponentClass : std::uint8_t { kGpu, kNode, kNic, kLink, kSwitch, kStorage };

struct FailureRate {
  Duration mtbf;    // of one component, mean time between failures
  Duration repair;  // mean
  friend bool operator==(const FailureRate&, const FailureRate&) = default;
};

struct Failures {
  FailurePreset preset = FailurePreset::kNone;
  std::map<ComponentClass, FailureRate> classes;  // win over the preset
  friend bool operator==(const Failures&, const Failures&) = default;
};

enum class EventState : std::uint8_t { kDown, kMaintenance };

// Either a link (by its name in the built fabric) or nodes.
struct PlannedEvent {
  SimTime at;
  std::string link;
  NodeList nodes;
  EventState state = EventState::kDown;
  std::optional<Duration> lasts;  // nothing: to the end
  friend bool operator==(const PlannedEvent&, const PlannedEvent&) = default;
};

// Money is reckoned in years of 8760 hours; an amortisation is a whole number of thousandths.
constexpr Duration years_of_8760_hours(std::int64_t thousandths) {
  constexpr std::int64_t kNsPerThousandth = std::int64_t{8760} * 3600 * 1'000'000;
  return nanoseconds(kNsPerThousandth * thousandths);
}

// All optional: what is missing is counted as 0 and named in the notes (platforms/cost.hpp).
struct Cost {
  Duration amortisation = years_of_8760_hours(3000);
  bool network_by_bill = false;   // network: bill-of-materials
  std::optional<Money> network;   // once
  std::optional<Money> facility;  // once: building, cooling
  std::optional<Money> tariff;    // a kWh
  double pue = 1.0;
  std::optional<double> carbon;  // grams a kWh
  std::optional<Money> staff;    // a year
  std::optional<Money> colocation_per_kw_month;
  std::optional<Money> colocation_per_year;
  std::optional<Money> licences;                 // a GPU and year
  std::map<std::string, Money> spot;             // by GPU model, a GPU-hour
  std::optional<Money> per_gpu_hour;             // all models: wins over all of the above
  std::map<std::string, Money> per_gpu_hour_of;  // by GPU model
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct Partition {
  std::string name;
  NodeList nodes;
  std::optional<Duration> max_time;
  std::optional<Duration> default_time;
  friend bool operator==(const Partition&, const Partition&) = default;
};

struct Platform {
  std::string name;
  std::string description;
  std::vector<NodeGroup> nodes;
  std::vector<Fabric> fabrics;
  std::vector<Storage> storage;
  std::optional<RackLimit> rack;
  std::optional<Failures> failures;
  std::vector<PlannedEvent> events;
  std::optional<Cost> cost;
  std::vector<Partition> partitions;  // empty: one of all nodes

  friend bool operator==(const Platform&, const Platform&) = default;
};

[[nodiscard]] std::size_t node_count(const Platform& platform);
[[nodiscard]] std::int64_t gpu_count(const Platform& platform);
// GPU models in order of first appearance: the order of ClusterLayout::gpu_models.
[[nodiscard]] std::vector<std::string> gpu_models(const Platform& platform);
[[nodiscard]] const Fabric* find_fabric(const Platform& platform, std::string_view name);
// The fabric that joins the GPUs of different nodes: the one named "compute", else the one with
// most NIC bandwidth over all GPU nodes (the first of equals); null without any.
[[nodiscard]] const Fabric* compute_fabric(const Platform& platform);
// Ports a node of this group needs on each leaf switch it is joined to; 0: not on this fabric.
[[nodiscard]] std::int32_t ports_per_leaf(const NodeGroup& group, const Fabric& fabric);
// Ports of a leaf switch that face nodes; 0: not limited.
[[nodiscard]] std::int32_t down_ports(const Topology& topology);

}  // namespace weft::platforms
