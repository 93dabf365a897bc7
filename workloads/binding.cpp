#include "workloads/binding.hpp"

#include <algorithm>
#include <charconv>

namespace weft::workloads {

namespace {

// Half of what a Duration holds without overflow when two are added: 36 years.
constexpr Duration kLongest = Duration::from_raw(kUnlimited.raw() / 2);
constexpr std::size_t kMostJobs = 200'000'000;
// Beyond any cluster, and safe to multiply by a thousand and by a node count.
constexpr std::int64_t kMostUnits = 1'000'000'000;

std::uint64_t hash_of(const RequestShape& s) {
  std::uint64_t h =
      hash_mix(static_cast<std::uint64_t>(s.kind), static_cast<std::uint64_t>(s.nodes));
  for (const std::int64_t word : {s.gpus.raw(), s.cpus.raw(), s.memory.raw()}) {
    h = hash_mix(h, static_cast<std::uint64_t>(word));
  }
  return hash_mix(hash_mix(h, s.gpu_models), index(s.partition));
}

template <class Quantity>
std::int64_t said(const std::optional<Quantity>& value) {
  if (!value) {
    return Demand::kNotSaid;
  }
  return std::min(value->raw(), std::int64_t{1000} * kMostUnits);
}

// The number an id is, if it is a plain one that text order and number order agree on.
bool plain_number(std::string_view id, std::uint64_t& number) {
  if (id.empty() || id.size() > 18 || (id[0] == '0' && id.size() > 1)) {
    return false;
  }
  number = 0;
  for (const char c : id) {
    if (c < '0' || c > '9') {
      return false;
    }
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return true;
}

std::string jobs_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " job" : " jobs");
}

std::string limit_text(Duration limit) {
  return limit >= kUnlimited ? "no limit" : "a limit of " + seconds_text(limit) + " s";
}

}  // namespace

Binder::Binder(const ClusterLayout& layout,
               const BindOptions& options,
               std::string workload_name,
               Source file,
               Diagnostics& diagnostics)
    : layout_(&layout),
      options_(options),
      file_(std::move(file)),
      diagnostics_(&diagnostics),
      resolver_(layout),
      partitions_bind_(layout.partitions.size() > 1 || layout.partitions.front().name != "all") {
  workload_.name = std::move(workload_name);
}

void Binder::expect(std::size_t jobs) {
  // A header may promise anything: trust it up to a few hundred megabytes.
  const std::size_t trusted = std::min<std::size_t>(jobs, 2'000'000);
  workload_.jobs.reserve(trusted);
  workload_.symbols.reserve(trusted);
}

void Binder::note(ImportRule rule, std::uint32_t line) {
  Counter& counter = counters_[static_cast<std::size_t>(rule)];
  ++counter.count;
  if (counter.first.size() < ImportNote::kPlaces) {
    counter.first.push_back(Source{file_.file, line, 0});
  }
}

void Binder::fault(std::uint32_t line, std::string key, std::string found, std::string allowed) {
  diagnostics_->error(InputError{
      Source{file_.file, line, 0}, std::move(key), std::move(found), std::move(allowed)});
}

