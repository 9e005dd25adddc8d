// Slices of sound between a host and a unit in another process: turns in shared memory, events in both directions.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_UNIT_LINK_H
#define AURICLE_UNIT_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "RealtimeMark.h"

#pragma clang assume_nonnull begin

/// The form of a connection. Sound is planar 32-bit float.
typedef struct {
  /// The most frames of a slice, 1 to 65,536.
  uint32_t frameCapacity;
  /// Channels of all buses to the unit, and from it, each at most 1,024.
  uint32_t inputChannels, outputChannels;
  /// Bytes of events of a slice in each direction, at most 16 MiB.
  uint32_t eventCapacity;
} AuricleLinkForm;

/// The kinds of events; others are passed on as they are.
enum {
  /// To the unit: a parameter at a frame, and a ramp from one value to another.
  kAuricleLinkEvent_Parameter = 1,
  kAuricleLinkEvent_Ramp = 2,
  /// In both directions: a channel message, and a SysEx message with its bytes behind the event.
  kAuricleLinkEvent_MIDI = 3,
  kAuricleLinkEvent_SysEx = 4,
  /// To the unit: a parameter that is scheduled for a frame. Setting one need not heed its frame.
  kAuricleLinkEvent_Scheduled = 5,
};

/// An event at a frame of a slice. Bytes may follow it.
typedef struct {
  uint32_t kind;
  uint32_t frame;
  /// A parameter.
  uint32_t id, scope, element;
  float value, endValue;
  /// Frames of a ramp.
  uint32_t duration;
  /// A channel message.
  uint8_t message[4];
  /// Bytes behind the event.
  uint32_t byteCount;
} AuricleLinkEvent;

/// The kinds of turns of the host; the numbers from 16 on are the caller's own.
enum {
  /// Renders a slice.
  kAuricleLinkTurn_Render = 1,
  /// The input that the unit asked for is there, or there is none.
  kAuricleLinkTurn_Input = 2,
  kAuricleLinkTurn_NoInput = 3,
  /// There will be no other turn.
  kAuricleLinkTurn_End = 4,
  kAuricleLinkTurn_First = 16,
};

/// The kinds of answers of the unit.
enum {
  /// The turn is done.
  kAuricleLinkAnswer_Done = 1,
  /// The unit needs more input of a bus before it can go on.
  kAuricleLinkAnswer_Input = 2,
};

/// The place of a slice in the host's song, from the host's callbacks; unknown numbers are 0.
typedef struct {
  double beat, tempo;
  double sampleInTimeline, cycleStartBeat, cycleEndBeat;
  double measureDownBeat;
  float signatureNumerator;
  uint32_t signatureDenominator;
  uint32_t deltaToNextBeat;
  /// Bits: playing 1, changed 2, cycling 4, recording 8, beat and tempo known 16, the place in the measure 32,
  /// the transport 64.
  uint32_t flags;
} AuricleLinkSong;

/// A turn of the host.
typedef struct {
  uint32_t kind;
  /// Frames of the slice, or of the input.
  uint32_t frameCount;
  /// The bus that is rendered, or whose input it is.
  uint32_t bus;
  /// The action flags of the render.
  uint32_t flags;
  /// Bit b: the input of bus b is there.
  uint64_t inputs;
  /// Bit b: the input of bus b is known to be silent.
  uint64_t silentInputs;
  /// The time stamp of the slice.
  double sampleTime;
  uint64_t hostTime;
  /// The time of CLOCK_MONOTONIC in nanoseconds until which the host waits for the slice; 0: as long as it takes.
  uint64_t deadline;
  double rateScalar;
  uint32_t timeFlags;
  /// The processor that the host's thread stays on until the answer, from 1 on; 0 for any.
  uint32_t processor;
  /// The status of an input that there is none of.
  int32_t status;
  AuricleLinkSong song;
} AuricleLinkTurn;

/// An answer of the unit; who reads it bounds what it uses.
typedef struct {
  uint32_t kind;
  int32_t status;
  uint32_t flags;
  /// The bus and the frames of an input that is asked for, and their time.
  uint32_t bus, frameCount;
  double sampleTime;
  /// Other than 0 where the unit delays sound by another time than was last read on the control side.
  uint32_t hasNewLatency;
  /// The processor that the unit's thread stays on, from 1 on; 0 for any.
  uint32_t processor;
} AuricleLinkAnswer;

/// Bytes of the memory that both processes share.
size_t AuricleLinkSize(AuricleLinkForm form);

/// Whether a form is one, in itself and for memory of a size.
bool AuricleLinkFormIsValid(AuricleLinkForm form, size_t size);

/// Whether memory of a descriptor has a size that nobody can change.
bool AuricleLinkMemoryIsSealed(int descriptor, size_t size);

/// One side of a connection. The shared memory belongs to both: nothing in it is trusted.
typedef struct AuricleLink AuricleLink;

/// Makes a side over shared memory that is zero at first; NULL without memory.
AuricleLink *_Nullable AuricleLinkMake(void *shared, AuricleLinkForm form);

/// Frees a side; the memory is the caller's.
void AuricleLinkFree(AuricleLink *link);

/// Ends all waiting of this side, now and later. Any thread.
void AuricleLinkAbandon(AuricleLink *link);

/// Has a side whose waiting was ended wait again. While no thread uses it.
void AuricleLinkResume(AuricleLink *link);

/// Whether waiting was ended.
bool AuricleLinkIsAbandoned(const AuricleLink *link) AURICLE_REALTIME;

/// The samples of a channel to the unit, and from it.
float *AuricleLinkInput(AuricleLink *link, uint32_t channel) AURICLE_REALTIME;
float *AuricleLinkOutput(AuricleLink *link, uint32_t channel) AURICLE_REALTIME;

