#include <gtest/gtest.h>

#include "formats/job_reader.hpp"

namespace weft::formats {
namespace {

TEST(DetectFormat, KnowsEachFormatByItsContent) {
  const auto detected = [](std::string_view head, std::string_view name = "log.txt") {
    const auto format = detect_format(name, head);
    return format ? to_string(*format) : "none";
  };
  EXPECT_EQ(detected("; Version: 2.2\n1 2 3"), "swf");
  EXPECT_EQ(detected("1 0 -1 97225 56 -1 -1 56 210000 -1 1 1 -1 -1 -1 -1 -1 -1\n"), "swf");
  EXPECT_EQ(detected("\r\n1 0 -1 9.5 56 -1 -1 56 21e3 -1 1 1 -1 -1 -1 -1 -1 -1 -1\n"), "swf");
  EXPECT_EQ(detected("broken", "a.SWF"), "swf");
  EXPECT_EQ(detected("User|JobID|State\n"), "sacct");
  EXPECT_EQ(detected("State;JobIDRaw;User\n"), "sacct");
  EXPECT_EQ(detected("\"JobID\",\"User\"\n"), "sacct");
  EXPECT_EQ(detected("$ sacct -P\nJobID|User\n"), "sacct");
  EXPECT_EQ(detected("timestamp,duration,num_gpus,gpu_time,cluster\n"), "philly");
  EXPECT_EQ(detected("[{\"status\": \"Pass\", \"attempts\": []"), "philly");
  EXPECT_EQ(detected("name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"), "alibaba-gpu-2023");
  EXPECT_EQ(detected("{\"nb_res\": 4, \"jobs\": ["), "batsim");
  EXPECT_EQ(detected("{\"jobs\": [{\"id\": 1, \"subtime\": 3"), "batsim");
  EXPECT_EQ(detected("{\"id\": 1, \"submit\": \"0s\"}"), "weft");
  EXPECT_EQ(detected("JOBID PARTITION NAME USER\n"), "none");  // squeue, for people
  EXPECT_EQ(detected("a,b,c\n"), "none");
  EXPECT_EQ(detected(""), "none");
  EXPECT_EQ(detected("nodes:\n  - name: a\n"), "none");
}

TEST(JobFileName, TakesAFormatBeforeTheColon) {
  EXPECT_EQ(parse_job_file_name("swf:a.txt").value().format, JobFormat::kSwf);
  EXPECT_EQ(parse_job_file_name("swf:a.txt").value().path, "a.txt");
  EXPECT_EQ(parse_job_file_name("alibaba-gpu-2023:x:y").value().path, "x:y");
  EXPECT_EQ(parse_job_file_name("plain.swf").value().format, std::nullopt);
  EXPECT_EQ(parse_job_file_name("./odd:name.swf").value().path, "./odd:name.swf");
  const Parsed<JobFileName> wrong = parse_job_file_name("sacc:a.txt");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.allowed().find("did you mean 'sacct'"), std::string::npos) << wrong.allowed();
  EXPECT_FALSE(parse_job_file_name("swf:").ok());
}

TEST(JobFormats, HaveWordsAndDescriptions) {
  for (const JobFormat format : all_job_formats()) {
    EXPECT_EQ(find_job_format(to_string(format)), format);
    EXPECT_FALSE(describe(format).empty());
  }
  EXPECT_EQ(find_job_format("nonsense"), std::nullopt);
}

}  // namespace
}  // namespace weft::formats
