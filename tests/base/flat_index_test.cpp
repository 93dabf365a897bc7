#include "base/flat_index.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace weft {
namespace {

TEST(FlatIndex, FindsNothingWhileEmpty) {
  const FlatIndex index;
  EXPECT_EQ(index.find(5, [](std::uint32_t) { return true; }), FlatIndex::kNone);
}

// Hashes of few values, so that most keys collide.
TEST(FlatIndex, AgreesWithAMapWhenHashesCollide) {
  Rng rng(81, "index");
  for (const std::uint64_t hashes : {1U, 7U, 1000U}) {
    FlatIndex index;
    std::map<std::uint64_t, std::uint32_t> reference;
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 600; ++i) {
      const std::uint64_t key = rng.below(400);
      const std::uint64_t hash = (key % hashes) << 32;
      const std::uint32_t found =
          index.find(hash, [&](std::uint32_t at) { return keys[at] == key; });
      const auto known = reference.find(key);
      ASSERT_EQ(found, known == reference.end() ? FlatIndex::kNone : known->second);
      if (found == FlatIndex::kNone) {
        const auto at = static_cast<std::uint32_t>(keys.size());
        keys.push_back(key);
        reference.emplace(key, at);
        index.insert(hash, at);
      }
    }
  }
}

TEST(FlatIndex, KeepsItsKeysWhenRoomIsReserved) {
  FlatIndex index;
  index.insert(std::uint64_t{3} << 32, 3);
  index.reserve(10'000);
  index.reserve(1);  // never shrinks
  EXPECT_EQ(index.find(std::uint64_t{3} << 32, [](std::uint32_t at) { return at == 3; }), 3U);
}

TEST(HashText, DependsOnEveryByteAndTheLength) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string text(length, 'a');
    EXPECT_NE(hash_text(text), hash_text(text + 'a')) << length;
    for (std::size_t at = 0; at < length; ++at) {
      std::string other = text;
      other[at] = 'b';
      EXPECT_NE(hash_text(text), hash_text(other)) << length << ", byte " << at;
    }
  }
}

}  // namespace
}  // namespace weft
