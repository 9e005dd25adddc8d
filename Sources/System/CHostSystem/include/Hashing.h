// Checksums: XXH64 for what must be quick, SHA-256 for what must be the same for everyone.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_HASHING_H
#define AURICLE_HASHING_H

#include <stddef.h>
#include <stdint.h>

/// XXH64 of bytes, with seed 0.
uint64_t AuricleXXH64(const void *bytes, size_t count);

/// XXH64 of a whole file, read from its beginning without moving its position; 0 or an errno number.
int AuricleXXH64File(int descriptor, uint64_t *hash, uint64_t *byteCount);

/// SHA-256 of bytes.
void AuricleSHA256(const void *bytes, size_t count, uint8_t digest[32]);

/// SHA-256 of a whole file, read from its beginning; 0 or an errno number.
int AuricleSHA256File(int descriptor, uint8_t digest[32]);

#endif
