#include "platforms/cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/errors.hpp"
#include "base/hostlist.hpp"
#include "base/quantity.hpp"
#include "platforms/number_text.hpp"

namespace weft::platforms {
namespace {

constexpr std::int64_t kHoursPerYear = 8760;
constexpr std::int64_t kMonthsPerYear = 12;
constexpr std::int64_t kMillionths = 1'000'000;

// To the nearest, halves up; both not negative.
Int128 divide_rounded(Int128 dividend, Int128 divisor) {
  return (dividend + divisor / 2) / divisor;
}

Money saturated(Int128 micro) {
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
  return micro_dollars(static_cast<std::int64_t>(std::min(micro, kMost)));
}

std::string once(Money price) {
  return price_to_text(price, PriceUnit::Kind::kOnce);
}

class Reckoning {
 public:
  explicit Reckoning(const Platform& platform)
      : platform_(platform), cost_(platform.cost.value_or(Cost{})) {
    for (const std::string& model : gpu_models(platform)) {
      ModelCost entry;
      entry.gpu_model = model;
      for (const NodeGroup& group : platform.nodes) {
        entry.gpus += group.gpu && group.gpu->model == model ? group.gpu_count() : 0;
      }
      rates_.models.push_back(std::move(entry));
    }
    thousandths_of_a_year_ = cost_.amortisation.raw() / years_of_8760_hours(1).raw();
    WEFT_ASSERT(thousandths_of_a_year_ > 0, to_text(cost_.amortisation));
    years_ = number_text(static_cast<double>(thousandths_of_a_year_) / 1000) + 'y';
  }

  CostRates finish() {
    for (const NodeGroup& group : platform_.nodes) {
      add_group(group);
    }
    add_shared();
    set_rates();
    return std::move(rates_);
  }

 private:
  void add(std::string name, std::string formula, const std::string& model, Int128 micro) {
    rates_.lines.push_back({std::move(name), std::move(formula), model, saturated(micro)});
  }
  void note(const std::string& what, const std::string& why) {
    rates_.notes.push_back(what + ": " + why + ", counted as 0");
  }
  // price x count spread over the amortisation, for a year.
  [[nodiscard]] Int128 amortised(Money price, std::int64_t count) const {
    return divide_rounded(Int128{price.raw()} * count * 1000, thousandths_of_a_year_);
  }
  void add_once(const std::string& name,
                const std::optional<Money>& price,
                std::int64_t count,
                const std::string& model) {
    if (price) {
      const std::string factor = count == 1 ? "" : std::to_string(count) + " x ";
      add(name, factor + once(*price) + " / " + years_, model, amortised(*price, count));
    } else {
      note(name, "no price");
    }
  }

  void add_group(const NodeGroup& group) {
    const std::vector<std::string_view> names(group.names.begin(), group.names.end());
    const std::string who = compress_hostlist(names);
    const std::string model = group.gpu ? group.gpu->model : std::string();
    const auto nodes = static_cast<std::int64_t>(group.names.size());
    add_once("servers " + who, group.price.server, nodes, model);
    if (group.gpu) {
      add_once("GPUs " + who, group.price.gpu, group.gpu_count(), model);
    }
    if (cost_.tariff) {
      add_energy(who, group, model);
    }
    if (cost_.colocation_per_kw_month) {
      const std::string name = "colocation " + who;
      if (group.power) {
        const Money price = *cost_.colocation_per_kw_month;
        add(name,
            std::to_string(nodes) + " x " + to_text(group.power->max) + " x " +
                price_to_text(price, PriceUnit::Kind::kPerKwMonth) + " x 12 months",
            model,
            divide_rounded(Int128{group.power->max.raw()} * nodes * price.raw() * kMonthsPerYear,
                           kMillionths));  // milliwatts in a kilowatt
      } else {
        note(name, "no power of the nodes");
      }
    }
    if (cost_.licences && group.gpu) {
      add("licences " + who,
          std::to_string(group.gpu_count()) + " x " +
              price_to_text(*cost_.licences, PriceUnit::Kind::kPerGpuYear),
          model,
          Int128{cost_.licences->raw()} * group.gpu_count());
    }
  }

  void add_energy(const std::string& who, const NodeGroup& group, const std::string& model) {
    const std::string name = "energy " + who;
    if (!group.power) {
      note(name, "no power of the nodes");
      return;
    }
    const auto nodes = static_cast<std::int64_t>(group.names.size());
    const std::int64_t pue = std::llround(cost_.pue * static_cast<double>(kMillionths));
    // mW x h x micro-dollars a kWh x millionths of PUE
    const Int128 product =
        Int128{group.power->max.raw()} * nodes * kHoursPerYear * cost_.tariff->raw() * pue;
    add(name,
        std::to_string(nodes) + " x " + to_text(group.power->max) + " x PUE " +
            number_text(cost_.pue) + " x 8760h x " +
            price_to_text(*cost_.tariff, PriceUnit::Kind::kPerKwh),
        model,
        divide_rounded(product, Int128{kMillionths} * kMillionths));
  }

