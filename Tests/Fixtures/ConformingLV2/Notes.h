// The notes that sound in a plug-in: the effect of MIDI messages on them, and their levels together. For tests.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CONFORMING_NOTES_H
#define AURICLE_CONFORMING_NOTES_H

#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/urid/urid.h>
#include <string.h>

/// The velocity of each note that sounds, 0 to 1.
typedef struct {
  float levels[128];
} Notes;

/// The levels of all notes together.
static float levelOf(const Notes *notes) {
  float sum = 0;
  for (int note = 0; note < 128; ++note) sum += notes->levels[note];
  return sum;
}

/// Starts or ends a note.
static void takeMessage(Notes *notes, const uint8_t *bytes) {
  if ((bytes[0] & 0xF0) == 0x90) notes->levels[bytes[1] & 127] = bytes[2] / 127.0f;
  if ((bytes[0] & 0xF0) == 0x80) notes->levels[bytes[1] & 127] = 0;
}

/// The host's number for MIDI events; 0 where it maps none.
static LV2_URID midiEventNumber(const LV2_Feature *const *features) {
  for (; *features != NULL; ++features) {
    if (strcmp((*features)->URI, LV2_URID__map) != 0) continue;
    const LV2_URID_Map *map = (*features)->data;
    return map->map(map->handle, LV2_MIDI__MidiEvent);
  }
  return 0;
}

#endif
