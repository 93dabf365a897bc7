// The house rules that a machine can see: who may include whom, who may name which library, and how
// long a file may be. Reads the source tree itself.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

const std::map<std::string, Names> kMayInclude = {
    {"base", {}},
    {"platforms", {"base"}},
    {"topology", {"base", "platforms"}},
    {"workloads", {"base", "platforms", "topology"}},
    {"schedulers", {"base"}},
    {"formats", {"base", "platforms", "topology", "workloads", "schedulers"}},
    {"sim", {"base", "platforms", "topology", "workloads", "schedulers"}},
    {"results", {"base", "platforms"}},  // and sim/observer.hpp
    {"cli",
     {"base", "platforms", "topology", "workloads", "schedulers", "formats", "sim", "results"}},
};

// Library prefix -> rooms that may name it.
const std::map<std::string, Names> kOnlyIn = {
    {"simgrid/", {"sim"}},
    {"xbt/", {"sim"}},
    {"boost/graph/", {"topology"}},
    {"yaml-cpp/", {"platforms", "formats"}},
    {"simdjson", {"formats", "workloads"}},
    {"nlohmann/", {"results", "formats", "cli"}},
    {"spdlog/", {"sim", "cli"}},
    {"CLI/", {"cli"}},
    {"date/", {"formats"}},
};

constexpr std::size_t kLongestFile = 600;

bool is_source(const fs::path& path) {
  return path.extension() == ".cpp" || path.extension() == ".hpp";
}

std::vector<fs::path> sources_of(const std::string& room) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WEFT_SOURCE_DIR) / room)) {
    if (entry.is_regular_file() && is_source(entry.path())) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

// What is wrong with one #include of `room`; empty if nothing.
std::string fault(const std::string& room, const std::string& included) {
  const std::string there = included.substr(0, included.find('/'));
  if (kMayInclude.count(there) != 0 && there != room && kMayInclude.at(room).count(there) == 0 &&
      !(room == "results" && included == "sim/observer.hpp")) {
    return room + " may not include " + included;
  }
  for (const auto& [prefix, rooms] : kOnlyIn) {
    if (included.rfind(prefix, 0) == 0 && rooms.count(room) == 0) {
      return room + " may not name " + prefix;
    }
  }
  return {};
}

TEST(Layers, EachRoomIncludesOnlyWhatItMay) {
  const std::regex include(R"(^\s*#\s*include\s+[<"]([^>"]+)[>"])");
  std::size_t seen = 0;
  for (const auto& [room, unused] : kMayInclude) {
    for (const fs::path& path : sources_of(room)) {
      std::size_t number = 0;
      for (const std::string& line : lines_of(path)) {
        ++number;
        std::smatch match;
        if (std::regex_search(line, match, include)) {
          ++seen;
          const std::string wrong = fault(room, match[1]);
          EXPECT_TRUE(wrong.empty()) << path << ":" << number << ": " << wrong;
        }
      }
    }
  }
  EXPECT_GT(seen, 100U) << "the check reads the wrong folder";
}

TEST(Layers, TheCheckItselfFindsFaults) {
  EXPECT_EQ(fault("base", "sim/clock.hpp"), "base may not include sim/clock.hpp");
  EXPECT_EQ(fault("results", "sim/simulation.hpp"), "results may not include sim/simulation.hpp");
  EXPECT_EQ(fault("results", "sim/observer.hpp"), "");
  EXPECT_EQ(fault("schedulers", "simgrid/s4u.hpp"), "schedulers may not name simgrid/");
  EXPECT_EQ(fault("sim", "simgrid/s4u.hpp"), "");
}

TEST(Layers, NoFileIsLongerThanSixHundredLines) {
  for (const std::string room : {"base",
                                 "platforms",
                                 "topology",
                                 "workloads",
                                 "schedulers",
                                 "formats",
                                 "sim",
                                 "results",
                                 "cli",
                                 "tests",
                                 "bench"}) {
    for (const fs::path& path : sources_of(room)) {
      EXPECT_LE(lines_of(path).size(), kLongestFile) << path;
    }
  }
}

}  // namespace
