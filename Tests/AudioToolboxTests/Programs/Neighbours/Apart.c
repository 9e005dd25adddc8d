// Plays through a filter in this process and in another one: ramps and scheduled values, sample by sample.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { frames = 256, slices = 12 };

static OSStatus giveInput(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
                          UInt32 count, AudioBufferList *list) {
  (void)context, (void)flags, (void)bus;
  for (UInt32 buffer = 0; buffer < list->mNumberBuffers; buffer++)
    for (UInt32 frame = 0; frame < count; frame++)
      ((float *)list->mBuffers[buffer].mData)[frame] = (float)fmod((stamp->mSampleTime + frame) * 0.37, 1) - 0.5f;
  return 0;
}

static AudioUnit openUnit(AudioComponent component, AudioComponentInstantiationOptions options) {
  __block AudioUnit made = NULL;
  AudioComponentInstantiate(component, options,
                            ^(AudioComponentInstance instance, OSStatus status) { made = status ? NULL : instance; });
  if (!made) return NULL;
  const AURenderCallbackStruct input = {giveInput, NULL};
  AudioUnitSetProperty(made, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input, sizeof input);
  return AudioUnitInitialize(made) ? NULL : made;
}

/// Schedules a ramp in the middle of a slice and a value behind it, and asks for the value meanwhile.
static void schedule(AudioUnit unit, float low, float high) {
  AudioUnitParameterEvent events[2] = {{kAudioUnitScope_Global, 0, 0, kParameterEvent_Ramped, {{0, 0, 0, 0}}},
                                       {kAudioUnitScope_Global, 0, 0, kParameterEvent_Immediate, {{0, 0, 0, 0}}}};
  events[0].eventValues.ramp.startBufferOffset = 37;
  events[0].eventValues.ramp.durationInFrames = 90;
  events[0].eventValues.ramp.startValue = low;
  events[0].eventValues.ramp.endValue = high;
  events[1].eventValues.immediate.bufferOffset = 200;
  events[1].eventValues.immediate.value = low * 2;
  AudioUnitScheduleParameters(unit, events, 2);
  Float32 value = 0;
  AudioUnitGetParameter(unit, 0, kAudioUnitScope_Global, 0, &value);
}

static OSStatus render(AudioUnit unit, double time, float samples[2][frames]) {
  struct {
    AudioBufferList list;
    AudioBuffer more;
  } buffers = {{2, {{1, sizeof *samples, samples[0]}}}, {1, sizeof *samples, samples[1]}};
  AudioTimeStamp stamp = {.mSampleTime = time, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  return AudioUnitRender(unit, &flags, &stamp, 0, frames, &buffers.list);
}

static UInt32 isApart(AudioUnit unit) {
  UInt32 value = 0, size = sizeof value;
  AudioUnitGetProperty(unit, kAudioUnitProperty_LoadedOutOfProcess, kAudioUnitScope_Global, 0, &value, &size);
  return value;
}

int main(void) {
  const AudioComponentDescription wanted = {kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter,
                                            kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  AudioUnit here = openUnit(component, kAudioComponentInstantiation_LoadInProcess);
  AudioUnit there = openUnit(component, kAudioComponentInstantiation_LoadOutOfProcess);
  if (!here || !there) return 1;
  printf("apart %u %u\n", isApart(here), isApart(there));
  static float one[2][frames], other[2][frames], last[2][frames];
  int differences = 0, changes = 0;
  for (int slice = 0; slice < slices; slice++) {
    if (slice % 2) {
      schedule(here, 200.0f + (float)slice * 10, 8000);
      schedule(there, 200.0f + (float)slice * 10, 8000);
    }
    const double time = slice * frames;
    if (render(here, time, one) || render(there, time, other)) return 2;
    if (memcmp(one, other, sizeof one)) differences++;
    if (memcmp(one, last, sizeof one)) changes++;
    memcpy(last, one, sizeof one);
  }
  printf("slices %d, differences %d\n", changes, differences);
  // A property of the whole unit is none of its buses.
  UInt32 size = 0;
  const OSStatus scoped[] = {
      AudioUnitGetPropertyInfo(here, kAudioUnitProperty_Latency, kAudioUnitScope_Input, 0, &size, NULL),
      AudioUnitGetPropertyInfo(there, kAudioUnitProperty_Latency, kAudioUnitScope_Input, 0, &size, NULL)};
  printf("scopes %d\n", scoped[0] == scoped[1]);
  AudioComponentInstanceDispose(here);
  AudioComponentInstanceDispose(there);
  return 0;
}
