// The hardware catalogue: what GPUs, NICs, switches, optics and cables are, with the source of
// every entry. The built-in one is platforms/catalogue/*.yaml, compiled in. A value: whoever needs
// it builds it (about a millisecond) and passes it on.
//
// Rates are dense and one direction. What nobody knows is not there (G2 and G3 of the openb trace).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "platforms/platform.hpp"

namespace weft::platforms {

enum class Trust : std::uint8_t { kPrimary, kSecondHand, kEstimate };  // A, B, C

struct GpuSpec {
  std::string name;
  std::vector<std::string> aliases;
  std::optional<Bytes> memory;
  std::optional<BytesPerSec> memory_bandwidth;
  PeakFlops peak;
  ScaleUpKind scale_up = ScaleUpKind::kNone;
  BytesPerSec scale_up_bandwidth;    // of one GPU, one direction
  std::int32_t scale_up_domain = 1;  // GPUs in one domain
  bool nvls = false;
  std::optional<Power> tdp;
  std::optional<Power> idle;
  std::optional<Money> price;
  Trust trust = Trust::kEstimate;
  std::string source;
};

// NICs, optics and cables; a switch has ports and latency too.
struct NetworkPart {
  std::string name;
  std::int32_t ports = 1;
  BytesPerSec rate;  // of one port
  Duration latency;
  Power power;
  Money price;
  Trust trust = Trust::kEstimate;
  std::string source;
};

struct Catalogue {
  std::vector<GpuSpec> gpus;
  std::vector<NetworkPart> nics;
  std::vector<NetworkPart> switches;
  std::vector<NetworkPart> optics;
  std::vector<NetworkPart> cables;

  [[nodiscard]] const GpuSpec* find_gpu(std::string_view name) const;  // aliases too
  [[nodiscard]] std::vector<std::string_view> gpu_names() const;       // without aliases
};

// Fills memory, rates and power of `gpu` from its entry.
void fill_from(const GpuSpec& spec, GpuSet& gpu);
// The scale-up network of `nodes` nodes with `gpus` such GPUs each. Domains larger than a board
// (NVL72) span nodes.
[[nodiscard]] ScaleUp scale_up_of(const GpuSpec& spec, std::int32_t gpus, std::size_t nodes);
// For platforms built in code: fully resolved, so that they survive to_yaml and back. Models the
// catalogue does not know become custom ones.
void set_gpus(const Catalogue& catalogue, std::string model, std::int32_t count, NodeGroup& group);

[[nodiscard]] const NetworkPart* find_part(const std::vector<NetworkPart>& parts,
                                           std::string_view name);

[[nodiscard]] Catalogue builtin_catalogue();

}  // namespace weft::platforms
