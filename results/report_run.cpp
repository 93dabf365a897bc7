#include "results/report_run.hpp"

#include <algorithm>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "results/report_csv.hpp"
#include "results/report_text.hpp"

namespace weft::results::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostTableRows = 20;
constexpr std::size_t kMostProvenanceRows = 300;
constexpr int kGpuSecondDecimals = 12;  // thousandths of a GPU x nanoseconds
constexpr int kDollarDecimals = 6;

// "12.5" as an integer of 10^-decimals, exactly. Refuses signs, exponents and more decimals.
std::optional<Int128> parse_exact(std::string_view text, int decimals) {
  constexpr std::size_t kMostDigits = 36;  // 10^36 < 2^127
  Int128 value = 0;
  std::size_t digits = 0;
  int after_point = -1;
  for (const char c : text) {
    if (c == '.' && after_point < 0 && digits > 0) {
      after_point = 0;
    } else if (c >= '0' && c <= '9' &&
               ++digits <= kMostDigits - static_cast<std::size_t>(decimals)) {
      value = value * 10 + (c - '0');
      after_point += after_point >= 0 ? 1 : 0;
    } else {
      return std::nullopt;
    }
  }
  if (digits == 0 || after_point > decimals) {
    return std::nullopt;
  }
  for (int i = std::max(after_point, 0); i < decimals; ++i) {
    value *= 10;
  }
  return value;
}

Json read_json(const std::string& path) {
  const MappedFile file(path);
  const std::string_view text = file.text();
  const auto refuse = [&](std::size_t byte, const std::string& found, const char* allowed) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line =
        static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
    const auto column = static_cast<std::uint32_t>(before.size() - (before.rfind('\n') + 1) + 1);
    throw InputErrors({InputError{
        Source{std::make_shared<const std::string>(path), line, column}, "", found, allowed}});
  };
  // Depth is bounded before the parser and our own recursion see it.
  constexpr int kMostDepth = 64;
  const auto within_depth = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMostDepth) {
      throw std::length_error("nesting");
    }
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, within_depth);
  } catch (const Json::parse_error& error) {
    refuse(error.byte > 0 ? error.byte - 1 : 0, "broken JSON", "one JSON object");
  } catch (const Json::exception& error) {  // numbers beyond a double
    refuse(0, error.what(), "one JSON object");
  } catch (const std::length_error&) {
    refuse(0, "JSON nested more than 64 deep", "one JSON object");
  }
  if (!json.is_object()) {
    refuse(0, json.type_name(), "one JSON object");
  }
  return json;
}

std::string scalar_text(const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_scalar(const Json& value) {
  return !value.is_object() && !value.is_array();
}

std::string joined(const Json& array) {
  std::string text;
  for (const Json& element : array) {
    text += (text.empty() ? "" : ", ") + scalar_text(element);
  }
  return text;
}

void flatten(const std::string& key,
             const Json& value,
             std::vector<std::pair<std::string, std::string>>& rows) {
  if (rows.size() >= kMostProvenanceRows) {
    return;
  }
  if (is_scalar(value)) {
    if (!value.is_null()) {
      rows.emplace_back(key, scalar_text(value));
    }
  } else if (value.is_array() && std::all_of(value.begin(), value.end(), is_scalar)) {
    rows.emplace_back(key, joined(value));
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      flatten(key + "[" + std::to_string(i) + "]", value[i], rows);
    }
  } else {
    for (const auto& [name, part] : value.items()) {
      flatten(key.empty() ? name : key + "." + name, part, rows);
    }
  }
}

// Import decisions have a table of their own; the rest is provenance.
void read_manifest(const std::string& path, RunReport& run) {
  Json json = read_json(path);
  if (const auto decisions = json.find("import_decisions"); decisions != json.end()) {
    for (const Json& entry : *decisions) {
      if (entry.is_object() && entry.contains("decision") && entry.contains("count")) {
        run.decisions.emplace_back(scalar_text(entry["decision"]), scalar_text(entry["count"]));
      }
    }
    json.erase("import_decisions");
  }
  std::vector<std::pair<std::string, std::string>> rows;
  flatten("", json, rows);
  for (auto& row : rows) {
    run.timeline_binned_in_file =
        run.timeline_binned_in_file || (row.first == "timeline" && row.second == "binned");
    run.provenance.push_back(std::move(row));
  }
}

