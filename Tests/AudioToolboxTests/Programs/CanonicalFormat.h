// The format that units of these tests begin with: two planar channels of floating point.
// SPDX-License-Identifier: Apache-2.0
#ifndef CANONICAL_FORMAT_H
#define CANONICAL_FORMAT_H

#include <AudioToolbox/AudioToolbox.h>

static inline AudioStreamBasicDescription canonicalFormat(Float64 sampleRate) {
  const AudioStreamBasicDescription format = {
      .mSampleRate = sampleRate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsAudioUnitCanonical,
      .mBytesPerPacket = sizeof(Float32),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(Float32),
      .mChannelsPerFrame = 2,
      .mBitsPerChannel = 32,
  };
  return format;
}

#endif
