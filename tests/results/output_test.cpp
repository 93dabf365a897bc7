// Output files, the manifest and the terminal summary.
#include <fcntl.h>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/manifest.hpp"
#include "results/output_file.hpp"
#include "results/summary_text.hpp"
#include "tests/results/test_world.hpp"

namespace weft::results {
namespace {

TEST(OutputFile, WritesAllInOrderAcrossChunks) {
  const std::string path = test::fresh_directory("chunks.txt");
  OutputFile file(path);
  std::string expected;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::string text(i % 1500, static_cast<char>('a' + i % 26));
    if (i % 2 == 0) {
      file.append(text);
    } else {
      char* out = file.room(text.size() + 10);
      file.written(std::copy(text.begin(), text.end(), out));
    }
    expected += text;
  }
  const std::string large(3 * OutputFile::kChunk, 'z');
  file.append(large);
  char* out = file.room(large.size());
  file.written(std::copy(large.begin(), large.end(), out));
  file.close();
  expected += large + large;
  EXPECT_TRUE(test::read_text(path) == expected);
}

TEST(OutputFile, SaysWhatItCannotWrite) {
  const std::string nowhere = test::fresh_directory("none") + "/a.csv";
  try {
    const OutputFile file(nowhere);
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_EQ(std::string(error.what()), "cannot write " + nowhere + ": No such file or directory");
  }
  OutputFile full("/dev/full");
  full.append("x");
  EXPECT_THROW(full.close(), OutputError);
  EXPECT_NO_THROW(full.close()) << "closed all the same";
}

TEST(Csv, QuotesWhatNeedsIt) {
  for (const auto& [text, field] :
       std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                        {"plain", "plain"},
                                                        {"a b", "a b"},
                                                        {"a,b", "\"a,b\""},
                                                        {"a\"b", "\"a\"\"b\""},
                                                        {"a\nb", "\"a\nb\""},
                                                        {"\r", "\"\r\""}}) {
    EXPECT_EQ(csv_field(text), field);
    std::string hand(csv_room(text), '\0');
    hand.resize(static_cast<std::size_t>(write_csv_field(hand.data(), text) - hand.data()));
    EXPECT_EQ(hand, field);
  }
}

TEST(Manifest, KeepsVolatileFactsInOneKey) {
  Manifest manifest;
  manifest.version = "1.2.3";
  manifest.simgrid = "3.32";
  manifest.seed = 18'446'744'073'709'551'615U;
  manifest.inputs = {{"workload", "log\".swf", "swf", "abc"}, {"platform", "flat:4", "", ""}};
  manifest.decisions = {{"run longer than limit", 3}};
  manifest.resolved = "weft: 1\n";
  manifest.command_line = {"weft", "run"};
  manifest.host_time = "2030-01-01T00:00:00Z";
  Summary summary;
  summary.begin = at_seconds(5);
  summary.length = nanoseconds(1'500'000'000);
  nlohmann::json json = nlohmann::json::parse(manifest_json(manifest, summary));
  EXPECT_EQ(json["weft"], "1.2.3");
  EXPECT_EQ(json["seed"], 18'446'744'073'709'551'615U);
  EXPECT_EQ(json["inputs"][0]["path"], "log\".swf");
  EXPECT_EQ(json["inputs"][0]["sha256"], "abc");
  EXPECT_FALSE(json["inputs"][1].contains("sha256"));
  EXPECT_EQ(json["import_decisions"][0]["count"], 3);
  EXPECT_EQ(json["horizon"]["begin_s"], "5");
  EXPECT_EQ(json["horizon"]["length_s"], "1.5");
  EXPECT_EQ(json["timeline"], "exact");
  EXPECT_TRUE(json["timeline_bin_s"].is_null());
  EXPECT_EQ(json["environment"].size(), 2U);

  Manifest other = manifest;
  other.command_line = {"/usr/bin/weft"};
  other.host_time = "2031-01-01T00:00:00Z";
  nlohmann::json again = nlohmann::json::parse(manifest_json(other, summary));
  EXPECT_NE(again, json);
  json.erase("environment");
  again.erase("environment");
  EXPECT_EQ(again, json);

  summary.timeline_binned = true;
  summary.timeline_bin_width = seconds(8);
  json = nlohmann::json::parse(manifest_json(manifest, summary));
  EXPECT_EQ(json["timeline"], "binned");
  EXPECT_EQ(json["timeline_bin_s"], "8");
}

TEST(SummaryText, ShowsHeadlinesAndTheLedger) {
  const ClusterLayout layout = test::uniform_cluster(1, 4);
  test::JobList jobs;
  jobs.add(test::any_gpus(3), at_seconds(0), hours(1000));
  test::Script script(test::options_at("text", dollars(2)), layout, jobs.workload);
  script.submit(0, JobId{0});
  script.start(0, JobId{0}, test::on({NodeId{0}}, {{0, 3}}));
  script.idle(0, sim::IdleAccount::kFragmented, gpus(1));
  script.end(3'600'000, JobId{0});
  const std::string text = summary_text(script.finish(3'600'000));
  EXPECT_THAT(text, testing::HasSubstr("jobs                  1 submitted, 1 finished\n"));
  EXPECT_THAT(text, testing::HasSubstr("simulated time        41d 16:00:00\n"));
  EXPECT_THAT(text, testing::HasSubstr("75.0 % of installed, useful 75.0 %"));
  EXPECT_THAT(text,
              testing::HasSubstr("  fragmented                     1,000.0   25.00 %         "
                                 "$2,000.00  ########\n"));
  EXPECT_THAT(text, testing::HasSubstr("$8,000.00, idle GPUs $2,000.00, a useful GPU-hour $2.67"));
}

TEST(SummaryText, SaysNotKnownInsteadOfNonsense) {
  const std::string text = summary_text(Summary{});
  EXPECT_THAT(text, testing::HasSubstr("n/a"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("nan")));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("inf")));
}

}  // namespace
}  // namespace weft::results
