// jobs.csv and attempts.csv, a row as soon as a job's fate is known (docs/definitions.md).
//
// A million rows must cost about half a second: rows are put together by hand in the output buffer,
// and an attempts row copies the fields it shares with the jobs row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cluster.hpp"
#include "base/job.hpp"
#include "results/job_outcome.hpp"
#include "results/output_file.hpp"

namespace weft::results {

class JobRows {
 public:
  // Creates both files in `directory` and writes their headers. References must outlive the rows.
  JobRows(const std::string& directory, const ClusterLayout& layout, const Workload& workload);

  void write(const JobOutcome& outcome);
  void close();

 private:
  // Texts of a row: given to it, or written by it for the attempts row to repeat.
  struct Fields {
    std::string_view name, profile, user, account, gpu_models;
    std::string_view submitted;
    std::string_view waited;
    std::string_view job_id;
    std::string_view started;
    std::string_view ended;
    std::string_view eligible;
    std::string_view nodelist;
    std::string_view lost;
  };

  char* write_batsim_columns(char* out, const JobOutcome& outcome, Fields& fields);
  char* write_own_columns(char* out, const JobOutcome& outcome, Fields& fields);
  void write_attempt(const JobOutcome& outcome, const Fields& fields);
  [[nodiscard]] std::string_view nodelist(const Allocation& where);
  [[nodiscard]] std::string_view gpu_models(const Allocation& where);
  [[nodiscard]] std::uint32_t leaves(const Allocation& where);  // 0: not known

  const ClusterLayout* layout_;
  const Workload* workload_;
  std::string workload_field_;
  OutputFile jobs_;
  OutputFile attempts_;
  std::string nodelist_;                      // scratch
  std::string models_;                        // scratch
  std::vector<std::string_view> node_names_;  // scratch
  std::vector<std::uint32_t> leaf_seen_;      // leaf -> stamp of the last row that counted it
  std::uint32_t stamp_ = 0;
};

}  // namespace weft::results
