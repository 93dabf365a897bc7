// The report is made from files alone, so the tests write small run folders and look at the page.
#include "results/report.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "results/output_file.hpp"

namespace weft::results {
namespace {

using ::testing::HasSubstr;

// A page is too long to be printed when it is not as it should be.
testing::AssertionResult has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos
             ? testing::AssertionSuccess()
             : testing::AssertionFailure() << "not on the page: " << text;
}
testing::AssertionResult lacks(const std::string& page, const std::string& text) {
  const std::size_t at = page.find(text);
  return at == std::string::npos ? testing::AssertionSuccess()
                                 : testing::AssertionFailure()
                                       << "on the page: "
                                       << page.substr(at - std::min<std::size_t>(at, 80), 200);
}

constexpr const char* kJobsHeader =
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
    "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
    "stretch,allocated_resources,consumed_energy,metadata,state,user,account,gpus,start_reason\n";
constexpr const char* kTimelineHeader =
    "time,queue_jobs,queue_gpus,running_jobs,down,maintenance,powered_off,no_demand,fragmented,"
    "draining,reserved,policy,scheduler_latency,starting,unused_allocation,comm_ideal,"
    "comm_contention,io_wait,checkpoint,bubble,throttled,lost_work,serving_idle,compute,"
    "serving_busy,power_w\n";

// Two nodes of two GPUs for 100 s. Job a: 2 GPUs in [0, 60). Job b: 4 GPUs, waits 55 s, [60, 100).
// 400 GPU-s installed: 120 + 160 useful, 120 idle (5 s x 2 no demand, 55 s x 2 draining).
struct Folder {
  explicit Folder(const std::string& name) : path(testing::TempDir() + "report_" + name) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    put("jobs.csv",
        std::string(kJobsHeader) +
            "a,w,p,0,2,100,1,COMPLETED_SUCCESSFULLY,0,60,60,0,60,1,0-1,-1,,COMPLETED,"
            "ann,x,2,head\n"
            "b,w,p,5,4,100,1,COMPLETED_SUCCESSFULLY,60,40,100,55,95,2.375,0-3,-1,,"
            "COMPLETED,bob,x,4,head\n"
            "c,w,p,6,9,100,0,REJECTED,,,,,,,,-1,asks for 9 GPUs of 4,REJECTED,bob,x,9,"
            "\n");
    put("timeline.csv",
        std::string(kTimelineHeader) +
            "0,0,0,1,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,\n"
            "5,1,4,1,0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,\n"
            "60,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,0,\n"
            "100,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,4,0,\n");
    put("ledger.csv",
        "account,group,gpu_model,partition,gpu_seconds,share,cost_usd\n"
        "no_demand,idle,H100,all,10,0.025,0.01\n"
        "draining,idle,H100,all,110,0.275,0.11\n"
        "compute,useful,H100,all,280,0.7,0.28\n"
        "total,,,,400,1,0.4\n");
    put("summary.json",
        R"({"nb_jobs": 3, "installed_gpus": 4, "horizon_s": 100, "mean_waiting_time": 27.5,
            "waiting_time_p50": 0, "waiting_time_p95": 55, "mean_bounded_slowdown": 1.6875,
            "utilization_allocated": 0.7, "utilization_useful": 0.7, "idle_gpu_cost_usd": 0.12,
            "cost_per_useful_gpu_hour_usd": 5.142857, "mean_slowdown": null})");
    put("manifest.json",
        R"({"weft": "0.1.0", "seed": 7, "timeline": "exact", "import_decisions":
            [{"decision": "no limit given", "count": 5}]})");
    put("nodes.csv", "node,gpu_model,gpus\nn1,H100,2\nn2,H100,2\n");
    put("users.csv", "user,jobs,gpu_hours\nann,1,0.033333\nbob,2,0.044444\n");
    put("accounts.csv", "account,jobs,gpu_hours\nx,3,0.077777\n");
  }
  void put(const std::string& file, const std::string& text) const {
    std::ofstream(path + "/" + file) << text;
  }
  void remove(const std::string& file) const { std::filesystem::remove(path + "/" + file); }
  void job(const std::string& row) const { put("jobs.csv", std::string(kJobsHeader) + row); }

  std::string path;
};

std::string page_of(const Folder& folder) {
  return build_report({folder.path}, {});
}

