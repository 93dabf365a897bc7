// sacct --parsable and --parsable2 dumps with any set and order of columns.
//
// All rows are read before the first record goes out: attempts of a requeued job are rows of the
// same id that may be far apart, and simulated time 0 is the first submission.

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <unordered_map>

#include "base/number.hpp"
#include "formats/delimited.hpp"
#include "formats/read_context.hpp"
#include "formats/sacct_columns.hpp"
#include "formats/sacct_fields.hpp"
#include "formats/time_zone.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

constexpr std::size_t kMostArrayTasks = 4'000'001;  // Slurm's own limit of MaxArraySize

// What is kept of a row.
struct SacctRow {
  std::string_view id;
  std::optional<std::int64_t> submit;  // ns since 1970, as the times below
  std::optional<std::int64_t> eligible;
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
  std::optional<Duration> elapsed;
  std::optional<Duration> limit;
  std::optional<std::int32_t> nodes;
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> cpus;
  std::optional<Bytes> memory;
  std::optional<Bytes> memory_per_node;
  std::string_view gpu_models;
  std::string_view name;
  std::string_view user;
  std::string_view account;
  std::string_view partition;
  std::string_view qos;
  std::string_view node_list;
  SlurmState state;
  std::uint32_t line = 0;
  bool superseded = false;  // an earlier attempt of a requeued job
};

class SacctReader {
 public:
  SacctReader(ReadContext& context, char delimiter, Calendar calendar)
      : context_(context),
        calendar_(std::move(calendar)),
        quotes_(delimiter == ','),
        rows_(context.file,
              delimiter,
              quotes_ ? DelimitedRows::Quotes::kRfc4180 : DelimitedRows::Quotes::kPlain) {}

  void read();

 private:
  bool find_header();
  void take_row();
  bool find_cells();
  bool take_times(SacctRow& row);
  void take_texts(SacctRow& row);
  void settle_run(SacctRow& row);
  bool take_size(SacctRow& row);
  bool take_gpus(SacctRow& row);
  bool take_cpus_and_memory(SacctRow& row);
  std::optional<std::int64_t> positive_count(SacctColumn column, bool& ok);
  std::optional<SlurmTres> tres(SacctColumn column, bool& ok);
  bool take_time(SacctColumn column, std::optional<std::int64_t>& out);
  void expand_array(const SacctRow& row);
  void merge_attempts();
  void hand_over();
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }
  const Cell* cell(SacctColumn column) const { return columns_.cell(column, rows_.cells(), fix_); }
  std::string_view text(SacctColumn column) const {
    const Cell* const found = cell(column);
    return found == nullptr || is_no_value(found->text) ? std::string_view{} : found->text;
  }
  void fault(SacctColumn column, std::string allowed);

  ReadContext& context_;
  Calendar calendar_;
  bool quotes_;
  DelimitedRows rows_;
  SacctColumns columns_;
  ExtraCells fix_;
  std::vector<SacctRow> jobs_;
  std::deque<std::string> kept_;  // texts that are not in the file as such
  std::size_t array_tasks_ = 0;
};

void SacctReader::fault(SacctColumn column, std::string allowed) {
  const Cell* const found = cell(column);
  context_.row_fault(found->line,
                     found->column,
                     std::string(to_string(column)),
                     found->text.empty() ? "nothing" : quoted(found->text),
                     std::move(allowed));
}

bool SacctReader::find_header() {
  while (rows_.next()) {
    columns_ = SacctColumns(rows_.cells());
    if (columns_.has(SacctColumn::kJobId) || columns_.has(SacctColumn::kJobIdRaw)) {
      break;
    }
    columns_ = SacctColumns();
    const Cell& first = rows_.cells().front();
    if (first.text.find("sacct") == std::string_view::npos) {
      context_.file_fault(context_.file.at(first.line, first.column),
                          {},
                          quoted(first.text),
                          "a header line with JobID (sacct --parsable2, without --noheader)");
      return false;
    }
    // The command line that was copied along.
  }
  if (columns_.size() == 0) {
    context_.file_fault(context_.file.at(0, 0), {}, "no header line", "a line with JobID");
    return false;
  }
  context_.info.columns = columns_.names();
  context_.info.missing_columns = columns_.missing();
  if (!columns_.has(SacctColumn::kSubmit) && !columns_.has(SacctColumn::kEligible)) {
    context_.file_fault(
        context_.file.at(rows_.line(), 1),
        "Submit",
        "no such column",
        "a dump with Submit (sacct --format=ALL): without it the jobs cannot be put in time; to "
        "replay their sizes and run times alone, generate arrivals (weft trace fit)");
    return false;
  }
  return true;
}

