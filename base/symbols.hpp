// Interned strings: job ids, users, accounts, partitions, profiles of a workload. Symbol 0 is "".
//
// Texts lie in an arena of blocks that never move, so views stay valid while more are added. A
// million job ids cost 16 bytes each plus their characters.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/flat_index.hpp"
#include "base/ids.hpp"

namespace weft {

class Symbols {
 public:
  Symbols();
  Symbols(const Symbols& other);
  Symbols& operator=(const Symbols& other);
  Symbols(Symbols&&) noexcept = default;
  Symbols& operator=(Symbols&&) noexcept = default;
  ~Symbols() = default;

  // The symbol of this text; equal texts have equal symbols.
  SymbolId intern(std::string_view text);
  // A new symbol, without looking for an old one: for texts that are unique anyway (job ids).
  // intern() does not find it.
  SymbolId append(std::string_view text);
  void reserve(std::size_t texts) { texts_.reserve(texts); }
  [[nodiscard]] std::string_view text(SymbolId id) const { return texts_[index(id)]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::string_view store(std::string_view text);

  std::vector<std::string_view> texts_;
  FlatIndex ids_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;  // in the last block
  std::size_t free_bytes_ = 0;
};

}  // namespace weft