// The page without the parts that do not depend on the runs.
std::string content_of(const std::string& page) {
  const std::size_t begin = page.find("<main>");
  const std::size_t end = page.find("<script>", begin);
  EXPECT_NE(end, std::string::npos);
  return page.substr(begin, end - begin);
}

std::string errors_of(const std::vector<std::string>& folders) {
  try {
    (void)build_report(folders, {});
  } catch (const InputErrors& errors) {
    return errors.what();
  }
  return "no error";
}

TEST(Report, SaysWhatTheHorizonCovers) {
  Folder folder("horizon");
  EXPECT_TRUE(has(page_of(folder), "first submission to last end"));
  folder.put("manifest.json", R"({"resolved": "weft: 1\nhorizon: 100s\nseed: 1\n"})");
  EXPECT_TRUE(has(page_of(folder), "cut by the horizon"));
  EXPECT_TRUE(lacks(page_of(folder), "first submission to last end"));
  folder.put("manifest.json", R"({"resolved": "weft: 1\nhorizon: 100s\nmeasure: 10s..90s\n"})");
  EXPECT_TRUE(has(page_of(folder), "the measured part of the run"));
}

void expect_finite(const std::string& page) {
  const std::string content = content_of(page);
  for (const char* word :
       {"NaN", "Infinity", "undefined", ">nan", ">inf", ">-nan", "\"nan", ":nan"}) {
    EXPECT_TRUE(lacks(content, word));
  }
}

TEST(Report, HasAllSections) {
  const std::string page = page_of(Folder("sections"));
  for (const char* id : {"summary",
                         "gpu-time",
                         "over-time",
                         "waits",
                         "by-size",
                         "by-user",
                         "gantt",
                         "tables",
                         "definitions",
                         "provenance"}) {
    EXPECT_TRUE(has(page, "<section id=\"" + std::string(id) + "\">"));
    EXPECT_TRUE(has(page, "<a href=\"#" + std::string(id) + "\">"));
  }
  for (const char* plot : {"accounts",
                           "timeline",
                           "queue",
                           "wait",
                           "turnaround",
                           "slowdown",
                           "size",
                           "user",
                           "gantt-0"}) {
    EXPECT_TRUE(has(page, "id=\"plot-" + std::string(plot) + "\" role=\"img\" aria-label=\""));
  }
  EXPECT_TRUE(has(page, "<noscript>"));
  expect_finite(page);
}

TEST(Report, LoadsNothingFromAnywhere) {
  const std::string page = page_of(Folder("offline"));
  EXPECT_TRUE(has(page, "default-src 'none'"));
  EXPECT_FALSE(std::regex_search(content_of(page), std::regex("(src|href)=\"(https?:)?//")));
  EXPECT_TRUE(lacks(page, "<script src"));
  EXPECT_TRUE(lacks(page, "<link"));
}

TEST(Report, CarriesTheNoticesOfItsChartLibrary) {
  const std::string page = page_of(Folder("notices"));
  EXPECT_TRUE(has(page, "The Apache Software Foundation"));
  EXPECT_TRUE(has(page, "Redistribution and use in source and binary forms"));
}

TEST(Report, SaysWhereTheGpuTimeWent) {
  const std::string page = page_of(Folder("finding"));
  // 120 of 400 GPU-s idle; draining 110 GPU-s = 0.0306 GPU-hours, $0.11.
  EXPECT_TRUE(has(page, "30.0 % of GPU time sat idle; the largest cause is draining"));
  EXPECT_TRUE(has(page, "0.031 GPU-hours, $0.11; 70.0 % did useful work."));
  EXPECT_TRUE(has(page, "The queue peaked at 1 job after 5 s"));
}