void read_summary(const std::string& path, RunReport& run) {
  const Json json = read_json(path);
  for (const auto& [key, value] : json.items()) {
    if (is_scalar(value) && !value.is_null()) {
      run.summary[key] = scalar_text(value);
    }
  }
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

// The first rows by the first column that speaks of GPU time (or as they stand).
TextTable read_text_table(const std::string& path) {
  TextTable table;
  if (!exists(path)) {
    return table;
  }
  CsvReader csv(path);
  table.header = csv.header();
  std::size_t by = csv.find("gpu_seconds");
  for (const char* other : {"gpu_hours", "jobs"}) {
    by = by == CsvReader::kNoColumn ? csv.find(other) : by;
  }
  std::vector<std::pair<double, std::vector<std::string>>> rows;
  while (csv.next()) {
    std::vector<std::string> row;
    for (std::size_t c = 0; c < table.header.size(); ++c) {
      row.emplace_back(csv.field(c));
    }
    rows.emplace_back(csv.number(by).value_or(0), std::move(row));
  }
  csv.finish();
  table.rows_in_file = static_cast<std::int64_t>(rows.size());
  std::stable_sort(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  rows.resize(std::min(rows.size(), kMostTableRows));
  for (auto& row : rows) {
    table.rows.push_back(std::move(row.second));
  }
  return table;
}

void check_folder(const std::string& folder) {
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    throw InputErrors({InputError{whole_file(folder),
                                  "",
                                  exists(folder) ? "not a folder" : "nothing",
                                  "the output folder of a finished run"}});
  }
  std::vector<InputError> missing;
  for (const char* file :
       {"summary.json", "jobs.csv", "timeline.csv", "ledger.csv", "manifest.json"}) {
    if (!exists(folder + "/" + file)) {
      missing.push_back(
          {whole_file(folder + "/" + file), "", "nothing", "a file that a finished run writes"});
    }
  }
  const std::string manifest = folder + "/manifest.json";
  const Json known = missing.empty() || !exists(manifest) ? Json::object() : read_json(manifest);
  if (const auto state = known.find("state"); state != known.end() && *state == "running") {
    throw InputErrors({InputError{whole_file(manifest),
                                  "state",
                                  "'running': the run goes on, or was killed",
                                  "the output folder of a finished run"}});
  }
  if (!missing.empty()) {
    throw InputErrors(std::move(missing));
  }
}

// jobs.csv has all jobs, also of a run that measured only a part of its time; the summary then
// counts fewer, those submitted in the part that the ledger covers.
void read_jobs_of(RunReport& run, const std::vector<GanttLane>& lanes, std::size_t detail_limit) {
  const std::string path = run.folder + "/jobs.csv";
  GanttBuilder gantt(lanes, run.timeline.begin, run.timeline.end, detail_limit);
  run.jobs = read_jobs(path, gantt, std::nullopt);
  const std::optional<double> counted = run.number({"nb_jobs"});
  if (counted && *counted < static_cast<double>(run.jobs.rows)) {
    GanttBuilder again(lanes, run.timeline.begin, run.timeline.end, detail_limit);
    const double begin = run.number({"horizon_begin_s"}).value_or(run.timeline.begin);
    const double length = run.number({"horizon_s"}).value_or(run.timeline.end - begin);
    run.jobs = read_jobs(path, again, TimeSpan{begin, begin + length});
  }
}

std::string label_of(std::string_view account) {
  std::string label(account);
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

std::optional<std::size_t> account_named(std::string_view name) {
  for (std::size_t i = 0; i < kAccounts; ++i) {
    if (to_string(account_at(i)) == name) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

double gpu_seconds(GpuTime time) {
  return static_cast<double>(time.raw()) * 1e-12;
}

double in_dollars(Money money) {
  return static_cast<double>(money.raw()) * 1e-6;
}

double LedgerSums::seconds(AccountGroup group) const {
  GpuTime sum;
  for (const AccountSum& account : accounts) {
    sum += account.group == group ? account.time : GpuTime();
  }
  return gpu_seconds(sum);
}

double LedgerSums::total_seconds() const {
  return gpu_seconds(total);
}

std::optional<double> LedgerSums::dollars(AccountGroup group) const {
  if (!cost) {
    return std::nullopt;
  }
  Money sum;
  for (const AccountSum& account : accounts) {
    sum += account.group == group ? account.cost.value_or(Money()) : Money();
  }
  return in_dollars(sum);
}

LedgerSums read_ledger(const std::string& path) {
  CsvReader csv(path);
  const std::size_t account = csv.require("account");
  const std::size_t time = csv.require("gpu_seconds");
  const std::size_t cost = csv.find("cost_usd");
  csv.finish();
  LedgerSums sums;
  std::vector<GpuTime> times(kAccounts);
  std::vector<Money> costs(kAccounts);
  std::optional<GpuTime> written_total;
  bool all_priced = true;
  while (csv.next()) {
    const std::string_view name = csv.field(account);
    const std::optional<Int128> parsed = parse_exact(csv.field(time), kGpuSecondDecimals);
    const std::optional<std::size_t> index = account_named(name);
    if (!parsed) {
      csv.fault(time, "GPU-seconds as a decimal with at most 12 decimals");
      continue;
    }
    if (name == "total") {
      written_total = GpuTime::from_raw(*parsed);
      continue;
    }
    if (!index) {
      csv.fault(account, "an account of the ledger, or total");
      continue;
    }
    times[*index] += GpuTime::from_raw(*parsed);
    sums.total += GpuTime::from_raw(*parsed);
    if (csv.field(cost).empty()) {
      all_priced = all_priced && *parsed == 0;
      continue;
    }
    const std::optional<Int128> money = parse_exact(csv.field(cost), kDollarDecimals);
    if (!money || *money > INT64_MAX / 1024) {
      csv.fault(cost, "dollars as a decimal with at most 6 decimals, or nothing");
    } else {
      costs[*index] += Money::from_raw(static_cast<std::int64_t>(*money));
    }
  }
  csv.finish();
  all_priced = all_priced && cost != CsvReader::kNoColumn && sums.total.raw() > 0;
  Money total_cost;
  for (std::size_t i = 0; i < kAccounts; ++i) {
    if (times[i].raw() != 0) {
      const std::string_view name = to_string(account_at(i));
      sums.accounts.push_back({std::string(name),
                               label_of(name),
                               group_of(account_at(i)),
                               times[i],
                               all_priced ? std::optional(costs[i]) : std::nullopt});
    }
    total_cost += costs[i];
  }
  if (all_priced) {
    sums.cost = total_cost;
  }
  if (written_total && *written_total != sums.total) {
    sums.warning = "The rows of ledger.csv do not sum to its total row.";
  }
  return sums;
}

std::vector<GanttLane> read_lanes(const std::string& path) {
  std::vector<GanttLane> lanes;
  if (!exists(path)) {
    return lanes;
  }
  CsvReader csv(path);
  std::size_t name = csv.find("node");
  name = name == CsvReader::kNoColumn ? csv.find("name") : name;
  const std::size_t gpus = csv.find("gpus");
  if (name == CsvReader::kNoColumn || gpus == CsvReader::kNoColumn) {
    return lanes;
  }
  const std::size_t first = csv.find("first_gpu");
  double next = 0;
  while (csv.next()) {
    const double count = csv.number(gpus).value_or(0);
    if (count < 0 || count > 1e7) {
      csv.fault(gpus, "0 to 10000000");
      continue;
    }
    const double begin = csv.number(first).value_or(next);
    lanes.push_back({std::string(csv.field(name)),
                     static_cast<std::int64_t>(begin),
                     static_cast<std::int64_t>(count)});
    next = begin + count;
  }
  csv.finish();
  std::erase_if(lanes, [](const GanttLane& lane) { return lane.gpus == 0; });
  return lanes;
}

std::optional<double> RunReport::number(std::initializer_list<const char*> keys) const {
  for (const char* key : keys) {
    const auto it = summary.find(key);
    if (it != summary.end()) {
      return parse_number(it->second);
    }
  }
  return std::nullopt;
}

RunReport read_run(const std::string& folder, const std::string& name, std::size_t detail_limit) {
  check_folder(folder);
  RunReport run;
  run.folder = folder;
  run.name = name;
  read_summary(folder + "/summary.json", run);
  read_manifest(folder + "/manifest.json", run);
  run.ledger = read_ledger(folder + "/ledger.csv");
  run.timeline = read_timeline(folder + "/timeline.csv");
  std::vector<GanttLane> lanes = read_lanes(folder + "/nodes.csv");
  if (lanes.empty() && run.timeline.installed_gpus >= 1) {
    lanes.push_back({"cluster", 0, static_cast<std::int64_t>(run.timeline.installed_gpus)});
  }
  run.timeline.binned = run.timeline.binned || run.timeline_binned_in_file;
  read_jobs_of(run, lanes, detail_limit);
  run.users = read_text_table(folder + "/users.csv");
  run.accounts = read_text_table(folder + "/accounts.csv");
  return run;
}

}  // namespace weft::results::report
