#include "workloads/import_summary.hpp"

#include <array>
#include <set>
#include <utility>

namespace weft::workloads {

std::string_view to_string(ImportRule rule) {
  constexpr std::array<std::string_view, kImportRules> kNames = {"no_submit",
                                                                 "no_size",
                                                                 "no_runtime",
                                                                 "zero_runtime",
                                                                 "sizes_differ",
                                                                 "size_fell_back",
                                                                 "size_from_cpus",
                                                                 "rounded_up",
                                                                 "uneven_nodes",
                                                                 "no_limit",
                                                                 "run_over_limit",
                                                                 "limit_over_partition",
                                                                 "unknown_partition",
                                                                 "unknown_gpu_model",
                                                                 "infeasible",
                                                                 "unsorted",
                                                                 "duplicate_id"};
  return kNames[static_cast<std::size_t>(rule)];
}

std::uint64_t ImportSummary::count(ImportRule rule) const {
  for (const ImportNote& note : notes) {
    if (note.rule == rule) {
      return note.count;
    }
  }
  return 0;
}

std::string to_text(const ImportSummary& summary) {
  std::string text;
  for (const ImportNote& note : summary.notes) {
    if (!text.empty()) {
      text += '\n';
    }
    text += std::string(to_string(note.rule)) + ": " + note.decision;
    std::string_view separator = note.first.size() < note.count ? " (first " : " (";
    std::string file;
    std::set<std::pair<std::string, std::uint32_t>> named;  // a log may have been given twice
    for (const Source& place : note.first) {
      const std::string& of = place.file ? *place.file : file;
      if (place.line == 0 || !named.emplace(of, place.line).second) {
        continue;
      }
      text += separator;
      separator = ", ";
      // The file once, not at each of its lines.
      if (of != file) {
        file = of;
        text += file + ':';
      }
      text += std::to_string(place.line);
    }
    if (separator == ", ") {
      text += ')';
    }
  }
  return text;
}

}  // namespace weft::workloads
