#include "tests/fuzz/reader_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::formats::ReadOptions options;
  options.columns = {{"submit", "a", "iso"},
                     {"runtime", "b", "min"},
                     {"gpus", "c", "milli"},
                     {"memory", "d", "GiB"},
                     {"nodes", "e", ""},
                     {"user", "f", ""}};
  return weft::formats::fuzz_reader(data, size, weft::formats::JobFormat::kCsv, options);
}
