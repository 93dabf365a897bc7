#include "base/csv.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Record = std::vector<std::string>;

Record texts(const DelimitedReader& reader) {
  Record record;
  for (const DelimitedField& field : reader.fields()) {
    record.emplace_back(field.text);
  }
  return record;
}

std::vector<Record> read_all(std::string_view text,
                             char separator = ',',
                             Quoting quoting = Quoting::kRfc4180) {
  DelimitedReader reader(text, separator, quoting);
  std::vector<Record> records;
  while (reader.next()) {
    EXPECT_FALSE(reader.fault()) << reader.fault()->found;
    records.push_back(texts(reader));
  }
  return records;
}

TEST(DelimitedReader, SplitsAtEachSeparator) {
  EXPECT_THAT(read_all("a,b,c\n1,2,3\n"),
              ElementsAre(Record{"a", "b", "c"}, Record{"1", "2", "3"}));
  EXPECT_THAT(read_all("a;b,c", ';'), ElementsAre(Record{"a", "b,c"}));
  EXPECT_THAT(read_all("a|b|c", '|'), ElementsAre(Record{"a", "b", "c"}));
  EXPECT_THAT(read_all("a\tb\n", '\t'), ElementsAre(Record{"a", "b"}));
}

TEST(DelimitedReader, KeepsEmptyFieldsAndSkipsEmptyLines) {
  EXPECT_THAT(read_all(""), ElementsAre());
  EXPECT_THAT(read_all("\n\r\n\n"), ElementsAre());
  EXPECT_THAT(read_all("a,,\n,\n\nb"),
              ElementsAre(Record{"a", "", ""}, Record{"", ""}, Record{"b"}));
  EXPECT_THAT(read_all("\"\"\n"), ElementsAre(Record{""}));
  EXPECT_THAT(read_all("a,\"\""), ElementsAre(Record{"a", ""}));
}

TEST(DelimitedReader, TakesEveryLineEndAndTheByteOrderMark) {
  EXPECT_THAT(read_all("\xEF\xBB\xBF"
                       "a,b\r\nc,\"d\"\r\ne,f"),
              ElementsAre(Record{"a", "b"}, Record{"c", "d"}, Record{"e", "f"}));
  DelimitedReader reader("\xEF\xBB\xBFx,y", ',');
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.fields()[0].column, 1U);
  EXPECT_EQ(reader.fields()[1].column, 3U);
}

TEST(DelimitedReader, UnwrapsQuotes) {
  EXPECT_THAT(read_all("\"a,b\",\"say \"\"hi\"\"\",\"\"\"\",c\n"),
              ElementsAre(Record{"a,b", "say \"hi\"", "\"", "c"}));
  EXPECT_THAT(read_all("\"two\nlines\",x\ny,z\n"),
              ElementsAre(Record{"two\nlines", "x"}, Record{"y", "z"}));
}

TEST(DelimitedReader, LeavesQuotesAloneWhereTheFormatHasNone) {
  EXPECT_THAT(read_all("1|say \"hi|\"x\n", '|', Quoting::kNone),
              ElementsAre(Record{"1", "say \"hi", "\"x"}));
}

TEST(DelimitedReader, KnowsLineAndColumnOfEachField) {
  DelimitedReader reader("ab,c\n\n\"x\ny\",\"\"\"z\",w\n", ',');
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 1U);
  EXPECT_EQ(reader.fields()[1].line, 1U);
  EXPECT_EQ(reader.fields()[1].column, 4U);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 3U);
  EXPECT_EQ(reader.fields()[0].line, 3U);
  EXPECT_EQ(reader.fields()[0].column, 1U);
  EXPECT_EQ(reader.fields()[1].line, 4U);
  EXPECT_EQ(reader.fields()[1].column, 4U);
  EXPECT_EQ(reader.fields()[2].column, 10U);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

struct FaultCase {
  std::string name;
  std::string text;
  std::uint32_t line;
  std::uint32_t column;
  std::string found;
};

