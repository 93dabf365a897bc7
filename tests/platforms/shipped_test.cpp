#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/quantity.hpp"
#include "base/rng.hpp"
#include "marked_yaml.hpp"
#include "platforms/catalogue.hpp"
#include "platforms/cost.hpp"
#include "platforms/load.hpp"
#include "platforms/write.hpp"

namespace weft::platforms {
namespace {

Platform load(const std::string& spec) {
  Diagnostics diagnostics;
  Platform platform = load_platform(spec, diagnostics);
  EXPECT_TRUE(diagnostics.ok()) << all_errors(diagnostics);
  EXPECT_TRUE(diagnostics.warnings().empty());
  return platform;
}

struct Expected {
  const char* name;
  std::size_t nodes;
  std::int64_t gpus;
  const char* model;
};

class Shipped : public testing::TestWithParam<Expected> {};

TEST_P(Shipped, LoadsWithoutWarning) {
  const Platform platform = load(GetParam().name);
  EXPECT_EQ(node_count(platform), GetParam().nodes);
  EXPECT_EQ(gpu_count(platform), GetParam().gpus);
  EXPECT_EQ(gpu_models(platform), std::vector<std::string>{GetParam().model});
  EXPECT_FALSE(platform.description.empty());
  ASSERT_NE(compute_fabric(platform), nullptr);
  const CostRates rates = cost_rates(platform);
  EXPECT_TRUE(rates.known);
  const double dollars_an_hour = static_cast<double>(rates.models.at(0).per_gpu_hour->raw()) / 1e6;
  EXPECT_GT(dollars_an_hour, 0.3) << "every shipped cluster states its prices";
  EXPECT_LT(dollars_an_hour, 6);
}

TEST_P(Shipped, SurvivesWritingAndReading) {
  const Platform platform = load(GetParam().name);
  const std::string yaml = to_yaml(platform);
  Diagnostics diagnostics;
  const Platform again = parse_platform(yaml, "resolved.yaml", diagnostics);
  EXPECT_TRUE(diagnostics.ok()) << all_errors(diagnostics) << yaml;
  EXPECT_EQ(again, platform) << yaml;
  EXPECT_EQ(to_yaml(again), yaml);
}

INSTANTIATE_TEST_SUITE_P(All,
                         Shipped,
                         testing::Values(Expected{"blueprint-64", 8, 64, "H100-SXM"},
                                         Expected{"small-32", 4, 32, "H100-SXM"},
                                         Expected{"medium-256", 32, 256, "B200"},
                                         Expected{"large-2048", 256, 2048, "B200"},
                                         Expected{"budget-32", 4, 32, "L40S"},
                                         Expected{"inference-16", 16, 128, "A100-PCIe-80GB"},
                                         Expected{"h100-1024-ib", 128, 1024, "H100-SXM"},
                                         Expected{"h100-1024-roce", 128, 1024, "H100-SXM"},
                                         Expected{"scale-100k", 12500, 100000, "H100-SXM"},
                                         Expected{"template", 16, 128, "H100-SXM"}),
                         [](const auto& one) {
                           std::string name = one.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ShippedPlatforms, AreTheOnesTested) {
  std::vector<std::string_view> names;
  for (const ShippedPlatform& shipped : shipped_platforms()) {
    names.push_back(shipped.name);
    EXPECT_THAT(shipped.yaml, testing::HasSubstr("weft: 1"));
  }
  EXPECT_THAT(names,
              testing::ElementsAre("blueprint-64",
                                   "budget-32",
                                   "h100-1024-ib",
                                   "h100-1024-roce",
                                   "inference-16",
                                   "large-2048",
                                   "medium-256",
                                   "scale-100k",
                                   "small-32",
                                   "template"));
}

TEST(ShippedPlatforms, HaveTheFactsOfTheirClusters) {
  const Platform blueprint = load("blueprint-64");
  const NodeGroup& node = blueprint.nodes.at(0);
  EXPECT_EQ(node.cpus, cpus(192));
  EXPECT_EQ(node.memory, bytes(1'000'000'000'000));
  EXPECT_EQ(node.nics.at(0).rail, RailKind::kDualHomed);
  EXPECT_EQ(node.nics.at(0).rate, gigabits_per_sec(400));
  EXPECT_EQ(node.local_storage->capacity, bytes(25'600'000'000'000));
  EXPECT_EQ(node.scale_up.kind, ScaleUpKind::kNvswitch);
  EXPECT_TRUE(node.scale_up.nvls);
  EXPECT_EQ(node.gpu->peak.bf16, teraflops_per_sec(989));
  EXPECT_EQ(compute_fabric(blueprint)->topology.kind, TopologyKind::kDualLeaf);
  EXPECT_EQ(compute_fabric(blueprint)->latency.hop, nanoseconds(150));  // the switch's
  EXPECT_EQ(blueprint.storage.at(0).read, bytes_per_sec(50e9));

  const Platform roce = load("h100-1024-roce");
  const Fabric* fabric = compute_fabric(roce);
  EXPECT_EQ(fabric->kind, FabricKind::kRoce);
  EXPECT_EQ(fabric->routing.kind, RoutingKind::kEcmp);
  EXPECT_EQ(fabric->routing.qps, 4);
  EXPECT_EQ(fabric->topology.rails, 8);
  EXPECT_EQ(fabric->topology.uplinks, 32);
  EXPECT_EQ(roce.fabrics.size(), 2U);  // the storage fabric of what it includes
  EXPECT_EQ(compute_fabric(load("h100-1024-ib"))->routing.kind, RoutingKind::kAdaptive);

  EXPECT_EQ(compute_fabric(load("scale-100k"))->topology.tiers, 3);
  EXPECT_EQ(compute_fabric(load("inference-16"))->name, "ethernet");
}

TEST(ShippedPlatforms, TwelveThousandNodesLoadQuickly) {
  const auto start = std::chrono::steady_clock::now();
  (void)load("scale-100k");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 3.0) << "Debug on a busy machine; Release takes about 20 ms";
}

TEST(Catalogue, HasWhatScenariosName) {
  const Catalogue catalogue = builtin_catalogue();
  for (const char* name : {"H100-SXM",  "H100-PCIe",      "H200",  "A100-SXM", "A100-SXM-40GB",
                           "A100-PCIe", "A100-PCIe-40GB", "B200",  "B300",     "GB200",
                           "MI300X",    "L40S",           "A6000", "RTX-4090", "P100",
                           "V100M16",   "V100M32",        "T4",    "A10",      "G2",
                           "G3"}) {
    EXPECT_NE(catalogue.find_gpu(name), nullptr) << name;
  }
  for (const GpuSpec& gpu : catalogue.gpus) {
    EXPECT_FALSE(gpu.source.empty()) << gpu.name;
    const bool is_known = gpu.name != "G2" && gpu.name != "G3";
    EXPECT_EQ(gpu.memory.has_value(), is_known) << gpu.name;
    EXPECT_EQ(gpu.peak.fp16.has_value(), is_known) << gpu.name;
    EXPECT_EQ(gpu.tdp.has_value(), is_known) << gpu.name;
    if (gpu.peak.fp8) {
      EXPECT_GT(gpu.peak.fp8->raw(), gpu.peak.bf16->raw() * 1.9) << gpu.name;
    }
    for (const GpuSpec& other : catalogue.gpus) {
      EXPECT_TRUE(&gpu == &other || gpu.name != other.name) << gpu.name;
    }
  }
  EXPECT_EQ(find_part(catalogue.switches, "QM9790")->ports, 64);
  EXPECT_EQ(find_part(catalogue.switches, "QM9790")->rate, gigabits_per_sec(400));
  EXPECT_EQ(find_part(catalogue.nics, "ConnectX-7")->rate, gigabits_per_sec(400));
  EXPECT_EQ(find_part(catalogue.switches, "none"), nullptr);
}

TEST(Catalogue, DomainsLargerThanABoardSpanNodes) {
  const Catalogue catalogue = builtin_catalogue();
  NodeGroup group;
  group.names.resize(36);
  set_gpus(catalogue, "GB200", 4, group);
  EXPECT_EQ(group.scale_up.domain_nodes, 18);  // 72 GPUs / 4 a tray
  group.names.resize(9);
  set_gpus(catalogue, "GB200", 4, group);
  EXPECT_EQ(group.scale_up.domain_nodes, 9);  // half a rack
  set_gpus(catalogue, "H100-SXM", 4, group);
  EXPECT_EQ(group.scale_up.domain_nodes, 1);
  set_gpus(catalogue, "GTX-1080", 2, group);
  EXPECT_TRUE(group.gpu->custom);
  EXPECT_EQ(group.scale_up.kind, ScaleUpKind::kNone);
}

// A platform with every optional thing present or not, values across their ranges.
Platform random_platform(Rng& rng, const Catalogue& catalogue) {
  const auto upto = [&](std::int64_t n) {
    return static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(n))) + 1;
  };
  const auto rate = [&] { return bytes_per_sec(rng.uniform() * 1e12 + 1); };
  const auto maybe_money = [&](std::int64_t most) {
    return rng.chance(0.5) ? std::optional<Money>(micro_dollars(upto(most))) : std::nullopt;
  };
  Platform platform;
  platform.name = rng.chance(0.5) ? "plain" : "with \"quotes\", \\ and\n\tlines: {x}";
  std::uint32_t nodes = 0;
  const std::int64_t groups = upto(3);
  for (std::int64_t g = 0; g < groups; ++g) {
    NodeGroup group;
    const std::int64_t count = upto(12);
    for (std::int64_t i = 0; i < count; ++i) {
      group.names.push_back("n" + std::to_string(g) + "-" + std::to_string(i * upto(2) + i));
    }
    std::sort(group.names.begin(), group.names.end());
    group.names.erase(std::unique(group.names.begin(), group.names.end()), group.names.end());
    nodes += static_cast<std::uint32_t>(group.names.size());
    if (rng.chance(0.8)) {
      const char* models[] = {"H100-SXM", "GB200", "G2", "My-Own", "null", "MI300X"};
      set_gpus(catalogue, models[rng.below(6)], static_cast<std::int32_t>(upto(8)), group);
      if (rng.chance(0.3)) {
        group.gpu->memory = bytes(upto(1'000'000'000'000));
        group.gpu->peak.fp4 = FlopsPerSec::from_raw(rng.uniform() * 1e16 + 1);
      }
      group.price.gpu = maybe_money(1'000'000'000'000);
    }
    if (rng.chance(0.5)) {
      group.cpus = cpu_thousandths(upto(1'000'000'000));
      group.memory = bytes(upto(std::int64_t{1} << 50));
    }
    if (rng.chance(0.5)) {
      const auto nic_count = static_cast<std::int32_t>(upto(8));
      const bool per_gpu = group.gpu && group.gpu->count == nic_count;
      group.nics.push_back(
          {"net: 1", nic_count, rate(), per_gpu ? RailKind::kGpu : RailKind::kSpread, ""});
    }
    if (rng.chance(0.5)) {
      group.local_storage = LocalStorage{bytes(upto(1'000'000'000'000'000)),
                                         rate(),
                                         rate(),
                                         rng.uniform() * 1e7,
                                         std::nullopt,
                                         nanoseconds(upto(1'000'000))};
    }
    if (rng.chance(0.5)) {
      const std::int64_t idle = upto(1'000'000);
      group.power = NodePower{milliwatts(idle), milliwatts(idle + upto(9'000'000))};
    }
    group.price.server = maybe_money(1'000'000'000'000);
    if (rng.chance(0.5)) {
      group.labels = {{"zone", "true"}, {"a key", "~"}, {"<<", "010"}};
      group.nodes_per_rack = static_cast<std::int32_t>(upto(1000));
    }
    platform.nodes.push_back(std::move(group));
  }
  Fabric fabric;
  fabric.name = "net: 1";
  fabric.kind = FabricKind::kSrd;
  fabric.topology.tiers = 1;
  fabric.latency.hop = nanoseconds(upto(10'000));
  platform.fabrics.push_back(fabric);
  const NodeList some{0, nodes - 1};
  const NodeList list = nodes > 1 ? some : NodeList{0};
  platform.partitions.push_back({"p", list, nanoseconds(upto(1'000'000'000'000)), std::nullopt});
  platform.events.push_back({SimTime::at(nanoseconds(upto(1'000'000'000'000'000))),
                             rng.chance(0.5) ? "leaf1-spine1" : "",
                             {},
                             EventState::kMaintenance,
                             nanoseconds(upto(1'000'000'000'000))});
  if (platform.events[0].link.empty()) {
    platform.events[0].nodes = list;
  }
  Cost cost;
  cost.amortisation = years_of_8760_hours(99 + upto(99'000));
  cost.tariff = maybe_money(1'000'000);
  cost.pue = 1 + rng.uniform() * 4;
  cost.carbon = rng.uniform() * 1000;
  cost.network = maybe_money(1'000'000'000'000);
  cost.colocation_per_kw_month = maybe_money(1'000'000'000);
  cost.spot["B200"] = micro_dollars(upto(10'000'000));
  platform.cost = cost;
  return platform;
}

TEST(Writing, RandomPlatformsSurviveWritingAndReading) {
  const Catalogue catalogue = builtin_catalogue();
  constexpr std::uint64_t kSeed = 20260101;
  for (std::uint64_t i = 0; i < 150; ++i) {
    Rng rng(kSeed + i, "platforms");
    const Platform platform = random_platform(rng, catalogue);
    const std::string yaml = to_yaml(platform);
    Diagnostics diagnostics;
    const Platform again = parse_platform(yaml, "random.yaml", diagnostics, {}, catalogue);
    ASSERT_TRUE(diagnostics.ok()) << "seed " << kSeed + i << '\n'
                                  << all_errors(diagnostics) << yaml;
    ASSERT_EQ(again, platform) << "seed " << kSeed + i << '\n' << yaml << to_yaml(again);
  }
}

// The ```yaml blocks of a page.
std::vector<std::string> yaml_blocks(const std::string& page) {
  std::ifstream stream(page);
  std::vector<std::string> blocks;
  bool inside = false;
  for (std::string text; std::getline(stream, text);) {
    if (!inside && text == "```yaml") {
      inside = true;
      blocks.emplace_back();
    } else if (text == "```") {
      inside = false;
    } else if (inside) {
      blocks.back() += text + '\n';
    }
  }
  return blocks;
}

TEST(Documentation, ExamplesOfThePlatformPageLoad) {
  const std::vector<std::string> blocks =
      yaml_blocks(std::string(WEFT_SOURCE_DIR) + "/docs/platforms.md");
  ASSERT_EQ(blocks.size(), 2U);
  for (const std::string& block : blocks) {
    Diagnostics diagnostics;
    const Platform platform = parse_platform(block, "docs/platforms.md", diagnostics);
    EXPECT_TRUE(diagnostics.ok()) << all_errors(diagnostics) << block;
    EXPECT_TRUE(cost_rates(platform).known);
  }
}

TEST(Loading, SettingsReachIntoThePlatform) {
  Diagnostics diagnostics;
  const std::vector<Setting> settings{{"fabrics[0].routing.qps", "16"},
                                      {"nodes[0].memory", "4TB"},
                                      {"cost.per_gpu_hour", "2.5$/GPUh"}};
  const Platform platform = load_platform("blueprint-64", diagnostics, settings);
  EXPECT_TRUE(diagnostics.ok()) << all_errors(diagnostics);
  EXPECT_EQ(platform.fabrics.at(0).routing.qps, 16);
  EXPECT_EQ(platform.nodes.at(0).memory, bytes(4'000'000'000'000));
  EXPECT_EQ(platform.cost->per_gpu_hour, micro_dollars(2'500'000));
}

TEST(Loading, FaultySettingsAreReportedAsSuch) {
  Diagnostics diagnostics;
  const std::vector<Setting> settings{{"fabrics[0].routing.qp", "16"}, {"nodes[7].memory", "4TB"}};
  (void)load_platform("blueprint-64", diagnostics, settings);
  ASSERT_EQ(diagnostics.errors().size(), 2U) << all_errors(diagnostics);
  EXPECT_EQ(to_string(diagnostics.errors()[0]),
            "--set nodes[7].memory=4TB: nodes[7].memory: found position 7, allowed positions "
            "below 1");
  EXPECT_THAT(to_string(diagnostics.errors()[1]),
              testing::HasSubstr("--set fabrics[0].routing.qp=16: fabrics[0].routing.qp: found an "
                                 "unknown key, allowed kind, qps"));
}

}  // namespace
}  // namespace weft::platforms
