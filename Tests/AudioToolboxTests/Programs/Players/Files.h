// Shared by the programs about file players: files of known samples, regions of them, and completions.
// SPDX-License-Identifier: Apache-2.0
#ifndef FILES_H
#define FILES_H

#include "../Await.h"
#include "Players.h"
#include <math.h>

enum { written = 30000 };

typedef struct {
  volatile int calls;
  volatile OSStatus status;
} Told;

static inline void told(void *data, ScheduledAudioFileRegion *region, OSStatus status) {
  Told *told = data;
  if (region->mAudioFile == NULL) exit(3);
  told->status = status;
  told->calls++;
  post();
}

static inline float sample(int frame) { return (float)((frame * 37) % 8192) / 8192; }

/// Writes a file of one channel.
static inline CFURLRef writeSamples(const char *path, Float64 rate, const float *samples) {
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), 0);
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = rate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
  format.mBytesPerPacket = format.mBytesPerFrame = 4;
  format.mFramesPerPacket = format.mChannelsPerFrame = 1;
  format.mBitsPerChannel = 32;
  AudioFileID file = NULL;
  CHECK_STATUS(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, kAudioFileFlags_EraseFile, &file));
  UInt32 bytes = written * 4;
  CHECK_STATUS(AudioFileWriteBytes(file, 0, 0, &bytes, samples));
  CHECK_STATUS(AudioFileClose(file));
  return url;
}

/// Writes a saw of known samples, or a sine.
static inline CFURLRef writeFile(const char *path, Float64 rate, int isSine) {
  static float samples[written];
  for (int frame = 0; frame < written; frame++)
    samples[frame] = isSine ? 0.5f * (float)sin(2 * M_PI * 441 * frame / rate) : sample(frame);
  return writeSamples(path, rate, samples);
}

static inline AudioFileID openFile(CFURLRef url) {
  AudioFileID file = NULL;
  CHECK_STATUS(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file));
  return file;
}

static inline OSStatus add(AudioUnit unit, AudioFileID file, Float64 time, SInt64 start, UInt32 frames, UInt32 loops, Told *data) {
  ScheduledAudioFileRegion region = {0};
  if (time >= 0) {
    region.mTimeStamp.mSampleTime = time;
    region.mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
  }
  region.mCompletionProc = told;
  region.mCompletionProcUserData = data;
  region.mAudioFile = file;
  region.mLoopCount = loops;
  region.mStartFrame = start;
  region.mFramesToPlay = frames;
  return AudioUnitSetProperty(
      unit, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, &region, sizeof region);
}

static inline void give(AudioUnit unit, AudioFileID file) {
  CHECK_STATUS(AudioUnitSetProperty(
      unit, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, &file, sizeof file));
  AudioFileID back = NULL;
  UInt32 size = sizeof back;
  CHECK_STATUS(AudioUnitGetProperty(
      unit, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, &back, &size));
  CHECK(back == file && size == sizeof back);
}

static inline void prime(AudioUnit unit) {
  UInt32 frames = 0;
  CHECK_STATUS(AudioUnitSetProperty(
      unit, kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, 0, &frames, sizeof frames));
}

static inline void expectFile(const float *output, int from, int count, int start) {
  for (int frame = 0; frame < count; frame++) {
    float wanted = start < 0 ? 0 : sample(start + frame);
    if (output[from + frame] != wanted) {
      fprintf(stderr, "frame %d is %g, not %g\n", from + frame, output[from + frame], wanted);
      exit(2);
    }
  }
}

static inline void await(Told *told) {
  AWAIT(told->calls != 0);
  CHECK(told->calls == 1);
}

static inline void set(AudioUnit unit, AudioUnitPropertyID property, UInt32 value) {
  CHECK_STATUS(AudioUnitSetProperty(unit, property, kAudioUnitScope_Global, 0, &value, sizeof value));
}

#endif
