#include "formats/scenario.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "formats/generate_key.hpp"
#include "formats/input_file.hpp"
#include "formats/openb_platform.hpp"
#include "formats/scheduler_file.hpp"
#include "formats/utf8.hpp"
#include "platforms/load.hpp"
#include "platforms/write.hpp"
#include "platforms/yaml_reader.hpp"

namespace weft::formats {

using platforms::Need;
using platforms::Reader;
using platforms::Value;
using platforms::Word;
using platforms::YamlDocument;
using platforms::YamlNode;
using NodeIndex = YamlDocument::NodeIndex;

namespace {
constexpr std::int64_t kMostProcessors = 100'000'000;
constexpr std::string_view kFlat = "flat:";
constexpr std::string_view kOpenb = "openb:";

// Import decisions and their defaults (docs/import-decisions.md).
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kBindingDefaults = {
    {{"size", "allocated"},
     {"run_over_limit", "kill"},
     {"zero_runtime", "one_second"},
     {"missing_runtime", "drop"},
     {"missing_limit", "runtime"},
     {"too_large", "reject"},
     {"unknown_partition", "any"},
     {"load_factor", "1"},
     {"repeat", "1"}}};

bool starts_with(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

class ScenarioReader {
 public:
  ScenarioReader(std::string file, const std::vector<Override>& overrides, Diagnostics& diagnostics)
      : file_(std::move(file)),
        folder_(std::filesystem::path(file_).parent_path()),
        overrides_(overrides),
        diagnostics_(diagnostics) {}

  Scenario read() {
    if (!is_utf8()) {
      return std::move(scenario_);
    }
    const std::optional<NodeIndex> root = file_.empty()
                                              ? std::optional(document_.add(empty_map("options")))
                                              : document_.parse_file(file_, diagnostics_);
    if (root) {
      const NodeIndex complete = scheduler_as_map(changed(*root));
      read_all(complete);
    }
    return std::move(scenario_);
  }

 private:
  // resolved.yaml holds what came from the command line, and is UTF-8.
  bool is_utf8() {
    check_utf8(file_, {});
    for (const Override& change : overrides_) {
      check_utf8(change.origin, change.path);
    }
    return diagnostics_.ok();
  }

  void check_utf8(const std::string& text, const std::string& key) {
    if (find_invalid_utf8(text) != std::string::npos) {
      diagnostics_.error({whole_file(to_valid_utf8(text)),
                          to_valid_utf8(key),
                          "a byte that is no part of a UTF-8 character",
                          "UTF-8 text"});
    }
  }

  static YamlNode empty_map(std::string file) {
    YamlNode map;
    map.kind = YamlNode::Kind::kMap;
    map.at = whole_file(std::move(file));
    return map;
  }

  // `workload` may be one entry, or just a file: then it is a list of one.
  NodeIndex listed_workload(NodeIndex root) {
    const std::optional<NodeIndex> value = find(root, "workload");
    if (!value || document_.node(*value).kind == YamlNode::Kind::kList ||
        document_.node(*value).kind == YamlNode::Kind::kNull) {
      return root;
    }
    NodeIndex entry = *value;
    const Source at = document_.node(entry).at;
    if (document_.node(entry).kind == YamlNode::Kind::kScalar) {
      YamlNode map;
      map.kind = YamlNode::Kind::kMap;
      map.at = at;
      map.keys.push_back({"file", at});
      map.items.push_back(entry);
      entry = document_.add(std::move(map));
    }
    YamlNode list;
    list.kind = YamlNode::Kind::kList;
    list.at = at;
    list.items.push_back(entry);
    return with(root, "workload", document_.add(std::move(list)), at);
  }

  // `generate` may be the path of a generator's file: then it is the map in there.
  NodeIndex loaded_generators(NodeIndex root) {
    const std::optional<NodeIndex> list = find(root, "workload");
    if (!list || document_.node(*list).kind != YamlNode::Kind::kList) {
      return root;
    }
    const std::vector<NodeIndex> entries = document_.node(*list).items;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::optional<NodeIndex> value = find(entries[i], "generate");
      if (!value || document_.node(*value).kind != YamlNode::Kind::kScalar) {
        continue;
      }
      const YamlNode word = document_.node(*value);
      const std::optional<NodeIndex> loaded =
          document_.parse_file(path_from(word.text, word.at), diagnostics_);
      // Where that failed an empty map stands in, so that the fault is reported once.
      root = with(root,
                  "workload[" + std::to_string(i) + "].generate",
                  loaded ? *loaded : document_.add(empty_map(word.text)),
                  word.at);
    }
    return root;
  }

  NodeIndex normal(NodeIndex root) { return loaded_generators(listed_workload(root)); }

  // All overrides but those that reach into the platform's or the scheduler's own file.
  NodeIndex changed(NodeIndex root) {
    root = normal(root);
    for (const Override& change : overrides_) {
      if (!starts_with(change.path, "platform.") && !starts_with(change.path, "platform[") &&
          !starts_with(change.path, "scheduler.")) {
        root = normal(apply(root, change));
      }
    }
    return root;
  }

  // `scheduler` may be a kind or a file: both become the map they stand for, so that one reader
  // judges it and --set reaches into it.
  NodeIndex scheduler_as_map(NodeIndex root) {
    std::optional<NodeIndex> value = find(root, "scheduler");
    if (!value) {
      YamlNode fallback;
      fallback.kind = YamlNode::Kind::kScalar;
      fallback.at = whole_file(file_.empty() ? "options" : file_);
      fallback.text = schedulers::SchedulerConfig{}.kind;
      value = document_.add(std::move(fallback));
    }
    if (document_.node(*value).kind == YamlNode::Kind::kScalar) {
      const YamlNode word = document_.node(*value);
      if (is_scheduler_kind(word.text) || !looks_like_a_file(word.text)) {
        YamlNode map;
        map.kind = YamlNode::Kind::kMap;
        map.at = word.at;
        map.keys.push_back({"kind", word.at});
        map.items.push_back(*value);
        root = with(root, "scheduler", document_.add(std::move(map)), word.at);
      } else {
        const std::optional<NodeIndex> loaded =
            document_.parse_file(path_from(word.text, word.at), diagnostics_);
        if (loaded) {
          scheduler_from_file_ = true;
          root = with(root, "scheduler", *loaded, word.at);
        }
      }
    }
    for (const Override& change : overrides_) {
      if (starts_with(change.path, "scheduler.")) {
        root = apply(root, change);
      }
    }
    return root;
  }

  void read_all(NodeIndex root) {
    Reader reader(document_, root, diagnostics_);
    if (!file_.empty()) {
      std::int64_t version = 0;
      reader.read_integer("weft", version, {1, 1}, Need::kRequired);
    }
    scenario_.name = file_.empty() ? "" : std::filesystem::path(file_).stem().string();
    reader.read("name", scenario_.name);
    read_platform(reader, root);
    read_workload(reader);
    if (scenario_.name.empty() && !scenario_.workload.empty()) {  // options only
      scenario_.name = std::filesystem::path(scenario_.workload.front().file).stem().string();
    }
    if (std::optional<Reader> scheduler = reader.map("scheduler")) {
      scenario_.scheduler = read_scheduler(*scheduler, scheduler_from_file_);
    }
    read_placement(reader, scenario_.scheduler);
    constexpr std::array<Word<bool>, 1> kFidelities = {{{"trace", true}}};
    bool as_recorded = true;
    reader.read_word("fidelity", as_recorded, kFidelities);
    read_horizon(reader);
    read_measure(reader);
    reader.read_integer("seed", scenario_.seed, {0, std::numeric_limits<std::int64_t>::max()});
    if (std::optional<Reader> outputs = reader.map("outputs")) {
      outputs->read("events", scenario_.outputs.events);
      outputs->read("report", scenario_.outputs.report);
    }
  }

  void read_horizon(Reader& reader) { reader.read_positive("horizon", scenario_.horizon); }

  void read_measure(Reader& reader) {
    const std::optional<Value> value = reader.find("measure");
    if (!value) {
      return;
    }
    const std::string_view text = value->raw();
    const std::size_t dots = text.find("..");
    const Parsed<Duration> from = parse_duration(text.substr(0, dots));
    const Parsed<Duration> to = dots == std::string_view::npos
                                    ? Parsed<Duration>::refused("")
                                    : parse_duration(text.substr(dots + 2));
    if (value->is_scalar() && from && to && !(*from < *to)) {
      value->fault("FROM..TO where FROM precedes TO, such as 1d..8d");
      return;
    }
    if (!value->is_scalar() || !from || !to) {
      value->fault("FROM..TO, two times after the first submission, such as 1d..8d");
      return;
    }
    scenario_.measure = MeasureWindow{*from, *to};
  }

  void read_platform(Reader& reader, NodeIndex root) {
    const std::optional<Value> value = reader.find(
        "platform", Need::kRequired, "a platform file, a shipped name, flat:N or openb:NODES.csv");
    if (!value) {
      return;
    }
    std::vector<platforms::Setting> settings;
    std::vector<const Override*> origins;
    for (const Override& change : overrides_) {
      if (starts_with(change.path, "platform.")) {
        settings.push_back(
            {change.path.substr(std::string_view("platform.").size()), change.value});
        origins.push_back(&change);
      }
    }
    Diagnostics found;
    if (value->is_map()) {
      scenario_.platform.platform =
          platforms::parse_platform(only_this(root, value->index()), file_, found, settings);
    } else if (starts_with(value->raw(), kFlat)) {
      read_flat(*value, origins);
    } else if (is_node_list(value->raw())) {
      value->fault("a platform file in YAML, or openb:" + std::string(value->raw()) +
                   " for a node list in CSV");
    } else {
      std::string spec;
      if (value->read(spec)) {
        scenario_.platform.spec = platform_spec(spec, value->at());
        scenario_.platform.platform =
            starts_with(spec, kOpenb)
                ? load_openb(found, settings)
                : platforms::load_platform(scenario_.platform.spec, found, settings);
      }
    }
    keep(found, settings, origins, value->is_map());
  }

  // A node list becomes a platform description first, so that settings reach into it like any
  // other.
  platforms::Platform load_openb(Diagnostics& found,
                                 const std::vector<platforms::Setting>& settings) {
    const std::string& spec = scenario_.platform.spec;
    const platforms::Platform listed = openb_platform(spec.substr(kOpenb.size()), found);
    if (!found.ok() || settings.empty()) {
      return listed;
    }
    return platforms::parse_platform(platforms::to_yaml(listed), spec, found, settings);
  }

  void read_flat(const Value& value, const std::vector<const Override*>& origins) {
    const std::string_view number = value.raw().substr(kFlat.size());
    std::int64_t processors = 0;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), processors);
    if (error != std::errc{} || end != number.data() + number.size() || processors < 1 ||
        processors > kMostProcessors || number.front() == '0') {
      value.fault("flat:N with N from 1 to " + std::to_string(kMostProcessors));
      return;
    }
    for (const Override* change : origins) {
      diagnostics_.error({whole_file(change->origin),
                          change->path,
                          "a key of '" + std::string(value.raw()) + "'",
                          "no key: a flat pool has none"});
    }
    scenario_.platform.spec = value.raw();
    scenario_.platform.flat_processors = static_cast<std::uint32_t>(processors);
  }