bool Binder::times_of(const JobRecord& job, PartitionId partition, Times& times) {
  times.has_own_limit = job.limit.has_value() && *job.limit > Duration{};
  if (times.has_own_limit) {
    times.limit = *job.limit > kLongest ? kUnlimited : *job.limit;
  }

  std::optional<Duration> runtime = job.runtime;
  if (!runtime && job.start && job.end && *job.end >= *job.start) {
    runtime = *job.end - *job.start;
  }
  if (!runtime) {
    note(ImportRule::kNoRuntime, job.line);
    if (options_.missing_runtime == BindOptions::Missing::kFixed) {
      runtime = options_.fixed_runtime;
    } else if (options_.missing_runtime == BindOptions::Missing::kLimit && times.has_own_limit &&
               times.limit < kUnlimited) {
      runtime = times.limit;
    } else {
      return false;
    }
  }
  if (*runtime <= Duration{}) {
    note(ImportRule::kZeroRuntime, job.line);
    if (options_.zero_runtime == BindOptions::ZeroRuntime::kDrop) {
      return false;
    }
    runtime = seconds(1);
  }
  if (*runtime > kLongest) {
    fault(job.line, "runtime", seconds_text(*runtime) + " s", "at most 36 years");
    return false;
  }
  times.runtime = *runtime;

  if (!times.has_own_limit) {
    note(ImportRule::kNoLimit, job.line);
    const PartitionInfo* const rules =
        partition == kNoPartition ? nullptr : &layout_->partitions[index(partition)];
    if (rules != nullptr && rules->default_limit) {
      times.limit = *rules->default_limit;
    } else if (rules != nullptr && rules->max_limit < kUnlimited) {
      times.limit = rules->max_limit;
    } else if (options_.missing_limit == BindOptions::Missing::kRuntime) {
      times.limit = times.runtime;
    } else if (options_.missing_limit == BindOptions::Missing::kFixed) {
      times.limit = options_.fixed_limit;
    } else {
      times.limit = kUnlimited;
    }
  }
  if (times.runtime > times.limit) {
    note(ImportRule::kRunOverLimit, job.line);
    if (options_.run_over_limit == BindOptions::RunOverLimit::kExtend) {
      times.limit = times.runtime;
    }
  }
  return true;
}

Demand Binder::demand_of(const JobRecord& job) {
  Demand demand;
  const std::int64_t allocated = job.allocated_processors.value_or(0);
  const std::int64_t requested = job.requested_processors.value_or(0);
  if (allocated > 0 || requested > 0) {
    const bool wants_allocated = options_.size == BindOptions::Size::kAllocated;
    const std::int64_t wanted = wants_allocated ? allocated : requested;
    demand.processors = std::min(wanted > 0 ? wanted : std::max(allocated, requested), kMostUnits);
    if (wanted <= 0) {
      note(ImportRule::kSizeFellBack, job.line);
    } else if (allocated > 0 && requested > 0 && allocated != requested) {
      note(ImportRule::kSizesDiffer, job.line);
    }
  }
  demand.gpus = said(job.gpus);
  demand.gpus_per_node = said(job.gpus_per_node);
  if (job.nodes) {
    demand.nodes = *job.nodes;
  }
  demand.cpus = said(job.cpus);
  demand.cpus_per_node = said(job.cpus_per_node);
  demand.memory = job.memory ? job.memory->raw() : Demand::kNotSaid;
  demand.memory_per_node = job.memory_per_node ? job.memory_per_node->raw() : Demand::kNotSaid;
  demand.whole_nodes = job.whole_nodes;
  if (!job.gpu_models.empty() && !layout_->flat_pool) {
    const SymbolId word = workload_.symbols.intern(job.gpu_models);
    const auto [at, is_new] = model_words_.try_emplace(word, 0);
    if (is_new) {
      at->second = resolver_.model_mask(job.gpu_models);
    }
    demand.gpu_models = at->second;
  }
  return demand;
}

Binder::KnownPartition Binder::partition_of(SymbolId word) {
  KnownPartition result;
  if (!partitions_bind_ || word == kNoSymbol) {
    return result;
  }
  const auto [at, is_new] = partition_words_.try_emplace(word);
  if (is_new) {
    const auto found = layout_->find_partition(workload_.symbols.text(word));
    at->second.known = found.has_value();
    if (found) {
      at->second.id = *found;
    } else if (options_.unknown_partition == BindOptions::UnknownPartition::kFirst) {
      at->second.id = PartitionId{0};
    }
  }
  return at->second;
}

