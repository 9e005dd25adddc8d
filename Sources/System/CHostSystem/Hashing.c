// Checksums: XXH64 for speed, SHA-256 for values that must be the same everywhere.
// SPDX-License-Identifier: Apache-2.0
#include "Hashing.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// XXH64, after its public specification.

static const uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F,
                      prime3 = 0x165667B19E3779F9, prime4 = 0x85EBCA77C2B2AE63,
                      prime5 = 0x27D4EB2F165667C5;

static uint64_t rotateLeft(uint64_t value, int count) {
  return value << count | value >> (64 - count);
}

static uint64_t word64(const unsigned char *bytes) {
  uint64_t value;
  memcpy(&value, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

static uint32_t word32(const unsigned char *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t mixLane(uint64_t lane, uint64_t input) {
  return rotateLeft(lane + input * prime2, 31) * prime1;
}

void AuricleXXH64Begin(AuricleXXH64State *state) {
  memset(state, 0, sizeof *state);
  state->lanes[0] = prime1 + prime2;
  state->lanes[1] = prime2;
  state->lanes[3] = 0 - prime1;
}

static void xxStripe(AuricleXXH64State *state, const unsigned char *bytes) {
  for (int lane = 0; lane < 4; lane++)
    state->lanes[lane] = mixLane(state->lanes[lane], word64(bytes + lane * 8));
}

void AuricleXXH64Add(AuricleXXH64State *state, const void *start, size_t count) {
  const unsigned char *bytes = start;
  state->total += count;
  if (state->restCount > 0) {
    size_t step = 32 - state->restCount < count ? 32 - state->restCount : count;
    memcpy(state->rest + state->restCount, bytes, step);
    state->restCount += step;
    bytes += step;
    count -= step;
    if (state->restCount < 32) return;
    xxStripe(state, state->rest);
    state->restCount = 0;
  }
  while (count >= 32) {
    xxStripe(state, bytes);
    bytes += 32;
    count -= 32;
  }
  memcpy(state->rest, bytes, count);
  state->restCount = count;
}

uint64_t AuricleXXH64End(const AuricleXXH64State *state) {
  const uint64_t *lanes = state->lanes;
  uint64_t hash;
  if (state->total >= 32) {
    hash = rotateLeft(lanes[0], 1) + rotateLeft(lanes[1], 7) + rotateLeft(lanes[2], 12) +
           rotateLeft(lanes[3], 18);
    for (int lane = 0; lane < 4; lane++)
      hash = (hash ^ mixLane(0, lanes[lane])) * prime1 + prime4;
  } else {
    hash = prime5;
  }
  hash += state->total;
  const unsigned char *bytes = state->rest;
  size_t left = state->restCount;
  for (; left >= 8; left -= 8, bytes += 8)
    hash = rotateLeft(hash ^ mixLane(0, word64(bytes)), 27) * prime1 + prime4;
  if (left >= 4) {
    hash = rotateLeft(hash ^ word32(bytes) * prime1, 23) * prime2 + prime3;
    left -= 4;
    bytes += 4;
  }
  for (; left > 0; left--, bytes++) hash = rotateLeft(hash ^ *bytes * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}

uint64_t AuricleXXH64(const void *bytes, size_t count) {
  AuricleXXH64State state;
  AuricleXXH64Begin(&state);
  AuricleXXH64Add(&state, bytes, count);
  return AuricleXXH64End(&state);
}

/// Hands a file over block by block; 0 or an errno number.
static int readAll(int descriptor, void *state,
                   void (*add)(void *state, const unsigned char *bytes, size_t count)) {
  // On the stack: units may have left a worker no memory to allocate.
  enum { blockSize = 1 << 16 };
  unsigned char block[blockSize];
  off_t offset = 0;
  int error = 0;
  while (1) {
    ssize_t got = pread(descriptor, block, blockSize, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = errno;
    if (got <= 0) break;
    add(state, block, (size_t)got);
    offset += got;
  }
  return error;
}

static void addToXX(void *state, const unsigned char *bytes, size_t count) {
  AuricleXXH64Add(state, bytes, count);
}

int AuricleXXH64File(int descriptor, uint64_t *hash, uint64_t *byteCount) {
  AuricleXXH64State state;
  AuricleXXH64Begin(&state);
  int error = readAll(descriptor, &state, addToXX);
  *hash = AuricleXXH64End(&state);
  *byteCount = state.total;
  return error;
}

// SHA-256, after FIPS 180-4.

typedef struct {
  uint32_t words[8];
  uint64_t total;
  unsigned char rest[64];
  size_t restCount;
} SHAState;

static const uint32_t shaConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotateRight(uint32_t value, int count) {
  return value >> count | value << (32 - count);
}

static void shaBlock(SHAState *state, const unsigned char *bytes) {
  uint32_t schedule[64], v[8];
  for (int i = 0; i < 16; i++)
    schedule[i] = (uint32_t)bytes[i * 4] << 24 | (uint32_t)bytes[i * 4 + 1] << 16 |
                  (uint32_t)bytes[i * 4 + 2] << 8 | bytes[i * 4 + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = schedule[i - 15], b = schedule[i - 2];
    schedule[i] = schedule[i - 16] + (rotateRight(a, 7) ^ rotateRight(a, 18) ^ a >> 3) +
                  schedule[i - 7] + (rotateRight(b, 17) ^ rotateRight(b, 19) ^ b >> 10);
  }
  memcpy(v, state->words, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t s1 = rotateRight(v[4], 6) ^ rotateRight(v[4], 11) ^ rotateRight(v[4], 25);
    uint32_t first = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + shaConstants[i] + schedule[i];
    uint32_t s0 = rotateRight(v[0], 2) ^ rotateRight(v[0], 13) ^ rotateRight(v[0], 22);
    uint32_t second = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (int k = 7; k > 0; k--) v[k] = v[k - 1];
    v[4] += first;
    v[0] = first + second;
  }
  for (int i = 0; i < 8; i++) state->words[i] += v[i];
}

static void shaBegin(SHAState *state) {
  static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memset(state, 0, sizeof *state);
  memcpy(state->words, initial, sizeof initial);
}

static void shaAdd(void *context, const unsigned char *bytes, size_t count) {
  SHAState *state = context;
  state->total += count;
  while (count > 0) {
    if (state->restCount == 0 && count >= 64) {
      shaBlock(state, bytes);
      bytes += 64;
      count -= 64;
      continue;
    }
    size_t step = 64 - state->restCount < count ? 64 - state->restCount : count;
    memcpy(state->rest + state->restCount, bytes, step);
    state->restCount += step;
    bytes += step;
    count -= step;
    if (state->restCount == 64) {
      shaBlock(state, state->rest);
      state->restCount = 0;
    }
  }
}

static void shaEnd(SHAState *state, uint8_t digest[32]) {
  uint64_t bits = state->total * 8;
  unsigned char padding[72] = {0x80};
  size_t count = (state->restCount < 56 ? 56 : 120) - state->restCount;
  for (int i = 0; i < 8; i++) padding[count + (size_t)i] = (unsigned char)(bits >> (56 - 8 * i));
  shaAdd(state, padding, count + 8);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(state->words[i / 4] >> (24 - 8 * (i % 4)));
}

void AuricleSHA256(const void *bytes, size_t count, uint8_t digest[32]) {
  SHAState state;
  shaBegin(&state);
  shaAdd(&state, bytes, count);
  shaEnd(&state, digest);
}

int AuricleSHA256File(int descriptor, uint8_t digest[32]) {
  SHAState state;
  shaBegin(&state);
  int error = readAll(descriptor, &state, shaAdd);
  shaEnd(&state, digest);
  return error;
}
