// The summary for a terminal: headline figures, and where the GPU time went with a bar each.
#pragma once

#include <string>

#include "results/summary.hpp"

namespace weft::results {

// ASCII, table lines at most 100 columns wide. What is not known is "n/a".
[[nodiscard]] std::string summary_text(const Summary& summary);

}  // namespace weft::results
