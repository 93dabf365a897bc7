// Writers: what a format can say comes back the same, what it cannot is counted.
#include "formats/write_jobs.hpp"

#include <deque>
#include <functional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "formats/write_support.hpp"

namespace weft::formats {
namespace {

using ::testing::HasSubstr;
using workloads::JobRecord;

// Records whose text lives as long as the list.
class Records final : public workloads::RecordSink {
 public:
  void record(const JobRecord& job) override {
    JobRecord copy = job;
    for (std::string_view* text : {&copy.id,
                                   &copy.gpu_models,
                                   &copy.profile,
                                   &copy.user,
                                   &copy.account,
                                   &copy.partition,
                                   &copy.qos,
                                   &copy.recorded_nodes}) {
      *text = texts_.emplace_back(*text);
    }
    all.push_back(copy);
  }
  std::vector<JobRecord> all;

 private:
  std::deque<std::string> texts_;
};

template <class Value>
std::string show(const char* name, const std::optional<Value>& value) {
  if (!value) {
    return {};
  }
  if constexpr (std::is_integral_v<Value>) {
    return std::string(" ") + name + "=" + std::to_string(*value);
  } else if constexpr (std::is_same_v<Value, SimTime>) {
    return std::string(" ") + name + "=" + std::to_string(value->ns());
  } else {
    return std::string(" ") + name + "=" + std::to_string(value->raw());
  }
}

std::string show(const JobRecord& job) {
  std::string text = std::string(job.id) + show("submit", job.submit) + show("begin", job.begin) +
                     show("start", job.start) + show("end", job.end) +
                     show("runtime", job.runtime) + show("limit", job.limit) +
                     show("allocated", job.allocated_processors) +
                     show("requested", job.requested_processors) + show("gpus", job.gpus) +
                     show("nodes", job.nodes) + show("gpn", job.gpus_per_node) +
                     show("cpus", job.cpus) + show("cpn", job.cpus_per_node) +
                     show("memory", job.memory) + show("mpn", job.memory_per_node);
  for (const std::string_view word : {job.gpu_models,
                                      job.profile,
                                      job.user,
                                      job.account,
                                      job.partition,
                                      job.qos,
                                      job.recorded_nodes}) {
    text += " '" + std::string(word) + "'";
  }
  return text + " " + std::to_string(job.priority) + " " +
         std::to_string(static_cast<int>(job.recorded_end)) + (job.whole_nodes ? " whole" : "");
}

struct Written {
  std::string text;
  std::vector<WriteLoss> losses;
};

Written write(JobFormat format, const std::vector<JobRecord>& jobs, WriteOptions options = {}) {
  std::ostringstream out;
  const auto writer = make_job_writer(format, out, options);
  for (const JobRecord& job : jobs) {
    writer->record(job);
  }
  EXPECT_TRUE(writer->finish());
  return {out.str(), writer->losses()};
}

std::unique_ptr<Records> read(JobFormat format, const std::string& text) {
  Diagnostics diagnostics;
  auto records = std::make_unique<Records>();
  const auto file = InputFile::from_text("written", text, diagnostics);
  diagnostics.throw_if_errors();
  read_jobs(*file, format, ReadOptions{}, *records, diagnostics);
  diagnostics.throw_if_errors();
  return records;
}

// Writes random jobs of `make`, reads them back, and compares `of_target(job)` with what came.
void check_round_trip(JobFormat format,
                      const std::function<JobRecord(int)>& make,
                      const std::function<void(JobRecord&)>& as_read) {
  const bool holds = rc::check(std::string("round trip of ") + std::string(to_string(format)), [&] {
    std::vector<JobRecord> jobs;
    const int count = *rc::gen::inRange(1, 20);
    for (int i = 0; i < count; ++i) {
      jobs.push_back(make(i));
    }
    const Written written = write(format, jobs);
    RC_LOG() << written.text;
    RC_ASSERT(written.losses.empty());
    const auto records = read(format, written.text);
    const Records& back = *records;
    RC_ASSERT(back.all.size() == jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      as_read(jobs[i]);
      RC_ASSERT(show(back.all[i]) == show(jobs[i]));
    }
    // And once more: the second writing is the first, to the byte.
    RC_ASSERT(write(format, back.all).text == written.text);
  });
  EXPECT_TRUE(holds);
}

constexpr std::string_view kNumbers[] = {"1", "2", "30", "444"};
constexpr std::string_view kWords[] = {"ann", "bob b", "x\"y\\z", "\xC3\xBC", "a,b", ""};

std::string_view number() {
  return kNumbers[*rc::gen::inRange(0, 4)];
}
std::string_view word() {
  return kWords[*rc::gen::inRange(0, 6)];
}
bool maybe() {
  return *rc::gen::arbitrary<bool>();
}
Duration some_time(std::int64_t grain) {
  return nanoseconds(*rc::gen::inRange<std::int64_t>(0, 10'000'000) * grain);
}
std::string_view id_of(int i) {
  static constexpr std::string_view kIds[] = {"1",  "2",  "3",  "4",  "5",  "6",  "7",
                                              "8",  "9",  "10", "11", "12", "13", "14",
                                              "15", "16", "17", "18", "19", "20"};
  return kIds[i];
}

TEST(WriteJobs, SwfKeepsWhatItCanSay) {
  check_round_trip(
      JobFormat::kSwf,
      [](int i) {
        JobRecord job;
        job.id = id_of(i);
        job.submit = SimTime::at(some_time(1000));
        if (maybe()) {
          job.runtime = some_time(1'000'000);
          if (maybe()) {
            job.start = *job.submit + some_time(kNsPerSecond);
            job.end = *job.start + *job.runtime;
          }
        }
        if (maybe()) {
          job.limit = some_time(kNsPerSecond);
        }
        job.allocated_processors = *rc::gen::inRange(1, 500);
        if (maybe()) {
          job.requested_processors = *rc::gen::inRange(1, 500);
        }
        if (maybe()) {
          job.memory = bytes(1024 * job.requested_processors.value_or(*job.allocated_processors) *
                             *rc::gen::inRange(1, 1000));
        }
        job.user = number();
        job.account = number();
        job.profile = number();
        job.partition = number();
        job.recorded_end = *rc::gen::element(RecordedEnd::kUnknown,
                                             RecordedEnd::kCompleted,
                                             RecordedEnd::kFailed,
                                             RecordedEnd::kCancelled);
        return job;
      },
      [](JobRecord&) {});
}

TEST(WriteJobs, WeftKeepsWhatItCanSay) {
  check_round_trip(
      JobFormat::kWeft,
      [](int i) {
        JobRecord job;
        job.id = id_of(i);
        job.submit = SimTime::at(some_time(1));
        job.runtime = some_time(1000);
        if (maybe()) {
          job.begin = *job.submit + some_time(kNsPerSecond);
        }
        if (maybe()) {
          job.limit = maybe() ? kUnlimited : some_time(kNsPerSecond);
        }
        switch (*rc::gen::inRange(0, 4)) {
          case 0:
            job.gpus = gpu_thousandths(*rc::gen::inRange(1, 3000));
            break;
          case 1:
            job.nodes = *rc::gen::inRange(1, 9);
            job.gpus_per_node = gpus(*rc::gen::inRange(1, 9));
            break;
          case 2:
            job.nodes = *rc::gen::inRange(1, 9);
            break;
          default:
            job.cpus = cpu_thousandths(*rc::gen::inRange(1, 99999));
        }
        if (maybe()) {
          job.memory = bytes(*rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 45));
        }
        job.gpu_models = *rc::gen::element<std::string_view>("", "H100", "A100|V100");
        job.profile = word();
        job.user = word();
        job.account = word();
        job.partition = word();
        job.qos = word();
        job.priority = *rc::gen::inRange(-100, 100);
        if (maybe()) {
          job.start = *job.submit + some_time(1);
          job.end = *job.start + *job.runtime;
          job.recorded_nodes = "gpu[1-3]";
          job.recorded_end = static_cast<RecordedEnd>(*rc::gen::inRange(0, 9));
        }
        return job;
      },
      [](JobRecord&) {});
}

TEST(WriteJobs, BatsimKeepsWhatItCanSay) {
  check_round_trip(
      JobFormat::kBatsim,
      [](int i) {
        JobRecord job;
        job.id = id_of(i);
        job.submit = SimTime::at(some_time(1));
        job.runtime = some_time(1'000'000);
        if (maybe()) {
          job.limit = some_time(kNsPerSecond);
        }
        job.requested_processors = *rc::gen::inRange(1, 5000);
        // One profile takes one time.
        job.profile = id_of(i);
        return job;
      },
      [](JobRecord&) {});
}

TEST(WriteJobs, PhillyKeepsWhatItCanSay) {
  check_round_trip(
      JobFormat::kPhilly,
      [](int i) {
        JobRecord job;
        // Its reader counts from the first submit.
        job.submit = i == 0 ? SimTime{} : SimTime::at(some_time(kNsPerSecond));
        job.runtime = some_time(1'000'000);
        job.gpus = gpus(*rc::gen::inRange(0, 100));
        job.partition = word();
        return job;
      },
      [](JobRecord&) {});
}

TEST(WriteJobs, PodsKeepWhatTheyCanSay) {
  check_round_trip(
      JobFormat::kAlibabaGpu2023,
      [](int i) {
        JobRecord job;
        job.id = id_of(i);
        job.submit = SimTime::at(some_time(kNsPerSecond));
        job.start = *job.submit + some_time(kNsPerSecond);
        job.runtime = some_time(kNsPerSecond);
        job.end = *job.start + *job.runtime;
        job.nodes = 1;
        job.gpus_per_node = *rc::gen::element(gpus(0), gpu_thousandths(250), gpus(1), gpus(8));
        if (maybe()) {
          job.cpus_per_node = cpu_thousandths(*rc::gen::inRange(1, 128000));
          job.memory_per_node = bytes(std::int64_t{*rc::gen::inRange(1, 1 << 20)} << 20);
        }
        job.gpu_models = *rc::gen::element<std::string_view>("", "T4", "G2|P100");
        job.qos = *rc::gen::element<std::string_view>("LS", "BE", "");
        job.recorded_end =
            *rc::gen::element(RecordedEnd::kUnknown, RecordedEnd::kCompleted, RecordedEnd::kFailed);
        return job;
      },
      [](JobRecord&) {});
}

TEST(WriteJobs, SacctKeepsTimesSizesAndNames) {
  std::vector<JobRecord> jobs(2);
  JobRecord& a = jobs[0];
  a.id = "17";
  a.submit = SimTime{};
  a.start = at_seconds(30);
  a.runtime = seconds(93784);  // 1-02:03:04
  a.end = *a.start + *a.runtime;
  a.limit = days(2);
  a.nodes = 2;
  a.gpus = gpus(16);
  a.cpus = cpus(64);
  a.user = "ann";
  a.account = "physics";
  a.partition = "batch";
  a.qos = "high";
  a.profile = "train";
  a.recorded_end = RecordedEnd::kCompleted;
  a.recorded_nodes = "gpu[1-2]";
  JobRecord& b = jobs[1];
  b = a;
  b.id = "18";
  b.submit = at_seconds(5);
  b.limit = kUnlimited;
  b.recorded_end = RecordedEnd::kFailed;
  const Written written = write(JobFormat::kSacct, jobs);
  EXPECT_THAT(written.text, HasSubstr("|1-02:03:04|2-00:00:00|"));
  EXPECT_THAT(written.text, HasSubstr("|gres/gpu=16|"));
  EXPECT_TRUE(written.losses.empty());
  const auto records = read(JobFormat::kSacct, written.text);
  const Records& back = *records;
  ASSERT_EQ(back.all.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.all[i].id, jobs[i].id);
    EXPECT_EQ(back.all[i].submit, jobs[i].submit);
    EXPECT_EQ(back.all[i].start, jobs[i].start);
    EXPECT_EQ(back.all[i].runtime, jobs[i].runtime);
    EXPECT_EQ(back.all[i].limit, jobs[i].limit);
    EXPECT_EQ(back.all[i].nodes, jobs[i].nodes);
    EXPECT_EQ(total_size(back.all[i]), total_size(jobs[i]));
    EXPECT_EQ(back.all[i].user, "ann");
    EXPECT_EQ(back.all[i].partition, "batch");
    EXPECT_EQ(back.all[i].recorded_end, jobs[i].recorded_end);
  }
}

