#include "formats/sacct_fields.hpp"

#include <algorithm>
#include <limits>

#include "base/errors.hpp"
#include "base/number.hpp"
#include "formats/delimited.hpp"

namespace weft::formats {

namespace {

constexpr std::int64_t kMostCount = 1'000'000'000;  // GPUs, CPUs or nodes of one job

// A whole number from 0 to `most`; -1 otherwise.
std::int64_t whole_number(std::string_view text, std::int64_t most) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  if (text.empty() || text.front() == '-' || read_int64(text.data(), end, value) != end ||
      value > most) {
    return -1;
  }
  return value;
}

// Splits at `separator`, but not inside brackets.
std::vector<std::string_view> split_outside_brackets(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == separator && depth == 0)) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (text[i] == '(' || text[i] == '[') {
      ++depth;
    } else if ((text[i] == ')' || text[i] == ']') && depth > 0) {
      --depth;
    }
  }
  return parts;
}

constexpr std::string_view kDurationForms = "[d-]hh:mm:ss, mm:ss or d-hh[:mm]";

std::string duration_forms(BareNumber bare) {
  switch (bare) {
    case BareNumber::kMinutes:
      return std::string(kDurationForms) + " or a number of minutes";
    case BareNumber::kSeconds:
      return "a number of seconds";
    case BareNumber::kRefused:
      break;
  }
  return std::string(kDurationForms) + "; a number alone would not say its unit";
}

// "16", "2.5G", "500M": MiB without a letter, as everywhere in Slurm.
bool read_size(std::string_view text, Bytes& out) {
  int shift = 20;
  if (!text.empty()) {
    switch (text.back()) {
      case 'K':
      case 'k':
        shift = 10;
        break;
      case 'M':
      case 'm':
        break;
      case 'G':
      case 'g':
        shift = 30;
        break;
      case 'T':
      case 't':
        shift = 40;
        break;
      case 'P':
      case 'p':
        shift = 50;
        break;
      default:
        shift = -1;
    }
    if (shift < 0) {
      shift = 20;
    } else {
      text.remove_suffix(1);
    }
  }
  // Decimal digits as read for seconds: exact in units of 10^-9.
  Duration number;
  const char* const end = text.data() + text.size();
  if (text.empty() || read_seconds(text.data(), end, number) != end) {
    return false;
  }
  const Int128 amount = (Int128{number.raw()} << shift) / kNsPerSecond;
  if (amount > std::numeric_limits<std::int64_t>::max() / 4) {
    return false;
  }
  out = bytes(static_cast<std::int64_t>(amount));
  return true;
}

void add_model(SlurmGpus& gpus, std::string_view model) {
  if (model.empty() || model == "(null)") {
    return;
  }
  if (!gpus.models.empty()) {
    gpus.models += '|';
  }
  gpus.models += model;
}

}  // namespace

bool is_no_value(std::string_view text) {
  for (const std::string_view word :
       {"unknown", "none", "n/a", "(null)", "none assigned", "invalid"}) {
    if (equal_ignoring_case(text, word)) {
      return true;
    }
  }
  return text.empty();
}

Parsed<Duration> parse_slurm_duration(std::string_view text, BareNumber bare) {
  const auto refused = [&] { return Parsed<Duration>::refused(duration_forms(bare)); };
  std::string_view rest = trimmed(text);
  std::int64_t day_count = 0;
  const std::size_t dash = rest.find('-');
  if (dash != std::string_view::npos) {
    day_count = whole_number(rest.substr(0, dash), kMaxSeconds / 86400);
    if (day_count < 0) {
      return refused();
    }
    rest.remove_prefix(dash + 1);
  }
  std::vector<std::string_view> parts = split_outside_brackets(rest, ':');
  if (parts.size() > 3) {
    return refused();
  }
  if (parts.size() == 1 && dash == std::string_view::npos) {
    Duration number;
    const char* const end = rest.data() + rest.size();
    if (bare == BareNumber::kRefused || rest.empty() ||
        read_seconds(rest.data(), end, number) != end) {
      return refused();
    }
    const std::int64_t unit = bare == BareNumber::kMinutes ? 60 : 1;
    return number.raw() > kMaxSeconds * kNsPerSecond / unit ? refused()
                                                            : Parsed<Duration>(number * unit);
  }
  // With days the first part is hours; without, two parts are minutes and seconds.
  const bool starts_with_hours = dash != std::string_view::npos || parts.size() == 3;
  std::int64_t unit = starts_with_hours ? 3600 : 60;
  Duration total = days(day_count);
  for (std::size_t i = 0; i < parts.size(); ++i, unit /= 60) {
    Duration value;
    const char* const end = parts[i].data() + parts[i].size();
    const bool whole = parts[i].find_first_not_of("0123456789") == std::string_view::npos;
    if (parts[i].empty() || (!whole && unit != 1) ||
        read_seconds(parts[i].data(), end, value) != end) {
      return refused();
    }
    // Only the leading part may pass the next unit: 90:00 is 90 minutes.
    const bool leading = i == 0 && dash == std::string_view::npos;
    const std::int64_t below = unit == 3600 ? 24 : 60;
    const std::int64_t most = leading ? kMaxSeconds / unit : below;
    if (value > seconds(most) || (!leading && value == seconds(below))) {
      return refused();
    }
    total += value * unit;
  }
  return total > seconds(kMaxSeconds) ? refused() : Parsed<Duration>(total);
}

