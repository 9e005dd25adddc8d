// The rendering of a unit in another process, as its host sees it: a slice there and back, or the sound without it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ISOLATED_RENDER_H
#define AURICLE_ISOLATED_RENDER_H

#include "UnitLink.h"

#pragma clang assume_nonnull begin

/// The most buses in each direction.
enum { AuricleMostIsolatedBuses = 64 };

/// The time that a host has for its slices; shared by its units. All in nanoseconds of CLOCK_MONOTONIC.
typedef struct AuricleSliceClock AuricleSliceClock;

/// Makes a clock of a host that waits for as long as it takes; NULL without memory.
AuricleSliceClock *_Nullable AuricleSliceClockMake(void);

/// Frees a clock that no unit uses.
void AuricleSliceClockFree(AuricleSliceClock *clock);

/// Begins a slice that has to be done in a time: units are waited for until 65 % of it, and after one that was late the
/// others until 90 %. 0: for as long as it takes. Units of this process know the time as that of the thread's slice.
void AuricleSliceClockBegin(AuricleSliceClock *clock, uint64_t nanoseconds) AURICLE_REALTIME;

/// The form of a unit's slices.
typedef struct {
  uint32_t maximumFrames;
  double sampleRate;
  uint32_t inputBuses, outputBuses;
  uint32_t inputChannels[AuricleMostIsolatedBuses], outputChannels[AuricleMostIsolatedBuses];
  /// Whether the first input takes the unit's place while it is not there; silence otherwise.
  bool passesInput;
  /// Whether input is fetched in front of each slice; otherwise when the unit asks for it.
  bool fetchesInput;
  /// Whether the sound of a slice comes with the next one, so that nobody waits.
  bool isPipelined;
  /// Frames of a fade.
  uint32_t fadeFrames;
  /// Frames by which the unit delays sound; its input is delayed as well where it takes its place.
  uint32_t latencyFrames;
} AuricleIsolatedForm;

/// The render side of a unit in another process.
typedef struct AuricleIsolated AuricleIsolated;

/// Makes a render side without a process; NULL without memory.
AuricleIsolated *_Nullable AuricleIsolatedMake(AuricleSliceClock *_Nullable clock);

/// Frees a side that nobody renders.
void AuricleIsolatedFree(AuricleIsolated *unit);

/// Allocates all that rendering in a form needs; false without memory, or for a form that is none. Control, while nobody
/// renders.
bool AuricleIsolatedPrepare(AuricleIsolated *unit, const AuricleIsolatedForm *form);

/// The form of the connection for a form of slices.
AuricleLinkForm AuricleIsolatedLinkForm(const AuricleIsolatedForm *form);

/// Has an input bus fed by an `AURenderCallback`; NULL for none. Control; false for a bus that there cannot be.
bool AuricleIsolatedSetCallback(AuricleIsolated *unit, uint32_t bus, void *_Nullable callback,
                                void *_Nullable context);

/// Has an input bus fed by an output bus of another unit, by its `AudioUnitRenderProc`.
bool AuricleIsolatedConnect(AuricleIsolated *unit, uint32_t bus, void *render, void *plugIn, uint32_t output);

/// Bit b: input bus b has a source.
uint64_t AuricleIsolatedSources(const AuricleIsolated *unit);

/// Whether waiting may take as long as it does: the host renders against no clock.
void AuricleIsolatedSetOffline(AuricleIsolated *unit, bool isOffline);

/// Has rendering answer kAudioComponentErr_InstanceInvalidated from here on: the unit does not come back. Any thread.
void AuricleIsolatedInvalidate(AuricleIsolated *unit);

/// Whether the unit was invalidated. Any thread.
bool AuricleIsolatedIsInvalid(const AuricleIsolated *unit) AURICLE_REALTIME;

/// Has the next slices go to another process; NULL to none. Returns the connection that nobody uses any more. Control.
AuricleLink *_Nullable AuricleIsolatedExchange(AuricleIsolated *unit, AuricleLink *_Nullable link);

/// Adds an event of a channel message or a parameter for the next slice; false where there is no room. Any thread.
bool AuricleIsolatedAddEvent(AuricleIsolated *unit, const AuricleLinkEvent *event) AURICLE_REALTIME;

/// Adds a SysEx message for the next slice; false where there is no room. One thread at a time.
bool AuricleIsolatedAddSysEx(AuricleIsolated *unit, const uint8_t *bytes, uint32_t count) AURICLE_REALTIME;

/// Removes the oldest event that no slice has if it sets a parameter; false for another, and for none. Control.
bool AuricleIsolatedRemoveParameter(AuricleIsolated *unit, AuricleLinkEvent *event);

/// The receiver of channel messages and SysEx from the unit, an `AUMIDIOutputCallback`. Control.
void AuricleIsolatedSetMIDIOutput(AuricleIsolated *unit, void *_Nullable callback, void *_Nullable context);

/// The host's song, a `HostCallbackInfo`, which is copied; NULL for none. Control.
void AuricleIsolatedSetHostCallbacks(AuricleIsolated *unit, const void *_Nullable callbacks);

/// Forgets the past. Control, while nobody renders.
void AuricleIsolatedReset(AuricleIsolated *unit);

/// Whether the second unit can be rendered in one turn with the first, whose output bus 0 is all of its input.
bool AuricleIsolatedCanJoin(const AuricleIsolated *first, const AuricleIsolated *next);

/// Joins a unit to the one in front of it, so that one turn renders both. NULL parts them.
///
/// Their processes' sides are joined before, or parted after. Waits for the end of a slice of the first that is under way.
/// Control, one thread at a time; the units are rendered by one thread.
void AuricleIsolatedJoin(AuricleIsolated *first, AuricleIsolated *_Nullable next);

/// Renders a slice: the arguments of an `AudioUnitRenderProc` behind the first.
int32_t AuricleIsolatedRender(AuricleIsolated *unit, uint32_t *flags, const void *timeStamp, uint32_t bus,
                              uint32_t frameCount, void *buffers) AURICLE_REALTIME;

/// Seconds by which the unit delays sound as they were last read, without a pipeline's. Any thread.
double AuricleIsolatedLatency(const AuricleIsolated *unit);

/// The same with a pipeline's. Any thread.
double AuricleIsolatedWholeLatency(const AuricleIsolated *unit);

/// Notes the latency that was read on the control side.
void AuricleIsolatedNoteLatency(AuricleIsolated *unit, double seconds);

/// Notes that the unit has another latency than the one that was read. Any thread.
void AuricleIsolatedNoteNewLatency(AuricleIsolated *unit);

/// Whether it has since the last call. Any thread.
bool AuricleIsolatedRemoveNewLatency(AuricleIsolated *unit);

/// Slices that were due without the unit, also while it was not there. Any thread.
uint64_t AuricleIsolatedMissed(const AuricleIsolated *unit);

#pragma clang assume_nonnull end

#endif
