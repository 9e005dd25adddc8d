// MD5 (RFC 1321) of samples: not against forgers, only because FLAC files carry it.
// SPDX-License-Identifier: Apache-2.0
#include "SampleDigest.h"

#include <endian.h>
#include <string.h>

static const uint32_t sines[64] = {
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
  0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
  0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
  0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
  0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
  0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
  0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
  0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const uint8_t turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static uint32_t word(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/// One step of a round, with the word that it mixes of the state.
static inline void mix(uint32_t state[4], uint32_t mixed, uint32_t word, int step, int round) {
  uint32_t sum = state[0] + word + sines[step];
  // The terms that do not depend on the step before stay summed apart: the compiler would add them last.
  __asm__("" : "+r"(sum));
  sum += mixed;
  int turn = turns[round][step & 3];
  state[0] = state[3], state[3] = state[2], state[2] = state[1];
  state[1] += __builtin_rotateleft32(sum, turn);
}

static void take(uint32_t state[4], const uint8_t *block) {
  uint32_t words[16];
  for (int index = 0; index < 16; index++) words[index] = word(block + 4 * index);
  uint32_t s[4] = {state[0], state[1], state[2], state[3]};
  // Unrolled, a round a loop: more than twice as fast as one loop that chooses.
#pragma unroll
  for (int step = 0; step < 16; step++) mix(s, s[3] ^ (s[1] & (s[2] ^ s[3])), words[step], step, 0);
#pragma unroll
  for (int step = 16; step < 32; step++) mix(s, (s[3] & s[1]) + (~s[3] & s[2]), words[(5 * step + 1) & 15], step, 1);
#pragma unroll
  for (int step = 32; step < 48; step++) mix(s, s[1] ^ s[2] ^ s[3], words[(3 * step + 5) & 15], step, 2);
#pragma unroll
  for (int step = 48; step < 64; step++) mix(s, s[2] ^ (s[1] | ~s[3]), words[(7 * step) & 15], step, 3);
  for (int index = 0; index < 4; index++) state[index] += s[index];
}

static void add(AuricleSampleDigest *digest, const uint8_t *bytes, size_t count) {
  size_t used = digest->byteCount & 63;
  digest->byteCount += count;
  if (used) {
    size_t step = 64 - used < count ? 64 - used : count;
    memcpy(digest->block + used, bytes, step);
    if (used + step < 64) return;
    take(digest->state, digest->block);
    bytes += step, count -= step;
  }
  for (; count >= 64; bytes += 64, count -= 64) take(digest->state, bytes);
  memcpy(digest->block, bytes, count);
}

void AuricleSampleDigestBegin(AuricleSampleDigest *digest) {
  *digest = (AuricleSampleDigest){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

void AuricleSampleDigestAdd(AuricleSampleDigest *digest, const float *samples, size_t count, int bits) {
  enum { most = 1024 };
  uint8_t bytes[most * 4];
  const float scale = (float)(1 << (bits - 1));
  const size_t width = (size_t)bits / 8;
  while (count > 0) {
    size_t step = count < most ? count : most;
    // Exact: the samples were such numbers. Two bytes have a separate loop, which handles several at once.
    if (width == 2) {
      for (size_t index = 0; index < step; index++) {
        uint16_t value = htole16((uint16_t)(int16_t)(samples[index] * scale));
        memcpy(bytes + 2 * index, &value, 2);
      }
    } else {
      for (size_t index = 0; index < step; index++) {
        // The fourth byte is overwritten by the next number.
        uint32_t value = htole32((uint32_t)(int32_t)(samples[index] * scale));
        memcpy(bytes + width * index, &value, 4);
      }
    }
    add(digest, bytes, step * width);
    samples += step, count -= step;
  }
}

void AuricleSampleDigestEnd(AuricleSampleDigest *digest, uint8_t result[16]) {
  uint64_t bits = digest->byteCount * 8;
  static const uint8_t padding[64] = {0x80};
  size_t used = digest->byteCount & 63;
  add(digest, padding, used < 56 ? 56 - used : 120 - used);
  uint8_t length[8];
  for (int index = 0; index < 8; index++) length[index] = (uint8_t)(bits >> (8 * index));
  add(digest, length, 8);
  for (int index = 0; index < 16; index++) result[index] = (uint8_t)(digest->state[index / 4] >> (8 * (index % 4)));
}
