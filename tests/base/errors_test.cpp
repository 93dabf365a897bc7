#include "base/errors.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::HasSubstr;

InputError error_at(std::uint32_t line, std::uint32_t column) {
  InputError error;
  error.at = whole_file("cluster.yaml");
  error.at.line = line;
  error.at.column = column;
  error.key = "nodes[0].gpu.model";
  error.found = "'H10O'";
  error.allowed = "H100-SXM";
  return error;
}

TEST(InputError, PrintsWhatIsKnownAndNoMore) {
  EXPECT_EQ(to_string(error_at(4, 9)),
            "cluster.yaml:4:9: nodes[0].gpu.model: found 'H10O', allowed H100-SXM");
  EXPECT_EQ(to_string(error_at(4, 0)),
            "cluster.yaml:4: nodes[0].gpu.model: found 'H10O', allowed H100-SXM");
  EXPECT_EQ(to_string(error_at(0, 0)),
            "cluster.yaml: nodes[0].gpu.model: found 'H10O', allowed H100-SXM");
  InputError bare;
  EXPECT_EQ(to_string(bare), "found nothing");
  bare.found = "5 jobs";
  bare.key = "jobs";
  EXPECT_EQ(to_string(bare), "jobs: found 5 jobs");
}

TEST(Diagnostics, IsOkUntilAnError) {
  Diagnostics diagnostics;
  EXPECT_TRUE(diagnostics.ok());
  diagnostics.warning(error_at(1, 1));
  EXPECT_TRUE(diagnostics.ok());
  EXPECT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_NO_THROW(diagnostics.throw_if_errors());
  diagnostics.error(error_at(2, 1));
  EXPECT_FALSE(diagnostics.ok());
  EXPECT_EQ(diagnostics.errors().size(), 1U);
}

TEST(Diagnostics, ThrowsAllErrorsInOrder) {
  Diagnostics diagnostics;
  diagnostics.error(error_at(7, 1));
  diagnostics.error(error_at(3, 2));
  try {
    diagnostics.throw_if_errors();
    FAIL() << "nothing was thrown";
  } catch (const InputErrors& errors) {
    ASSERT_EQ(errors.errors().size(), 2U);
    EXPECT_EQ(errors.errors()[0].at.line, 7U);
    EXPECT_EQ(std::string(errors.what()),
              to_string(error_at(7, 1)) + "\n" + to_string(error_at(3, 2)));
  }
}

TEST(Diagnostics, CutsThousandsOfErrorsAndSaysHowMany) {
  Diagnostics diagnostics;
  const auto errors_in_all = static_cast<std::uint32_t>(Diagnostics::kMaxErrors) + 800;
  for (std::uint32_t line = 1; line <= errors_in_all; ++line) {
    diagnostics.error(error_at(line, 1));
    diagnostics.warning(error_at(line, 1));
  }
  EXPECT_EQ(diagnostics.errors().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(diagnostics.warnings().size(), Diagnostics::kMaxErrors);
  try {
    diagnostics.throw_if_errors();
    FAIL() << "nothing was thrown";
  } catch (const InputErrors& errors) {
    ASSERT_EQ(errors.errors().size(), Diagnostics::kMaxErrors + 1);
    EXPECT_EQ(to_string(errors.errors().back()), "cluster.yaml: found 800 more errors");
  }
}

TEST(Nearest, FindsTypingErrorsAndNothingElse) {
  const std::vector<std::string_view> known = {
      "fcfs", "easy", "conservative", "slurm", "kubernetes", "bandwidth", "latency"};
  struct Case {
    std::string_view word;
    std::string_view nearest;
  };
  const std::vector<Case> cases = {
      {"fcfs", "fcfs"},
      {"fcsf", "fcfs"},   // two letters swapped
      {"esy", "easy"},    // one left out
      {"eassy", "easy"},  // one too many
      {"eazy", "easy"},   // one changed
      {"conservativ", "conservative"},
      {"kuberntes", "kubernetes"},
      {"bandwith", "bandwidth"},
      {"Latency", "latency"},
      {"laetncy", "latency"},
      {"sjf", ""},  // too far from all
      {"first_fit", ""},
      {"", ""},
      {"x", ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(nearest(c.word, known), c.nearest) << c.word;
  }
  EXPECT_EQ(nearest(std::string(100'000, 'e'), known), "");
  EXPECT_EQ(nearest("easy", {}), "");
}

TEST(Nearest, GivesTiesToTheFirst) {
  EXPECT_EQ(nearest("read", {"bead", "lead"}), "bead");
  EXPECT_EQ(nearest("read", {"lead", "bead"}), "lead");
}

TEST(AllowedWords, ListsAllAndNamesTheNearest) {
  const std::vector<std::string_view> known = {"fcfs", "easy"};
  EXPECT_THAT(allowed_words("eazy", known), HasSubstr("did you mean 'easy'?"));
  EXPECT_THAT(allowed_words("eazy", known), HasSubstr("fcfs, easy"));
  EXPECT_EQ(allowed_words("round_robin", known), "fcfs, easy");
  EXPECT_EQ(allowed_words("easy", known), "fcfs, easy");
}

TEST(AssertDeathTest, NamesConditionPlaceAndValues) {
  const int nodes = -1;
  EXPECT_DEATH(WEFT_ASSERT(nodes >= 0, "nodes is " + std::to_string(nodes)),
               "internal error at .*errors_test.cpp:[0-9]+: nodes >= 0 is false: nodes is -1");
}

TEST(Assert, DoesNothingWhileTrue) {
  int evaluated = 0;
  WEFT_ASSERT(++evaluated == 1, "evaluated " + std::to_string(evaluated));
  EXPECT_EQ(evaluated, 1);
}

}  // namespace
}  // namespace weft