bool SacctReader::take_time(SacctColumn column, std::optional<std::int64_t>& out) {
  const std::string_view found = text(column);
  if (found.empty()) {
    return true;
  }
  // SLURM_TIME_FORMAT=%s prints seconds since 1970.
  std::int64_t unix_seconds = 0;
  const char* const end = found.data() + found.size();
  constexpr std::int64_t kYear2250 = 8'900'000'000;
  if (read_int64(found.data(), end, unix_seconds) == end && unix_seconds >= 0 &&
      unix_seconds < kYear2250) {
    out = unix_seconds * kNsPerSecond;
    return true;
  }
  const Parsed<std::int64_t> time = calendar_.unix_ns(found);
  if (!time) {
    fault(column, time.allowed() + ", or Unknown");
    return false;
  }
  out = *time;
  return true;
}

bool SacctReader::take_times(SacctRow& row) {
  bool ok = take_time(SacctColumn::kSubmit, row.submit);
  ok = take_time(SacctColumn::kEligible, row.eligible) && ok;
  ok = take_time(SacctColumn::kStart, row.start) && ok;
  ok = take_time(SacctColumn::kEnd, row.end) && ok;
  if (!columns_.has(SacctColumn::kSubmit)) {
    row.submit = row.eligible;
  }
  const SacctColumn elapsed =
      text(SacctColumn::kElapsed).empty() ? SacctColumn::kElapsedRaw : SacctColumn::kElapsed;
  if (const std::string_view found = text(elapsed); !found.empty()) {
    const BareNumber bare =
        elapsed == SacctColumn::kElapsed ? BareNumber::kRefused : BareNumber::kSeconds;
    if (const Parsed<Duration> value = parse_slurm_duration(found, bare)) {
      row.elapsed = *value;
    } else {
      fault(elapsed, value.allowed());
      ok = false;
    }
  }
  const SacctColumn limit = cell(SacctColumn::kTimelimit) != nullptr ? SacctColumn::kTimelimit
                                                                     : SacctColumn::kTimelimitRaw;
  if (const Cell* const found = cell(limit)) {
    if (const auto value = parse_slurm_limit(found->text, BareNumber::kMinutes)) {
      row.limit = *value;
    } else {
      fault(limit, value.allowed());
      ok = false;
    }
  }
  return ok;
}

std::optional<std::int64_t> SacctReader::positive_count(SacctColumn column, bool& ok) {
  const std::string_view found = text(column);
  if (found.empty()) {
    return std::nullopt;
  }
  std::int64_t count = 0;
  const char* const end = found.data() + found.size();
  if (read_int64(found.data(), end, count) != end || count < 0 ||
      count > std::numeric_limits<std::int32_t>::max()) {
    fault(column, "a whole number from 0");
    ok = false;
    return std::nullopt;
  }
  return count > 0 ? std::optional(count) : std::nullopt;
}

std::optional<SlurmTres> SacctReader::tres(SacctColumn column, bool& ok) {
  const std::string_view found = text(column);
  if (found.empty()) {
    return std::nullopt;
  }
  Parsed<SlurmTres> value = parse_tres(found);
  if (!value) {
    fault(column, value.allowed());
    ok = false;
    return std::nullopt;
  }
  return *value;
}