ShapeId Binder::intern_shape(const RequestShape& shape) {
  const std::uint64_t h = hash_of(shape);
  const std::uint32_t found =
      shape_index_.find(h, [&](std::uint32_t i) { return workload_.shapes[i] == shape; });
  if (found != FlatIndex::kNone) {
    return ShapeId{found};
  }
  const auto id = static_cast<std::uint32_t>(workload_.shapes.size());
  workload_.shapes.push_back(shape);
  shape_index_.insert(h, id);
  return ShapeId{id};
}

const Binder::Resolved& Binder::resolve(const Demand& demand) {
  if (last_resolved_ != FlatIndex::kNone && resolved_[last_resolved_].demand == demand) {
    return resolved_[last_resolved_];
  }
  const std::uint64_t h = hash(demand);
  last_resolved_ =
      resolved_index_.find(h, [&](std::uint32_t i) { return resolved_[i].demand == demand; });
  if (last_resolved_ != FlatIndex::kNone) {
    return resolved_[last_resolved_];
  }

  Resolved result;
  result.demand = demand;
  const Shaped shaped = resolver_.shape_of(demand);
  RequestShape shape = shaped.shape;
  if (shaped.size_from_cpus) {
    result.notes.push_back(ImportRule::kSizeFromCpus);
  }
  if (shaped.rounded_up) {
    result.notes.push_back(ImportRule::kRoundedUp);
  }
  if (shaped.uneven) {
    result.notes.push_back(ImportRule::kUnevenNodes);
  }
  if (demand.gpu_models == 0) {
    result.notes.push_back(ImportRule::kUnknownGpuModel);
  }
  if (const std::string why = resolver_.why_infeasible(shape); !why.empty()) {
    result.notes.push_back(ImportRule::kInfeasible);
    const auto smaller =
        options_.too_large == BindOptions::TooLarge::kCap ? resolver_.capped(shape) : std::nullopt;
    if (smaller) {
      shape = *smaller;
    } else if (options_.too_large == BindOptions::TooLarge::kDrop) {
      result.dropped = true;
    } else {
      result.rejected = workload_.symbols.intern(why);
    }
  }
  if (!result.dropped) {
    result.shape = intern_shape(shape);
  }
  last_resolved_ = static_cast<std::uint32_t>(resolved_.size());
  resolved_.push_back(std::move(result));
  resolved_index_.insert(h, last_resolved_);
  return resolved_.back();
}

bool Binder::is_duplicate(std::string_view id) {
  const auto add = [this](std::string_view text, SymbolId name) {
    const std::uint64_t h = hash_text(text);
    const auto same = [&](std::uint32_t i) { return workload_.symbols.text(SymbolId{i}) == text; };
    if (ids_.find(h, same) != FlatIndex::kNone) {
      return true;
    }
    ids_.insert(h, static_cast<std::uint32_t>(name));
    return false;
  };
  std::uint64_t number = 0;
  if (ids_rise_) {
    if (plain_number(id, number) && (workload_.jobs.empty() || number > last_number_)) {
      last_number_ = number;
      return false;
    }
    ids_rise_ = false;
    ids_.reserve(2 * workload_.jobs.size());
    for (const Job& job : workload_.jobs) {
      add(workload_.symbols.text(job.name), job.name);
    }
  }
  // The id will be the next symbol, see name_of.
  return add(id, SymbolId{static_cast<std::uint32_t>(workload_.symbols.size())});
}

SymbolId Binder::name_of(const JobRecord& job) {
  std::string_view id = job.id;
  std::array<char, 24> ordinal{};
  if (id.empty()) {
    const auto end =
        std::to_chars(ordinal.data(), ordinal.data() + ordinal.size(), rows_ - dropped_);
    id = std::string_view(ordinal.data(), static_cast<std::size_t>(end.ptr - ordinal.data()));
  }
  if (is_duplicate(id)) {
    note(ImportRule::kDuplicateId, job.line);
  }
  return workload_.symbols.append(id);
}

