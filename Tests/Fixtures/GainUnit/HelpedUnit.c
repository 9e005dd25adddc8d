// A unit on the helper for C that uses features beyond the sample delay: ramps, choices, a meter, presets, state, mono to stereo.
// SPDX-License-Identifier: Apache-2.0

#include <Auricle/AuricleUnit.h>
#include <CoreFoundation/CoreFoundation.h>

enum { kGain, kSide, kLevel, kParameterCount };

static const char *const sides[] = {"both", "left", "right", NULL};

static const AuricleParameter parameters[] = {
    [kGain] = {.id = 7, .name = "gain", .unit = kAudioUnitParameterUnit_LinearGain, .maximum = 100,
               .initial = 1, .flags = kAudioUnitParameterFlag_CanRamp},
    [kSide] = {.id = 3, .name = "side", .unit = kAudioUnitParameterUnit_Indexed, .maximum = 2,
               .valueNames = sides},
    [kLevel] = {.id = 9, .name = "level", .unit = kAudioUnitParameterUnit_LinearGain, .maximum = 1,
                .flags = kAudioUnitParameterFlag_MeterReadOnly}};

static const float loud[] = {10, 0, 0}, right[] = {1, 2, 0};
static const AuricleFactoryPreset presets[] = {{"Loud", loud}, {"Right", right}};
static const AUChannelInfo channels[] = {{1, 2}, {2, 2}};

struct State {
  SInt32 saved;
};

static void process(void *state, const AuricleSlice *slice) {
  (void)state;
  float peak = 0;
  for (UInt32 channel = 0; channel < slice->outputCount; channel++) {
    const float *input = slice->inputs[channel < slice->inputCount ? channel : 0];
    const UInt32 side = (UInt32)slice->values[kSide];
    const float gain = side == 0 || side == channel + 1 ? slice->values[kGain] : 0;
    for (UInt32 i = 0; i < slice->frameCount; i++) {
      slice->outputs[channel][i] = input[i] * gain;
      peak = slice->outputs[channel][i] > peak ? slice->outputs[channel][i] : peak;
    }
  }
  slice->values[kLevel] = peak;
}

static void save(void *state, CFMutableDictionaryRef info) {
  SInt32 number = ((struct State *)state)->saved + 1;
  CFNumberRef value = CFNumberCreate(NULL, kCFNumberSInt32Type, &number);
  CFDictionarySetValue(info, CFSTR("test.saved"), value);
  CFRelease(value);
}

static void restore(void *state, CFDictionaryRef info) {
  const void *value = CFDictionaryGetValue(info, CFSTR("test.saved"));
  if (value != NULL) CFNumberGetValue(value, kCFNumberSInt32Type, &((struct State *)state)->saved);
}

static Float64 latency(const AudioUnitParameterValue *values, Float64 sampleRate) {
  return values[kSide] * 10 / sampleRate;
}

static const AuricleUnitDefinition definition = {
    .parameters = parameters, .parameterCount = kParameterCount, .stateSize = sizeof(struct State),
    .process = process, .latencySeconds = latency, .channels = channels, .channelCount = 2,
    .presets = presets, .presetCount = 2, .save = save, .restore = restore};

AURICLE_UNIT_FACTORY(HelpedUnitFactory, definition)
