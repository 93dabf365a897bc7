#include <algorithm>

#include "base/errors.hpp"
#include "schedulers/head_plan.hpp"
#include "schedulers/release_list.hpp"

namespace weft::schedulers {

namespace {

class FlatPlan final : public HeadPlan {
 public:
  explicit FlatPlan(Placement placement) : placer_(placement) {}

  void started(JobId job,
               const Allocation& where,
               SimTime limit_end,
               bool beside,
               const ClusterView& /*view*/) override {
    const std::int64_t units = where.total_share().raw();
    releases_.insert(limit_end, job, units);
    if (beside) {
      left_by_head_ -= units;
    }
  }

  void ended(JobId job, SimTime limit_end, const ClusterView& /*view*/) override {
    releases_.erase(limit_end, job);
  }

  bool fits_now(ShapeId shape, const ClusterView& view) override {
    return units_of(shape, view) <= view.state.free_total().raw();
  }

  bool fits_beside(ShapeId shape, const ClusterView& view) override {
    return units_of(shape, view) <= left_by_head_;
  }

  bool place(ShapeId shape, bool /*beside*/, const ClusterView& view, Allocation& out) override {
    return placer_.place(view.state, view.workload.shapes[index(shape)], out);
  }

  SimTime plan(JobId head, const ClusterView& view) override {
    const std::int64_t needed = total_gpus(view.workload.shape_of(head)).raw();
    const std::int64_t free = view.state.free_total().raw();
    const ReleaseList::Answer answer = releases_.earliest(needed - free, view.now);
    WEFT_ASSERT(answer.found,
                "job " + std::to_string(index(head)) + " needs " + std::to_string(needed) +
                    " thousandths; free and running add up to " +
                    std::to_string(free + answer.units));
    left_by_head_ = free + answer.units - needed;
    planned_after_ = answer.last;
    return answer.when;
  }

  JobId planned_after() const override { return planned_after_; }

 private:
  static std::int64_t units_of(ShapeId shape, const ClusterView& view) {
    return total_gpus(view.workload.shapes[index(shape)]).raw();
  }

  Placer placer_;
  ReleaseList releases_;
  std::int64_t left_by_head_ = 0;
  JobId planned_after_{};
};

}  // namespace

std::unique_ptr<HeadPlan> make_flat_plan(Placement placement) {
  return std::make_unique<FlatPlan>(placement);
}

bool is_counting(const ClusterView& view) {
  const ClusterLayout& layout = view.state.layout();
  if (!layout.flat_pool) {
    return false;
  }
  const auto counts = [&layout](const RequestShape& shape) {
    const bool whole = shape.gpus.raw() > 0 && shape.gpus.raw() % 1000 == 0;
    const bool kind = shape.kind == RequestShape::Kind::kAnyGpus ||
                      (shape.kind == RequestShape::Kind::kPerNode && shape.nodes == 1);
    // A shape that can never run is rejected, so what it asks for does not matter.
    return (whole && kind && shape.cpus.raw() == 0 && shape.memory.raw() == 0) ||
           !fits_empty(layout, shape);
  };
  return std::all_of(view.workload.shapes.begin(), view.workload.shapes.end(), counts);
}

}  // namespace weft::schedulers
