// An instrument that outputs one sample for each note, at the note's frame, with the height of its velocity.
// SPDX-License-Identifier: Apache-2.0
//
// With HELD a note sounds, as high as it was struck hard, until it ends. With CRASHING it ends its process at the ninth note, with MONO it has one channel. With EFFECT it is a music effect that replaces its input.
#include <Auricle/AuricleUnit.h>

#ifdef MONO
#define CHANNELS 1
static const AUChannelInfo channels[] = {{0, 1}};
#else
#define CHANNELS 2
#endif

static const AuricleParameter parameters[] = {
    {.id = 1, .name = "level", .unit = kAudioUnitParameterUnit_LinearGain, .maximum = 1, .initial = 1}};

#ifdef HELD
static void process(void *state, const AuricleSlice *slice) {
  float *level = state;
  for (UInt32 i = 0; i < slice->messageCount; i++) {
    const AuricleMIDIMessage message = slice->messages[i];
    if ((message.status & 0xf0) == 0x90) *level += message.data2 / 128.0f;
    if ((message.status & 0xf0) == 0x80) *level = 0;
  }
  for (UInt32 channel = 0; channel < CHANNELS; channel++) {
    for (UInt32 i = 0; i < slice->frameCount; i++) {
      slice->outputs[channel][i] = *level * slice->values[0];
    }
  }
}
#else
static void process(void *state, const AuricleSlice *slice) {
  (void)state;
  for (UInt32 channel = 0; channel < CHANNELS; channel++) {
    for (UInt32 i = 0; i < slice->frameCount; i++) slice->outputs[channel][i] = 0;
  }
  for (UInt32 i = 0; i < slice->messageCount; i++) {
    const AuricleMIDIMessage message = slice->messages[i];
    if ((message.status & 0xf0) != 0x90 || message.data2 == 0) continue;
#ifdef CRASHING
    static int notes;
    if (++notes == 9) *(volatile int *)8 = 1;
#endif
    slice->outputs[0][0] += message.data2 / 128.0f;
    if (CHANNELS > 1) slice->outputs[1][0] += message.data1 / 128.0f;
  }
}
#endif

static const AuricleUnitDefinition definition = {.parameters = parameters,
    .parameterCount = 1,
    .process = process,
#ifdef HELD
    .stateSize = sizeof(float),
#endif
#ifdef MONO
    .channels = channels,
    .channelCount = 1,
#endif
#ifndef EFFECT
    .isGenerator = true,
#endif
    .receivesMIDI = true};

AURICLE_UNIT_FACTORY(ClickOrganFactory, definition)
