// Checksums: XXH64 for speed, SHA-256 for values that must be the same everywhere.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_HASHING_H
#define AURICLE_HASHING_H

#include <stddef.h>
#include <stdint.h>

/// XXH64 of bytes, with seed 0.
uint64_t AuricleXXH64(const void *bytes, size_t count);

/// XXH64 of bytes that come one after the other.
typedef struct AuricleXXH64State {
  uint64_t lanes[4];
  uint64_t total;
  unsigned char rest[32];
  size_t restCount;
} AuricleXXH64State;

/// Begins with no bytes.
void AuricleXXH64Begin(AuricleXXH64State *state);

/// Adds the next bytes.
void AuricleXXH64Add(AuricleXXH64State *state, const void *bytes, size_t count);

/// The checksum of all bytes so far; more may follow.
uint64_t AuricleXXH64End(const AuricleXXH64State *state);

/// XXH64 of a whole file, read from its beginning without moving its position; 0 or an errno number.
int AuricleXXH64File(int descriptor, uint64_t *hash, uint64_t *byteCount);

/// SHA-256 of bytes.
void AuricleSHA256(const void *bytes, size_t count, uint8_t digest[32]);

/// SHA-256 of a whole file, read from its beginning; 0 or an errno number.
int AuricleSHA256File(int descriptor, uint8_t digest[32]);

#endif
