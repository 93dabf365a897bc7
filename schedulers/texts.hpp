// Words that the policies share when they explain themselves.
#pragma once

#include <string>
#include <string_view>

#include "schedulers/scheduler.hpp"

namespace weft::schedulers {

inline constexpr std::string_view kRejectedText =
    "does not fit on the cluster even when nothing else runs";

[[nodiscard]] std::string job_text(const ClusterView& view, JobId job);  // "job 17", by its name
[[nodiscard]] std::string gpu_text(GpuShare share);                      // "1 GPU", "0.5 GPUs"
[[nodiscard]] std::string ahead_text(std::size_t ahead);  // "head of the queue", "2 jobs ahead"
// "needs 16 GPUs on 2 nodes, 12 GPUs free": the request against what is free now.
[[nodiscard]] std::string need_text(const ClusterView& view, JobId job);

}  // namespace weft::schedulers
