// events.jsonl, on request: every submission, start, end and rejection with its reason, and every
// change of the idle split; a JSON object a line.
#pragma once

#include <string>
#include <string_view>

#include "base/cluster.hpp"
#include "base/job.hpp"
#include "results/output_file.hpp"
#include "sim/observer.hpp"

namespace weft::results {

class EventLog : public sim::Observer {
 public:
  explicit EventLog(const std::string& path);

  void run_begins(const sim::RunInfo& run) override;
  void job_submitted(SimTime now, JobId job) override;
  void job_starts(const sim::JobStart& start) override;
  void job_ends(const sim::JobEnd& end) override;
  void job_rejected(SimTime now, JobId job, std::string_view why) override;
  void idle_changes(SimTime now, std::span<const sim::IdleShare> split) override;
  void job_pending(JobId job) override;
  void run_ends(SimTime horizon) override;
  void close() { file_.close(); }

 private:
  [[nodiscard]] std::string opening(SimTime now, std::string_view event) const;
  [[nodiscard]] std::string opening(SimTime now, std::string_view event, JobId job) const;

  OutputFile file_;
  const ClusterLayout* layout_ = nullptr;
  const Workload* workload_ = nullptr;
  SimTime now_;
};

}  // namespace weft::results