TEST(Report, ShowsTheSameNumbersAsTheFiles) {
  const std::string page = page_of(Folder("numbers"));
  for (const char* figure : {"<data value=\"4\">4</data>",
                             "<data value=\"3\">3</data>",
                             "<data value=\"100\">100 s</data>",
                             "<data value=\"0.7\">70.0 %</data>",
                             "<data value=\"27.5\">27.5 s</data>",
                             "<data value=\"55\">55 s</data>",
                             "<data value=\"1.6875\">1.69</data>",
                             "<data value=\"0.12\">$0.12</data>",
                             "<data value=\"5.142857\">$5.14</data>"}) {
    EXPECT_TRUE(has(page, std::string("<dd class=\"figure\">") + figure)) << figure;
  }
  for (const char* cost : {"0.11\">$0.11", "0.28\">$0.28", "0.4\">$0.40"}) {
    EXPECT_TRUE(has(page, std::string("<data value=\"") + cost + "</data>"));
  }
  for (const char* seconds : {"10", "110", "280", "400"}) {
    EXPECT_TRUE(has(page, std::string("<data value=\"") + seconds + "\">" + seconds + "</data>"));
  }
  EXPECT_TRUE(has(page, "no limit given</th><td class=\"n\"><data value=\"5\">5</data>"));
  EXPECT_TRUE(has(page, "asks for 9 GPUs of 4"));
}

TEST(Report, ComputesWhatTheSummaryLacks) {
  const Folder folder("computed");
  folder.put("summary.json", "{}");
  const std::string page = page_of(folder);
  EXPECT_TRUE(has(page, "<dd class=\"figure\"><data value=\"27.5\">27.5 s</data>"));
  EXPECT_TRUE(has(page, "<dd class=\"figure\"><data value=\"0.7\">70.0 %</data>"));
  // Bounded slowdowns max(1, 60/60) and (55 + 40)/40 = 2.375; mean 1.6875.
  EXPECT_TRUE(has(page, "<dd class=\"figure\"><data value=\"1.6875\">1.69</data>"));
}

TEST(Report, ChartDataHoldsStaircasesAndBlocks) {
  const std::string page = page_of(Folder("data"));
  EXPECT_TRUE(has(page, "\"wait\":{\"x\":[0,55],\"y\":[0.5,1]}"));
  EXPECT_TRUE(has(page, "\"slowdown\":{\"x\":[1,2.375],\"y\":[0.5,1]}"));
  EXPECT_TRUE(has(page, "\"blocks\":[[0,0,2],[1,0,4]]"));
  EXPECT_TRUE(has(page, "\"lanes\":[[\"n1\",0,2],[\"n2\",2,2]]"));
  EXPECT_TRUE(has(page, "\"draining\":[0,2,0,0]"));
}

TEST(Report, ManyJobsBecomeAHeatMap) {
  const Folder folder("heat");
  std::string rows = kJobsHeader;
  for (int i = 0; i < 6000; ++i) {  // GPU 0 is always held, GPU 1 never, n2 in the second half
    rows += "j" + std::to_string(i) + ",w,p,0,1,1,1,COMPLETED_SUCCESSFULLY," +
            std::to_string(i / 60.0) + ",0,100,0,100,1,,-1,,COMPLETED,u,x,1,head\n";
  }
  rows += "k,w,p,0,1,1,1,COMPLETED_SUCCESSFULLY,0,100,100,0,100,1,0,-1,,COMPLETED,u,x,1,head\n";
  rows += "l,w,p,0,1,1,1,COMPLETED_SUCCESSFULLY,50,50,100,0,100,1,2-3,-1,,COMPLETED,u,x,2,head\n";
  folder.put("jobs.csv", rows);
  const std::string page = page_of(folder);
  std::string n1, n2;
  for (int bin = 0; bin < 240; ++bin) {
    n1 += "50,";
    n2 += bin < 120 ? "0," : "100,";
  }
  n2.pop_back();
  EXPECT_TRUE(has(page, "\"share\":[" + n1 + n2 + "]"));
}

TEST(Report, LongTimelinesBecomeMeans) {
  const Folder folder("bins");
  std::string rows = kTimelineHeader;
  for (int i = 0; i <= 3000; ++i) {  // alternates 0 and 4 GPUs useful every second, 5 steps a bin
    const char* split = i % 2 == 0 ? "0,0,0,4,0" : "0,0,0,0,0";
    rows += std::to_string(i) + ",2,0,0," + split + ",0,0,0,0,0,0,0,0,0,0,0,0,0,0," +
            (i % 2 == 0 ? "0" : "4") + ",0,\n";
  }
  folder.put("timeline.csv", rows);
  const std::string page = page_of(folder);
  // A bin of 5 s holds 2 or 3 of the busy seconds: 8/5 or 12/5 GPUs.
  EXPECT_TRUE(has(page, "\"compute\":[1.6,2.4,1.6,2.4,"));
  EXPECT_TRUE(has(page, "\"queue\":[2,2,2,"));
  expect_finite(page);
}