// GPUs from the TRES list of the wanted side, else the GRES list of that side, else the other
// side. A GRES column that is there but empty means none; an empty TRES list means not known.
bool SacctReader::take_gpus(SacctRow& row) {
  bool ok = true;
  constexpr std::array<SacctColumn, 2> kRequested{SacctColumn::kReqTres, SacctColumn::kReqGres};
  constexpr std::array<SacctColumn, 2> kAllocated{SacctColumn::kAllocTres, SacctColumn::kAllocGres};
  const bool requested_first = context_.options.size == SizeSource::kRequested;
  for (const bool requested : {requested_first, !requested_first}) {
    const auto& [tres_column, gres_column] = requested ? kRequested : kAllocated;
    std::optional<SlurmGpus> gpus;
    if (const auto list = tres(tres_column, ok)) {
      gpus = list->gpus;
    }
    // Slurm before 17.11 has no gres/gpu in TRES unless told to account for it.
    if (!gpus || gpus->count == 0) {
      if (const Cell* const gres = cell(gres_column)) {
        const Parsed<SlurmGpus> value = parse_gres(gres->text);
        if (!value) {
          fault(gres_column, value.allowed());
          ok = false;
        } else if (!gpus || value.value().count > 0) {
          gpus = *value;
        }
      }
    }
    if (gpus && (!row.gpus || (*row.gpus == 0 && gpus->count > 0))) {
      row.gpus = gpus->count;
      // The model that was allocated is no wish; the one that was asked for is.
      row.gpu_models = requested && !gpus->models.empty() ? keep(gpus->models) : std::string_view{};
    }
  }
  return ok;
}

bool SacctReader::take_cpus_and_memory(SacctRow& row) {
  bool ok = true;
  const std::optional<SlurmTres> asked = tres(SacctColumn::kReqTres, ok);
  const std::optional<SlurmTres> got = tres(SacctColumn::kAllocTres, ok);
  const auto first_of = [&](std::initializer_list<SacctColumn> columns) {
    std::optional<std::int64_t> count;
    for (const SacctColumn column : columns) {
      count = count ? count : positive_count(column, ok);
    }
    return count;
  };
  std::optional<std::int64_t> requested = first_of({SacctColumn::kReqCpus});
  std::optional<std::int64_t> allocated = first_of({SacctColumn::kAllocCpus, SacctColumn::kNCpus});
  requested = requested || !asked ? requested : asked->cpus;
  allocated = allocated || !got ? allocated : got->cpus;
  const bool requested_first = context_.options.size == SizeSource::kRequested;
  row.cpus =
      requested_first ? (requested ? requested : allocated) : (allocated ? allocated : requested);

  const std::string_view found = text(SacctColumn::kReqMem);
  const Parsed<SlurmMemory> memory = parse_slurm_memory(found);
  if (!memory) {
    fault(SacctColumn::kReqMem, memory.allowed());
    return false;
  }
  switch (memory.value().scope) {
    case SlurmMemory::Scope::kPerNode:
      row.memory_per_node = memory.value().amount;
      break;
    case SlurmMemory::Scope::kPerCpu:
      if (row.cpus) {
        const Int128 total = Int128{memory.value().amount.raw()} * *row.cpus;
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
        row.memory = bytes(total < kMost ? static_cast<std::int64_t>(total) : kMost);
      }
      break;
    case SlurmMemory::Scope::kTotal:
      row.memory = memory.value().amount;
      break;
    case SlurmMemory::Scope::kUnspecified:
      if (found.empty() && asked && asked->memory && *asked->memory > Bytes{}) {
        row.memory = asked->memory;
      }
      break;
  }
  return ok;
}

bool SacctReader::take_size(SacctRow& row) {
  bool ok = true;
  // Nodes as allocated where the job ran: a request by tasks ("-n 64") names too few.
  std::optional<std::int64_t> nodes;
  for (const SacctColumn column :
       {SacctColumn::kAllocNodes, SacctColumn::kNNodes, SacctColumn::kReqNodes}) {
    nodes = nodes ? nodes : positive_count(column, ok);
  }
  for (const SacctColumn column : {SacctColumn::kAllocTres, SacctColumn::kReqTres}) {
    if (!nodes) {
      const auto list = tres(column, ok);
      nodes = list && list->nodes.value_or(0) > 0 ? list->nodes : nodes;
    }
  }
  if (nodes) {
    row.nodes = static_cast<std::int32_t>(*nodes);
  }
  ok = take_gpus(row) && ok;
  return take_cpus_and_memory(row) && ok;
}

