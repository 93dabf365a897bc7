// Any CSV with a header, through a column map ("runtime=Minutes@min"): the last resort for logs no
// other reader knows.

#include <algorithm>
#include <limits>

#include "base/number.hpp"
#include "formats/csv_rows.hpp"
#include "formats/time_zone.hpp"

namespace weft::formats {

namespace {

using workloads::JobRecord;

enum class Kind : std::uint8_t { kText, kTime, kDuration, kThousandths, kCount, kBytes };

struct FieldRule {
  std::string_view name;
  Kind kind;
};
constexpr FieldRule kFields[] = {{"id", Kind::kText},
                                 {"submit", Kind::kTime},
                                 {"begin", Kind::kTime},
                                 {"start", Kind::kTime},
                                 {"end", Kind::kTime},
                                 {"runtime", Kind::kDuration},
                                 {"limit", Kind::kDuration},
                                 {"processors", Kind::kCount},
                                 {"gpus", Kind::kThousandths},
                                 {"nodes", Kind::kCount},
                                 {"gpus_per_node", Kind::kThousandths},
                                 {"cpus", Kind::kThousandths},
                                 {"memory", Kind::kBytes},
                                 {"gpu_model", Kind::kText},
                                 {"profile", Kind::kText},
                                 {"user", Kind::kText},
                                 {"account", Kind::kText},
                                 {"partition", Kind::kText},
                                 {"qos", Kind::kText}};

struct Unit {
  std::string_view name;
  Kind kind;
  std::int64_t factor;  // how many ns, bytes or thousandths one is
};
constexpr Unit kUnits[] = {{"s", Kind::kDuration, kNsPerSecond},
                           {"ns", Kind::kDuration, 1},
                           {"us", Kind::kDuration, 1'000},
                           {"ms", Kind::kDuration, 1'000'000},
                           {"min", Kind::kDuration, 60 * kNsPerSecond},
                           {"h", Kind::kDuration, 3600 * kNsPerSecond},
                           {"d", Kind::kDuration, 86400 * kNsPerSecond},
                           {"B", Kind::kBytes, 1},
                           {"KB", Kind::kBytes, 1'000},
                           {"MB", Kind::kBytes, 1'000'000},
                           {"GB", Kind::kBytes, 1'000'000'000},
                           {"TB", Kind::kBytes, 1'000'000'000'000},
                           {"KiB", Kind::kBytes, std::int64_t{1} << 10},
                           {"MiB", Kind::kBytes, std::int64_t{1} << 20},
                           {"GiB", Kind::kBytes, std::int64_t{1} << 30},
                           {"TiB", Kind::kBytes, std::int64_t{1} << 40},
                           {"milli", Kind::kThousandths, 1}};
constexpr Unit kWhole{"", Kind::kThousandths, 1000};

const FieldRule* find_field(std::string_view name) {
  const auto* const found = std::find_if(
      std::begin(kFields), std::end(kFields), [&](const FieldRule& f) { return f.name == name; });
  return found == std::end(kFields) ? nullptr : found;
}

std::vector<std::string_view> field_words() {
  std::vector<std::string_view> words;
  for (const FieldRule& field : kFields) {
    words.push_back(field.name);
  }
  return words;
}

// The unit of a field's numbers; null if it does not fit the field. "iso" is not asked here.
const Unit* find_unit(Kind kind, std::string_view name) {
  const Kind wanted = kind == Kind::kTime ? Kind::kDuration : kind;
  if (name.empty() && wanted == Kind::kThousandths) {
    return &kWhole;
  }
  for (const Unit& unit : kUnits) {
    if (unit.kind == wanted && (name.empty() || unit.name == name)) {
      return &unit;
    }
  }
  return nullptr;
}

class MappedCsvReader {
 public:
  MappedCsvReader(ReadContext& context, const Calendar& calendar)
      : context_(context), calendar_(calendar), rows_(context) {}

  void read();

 private:
  struct Row {
    JobRecord record;
    std::optional<std::int64_t> times[4];  // submit, begin, start, end
  };

  bool plan();
  bool take_row(Row& row);
  bool amount(std::size_t column, const Unit& unit, std::optional<std::int64_t>& out);
  bool time(std::size_t column, std::optional<std::int64_t>& out);
  void set_text(std::string_view field, std::string_view text, JobRecord& job);
  void set_amount(std::string_view field, std::int64_t value, JobRecord& job);
  void hand_over(std::vector<Row>& rows);

  ReadContext& context_;
  Calendar calendar_;
  CsvRows rows_;
  bool calendar_times_ = false;
};

// Checks the map itself and the header against it.
bool MappedCsvReader::plan() {
  std::vector<CsvColumn> columns;
  bool has_submit = false;
  bool has_size = false;
  for (const ColumnMapping& mapping : context_.options.columns) {
    columns.push_back({mapping.column, true, "a column of the file"});
    has_submit = has_submit || mapping.field == "submit";
    has_size = has_size || mapping.field == "gpus" || mapping.field == "nodes" ||
               mapping.field == "processors" || mapping.field == "cpus";
    calendar_times_ = calendar_times_ || mapping.unit == "iso";
  }
  for (const ColumnMapping& mapping : context_.options.columns) {
    if (calendar_times_ && mapping.unit != "iso" &&
        find_field(mapping.field)->kind == Kind::kTime) {
      context_.file_fault(context_.file.at(0, 0),
                          mapping.field,
                          "a number beside calendar times",
                          "@iso for all times of a map, or for none");
      return false;
    }
  }
  const auto need = [&](bool there, std::string_view field, std::string_view what) {
    if (!there) {
      context_.file_fault(
          context_.file.at(0, 0), std::string(field), "no column mapped to it", std::string(what));
    }
    return there;
  };
  bool ok = need(has_submit,
                 "submit",
                 "submit=COLUMN[@UNIT]; without submission times sizes and run times can only be "
                 "replayed with generated arrivals (weft trace fit)");
  ok = need(has_size, "gpus", "gpus=COLUMN, nodes=COLUMN, cpus=COLUMN or processors=COLUMN") && ok;
  return ok && rows_.read_header(columns);
}

bool MappedCsvReader::amount(std::size_t column,
                             const Unit& unit,
                             std::optional<std::int64_t>& out) {
  std::optional<Duration> number;  // in 10^-9 of the unit
  if (!rows_.read_seconds_cell(column, number)) {
    return false;
  }
  if (!number) {
    return true;
  }
  const Int128 value = Int128{number->raw()} * unit.factor / kNsPerSecond;
  if (value > kMaxSeconds * kNsPerSecond) {
    rows_.fault(column, quoted(rows_.text(column)), "a smaller number");
    return false;
  }
  out = static_cast<std::int64_t>(value);
  return true;
}

bool MappedCsvReader::time(std::size_t column, std::optional<std::int64_t>& out) {
  const std::string& unit = context_.options.columns[column].unit;
  if (unit != "iso") {
    return amount(column, *find_unit(Kind::kTime, unit), out);
  }
  if (rows_.text(column).empty()) {
    return true;
  }
  const Parsed<std::int64_t> parsed = calendar_.unix_ns(rows_.text(column));
  if (!parsed) {
    rows_.fault(column, quoted(rows_.text(column)), parsed.allowed());
    return false;
  }
  out = *parsed;
  return true;
}

void MappedCsvReader::set_text(std::string_view field, std::string_view text, JobRecord& job) {
  struct Target {
    std::string_view field;
    std::string_view JobRecord::*member;
  };
  constexpr Target kTargets[] = {{"id", &JobRecord::id},
                                 {"gpu_model", &JobRecord::gpu_models},
                                 {"profile", &JobRecord::profile},
                                 {"user", &JobRecord::user},
                                 {"account", &JobRecord::account},
                                 {"partition", &JobRecord::partition},
                                 {"qos", &JobRecord::qos}};
  for (const Target& target : kTargets) {
    if (target.field == field) {
      job.*target.member = text;
    }
  }
}

void MappedCsvReader::set_amount(std::string_view field, std::int64_t value, JobRecord& job) {
  if (field == "runtime") {
    job.runtime = nanoseconds(value);
  } else if (field == "limit") {
    job.limit = nanoseconds(value);
  } else if (field == "gpus") {
    job.gpus = gpu_thousandths(value);
  } else if (field == "gpus_per_node") {
    job.gpus_per_node = gpu_thousandths(value);
  } else if (field == "cpus") {
    job.cpus = cpu_thousandths(value);
  } else if (field == "memory") {
    job.memory = bytes(value);
  } else if (field == "nodes") {
    job.nodes = static_cast<std::int32_t>(value);
  } else if (field == "processors") {
    job.requested_processors = value;
  }
}

bool MappedCsvReader::take_row(Row& row) {
  constexpr std::string_view kTimes[] = {"submit", "begin", "start", "end"};
  bool ok = true;
  for (std::size_t i = 0; i < context_.options.columns.size(); ++i) {
    const ColumnMapping& mapping = context_.options.columns[i];
    const Kind kind = find_field(mapping.field)->kind;
    std::optional<std::int64_t> value;
    if (kind == Kind::kText) {
      set_text(mapping.field, rows_.text(i), row.record);
    } else if (kind == Kind::kTime) {
      const auto which = std::find(std::begin(kTimes), std::end(kTimes), mapping.field);
      ok = time(i, row.times[which - std::begin(kTimes)]) && ok;
    } else {
      ok = (kind == Kind::kCount
                ? rows_.read_count(i, std::numeric_limits<std::int32_t>::max(), value)
                : amount(i, *find_unit(kind, mapping.unit), value)) &&
           ok;
      if (value) {
        set_amount(mapping.field, *value, row.record);
      }
    }
  }
  return ok;
}

void MappedCsvReader::hand_over(std::vector<Row>& rows) {
  std::int64_t zero = 0;
  if (calendar_times_) {
    std::optional<std::int64_t> first;
    for (const Row& row : rows) {
      if (row.times[0] && (!first || *row.times[0] < *first)) {
        first = row.times[0];
      }
    }
    zero = first.value_or(0);
    context_.info.zero_is_first_submit = true;
    context_.info.zero_unix_ns = first;
    context_.info.time_zone = calendar_.zone_name();
  }
  const auto at = [&](const std::optional<std::int64_t>& ns) {
    return ns ? std::optional(SimTime::at(nanoseconds(*ns - zero))) : std::nullopt;
  };
  for (Row& row : rows) {
    row.record.submit = at(row.times[0]);
    row.record.begin = at(row.times[1]);
    row.record.start = at(row.times[2]);
    row.record.end = at(row.times[3]);
    context_.sink.record(row.record);
  }
}

void MappedCsvReader::read() {
  if (!plan()) {
    return;
  }
  std::vector<Row> rows;
  while (rows_.next()) {
    Row row;
    row.record.line = rows_.line();
    if (take_row(row)) {
      rows.push_back(row);
    }
  }
  hand_over(rows);
}

}  // namespace

Parsed<ColumnMapping> parse_column_mapping(const std::string& text) {
  using Result = Parsed<ColumnMapping>;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) {
    return Result::refused("FIELD=COLUMN[@UNIT], such as runtime=Minutes@min");
  }
  ColumnMapping mapping;
  mapping.field = text.substr(0, equals);
  mapping.column = text.substr(equals + 1);
  if (const std::size_t at = mapping.column.rfind('@'); at != std::string::npos && at > 0) {
    mapping.unit = mapping.column.substr(at + 1);
    mapping.column.resize(at);
  }
  const FieldRule* const field = find_field(mapping.field);
  if (field == nullptr) {
    return Result::refused(allowed_words(mapping.field, field_words()));
  }
  if (mapping.unit == "iso"
          ? field->kind != Kind::kTime
          : !mapping.unit.empty() && find_unit(field->kind, mapping.unit) == nullptr) {
    return Result::refused("a unit that fits " + mapping.field +
                           ": ns us ms s min h d (times also iso), B KB MB GB TB KiB MiB GiB TiB, "
                           "milli");
  }
  return mapping;
}

void read_mapped_csv(ReadContext& context) {
  if (context.options.columns.empty()) {
    context.file_fault(context.file.at(0, 0),
                       {},
                       "no column map",
                       "a map of columns, such as submit=Start@iso runtime=Seconds gpus=GPUs");
    return;
  }
  for (const ColumnMapping& mapping : context.options.columns) {
    const Parsed<ColumnMapping> sound = parse_column_mapping(
        mapping.field + "=" + mapping.column + (mapping.unit.empty() ? "" : "@" + mapping.unit));
    if (!sound) {
      context.file_fault(context.file.at(0, 0),
                         "columns",
                         quoted(mapping.field + "=" + mapping.column),
                         sound.allowed());
      return;
    }
  }
  Parsed<Calendar> zone = Calendar::in_zone(context.options.time_zone);
  if (!zone) {
    context.file_fault({}, "--timezone", quoted(context.options.time_zone), zone.allowed());
    return;
  }
  MappedCsvReader(context, zone.value()).read();
}

}  // namespace weft::formats
