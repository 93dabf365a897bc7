#include "formats/sacct_columns.hpp"

#include <algorithm>

#include "formats/sacct_fields.hpp"

namespace weft::formats {

namespace {

constexpr std::string_view kNames[] = {
    "JobID",        "JobIDRaw", "JobName", "Partition",  "Account",  "User",       "QOS",
    "Submit",       "Eligible", "Start",   "End",        "Elapsed",  "ElapsedRaw", "Timelimit",
    "TimelimitRaw", "State",    "NNodes",  "AllocNodes", "ReqNodes", "NCPUS",      "AllocCPUS",
    "ReqCPUS",      "ReqMem",   "ReqTRES", "AllocTRES",  "ReqGRES",  "AllocGRES",  "NodeList"};
static_assert(std::size(kNames) == kSacctColumns);

// Columns that hold free text.
constexpr std::string_view kTextColumns[] = {"SubmitLine",
                                             "JobName",
                                             "Comment",
                                             "AdminComment",
                                             "SystemComment",
                                             "WorkDir",
                                             "Extra",
                                             "Reason",
                                             "Container",
                                             "Constraints",
                                             "StdOut",
                                             "StdErr",
                                             "StdIn"};
// Columns weft does not read but whose look tells whether a row is in step.
constexpr std::string_view kNumberColumns[] = {
    "UID", "GID", "NTasks", "Priority", "CPUTimeRAW", "AssocID", "DBIndex", "ResvCPURAW"};
constexpr std::string_view kDurationColumns[] = {"CPUTime",
                                                 "Suspended",
                                                 "SystemCPU",
                                                 "UserCPU",
                                                 "TotalCPU",
                                                 "Reserved",
                                                 "Planned",
                                                 "ResvCPU",
                                                 "AveCPU",
                                                 "MinCPU"};
constexpr std::string_view kExitCodeColumns[] = {"ExitCode", "DerivedExitCode"};

template <std::size_t N>
bool among(const std::string_view (&names)[N], std::string_view name) {
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view known) {
    return equal_ignoring_case(known, name);
  });
}

bool is_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_known_look(SacctColumn column, std::string_view text, Calendar& calendar) {
  switch (column) {
    case SacctColumn::kJobId:
    case SacctColumn::kJobIdRaw:
      return !text.empty() && text.front() >= '0' && text.front() <= '9';
    case SacctColumn::kSubmit:
    case SacctColumn::kEligible:
    case SacctColumn::kStart:
    case SacctColumn::kEnd:
      return is_no_value(text) || is_digits(text) || calendar.unix_ns(text).ok();
    case SacctColumn::kElapsed:
      return is_no_value(text) || parse_slurm_duration(text, BareNumber::kRefused).ok();
    case SacctColumn::kTimelimit:
    case SacctColumn::kTimelimitRaw:
      return parse_slurm_limit(text, BareNumber::kMinutes).ok();
    case SacctColumn::kState:
      return parse_slurm_state(text).ok();
    case SacctColumn::kElapsedRaw:
    case SacctColumn::kNNodes:
    case SacctColumn::kAllocNodes:
    case SacctColumn::kReqNodes:
    case SacctColumn::kNCpus:
    case SacctColumn::kAllocCpus:
    case SacctColumn::kReqCpus:
      return is_no_value(text) || is_digits(text);
    case SacctColumn::kReqMem:
      return parse_slurm_memory(text).ok();
    case SacctColumn::kReqTres:
    case SacctColumn::kAllocTres:
      return parse_tres(text).ok();
    default:
      return true;
  }
}

}  // namespace

std::string_view to_string(SacctColumn column) {
  return kNames[static_cast<std::size_t>(column)];
}

SacctColumns::SacctColumns(const std::vector<Cell>& header) {
  std::vector<Cell> cells = header;
  closed_ = cells.size() > 1 && cells.back().text.empty();
  if (closed_) {
    cells.pop_back();
  }
  names_ = ColumnNames(cells);
  for (std::size_t i = 0; i < kSacctColumns; ++i) {
    position_[i] = names_.find(kNames[i]);
  }
  for (const std::string& name : names_.names()) {
    kinds_.push_back(kind_of(name));
  }
}

SacctColumns::Kind SacctColumns::kind_of(std::string_view name) {
  if (among(kTextColumns, name)) {
    return {Look::kText};
  }
  for (std::size_t i = 0; i < kSacctColumns; ++i) {
    if (equal_ignoring_case(name, kNames[i])) {
      return {Look::kKnown, static_cast<SacctColumn>(i)};
    }
  }
  if (among(kNumberColumns, name)) {
    return {Look::kNumber};
  }
  if (among(kDurationColumns, name)) {
    return {Look::kDuration};
  }
  return {among(kExitCodeColumns, name) ? Look::kExitCode : Look::kAny};
}

bool SacctColumns::looks_right(const Kind& kind, std::string_view text, Calendar& calendar) {
  switch (kind.look) {
    case Look::kKnown:
      return is_known_look(kind.column, text, calendar);
    case Look::kNumber:
      return is_digits(text);
    case Look::kDuration:
      return is_no_value(text) || parse_slurm_duration(text, BareNumber::kSeconds).ok();
    case Look::kExitCode:
      return text.empty() || (text.find(':') != std::string_view::npos &&
                              text.find_first_not_of("0123456789:") == std::string_view::npos);
    case Look::kText:
    case Look::kAny:
      return true;
  }
  return true;
}

