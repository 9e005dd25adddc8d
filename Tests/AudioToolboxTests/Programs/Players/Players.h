// Shared by the programs about players: opening a player, rendering it, and ending with a sentence.
// SPDX-License-Identifier: Apache-2.0
#ifndef PLAYERS_H
#define PLAYERS_H

#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);        \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

#define CHECK_STATUS(call)                                                   \
  do {                                                                       \
    OSStatus checked = (call);                                               \
    if (checked != 0) {                                                      \
      fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)checked); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

/// Opens a player of one channel at 48 kHz, offline, so that it never is ahead of its file.
static AudioUnit openPlayer(OSType subtype) {
  AudioComponentDescription wanted = {kAudioUnitType_Generator, subtype, kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  CHECK(component != NULL);
  AudioUnit unit = NULL;
  CHECK_STATUS(AudioComponentInstanceNew(component, &unit));
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = 48000;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags =
      kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved;
  format.mBytesPerPacket = 4;
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = 4;
  format.mChannelsPerFrame = 1;
  format.mBitsPerChannel = 32;
  CHECK_STATUS(AudioUnitSetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, sizeof format));
  UInt32 offline = 1;
  CHECK_STATUS(AudioUnitSetProperty(
      unit, kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, &offline, sizeof offline));
  CHECK_STATUS(AudioUnitInitialize(unit));
  return unit;
}

/// Renders so many frames in slices of two lengths, from a sample time on.
static void renderFrames(AudioUnit unit, Float64 start, float *output, UInt32 count, UInt32 slice) {
  for (UInt32 done = 0, turn = 0; done < count; turn++) {
    UInt32 frames = turn % 2 ? 7 : slice;
    if (frames > count - done) frames = count - done;
    AudioBufferList list = {1, {{1, frames * 4, output + done}}};
    AudioTimeStamp stamp = {0};
    stamp.mSampleTime = start + done;
    stamp.mFlags = kAudioTimeStampSampleTimeValid;
    AudioUnitRenderActionFlags flags = 0;
    CHECK_STATUS(AudioUnitRender(unit, &flags, &stamp, 0, frames, &list));
    if (list.mBuffers[0].mData != output + done)
      memcpy(output + done, list.mBuffers[0].mData, frames * 4);
    done += frames;
  }
}

/// Starts the player's time at a sample time; -1 for the next render.
static inline void startAt(AudioUnit unit, Float64 sampleTime) {
  AudioTimeStamp stamp = {0};
  stamp.mSampleTime = sampleTime;
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  CHECK_STATUS(AudioUnitSetProperty(
      unit, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &stamp, sizeof stamp));
}

/// Frames since the start.
static inline Float64 playTime(AudioUnit unit) {
  AudioTimeStamp stamp = {0};
  UInt32 size = sizeof stamp;
  CHECK_STATUS(AudioUnitGetProperty(
      unit, kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, &stamp, &size));
  CHECK(stamp.mFlags & kAudioTimeStampSampleTimeValid);
  return stamp.mSampleTime;
}

#endif
