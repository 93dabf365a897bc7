// The main of every test executable: each process gets a temporary folder of its own, so that tests
// that run side by side and write files of the same name do not meet. It goes when the process
// ends.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string folder = testing::TempDir() + "weft-test-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 1;
  }
  const std::string prefix = folder + '/';
  setenv("TEST_TMPDIR", prefix.c_str(), 1);  // what testing::TempDir() asks first
  const int result = RUN_ALL_TESTS();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return result;
}
