// The ports of an exported plug-in: which there are, in their order, for its data and its code alike.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../Core/Unit.h"

enum PortKind { kAudioPort, kEventsIn, kEventsOut, kEnabledPort, kFreePort, kLatencyPort, kControlPort };

struct Port {
  enum PortKind kind;
  bool isOutput;
  UInt32 bus, channel;  // of an audio port
  UInt32 parameter;     // of a control port
};

// The ports of a unit; to be freed.
struct Port *makePorts(struct Unit *unit, UInt32 *count);
// The URI of an entry.
void writeURI(const struct Entry *entry, char *uri, size_t size);

#define kStateKey "urn:auricle:class-info"
