// The folder of `-o DIR`: made when a run is about to start, never before its inputs are known to
// be right; a folder that holds something else than an earlier run is left alone.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

// Empty if `folder` may be written to: it is not there, holds nothing but subfolders (which a run
// never touches), or is a run's (also of one that was killed: manifest.json, known by its content,
// is the first file a run writes); else why not. Looks only.
[[nodiscard]] std::string why_not_an_output_folder(const std::string& folder);

// The first of `inputs` that is a file in `folder` which a run removes or overwrites, by whatever
// path or link it is named; empty if none is. Looks only.
[[nodiscard]] std::string input_in_the_way(const std::string& folder,
                                           const std::vector<std::string>& inputs);

// Makes the folder (and those above it) and removes the files of an earlier run in it, so that
// nothing of that run stands beside the new one. Throws RunError.
void make_output_folder(const std::string& folder);

}  // namespace weft::cli
