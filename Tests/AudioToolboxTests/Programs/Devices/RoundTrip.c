// Plays an impulse and finds it in the recording: the frames in between against the latency that the device reports.
// SPDX-License-Identifier: Apache-2.0
//
// usage: RoundTrip UID
#include <CoreAudio/CoreAudio.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../Await.h"
#include "Check.h"
#include "NamedDevice.h"

static double played = -1, recorded = -1, sounding, lead;
static long cycles;
static _Atomic int isDone;

static OSStatus cycle(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
    const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime, void *data) {
  (void)device, (void)now, (void)data;
  if (atomic_load(&isDone) || input->mNumberBuffers == 0 || output->mNumberBuffers == 0) return noErr;
  UInt32 width = output->mBuffers[0].mNumberChannels, frames = output->mBuffers[0].mDataByteSize / 4 / width;
  UInt32 inputWidth = input->mBuffers[0].mNumberChannels;
  const float *heard = input->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frames && played >= 0; frame++) {
    if (heard[frame * inputWidth] < 0.25f) continue;
    recorded = inputTime->mSampleTime + frame;
    atomic_store(&isDone, 1);
    post();
    return noErr;
  }
  // About a second after the start, in the middle of a period; again where the card lost it on the way.
  if (++cycles % 100 != 0) return noErr;
  ((float *)output->mBuffers[0].mData)[frames / 2 * width] = 0.5f;
  played = inputTime->mSampleTime + frames / 2;
  sounding = outputTime->mSampleTime + frames / 2;
  lead = outputTime->mSampleTime - inputTime->mSampleTime;
  return noErr;
}

static UInt32 word(AudioObjectID object, UInt32 selector, UInt32 scope) {
  AudioObjectPropertyAddress address = {selector, scope, 0};
  UInt32 value = 0, size = sizeof value;
  CHECK(AudioObjectGetPropertyData(object, &address, 0, NULL, &size, &value));
  return value;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  AudioObjectID device = deviceNamed(argv[1]);
  AudioDeviceIOProcID procedure;
  CHECK(AudioDeviceCreateIOProcID(device, cycle, NULL, &procedure));
  CHECK(AudioDeviceStart(device, procedure));
  AWAIT(atomic_load(&isDone));
  UInt32 latency = word(device, kAudioDevicePropertyLatency, kAudioObjectPropertyScopeOutput) +
      word(device, kAudioDevicePropertyLatency, kAudioObjectPropertyScopeInput);
  UInt32 held = word(device, kAudioDevicePropertySafetyOffset, kAudioObjectPropertyScopeOutput) +
      word(device, kAudioDevicePropertySafetyOffset, kAudioObjectPropertyScopeInput) +
      2 * word(device, kAudioDevicePropertyBufferFrameSize, kAudioObjectPropertyScopeGlobal);
  CHECK(AudioDeviceStop(device, procedure));
  CHECK(AudioDeviceDestroyIOProcID(device, procedure));
  printf("heard %d\n", recorded > played);
  printf("off by %g, connectors %u, in step %d\n", recorded - played - (lead + latency), latency,
      sounding - played == lead);
  // Two sides of a plug-in start one after the other; the properties count the frames that their buffers hold.
  printf("buffers %u\n", held);
  return 0;
}
