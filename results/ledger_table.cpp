#include "results/ledger_table.hpp"

#include "base/errors.hpp"
#include "results/decimal.hpp"
#include "results/output_file.hpp"

namespace weft::results {

namespace {

std::optional<ExactCost> row_cost(const LedgerRow& row, const GpuHourPrices& prices) {
  const std::optional<Money> price = prices.of(row.slot.gpu_model);
  return price ? std::optional(exact_cost(row.time, *price)) : std::nullopt;
}

// Costs of the rows that jobs held sum to their rounded sum, and so do all rows: idle and
// unavailable rows share what is between the two. False, and no costs, if the sum is beyond Money.
bool add_costs(std::vector<LedgerRow>& rows, const GpuHourPrices& prices) {
  ExactCost all;
  ExactCost held;
  for (const LedgerRow& row : rows) {
    if (const std::optional<ExactCost> cost = row_cost(row, prices)) {
      all += *cost;
      if (is_job_time(group_of(row.account))) {
        held += *cost;
      }
    }
  }
  if (!fits_money(all)) {
    return false;
  }
  for (const bool of_jobs : {true, false}) {
    std::vector<LedgerRow*> priced;
    std::vector<ExactCost> parts;
    for (LedgerRow& row : rows) {
      const std::optional<ExactCost> cost = row_cost(row, prices);
      if (cost && is_job_time(group_of(row.account)) == of_jobs) {
        priced.push_back(&row);
        parts.push_back(*cost);
      }
    }
    const Money whole = of_jobs ? rounded(held) : rounded(all) - rounded(held);
    const std::vector<Money> split = split_by_largest_remainder(whole, parts);
    for (std::size_t i = 0; i < priced.size(); ++i) {
      priced[i]->cost = split[i];
    }
  }
  return true;
}

}  // namespace

LedgerTable make_ledger_table(const Ledger& ledger, const GpuHourPrices& prices) {
  LedgerTable table;
  for (std::size_t a = 0; a < kAccounts; ++a) {
    const Account account = account_at(a);
    for (std::size_t slot = 0; slot < ledger.slots().size(); ++slot) {
      const GpuTime time = ledger.time(account, slot);
      if (time.raw() > 0) {
        table.rows.push_back({account, ledger.slots()[slot], time, std::nullopt});
        table.by_account[a] += time;
        table.by_group[index(group_of(account))] += time;
        table.total += time;
      }
    }
  }
  bool all_priced = add_costs(table.rows, prices);
  for (const LedgerSlot& slot : ledger.slots()) {
    all_priced = all_priced && prices.of(slot.gpu_model).has_value();
  }
  if (all_priced && !ledger.slots().empty()) {
    table.total_cost = Money{};
    table.account_cost.fill(Money{});
    table.group_cost.fill(Money{});
    for (const LedgerRow& row : table.rows) {
      *table.total_cost += *row.cost;
      *table.account_cost[index(row.account)] += *row.cost;
      *table.group_cost[index(group_of(row.account))] += *row.cost;
    }
  }
  return table;
}

std::string ledger_csv(const LedgerTable& table, const ClusterLayout& layout) {
  std::string csv = "account,group,gpu_model,partition,gpu_seconds,share,cost_usd\n";
  const auto share = [&](GpuTime part) {
    return table.total.raw() == 0 ? std::string() : ratio_text(share_of(part, table.total), 9);
  };
  for (const LedgerRow& row : table.rows) {
    const PartitionId partition = row.slot.partition;
    csv += std::string(to_string(row.account)) + ',' +
           std::string(to_string(group_of(row.account))) + ',' +
           csv_field(layout.gpu_models[weft::index(row.slot.gpu_model)]) + ',' +
           (partition == kNoPartition ? std::string()
                                      : csv_field(layout.partitions[weft::index(partition)].name)) +
           ',' + gpu_seconds_text(row.time) + ',' + share(row.time) + ',' +
           (row.cost ? dollars_text(*row.cost) : std::string()) + '\n';
  }
  csv += "total,,,," + gpu_seconds_text(table.total) + ',' + share(table.total) + ',' +
         (table.total_cost ? dollars_text(*table.total_cost) : std::string()) + '\n';
  return csv;
}

}  // namespace weft::results