std::string Binder::over_partition_limit(const Job& job, PartitionId partition) const {
  const PartitionInfo& rules = layout_->partitions[index(partition)];
  std::string text = "job " + std::string(workload_.symbols.text(job.name)) + " (";
  // The name without its folder: the reason reaches the results, which must not depend on where the
  // log lies.
  text += file_.file ? file_.file->substr(file_.file->rfind('/') + 1) + ':' : std::string("line ");
  return text + std::to_string(job.line) + ") asks for " + limit_text(job.limit) + ", partition " +
         rules.name + " allows " + seconds_text(rules.max_limit) + " s";
}

void Binder::record(const JobRecord& record) {
  ++rows_;
  if (!record.submit) {
    note(ImportRule::kNoSubmit, record.line);
    ++dropped_;
    return;
  }
  Symbols& symbols = workload_.symbols;
  const SymbolId word = symbols.intern(record.partition);
  const KnownPartition partition = partition_of(word);
  Demand demand = demand_of(record);
  if (!demand.says_a_size()) {
    note(ImportRule::kNoSize, record.line);
    ++dropped_;
    return;
  }
  demand.partition = partition.id;
  Times times;
  if (!times_of(record, partition.id, times)) {
    ++dropped_;
    return;
  }
  const Resolved& resolved = resolve(demand);
  for (const ImportRule rule : resolved.notes) {
    note(rule, record.line);
  }
  if (resolved.dropped) {
    ++dropped_;
    return;
  }

  Job job;
  job.submit = *record.submit;
  job.eligible = record.begin ? std::max(*record.begin, job.submit) : job.submit;
  job.runtime = times.runtime;
  job.limit = times.limit;
  job.has_own_limit = times.has_own_limit;
  job.shape = resolved.shape;
  job.rejected = resolved.rejected;
  job.name = name_of(record);
  job.profile = symbols.intern(record.profile);
  job.user = symbols.intern(record.user);
  job.account = symbols.intern(record.account);
  job.partition = word;
  job.qos = symbols.intern(record.qos);
  job.priority = record.priority;
  job.line = record.line;
  job.recorded_end = record.recorded_end;
  if (!partition.known) {
    note(ImportRule::kUnknownPartition, record.line);
    if (options_.unknown_partition == BindOptions::UnknownPartition::kReject) {
      std::string why = "partition " + std::string(record.partition) + " is not there; there are";
      for (std::size_t p = 0; p < layout_->partitions.size(); ++p) {
        why += (p == 0 ? " " : ", ") + layout_->partitions[p].name;
      }
      job.rejected = symbols.intern(why);
    }
  }
  if (partition.id != kNoPartition &&
      job.limit > layout_->partitions[index(partition.id)].max_limit && job.has_own_limit) {
    note(ImportRule::kLimitOverPartition, record.line);
    if (job.rejected == kNoSymbol) {
      job.rejected = symbols.append(over_partition_limit(job, partition.id));
    }
  }
  if (!workload_.jobs.empty() && job.submit < workload_.jobs.back().submit) {
    sorted_ = false;
    note(ImportRule::kUnsorted, record.line);
  }
  if (job.eligible > latest_) {
    latest_ = job.eligible;
    latest_line_ = record.line;
  }
  rejected_ += job.rejected != kNoSymbol ? 1U : 0U;
  workload_.jobs.push_back(job);
}

void Binder::sort_jobs() {
  if (sorted_) {
    return;
  }
  std::stable_sort(workload_.jobs.begin(), workload_.jobs.end(), [](const Job& a, const Job& b) {
    return a.submit < b.submit;
  });
}

void Binder::rebase(ImportSummary& summary) {
  std::vector<Job>& jobs = workload_.jobs;
  if (jobs.empty()) {
    return;
  }
  summary.first_submit = jobs.front().submit.since_start();
  if (options_.time_base == BindOptions::TimeBase::kTraceZero) {
    return;
  }
  const Duration offset = jobs.front().submit.since_start();
  summary.offset = offset;
  for (Job& job : jobs) {
    job.submit = job.submit - offset;
    job.eligible = job.eligible - offset;
  }
}

