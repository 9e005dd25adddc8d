// Adds a click for each MIDI message, by the event and URI map extensions.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

#include <lv2/event/event.h>
#include <lv2/midi/midi.h>
#include <lv2/uri-map/uri-map.h>
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i];
  const LV2_Event_Buffer* buffer = (const LV2_Event_Buffer*)self->control[2];
  for (uint32_t at = 0, n = 0; n < buffer->event_count && at < buffer->size; ++n) {
    const LV2_Event* event = (const LV2_Event*)(buffer->data + at);
    const uint8_t* bytes = (const uint8_t*)(event + 1);
    if (event->type == (uint16_t)self->value && event->frames < frames)
      self->out[event->frames] += bytes[2] / 127.0f;
    at += (sizeof(LV2_Event) + event->size + 7) & ~7u;
  }
}
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  Fixture* self = fixture_instantiate(d, rate, path, features);
  const LV2_URI_Map_Feature* map = fixture_feature(features, LV2_URI_MAP_URI);
  const LV2_Event_Feature* events = fixture_feature(features, LV2_EVENT_URI);
  if (!map || !events) return NULL;
  self->value = (float)map->uri_to_id(map->callback_data, LV2_EVENT_URI, LV2_MIDI__MidiEvent);
  return self;
}
FIXTURE("urn:auricle:test:old-events", instantiate, NULL)
