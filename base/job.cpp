#include "base/job.hpp"

namespace weft {

GpuShare total_gpus(const RequestShape& shape) {
  return shape.kind == RequestShape::Kind::kAnyGpus ? shape.gpus : shape.gpus * shape.nodes;
}

}  // namespace weft
