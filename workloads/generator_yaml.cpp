#include "workloads/generator_yaml.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "platforms/yaml_document.hpp"
#include "platforms/yaml_reader.hpp"
#include "workloads/team_description.hpp"

namespace weft::workloads {

namespace {

using platforms::IntegerRange;
using platforms::Need;
using platforms::NumberRange;
using platforms::Reader;
using platforms::Value;

constexpr NumberRange kShare{0, 1};
constexpr NumberRange kWeight{0, 1e12};
constexpr std::array<platforms::Word<int>, 7> kWeekdays = {{{"monday", 0},
                                                            {"tuesday", 1},
                                                            {"wednesday", 2},
                                                            {"thursday", 3},
                                                            {"friday", 4},
                                                            {"saturday", 5},
                                                            {"sunday", 6}}};

// "8" or "0.25": a number of GPUs in thousandths; 0 if it is none.
std::int64_t size_of(std::string_view text) {
  const auto duration = parse_seconds(text);  // the same decimal digits
  constexpr std::int64_t kThousandth = kNsPerSecond / 1000;
  if (!duration || duration.value().raw() % kThousandth != 0) {
    return 0;
  }
  const std::int64_t thousandths = duration.value().raw() / kThousandth;
  const bool sound = thousandths <= 1000 || thousandths % 1000 == 0;
  return sound && thousandths <= std::int64_t{10'000'000} * 1000 ? thousandths : 0;
}

constexpr std::string_view kSizeText = "whole GPUs up to 10000000, or part of one (0.001 to 1)";

void read_sizes(Reader& reader, std::vector<SizeWeight>& into) {
  std::optional<Reader> sizes = reader.map("sizes", Need::kRequired);
  if (!sizes) {
    return;
  }
  for (const auto& [key, value] : sizes->entries()) {
    SizeWeight size;
    size.gpus = gpu_thousandths(size_of(key));
    if (size.gpus.raw() == 0) {
      value.fault("'" + key + "'", std::string(kSizeText));
    }
    if (value.read_number(size.weight, kWeight)) {
      into.push_back(size);
    }
  }
  if (into.empty()) {
    reader.fault("sizes", "at least one size with its weight");
  }
}

template <std::size_t N>
void read_rates(Reader& reader, std::string_view key, std::array<double, N>& into) {
  if (!reader.has(key)) {
    static_cast<void>(reader.find(key));
    return;
  }
  const std::vector<Value> items = reader.items(key);
  if (items.size() != N) {
    reader.fault(key, fmt::format("{} numbers", items.size()), fmt::format("{} numbers", N));
    return;
  }
  for (std::size_t i = 0; i < N; ++i) {
    items[i].read_number(into[i], kWeight);
  }
}

void read_arrivals(Reader& reader, ArrivalPattern& arrivals) {
  read_rates(reader, "hours", arrivals.hours);
  read_rates(reader, "weekdays", arrivals.weekdays);
  reader.read_word("starts", arrivals.first_weekday, kWeekdays);
  reader.read_number("gap_shape", arrivals.gap_shape, {0.01, 1000});
}

void read_users(Reader& reader, UserPattern& users) {
  reader.read_integer("count", users.count, {1, 1'000'000});
  reader.read_number("zipf", users.zipf, {0, 5});
  reader.read_integer("accounts", users.accounts, {1, 1'000'000});
  reader.read_number("repeat", users.repeat, kShare);
}

void read_limits(Reader& reader, LimitPattern& limits) {
  reader.read_number("missing", limits.missing, kShare);
  reader.read_number("under", limits.under, kShare);
  reader.read_number("factor", limits.factor_median, {0.001, 1e6});
  reader.read_number("factor_sigma", limits.factor_sigma, {0, 10});
  reader.read_positive("longest", limits.longest);
  if (!reader.has("menu")) {
    static_cast<void>(reader.find("menu"));
    return;
  }
  limits.menu.clear();
  for (const Value& item : reader.items("menu")) {
    Duration value;
    if (!item.read(value)) {
      continue;
    }
    if (value < seconds(1) || (!limits.menu.empty() && value <= limits.menu.back())) {
      item.fault("times of at least 1s, ascending");
      continue;
    }
    limits.menu.push_back(value);
  }
}

void read_ends(Reader& reader, EndPattern& ends) {
  reader.read_number("failed", ends.failed, kShare);
  reader.read_number("cancelled", ends.cancelled, kShare);
  reader.read("early", ends.early);
  if (ends.failed + ends.cancelled > 1) {
    reader.fault("cancelled", "at most 1 together with failed");
  }
}

void read_class(Reader& reader, JobClass& c) {
  reader.read("name", c.name, Need::kRequired);
  reader.read_number("share", c.share, kWeight);
  if (reader.has("account")) {
    reader.read("account", c.account);
  } else {
    static_cast<void>(reader.find("account"));
  }
  read_sizes(reader, c.sizes);
  reader.read_positive("longest", c.longest);
  for (Reader& part : reader.maps("durations", Need::kRequired)) {
    DurationPart duration;
    part.read_number("weight", duration.weight, kWeight);
    part.read_positive("median", duration.median, Need::kRequired);
    part.read_number("sigma", duration.sigma, {0, 10});
    c.durations.push_back(duration);
  }
  if (c.durations.empty() && reader.has("durations")) {
    reader.fault("durations", "a list of at least one {median, sigma, weight}");
  }
}

void read_volume(Reader& reader,
                 std::optional<std::uint64_t>& jobs,
                 std::optional<double>& load,
                 std::uint32_t& gpu_count,
                 Duration& span) {
  reader.read_positive("span", span);
  reader.read_integer("gpus", gpu_count, {1, 10'000'000});
  reader.read_integer("jobs", jobs, {1, static_cast<std::int64_t>(kMostGeneratedJobs)});
  double value = 0;
  if (reader.read_number("load", value, {0.001, 1000})) {
    load = value;
  }
}

void read_parameters(Reader& reader, GeneratorParameters& p) {
  reader.read("name", p.name);
  read_volume(reader, p.jobs, p.load, p.gpus, p.span);
  if (auto arrivals = reader.map("arrivals")) {
    read_arrivals(*arrivals, p.arrivals);
  }
  if (auto users = reader.map("users")) {
    read_users(*users, p.users);
  }
  if (auto limits = reader.map("limits")) {
    read_limits(*limits, p.limits);
  }
  if (auto ends = reader.map("ends")) {
    read_ends(*ends, p.ends);
  }
  for (Reader& item : reader.maps("classes", Need::kRequired)) {
    JobClass c;
    read_class(item, c);
    p.classes.push_back(std::move(c));
  }
}

void read_own_work(Reader& reader, TeamWork& work) {
  reader.read_number("share", work.share, kWeight);
  read_sizes(reader, work.kind.sizes);
  reader.read_positive("median", work.kind.median, Need::kRequired);
  reader.read_number("sigma", work.kind.sigma, {0, 10});
  reader.read_positive("longest", work.kind.longest);
}

void read_team(Reader& reader, Team& team) {
  reader.read("name", team.name, Need::kRequired);
  reader.read_number("share", team.share, kWeight);
  std::optional<Reader> mix = reader.map("work", Need::kRequired);
  if (!mix) {
    return;
  }
  for (const auto& [key, value] : mix->entries()) {
    TeamWork work;
    if (value.is_map()) {
      work.kind.name = key;
      if (auto own = value.map()) {
        read_own_work(*own, work);
      }
    } else if (const std::optional<WorkKind> known = find_work(key)) {
      work.kind = *known;
      value.read_number(work.share, kWeight);
    } else {
      const std::vector<WorkKind> kinds = built_in_work();
      std::vector<std::string_view> names;
      for (const WorkKind& kind : kinds) {
        names.push_back(kind.name);
      }
      value.fault("'" + key + "'", allowed_words(key, names) + ", or a map that describes it");
    }
    team.work.push_back(std::move(work));
  }
}

void read_description(Reader& reader, TeamDescription& description) {
  reader.read("name", description.name);
  read_volume(reader, description.jobs, description.load, description.gpus, description.span);
  double hours_a_week = 0;
  if (reader.read_number("gpu_hours_per_week", hours_a_week, {0.001, 1e12})) {
    description.gpu_hours_per_week = hours_a_week;
    if (description.load) {
      reader.fault("gpu_hours_per_week", "either load or gpu_hours_per_week");
    }
  }
  reader.read_integer("users", description.users, {1, 1'000'000});
  for (Reader& item : reader.maps("teams", Need::kRequired)) {
    Team team;
    read_team(item, team);
    description.teams.push_back(std::move(team));
  }
}

std::string number(double v) {
  std::string text = fmt::format("{}", v);
  if (text.find('e') != std::string::npos) {  // the reader takes plain decimals
    text = fmt::format("{:.15f}", v);
    text.erase(text.find_last_not_of('0') + 1);
  }
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) {
    text.resize(text.size() - 2);
  }
  return text;
}

template <class Range, class Print>
std::string list(const Range& items, Print print) {
  std::string text = "[";
  for (const auto& item : items) {
    text += (text.size() > 1 ? ", " : "") + print(item);
  }
  return text + "]";
}

// Names are free text, so they are written in quotes.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\x{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string size_text(GpuShare size) {
  return number(static_cast<double>(size.raw()) / 1000.0);
}

}  // namespace

