// The folder of `-o DIR`: made when a run is about to start, never before its inputs are known to
// be right; a folder that holds something else than an earlier run is left alone.
#pragma once

#include <string>

namespace weft::cli {

// Empty if `folder` may be written to: it is not there, empty, or a run's (also of one that was
// killed: manifest.json is the first file a run writes); else why not.
// Looks only.
[[nodiscard]] std::string why_not_an_output_folder(const std::string& folder);

// Makes the folder (and those above it) and removes the files of an earlier run in it, so that
// nothing of that run stands beside the new one. Throws RunError.
void make_output_folder(const std::string& folder);

}  // namespace weft::cli
