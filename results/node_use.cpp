#include "results/node_use.hpp"

#include "base/errors.hpp"
#include "results/decimal.hpp"
#include "results/output_file.hpp"

namespace weft::results {

NodeUse::NodeUse(const ClusterLayout& layout) : layout_(&layout), uses_(layout.nodes.size()) {}

void NodeUse::add(const Allocation& where, Duration booked) {
  std::size_t range = 0;
  for (const NodeId id : where.nodes) {
    const NodeInfo& node = layout_->node(id);
    const std::size_t end = index(node.first_gpu) + node.gpu_count;
    Use& use = uses_[index(id)];
    ++use.jobs;
    for (; range < where.gpus.size() && where.gpus[range].first < end; ++range) {
      use.held += (where.share * where.gpus[range].count) * booked;
    }
  }
  WEFT_ASSERT(range == where.gpus.size(), "a GPU range lies on no node of its allocation");
}

std::string NodeUse::csv(Duration length) const {
  std::string csv = "node,gpu_model,gpus,first_gpu,leaf,rack,jobs,gpu_hours,share\n";
  for (std::size_t n = 0; n < uses_.size(); ++n) {
    const NodeInfo& node = layout_->nodes[n];
    const Use& use = uses_[n];
    const GpuTime installed = gpus(node.gpu_count) * length;
    csv += csv_field(layout_->node_names[n]) + ',' +
           (node.gpu_count == 0 ? std::string()
                                : csv_field(layout_->gpu_models[index(node.gpu_model)])) +
           ',' + std::to_string(node.gpu_count) + ',' +
           (node.gpu_count == 0 ? std::string() : std::to_string(index(node.first_gpu))) + ',' +
           (node.leaf == kNoLeaf ? std::string() : std::to_string(index(node.leaf))) + ',' +
           (node.rack == kNoRack ? std::string() : std::to_string(index(node.rack))) + ',' +
           std::to_string(use.jobs) + ',' + ratio_text(gpu_hours(use.held), 6) + ',' +
           (installed.raw() == 0 ? std::string() : ratio_text(share_of(use.held, installed), 9)) +
           '\n';
  }
  return csv;
}

}  // namespace weft::results
