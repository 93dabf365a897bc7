#include "base/symbols.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Symbols, ZeroIsTheEmptyText) {
  Symbols symbols;
  EXPECT_EQ(symbols.size(), 1U);
  EXPECT_EQ(symbols.text(kNoSymbol), "");
  EXPECT_EQ(symbols.intern(""), kNoSymbol);
}

TEST(Symbols, EqualTextsAreOneSymbolNumberedAsTheyCome) {
  Symbols symbols;
  const SymbolId alice = symbols.intern("alice");
  const SymbolId bob = symbols.intern("bob");
  EXPECT_EQ(index(alice), 1U);
  EXPECT_EQ(index(bob), 2U);
  EXPECT_EQ(symbols.intern(std::string("ali") + "ce"), alice);
  EXPECT_EQ(symbols.text(bob), "bob");
  EXPECT_EQ(symbols.size(), 3U);
}

TEST(Symbols, KeepTheirTextsWhileTheTableGrows) {
  Symbols symbols;
  const SymbolId first = symbols.intern("user0");
  const std::string_view text = symbols.text(first);
  for (int i = 0; i < 10'000; ++i) {
    symbols.intern("user" + std::to_string(i));
  }
  EXPECT_EQ(text, "user0");
  EXPECT_EQ(symbols.text(first).data(), text.data());
  EXPECT_EQ(symbols.size(), 10'001U);
  EXPECT_EQ(symbols.intern("user9999"), SymbolId{10'000});
}

TEST(Symbols, AppendedTextsAreNewSymbolsThatInternDoesNotFind) {
  Symbols symbols;
  const SymbolId job = symbols.append("17");
  const SymbolId twin = symbols.append("17");
  EXPECT_NE(job, twin);
  EXPECT_EQ(symbols.text(job), "17");
  EXPECT_EQ(symbols.text(twin), "17");
  EXPECT_NE(symbols.intern("17"), job);
  EXPECT_EQ(symbols.intern("17"), symbols.intern("17"));
}

TEST(Symbols, TellApartTextsOfEveryLengthAndByte) {
  // Lengths around the eight bytes a hash takes at a time, with NUL bytes inside, and one longer
  // than the blocks the texts are stored in.
  Symbols symbols;
  std::vector<std::string> texts;
  for (std::size_t length = 1; length < 40; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      texts.emplace_back(length, 'a');
      texts.back()[at] = '\0';
    }
  }
  texts.emplace_back(100'000, 'x');
  texts.emplace_back(100'001, 'x');
  for (const std::string& text : texts) {
    symbols.intern(text);
  }
  EXPECT_EQ(symbols.size(), texts.size() + 1);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const SymbolId id{static_cast<std::uint32_t>(i + 1)};
    EXPECT_EQ(symbols.intern(texts[i]), id);
    EXPECT_EQ(symbols.text(id), texts[i]);
  }
}

TEST(Symbols, StayUsableWhenMoved) {
  Symbols symbols;
  const SymbolId alice = symbols.intern("alice");  // short: stored inside its string
  Symbols moved = std::move(symbols);
  EXPECT_EQ(moved.text(alice), "alice");
  EXPECT_EQ(moved.intern("alice"), alice);
}

TEST(Symbols, StayUsableWhenTheOriginalOfACopyIsGone) {
  Symbols copy;
  {
    Symbols symbols;
    symbols.intern("alice");
    copy = symbols;
  }
  EXPECT_EQ(index(copy.intern("alice")), 1U);
  EXPECT_EQ(copy.text(SymbolId{1}), "alice");
}

}  // namespace
}  // namespace weft