Parsed<std::optional<Duration>> parse_slurm_limit(std::string_view text, BareNumber bare) {
  using Limit = std::optional<Duration>;
  if (equal_ignoring_case(text, "unlimited") || equal_ignoring_case(text, "infinite") ||
      text == "-1") {
    return Limit(kUnlimited);
  }
  if (is_no_value(text) || equal_ignoring_case(text, "partition_limit") ||
      equal_ignoring_case(text, "partition_l+") || equal_ignoring_case(text, "not_set")) {
    return Limit();
  }
  const Parsed<Duration> limit = parse_slurm_duration(text, bare);
  if (!limit) {
    return Parsed<Limit>::refused(limit.allowed() + ", UNLIMITED or Partition_Limit");
  }
  return Limit(*limit);
}

Parsed<SlurmMemory> parse_slurm_memory(std::string_view text) {
  SlurmMemory memory;
  if (is_no_value(text) || text == "?") {
    return memory;
  }
  std::string_view number = text;
  memory.scope = SlurmMemory::Scope::kTotal;
  if (number.back() == 'c' || number.back() == 'n') {
    memory.scope =
        number.back() == 'c' ? SlurmMemory::Scope::kPerCpu : SlurmMemory::Scope::kPerNode;
    number.remove_suffix(1);
  }
  if (!read_size(number, memory.amount)) {
    return Parsed<SlurmMemory>::refused(
        "a number with K, M, G, T or P and c (per core) or n (per node), such as 4000Mc");
  }
  if (memory.amount == Bytes{}) {
    memory.scope = SlurmMemory::Scope::kUnspecified;
  }
  return memory;
}

Parsed<SlurmGpus> parse_gres(std::string_view text) {
  SlurmGpus gpus;
  if (is_no_value(text)) {
    return gpus;
  }
  constexpr std::string_view kForms = "gpu[:model]:count, with (S:...) or (IDX:...) behind it";
  for (std::string_view entry : split_outside_brackets(text, ',')) {
    for (const std::string_view prefix : {"gres:", "gres/"}) {
      if (entry.starts_with(prefix)) {
        entry.remove_prefix(prefix.size());
      }
    }
    if (entry != "gpu" && !entry.starts_with("gpu:")) {
      continue;
    }
    // A socket or index list closes the entry; a "(null)" for the model stands before the count.
    const std::size_t list = entry.rfind('(');
    if (list != std::string_view::npos && entry.back() == ')' &&
        entry.find(':', list) != std::string_view::npos && entry.substr(list) != "(null)") {
      entry = trimmed(entry.substr(0, list));
    }
    const std::vector<std::string_view> parts = split_outside_brackets(entry, ':');
    std::int64_t count = 1;
    if (parts.size() > 1) {
      count = whole_number(parts.back(), kMostCount);
    }
    const bool model_alone = parts.size() == 2 && count < 0 && !parts[1].empty() &&
                             (parts[1].front() < '0' || parts[1].front() > '9') &&
                             parts[1].front() != '-';
    if (model_alone) {
      count = 1;  // "gpu:h100": one of them
    }
    if (count < 0 || parts.size() > 3) {
      return Parsed<SlurmGpus>::refused(std::string(kForms));
    }
    gpus.count += count;
    if (model_alone || parts.size() == 3) {
      add_model(gpus, parts[1]);
    }
    if (gpus.count > kMostCount) {
      return Parsed<SlurmGpus>::refused("at most " + std::to_string(kMostCount) + " GPUs");
    }
  }
  return gpus;
}

Parsed<SlurmTres> parse_tres(std::string_view text) {
  SlurmTres tres;
  if (is_no_value(text)) {
    return tres;
  }
  const auto refused = [](std::string_view what) {
    return Parsed<SlurmTres>::refused("name=value pairs with a whole number for " +
                                      std::string(what));
  };
  std::int64_t untyped = -1;
  std::int64_t typed = 0;
  for (const std::string_view entry : split_outside_brackets(text, ',')) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) {
      return Parsed<SlurmTres>::refused("name=value pairs, such as cpu=8,gres/gpu=2");
    }
    const std::string_view name = trimmed(entry.substr(0, equals));
    const std::string_view value = trimmed(entry.substr(equals + 1));
    if (name == "cpu" || name == "node") {
      const std::int64_t count = whole_number(value, kMostCount);
      if (count < 0) {
        return refused(name);
      }
      (name == "cpu" ? tres.cpus : tres.nodes) = count;
    } else if (name == "mem") {
      Bytes memory;
      if (!read_size(value, memory)) {
        return Parsed<SlurmTres>::refused("mem as a number with K, M, G, T or P");
      }
      tres.memory = memory;
    } else if (name == "gres/gpu" || name.starts_with("gres/gpu:")) {
      const std::int64_t count = whole_number(value, kMostCount);
      if (count < 0) {
        return refused(name);
      }
      if (name == "gres/gpu") {
        untyped = count;
      } else {
        typed = std::min(typed + count, kMostCount);
        add_model(tres.gpus, name.substr(9));
      }
    }
  }
  // Slurm lists the total beside the types, or one of the two: never add them.
  tres.gpus.count = untyped >= 0 ? untyped : typed;
  return tres;
}

