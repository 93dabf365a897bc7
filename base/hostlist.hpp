// Slurm's host lists: "gpu[001-128,130],login1", ranges with steps "n[0-8:2]", several brackets
// "r[1-2]n[1-4]". Expansion keeps the order written; compression wants the order wanted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace weft {

// Refused: unbalanced brackets, empty or reversed ranges, more than `most` hosts.
[[nodiscard]] Parsed<std::vector<std::string>> expand_hostlist(std::string_view text,
                                                               std::size_t most = 1'000'000);
// "gpu[001-003,007]" from gpu001 gpu002 gpu003 gpu007; unlike prefixes or widths start a new part.
[[nodiscard]] std::string compress_hostlist(const std::vector<std::string_view>& hosts);

}  // namespace weft