bool Binder::spans_too_long(Duration offset) const {
  const Duration latest = latest_.since_start() - offset;
  if (latest <= kLongest) {
    return false;
  }
  diagnostics_->error(InputError{Source{file_.file, latest_line_, 0},
                                 "submit",
                                 seconds_text(latest) + " s",
                                 "at most 36 years after time 0"});
  return true;
}

// Copy k starts k periods later; a period is the span of the submits and one mean gap. Then gaps
// are divided by the load factor, measured from the first submit, which stays where it is.
void Binder::repeat_and_scale() {
  std::vector<Job>& jobs = workload_.jobs;
  const Ratio factor = options_.load_factor;
  const std::size_t original = jobs.size();
  if (original == 0 || (options_.repeat <= 1 && factor.numerator == factor.denominator)) {
    return;
  }
  if (options_.repeat > kMostJobs / original) {
    diagnostics_->error(
        InputError{file_,
                   "repeat",
                   std::to_string(options_.repeat) + " times " + jobs_text(original),
                   "at most " + jobs_text(kMostJobs)});
    return;
  }
  const SimTime first = jobs.front().submit;
  const std::int64_t span = (jobs.back().submit - first).raw();
  const std::int64_t gaps = std::max<std::int64_t>(static_cast<std::int64_t>(original) - 1, 1);
  const std::int64_t mean_gap = std::max(span / gaps, kNsPerSecond);
  const Int128 period = Int128{span} + mean_gap;
  const auto scaled = [&](Int128 since_first) {
    return (since_first * factor.denominator + factor.numerator / 2) / factor.numerator;
  };
  const Int128 last = scaled(period * (options_.repeat - 1) + span);
  if (last > kLongest.raw() - first.ns()) {
    diagnostics_->error(InputError{file_,
                                   options_.repeat > 1 ? "repeat" : "load_factor",
                                   "a last submit more than 36 years after time 0",
                                   "a shorter trace"});
    return;
  }
  jobs.reserve(original * options_.repeat);
  for (std::uint32_t copy = 1; copy < options_.repeat; ++copy) {
    const Duration shift = nanoseconds(static_cast<std::int64_t>(period * copy));
    const std::string suffix = std::string(".").append(std::to_string(copy + 1));
    for (std::size_t i = 0; i < original; ++i) {
      Job job = jobs[i];
      job.submit = job.submit + shift;
      job.eligible = job.eligible + shift;
      job.name = workload_.symbols.append(std::string(workload_.symbols.text(job.name)) + suffix);
      jobs.push_back(job);
    }
  }
  for (Job& job : jobs) {
    const Duration wait = job.eligible - job.submit;
    job.submit = first + nanoseconds(static_cast<std::int64_t>(scaled((job.submit - first).raw())));
    job.eligible = job.submit + wait;
  }
}

