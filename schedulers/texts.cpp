#include "schedulers/texts.hpp"

namespace weft::schedulers {

std::string job_text(const ClusterView& view, JobId job) {
  const SymbolId name = view.workload.job(job).name;
  const std::string_view text = view.workload.symbols.text(name);
  return "job " + (text.empty() ? std::to_string(index(job)) : std::string(text));
}

std::string gpu_text(GpuShare share) {
  std::string text = std::to_string(share.raw() / 1000);
  if (share.raw() % 1000 != 0) {
    text += "." + std::to_string(1000 + share.raw() % 1000).substr(1);
    while (text.back() == '0') {
      text.pop_back();
    }
  }
  return text + (share == gpus(1) ? " GPU" : " GPUs");
}

std::string ahead_text(std::size_t ahead) {
  if (ahead == 0) {
    return "head of the queue";
  }
  return std::to_string(ahead) + (ahead == 1 ? " job ahead" : " jobs ahead");
}

std::string need_text(const ClusterView& view, JobId job) {
  const RequestShape& shape = view.workload.shape_of(job);
  std::string text = "needs ";
  if (shape.kind == RequestShape::Kind::kWholeNodes) {
    text += std::to_string(shape.nodes) + (shape.nodes == 1 ? " whole node" : " whole nodes");
  } else {
    text += gpu_text(total_gpus(shape));
    if (shape.kind == RequestShape::Kind::kPerNode && shape.nodes > 1) {
      text += " on " + std::to_string(shape.nodes) + " nodes";
    }
  }
  return text + ", " + gpu_text(view.state.free_total()) + " free";
}

}  // namespace weft::schedulers
