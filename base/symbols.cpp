#include "base/symbols.hpp"

#include <cstring>

namespace weft {

namespace {
constexpr std::size_t kBlockBytes = 64 * 1024;
}

Symbols::Symbols() {
  append("");
}

Symbols::Symbols(const Symbols& other) : ids_(other.ids_) {
  texts_.reserve(other.texts_.size());
  for (const std::string_view text : other.texts_) {
    append(text);
  }
}

Symbols& Symbols::operator=(const Symbols& other) {
  if (this != &other) {
    *this = Symbols(other);
  }
  return *this;
}

SymbolId Symbols::intern(std::string_view text) {
  if (text.empty()) {
    return kNoSymbol;
  }
  const std::uint64_t hash = hash_text(text);
  const std::uint32_t found = ids_.find(hash, [&](std::uint32_t candidate) {
    const std::string_view known = texts_[candidate];
    return known.size() == text.size() && std::memcmp(known.data(), text.data(), text.size()) == 0;
  });
  if (found != FlatIndex::kNone) {
    return SymbolId{found};
  }
  const SymbolId id = append(text);
  ids_.insert(hash, static_cast<std::uint32_t>(id));
  return id;
}

SymbolId Symbols::append(std::string_view text) {
  const SymbolId id{static_cast<std::uint32_t>(texts_.size())};
  texts_.push_back(store(text));
  return id;
}

std::string_view Symbols::store(std::string_view text) {
  if (text.empty()) {
    return "";
  }
  if (text.size() > free_bytes_) {
    const std::size_t size = text.size() > kBlockBytes ? text.size() : kBlockBytes;
    blocks_.push_back(std::make_unique<char[]>(size));
    free_ = blocks_.back().get();
    free_bytes_ = size;
  }
  std::memcpy(free_, text.data(), text.size());
  const std::string_view stored(free_, text.size());
  free_ += text.size();
  free_bytes_ -= text.size();
  return stored;
}

}  // namespace weft
