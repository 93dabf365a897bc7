// The node list of Alibaba's cluster-trace-gpu-v2023 as a platform: "openb:NODES.csv".
#pragma once

#include <string>

#include "base/errors.hpp"
#include "formats/input_file.hpp"
#include "platforms/platform.hpp"

namespace weft::platforms {
struct Catalogue;
}  // namespace weft::platforms

namespace weft::formats {

// Columns sn,cpu_milli,memory_mib,gpu,model. Nodes keep the file's order; neighbours that are alike
// form one group. What the catalogue knows of a GPU model is filled in; a model it does not know is
// marked as custom. There is no fabric: the list does not describe one. After an error the
// platform is of no use (Diagnostics::ok is false).
[[nodiscard]] platforms::Platform openb_platform(const std::string& nodes_csv,
                                                 const platforms::Catalogue& catalogue,
                                                 Diagnostics& diagnostics);
// With the built-in catalogue.
[[nodiscard]] platforms::Platform openb_platform(const std::string& nodes_csv,
                                                 Diagnostics& diagnostics);
[[nodiscard]] platforms::Platform openb_platform(const InputFile& file,
                                                 const platforms::Catalogue& catalogue,
                                                 Diagnostics& diagnostics);

}  // namespace weft::formats
