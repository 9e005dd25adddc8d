// Plays one unit's recording on another, with a ring by sample time between them, as the book's play-through does with two devices.
// SPDX-License-Identifier: Apache-2.0
//
// usage: RingThrough FRAMES
#include <AudioToolbox/AudioToolbox.h>
#include <CARingBuffer.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "../Await.h"
#include "Check.h"

static const UInt32 kMost = 8192;

struct Player {
  AudioUnit input = nullptr, output = nullptr;
  CARingBuffer ring;
  float memory[2][kMost];
  std::atomic<double> heard{-1};
  double offset = 0;
  bool isAligned = false;
  std::atomic<long> played{0}, wrong{0};
};

/// A list of two channels over memory.
struct TwoBuffers {
  AudioBufferList list;
  AudioBuffer second;
};

static OSStatus hear(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *) {
  Player *player = static_cast<Player *>(data);
  TwoBuffers buffers;
  buffers.list.mNumberBuffers = 2;
  for (int channel = 0; channel < 2; channel++) {
    buffers.list.mBuffers[channel].mNumberChannels = 1;
    buffers.list.mBuffers[channel].mDataByteSize = frames * sizeof(float);
    buffers.list.mBuffers[channel].mData = player->memory[channel];
  }
  OSStatus status = AudioUnitRender(player->input, flags, time, bus, frames, &buffers.list);
  if (status != noErr) return player->wrong++, status;
  if (player->ring.Store(&buffers.list, frames, static_cast<CARingBuffer::SampleTime>(time->mSampleTime)) != kCARingBufferError_OK)
    player->wrong++;
  player->heard = time->mSampleTime;
  return noErr;
}

static OSStatus play(void *data, AudioUnitRenderActionFlags *, const AudioTimeStamp *time, UInt32, UInt32 frames,
    AudioBufferList *buffers) {
  Player *player = static_cast<Player *>(data);
  if (!player->isAligned && player->heard >= 0) {
    player->isAligned = true;
    player->offset = player->heard - time->mSampleTime;
  }
  const CARingBuffer::SampleTime start =
      player->isAligned ? static_cast<CARingBuffer::SampleTime>(time->mSampleTime + player->offset) : -1000000;
  if (player->ring.Fetch(buffers, frames, start) != kCARingBufferError_OK) player->wrong++;
  CARingBuffer::SampleTime first, last;
  if (player->ring.GetTimeBounds(first, last) != kCARingBufferError_OK || first > last) player->wrong++;
  if (player->isAligned) {
    player->played += frames;
    post();
  }
  return noErr;
}

static AudioUnit makeUnit() {
  AudioComponentDescription description = {};
  description.componentType = kAudioUnitType_Output;
  description.componentSubType = kAudioUnitSubType_HALOutput;
  description.componentManufacturer = kAudioUnitManufacturer_Apple;
  AudioUnit unit = nullptr;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(nullptr, &description), &unit));
  return unit;
}

static void set(AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *value, UInt32 size) {
  CHECK(AudioUnitSetProperty(unit, property, scope, element, value, size));
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  static Player player;
  player.input = makeUnit();
  player.output = makeUnit();
  const UInt32 on = 1, off = 0;
  set(player.input, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, sizeof on);
  set(player.input, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &off, sizeof off);
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  CHECK(AudioUnitGetProperty(player.input, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, &size));
  set(player.output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format);
  // The unit's answer for its device.
  UInt32 period = 0;
  size = sizeof period;
  CHECK(AudioUnitGetProperty(player.input, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &period, &size));
  player.ring.Allocate(static_cast<int>(format.mChannelsPerFrame), format.mBytesPerFrame, period * 20);
  AURenderCallbackStruct input = {hear, &player}, output = {play, &player};
  set(player.input, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, &input, sizeof input);
  set(player.output, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &output, sizeof output);
  CHECK(AudioUnitInitialize(player.input));
  CHECK(AudioUnitInitialize(player.output));
  CHECK(AudioOutputUnitStart(player.output));
  CHECK(AudioOutputUnitStart(player.input));
  AWAIT(player.played >= std::atol(argv[1]));
  CHECK(AudioOutputUnitStop(player.output));
  CHECK(AudioOutputUnitStop(player.input));
  std::printf("period %u, wrong %ld\n", static_cast<unsigned>(period), player.wrong.load());
  CHECK(AudioComponentInstanceDispose(player.input));
  CHECK(AudioComponentInstanceDispose(player.output));
  return 0;
}
