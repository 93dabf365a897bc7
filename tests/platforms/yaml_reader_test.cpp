#include "platforms/yaml_reader.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "marked_yaml.hpp"

namespace weft::platforms {
namespace {

struct Refusal {
  const char* name;
  std::string yaml;  // '^' marks the place
  const char* key;
  const char* found;
};

std::string nested(std::size_t levels) {
  return "a: " + std::string(levels, '[') + std::string(levels, ']');
}

// Nine aliases of nine aliases of ...: few bytes that stand for 9^8 values.
std::string billion_laughs() {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 8; ++i) {
    const std::string one = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + one;
    for (int k = 1; k < 9; ++k) {
      text += "," + one;
    }
    text += "]\n";
  }
  return text;
}

std::string bytes_of(std::initializer_list<int> codes) {
  std::string text;
  for (const int code : codes) {
    text += static_cast<char>(code);
  }
  return text;
}

const Refusal kRefusals[] = {
    {"Empty", "^", "", "an empty document"},
    {"OnlyComments", "^# nothing\n# here\n", "", "an empty document"},
    {"OnlyNull", "^~\n", "", "an empty document"},
    {"TwoDocuments", "a: 1\n^---\nb: 2\n", "", "a second document"},
    {"StrayBracket", "a: 1\n^]\n", "", ""},
    {"UnclosedList", "a: [1, 2\n", "", "YAML syntax"},
    {"UnclosedQuote", "a: \"text\n", "", "YAML syntax"},
    {"TabIndentation", "a:\n^\tb: 1\n", "", "a tab"},
    {"TabAfterBlanks", "a:\n  ^\tb: 1\n", "", "a tab"},
    {"Utf16LittleEndian", "^" + bytes_of({0xFF, 0xFE, 'a', 0, ':', 0}), "", "UTF-16"},
    {"Utf16BigEndian", "^" + bytes_of({0xFE, 0xFF, 0, 'a', 0, ':'}), "", "UTF-16"},
    {"Utf16WithoutMark", "a^" + bytes_of({0, ':', 0, ' ', 0, '1', 0}), "", "NUL"},
    {"Latin1", "a: 1\nname: M^" + bytes_of({0xFC}) + "nchen\n", "", "not UTF-8"},
    {"OverlongUtf8", "a: ^" + bytes_of({0xC0, 0xAF}) + "\n", "", "not UTF-8"},
    {"Surrogate", "a: ^" + bytes_of({0xED, 0xA0, 0x80}) + "\n", "", "not UTF-8"},
    {"CutUtf8", "a: x^" + bytes_of({0xE2, 0x82}), "", "not UTF-8"},
    {"ControlCharacter", "a: b^" + bytes_of({0x07}) + "c\n", "", "control character"},
    {"TooDeep", nested(100), nullptr, "more than 64 levels"},
    {"BillionLaughs", billion_laughs(), nullptr, "aliases written out"},
    {"UnknownAlias", "a: ^*nothing\n", "", "YAML syntax"},
    {"RecursiveAlias", "a: &x [1, ^*x]\n", "a[1]", "an alias to a node that contains it"},
    {"ListAsKey", "^[a, b]: 1\n", "", "a map or list as a key"},
    {"DuplicateKey", "a: {b: 1, ^b: 2}\n", "a.b", "the key a second time (first in line 1)"},
    {"Tag", "a: ^!!python/object x\n", "a", "the tag"},
};

class YamlRefusals : public testing::TestWithParam<Refusal> {};

TEST_P(YamlRefusals, AreReportedWhereTheyStand) {
  const Refusal& refusal = GetParam();
  const MarkedYaml yaml(refusal.yaml);
  Diagnostics diagnostics;
  YamlDocument document;
  (void)document.parse(yaml.text, "file.yaml", diagnostics);
  ASSERT_EQ(diagnostics.errors().size(), 1U) << all_errors(diagnostics);
  const InputError& error = diagnostics.errors()[0];
  EXPECT_THAT(error.found, testing::HasSubstr(refusal.found)) << to_string(error);
  if (refusal.key != nullptr) {
    EXPECT_EQ(error.key, refusal.key);
  }
  if (!yaml.marks.empty()) {
    EXPECT_EQ(error.at.line, yaml.marks[0].first) << to_string(error);
    EXPECT_EQ(error.at.column, yaml.marks[0].second) << to_string(error);
  }
}

INSTANTIATE_TEST_SUITE_P(All, YamlRefusals, testing::ValuesIn(kRefusals), [](const auto& one) {
  return std::string(one.param.name);
});

class YamlReader : public testing::Test {
 protected:
  Reader open(std::string_view text) {
    const auto root = document_.parse(text, "file.yaml", diagnostics_);
    EXPECT_TRUE(root.has_value()) << all_errors(diagnostics_);
    return Reader(document_, root.value_or(document_.add({})), diagnostics_);
  }
  YamlDocument document_;
  Diagnostics diagnostics_;
};

TEST_F(YamlReader, AcceptsByteOrderMarkAndCarriageReturns) {
  Reader reader = open("\xEF\xBB\xBFname: caf\xC3\xA9\r\nsize: 2GB\r\n");
  std::string name;
  Bytes size;
  EXPECT_TRUE(reader.read("name", name));
  EXPECT_TRUE(reader.read("size", size));
  EXPECT_EQ(name, "caf\xC3\xA9");
  EXPECT_EQ(size, bytes(2'000'000'000));
  EXPECT_TRUE(diagnostics_.ok()) << all_errors(diagnostics_);
}

TEST_F(YamlReader, FollowsAliases) {
  Reader reader = open("a: &rate {speed: 400Gbps}\nb: *rate\n");
  for (const char* key : {"a", "b"}) {
    std::optional<Reader> map = reader.map(key);
    ASSERT_TRUE(map.has_value());
    BytesPerSec speed;
    EXPECT_TRUE(map->read("speed", speed));
    EXPECT_EQ(speed, gigabits_per_sec(400));
  }
}

TEST_F(YamlReader, ReadsEveryKind) {
  Reader reader = open(
      "text: 010\nyes: true\nwhole: 12\nnumber: 0.5\ntime: 1.5h\nrate: 50GB/s\nsize: 80GiB\n"
      "power: 10.2kW\nflops: 989TFLOP/s\niops: 5M\ntariff: 0.12$/kWh\nword: b\n");
  std::string text;
  bool yes = false;
  std::int32_t whole = 0;
  double number = 0;
  Duration time;
  BytesPerSec rate;
  Bytes size;
  Power power;
  std::optional<FlopsPerSec> flops;
  std::optional<double> iops;
  std::optional<Money> tariff;
  int word = 0;
  constexpr std::array<Word<int>, 2> kWords{{{"a", 1}, {"b", 2}}};
  EXPECT_TRUE(reader.read("text", text));
  EXPECT_TRUE(reader.read("yes", yes));
  EXPECT_TRUE(reader.read_integer("whole", whole, {0, 12}));
  EXPECT_TRUE(reader.read_number("number", number, {0, 1}));
  EXPECT_TRUE(reader.read("time", time));
  EXPECT_TRUE(reader.read("rate", rate));
  EXPECT_TRUE(reader.read("size", size));
  EXPECT_TRUE(reader.read("power", power));
  EXPECT_TRUE(reader.read("flops", flops));
  EXPECT_TRUE(reader.read_per_second("iops", iops));
  EXPECT_TRUE(reader.read_price("tariff", tariff, PriceUnit::Kind::kPerKwh));
  EXPECT_TRUE(reader.read_word("word", word, kWords));
  reader.done();
  EXPECT_TRUE(diagnostics_.ok()) << all_errors(diagnostics_);
  EXPECT_EQ(text, "010");
  EXPECT_TRUE(yes);
  EXPECT_EQ(whole, 12);
  EXPECT_EQ(number, 0.5);
  EXPECT_EQ(time, minutes(90));
  EXPECT_EQ(rate, bytes_per_sec(50e9));
  EXPECT_EQ(size, bytes(std::int64_t{80} << 30));
  EXPECT_EQ(power, watts(10'200));
  EXPECT_EQ(flops, teraflops_per_sec(989));
  EXPECT_EQ(iops, 5e6);
  EXPECT_EQ(tariff, micro_dollars(120'000));
  EXPECT_EQ(word, 2);
}

TEST_F(YamlReader, KeepsTheDefaultOfAbsentAndFaultyKeys) {
  Reader reader = open("bad: 5\n");
  Duration absent = hours(1);
  Duration bad = hours(2);
  EXPECT_FALSE(reader.read("absent", absent));
  EXPECT_FALSE(reader.read("bad", bad));
  EXPECT_EQ(absent, hours(1));
  EXPECT_EQ(bad, hours(2));
  EXPECT_EQ(diagnostics_.errors().size(), 1U);
}

TEST_F(YamlReader, ReportsUnknownKeysWhenItGoesOutOfScopeOnce) {
  {
    Reader reader = open("limit: 1h\nlimt: 2h\n");
    Duration limit;
    reader.read("limit", limit);
    Reader moved = std::move(reader);
    EXPECT_TRUE(diagnostics_.ok());
  }
  ASSERT_EQ(diagnostics_.errors().size(), 1U);
  EXPECT_EQ(to_string(diagnostics_.errors()[0]),
            "file.yaml:2:1: limt: found an unknown key, allowed limit (did you mean 'limit'?)");
}

TEST_F(YamlReader, RootThatIsNoMapIsOneError) {
  {
    Reader reader = open("- a\n- b\n");
    std::string name;
    reader.read("name", name, Need::kRequired);
  }
  ASSERT_EQ(diagnostics_.errors().size(), 1U);
  EXPECT_EQ(to_string(diagnostics_.errors()[0]),
            "file.yaml:1:1: found a list, allowed a map of keys and values");
}

TEST_F(YamlReader, NumbersAreRangeCheckedAndPlain) {
  for (const char* bad : {"-1", "1e400", "1_000", ".5", "1.", "+1", "0b1", "1e", "''", "00.5"}) {
    Reader reader = open("n: " + std::string(bad) + "\n");
    double number = 7;
    const std::size_t before = diagnostics_.errors().size();
    EXPECT_FALSE(reader.read_number("n", number, {0, 1e300})) << bad;
    EXPECT_EQ(diagnostics_.errors().size(), before + 1) << bad;
    EXPECT_EQ(number, 7);
  }
}

TEST_F(YamlReader, SettingsReplaceAndAddValues) {
  const auto root = document_.parse("a: {b: [1, {c: 2}]}\n", "file.yaml", diagnostics_);
  const auto value = document_.parse("5", "--set", diagnostics_);
  ASSERT_TRUE(root && value);
  const Source at = whole_file("--set");
  const auto changed = document_.with_value(*root, "a.b[1].c", *value, at, diagnostics_);
  ASSERT_TRUE(changed.has_value());
  const auto added = document_.with_value(*changed, "x.y", *value, at, diagnostics_);
  ASSERT_TRUE(added.has_value());
  Reader reader(document_, *added, diagnostics_);
  std::int64_t number = 0;
  EXPECT_TRUE(reader.items("x").empty());  // a fault: it is a map
  EXPECT_EQ(diagnostics_.errors().size(), 1U);
  EXPECT_TRUE(reader.map("a")->items("b")[1].map()->read_integer("c", number, {0, 9}));
  EXPECT_EQ(number, 5);
  for (const char* bad : {"", "a..b", "a[", "a[x]", "a.b[2]", "a.b.c", "a[0]", "[0]", "a."}) {
    const std::size_t before = diagnostics_.errors().size();
    EXPECT_FALSE(document_.with_value(*root, bad, *value, at, diagnostics_).has_value()) << bad;
    EXPECT_EQ(diagnostics_.errors().size(), before + 1) << bad;
  }
}

TEST_F(YamlReader, ManyFaultsStayBounded) {
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += "key" + std::to_string(i) + ": x\n";
  }
  { Reader reader = open(text); }
  EXPECT_EQ(diagnostics_.errors().size(), Diagnostics::kMaxErrors);
}

}  // namespace
}  // namespace weft::platforms