// False: the row does not fit the header; reported.
bool SacctReader::find_cells() {
  fix_ = ExtraCells{};
  const std::size_t cells = columns_.cell_count(rows_.cells());
  if (cells == columns_.size()) {
    return true;
  }
  const std::string wanted = std::to_string(columns_.size()) + " columns, as in the header";
  if (cells < columns_.size()) {
    context_.row_fault(
        rows_.line(), rows_.end_column(), {}, std::to_string(cells) + " columns", wanted);
    return false;
  }
  // With quotes a delimiter in a text has no excuse.
  const auto fix =
      quotes_ ? std::nullopt : columns_.explain_extra_cells(rows_.cells(), cells, calendar_);
  if (!fix) {
    context_.row_fault(rows_.line(),
                       rows_.cells()[columns_.size()].column,
                       {},
                       std::to_string(cells) + " columns",
                       wanted);
    return false;
  }
  fix_ = *fix;
  if (!fix_.taken.empty()) {
    context_.note("delimiter inside a text column (job name, comment): understood", rows_.line());
  }
  return true;
}

void SacctReader::take_texts(SacctRow& row) {
  row.name = text(SacctColumn::kJobName);
  if (const std::size_t extra = columns_.extra_of(SacctColumn::kJobName, fix_); extra > 0) {
    const std::size_t at = *columns_.index_in_row(SacctColumn::kJobName, fix_);
    const std::string_view last = rows_.cells()[at + extra].text;
    const char* const begin = rows_.cells()[at].text.data();
    row.name = {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
  }
  row.user = text(SacctColumn::kUser);
  row.account = text(SacctColumn::kAccount);
  row.partition = text(SacctColumn::kPartition);
  row.partition = row.partition.substr(0, row.partition.find(','));  // the first of several
  row.qos = text(SacctColumn::kQos);
  row.node_list = text(SacctColumn::kNodeList);
}

// Start, end and elapsed time of jobs that never started or have not ended.
void SacctReader::settle_run(SacctRow& row) {
  const Cell* const nodes = cell(SacctColumn::kNodeList);
  const bool none_assigned = nodes != nullptr && equal_ignoring_case(nodes->text, "None assigned");
  const bool cancelled_waiting = row.state.end == RecordedEnd::kCancelled && !row.start;
  if (row.state.pending || none_assigned || cancelled_waiting) {
    // Some versions print the time of the cancellation as start and end of a job that never ran.
    row.start.reset();
    row.end.reset();
    row.elapsed.reset();
    context_.note("never started where it was recorded: has no run time", row.line);
  } else if (row.state.running) {
    row.end.reset();
    context_.note("still running when recorded: the time so far is its run time", row.line);
  }
}

void SacctReader::take_row() {
  const SacctColumn id_column =
      columns_.has(SacctColumn::kJobId) ? SacctColumn::kJobId : SacctColumn::kJobIdRaw;
  fix_ = ExtraCells{};
  const std::size_t id_at = *columns_.index_in_row(id_column, fix_);
  ++context_.info.rows;
  if (const auto& bad = rows_.fault()) {
    context_.row_fault(bad->line, bad->column, {}, bad->found, "cells as in RFC 4180");
    return;
  }
  const auto is_step = [](std::string_view id) {
    return !id.empty() && id.front() >= '0' && id.front() <= '9' &&
           id.find('.') != std::string_view::npos;
  };
  if (id_at < rows_.cells().size() && is_step(rows_.cells()[id_at].text)) {
    context_.note("job step (batch, extern, srun): left out", rows_.line());
    return;
  }
  if (!find_cells()) {
    return;
  }
  SacctRow row;
  row.line = rows_.line();
  row.id = text(id_column);
  if (is_step(row.id)) {
    context_.note("job step (batch, extern, srun): left out", row.line);
    return;
  }
  bool ok = !row.id.empty() && row.id.front() >= '0' && row.id.front() <= '9';
  if (!ok) {
    fault(id_column, "a job's number, such as 12, 12_3, 12_[1-10] or 12+1");
  }
  ok = take_times(row) && ok;
  ok = take_size(row) && ok;
  if (const Cell* const state = cell(SacctColumn::kState)) {
    if (const Parsed<SlurmState> value = parse_slurm_state(state->text)) {
      row.state = *value;
    } else {
      fault(SacctColumn::kState, value.allowed());
      ok = false;
    }
  }
  if (!ok) {
    return;
  }
  take_texts(row);
  settle_run(row);
  if (has_array_tasks(row.id)) {
    expand_array(row);
  } else {
    jobs_.push_back(row);
  }
}

void SacctReader::expand_array(const SacctRow& row) {
  const Parsed<ArrayTasks> array = parse_array_tasks(row.id, kMostArrayTasks - array_tasks_);
  if (!array) {
    fault(columns_.has(SacctColumn::kJobId) ? SacctColumn::kJobId : SacctColumn::kJobIdRaw,
          array.allowed());
    return;
  }
  array_tasks_ += array.value().tasks.size();
  context_.note("job array in one row: a job for each task, without its limit of tasks at once",
                row.line);
  for (const std::int64_t task : array.value().tasks) {
    jobs_.push_back(row);
    jobs_.back().id = keep(std::string(array.value().job) + "_" + std::to_string(task));
  }
}

// sacct --duplicates has a row for each attempt of a requeued job. The last is the job, submitted
// when the first was; the same id with another user or name is another job (ids start again).
void SacctReader::merge_attempts() {
  std::unordered_map<std::string_view, std::size_t> last_of;  // only looked up in, never walked
  last_of.reserve(jobs_.size());
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const auto [at, is_new] = last_of.try_emplace(jobs_[i].id, i);
    if (is_new) {
      continue;
    }
    SacctRow& earlier = jobs_[at->second];
    SacctRow& later = jobs_[i];
    at->second = i;
    if (earlier.user != later.user || earlier.name != later.name) {
      context_.note("id used again by another job: both kept", later.line);
      continue;
    }
    earlier.superseded = true;
    context_.note("earlier attempt of a requeued job: only the last one is the job", earlier.line);
    if (earlier.submit && (!later.submit || *earlier.submit < *later.submit)) {
      later.submit = earlier.submit;
      later.eligible = earlier.eligible;
    }
  }
}

