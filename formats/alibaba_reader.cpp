// The pod list of Alibaba's cluster-trace-gpu-v2023 ("openb"): a pod a row, shared GPUs in
// thousandths, times in seconds from the trace's own zero.

#include <algorithm>
#include <limits>

#include "formats/csv_rows.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

enum Column : std::size_t {
  kName,
  kCpuMilli,
  kMemoryMib,
  kNumGpu,
  kGpuMilli,
  kGpuSpec,
  kQos,
  kPhase,
  kCreation,
  kDeletion,
  kScheduled
};

struct Pod {
  JobRecord record;
  std::optional<Duration> deletion;
};

std::vector<CsvColumn> pod_columns() {
  return {{"name", false, "pods are numbered in file order"},
          {"cpu_milli", false, "CPUs do not bind"},
          {"memory_mib", false, "memory does not bind"},
          {"num_gpu", true, "a column with the number of GPUs of each pod"},
          {"gpu_milli", false, "every GPU is used whole"},
          {"gpu_spec", false, "any GPU model will do"},
          {"qos", false, "pods have no QOS"},
          {"pod_phase", false, "how a pod ended is not known"},
          {"creation_time",
           true,
           "a column with submission times; without it sizes and durations can only be replayed "
           "with generated arrivals (weft trace fit)"},
          {"deletion_time", true, "a column with the pods' ends; run times come from it"},
          {"scheduled_time", true, "a column with the pods' starts; run times count from it"}};
}

// num_gpu and gpu_milli to the pod's GPUs. One pod runs on one node.
bool take_gpus(CsvRows& rows, JobRecord& job) {
  constexpr std::int64_t kMostGpus = 1024;
  std::optional<std::int64_t> count;
  std::optional<std::int64_t> milli;
  const bool ok = rows.read_count(kNumGpu, kMostGpus, count);
  if (!rows.read_count(kGpuMilli, 1000, milli) || !ok) {
    return false;
  }
  if (!count) {
    return rows.missing_value(kNumGpu, "a number of GPUs");
  }
  if (*count > 1 && milli.value_or(1000) != 1000) {
    rows.fault(kGpuMilli,
               quoted(rows.text(kGpuMilli)),
               "1000 for a pod with " + std::to_string(*count) +
                   " GPUs: a pod shares one GPU or has whole ones");
    return false;
  }
  if (*count == 1 && milli == 0) {
    rows.fault(kGpuMilli, "'0'", "1 to 1000 for a pod with a GPU");
    return false;
  }
  job.nodes = 1;
  job.gpus_per_node = *count == 1 ? gpu_thousandths(milli.value_or(1000)) : gpus(*count);
  return true;
}

bool take_cpus_and_memory(CsvRows& rows, JobRecord& job) {
  constexpr std::int64_t kMostCpuMilli = 1'000'000'000;
  constexpr std::int64_t kMostMib = std::numeric_limits<std::int64_t>::max() >> 23;
  std::optional<std::int64_t> cpu_milli;
  std::optional<std::int64_t> mib;
  bool ok = rows.read_count(kCpuMilli, kMostCpuMilli, cpu_milli);
  ok = rows.read_count(kMemoryMib, kMostMib, mib) && ok;
  if (cpu_milli) {
    job.cpus_per_node = cpu_thousandths(*cpu_milli);
  }
  if (mib) {
    job.memory_per_node = bytes(*mib << 20);
  }
  return ok;
}

bool take_phase(CsvRows& rows, JobRecord& job, bool& pending) {
  const std::string_view phase = rows.text(kPhase);
  pending = phase == "Pending";
  if (phase == "Succeeded") {
    job.recorded_end = RecordedEnd::kCompleted;
  } else if (phase == "Failed") {
    job.recorded_end = RecordedEnd::kFailed;
  } else if (!phase.empty() && !pending && phase != "Running" && phase != "Unknown") {
    rows.fault(kPhase,
               quoted(phase),
               allowed_words(phase, {"Pending", "Running", "Succeeded", "Failed", "Unknown"}));
    return false;
  }
  return true;
}

bool take_times(CsvRows& rows, bool pending, Pod& pod) {
  std::optional<Duration> creation;
  std::optional<Duration> scheduled;
  bool ok = rows.read_seconds_cell(kCreation, creation);
  ok = rows.read_seconds_cell(kDeletion, pod.deletion) && ok;
  ok = rows.read_seconds_cell(kScheduled, scheduled) && ok;
  if (rows.text(kCreation).empty()) {
    ok = rows.missing_value(kCreation, "a number of seconds");
  }
  if (!ok) {
    return false;
  }
  pod.record.submit = SimTime::at(*creation);
  if (scheduled && *scheduled < *creation) {
    rows.fault(kScheduled, quoted(rows.text(kScheduled)), "a time from creation_time on");
    return false;
  }
  if (scheduled && !pending) {
    pod.record.start = SimTime::at(*scheduled);
  }
  const Duration from = scheduled.value_or(*creation);
  if (pod.deletion && *pod.deletion < from) {
    rows.fault(kDeletion,
               quoted(rows.text(kDeletion)),
               scheduled ? "a time from scheduled_time on" : "a time from creation_time on");
    return false;
  }
  return true;
}

// A pod without a deletion was there when the trace ended: it runs to the last time in the trace.
void settle_run(ReadContext& context, Pod& pod, Duration trace_end) {
  JobRecord& job = pod.record;
  const Duration gone = pod.deletion.value_or(trace_end);
  if (job.start) {
    job.runtime = SimTime::at(gone) - *job.start;
    if (pod.deletion) {
      job.end = SimTime::at(gone);
    } else {
      context.note("no deletion_time: runs to the last time in the trace", job.line);
    }
    return;
  }
  if (context.options.never_started == NeverStarted::kLifetime) {
    job.runtime = SimTime::at(gone) - *job.submit;
    context.note("never scheduled: its time from creation to deletion is its run time", job.line);
  } else {
    context.note("never scheduled: has no run time", job.line);
  }
}

}  // namespace

void read_alibaba_pods(ReadContext& context) {
  CsvRows rows(context);
  if (!rows.read_header(pod_columns())) {
    return;
  }
  std::vector<Pod> pods;
  Duration trace_end;
  while (rows.next()) {
    Pod pod;
    JobRecord& job = pod.record;
    job.line = rows.line();
    bool pending = false;
    bool ok = take_gpus(rows, job);
    ok = take_cpus_and_memory(rows, job) && ok;
    ok = take_phase(rows, job, pending) && ok;
    ok = take_times(rows, pending, pod) && ok;
    if (!ok) {
      continue;
    }
    job.id = rows.text(kName);
    job.gpu_models = rows.text(kGpuSpec);
    job.qos = rows.text(kQos);
    for (const auto& time : {job.submit, job.start}) {
      trace_end = time ? std::max(trace_end, time->since_start()) : trace_end;
    }
    trace_end = std::max(trace_end, pod.deletion.value_or(Duration{}));
    pods.push_back(pod);
  }
  for (Pod& pod : pods) {
    settle_run(context, pod, trace_end);
    context.sink.record(pod.record);
  }
}

}  // namespace weft::formats
