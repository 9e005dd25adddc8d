// Descriptions of linear PCM: whole bytes a sample, interleaved or, with the flag, planar.
// SPDX-License-Identifier: Apache-2.0
#ifndef LINEAR_PCM_H
#define LINEAR_PCM_H

#include <AudioToolbox/AudioToolbox.h>
#include <string.h>

static inline AudioStreamBasicDescription pcm(double rate, UInt32 channels, UInt32 bits, UInt32 flags) {
  AudioStreamBasicDescription format;
  memset(&format, 0, sizeof format);
  format.mSampleRate = rate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = flags;
  format.mChannelsPerFrame = channels;
  format.mBitsPerChannel = bits;
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = bits / 8 * (flags & kAudioFormatFlagIsNonInterleaved ? 1 : channels);
  format.mBytesPerPacket = format.mBytesPerFrame;
  return format;
}

#endif
