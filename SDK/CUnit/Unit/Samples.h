// How samples lie in memory, and conversions between that and planar 32-bit float.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_UNIT_SAMPLES_H
#define AURICLE_UNIT_SAMPLES_H

#include <AudioToolbox/AudioToolbox.h>
#include <stdbool.h>

// Linear PCM: floats of 32 or 64 bits, integers of 1 to 32 bits in up to 4 bytes, fixed point.
struct SampleLayout {
  UInt32 channelCount;
  UInt32 byteCount;  // of a sample
  UInt32 bitCount;
  UInt32 fractionBits;  // of an integer, behind the point
  bool isFloat, isPlanar, isBigEndian, isSigned;
  bool isHigh;       // the bits of an integer are the high ones of its bytes
  bool isCanonical;  // planar native 32-bit float: nothing to convert
};

// Understands a format; sizes left at 0 are filled in. False for what is no such linear PCM.
// Context: any.
static bool readLayout(
    const AudioStreamBasicDescription *format, struct SampleLayout *layout);

// The format of a layout, with every size filled in. Context: any.
static AudioStreamBasicDescription formatOf(
    const struct SampleLayout *layout, Float64 sampleRate);

static inline UInt32 bufferCountOf(const struct SampleLayout *layout) {
  return layout->isPlanar ? layout->channelCount : 1;
}

// Bytes from one frame of a buffer to the next.
static inline UInt32 strideOf(const struct SampleLayout *layout) {
  return layout->byteCount * (layout->isPlanar ? 1 : layout->channelCount);
}

// Reads one channel of a list; what its memory does not hold is silence. Context: render.
static void decodeChannel(
    const struct SampleLayout *layout, const AudioBufferList *list, UInt32 channel,
    UInt32 frameCount, Float32 *samples);

// Writes one channel of a list, rounded and clipped; what is no number becomes 0. Context: render.
static void encodeChannel(
    const struct SampleLayout *layout, const Float32 *samples, UInt32 channel, UInt32 frameCount,
    const AudioBufferList *list);

#endif
