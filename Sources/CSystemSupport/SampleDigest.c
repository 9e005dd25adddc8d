// MD5 (RFC 1321) of samples: not against forgers, only because FLAC files carry it.
// SPDX-License-Identifier: Apache-2.0
#include "SampleDigest.h"

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

static void take(uint32_t state[4], const uint8_t *block) {
  uint32_t words[16];
  for (int index = 0; index < 16; index++) words[index] = word(block + 4 * index);
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  for (int step = 0; step < 64; step++) {
    int round = step / 16, place;
    uint32_t mixed;
    switch (round) {
      case 0: mixed = (b & c) | (~b & d), place = step; break;
      case 1: mixed = (d & b) | (~d & c), place = (5 * step + 1) & 15; break;
      case 2: mixed = b ^ c ^ d, place = (3 * step + 5) & 15; break;
      default: mixed = c ^ (b | ~d), place = (7 * step) & 15;
    }
    uint32_t sum = a + mixed + sines[step] + words[place];
    int turn = turns[round][step & 3];
    a = d, d = c, c = b;
    b += sum << turn | sum >> (32 - turn);
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
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
  uint8_t bytes[most * 3];
  const float scale = (float)(1 << (bits - 1));
  const int width = bits / 8;
  while (count > 0) {
    size_t step = count < most ? count : most;
    uint8_t *out = bytes;
    for (size_t index = 0; index < step; index++) {
      // Exact: the sample was such a number.
      int32_t value = (int32_t)(samples[index] * scale);
      *out++ = (uint8_t)value;
      if (width > 1) *out++ = (uint8_t)(value >> 8);
      if (width > 2) *out++ = (uint8_t)(value >> 16);
    }
    add(digest, bytes, (size_t)(out - bytes));
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
