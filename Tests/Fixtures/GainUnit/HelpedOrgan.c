// An instrument on the helper for C that writes which MIDI it received into its sound; with EFFECT, over its input.
// SPDX-License-Identifier: Apache-2.0

#include <Auricle/AuricleUnit.h>

static const AuricleParameter parameters[] = {
    {.id = 1, .name = "level", .unit = kAudioUnitParameterUnit_LinearGain, .maximum = 1}};

// Output 0: at the frame of a message, its bytes as a number; output 1: how many messages came there, and the
// parameter from there on as a fraction.
static void process(void *state, const AuricleSlice *slice) {
  (void)state;
  for (UInt32 i = 0; i < slice->frameCount; i++) {
    slice->outputs[0][i] = 0;
    slice->outputs[1][i] = slice->values[0] / 2;
  }
  for (UInt32 i = 0; i < slice->messageCount; i++) {
    const AuricleMIDIMessage message = slice->messages[i];
    slice->outputs[0][0] = (float)(message.status << 16 | message.data1 << 8 | message.data2);
    slice->outputs[1][0] += 1;
  }
}

static const AuricleUnitDefinition definition = {
    .parameters = parameters,
    .parameterCount = 1,
    .process = process,
#ifdef EFFECT
    .restSeconds = 0.001,
#else
    .isGenerator = true,
#endif
    .receivesMIDI = true};

AURICLE_UNIT_FACTORY(HelpedOrganFactory, definition)
