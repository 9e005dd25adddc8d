// An instrument that gives one sample for each note, at the note's frame, as high as the note was struck hard.
// SPDX-License-Identifier: Apache-2.0
//
// With CRASHING it ends its process at the ninth note.
#include <Auricle/AuricleUnit.h>

static const AuricleParameter parameters[] = {
    {.id = 1, .name = "level", .unit = kAudioUnitParameterUnit_LinearGain, .maximum = 1, .initial = 1}};

static void process(void *state, const AuricleSlice *slice) {
  (void)state;
  for (UInt32 i = 0; i < slice->frameCount; i++) slice->outputs[0][i] = slice->outputs[1][i] = 0;
  for (UInt32 i = 0; i < slice->messageCount; i++) {
    const AuricleMIDIMessage message = slice->messages[i];
    if ((message.status & 0xf0) != 0x90 || message.data2 == 0) continue;
#ifdef CRASHING
    static int notes;
    if (++notes == 9) *(volatile int *)8 = 1;
#endif
    slice->outputs[0][0] += message.data2 / 128.0f;
    slice->outputs[1][0] += message.data1 / 128.0f;
  }
}

static const AuricleUnitDefinition definition = {.parameters = parameters,
    .parameterCount = 1,
    .process = process,
    .isGenerator = true,
    .receivesMIDI = true};

AURICLE_UNIT_FACTORY(ClickOrganFactory, definition)
