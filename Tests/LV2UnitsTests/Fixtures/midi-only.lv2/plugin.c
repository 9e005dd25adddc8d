// Sends each MIDI message on an octave up, and has no audio: a MIDI processor.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/midi/midi.h>

typedef struct {
  const LV2_Atom_Sequence* control;
  LV2_Atom_Sequence* notify;
  LV2_Atom_Forge forge;
  LV2_URID event;
} Self;
static void run(LV2_Handle handle, uint32_t frames) {
  Self* self = handle;
  (void)frames;
  lv2_atom_forge_set_buffer(&self->forge, (uint8_t*)self->notify, self->notify->atom.size + 8);
  LV2_Atom_Forge_Frame sequence;
  lv2_atom_forge_sequence_head(&self->forge, &sequence, 0);
  LV2_ATOM_SEQUENCE_FOREACH(self->control, event) {
    if (event->body.type != self->event || event->body.size != 3) continue;
    uint8_t bytes[3];
    memcpy(bytes, event + 1, 3);
    bytes[1] += 12;
    lv2_atom_forge_frame_time(&self->forge, event->time.frames);
    lv2_atom_forge_atom(&self->forge, 3, self->event);
    lv2_atom_forge_write(&self->forge, bytes, 3);
  }
  lv2_atom_forge_pop(&self->forge, &sequence);
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  (void)d, (void)rate, (void)path;
  Self* self = calloc(1, sizeof(Self));
  LV2_URID_Map* map = (LV2_URID_Map*)fixture_feature(features, LV2_URID__map);
  lv2_atom_forge_init(&self->forge, map);
  self->event = map->map(map->handle, LV2_MIDI__MidiEvent);
  return self;
}
static void connect(LV2_Handle handle, uint32_t port, void* data) {
  if (port < 2) ((void**)handle)[port] = data;
}
static const LV2_Descriptor descriptor = {
  "urn:auricle:test:midi-only", instantiate, connect, NULL, run, NULL, fixture_cleanup, NULL};
LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
  return index ? NULL : &descriptor;
}
