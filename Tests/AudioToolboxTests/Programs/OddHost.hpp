// What the odd hosts share: checks that count, units by their codes, buffers, a source of sound.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <AudioToolbox/AudioToolbox.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "LinearPCM.h"

inline int failures = 0;

#define EQUAL(found, wanted)                                                            \
  do {                                                                                  \
    const long long is_ = (long long)(found), expected_ = (long long)(wanted);          \
    if (is_ != expected_) {                                                             \
      printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #found, is_, expected_); \
      ++failures;                                                                       \
    }                                                                                   \
  } while (0)
#define CHECK(what) EQUAL(static_cast<bool>(what), true)

inline OSType code(const char *text) {
  OSType value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<UInt8>(text[i]);
  return value;
}

inline AudioComponentDescription describe(
    const char *type, const char *subtype, const char *maker = "appl") {
  return {code(type), code(subtype), code(maker), 0, 0};
}

inline AudioUnit open(const char *type, const char *subtype) {
  const AudioComponentDescription wanted = describe(type, subtype);
  AudioUnit unit = nullptr;
  EQUAL(AudioComponentInstanceNew(AudioComponentFindNext(nullptr, &wanted), &unit), noErr);
  return unit;
}

// A buffer list of any number of buffers.
struct Buffers {
  std::vector<std::vector<unsigned char>> memory;
  std::vector<AudioBuffer> storage;  // the first one's place is the head of the list

  Buffers(UInt32 count, UInt32 bytes, UInt32 channels = 1)
      : memory(count, std::vector<unsigned char>(bytes)), storage(count + 1) {
    list()->mNumberBuffers = count;
    for (UInt32 i = 0; i < count; ++i)
      list()->mBuffers[i] = {channels, bytes, bytes > 0 ? memory[i].data() : nullptr};
  }
  AudioBufferList *list() { return reinterpret_cast<AudioBufferList *>(storage.data()); }
  float *floats(int i) { return reinterpret_cast<float *>(memory[i].data()); }
};

// A slow sine of an amplitude that refCon points at, by its sample time.
inline float sineAt(float amplitude, double time) {
  return amplitude * static_cast<float>(std::sin(0.05 * time));
}

inline OSStatus sine(
    void *refCon, AudioUnitRenderActionFlags *, const AudioTimeStamp *time, UInt32, UInt32 frames,
    AudioBufferList *list) {
  for (UInt32 i = 0; i < list->mNumberBuffers; ++i) {
    float *samples = static_cast<float *>(list->mBuffers[i].mData);
    if (samples == nullptr) return kAudio_ParamError;
    for (UInt32 frame = 0; frame < frames; ++frame)
      samples[frame] = sineAt(*static_cast<float *>(refCon), time->mSampleTime + frame);
  }
  return noErr;
}

inline OSStatus feed(AudioUnit unit, UInt32 bus, float *amplitude) {
  const AURenderCallbackStruct source = {sine, amplitude};
  return AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &source,
      sizeof source);
}

inline AudioTimeStamp at(double time) {
  AudioTimeStamp stamp;
  memset(&stamp, 0, sizeof stamp);
  stamp.mSampleTime = time;
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  return stamp;
}

inline OSStatus render(
    AudioUnit unit, double time, UInt32 frames, Buffers &buffers, UInt32 bus = 0) {
  const AudioTimeStamp stamp = at(time);
  AudioUnitRenderActionFlags flags = 0;
  return AudioUnitRender(unit, &flags, &stamp, bus, frames, buffers.list());
}

template <typename Value>
OSStatus setProperty(
    AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
    const Value &value) {
  return AudioUnitSetProperty(unit, id, scope, element, &value, sizeof value);
}

template <typename Value>
OSStatus getProperty(
    AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
    Value &value) {
  UInt32 size = sizeof value;
  return AudioUnitGetProperty(unit, id, scope, element, &value, &size);
}