TEST(Report, EscapesWhatUsersWrote) {
  const Folder folder("xss");
  const std::string evil = "</script><script>alert(1)</script>";
  folder.job("\"" + evil +
             "\",w,p,0,2,100,1,COMPLETED_SUCCESSFULLY,0,60,60,5,60,1,0-1,-1,,COMPLETED,"
             "\"<img src=x onerror=\"\"y\"\">\xE2\x80\xA8\xFF\",x,2,head\n");
  folder.put("users.csv", "user,gpu_hours\n" + evil + ",1\n");
  folder.put("nodes.csv", "node,gpus\n<b>n1,4\n");
  folder.put("manifest.json", "{\"<i>key\": \"" + evil + "\"}");
  ReportOptions options;
  options.title = evil;
  options.names = {evil};
  const std::string page = build_report({folder.path}, options);
  EXPECT_TRUE(lacks(page, "alert(1)</script>"));
  EXPECT_TRUE(lacks(page, "<img"));
  EXPECT_TRUE(lacks(page, "<b>n1"));
  EXPECT_TRUE(lacks(page, "<i>key"));
  EXPECT_TRUE(has(page, "&lt;/script&gt;"));
  const std::size_t data = page.find("id=\"weft-data\">");
  const std::string json = page.substr(data, page.find("</script>", data) - data);
  EXPECT_TRUE(has(json, "\\u003c/script\\u003e"));
  EXPECT_TRUE(lacks(json, "\xE2\x80\xA8"));
  EXPECT_TRUE(lacks(page, "\xFF"));
}

TEST(Report, NoJobs) {
  const Folder folder("nojobs");
  folder.job("");
  folder.put("users.csv", "user,gpu_hours\n");
  folder.put("ledger.csv",
             "account,group,gpu_model,partition,gpu_seconds,share,cost_usd\ntotal,,,,0,,\n");
  folder.put("timeline.csv", kTimelineHeader);
  folder.put("summary.json", R"({"nb_jobs": 0, "mean_waiting_time": null})");
  const std::string page = page_of(folder);
  EXPECT_TRUE(has(page, "This run has no GPU time to account for."));
  EXPECT_TRUE(has(page, "n/a"));
  expect_finite(page);
}

TEST(Report, NoGpus) {
  const Folder folder("nogpus");
  folder.put("nodes.csv", "node,gpus\ncpu1,0\n");
  folder.put("timeline.csv",
             std::string(kTimelineHeader) +
                 "0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\n"
                 "100,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,\n");
  folder.put("ledger.csv",
             "account,group,gpu_model,partition,gpu_seconds,share,cost_usd\ntotal,,,,0,,\n");
  folder.put("summary.json", "{}");
  expect_finite(page_of(folder));
}

TEST(Report, OneJobOfNoLength) {
  const Folder folder("onejob");
  folder.job("a,w,p,0,2,100,1,COMPLETED_SUCCESSFULLY,0,0,0,0,0,,0-1,-1,,COMPLETED,,x,2,head\n");
  folder.put("timeline.csv",
             std::string(kTimelineHeader) + "0,0,0,1,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0,\n");
  folder.put("summary.json", "{}");
  const std::string page = page_of(folder);
  EXPECT_TRUE(has(page, "<i>no user</i>"));
  expect_finite(page);
}

TEST(Report, UnfinishedJobsReachTheEnd) {
  const Folder folder("running");
  folder.job(
      "a,w,p,0,2,100,,,10,,,10,,,0-1,-1,,RUNNING,ann,x,2,head\n"
      "b,w,p,0,2,100,,,,,,,,,,-1,,PENDING,ann,x,2,\n");
  const std::string page = page_of(folder);
  EXPECT_TRUE(has(page, "[\"a\",\"ann\",\"RUNNING\",2,0,10,100]"));
  EXPECT_TRUE(has(page, "1 PENDING, 1 RUNNING"));
  expect_finite(page);
}

TEST(Report, CountsOnlyJobsOfTheMeasuredPart) {
  const Folder folder("measure");
  folder.put("summary.json", R"({"nb_jobs": 1, "horizon_begin_s": 5, "horizon_s": 1})");
  const std::string page = page_of(folder);
  EXPECT_TRUE(has(page, "\"wait\":{\"x\":[55],\"y\":[1]}"));
  EXPECT_TRUE(has(page, "\"blocks\":[[0,0,2],[1,0,4]]"));  // all are drawn
}

