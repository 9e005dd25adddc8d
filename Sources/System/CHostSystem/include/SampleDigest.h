// MD5 of samples as FLAC files keep it: of whole numbers, little-endian, channel by channel of each frame.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SAMPLE_DIGEST_H
#define AURICLE_SAMPLE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/// An MD5 that is being made.
typedef struct {
  uint32_t state[4];
  uint64_t byteCount;
  uint8_t block[64];
} AuricleSampleDigest;

/// Begins anew.
void AuricleSampleDigestBegin(AuricleSampleDigest *digest);

/// Adds samples of full scale 1 that were read from whole numbers of 8, 16 or 24 bits.
void AuricleSampleDigestAdd(AuricleSampleDigest *digest, const float *samples, size_t count, int bits);

/// Ends it: the 16 bytes of the MD5.
void AuricleSampleDigestEnd(AuricleSampleDigest *digest, uint8_t result[16]);

#endif
