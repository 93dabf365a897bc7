// Kinds of fault that users of simulators, schedulers and their tools have reported in public,
// tried on the binary. docs/user-reports.md maps each report to its test.
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "weft_process.hpp"

namespace weft::cli::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kTwoNodes =
    "weft: 1\nname: two\nnodes:\n"
    "  - {name: \"n[1-2]\", gpu: {model: H100-SXM, count: 8}, cpus: 64, memory: 512GB}\n";

std::vector<CsvRow> jobs_of(const Folder& folder, const std::string& run) {
  return csv_rows(folder.read(run + "/jobs.csv"));
}

// Runs and returns jobs.csv; the run must succeed.
std::vector<CsvRow> run_jobs(const Folder& folder,
                             const std::vector<std::string>& options,
                             const std::string& out = "out") {
  std::vector<std::string> arguments = {"run", "-q", "-o", folder.path(out)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Finished run = run_weft(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.exit_code == 0 ? jobs_of(folder, out) : std::vector<CsvRow>();
}

// What a reader of the page sees: no scripts, styles, tags.
std::string visible_text(const std::string& page) {
  std::string text;
  for (std::size_t at = 0; at < page.size();) {
    if (page.compare(at, 7, "<script") == 0 || page.compare(at, 6, "<style") == 0) {
      const std::string end = page.compare(at, 7, "<script") == 0 ? "</script>" : "</style>";
      at = std::min(page.size(), page.find(end, at));
    } else if (page[at] == '<') {
      at = std::min(page.size(), page.find('>', at) + 1);
      text += ' ';
    } else {
      text += page[at++];
    }
  }
  return text;
}

bool has_nonsense(const std::string& text) {
  static const std::regex kNonsense("(^|[^A-Za-z0-9_])[+-]?(nan|inf|infinity)([^A-Za-z0-9_]|$)",
                                    std::regex::icase);
  for (std::size_t begin = 0; begin < text.size();) {  // by lines: std::regex recurses
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (std::regex_search(text.substr(begin, std::min<std::size_t>(end - begin, 4000)),
                          kNonsense)) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

void expect_no_nonsense(const Folder& folder, const std::string& run) {
  for (const std::string file : {"summary.json",
                                 "jobs.csv",
                                 "attempts.csv",
                                 "ledger.csv",
                                 "timeline.csv",
                                 "nodes.csv",
                                 "users.csv",
                                 "accounts.csv",
                                 "manifest.json",
                                 "resolved.yaml"}) {
    const std::string text = folder.read(run + '/' + file);
    EXPECT_FALSE(text.empty()) << file;
    EXPECT_FALSE(has_nonsense(text)) << file << ":\n" << text;
  }
  EXPECT_FALSE(has_nonsense(visible_text(folder.read(run + "/report.html"))));
}

TEST(UserReports, SacctTimesLimitsAndWaitsAreWhatSlurmMeans) {
  const Folder folder;
  const std::string platform = folder.write(
      "p.yaml",
      std::string(kTwoNodes) + "partitions:\n  - {name: gpu, nodes: all, default_time: 15min}\n");
  const std::string columns =
      "JobID;Partition;State;Submit;Eligible;Start;Elapsed;Timelimit;NNodes;ReqTRES\n";
  const auto row = [](const std::string& id, const std::string& elapsed, const std::string& limit) {
    return id + ";gpu;COMPLETED;2030-01-01T00:00:00;2030-01-01T00:00:00;2030-01-01T00:00:00;" +
           elapsed + ";" + limit + ";1;cpu=1,gres/gpu=1,node=1\n";
  };
  const std::string log = folder.write(
      "a.txt",
      columns + row("1", "1-02:03:04", "UNLIMITED") + row("2", "03:25", "Partition_Limit") +
          row("3", "00:18.500", "365-00:00:00") + row("4", "00:00:30", "10") +
          row("5", "00:00:30", "01:00") +
          "6;gpu;COMPLETED;2030-01-01T00:00:00;2030-01-01T00:08:20;2030-01-01T00:08:50;00:00:10;"
          "00:01:00;1;cpu=1,gres/gpu=1,node=1\n");
  const std::vector<CsvRow> jobs = run_jobs(folder, {"-p", platform, "-w", log});
  const auto get = [&](const std::string& id, const std::string& column) {
    return row_of(jobs, id)[column];
  };
  EXPECT_EQ(get("1", "execution_time"), "93784");
  EXPECT_EQ(get("2", "execution_time"), "205");
  EXPECT_EQ(get("3", "execution_time"), "18.5");
  EXPECT_EQ(get("1", "requested_time"), "");  // none
  EXPECT_EQ(get("2", "requested_time"), "900");
  EXPECT_EQ(get("3", "requested_time"), "31536000");
  EXPECT_EQ(get("4", "requested_time"), "600");
  EXPECT_EQ(get("5", "requested_time"), "60");
  EXPECT_EQ(get("6", "waiting_time"), "500");  // both waits, each by its name
  EXPECT_EQ(get("6", "waiting_time_eligible"), "0");
}

TEST(UserReports, EveryFormOfAGpuRequestCounts) {
  const Folder folder;
  const std::string at = "|COMPLETED|2030-01-01T00:00:00|2030-01-01T00:00:00|00:10:00|20|";
  const std::string log = folder.write(
      "a.psv",
      "JobID|State|Submit|Start|Elapsed|Timelimit|NNodes|NCPUS|ReqMem|ReqTRES|ReqGRES\n"
      "1" +
          at +
          "2|8|4000Mc|cpu=8,gres/gpu=4,node=2|gpu:2\n"
          "2" +
          at +
          "2|8|16Gn|cpu=8,gres/gpu=4,node=2|(null)\n"
          "3" +
          at +
          "1|8|32G|cpu=8,gres/gpu=3,node=1|(null)\n"
          "4" +
          at +
          "1|8|0n|cpu=8,gres/gpu=5,node=1|(null)\n"
          "5" +
          at +
          "1|8||cpu=8|gpu:h100-sxm:8(S:0-1)\n"
          "6" +
          at +
          "1|8||cpu=8|gpu:(null):4(IDX:0-3)\n"
          "7" +
          at +
          "1|8||cpu=8|gpu:3(IDX:0,2-3)\n"
          "8" +
          at + "1|8||cpu=8|(null)\n");
  const std::vector<CsvRow> jobs = run_jobs(folder, {"-p", "small-32", "-w", log});
  const std::vector<std::string> gpus = {"4", "4", "3", "5", "8", "4", "3", "0"};
  ASSERT_EQ(jobs.size(), gpus.size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    EXPECT_EQ(row_of(jobs, std::to_string(i + 1))["gpus"], gpus[i]) << "job " << i + 1;
  }
  const Finished converted = run_weft({"trace", "convert", log, "--to", "weft"});
  std::istringstream lines(converted.out);
  std::vector<json> read;
  for (std::string line; std::getline(lines, line);) {
    read.push_back(json::parse(line));
  }
  ASSERT_EQ(read.size(), gpus.size()) << converted.err;
  EXPECT_EQ(read[0]["memory"], "31.25GiB");  // 8 cores x 4000 MiB
  EXPECT_EQ(read[1]["memory"], "32GiB");     // 2 nodes x 16 GiB
  EXPECT_EQ(read[2]["memory"], "32GiB");
  EXPECT_FALSE(read[3].contains("memory"));  // not said
}

TEST(UserReports, AClusterWithoutGpusRunsCpuJobsAndRejectsOthersWithAReason) {
  const Folder folder;
  const std::string platform = folder.write(
      "p.yaml", "weft: 1\nname: p\nnodes:\n  - {name: \"n[1-2]\", cpus: 8, memory: 64GB}\n");
  const std::string log = folder.write(
      "a.jsonl",
      "{\"id\": \"cpu\", \"submit\": \"0s\", \"cpus\": 4, \"runtime\": \"60s\", \"limit\": "
      "\"60s\"}\n"
      "{\"id\": \"gpu\", \"submit\": \"5s\", \"gpus\": 3, \"runtime\": \"60s\", \"limit\": "
      "\"60s\"}\n");
  for (const std::string scheduler : {"fcfs", "easy", "conservative"}) {
    const std::vector<CsvRow> jobs =
        run_jobs(folder, {"-p", platform, "-w", log, "-s", scheduler, "--events"});
    EXPECT_EQ(row_of(jobs, "cpu")["state"], "COMPLETED");
    EXPECT_EQ(row_of(jobs, "gpu")["state"], "REJECTED");
    EXPECT_THAT(row_of(jobs, "gpu")["metadata"], HasSubstr("3 GPUs"));
    expect_no_nonsense(folder, "out");
  }
  const json summary = json::parse(folder.read("out/summary.json"));
  EXPECT_TRUE(summary["utilization_allocated"].is_null());
  EXPECT_EQ(summary["idle_gpu_seconds"], 0);
  const std::string page = visible_text(folder.read("out/report.html"));
  EXPECT_THAT(page, HasSubstr("n/a"));
  EXPECT_THAT(page, HasSubstr("3 GPUs; there are 0"));  // why the job was rejected
  EXPECT_THAT(page, HasSubstr("jobs of no GPU"));
  const Finished text = run_weft({"run", "-p", platform, "-w", log, "-o", folder.path("out")});
  EXPECT_THAT(text.out, HasSubstr("n/a of installed"));
  EXPECT_FALSE(has_nonsense(text.out)) << text.out;
  const Finished info = run_weft({"trace", "info", log, "-p", platform});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_FALSE(has_nonsense(info.out)) << info.out;
}

// Extreme but allowed: rates, prices and times near the ends of their ranges.
TEST(UserReports, ExtremeQuantitiesNeverBecomeNonsense) {
  const Folder folder;
  const std::string log = folder.write(
      "a.jsonl",
      "{\"id\": \"1ns\", \"submit\": \"0s\", \"gpus\": 0.001, \"runtime\": \"1ns\", \"limit\": "
      "\"1ns\"}\n"
      "{\"id\": \"36y\", \"submit\": \"0s\", \"gpus\": 16, \"runtime\": \"35y\", \"limit\": "
      "\"unlimited\"}\n"
      "{\"id\": \"late\", \"submit\": \"30y\", \"gpus\": 16, \"runtime\": \"0s\", \"limit\": "
      "\"1s\"}\n");
  for (const std::string cost : {"per_gpu_hour: 9223372M$/GPUh",
                                 "per_gpu_hour: 0$/GPUh",
                                 "per_gpu_hour: 0.000001$/GPUh",
                                 "years: 0.1, staff: 1000M$/y, network: 100000M$"}) {
    const std::string platform =
        folder.write("p.yaml", std::string(kTwoNodes) + "cost: {" + cost + "}\n");
    run_jobs(folder, {"-p", platform, "-w", log});
    expect_no_nonsense(folder, "out");
    for (const CsvRow& row : csv_rows(folder.read("out/ledger.csv"))) {
      EXPECT_THAT(row.at("cost_usd"), Not(HasSubstr("-"))) << cost;
      EXPECT_THAT(row.at("gpu_seconds"), Not(HasSubstr("-"))) << cost;
    }
  }
  for (const std::string wrong : {"1e30$/GPUh", "inf$/GPUh", "nan$/GPUh", "-1$/GPUh", "1$"}) {
    const std::string platform =
        folder.write("bad.yaml", std::string(kTwoNodes) + "cost: {per_gpu_hour: " + wrong + "}\n");
    const Finished run = run_weft({"run", "-p", platform, "-w", log, "-o", folder.path("never")});
    EXPECT_EQ(run.exit_code, 3) << wrong;
    EXPECT_THAT(run.err, HasSubstr("bad.yaml:5:22: cost.per_gpu_hour: found '" + wrong));
  }
  EXPECT_FALSE(folder.has("never"));
}

TEST(UserReports, ATableWithoutSubmitTimesIsRefusedAndToldWhatToDo) {
  const Folder folder;
  const std::string log = folder.write("a.csv", "job,seconds,delay,gpus\n1,10,1,1\n2,20,2,1\n");
  const std::string scenario = folder.write(
      "s.yaml",
      "weft: 1\nplatform: flat:4\nworkload:\n"
      "  - {file: a.csv, format: csv, columns: {id: job, runtime: seconds, gpus: gpus}}\n");
  const Finished run = run_weft({"run", scenario, "-o", folder.path("out")});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("submit: found no column"));
  EXPECT_THAT(run.err, HasSubstr("trace fit"));
  EXPECT_FALSE(folder.has("out"));
}

TEST(UserReports, CoverageOverTimeIsReported) {
  const Folder folder;
  std::string log = "JobID|State|Submit|Start|Elapsed|Timelimit|NNodes|ReqTRES\n";
  for (int day = 1; day <= 10; ++day) {
    const std::string at = (day < 10 ? "2030-01-0" : "2030-01-") + std::to_string(day) + "T0";
    for (int k = 0; k < 4; ++k) {
      log += std::to_string(day * 10 + k) + "|COMPLETED|" + at + std::to_string(k) + ":00:00|" +
             at + std::to_string(k) + ":00:00|00:10:00|20|" +
             (day >= 8 ? "1|cpu=1,gres/gpu=1,node=1\n" : "|\n");
    }
  }
  const std::string file = folder.write("a.psv", log);
  const Finished run = run_weft({"run", "-p", "small-32", "-w", file, "-o", folder.path("out")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("7 of 10 days (the first is day 1)"));
  EXPECT_THAT(run.err, HasSubstr("28 jobs without a size"));
  const Finished info = run_weft({"trace", "info", file});
  EXPECT_THAT(info.out, HasSubstr("on 7 of 10 days"));
  EXPECT_THAT(info.out, HasSubstr("day 1)"));
  EXPECT_THAT(info.out, Not(HasSubstr("day 0")));
}

TEST(UserReports, ARecordedLogIsReplayedOnTwoDesignsAndCompared) {
  const Folder folder;
  const std::string log = folder.write("philly.json", R"([
{"status": "Pass", "vc": "a", "jobid": "j1", "user": "u1", "submitted_time": "2030-01-01 00:00:00",
 "attempts": [
  {"start_time": "2030-01-01 00:10:00", "end_time": "2030-01-01 00:20:00",
   "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]},
  {"start_time": "2030-01-01 00:30:00", "end_time": "2030-01-01 01:30:00",
   "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}]}]},
{"status": "Failed", "vc": "a", "jobid": "j2", "user": "u1",
 "submitted_time": "2030-01-01 00:05:00", "attempts": [
  {"start_time": "2030-01-01 00:06:00", "end_time": "2030-01-01 00:20:00",
   "detail": [{"ip": "m1", "gpus": ["gpu0"]}]}]},
{"status": "Killed", "vc": "b", "jobid": "j3", "user": "u2",
 "submitted_time": "2030-01-01 00:07:00", "attempts": [
  {"start_time": "2030-01-01 00:16:00", "end_time": "2030-01-01 00:20:00",
   "detail": [{"ip": "m1", "gpus": ["gpu0"]}, {"ip": "m2", "gpus": ["gpu0"]}]}]}
])");
  const Finished converted =
      run_weft({"trace", "convert", log, "--to", "weft", "-o", folder.path("neutral.jsonl")});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const std::vector<CsvRow> large =
      run_jobs(folder, {"-p", "small-32", "-w", folder.path("neutral.jsonl")}, "large");
  const std::vector<CsvRow> small =
      run_jobs(folder, {"-p", "flat:2", "-w", folder.path("neutral.jsonl")}, "small");
  EXPECT_EQ(row_of(large, "j1")["execution_time"], "4200");  // both attempts
  EXPECT_EQ(row_of(large, "j2")["waiting_time"], "0");
  EXPECT_EQ(row_of(small, "j2")["waiting_time"], "3900");  // behind j1
  const Finished report = run_weft(
      {"report", folder.path("large"), folder.path("small"), "-o", folder.path("both.html")});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  const std::string page = visible_text(folder.read("both.html"));
  EXPECT_THAT(page, HasSubstr("large"));
  EXPECT_THAT(page, HasSubstr("small"));
}

TEST(UserReports, AnOutputFolderThatCannotBeMadeIsNamed) {
  const Folder folder;
  const std::string log = folder.write("a.swf", swf({"0 0 10 1 10"}));
  const std::string below_a_file = log + "/a/b";
  const Finished run = run_weft({"run", "-p", "flat:4", "-w", log, "-o", below_a_file});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_LT(run.exit_code, 128) << "a signal";
  EXPECT_THAT(run.err, HasSubstr(below_a_file));
  EXPECT_THAT(run.err, HasSubstr("cannot be made"));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
  const Finished proc = run_weft({"run", "-q", "-p", "flat:4", "-w", log, "-o", "/proc/absent/a"});
  EXPECT_NE(proc.exit_code, 0);
  EXPECT_LT(proc.exit_code, 128) << "a signal";
  EXPECT_THAT(proc.err, HasSubstr("/proc/absent/a"));
}

TEST(UserReports, ExponentsAreReadAndNeverWritten) {
  const Folder folder;
  const std::string node =
      "weft: 1\nname: p\nnodes:\n"
      "  - {name: n1, cpus: 8, memory: 1e12B, gpu: {model: Mine, custom: true, count: 8, "
      "memory: 8e10B, memory_bandwidth: 3e12B/s, peak: {fp16: 1e15FLOP/s}}}\n";
  const std::string platform = folder.write("p.yaml", node);
  const std::string log = folder.write(
      "a.jsonl",
      "{\"id\": \"1\", \"submit\": \"1e6s\", \"gpus\": 8, \"runtime\": \"1e8s\", \"limit\": "
      "\"1e8s\"}\n");
  const std::vector<CsvRow> jobs = run_jobs(folder, {"-p", platform, "-w", log});
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].at("submission_time"), "1000000");
  EXPECT_EQ(jobs[0].at("execution_time"), "100000000");
  const std::regex exponent("[0-9][eE][+-]?[0-9]");
  for (const std::string file :
       {"summary.json", "jobs.csv", "ledger.csv", "timeline.csv", "nodes.csv", "resolved.yaml"}) {
    EXPECT_FALSE(std::regex_search(folder.read("out/" + file), exponent)) << file;
  }
  EXPECT_THAT(folder.read("out/resolved.yaml"), HasSubstr("memory: 1TB"));
  EXPECT_THAT(folder.read("out/resolved.yaml"), HasSubstr("1PFLOP/s"));
  const std::string bare =
      folder.write("bare.yaml", std::regex_replace(node, std::regex("1e12B"), "1e12"));
  const Finished refused = run_weft({"check", bare});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("found '1e12', allowed a size with a unit"));
}

TEST(UserReports, ABareNumberIsRefusedWhereItsUnitIsAGuess) {
  const Folder folder;
  folder.write("a.swf", swf({"0 0 10 1 10"}));
  const auto refusal = [&](const std::string& line) {
    const std::string scenario = folder.write(
        "s.yaml", "weft: 1\nplatform: flat:4\nworkload: [{file: a.swf}]\n" + line + "\n");
    const Finished finished = run_weft({"check", scenario});
    EXPECT_EQ(finished.exit_code, 3) << line;
    return finished.err;
  };
  EXPECT_THAT(refusal("horizon: 60"), HasSubstr("found '60', allowed a time with a unit"));
  EXPECT_THAT(refusal("horizon: 01:00"), HasSubstr("allowed a time with a unit"));
  const std::string bandwidth = folder.write(
      "p.yaml",
      "weft: 1\nname: p\nnodes:\n  - {name: n1, gpu: {model: H100-SXM, count: 8}, nics: [{fabric: "
      "compute, count: 8, rate: 400}]}\nfabrics:\n  - {name: compute, kind: roce, topology: {kind: "
      "single}}\n");
  const Finished finished = run_weft({"check", bandwidth});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_THAT(finished.err, HasSubstr("p.yaml:4:"));
  EXPECT_THAT(finished.err, HasSubstr("found '400', allowed"));
}

TEST(UserReports, ARejectionNamesBothValuesTheJobAndItsLine) {
  const Folder folder;
  std::filesystem::create_directories(folder.path("logs"));
  const std::string platform = folder.write(
      "p.yaml",
      std::string(kTwoNodes) + "partitions:\n  - {name: short, nodes: all, max_time: 30min}\n");
  folder.write("logs/a.psv",
               "JobID|Partition|State|Submit|Start|Elapsed|Timelimit|NNodes|ReqTRES\n"
               "7|short|COMPLETED|2030-01-01T00:00:00|2030-01-01T00:00:00|00:10:00|120|1|"
               "cpu=1,gres/gpu=1,node=1\n");
  const std::string why =
      "job 7 (a.psv:2) asks for a limit of 7200 s, partition short allows 1800 s";
  const std::vector<CsvRow> jobs =
      run_jobs(folder, {"-p", platform, "-w", folder.path("logs/a.psv"), "--events"});
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].at("state"), "REJECTED");
  EXPECT_EQ(jobs[0].at("metadata"), why);
  EXPECT_THAT(folder.read("out/events.jsonl"), HasSubstr(why));
  EXPECT_THAT(visible_text(folder.read("out/report.html")), HasSubstr(why));
  EXPECT_THAT(run_weft({"explain", folder.path("out"), "7"}).out, HasSubstr(why));
  // However the log was named, the results are the same bytes.
  const Finished relative = run_weft(
      {"run", "-q", "-p", "p.yaml", "-w", "logs/a.psv", "--events", "-o", "again"}, folder.path());
  ASSERT_EQ(relative.exit_code, 0) << relative.err;
  EXPECT_EQ(folder.read("again/jobs.csv"), folder.read("out/jobs.csv"));
  EXPECT_EQ(folder.read("again/events.jsonl"), folder.read("out/events.jsonl"));
}

}  // namespace
}  // namespace weft::cli::test