TEST(DelimitedReader, ReportsFaultsWithTheirPlaceAndGoesOn) {
  using namespace std::string_literals;
  const std::vector<FaultCase> cases = {
      {"quote in a field", "ok\na,b\"c\nnext\n", 2, 4, "a quote inside a field"},
      {"text after a quote", "ok\n\"a\"b,c\nnext\n", 2, 4, "'b' after a closing quote"},
      {"never closed", "ok\nx,\"a\nnext\n", 2, 3, "a quote that is never closed"},
      {"never closed, at the end", "ok\nnext\nx,\"", 3, 3, "a quote that is never closed"},
      {"doubled, never closed", "ok\nx,\"a\"\"\nnext\n", 2, 3, "a quote that is never closed"},
      {"NUL", "ok\na,b\0c\nnext\n"s, 2, 4, "a NUL byte"},
      {"NUL in quotes", "ok\na,\"b\0\"\nnext\n"s, 2, 5, "a NUL byte"},
      {"NUL on a quoted second line", "ok\n\"a\nb\0\"\nnext\n"s, 3, 2, "a NUL byte"},
      {"carriage return", "ok\na\rb\nnext\n", 2, 2, "a carriage return inside a line"},
      {"only carriage returns", "next\nok\na\rb\r", 3, 2, "a carriage return inside a line"},
      {"UTF-16", "ok\nnext\na\0,\0b\0"s, 3, 2, "a NUL byte"}};
  for (const FaultCase& c : cases) {
    DelimitedReader reader(c.text, ',');
    int faults = 0;
    bool saw_next = false;
    while (reader.next()) {
      if (reader.fault() && faults++ == 0) {
        EXPECT_EQ(reader.fault()->line, c.line) << c.name;
        EXPECT_EQ(reader.fault()->column, c.column) << c.name;
        EXPECT_EQ(reader.fault()->found, c.found) << c.name;
        EXPECT_FALSE(reader.fault()->allowed.empty()) << c.name;
        EXPECT_TRUE(reader.fields().empty()) << c.name;
      }
      saw_next = saw_next || texts(reader) == Record{"next"};
    }
    EXPECT_GE(faults, 1) << c.name;
    EXPECT_TRUE(saw_next) << c.name;
  }
}

TEST(DelimitedReader, RefusesOverlongLines) {
  const std::string long_line(DelimitedReader::kMaxRecord + 10, 'x');
  const std::string text = "a\n" + long_line + "\nb\n\"" + long_line + "\"\nc\n";
  DelimitedReader reader(text, ',');
  std::vector<std::string> seen;
  while (reader.next()) {
    seen.push_back(reader.fault()
                       ? std::to_string(reader.fault()->line) + ":" +
                             std::to_string(reader.fault()->column) + " " + reader.fault()->found
                       : texts(reader).at(0));
  }
  EXPECT_THAT(
      seen, ElementsAre("a", HasSubstr("2:1 10485"), "b", "4:1 a quote that is never closed", "c"));
}

TEST(DelimitedReader, StaysFastOnAFileOfStrayQuotes) {
  // Each line opens a quote that nothing closes within the limit.
  std::string text;
  for (int i = 0; i < 200'000; ++i) {
    text += "\"\"\"\"\"aaaaaaaaaaaaaaaa\n";
  }
  DelimitedReader reader(text, ',');
  std::size_t records = 0;
  while (reader.next()) {
    ++records;
  }
  EXPECT_GT(records, 0U);
}

TEST(AppendCsvField, QuotesOnlyWhatNeedsIt) {
  std::string out;
  for (const char* field : {"plain", "", "a b", "a,b", "a\"b", "a\nb", "a\rb"}) {
    append_csv_field(out, field);
    out += ';';
  }
  EXPECT_EQ(out, "plain;;a b;\"a,b\";\"a\"\"b\";\"a\nb\";\"a\rb\";");
}

TEST(AppendCsvField, ReadsBackTheSame) {
  Rng rng(51, "csv");
  const std::string alphabet = "ab\",\n\r ;|";
  for (int round = 0; round < 3000; ++round) {
    std::vector<Record> records(1 + rng.below(4));
    std::string text;
    for (Record& record : records) {
      record.resize(2 + rng.below(4));  // a record of one empty field would be an empty line
      for (std::size_t i = 0; i < record.size(); ++i) {
        for (std::uint64_t n = rng.below(6); n > 0; --n) {
          record[i] += alphabet[rng.below(alphabet.size())];
        }
        text += i > 0 ? "," : "";
        append_csv_field(text, record[i]);
      }
      text += rng.chance(0.5) ? "\n" : "\r\n";
    }
    ASSERT_EQ(read_all(text), records) << text;
  }
}

// Whatever the bytes: every record is read or at fault, positions lie inside the text.
TEST(DelimitedReader, SurvivesRandomBytes) {
  Rng rng(52, "bytes");
  const std::string alphabet("ab\",\n\r\0;", 8);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t n = rng.below(30); n > 0; --n) {
      text += alphabet[rng.below(alphabet.size())];
    }
    // On the heap without a terminator, so that a sanitizer sees a read beyond the end.
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    std::copy(text.begin(), text.end(), exact.get());
    DelimitedReader reader({exact.get(), text.size()}, ',');
    std::uint32_t last_line = 0;
    while (reader.next()) {
      ASSERT_GT(reader.line(), last_line) << text;
      last_line = reader.line();
      ASSERT_NE(reader.fields().empty(), !reader.fault().has_value()) << text;
      if (reader.fault()) {
        ASSERT_GE(reader.fault()->line, reader.line()) << text;
        ASSERT_GE(reader.fault()->column, 1U) << text;
        ASSERT_LE(reader.fault()->column, text.size()) << text;
      }
    }
  }
}

}  // namespace
}  // namespace weft