std::size_t ExtraCells::before(std::size_t column) const {
  std::size_t cells = 0;
  for (const Taken& t : taken) {
    cells += t.column < column ? t.cells : 0;
  }
  return cells;
}

std::size_t ExtraCells::of(std::size_t column) const {
  for (const Taken& t : taken) {
    if (t.column == column) {
      return t.cells;
    }
  }
  return 0;
}

std::optional<std::size_t> SacctColumns::index_in_row(SacctColumn column,
                                                      const ExtraCells& fix) const {
  const auto& at = position(column);
  if (!at) {
    return std::nullopt;
  }
  return *at + fix.before(*at);
}

const Cell* SacctColumns::cell(SacctColumn column,
                               const std::vector<Cell>& row,
                               const ExtraCells& fix) const {
  const auto at = index_in_row(column, fix);
  return at ? &row[*at] : nullptr;
}

std::size_t SacctColumns::cell_count(const std::vector<Cell>& row) const {
  return closed_ && row.back().text.empty() ? row.size() - 1 : row.size();
}

std::vector<MissingColumn> SacctColumns::missing() const {
  std::vector<MissingColumn> result;
  const auto need = [&](std::initializer_list<SacctColumn> any_of, std::string instead) {
    const bool found =
        std::any_of(any_of.begin(), any_of.end(), [&](SacctColumn column) { return has(column); });
    if (!found) {
      result.push_back({std::string(to_string(*any_of.begin())), std::move(instead)});
    }
  };
  using C = SacctColumn;
  need({C::kSubmit}, "Eligible stands for the submission");
  need({C::kEligible}, "jobs may start from their submission on");
  need({C::kElapsed, C::kElapsedRaw}, "the run time is End minus Start");
  need({C::kStart}, "recorded starts are not known");
  need({C::kEnd}, "recorded ends are not known");
  need({C::kState}, "every job counts as completed when its run time is over");
  need({C::kTimelimit, C::kTimelimitRaw}, "the default for missing limits applies");
  need({C::kNNodes, C::kAllocNodes, C::kReqNodes, C::kReqTres, C::kAllocTres},
       "jobs may spread over any number of nodes");
  need({C::kReqCpus, C::kAllocCpus, C::kNCpus, C::kReqTres, C::kAllocTres}, "CPUs do not bind");
  need({C::kReqMem, C::kReqTres}, "memory does not bind");
  if (!has(C::kReqTres) && !has(C::kAllocTres)) {
    const bool gres = has(C::kReqGres) || has(C::kAllocGres);
    result.push_back({"ReqTRES",
                      gres ? "GPU counts come from GRES, which leaves out jobs that asked with "
                             "--gpus or --gpus-per-node"
                           : "GPU counts are not known"});
  }
  need({C::kUser}, "jobs have no user");
  need({C::kAccount}, "jobs have no account");
  need({C::kPartition}, "jobs may use any node");
  need({C::kQos}, "jobs have no QOS");
  return result;
}

std::optional<ExtraCells> SacctColumns::explain_extra_cells(const std::vector<Cell>& row,
                                                            std::size_t cells,
                                                            Calendar& calendar) const {
  constexpr std::size_t kMostExtra = 64;
  const std::size_t extra = cells - size();
  if (extra > kMostExtra) {
    return std::nullopt;
  }
  // From the last column to the first: fits[c][used] says that columns c.. can be matched when the
  // columns before c have taken `used` of the extra cells; step is what column c takes then.
  const std::size_t width = extra + 1;
  std::vector<char> fits((size() + 1) * width, 0);
  std::vector<std::uint8_t> step(size() * width, 0);
  fits[size() * width + extra] = 1;
  for (std::size_t column = size(); column-- > 0;) {
    for (std::size_t used = 0; used <= extra; ++used) {
      const std::size_t most = kinds_[column].look == Look::kText ? extra - used : 0;
      for (std::size_t take = 0; take <= most; ++take) {
        if (fits[(column + 1) * width + used + take] != 0 &&
            looks_right(kinds_[column], row[column + used].text, calendar)) {
          fits[column * width + used] = 1;
          step[column * width + used] = static_cast<std::uint8_t>(take);
          break;
        }
      }
    }
  }
  if (fits[0] == 0) {
    // Rows that are closed by a delimiter under a header that is not.
    bool closed = extra == 1 && row.back().text.empty();
    for (std::size_t column = 0; column < size() && closed; ++column) {
      closed = looks_right(kinds_[column], row[column].text, calendar);
    }
    return closed ? std::optional(ExtraCells{}) : std::nullopt;
  }
  ExtraCells fix;
  std::size_t used = 0;
  for (std::size_t column = 0; column < size(); ++column) {
    if (const std::size_t take = step[column * width + used]; take > 0) {
      fix.taken.push_back({column, take});
      used += take;
    }
  }
  return fix;
}

}  // namespace weft::formats
