// A unit that this process renders for its host.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SERVED_UNIT_H
#define AURICLE_SERVED_UNIT_H

#include "UnitLink.h"

#pragma clang assume_nonnull begin

/// The functions of a unit, by their Core Audio types, and the buses of its slices.
typedef struct {
  void *_Nullable plugIn;
  void *_Nullable render, *_Nullable setParameter, *_Nullable scheduleParameters;
  void *_Nullable midiEvent, *_Nullable sysEx;
  /// An `atomic_bool`: whether the latency is another one than was last read on the control side. NULL for one that stays.
  const void *_Nullable hasNewLatency;
  uint32_t maximumFrames;
  uint32_t inputBuses, outputBuses;
  uint32_t inputChannels[64], outputChannels[64];
  /// Called before and after the unit's code, with 1 and 0, on the thread that renders.
  void (*_Nullable mark)(void *_Nullable context, int isInside);
  void *_Nullable markContext;
} AuricleServedForm;

/// A unit that is served.
typedef struct AuricleServed AuricleServed;

/// Makes a served unit; NULL without memory.
AuricleServed *_Nullable AuricleServedMake(AuricleLink *link, const AuricleServedForm *form);

/// Frees a unit that no thread serves.
void AuricleServedFree(AuricleServed *unit);

/// Renders turns until the last one, or until waiting is ended.
void AuricleServedRun(AuricleServed *unit);

/// Has a unit rendered by the thread of the one in front of it, with the same turns; NULL parts them. While no thread
/// serves either.
void AuricleServedJoin(AuricleServed *first, AuricleServed *_Nullable next);

/// The `AURenderCallback` of the unit's inputs, whose context is the served unit.
void *AuricleServedInput(void);

/// The `AUMIDIOutputCallback` of the unit, whose context is the served unit.
void *AuricleServedMIDIOutput(void);

/// Writes a `HostCallbackInfo` that answers with the host's song of the slice.
void AuricleServedHostCallbacks(AuricleServed *unit, void *info);

#pragma clang assume_nonnull end

#endif