  // Takes over the platform's faults; those about a value that was set name where it came from.
  void keep(const Diagnostics& found,
            const std::vector<platforms::Setting>& settings,
            const std::vector<const Override*>& origins,
            bool inline_map) {
    const auto moved = [&](InputError error) {
      for (std::size_t i = 0; i < settings.size(); ++i) {
        if (error.at.file &&
            *error.at.file == "--set " + settings[i].path + '=' + settings[i].value) {
          error.at = whole_file(origins[i]->origin);
        }
      }
      if (inline_map && !error.key.empty()) {
        error.key = "platform." + error.key;
      }
      return error;
    };
    for (const InputError& error : found.errors()) {
      diagnostics_.error(moved(error));
    }
    for (const InputError& warning : found.warnings()) {
      diagnostics_.warning(moved(warning));
    }
  }

  void read_workload(Reader& reader) {
    std::vector<Reader> entries = reader.maps("workload", Need::kRequired);
    if (entries.empty() && diagnostics_.ok()) {
      reader.fault("workload", "an empty list", "at least one entry with file or generate");
    }
    std::vector<std::optional<std::string>> first;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      scenario_.workload.push_back(read_source(entries[i]));
      read_binding(entries[i], first, i == 0);
    }
  }

  WorkloadSource read_source(Reader& entry) {
    WorkloadSource source;
    std::string file;
    const bool has_file = entry.read("file", file);
    if (has_file) {
      source.file = path_from(file, entry.at("file"));
      std::error_code ignored;  // the working directory's name is part of it in resolved.yaml
      check_utf8(std::filesystem::absolute(source.file, ignored).string(), "workload.file");
    }
    if (const std::optional<Value> generate = entry.find("generate")) {
      if (has_file) {
        generate->fault("both file and generate", "one of them");
      } else if (!generate->is_map() || !document_.node(generate->index()).keys.empty()) {
        source.generate =
            read_generate(document_, generate->index(), generate->path(), diagnostics_);
      } else if (diagnostics_.ok()) {
        generate->fault("an empty map", "a generator's description (docs/workloads.md)");
      }
    } else if (!entry.has("file")) {
      entry.fault("file", "the path of a job log, or a map 'generate'");
    }
    read_format(entry, source);
    constexpr std::array<Word<bool>, 2> kOnBadJob = {{{"error", false}, {"skip", true}}};
    entry.read_word("on_bad_job", source.read.skip_bad_rows, kOnBadJob);
    entry.read("timezone", source.read.time_zone);
    entry.read_positive("batsim_speed", source.read.batsim_speed);
    return source;
  }

  void read_format(Reader& entry, WorkloadSource& source) {
    std::vector<std::string_view> words;
    for (const JobFormat format : all_job_formats()) {
      words.push_back(to_string(format));
    }
    std::size_t chosen = 0;
    if (const std::optional<Value> value = entry.find("format");
        value && value->read_word(chosen, words)) {
      source.format = all_job_formats()[chosen];
    }
    if (std::optional<Reader> columns = entry.map("columns")) {
      for (const auto& [field, column] : columns->entries()) {
        std::string name;
        if (!column.read(name)) {
          continue;
        }
        const Parsed<ColumnMapping> mapping = parse_column_mapping(field + '=' + name);
        if (!mapping) {
          column.fault(mapping.allowed());
          continue;
        }
        source.read.columns.push_back(*mapping);
      }
    }
  }

  // The decisions hold for all entries, as they are bound together: what two entries say about one
  // must agree.
  void read_binding(Reader& entry, std::vector<std::optional<std::string>>& first, bool is_first) {
    for (std::size_t i = 0; i < kBindingDefaults.size(); ++i) {
      const auto& [name, fallback] = kBindingDefaults[i];
      const std::optional<Value> value = entry.find(name);
      std::string word(fallback);
      if (value) {
        if (!value->is_scalar()) {
          value->fault("one value");
          continue;
        }
        word = value->raw();
        if (const auto refused = workloads::set_option(scenario_.binding.options, name, word)) {
          value->fault(*refused);
          continue;
        }
      }
      if (is_first) {
        first.push_back(word);
        scenario_.binding.words.emplace_back(name, word);
        if (name == "size" && value) {
          scenario_.binding.size_given = true;
        }
      } else if (i < first.size() && word != first[i]) {
        entry.fault(name,
                    "'" + word + "'",
                    "the value of the first entry, '" + *first[i] +
                        "': logs of one run are read with the same decisions");
      }
    }
    if (scenario_.binding.size_given) {
      scenario_.workload.back().read.size =
          scenario_.binding.options.size == workloads::BindOptions::Size::kRequested
              ? SizeSource::kRequested
              : SizeSource::kAllocated;
    }
  }

  std::optional<NodeIndex> find(NodeIndex map, std::string_view key) const {
    return document_.node(map).kind == YamlNode::Kind::kMap ? document_.find(map, key)
                                                            : std::nullopt;
  }
  NodeIndex with(NodeIndex root, std::string_view path, NodeIndex value, const Source& at) {
    return document_.with_value(root, path, value, at, diagnostics_).value_or(root);
  }
  NodeIndex apply(NodeIndex root, const Override& change) {
    return apply_override(document_, root, change, diagnostics_).value_or(root);
  }

  // Files named in the scenario are relative to it; files named on the command line are not.
  std::string path_from(const std::string& path, const Source& at) const {
    const bool in_scenario = at.file && *at.file == file_;
    if (!in_scenario || folder_.empty() || std::filesystem::path(path).is_absolute() ||
        path == "-") {
      return path;
    }
    return (folder_ / path).lexically_normal().string();
  }

  // A shipped name stays; a name that is also a file is the file.
  std::string platform_spec(const std::string& spec, const Source& at) const {
    if (starts_with(spec, kOpenb)) {
      return std::string(kOpenb) + path_from(spec.substr(kOpenb.size()), at);
    }
    const std::string path = path_from(spec, at);
    std::error_code ignored;
    if (path != spec && !std::filesystem::exists(path, ignored) && !looks_like_a_file(spec)) {
      return spec;
    }
    return path;
  }

  static bool is_node_list(std::string_view spec) {
    return !starts_with(spec, kOpenb) && std::filesystem::path(spec).extension() == ".csv";
  }

  static bool looks_like_a_file(std::string_view text) {
    return text.find('/') != std::string_view::npos || text.find('.') != std::string_view::npos;
  }

  // The scenario's text with everything but one value of the root map blanked, so that positions
  // in the platform's errors stay true.
  std::string only_this(NodeIndex root, NodeIndex value) const {
    Diagnostics ignored;  // it was read before
    const std::optional<InputFile> file = InputFile::read(file_, ignored);
    std::string text(file ? file->text() : std::string_view());
    const Source& from = document_.node(value).at;
    const auto after = [&from](const Source& at) {
      return at.line > from.line || (at.line == from.line && at.column > from.column);
    };
    std::optional<Source> next;  // keys stand in the order of the text
    for (const YamlNode::Key& key : document_.node(root).keys) {
      const bool here = key.at.file && from.file && *key.at.file == *from.file;
      if (here && !next && after(key.at)) {
        next = key.at;
      }
    }
    const std::size_t begin = offset_of(text, from);
    std::size_t end = next ? offset_of(text, *next) : text.size();
    if (begin < text.size() && text[begin] == '{') {  // what follows its brace is not its own
      const std::size_t root_begin = offset_of(text, document_.node(root).at);
      if (!next && root_begin < text.size() && text[root_begin] == '{') {
        end = std::min(text.rfind('}'), text.size());
      }
      end = std::min(text.rfind('}', end - 1), text.size() - 1) + 1;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
      if ((i < begin || i >= end) && text[i] != '\n') {
        text[i] = ' ';
      }
    }
    return text;
  }

  static std::size_t offset_of(std::string_view text, const Source& at) {
    std::size_t offset = 0;
    for (std::uint32_t line = 1; line < at.line && offset < text.size(); ++line) {
      offset = std::min(text.find('\n', offset), text.size() - 1) + 1;
    }
    return std::min<std::size_t>(offset + (at.column > 0 ? at.column - 1 : 0), text.size());
  }

  std::string file_;
  std::filesystem::path folder_;
  const std::vector<Override>& overrides_;
  Diagnostics& diagnostics_;
  YamlDocument document_;
  bool scheduler_from_file_ = false;
  Scenario scenario_;
};
}  // namespace

Scenario read_scenario(const std::string& file,
                       const std::vector<Override>& overrides,
                       Diagnostics& diagnostics) {
  return ScenarioReader(file, overrides, diagnostics).read();
}

Scenario scenario_from(const std::vector<Override>& overrides, Diagnostics& diagnostics) {
  return ScenarioReader({}, overrides, diagnostics).read();
}

}  // namespace weft::formats
