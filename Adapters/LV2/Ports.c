// The order of ports: audio, events, those of the interface, then the parameters.
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "../Core/Internal.h"
#include "Ports.h"

void writeURI(const struct Entry *entry, char *uri, size_t size) {
  int used = snprintf(uri, size, "urn:auricle:");
  for (const char *place = entry->identity; *place != 0 && used > 0 && (size_t)used + 4 < size; place++) {
    const unsigned char byte = (unsigned char)*place;
    const bool isPlain = byte < 0x80 && (isalnum(byte) || byte == ':' || byte == '-' || byte == '_' || byte == '.');
    used += isPlain ? snprintf(uri + used, size - (size_t)used, "%c", byte) : snprintf(uri + used, size - (size_t)used, "%%%02X", byte);
  }
}

struct Port *makePorts(struct Unit *unit, UInt32 *count) {
  UInt32 most = 8 + unit->parameterCount;
  for (int side = 0; side < 2; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side]; bus++) most += unit->buses[side][bus].channels;
  struct Port *ports = calloc(most, sizeof *ports);
  *count = 0;
  if (ports == NULL) return NULL;
  const bool isMIDI = unit->entry->description.componentType == kAudioUnitType_MIDIProcessor;
  for (int side = 0; side < 2; side++)
    for (UInt32 bus = 0; bus < unit->busCounts[side] && !isMIDI; bus++)
      for (UInt32 channel = 0; channel < unit->buses[side][bus].channels; channel++)
        ports[(*count)++] = (struct Port){.kind = kAudioPort, .isOutput = side == 1, .bus = bus, .channel = channel};
  UInt32 ignored;
  if (unit->takesMIDI || hasProperty(unit, kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global, 0, &ignored))
    ports[(*count)++] = (struct Port){.kind = kEventsIn};
  if (unit->sendsMIDI) ports[(*count)++] = (struct Port){.kind = kEventsOut, .isOutput = true};
  if (unit->canBypass) ports[(*count)++] = (struct Port){.kind = kEnabledPort};
  if (hasProperty(unit, kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, &ignored))
    ports[(*count)++] = (struct Port){.kind = kFreePort};
  ports[(*count)++] = (struct Port){.kind = kLatencyPort, .isOutput = true};
  for (UInt32 i = 0; i < unit->parameterCount; i++)
    ports[(*count)++] = (struct Port){.kind = kControlPort, .isOutput = unit->parameters[i].isMeter, .parameter = i};
  return ports;
}
