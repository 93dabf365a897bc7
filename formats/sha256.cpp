#include "formats/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace weft::formats {

namespace {

constexpr std::size_t kBlock = 64;

// FIPS 180-4 section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the
// first 64 primes.
alignas(16) constexpr std::uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct State {
  // Section 5.3.3: the same of the square roots of the first 8 primes.
  std::uint32_t h[8] = {0x6a09e667,
                        0xbb67ae85,
                        0x3c6ef372,
                        0xa54ff53a,
                        0x510e527f,
                        0x9b05688c,
                        0x1f83d9ab,
                        0x5be0cd19};
};

std::uint32_t load_big_endian(const unsigned char* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

// Section 6.2.2.
void compress_portable(State& state, const unsigned char* p, std::size_t blocks) {
  for (; blocks > 0; --blocks, p += kBlock) {
    std::uint32_t w[64];
    for (int t = 0; t < 16; ++t) {
      w[t] = load_big_endian(p + 4 * t);
    }
    for (int t = 16; t < 64; ++t) {
      const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
      const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    std::uint32_t v[8];
    std::copy(std::begin(state.h), std::end(state.h), v);
    for (int t = 0; t < 64; ++t) {
      const std::uint32_t e = v[4];
      const std::uint32_t a = v[0];
      const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t choice = (e & v[5]) ^ (~e & v[6]);
      const std::uint32_t t1 = v[7] + sum1 + choice + kRound[t] + w[t];
      const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const std::uint32_t majority = (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
      std::copy_backward(v, v + 7, v + 8);
      v[4] += t1;
      v[0] = t1 + sum0 + majority;
    }
    for (int i = 0; i < 8; ++i) {
      state.h[i] += v[i];
    }
  }
}

#if defined(__x86_64__)
bool has_sha_instructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kShaBit = 1U << 29;                   // CPUID leaf 7, EBX
  constexpr unsigned kSsse3AndSse41 = 1U << 9 | 1U << 19;  // leaf 1, ECX
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & kShaBit) == 0) {
    return false;
  }
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kSsse3AndSse41) == kSsse3AndSse41;
}

// The same rounds with Intel's SHA extensions (Intel 64 manual, SHA256RNDS2): about ten times
// faster, so that hashing a log costs less than reading it. State words travel as ABEF and CDGH.
__attribute__((target("sha,ssse3,sse4.1"))) void compress_sha_ni(State& state,
                                                                 const unsigned char* p,
                                                                 std::size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.h));
  const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.h + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; blocks > 0; --blocks, p += kBlock) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      const __m128i raw = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
      w[i] = _mm_shuffle_epi8(raw, swap);
    }
    for (int group = 0; group < 16; ++group) {
      __m128i& now = w[group & 3];
      if (group >= 4) {
        // now holds w[t-16]; the schedule of section 6.2.2 step 1, four words at a time
        const __m128i before = w[(group + 3) & 3];  // w[t-4 .. t-1]
        const __m128i t7 = _mm_alignr_epi8(before, w[(group + 2) & 3], 4);
        now = _mm_sha256msg1_epu32(now, w[(group + 1) & 3]);
        now = _mm_sha256msg2_epu32(_mm_add_epi32(now, t7), before);
      }
      const __m128i k = _mm_load_si128(reinterpret_cast<const __m128i*>(kRound + 4 * group));
      const __m128i sum = _mm_add_epi32(now, k);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.h), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.h + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#endif

using Compress = void (*)(State&, const unsigned char*, std::size_t);

std::string digest(std::string_view bytes, Compress compress) {
  State state;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / kBlock;
  compress(state, data, whole);
  // Section 5.1.1: a one bit, zeros, and the length in bits.
  unsigned char tail[2 * kBlock] = {};
  const std::size_t rest = bytes.size() - whole * kBlock;
  std::copy_n(data + whole * kBlock, rest, tail);
  tail[rest] = 0x80;
  const std::size_t tail_blocks = rest + 1 + 8 <= kBlock ? 1 : 2;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i) {
    tail[tail_blocks * kBlock - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  }
  compress(state, tail, tail_blocks);
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const std::uint32_t word : state.h) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      text += kHex[word >> shift & 0xF];
    }
  }
  return text;
}

}  // namespace

std::string sha256_hex_portable(std::string_view bytes) {
  return digest(bytes, compress_portable);
}

std::string sha256_hex(std::string_view bytes) {
#if defined(__x86_64__)
  if (has_sha_instructions()) {
    return digest(bytes, compress_sha_ni);
  }
#endif
  return sha256_hex_portable(bytes);
}

}  // namespace weft::formats