// The host's side.

/// Whether the unit waits for a turn. One that still works on a turn that was given up does not; where it asks for input
/// meanwhile it is refused.
bool AuricleLinkIsIdle(AuricleLink *link) AURICLE_REALTIME;

/// Adds an event to the next turn, with bytes behind it; false where there is no room.
bool AuricleLinkAddEvent(AuricleLink *link, const AuricleLinkEvent *event, const void *_Nullable bytes)
    AURICLE_REALTIME;

/// Forgets the events of the next turn.
void AuricleLinkForgetEvents(AuricleLink *link) AURICLE_REALTIME;

/// Gives the unit a turn; false while it works on the one before. Without `wakes` it is only prepared: another
/// connection's turn brings it about.
bool AuricleLinkPost(AuricleLink *link, const AuricleLinkTurn *turn, bool wakes) AURICLE_REALTIME;

/// The realtime priority of threads that render for a host: a host's above it comes back at its deadline on the same processor.
enum { AuricleUnitPriority = 14 };

/// Keeps the calling thread on its processor until `AuricleLinkReleaseProcessor`, and has the unit's thread come there.
///
/// The one runs as soon as the other sleeps, whatever other programs do in the kernel. Nothing is done for a thread whose
/// realtime priority is not above the unit's.
void AuricleLinkShareProcessor(AuricleLink *link) AURICLE_REALTIME;

/// Has the thread go where it may again.
void AuricleLinkReleaseProcessor(AuricleLink *link) AURICLE_REALTIME;

/// The ends of waiting for an answer.
typedef enum {
  AuricleLinkOutcomeAnswered = 0,
  AuricleLinkOutcomeLate = 1,
  AuricleLinkOutcomeGone = 2,
} AuricleLinkOutcome;

/// Waits for the answer to the turn until a time of CLOCK_MONOTONIC in nanoseconds; 0: until it is there, or waiting is
/// ended. A time that is over does not wait.
AuricleLinkOutcome AuricleLinkAwait(AuricleLink *link, uint64_t deadline, AuricleLinkAnswer *answer)
    AURICLE_REALTIME;

/// Reads the answer of a unit whose part of the turn is finished, though those behind it still work; false while it is
/// not. Does not wait.
bool AuricleLinkReadFinished(AuricleLink *link, AuricleLinkAnswer *answer) AURICLE_REALTIME;

/// The time of CLOCK_MONOTONIC in nanoseconds.
uint64_t AuricleLinkNow(void) AURICLE_REALTIME;

/// Notes until when the slice that the calling thread renders is waited for, for units in it that wait for others; 0: as
/// long as it takes.
void AuricleSliceSetDeadline(uint64_t deadline) AURICLE_REALTIME;

/// The deadline of the slice that the calling thread renders; 0 where nobody noted one.
uint64_t AuricleSliceDeadline(void) AURICLE_REALTIME;

// The unit's side.

/// Waits for a turn at most so long; false for none. A turn of a strange form is `kAuricleLinkTurn_End`.
bool AuricleLinkTake(AuricleLink *link, uint64_t nanoseconds, AuricleLinkTurn *turn);

/// A turn that was only prepared; false for none. Does not wait.
bool AuricleLinkTakePrepared(AuricleLink *link, AuricleLinkTurn *turn) AURICLE_REALTIME;

/// Writes the answer of a turn that others are joined to: the host may read it, but its wait goes on.
void AuricleLinkFinishTurn(AuricleLink *link, const AuricleLinkAnswer *answer) AURICLE_REALTIME;

/// Ends the turn whose answer was written by `AuricleLinkFinishTurn`.
void AuricleLinkEndTurn(AuricleLink *link) AURICLE_REALTIME;

/// Answers the turn.
void AuricleLinkAnswerTurn(AuricleLink *link, const AuricleLinkAnswer *answer) AURICLE_REALTIME;

/// Asks for input in the middle of a turn, and waits for it; the turn that brings it, or false when there is none.
bool AuricleLinkAskForInput(AuricleLink *link, uint32_t bus, uint32_t frameCount, double sampleTime,
                            AuricleLinkTurn *turn);

/// Adds an event to the answer, with bytes behind it; false where there is no room.
bool AuricleLinkAddAnswerEvent(AuricleLink *link, const AuricleLinkEvent *event, const void *_Nullable bytes)
    AURICLE_REALTIME;

// Both sides.

/// The next event of the turn (the unit's side) or of the answer (the host's side), copied; false for none. `bytes` lie in
/// the shared memory, and may change while they are read.
bool AuricleLinkNextEvent(AuricleLink *link, bool ofAnswer, AuricleLinkEvent *event,
                          const uint8_t *_Nullable *_Nonnull bytes) AURICLE_REALTIME;

// Figures of the host's side. Any thread.

typedef struct {
  /// Turns that were answered, late ones among them, and those that were waited for in vain.
  uint64_t answered, missed;
  /// Nanoseconds from turn to answer: the median of all, and the longest.
  uint64_t median, longest;
  /// The number of sleeps of the host in the kernel.
  uint64_t waits;
} AuricleLinkFigures;

AuricleLinkFigures AuricleLinkReadFigures(const AuricleLink *link);

/// Nanoseconds since the turn that is not answered; 0 for none.
uint64_t AuricleLinkWaiting(const AuricleLink *link);

/// Whether the unit began a turn and its own part is not finished. Where its process has ended, it did so there.
bool AuricleLinkIsAtWork(const AuricleLink *link);

/// Counts a slice that was due and is not there.
void AuricleLinkCountMiss(AuricleLink *link) AURICLE_REALTIME;

#pragma clang assume_nonnull end

#endif