void SacctReader::hand_over() {
  std::optional<std::int64_t> zero;
  for (const SacctRow& row : jobs_) {
    if (row.submit && (!zero || *row.submit < *zero)) {
      zero = row.submit;
    }
  }
  context_.info.zero_is_first_submit = true;
  context_.info.zero_unix_ns = zero;
  context_.info.time_zone = calendar_.zone_name();
  const auto time = [&](const std::optional<std::int64_t>& unix_ns) {
    return unix_ns && zero ? std::optional(SimTime::at(nanoseconds(*unix_ns - *zero)))
                           : std::nullopt;
  };
  for (const SacctRow& row : jobs_) {
    if (row.superseded) {
      continue;
    }
    JobRecord job;
    job.id = row.id;
    job.line = row.line;
    job.submit = time(row.submit);
    if (row.eligible && row.submit && *row.eligible > *row.submit) {
      job.begin = time(row.eligible);
    }
    job.start = time(row.start);
    job.end = time(row.end);
    job.runtime = row.elapsed;
    if (!job.runtime && job.start && job.end && *job.end >= *job.start) {
      job.runtime = *job.end - *job.start;
    }
    job.limit = row.limit;
    job.nodes = row.nodes;
    if (row.gpus) {
      job.gpus = gpus(*row.gpus);
    }
    if (row.cpus) {
      job.cpus = cpus(*row.cpus);
    }
    job.memory = row.memory;
    job.memory_per_node = row.memory_per_node;
    job.gpu_models = row.gpu_models;
    job.profile = row.name;
    job.user = row.user;
    job.account = row.account;
    job.partition = row.partition;
    job.qos = row.qos;
    job.recorded_end = row.state.end;
    job.recorded_nodes = row.node_list;
    context_.sink.record(job);
  }
}

void SacctReader::read() {
  if (!find_header()) {
    return;
  }
  while (rows_.next()) {
    take_row();
  }
  merge_attempts();
  hand_over();
}

// The character that splits the header line into most columns.
char header_delimiter(std::string_view text) {
  std::size_t at = text.find("JobID");
  at = at == std::string_view::npos ? 0 : text.rfind('\n', at) + 1;
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  char best = '|';
  for (const char c : {';', ','}) {
    if (std::count(line.begin(), line.end(), c) > std::count(line.begin(), line.end(), best)) {
      best = c;
    }
  }
  return best;
}

}  // namespace

void read_sacct(ReadContext& context) {
  Parsed<Calendar> calendar = Calendar::in_zone(context.options.time_zone);
  if (!calendar) {
    context.file_fault({}, "--timezone", quoted(context.options.time_zone), calendar.allowed());
    return;
  }
  SacctReader(context, header_delimiter(context.file.text()), calendar.value()).read();
}

}  // namespace weft::formats