std::optional<GeneratorParameters> read_generator(std::string_view text,
                                                  const std::string& file,
                                                  Diagnostics& diagnostics) {
  platforms::YamlDocument document;
  const auto root = document.parse(text, file, diagnostics);
  if (!root) {
    return std::nullopt;
  }
  const std::size_t errors_before = diagnostics.errors().size();
  GeneratorParameters parameters;
  Reader reader(document, *root, diagnostics);
  std::int64_t version = 1;
  reader.read_integer("weft", version, {1, 1}, Need::kRequired);
  Source at = reader.at();
  if (reader.has("generator")) {
    at = reader.at("generator");
    if (auto generator = reader.map("generator")) {
      read_parameters(*generator, parameters);
    }
  } else {
    TeamDescription description;
    read_description(reader, description);
    if (diagnostics.errors().size() == errors_before) {
      parameters = parameters_of(description);
    }
  }
  reader.done();
  if (diagnostics.errors().size() == errors_before) {
    if (const std::string problem = problem_of(parameters); !problem.empty()) {
      diagnostics.error(InputError{at, "", "a workload that cannot be generated", problem});
    }
  }
  if (diagnostics.errors().size() != errors_before) {
    return std::nullopt;
  }
  return parameters;
}

std::string to_yaml(const GeneratorParameters& p) {
  const auto duration = [](Duration d) { return to_text(d); };
  std::string y = "weft: 1\ngenerator:\n";
  y += "  name: " + quoted(p.name) + "\n";
  y += "  span: " + duration(p.span) + "\n";
  if (p.jobs) {
    y += fmt::format("  jobs: {}\n", *p.jobs);
  }
  y += fmt::format("  gpus: {}\n", p.gpus);
  if (p.load) {
    y += "  load: " + number(*p.load) + "\n";
  }
  y += "  arrivals:\n    hours: " + list(p.arrivals.hours, number) + "\n";
  y += "    weekdays: " + list(p.arrivals.weekdays, number) + "\n";
  y += fmt::format("    starts: {}\n", platforms::word_of(kWeekdays, p.arrivals.first_weekday));
  y += "    gap_shape: " + number(p.arrivals.gap_shape) + "\n";
  y += fmt::format("  users: {{count: {}, zipf: {}, accounts: {}, repeat: {}}}\n",
                   p.users.count,
                   number(p.users.zipf),
                   p.users.accounts,
                   number(p.users.repeat));
  y += fmt::format(
      "  limits:\n    missing: {}\n    under: {}\n    factor: {}\n    factor_sigma: {}\n",
      number(p.limits.missing),
      number(p.limits.under),
      number(p.limits.factor_median),
      number(p.limits.factor_sigma));
  y += "    longest: " + duration(p.limits.longest) + "\n";
  y += "    menu: " + list(p.limits.menu, duration) + "\n";
  y += fmt::format("  ends: {{failed: {}, cancelled: {}, early: {}}}\n",
                   number(p.ends.failed),
                   number(p.ends.cancelled),
                   p.ends.early);
  y += "  classes:\n";
  for (const JobClass& c : p.classes) {
    y += "    - name: " + quoted(c.name) + "\n      share: " + number(c.share) + "\n";
    if (!c.account.empty()) {
      y += "      account: " + quoted(c.account) + "\n";
    }
    y += "      sizes: {";
    std::string_view separator;
    for (const SizeWeight& s : c.sizes) {
      y += std::string(separator) + size_text(s.gpus) + ": " + number(s.weight);
      separator = ", ";
    }
    y += "}\n      durations:\n";
    for (const DurationPart& d : c.durations) {
      y += fmt::format("        - {{weight: {}, median: {}, sigma: {}}}\n",
                       number(d.weight),
                       duration(d.median),
                       number(d.sigma));
    }
    y += "      longest: " + duration(c.longest) + "\n";
  }
  return y;
}

}  // namespace weft::workloads