JobRecord rich() {
  JobRecord job;
  job.id = "job-a";
  job.submit = at_seconds(10);
  job.begin = at_seconds(20);
  job.runtime = seconds(100);
  job.limit = kUnlimited;
  job.gpus = gpu_thousandths(500);
  job.nodes = 1;
  job.gpu_models = "H100";
  job.user = "ann";
  job.qos = "high";
  job.priority = 3;
  job.recorded_end = RecordedEnd::kTimeout;
  job.recorded_nodes = "n1";
  job.line = 12;
  return job;
}

std::string lost(const Written& written) {
  std::string all;
  for (const WriteLoss& loss : written.losses) {
    EXPECT_GE(loss.jobs, 1U);
    EXPECT_EQ(loss.first_line, 12U);
    all += loss.what + "\n";
  }
  return all;
}

TEST(WriteJobs, CountsWhatTheTargetCannotSay) {
  const std::string swf = lost(write(JobFormat::kSwf, {rich()}));
  for (const char* const what : {"ids that are not numbers",
                                 "parts of a GPU",
                                 "unlimited",
                                 "users that are not numbers",
                                 "GPU model",
                                 "QOS",
                                 "priority",
                                 "divides over nodes",
                                 "may not start",
                                 "neither completed",
                                 "ran on"}) {
    EXPECT_THAT(swf, HasSubstr(what));
  }
  EXPECT_THAT(lost(write(JobFormat::kBatsim, {rich()})), HasSubstr("user and account"));
  EXPECT_THAT(lost(write(JobFormat::kPhilly, {rich()})), HasSubstr("the limit"));
  EXPECT_THAT(lost(write(JobFormat::kAlibabaGpu2023, {rich()})), HasSubstr("start is not known"));
  EXPECT_THAT(lost(write(JobFormat::kSacct, {rich()})), HasSubstr("priority"));
  EXPECT_EQ(lost(write(JobFormat::kWeft, {rich()})), "");
}