  void add_shared() {
    for (const Storage& storage : platform_.storage) {
      add_once("storage " + storage.name, storage.price, 1, "");
    }
    if (cost_.network_by_bill) {
      note("network", "its bill of materials needs the built fabric");
    } else if (cost_.network || !platform_.fabrics.empty()) {
      add_once("network", cost_.network, 1, "");
    }
    if (cost_.facility) {
      add_once("facility", cost_.facility, 1, "");
    }
    if (!cost_.tariff) {
      note("energy", "no tariff");
    }
    if (cost_.colocation_per_year) {
      add("colocation",
          price_to_text(*cost_.colocation_per_year, PriceUnit::Kind::kPerYear),
          "",
          cost_.colocation_per_year->raw());
    } else if (!cost_.colocation_per_kw_month) {
      note("colocation", "not stated");
    }
    if (cost_.staff) {
      add("staff", price_to_text(*cost_.staff, PriceUnit::Kind::kPerYear), "", cost_.staff->raw());
    } else {
      note("staff", "not stated");
    }
    if (!cost_.licences) {
      note("licences", "not stated");
    }
  }

  [[nodiscard]] std::optional<Money> stated_rate(const std::string& model) const {
    const auto at = cost_.per_gpu_hour_of.find(model);
    return at != cost_.per_gpu_hour_of.end() ? std::optional<Money>(at->second)
                                             : cost_.per_gpu_hour;
  }

  void set_rates() {
    std::vector<std::int64_t> weights;
    std::int64_t without_rate = 0;
    for (const ModelCost& model : rates_.models) {
      weights.push_back(model.gpus);
      without_rate += stated_rate(model.gpu_model) ? 0 : 1;
    }
    if (without_rate == 0) {
      // All rates are stated: the lines reckoned from prices are not what is charged.
      rates_.lines.clear();
      rates_.notes.clear();
    }
    Int128 shared = 0;
    for (const CostLine& line : rates_.lines) {
      shared += line.gpu_model.empty() ? line.per_year.raw() : 0;
    }
    const bool has_prices = !rates_.lines.empty();
    const std::vector<Int128> parts = split_by_largest_remainder(shared, weights);
    for (std::size_t i = 0; i < rates_.models.size(); ++i) {
      ModelCost& model = rates_.models[i];
      if (const std::optional<Money> stated = stated_rate(model.gpu_model)) {
        const Int128 year = Int128{stated->raw()} * model.gpus * kHoursPerYear;
        model.per_gpu_hour = stated;
        model.per_year = saturated(year);
        std::erase_if(rates_.lines,
                      [&](const CostLine& line) { return line.gpu_model == model.gpu_model; });
        add("GPU-hours of " + model.gpu_model,
            std::to_string(model.gpus) + " x 8760h x " +
                price_to_text(*stated, PriceUnit::Kind::kPerGpuHour),
            model.gpu_model,
            year);
      } else if (has_prices) {
        Int128 year = parts[i];
        for (const CostLine& line : rates_.lines) {
          year += line.gpu_model == model.gpu_model ? line.per_year.raw() : 0;
        }
        model.per_year = saturated(year);
        model.per_gpu_hour = saturated(divide_rounded(year, Int128{model.gpus} * kHoursPerYear));
      }
      rates_.known = rates_.known || model.per_gpu_hour.has_value();
    }
  }

  const Platform& platform_;
  const Cost cost_;
  CostRates rates_;
  std::int64_t thousandths_of_a_year_ = 0;  // of the amortisation
  std::string years_;
};

}  // namespace

std::vector<Int128> split_by_largest_remainder(Int128 total,
                                               const std::vector<std::int64_t>& weights) {
  WEFT_ASSERT(total >= 0, to_text(total));
  std::vector<Int128> parts(weights.size(), 0);
  const Int128 sum = std::accumulate(weights.begin(), weights.end(), Int128{0});
  if (sum == 0) {
    return parts;
  }
  Int128 given = 0;
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // total < 2^84 and weights < 2^40 here: the product fits.
  for (std::size_t i = 0; i < weights.size(); ++i) {
    parts[i] = total * weights[i] / sum;
    given += parts[i];
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return total * weights[a] % sum > total * weights[b] % sum;
  });
  for (std::size_t i = 0; given < total; ++i, ++given) {
    ++parts[order[i]];
  }
  return parts;
}

std::optional<Money> CostRates::per_gpu_hour(std::string_view gpu_model) const {
  for (const ModelCost& model : models) {
    if (model.gpu_model == gpu_model) {
      return model.per_gpu_hour;
    }
  }
  return std::nullopt;
}

CostRates cost_rates(const Platform& platform) {
  return Reckoning(platform).finish();
}

}  // namespace weft::platforms
