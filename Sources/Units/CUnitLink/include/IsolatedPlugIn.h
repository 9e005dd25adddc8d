// The interface of a unit that runs in another process: what Core Audio asks becomes requests, and requests become calls.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ISOLATED_PLUGIN_H
#define AURICLE_ISOLATED_PLUGIN_H

#include "EventQueue.h"
#include "IsolatedRender.h"

#pragma clang assume_nonnull begin

/// Bytes that grow.
typedef struct {
  uint8_t *_Nullable bytes;
  size_t count, capacity;
  /// Whether there was no memory, or too much was added.
  bool hasFailed;
} AuricleLinkBytes;

void AuricleLinkBytesAdd(AuricleLinkBytes *bytes, const void *_Nullable data, size_t count);
void AuricleLinkBytesFree(AuricleLinkBytes *bytes);

/// The requests about a unit. Each begins with the unit's number; each reply with a status and the latency in seconds.
enum {
  kAuricleUnitRequest_Uninitialize = 4,
  kAuricleUnitRequest_PropertyInfo = 5,
  kAuricleUnitRequest_GetProperty = 6,
  kAuricleUnitRequest_SetProperty = 7,
  kAuricleUnitRequest_GetParameter = 8,
  kAuricleUnitRequest_SetParameter = 9,
  kAuricleUnitRequest_Reset = 10,
  kAuricleUnitRequest_MIDI = 11,
  kAuricleUnitRequest_SysEx = 12,
  kAuricleUnitRequest_StartNote = 13,
  kAuricleUnitRequest_StopNote = 14,
  kAuricleUnitRequest_Listen = 15,
  kAuricleUnitRequest_Sources = 16,
};

/// The work of a unit's owner in the host for its interface. Control, on the thread of the caller.
typedef struct {
  void *context;
  /// Sends a request and waits for its reply; a status other than 0 where there is none.
  int32_t (*transact)(void *context, uint16_t kind, const uint8_t *bytes, size_t count, AuricleLinkBytes *reply);
  int32_t (*initialize)(void *context);
  int32_t (*uninitialize)(void *context);
  /// Notes a property that was set, in the form in which it is sent.
  void (*noteProperty)(void *context, const uint8_t *bytes, size_t count);
  /// Frees the unit.
  void (*close)(void *context);
} AuricleIsolatedOwner;

/// The interface of a unit; an `AudioComponentPlugInInterface` is its first member.
typedef struct AuricleIsolatedPlugIn AuricleIsolatedPlugIn;

/// Makes an interface; NULL without memory. `selectors` has a bit for each of: MIDI 1, notes 2, ramps 4.
AuricleIsolatedPlugIn *_Nullable AuricleIsolatedPlugInMake(AuricleIsolated *render, uint32_t number,
                                                           uint32_t selectors, AuricleIsolatedOwner owner);

/// Frees an interface that nobody has; its render side is the owner's.
void AuricleIsolatedPlugInFree(AuricleIsolatedPlugIn *plugIn);

/// Whether the unit is initialised as its host sees it.
void AuricleIsolatedPlugInSetInitialized(AuricleIsolatedPlugIn *plugIn, bool isInitialized);

/// Calls the listeners of a property that changed in the other process. Control.
void AuricleIsolatedPlugInCallListeners(AuricleIsolatedPlugIn *plugIn, uint32_t property, uint32_t scope, uint32_t element);

/// The number of changes of parameters by the host until now. Any thread.
uint32_t AuricleIsolatedPlugInChanges(const AuricleIsolatedPlugIn *plugIn);

/// The number of messages of the host until now that may change more than parameters: programs and SysEx. Any thread.
uint32_t AuricleIsolatedPlugInPrograms(const AuricleIsolatedPlugIn *plugIn);

/// Requests that set parameters to the values that the host gave them, each a SetParameter behind its count of bytes
/// (UInt32): those changed behind so many changes, or all for 0. Control.
void AuricleIsolatedPlugInParameters(AuricleIsolatedPlugIn *plugIn, uint32_t changes, AuricleLinkBytes *requests);

/// The instance that the interface was opened for, an `AudioComponentInstance`; NULL before.
void *_Nullable AuricleIsolatedPlugInInstance(const AuricleIsolatedPlugIn *plugIn);

/// Requests that have the unit report the properties that somebody listens to, likewise.
void AuricleIsolatedPlugInListeners(AuricleIsolatedPlugIn *plugIn, AuricleLinkBytes *requests);

/// Whether a property brings parameters with it: a state, a preset.
bool AuricleIsolatedPropertyIsState(uint32_t property);

// The unit's side.

/// A unit that requests are about: its interface's functions, found by Lookup. NULL without memory.
typedef struct AuricleServedCalls AuricleServedCalls;

AuricleServedCalls *_Nullable AuricleServedCallsMake(void *plugIn);
void AuricleServedCallsFree(AuricleServedCalls *calls);

/// The bits of `AuricleIsolatedPlugInMake`.
uint32_t AuricleServedSelectors(const AuricleServedCalls *calls);

/// Fills in the functions and buses of a served unit; a status.
int32_t AuricleServedDescribe(const AuricleServedCalls *calls, void *form, double *sampleRate);

/// Calls the unit as a request says, and writes its reply. `changed` is called with what the unit reports.
void AuricleServedCall(AuricleServedCalls *calls, uint16_t kind, const uint8_t *bytes, size_t count,
                       AuricleLinkBytes *reply);

/// The places to which reports of changed properties go.
typedef struct {
  /// The unit's number, which is the kind of its reports in the queue.
  uint32_t number;
  /// Sends a report of the thread that serves a request.
  void (*_Nullable send)(void *_Nullable context, uint32_t property, uint32_t scope, uint32_t element);
  void *_Nullable context;
  /// The reports of other threads: the property is `id`. A byte is written to the bell for each; it does not block.
  AuricleEventQueue *_Nullable queue;
  int bell;
} AuricleServedReports;

/// Sets where reports of changed properties go.
void AuricleServedSetReports(AuricleServedCalls *calls, AuricleServedReports reports);

/// Has the unit's inputs, its notes and its host's song come from and go to a served unit; NULL takes them away. Bit b of
/// `sources`: input bus b has a source.
void AuricleServedConnect(AuricleServedCalls *calls, void *_Nullable served, uint64_t sources);

int32_t AuricleServedInitialize(AuricleServedCalls *calls);

#pragma clang assume_nonnull end

#endif
