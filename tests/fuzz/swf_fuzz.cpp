#include "tests/fuzz/reader_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return weft::formats::fuzz_reader(data, size, weft::formats::JobFormat::kSwf);
}
