// The one door to libFLAC, which is opened when it is first needed and linked by nobody: frames into samples.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

// A decoder of frames. One caller at a time.
typedef struct AuricleFLACDecoder AuricleFLACDecoder;

// Opens a decoder for frames of a stream with this first block of metadata, of 34 bytes; NULL where the library is not
// installed, memory is short or the block makes no sense.
AuricleFLACDecoder *AuricleFLACOpen(const uint8_t *streamInfo);

// Decodes one frame into interleaved samples, of 16 bits where the stream has no more, else in the high bits of 32:
// they stay until the next call. Returns the number of frames of sound; -1 for damage, -2 where memory is short. The
// next frame may be decoded all the same.
int64_t AuricleFLACDecode(
    AuricleFLACDecoder *decoder, const uint8_t *frame, size_t size, const void **samples, uint32_t *channels,
    double *sampleRate);

// Closes a decoder; NULL is fine.
void AuricleFLACClose(AuricleFLACDecoder *decoder);
