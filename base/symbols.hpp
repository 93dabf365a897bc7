// Interned strings: users, accounts, partitions, profiles of a workload. Symbol 0 is "".
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/ids.hpp"

namespace weft {

class Symbols {
 public:
  Symbols();
  SymbolId intern(std::string_view text);
  [[nodiscard]] std::string_view text(SymbolId id) const { return texts_[index(id)]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // a deque: the views in ids_ stay valid while it grows
  std::unordered_map<std::string_view, SymbolId> ids_;
};

}  // namespace weft
