// The sound of the units that Node.c publishes: Host.c computes the same in one process.
// SPDX-License-Identifier: Apache-2.0
#ifndef NEIGHBOUR_SOUND_H
#define NEIGHBOUR_SOUND_H

#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/InterAppAudio.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  float memory[2];
  int note;
  float level;
  unsigned phase;
  struct {
    UInt32 status, data1, data2, frame;
  } waiting[64];
  int count;
  long sysExBytes;
} Sound;

/// Whether the property PeerURL of a unit is the file of a program.
static inline int hasPeer(AudioUnit unit, const char *program) {
  CFURLRef url = NULL;
  UInt32 size = sizeof url;
  char text[4096] = "";
  if (AudioUnitGetProperty(unit, kAudioUnitProperty_PeerURL, kAudioUnitScope_Global, 0, &url, &size) || !url) return 0;
  CFStringGetCString(CFURLGetString(url), text, sizeof text, kCFStringEncodingUTF8);
  CFRelease(url);
  return strncmp(text, "file:///", 8) == 0 && strstr(text, program) != NULL;
}

static inline void soundMessage(Sound *sound, UInt32 status, UInt32 data1, UInt32 data2, UInt32 frame) {
  if (sound->count == 64) return;
  sound->waiting[sound->count].status = status;
  sound->waiting[sound->count].data1 = data1;
  sound->waiting[sound->count].data2 = data2;
  sound->waiting[sound->count++].frame = frame;
}

/// A filter for an effect; a saw for notes, each from its frame on; the beat of the song in the second channel.
static inline void soundRender(Sound *sound, float *left, float *right, UInt32 frames, int isEffect, int isPlayed,
                               double beat) {
  float *channels[2] = {left, right};
  if (isEffect) {
    for (int channel = 0; channel < 2; channel++) {
      for (UInt32 frame = 0; frame < frames; frame++) {
        float *sample = &channels[channel][frame];
        sound->memory[channel] = 0.5f * *sample + 0.25f * sound->memory[channel];
        *sample = sound->memory[channel];
      }
    }
  } else {
    memset(left, 0, frames * sizeof *left);
    memset(right, 0, frames * sizeof *right);
  }
  if (!isPlayed) return;
  int next = 0;
  for (UInt32 frame = 0; frame < frames; frame++) {
    for (; next < sound->count && sound->waiting[next].frame <= frame; next++) {
      if ((sound->waiting[next].status & 0xF0) == 0x90) {
        sound->note = (int)sound->waiting[next].data1;
        sound->level = (float)sound->waiting[next].data2 / 127;
        sound->phase = 0;
      } else {
        sound->level = 0;
      }
    }
    left[frame] += sound->level * ((float)(sound->phase % 100) / 100 - 0.5f);
    sound->phase += (unsigned)sound->note / 12;
    right[frame] += (float)(beat / 64) + (float)sound->sysExBytes / 1024;
  }
  sound->count = 0;
}

static inline AudioStreamBasicDescription soundFormat(double rate) {
  AudioStreamBasicDescription format = {.mSampleRate = rate, .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, .mBytesPerPacket = 4,
      .mFramesPerPacket = 1, .mBytesPerFrame = 4, .mChannelsPerFrame = 2, .mBitsPerChannel = 32};
  return format;
}

/// The unit of a kind: generator, instrument, effect, music.
static inline AudioComponentDescription soundDescription(const char *kind) {
  AudioComponentDescription description = {.componentSubType = 'nbor', .componentManufacturer = 'Test'};
  description.componentType = strcmp(kind, "generator") == 0    ? kAudioUnitType_RemoteGenerator
                              : strcmp(kind, "instrument") == 0 ? kAudioUnitType_RemoteInstrument
                              : strcmp(kind, "effect") == 0     ? kAudioUnitType_RemoteEffect
                                                                : kAudioUnitType_RemoteMusicEffect;
  return description;
}

static inline int hasInput(const char *kind) { return strcmp(kind, "effect") == 0 || strcmp(kind, "music") == 0; }
static inline int hasNotes(const char *kind) {
  return strcmp(kind, "instrument") == 0 || strcmp(kind, "music") == 0;
}
/// Whether the second channel has the beat of the song.
static inline int hasSong(const char *kind) { return strcmp(kind, "effect") != 0; }

/// A block `void (^)(UInt32)` without captures, as a compiler lays it out.
typedef struct {
  const void *isa;
  int flags, reserved;
  void (*invoke)(void *block, UInt32 event);
  const void *descriptor;
} EventBlock;

enum { blockIsGlobal = 1 << 28 };

#endif
