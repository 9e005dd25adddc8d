// A chain of units behind the functions of one: each of its stages is a unit of the bundle.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "Unit.h"

// A stage as the list of contents declares it.
struct Stage {
  struct Entry entry;
  char label[kTextSize], state[kTextSize];  // the file of its state, beside the list
  Float32 mix;                              // part of the processed signal, 0 to 1
};

struct Chain {
  UInt32 count, frames, dryLength;
  const struct Stage *stages;
  struct Unit **units;
  UInt32 *stageOf, *placeOf;  // by the place of a parameter: its stage, and its place there
  Float32 *memory;            // two sets of channels, one after the other
  Float32 **dry;              // by stage: the input of one that is mixed, channel after channel
  UInt32 *dryPlace;
};

bool makeChain(const struct Bundle *bundle, struct Unit *unit, char *reason, size_t size);
void freeChain(struct Unit *unit);
bool arrangeChain(struct Unit *unit, UInt32 channels);
bool startChain(struct Unit *unit, bool isOffline);
void stopChain(struct Unit *unit);
bool renderChain(struct Unit *unit, UInt32 frames, const Float32 *const *const *inputs, Float32 *const *const *outputs);
UInt32 latencyOfChain(struct Unit *unit);
double tailOfChain(struct Unit *unit, bool *isKnown);
char *saveChain(struct Unit *unit, size_t *length);
bool restoreChain(struct Unit *unit, CFTypeRef state);

// The unit of a parameter of a chain, or the unit itself; `index` becomes the place there.
static inline struct Unit *ownerOf(struct Unit *unit, UInt32 *index) {
  if (unit->chain == NULL) return unit;
  const UInt32 place = *index;
  *index = unit->chain->placeOf[place];
  return unit->chain->units[unit->chain->stageOf[place]];
}
