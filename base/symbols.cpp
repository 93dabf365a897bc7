#include "base/symbols.hpp"

namespace weft {

Symbols::Symbols() {
  intern("");
}

SymbolId Symbols::intern(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) {
    return found->second;
  }
  const SymbolId id{static_cast<std::uint32_t>(texts_.size())};
  texts_.emplace_back(text);
  ids_.emplace(texts_.back(), id);
  return id;
}

}  // namespace weft
