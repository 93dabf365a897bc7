// The ledger as it is printed: rows of (account, GPU model, partition) with time, share and cost.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/cluster.hpp"
#include "results/accounts.hpp"
#include "results/cost.hpp"
#include "results/ledger.hpp"

namespace weft::results {

struct LedgerRow {
  Account account{};
  LedgerSlot slot;
  GpuTime time;  // > 0
  std::optional<Money> cost;
};

struct LedgerTable {
  std::vector<LedgerRow> rows;  // by account, GPU model, partition
  GpuTime total;                // installed GPUs x time
  std::array<GpuTime, kAccounts> by_account{};
  std::array<GpuTime, kAccountGroups> by_group{};
  // Not known as long as one installed GPU model has no price. Rows sum to their account, accounts
  // to their group and groups to the total, to the micro-dollar. What jobs held
  // (allocated_not_useful + useful) costs the rounded sum of what they cost one by one.
  std::optional<Money> total_cost;
  std::array<std::optional<Money>, kAccounts> account_cost{};
  std::array<std::optional<Money>, kAccountGroups> group_cost{};
};

[[nodiscard]] LedgerTable make_ledger_table(const Ledger& ledger, const GpuHourPrices& prices);

// ledger.csv: header, rows, and a last row "total".
[[nodiscard]] std::string ledger_csv(const LedgerTable& table, const ClusterLayout& layout);

}  // namespace weft::results
