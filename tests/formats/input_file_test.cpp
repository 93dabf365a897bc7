#include "formats/input_file.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "formats/sha256.hpp"
#include "formats/utf8.hpp"

namespace weft::formats {
namespace {

using namespace std::literals;

std::string write_file(const std::string& name, std::string_view text) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string error_of(std::string_view text) {
  Diagnostics diagnostics;
  const auto file = InputFile::from_text("in", text, diagnostics);
  EXPECT_FALSE(file.has_value());
  return diagnostics.errors().size() == 1 ? to_string(diagnostics.errors()[0]) : "not one error";
}

TEST(InputFile, KeepsTheTextAndEndsItWithZeros) {
  Diagnostics diagnostics;
  const std::string path = write_file("input_plain.txt", "one\ntwo");
  const auto file = InputFile::read(path, diagnostics);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->text(), "one\ntwo");
  EXPECT_EQ(file->name(), path);
  for (std::size_t i = 0; i < InputFile::kPadding; ++i) {
    EXPECT_EQ(file->text().data()[file->text().size() + i], '\0');
  }
}

TEST(InputFile, ReadsFilesLargerThanABlock) {
  std::string text;
  while (text.size() < 300'000) {
    text += "a line of text\n";
  }
  Diagnostics diagnostics;
  const auto file = InputFile::read(write_file("input_large.txt", text), diagnostics);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->text(), text);
}

TEST(InputFile, SkipsTheByteOrderMarkButHashesIt) {
  Diagnostics diagnostics;
  const auto file = InputFile::from_text("in", "\xEF\xBB\xBFjobs", diagnostics);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->text(), "jobs");
  EXPECT_EQ(file->sha256(), sha256_hex("\xEF\xBB\xBFjobs"));
}

TEST(InputFile, FindsLineAndColumnOfAnOffset) {
  Diagnostics diagnostics;
  const auto file = InputFile::from_text("in", "ab\ncd\n", diagnostics);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->at_offset(0).line, 1U);
  EXPECT_EQ(file->at_offset(0).column, 1U);
  EXPECT_EQ(file->at_offset(4).line, 2U);
  EXPECT_EQ(file->at_offset(4).column, 2U);
  EXPECT_EQ(file->at_offset(6).line, 3U);
}

TEST(InputFile, RefusesAMissingFile) {
  Diagnostics diagnostics;
  EXPECT_FALSE(InputFile::read(testing::TempDir() + "is_not_there", diagnostics));
  ASSERT_EQ(diagnostics.errors().size(), 1U);
  EXPECT_NE(to_string(diagnostics.errors()[0]).find("No such file"), std::string::npos);
}

TEST(InputFile, RefusesADirectory) {
  Diagnostics diagnostics;
  EXPECT_FALSE(InputFile::read(testing::TempDir(), diagnostics));
  ASSERT_EQ(diagnostics.errors().size(), 1U);
  EXPECT_NE(to_string(diagnostics.errors()[0]).find("a directory"), std::string::npos);
}

TEST(InputFile, RefusesWhatIsNoText) {
  EXPECT_EQ(error_of(""), "in: found an empty file, allowed a text");
  EXPECT_EQ(error_of(" \n\t\n"), "in: found nothing but blanks, allowed a text");
  EXPECT_NE(error_of("\x1F\x8B\x08 packed").find("gzip"), std::string::npos);
  EXPECT_NE(error_of("\xFF\xFEj\0o\0b\0"sv).find("UTF-16"), std::string::npos);
  EXPECT_NE(error_of("\x28\xB5\x2F\xFD.").find("zstd"), std::string::npos);
  EXPECT_EQ(error_of("abc\nd\0e"sv), "in:2:2: found a NUL byte, allowed a text file");
}

TEST(Sha256, GivesThePublishedDigests) {
  // FIPS 180-4 examples and the empty message.
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, IsTheSameWithAndWithoutTheProcessorsInstructions) {
  std::string text;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(sha256_hex(text), sha256_hex_portable(text)) << length;
    text += static_cast<char>(length * 37);
  }
}

TEST(Utf8, FindsTheFirstByteThatIsNoCharacter) {
  EXPECT_EQ(find_invalid_utf8("plain"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("J\xC3\xB6rg \xE2\x82\xAC \xF0\x9F\x98\x80"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("J\xF6rg"), 1U);           // Latin-1
  EXPECT_EQ(find_invalid_utf8("ab\xC0\x80"), 2U);        // overlong
  EXPECT_EQ(find_invalid_utf8("abc\xED\xA0\x80"), 3U);   // surrogate
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0U);  // beyond Unicode
  EXPECT_EQ(find_invalid_utf8("cut \xE2\x82"), 4U);
  EXPECT_EQ(to_valid_utf8("J\xF6rg"), "J?rg");
}

}  // namespace
}  // namespace weft::formats