Parsed<SlurmState> parse_slurm_state(std::string_view text) {
  struct Row {
    std::string_view word;
    std::string_view code;
    SlurmState state;
  };
  constexpr SlurmState kPending{RecordedEnd::kUnknown, true, false};
  constexpr SlurmState kRunning{RecordedEnd::kUnknown, false, true};
  static constexpr Row kStates[] = {
      {"BOOT_FAIL", "BF", {RecordedEnd::kNodeFail}},
      {"CANCELLED", "CA", {RecordedEnd::kCancelled}},
      {"COMPLETED", "CD", {RecordedEnd::kCompleted}},
      {"COMPLETING", "CG", kRunning},
      {"CONFIGURING", "CF", kRunning},
      {"DEADLINE", "DL", {RecordedEnd::kDeadline}},
      {"FAILED", "F", {RecordedEnd::kFailed}},
      {"NODE_FAIL", "NF", {RecordedEnd::kNodeFail}},
      {"OUT_OF_MEMORY", "OOM", {RecordedEnd::kOutOfMemory}},
      {"PENDING", "PD", kPending},
      {"PREEMPTED", "PR", {RecordedEnd::kPreempted}},
      {"REQUEUED", "RQ", {RecordedEnd::kPreempted}},
      {"RESIZING", "RS", kRunning},
      {"REVOKED", "RV", {RecordedEnd::kCancelled}},
      {"RUNNING", "R", kRunning},
      {"SPECIAL_EXIT", "SE", {RecordedEnd::kFailed}},
      {"STOPPED", "ST", kRunning},
      {"SUSPENDED", "S", kRunning},
      {"TIMEOUT", "TO", {RecordedEnd::kTimeout}},
  };
  std::string_view word = text.substr(0, text.find_first_of(" \t"));
  const bool cut = word.size() > 2 && word.back() == '+';
  if (cut) {
    word.remove_suffix(1);
  }
  for (const Row& row : kStates) {
    if (equal_ignoring_case(word, row.word) || equal_ignoring_case(word, row.code) ||
        (cut && equal_ignoring_case(word, row.word.substr(0, word.size())))) {
      return row.state;
    }
  }
  std::vector<std::string_view> known;
  for (const Row& row : kStates) {
    known.push_back(row.word);
  }
  return Parsed<SlurmState>::refused(allowed_words(word, known));
}

bool has_array_tasks(std::string_view job_id) {
  return job_id.find("_[") != std::string_view::npos;
}

Parsed<ArrayTasks> parse_array_tasks(std::string_view job_id, std::size_t most) {
  using Result = Parsed<ArrayTasks>;
  constexpr std::string_view kForm = "an array such as 12_[0-9,15-21:2%4]";
  const std::size_t open = job_id.find("_[");
  if (open == std::string_view::npos || job_id.back() != ']') {
    return Result::refused(std::string(kForm));
  }
  ArrayTasks array;
  array.job = job_id.substr(0, open);
  std::string_view list = job_id.substr(open + 2, job_id.size() - open - 3);
  if (list.find("...") != std::string_view::npos) {
    return Result::refused(
        "all tasks; the list was cut off (SLURM_BITSTR_LEN=0 sacct ... shows all)");
  }
  list = list.substr(0, list.find('%'));  // how many may run at once
  for (std::string_view range : split_outside_brackets(list, ',')) {
    std::int64_t step = 1;
    if (const std::size_t colon = range.find(':'); colon != std::string_view::npos) {
      step = whole_number(range.substr(colon + 1), kMostCount);
      range = range.substr(0, colon);
    }
    const std::size_t dash = range.find('-');
    const std::int64_t first = whole_number(range.substr(0, dash), kMostCount);
    const std::int64_t last =
        dash == std::string_view::npos ? first : whole_number(range.substr(dash + 1), kMostCount);
    if (first < 0 || last < first || step < 1) {
      return Result::refused(std::string(kForm));
    }
    if (static_cast<std::size_t>((last - first) / step) + 1 > most - array.tasks.size()) {
      return Result::refused("at most " + std::to_string(most) + " array tasks");
    }
    for (std::int64_t task = first; task <= last; task += step) {
      array.tasks.push_back(task);
    }
  }
  return array;
}

}  // namespace weft::formats