TEST(Report, ComparesRunsWithTheFirst) {
  const Folder a("first"), b("second");
  b.put("summary.json", R"({"nb_jobs": 3, "mean_waiting_time": 11, "utilization_useful": 0.84})");
  ReportOptions options;
  options.names = {"slow", "quick"};
  const std::string page = build_report({a.path, b.path}, options);
  EXPECT_TRUE(has(page, "Differences against slow"));
  // 11 / 27.5 - 1 = -60 %; 0.84 / 0.7 - 1 = 20 %.
  EXPECT_THAT(
      page,
      HasSubstr("<data value=\"11\">11 s</data> <span class=\"delta better\">−60.0 % better"));
  EXPECT_TRUE(has(page, "<span class=\"delta better\">+20.0 % better"));
  EXPECT_TRUE(has(page, "id=\"plot-gantt-1\""));
  expect_finite(page);
}

TEST(Report, EqualNamesAreToldApart) {
  const Folder a("x/run"), b("y/run");
  const std::string page = build_report({a.path, b.path + "/"}, {});
  EXPECT_TRUE(has(page, "\"name\":\"run (1: "));
  EXPECT_TRUE(has(page, "\"name\":\"run (2: "));
}

TEST(Report, SameFoldersSameBytes) {
  const Folder folder("bytes");
  EXPECT_TRUE(page_of(folder) == page_of(folder));
}

TEST(Report, NamesEveryMissingFile) {
  const Folder folder("missing");
  folder.remove("jobs.csv");
  folder.remove("ledger.csv");
  const std::string errors = errors_of({folder.path, folder.path + "-none"});
  EXPECT_THAT(errors, HasSubstr(folder.path + "/jobs.csv: found nothing"));
  EXPECT_THAT(errors, HasSubstr(folder.path + "/ledger.csv: found nothing"));
  EXPECT_THAT(errors, HasSubstr(folder.path + "-none: found nothing"));
  EXPECT_THAT(errors_of({folder.path + "/summary.json"}), HasSubstr("found not a folder"));
}

TEST(Report, OptionalFilesMayBeMissing) {
  const Folder folder("optional");
  for (const char* file : {"nodes.csv", "users.csv", "accounts.csv"}) {
    folder.remove(file);
  }
  expect_finite(page_of(folder));
}

TEST(Report, RefusesNoneAndTooManyFolders) {
  EXPECT_THAT(errors_of({}), HasSubstr("allowed 1 to 12"));
  EXPECT_THAT(errors_of(std::vector<std::string>(13, "x")), HasSubstr("found 13 run folders"));
}

struct Fault {
  const char* file;
  const char* text;   // "+": appended to the file's header
  const char* error;  // with line and column
};

