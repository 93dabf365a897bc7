// Inside platforms/: from the YAML tree to the description, section by section. A section may use
// what those before it filled in (nodes, then fabrics, then the rest).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "platforms/catalogue.hpp"
#include "platforms/platform.hpp"
#include "platforms/yaml_reader.hpp"

namespace weft::platforms {

// Node names to positions. Holds views of the platform's names: build it when they are all there.
class NodeDirectory {
 public:
  explicit NodeDirectory(const Platform& platform);
  [[nodiscard]] std::size_t size() const { return by_name_.size(); }
  // Names that occur more than once.
  [[nodiscard]] std::vector<std::string_view> duplicates() const;
  // A hostlist, or "all". Ascending; a fault if a name is unknown or listed twice.
  bool read(const Value& value, NodeList& into) const;

 private:
  std::vector<std::pair<std::string_view, std::uint32_t>> by_name_;  // sorted
};

[[nodiscard]] Platform read_platform(Reader& root,
                                     const Catalogue& catalogue,
                                     Diagnostics& diagnostics);

void read_nodes(Reader& root, const Catalogue& catalogue, Platform& platform);
void read_fabrics(Reader& root,
                  const Catalogue& catalogue,
                  const NodeDirectory& nodes,
                  Platform& platform);
void read_storage(Reader& root, Platform& platform);
void read_rack(Reader& root, Platform& platform);
void read_failures(Reader& root, Platform& platform);
void read_events(Reader& root, const NodeDirectory& nodes, Platform& platform);
void read_cost(Reader& root, const Catalogue& catalogue, Platform& platform);
void read_partitions(Reader& root, const NodeDirectory& nodes, Platform& platform);

// A name that must be one of the catalogue's; 'none' of them is a fault with the nearest.
const NetworkPart* read_part(Reader& reader,
                             std::string_view key,
                             const std::vector<NetworkPart>& parts,
                             std::string& into);

}  // namespace weft::platforms