TEST(WriteJobs, LeavesOutAndCountsJobsTheTargetCannotHold) {
  JobRecord job = rich();
  job.runtime.reset();
  const Written weft = write(JobFormat::kWeft, {job});
  EXPECT_EQ(weft.text, "");
  EXPECT_THAT(lost(weft), HasSubstr("left out"));
  job = rich();
  job.nodes = 2;
  EXPECT_THAT(lost(write(JobFormat::kAlibabaGpu2023, {job})), HasSubstr("more than one node"));
  EXPECT_EQ(make_job_writer(JobFormat::kCsv, *std::make_unique<std::ostringstream>(), {}), nullptr);
}

TEST(WriteJobs, WritesTheRowsByHand) {
  JobRecord job;
  job.id = "7";
  job.submit = SimTime::at(nanoseconds(1'500'000'000));
  job.start = SimTime::at(nanoseconds(4'000'000'000));
  job.runtime = seconds(100);
  job.end = *job.start + *job.runtime;
  job.limit = seconds(200);
  job.allocated_processors = 4;
  job.requested_processors = 4;
  job.user = "3";
  job.recorded_end = RecordedEnd::kCompleted;
  EXPECT_EQ(write(JobFormat::kSwf, {job}).text,
            "; Version: 2.2\n7 1.5 2.5 100 4 -1 -1 4 200 -1 1 3 -1 -1 -1 -1 -1 -1\n");
  EXPECT_EQ(write(JobFormat::kBatsim, {job}).text,
            "{\n\"description\": \"weft\",\n\"jobs\": [\n{\"id\": \"7\", \"subtime\": 1.5, "
            "\"walltime\": 200, \"res\": 4, \"profile\": \"delay-100\"}\n],\n\"profiles\": {\n"
            "\"delay-100\": {\"type\": \"delay\", \"delay\": 100}\n},\n\"nb_res\": 4\n}\n");
  WriteOptions options;
  options.zero_unix_ns = std::int64_t{1'506'816'000} * kNsPerSecond;  // 2017-10-01
  EXPECT_EQ(write(JobFormat::kPhilly, {job}, options).text,
            "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-01 00:00:01.5,100,4,400,\n");
}

TEST(WriteJobs, NamesBatsimProfilesByDelayWhereOneNameHasSeveral) {
  JobRecord a;
  a.id = "1";
  a.submit = SimTime{};
  a.runtime = seconds(5);
  a.requested_processors = 1;
  a.profile = "delay-7";
  JobRecord b = a;
  b.id = "2";
  b.runtime = seconds(7);
  JobRecord c = a;
  c.id = "3";
  c.profile = "";
  const Written written = write(JobFormat::kBatsim, {a, b, c});
  ASSERT_EQ(written.losses.size(), 1U);
  const auto back = read(JobFormat::kBatsim, written.text);
  ASSERT_EQ(back->all.size(), 3U);
  EXPECT_EQ(back->all[0].runtime, seconds(5));
  EXPECT_EQ(back->all[1].runtime, seconds(7));
  EXPECT_EQ(back->all[1].profile, "delay-7'");
  EXPECT_EQ(back->all[2].profile, "delay-5");
}

TEST(WordNumbers, KeepNumbersAndNumberWords) {
  WordNumbers numbers;
  EXPECT_EQ(numbers.of("").value, -1);
  EXPECT_EQ(numbers.of("17").value, 17);
  EXPECT_EQ(numbers.of("x").value, 1'000'000'001);
  EXPECT_EQ(numbers.of("007").value, 1'000'000'002);
  EXPECT_EQ(numbers.of("x").value, 1'000'000'001);
  WordNumbers words;
  EXPECT_EQ(words.of("ann").value, 1);
  EXPECT_EQ(words.of("17").value, 2);
  EXPECT_TRUE(words.of("17").made);
}

}  // namespace
}  // namespace weft::formats
