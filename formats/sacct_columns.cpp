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

// Columns that hold free text, in the order in which they are suspected.
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

bool is_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool looks_like(SacctColumn column, std::string_view text, Calendar& calendar) {
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

// Columns weft does not read but whose look tells whether a row is in step.
bool other_looks_like(std::string_view name, std::string_view text) {
  for (const std::string_view number : {"UID", "GID", "NTasks", "Priority", "CPUTimeRAW"}) {
    if (equal_ignoring_case(name, number)) {
      return is_digits(text);
    }
  }
  if (equal_ignoring_case(name, "ExitCode") || equal_ignoring_case(name, "DerivedExitCode")) {
    return text.empty() || (text.find(':') != std::string_view::npos &&
                            text.find_first_not_of("0123456789:") == std::string_view::npos);
  }
  return true;
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
}

std::optional<std::size_t> SacctColumns::index_in_row(SacctColumn column,
                                                      const ExtraCells& fix) const {
  const auto& at = position(column);
  if (!at) {
    return std::nullopt;
  }
  return *at > fix.text_column ? *at + fix.extra : *at;
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

bool SacctColumns::plausible(const std::vector<Cell>& row,
                             const ExtraCells& fix,
                             Calendar& calendar) const {
  for (std::size_t i = 0; i < kSacctColumns; ++i) {
    const auto column = static_cast<SacctColumn>(i);
    const Cell* const found = cell(column, row, fix);
    if (found != nullptr && position(column) != fix.text_column &&
        !looks_like(column, found->text, calendar)) {
      return false;
    }
  }
  for (std::size_t i = 0; i < size(); ++i) {
    const std::size_t at = i > fix.text_column ? i + fix.extra : i;
    if (i != fix.text_column && !other_looks_like(names_.name(i), row[at].text)) {
      return false;
    }
  }
  return true;
}

std::optional<ExtraCells> SacctColumns::explain_extra_cells(const std::vector<Cell>& row,
                                                            std::size_t cells,
                                                            Calendar& calendar) const {
  const std::size_t extra = cells - size();
  for (const std::string_view name : kTextColumns) {
    const auto at = names_.find(name);
    if (at && plausible(row, {*at, extra}, calendar)) {
      return ExtraCells{*at, extra};
    }
  }
  // Rows that are closed by a delimiter under a header that is not.
  const ExtraCells none;
  if (extra == 1 && row.back().text.empty() && plausible(row, none, calendar)) {
    return none;
  }
  return std::nullopt;
}

}  // namespace weft::formats
