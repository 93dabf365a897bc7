#include "formats/openb_platform.hpp"

#include <filesystem>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include "formats/csv_rows.hpp"
#include "formats/utf8.hpp"
#include "platforms/catalogue.hpp"

namespace weft::formats {

namespace {

using platforms::Catalogue;
using platforms::NodeGroup;
using platforms::Platform;

enum Column : std::size_t { kName, kCpuMilli, kMemoryMib, kGpus, kModel };

// A node list holds no jobs.
class NoRecords final : public workloads::RecordSink {
 public:
  void record(const workloads::JobRecord& /*job*/) override {}
};

struct NodeRow {
  std::string_view name;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;
  std::string_view model;

  [[nodiscard]] bool like(const NodeRow& other) const {
    return cpu_milli == other.cpu_milli && memory_mib == other.memory_mib && gpus == other.gpus &&
           model == other.model;
  }
};

bool take_row(CsvRows& rows, NodeRow& node) {
  constexpr std::int64_t kMostCpuMilli = 1'000'000'000;
  constexpr std::int64_t kMostMib = std::numeric_limits<std::int64_t>::max() >> 23;
  std::optional<std::int64_t> cpu;
  std::optional<std::int64_t> memory;
  std::optional<std::int64_t> gpu_count;
  bool ok = rows.read_count(kCpuMilli, kMostCpuMilli, cpu);
  ok = rows.read_count(kMemoryMib, kMostMib, memory) && ok;
  ok = rows.read_count(kGpus, platforms::kMaxGpusPerNode, gpu_count) && ok;
  for (const auto& [column, what] : {std::pair(kName, "a node name"),
                                     std::pair(kCpuMilli, "thousandths of a CPU"),
                                     std::pair(kMemoryMib, "memory in MiB"),
                                     std::pair(kGpus, "a number of GPUs")}) {
    if (rows.text(column).empty()) {
      ok = rows.missing_value(column, what);
    }
  }
  if (!ok) {
    return false;
  }
  for (const auto& [column, amount] :
       {std::pair(kCpuMilli, *cpu), std::pair(kMemoryMib, *memory)}) {
    if (amount == 0) {
      rows.fault(column, "0", "more than 0");
      ok = false;
    }
  }
  if (!ok) {
    return false;
  }
  node = {rows.text(kName), *cpu, *memory, *gpu_count, rows.text(kModel)};
  if (node.gpus > 0 && node.model.empty()) {
    return rows.missing_value(kModel, "the model of a node's GPUs");
  }
  return true;
}

void append(const NodeRow& row, const Catalogue& catalogue, Platform& platform) {
  NodeGroup& group = platform.nodes.emplace_back();
  group.cpus = cpu_thousandths(row.cpu_milli);
  group.memory = bytes(row.memory_mib << 20);
  if (row.gpus == 0) {
    return;
  }
  platforms::set_gpus(
      catalogue, std::string(row.model), static_cast<std::int32_t>(row.gpus), group);
}

}  // namespace

Platform openb_platform(const InputFile& file,
                        const Catalogue& catalogue,
                        Diagnostics& diagnostics) {
  Platform platform;
  platform.name = std::filesystem::path(file.name()).stem().string();
  platform.description = "nodes of " + std::filesystem::path(file.name()).filename().string();
  if (const std::size_t bad = find_invalid_utf8(file.text()); bad != std::string_view::npos) {
    diagnostics.error({file.at_offset(bad), {}, "a byte that is not UTF-8", "UTF-8 text"});
    return platform;
  }
  const ReadOptions options;
  JobFileInfo info;
  NoRecords no_records;
  ReadContext context(file, options, info, no_records, diagnostics);
  CsvRows rows(context);
  if (!rows.read_header({{"sn", true, "a column with node names"},
                         {"cpu_milli", true, "a column with thousandths of CPUs"},
                         {"memory_mib", true, "a column with memory in MiB"},
                         {"gpu", true, "a column with the number of GPUs"},
                         {"model", true, "a column with the GPU model"}})) {
    return platform;
  }
  std::unordered_set<std::string_view> names;  // only looked up in
  NodeRow last;
  while (rows.next()) {
    NodeRow node;
    if (!take_row(rows, node)) {
      continue;
    }
    if (!names.insert(node.name).second) {
      rows.fault(kName, quoted(node.name) + " again", "each node once");
      continue;
    }
    if (platform.nodes.empty() || !node.like(last)) {
      append(node, catalogue, platform);
    }
    platform.nodes.back().names.emplace_back(node.name);
    last = node;
  }
  if (names.size() > platforms::kMaxNodes) {
    context.file_fault(file.at(0, 0),
                       "sn",
                       std::to_string(names.size()) + " nodes",
                       "at most " + std::to_string(platforms::kMaxNodes));
  }
  if (platforms::gpu_models(platform).size() > platforms::kMaxGpuModels) {
    context.file_fault(file.at(0, 0),
                       "model",
                       std::to_string(platforms::gpu_models(platform).size()) + " GPU models",
                       "at most " + std::to_string(platforms::kMaxGpuModels));
  }
  if (names.empty() && diagnostics.ok()) {
    context.file_fault(file.at(0, 0), {}, "no node", "at least one node");
  }
  return platform;
}

Platform openb_platform(const std::string& nodes_csv,
                        const Catalogue& catalogue,
                        Diagnostics& diagnostics) {
  const std::optional<InputFile> file = InputFile::read(nodes_csv, diagnostics);
  return file ? openb_platform(*file, catalogue, diagnostics) : Platform{};
}

Platform openb_platform(const std::string& nodes_csv, Diagnostics& diagnostics) {
  return openb_platform(nodes_csv, platforms::builtin_catalogue(), diagnostics);
}

}  // namespace weft::formats