TEST(Report, RefusesBrokenFiles) {
  const Fault faults[] = {
      {"summary.json", "{\"a\": 1,\n \"b\": }", "summary.json:2:7"},
      {"summary.json", "[1]", "summary.json:1:1: found array"},
      {"summary.json", "", "summary.json:1:1: found broken JSON"},
      {"summary.json", "{\"a\": 1e999}", "summary.json:1:1"},
      {"manifest.json", "{\"a\"", "manifest.json:1"},
      {"ledger.csv", "", "ledger.csv: found an empty file"},
      {"ledger.csv", "account,group\n", "ledger.csv:1: gpu_seconds: found nothing"},
      {"ledger.csv",
       "account,gpu_seconds\ncompute,-5\n",
       "ledger.csv:2:2: gpu_seconds: found '-5'"},
      {"ledger.csv", "account,gpu_seconds\ncompute,nan\n", "ledger.csv:2:2"},
      {"ledger.csv",
       "account,gpu_seconds\nsleeping,5\n",
       "ledger.csv:2:1: account: found 'sleeping'"},
      {"ledger.csv", "account,gpu_seconds,cost_usd\ncompute,5,x\n", "ledger.csv:2:3: cost_usd"},
      {"ledger.csv", "account,gpu_seconds\ncompute\n", "ledger.csv:2: found 1 fields, allowed 2"},
      {"ledger.csv",
       "account,account,gpu_seconds\n",
       "ledger.csv:1:2: account: found the column twice"},
      {"timeline.csv", "time\n", "timeline.csv:1: queue_jobs: found nothing"},
      {"timeline.csv", "time,queue_jobs\n5,1\n3,1\n", "timeline.csv:3:1: time: found '3'"},
      {"timeline.csv", "time,queue_jobs\n0,inf\n", "timeline.csv:2:2: queue_jobs: found 'inf'"},
      {"timeline.csv", "time,queue_jobs\n0,-1\n", "timeline.csv:2:2: queue_jobs: found '-1'"},
      {"jobs.csv", "job_id\n", "jobs.csv:1: submission_time: found nothing"},
      {"jobs.csv", "+\"a,w", "jobs.csv:2:1: found a quoted field without an end"},
      {"jobs.csv", "+a,b\n", "jobs.csv:2: found 2 fields, allowed 22"},
      {"jobs.csv",
       "+a,w,p,0,x,1,1,F,0,1,1,0,1,1,0,-1,,FAILED,u,x,,head\n",
       "jobs.csv:2:5: requested_number_of_resources: found 'x'"},
      {"jobs.csv",
       "+a,w,p,0,1,1,1,F,9,1,1,0,1,1,0,-1,,FAILED,u,x,1,head\n",
       "jobs.csv:2:11: finish_time: found '1'"},
      {"jobs.csv",
       "+a,w,p,0,1,1,1,F,0,1,1,-4,1,1,0,-1,,FAILED,u,x,1,head\n",
       "jobs.csv:2:12: waiting_time: found '-4'"},
      {"jobs.csv",
       "+a,w,p,0,1,1,1,F,0,1,1,0,1,1,3-1,-1,,FAILED,u,x,1,head\n",
       "jobs.csv:2:15: allocated_resources: found '3-1'"},
      {"jobs.csv",
       "+a,w,p,1e300,1,1,1,F,0,1,1,0,1,1,0,-1,,FAILED,u,x,1,head\n",
       "jobs.csv:2:4: submission_time: found '1e300'"},
      {"nodes.csv", "node,gpus\nn1,-2\n", "nodes.csv:2:2: gpus: found '-2'"},
      {"users.csv", "user,gpu_hours\nu,zz\n", "users.csv:2:2: gpu_hours: found 'zz'"},
  };
  int number = 0;
  for (const Fault& fault : faults) {
    const Folder folder("fault" + std::to_string(number++));
    const bool after_header = fault.text[0] == '+';
    folder.put(
        fault.file,
        after_header ? std::string(kJobsHeader) + (fault.text + 1) : std::string(fault.text));
    EXPECT_THAT(errors_of({folder.path}), HasSubstr(folder.path + "/" + fault.error)) << fault.text;
  }
}

TEST(Report, TellsAllErrorsOfAFileAtOnce) {
  const Folder folder("all");
  folder.put("ledger.csv", "account,gpu_seconds\nx,1\ncompute,y\n");
  const std::string errors = errors_of({folder.path});
  EXPECT_THAT(errors, HasSubstr("ledger.csv:2:1"));
  EXPECT_THAT(errors, HasSubstr("ledger.csv:3:2"));
}

TEST(Report, WarnsWhenTheLedgerDoesNotAddUp) {
  const Folder folder("sum");
  folder.put("ledger.csv", "account,gpu_seconds\ncompute,1\ntotal,2\n");
  EXPECT_THAT(page_of(folder), HasSubstr("do not sum to its total row"));
}

TEST(Report, IsWrittenWholeOrNotAtAll) {
  const Folder folder("write");
  const std::string path = folder.path + "/report.html";
  write_report({folder.path}, path, {});
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_TRUE(written.str() == page_of(folder));
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  EXPECT_THROW(write_report({folder.path}, folder.path + "/no/such/report.html", {}), OutputError);
}

// Through a link, so that a fault would replace the link and not the machine's device.
TEST(Report, WritesIntoADeviceAndNeverReplacesIt) {
  const Folder folder("device");
  const std::string path = folder.path + "/full";
  std::filesystem::create_symlink("/dev/full", path);
  EXPECT_THROW(write_report({folder.path}, path, {}), OutputError);
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_TRUE(std::filesystem::is_character_file(path));
}

}  // namespace
}  // namespace weft::results
