#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "marked_yaml.hpp"
#include "platforms/load.hpp"

namespace weft::platforms {
namespace {

class Include : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_ / "below");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  Platform load(const std::string& path) { return load_platform(path, diagnostics_); }

  std::filesystem::path folder_;
  Diagnostics diagnostics_;
};

TEST_F(Include, LaysAFileOverAShippedPlatform) {
  const Platform platform = load(file("mine.yaml", R"(weft: 1
name: mine
include: h100-1024-ib
nodes:
  - name: node[001-032]
    price: {gpu: 25k$}
fabrics:
  - name: compute
    routing: {qps: 8}
cost: {staff: 2M$/y}
)"));
  ASSERT_TRUE(diagnostics_.ok()) << all_errors(diagnostics_);
  EXPECT_EQ(platform.name, "mine");
  ASSERT_EQ(platform.nodes.size(), 1U);  // one over one, whatever their names
  EXPECT_EQ(node_count(platform), 32U);
  EXPECT_EQ(platform.nodes[0].names.front(), "node001");
  EXPECT_EQ(platform.nodes[0].price.gpu, dollars(25'000));
  EXPECT_EQ(platform.nodes[0].price.server, dollars(50'000));  // from below
  ASSERT_EQ(platform.fabrics.size(), 2U);
  EXPECT_NE(find_fabric(platform, "storage"), nullptr);
  EXPECT_EQ(compute_fabric(platform)->routing.qps, 8);
  EXPECT_EQ(compute_fabric(platform)->routing.kind, RoutingKind::kAdaptive);
  EXPECT_EQ(platform.cost->staff, dollars(2'000'000));
  EXPECT_EQ(platform.cost->licences, dollars(1'000));
}

TEST_F(Include, PathsAreRelativeToTheFileThatIncludes) {
  file("below/base.yaml", "weft: 1\ninclude: ../root.yaml\ndescription: middle\n");
  file("root.yaml", "weft: 1\nname: root\nnodes:\n  - {name: a, cpus: 4}\n  - {name: b}\n");
  const Platform platform = load(file("top.yaml",
                                      "include: below/base.yaml\nname: top\n"
                                      "nodes:\n  - {name: b, cpus: 2}\n  - {name: c}\n"));
  ASSERT_TRUE(diagnostics_.ok()) << all_errors(diagnostics_);
  EXPECT_EQ(platform.name, "top");
  EXPECT_EQ(platform.description, "middle");
  ASSERT_EQ(platform.nodes.size(), 2U);  // exactly those listed: b and c
  EXPECT_EQ(platform.nodes[0].names, std::vector<std::string>{"b"});
  EXPECT_EQ(platform.nodes[0].cpus, cpus(2));
  EXPECT_EQ(platform.nodes[1].names, std::vector<std::string>{"c"});
}

TEST_F(Include, FaultsInTheBasePointIntoTheBase) {
  const std::string base =
      file("base.yaml", "weft: 1\nname: base\nnodes:\n  - {name: a, cpus: 4, memory: 3}\n");
  (void)load(file("top.yaml", "include: base.yaml\nname: top\nrak: 1\n"));
  ASSERT_EQ(diagnostics_.errors().size(), 2U) << all_errors(diagnostics_);
  EXPECT_EQ(*diagnostics_.errors()[0].at.file, base);
  EXPECT_EQ(diagnostics_.errors()[0].at.line, 4U);
  EXPECT_EQ(diagnostics_.errors()[0].at.column, 32U);
  EXPECT_EQ(diagnostics_.errors()[0].key, "nodes[0].memory");
  EXPECT_THAT(*diagnostics_.errors()[1].at.file, testing::HasSubstr("top.yaml"));
  EXPECT_EQ(diagnostics_.errors()[1].at.line, 3U);
}

TEST_F(Include, CirclesAreErrors) {
  file("b.yaml", "weft: 1\n# second\ninclude: a.yaml\n");
  (void)load(file("a.yaml", "weft: 1\ninclude: b.yaml\n"));
  ASSERT_EQ(diagnostics_.errors().size(), 1U) << all_errors(diagnostics_);
  const InputError& error = diagnostics_.errors()[0];
  EXPECT_THAT(*error.at.file, testing::HasSubstr("b.yaml"));
  EXPECT_EQ(error.at.line, 3U);
  EXPECT_EQ(error.at.column, 10U);
  EXPECT_EQ(error.key, "include");
  EXPECT_THAT(error.found, testing::HasSubstr("a circle of includes"));
}

TEST_F(Include, AFileThatIncludesItselfIsACircle) {
  (void)load(file("self.yaml", "weft: 1\ninclude: ./self.yaml\n"));
  ASSERT_EQ(diagnostics_.errors().size(), 1U);
  EXPECT_THAT(diagnostics_.errors()[0].found, testing::HasSubstr("a circle of includes"));
}

TEST_F(Include, MissingFilesAndUnknownNamesAreErrorsAtTheValue) {
  struct Case {
    const char* value;
    const char* found;
    const char* allowed;
  };
  for (const Case& one : {Case{"nowhere.yaml", "no file", "looked for"},
                          Case{"blueprint-46", "'blueprint-46'", "blueprint-64, budget-32"},
                          Case{"[a, b]", "a list", "text"},
                          Case{"/", "no file", ""}}) {
    Diagnostics diagnostics;
    const std::string path =
        file("top.yaml", "weft: 1\nname: x\ninclude: " + std::string(one.value) + "\n");
    (void)load_platform(path, diagnostics);
    ASSERT_EQ(diagnostics.errors().size(), 1U) << one.value << all_errors(diagnostics);
    const InputError& error = diagnostics.errors()[0];
    EXPECT_EQ(error.key, "include");
    EXPECT_EQ(error.at.line, 3U);
    EXPECT_EQ(error.at.column, 10U);
    EXPECT_THAT(error.found, testing::HasSubstr(one.found));
    EXPECT_THAT(error.allowed, testing::HasSubstr(one.allowed));
  }
}

TEST_F(Include, SyntaxErrorsInTheBaseAreTheOnlyOnes) {
  file("base.yaml", "weft: [1\n");
  (void)load(file("top.yaml", "include: base.yaml\n"));
  ASSERT_EQ(diagnostics_.errors().size(), 1U) << all_errors(diagnostics_);
  EXPECT_THAT(*diagnostics_.errors()[0].at.file, testing::HasSubstr("base.yaml"));
}

TEST_F(Include, ANewClusterTakesTwentyLines) {
  const Platform platform = load(file("twenty.yaml", R"(weft: 1
name: twenty
nodes:
  - name: gpu[01-16]
    gpu: {model: H200, count: 8}
    cpus: 192
    memory: 2TB
    nics:
      - {fabric: compute, count: 8, rate: 400Gbps}
    power: {idle: 2.5kW, max: 10.5kW}
    nodes_per_rack: 4
    price: {server: 50k$, gpu: 30k$}
fabrics:
  - name: compute
    kind: spectrum-x
    topology: {kind: leaf-spine, rails: 8, down_to_up: "2:1"}
    switch: SN5400
cost: {network: 300k$, power: {tariff: 0.15$/kWh, pue: 1.3}, staff: 150k$/y}
)"));
  ASSERT_TRUE(diagnostics_.ok()) << all_errors(diagnostics_);
  EXPECT_EQ(gpu_count(platform), 128);
  EXPECT_EQ(compute_fabric(platform)->topology.leaf_ports, 64);  // the switch's
  EXPECT_EQ(compute_fabric(platform)->topology.uplinks, 21);     // 43 down, 21 up: 2:1 to a port
  EXPECT_EQ(platform.nodes[0].nics[0].rail, RailKind::kGpu);     // as many NICs as GPUs
  EXPECT_EQ(compute_fabric(platform)->routing.kind, RoutingKind::kSpray);
}

}  // namespace
}  // namespace weft::platforms