std::string Binder::decision_text(ImportRule rule, std::uint64_t count) const {
  using Missing = BindOptions::Missing;
  const std::string jobs = jobs_text(count);
  switch (rule) {
    case ImportRule::kNoSubmit:
      return jobs + " without a submit time: dropped";
    case ImportRule::kNoSize:
      return jobs + " without a size: dropped";
    case ImportRule::kNoRuntime:
      return jobs + " without a run time: " +
             (options_.missing_runtime == Missing::kDrop ? std::string("dropped")
              : options_.missing_runtime == Missing::kLimit
                  ? std::string("run to their limit (those without one are dropped)")
                  : "run " + to_text(options_.fixed_runtime));
    case ImportRule::kZeroRuntime:
      return jobs + " with run time 0: " +
             (options_.zero_runtime == BindOptions::ZeroRuntime::kDrop ? "dropped" : "run 1 s");
    case ImportRule::kSizesDiffer:
      return jobs + " were allocated another size than they requested: " +
             (options_.size == BindOptions::Size::kAllocated ? "allocated" : "requested") +
             " size taken";
    case ImportRule::kSizeFellBack:
      return jobs + (options_.size == BindOptions::Size::kAllocated
                         ? " without an allocated size: requested size taken"
                         : " without a requested size: allocated size taken");
    case ImportRule::kSizeFromCpus:
      return jobs + " without GPUs on a pool of processors: one processor a CPU";
    case ImportRule::kRoundedUp:
      return jobs + " asked for a fraction above one GPU: rounded up to whole GPUs";
    case ImportRule::kUnevenNodes:
      return jobs + " with GPUs that do not divide by their nodes: placed on any GPUs";
    case ImportRule::kNoLimit:
      return jobs + " without a limit: the partition's default or maximum where it has one, else " +
             (options_.missing_limit == Missing::kRuntime ? std::string("their run time")
              : options_.missing_limit == Missing::kFixed ? to_text(options_.fixed_limit)
                                                          : std::string("unlimited"));
    case ImportRule::kRunOverLimit:
      return jobs + " ran longer than their limit: " +
             (options_.run_over_limit == BindOptions::RunOverLimit::kKill
                  ? "stopped at it"
                  : "limit raised to the run time");
    case ImportRule::kLimitOverPartition:
      return jobs + " with a limit above their partition's maximum: rejected";
    case ImportRule::kUnknownPartition:
      return jobs + " of a partition this cluster does not have: " +
             (options_.unknown_partition == BindOptions::UnknownPartition::kAnyNode
                  ? "any node will do"
              : options_.unknown_partition == BindOptions::UnknownPartition::kFirst
                  ? "moved to partition " + layout_->partitions.front().name
                  : std::string("rejected"));
    case ImportRule::kUnknownGpuModel:
      return jobs + " that ask for a GPU model this cluster does not have";
    case ImportRule::kInfeasible:
      return jobs + " larger than this cluster can ever give: " +
             (options_.too_large == BindOptions::TooLarge::kReject ? "rejected"
              : options_.too_large == BindOptions::TooLarge::kDrop
                  ? "dropped"
                  : "cut to what it has, rejected where that is nothing");
    case ImportRule::kUnsorted:
      return jobs + " submitted before the row above: sorted by submit time";
    case ImportRule::kDuplicateId:
      return jobs + " with an id seen before: kept";
  }
  return jobs;
}

Bound Binder::finish() {
  Bound bound;
  ImportSummary& summary = bound.summary;
  sort_jobs();
  rebase(summary);
  if (!spans_too_long(summary.offset)) {
    repeat_and_scale();
  }
  const Counter& no_submit = counters_[static_cast<std::size_t>(ImportRule::kNoSubmit)];
  if (rows_ > 0 && no_submit.count == rows_) {
    diagnostics_->error(
        InputError{file_,
                   "submit",
                   "no submit time in any row",
                   "a log with submit times (or make arrivals with weft trace generate)"});
  }
  summary.rows = rows_;
  summary.dropped = dropped_;
  summary.jobs = workload_.jobs.size();
  summary.rejected = rejected_ * (rows_ > dropped_ ? summary.jobs / (rows_ - dropped_) : 0);
  // The rules count rows; the summary counts jobs.
  const std::string copies =
      options_.repeat > 1 ? ", in each of " + std::to_string(options_.repeat) + " copies" : "";
  for (std::size_t r = 0; r < kImportRules; ++r) {
    if (counters_[r].count > 0) {
      const auto rule = static_cast<ImportRule>(r);
      summary.notes.push_back(ImportNote{rule,
                                         counters_[r].count,
                                         decision_text(rule, counters_[r].count) + copies,
                                         std::move(counters_[r].first)});
    }
  }
  bound.workload = std::move(workload_);
  return bound;
}

}  // namespace weft::workloads
