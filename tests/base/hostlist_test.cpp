#include "base/hostlist.hpp"

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

std::string compress(const std::vector<std::string>& hosts) {
  return compress_hostlist({hosts.begin(), hosts.end()});
}

TEST(ExpandHostlist, ExpandsRangesStepsAndSeveralBrackets) {
  EXPECT_THAT(*expand_hostlist("login1"), ElementsAre("login1"));
  EXPECT_THAT(*expand_hostlist("b,a"), ElementsAre("b", "a"));
  EXPECT_THAT(*expand_hostlist("gpu[001-003,130],login1"),
              ElementsAre("gpu001", "gpu002", "gpu003", "gpu130", "login1"));
  EXPECT_THAT(*expand_hostlist("n[0-8:2]"), ElementsAre("n0", "n2", "n4", "n6", "n8"));
  EXPECT_THAT(*expand_hostlist("n[0-7:3]"), ElementsAre("n0", "n3", "n6"));
  EXPECT_THAT(*expand_hostlist("r[1-2]n[1-2]"), ElementsAre("r1n1", "r1n2", "r2n1", "r2n2"));
  EXPECT_THAT(*expand_hostlist("n[1-2]-ib"), ElementsAre("n1-ib", "n2-ib"));
  EXPECT_THAT(*expand_hostlist("[1-2]"), ElementsAre("1", "2"));
}

TEST(ExpandHostlist, KeepsTheWidthOfTheFirstNumber) {
  EXPECT_THAT(*expand_hostlist("n[9-11]"), ElementsAre("n9", "n10", "n11"));
  EXPECT_THAT(*expand_hostlist("n[09-11]"), ElementsAre("n09", "n10", "n11"));
  EXPECT_THAT(*expand_hostlist("n[99-101]"), ElementsAre("n99", "n100", "n101"));
  EXPECT_THAT(*expand_hostlist("n[1,01,001]"), ElementsAre("n1", "n01", "n001"));
}

TEST(ExpandHostlist, RefusesMalformedLists) {
  for (const char* text : {"",
                           ",",
                           "a,",
                           ",a",
                           "a,,b",
                           "n[",
                           "n]",
                           "n[]",
                           "n[1",
                           "n1]",
                           "n[[1]]",
                           "n[1-2][",
                           "n[1]]",
                           "n[1-]",
                           "n[-1]",
                           "n[1--2]",
                           "n[2-1]",
                           "n[1-2:0]",
                           "n[1-2:]",
                           "n[3:2]",
                           "n[a]",
                           "n[1,]",
                           "n[,1]",
                           "n[1,,2]",
                           "n[1 - 2]",
                           "a b",
                           "a\tb",
                           " a",
                           "n[1-010]",
                           "n[1-2-3]",
                           "n[1234567890123456789]",
                           "n[1-2],m["}) {
    const auto hosts = expand_hostlist(text);
    EXPECT_FALSE(hosts) << text;
    EXPECT_FALSE(hosts.ok() || hosts.allowed().empty()) << text;
  }
}

TEST(ExpandHostlist, CapsTheNumberOfHosts) {
  EXPECT_THAT(expand_hostlist("n[0-99999999999]").allowed(), HasSubstr("at most 1000000 hosts"));
  EXPECT_FALSE(expand_hostlist("n[0-999999999999999999]"));
  EXPECT_FALSE(expand_hostlist("a[0-99999]b[0-99999]c[0-99999]d[0-99999]"));
  EXPECT_FALSE(expand_hostlist("a[0-999999],b"));
  EXPECT_EQ(expand_hostlist("a[0-999998],b").value().size(), 1'000'000U);
  EXPECT_EQ(expand_hostlist("n[1-4]", 4).value().size(), 4U);
  EXPECT_FALSE(expand_hostlist("n[1-5]", 4));
}

TEST(ExpandHostlist, CapsTheLengthOfANames) {
  EXPECT_TRUE(expand_hostlist(std::string(255, 'n')));
  EXPECT_FALSE(expand_hostlist(std::string(256, 'n')));
  EXPECT_FALSE(expand_hostlist(std::string(1'000'000, 'n') + "[0-999999]"));
  std::string brackets;
  for (int i = 0; i < 100'000; ++i) {
    brackets += "[1]";
  }
  EXPECT_FALSE(expand_hostlist(brackets));
}

TEST(CompressHostlist, JoinsRunsOfOnePrefixAndWidth) {
  EXPECT_EQ(compress({}), "");
  EXPECT_EQ(compress({"gpu001", "gpu002", "gpu003", "gpu007"}), "gpu[001-003,007]");
  EXPECT_EQ(compress({"n1"}), "n1");
  EXPECT_EQ(compress({"n1", "n3"}), "n[1,3]");
  EXPECT_EQ(compress({"n9", "n10", "n11"}), "n[9-11]");
  EXPECT_EQ(compress({"n09", "n10", "n11"}), "n[09-11]");
  EXPECT_EQ(compress({"n099", "n100"}), "n[099-100]");
  EXPECT_EQ(compress({"n9", "n010"}), "n9,n010");
  EXPECT_EQ(compress({"n1", "m1", "n2"}), "n1,m1,n2");
  EXPECT_EQ(compress({"n3", "n2", "n1"}), "n[3,2,1]");
  EXPECT_EQ(compress({"login", "login"}), "login,login");
  EXPECT_EQ(compress({"r1n1", "r1n2", "r2n1"}), "r1n[1-2],r2n1");
  EXPECT_EQ(compress({"n1-ib", "n2-ib"}), "n1-ib,n2-ib");
  EXPECT_EQ(compress({"n12345678901234567890", "n12345678901234567891"}),
            "n12345678901234567890,n12345678901234567891");
  EXPECT_EQ(compress({"n999999999999999999", "n1000000000000000000"}),
            "n999999999999999999,n1000000000000000000");
}

TEST(CompressHostlist, ExpandsBackToTheSameHosts) {
  Rng rng(41, "hosts");
  const std::vector<std::string> prefixes = {"n", "gpu", "r1n", "a-", ""};
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> hosts;
    while (hosts.size() < 1 + rng.below(12)) {
      // Runs, with a step now and then, in one of several widths.
      const std::string& prefix = prefixes[rng.below(prefixes.size())];
      const std::size_t width = rng.below(4);
      std::uint64_t number = rng.below(120);
      for (std::uint64_t n = 1 + rng.below(5); n > 0; --n) {
        std::string digits = std::to_string(number);
        digits.insert(0, digits.size() < width ? width - digits.size() : 0, '0');
        hosts.push_back(prefix + digits);
        number += rng.chance(0.8) ? 1 : 2;
      }
    }
    const std::string text = compress(hosts);
    const auto back = expand_hostlist(text);
    ASSERT_TRUE(back) << text;
    ASSERT_EQ(*back, hosts) << text;
    ASSERT_EQ(compress(*back), text);
  }
}

TEST(ExpandHostlist, SurvivesMutatedTexts) {
  Rng rng(42, "mutate");
  const std::string alphabet = "[]-,:0129a ";
  int expanded = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "r[1-2]n[01-04:2,9],x";
    for (std::uint64_t n = rng.below(4); n > 0; --n) {
      text[rng.below(text.size())] = alphabet[rng.below(alphabet.size())];
    }
    if (const auto hosts = expand_hostlist(text, 10'000)) {
      ASSERT_LE(hosts->size(), 10'000U) << text;
      ++expanded;
    }
  }
  EXPECT_GT(expanded, 1000);
}

}  // namespace
}  // namespace weft
