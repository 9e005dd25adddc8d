// A unit in another process on the control side of its host: form, sources, events for the next slice.
// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "IsolatedParts.h"

enum { kSysExPart = 100, kSysExEnd = 101, partBytes = 24, queueCapacity = 8192 };

AuricleSliceClock *AuricleSliceClockMake(void) { return calloc(1, sizeof(AuricleSliceClock)); }

void AuricleSliceClockFree(AuricleSliceClock *clock) { free(clock); }

void AuricleSliceClockBegin(AuricleSliceClock *clock, uint64_t nanoseconds) {
  const uint64_t now = nanoseconds ? AuricleLinkNow() : 0;
  const uint64_t due = nanoseconds ? now + nanoseconds / 100 * 65 : 0;
  atomic_store_explicit(&clock->due, due, memory_order_relaxed);
  atomic_store_explicit(&clock->last, nanoseconds ? now + nanoseconds / 10 * 9 : 0, memory_order_relaxed);
  AuricleSliceSetDeadline(due);
}

AuricleIsolated *AuricleIsolatedMake(AuricleSliceClock *clock) {
  AuricleIsolated *unit = calloc(1, sizeof *unit);
  if (!unit) return NULL;
  unit->clock = clock;
  unit->queue = AuricleEventQueueMake(queueCapacity);
  if (unit->queue) return unit;
  free(unit);
  return NULL;
}

static void freeMemory(AuricleIsolated *unit) {
  void *parts[] = {unit->input, unit->output,  unit->list, unit->dry.samples, unit->wet.samples, unit->isWet,
                   unit->last,  unit->rest};
  for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) free(parts[index]);
  unit->input = unit->output = unit->last = unit->rest = unit->dry.samples = unit->wet.samples = NULL;
  unit->list = NULL;
  unit->isWet = NULL;
}

void AuricleIsolatedFree(AuricleIsolated *unit) {
  AuricleIsolatedJoin(unit, NULL);
  AuricleIsolated *first = atomic_load(&unit->first);
  if (first) AuricleIsolatedJoin(first, NULL);
  freeMemory(unit);
  for (uint32_t bus = 0; bus < AuricleMostIsolatedBuses; bus++) free(unit->sources[bus]);
  AuricleEventQueueFree(unit->queue);
  free(unit);
}

static bool isForm(const AuricleIsolatedForm *form) {
  if (form->inputBuses > AuricleMostIsolatedBuses || form->outputBuses > AuricleMostIsolatedBuses) return false;
  if (form->fadeFrames > 1 << 20 || form->latencyFrames > 1 << 24) return false;
  if (!(form->sampleRate >= 1 && form->sampleRate <= 1e8)) return false;
  for (uint32_t bus = 0; bus < AuricleMostIsolatedBuses; bus++) {
    if (bus < form->inputBuses && form->inputChannels[bus] > 1024) return false;
    if (bus < form->outputBuses && form->outputChannels[bus] > 1024) return false;
  }
  const AuricleLinkForm link = AuricleIsolatedLinkForm(form);
  return AuricleLinkFormIsValid(link, SIZE_MAX);
}

AuricleLinkForm AuricleIsolatedLinkForm(const AuricleIsolatedForm *form) {
  return (AuricleLinkForm){form->maximumFrames, firstChannel(form->inputChannels, form->inputBuses),
                           firstChannel(form->outputChannels, form->outputBuses), 1 << 16};
}

static bool makeRing(Ring *ring, uint32_t channels, uint64_t frames) {
  uint32_t size = 1;
  while (size < frames) size *= 2;
  ring->mask = size - 1;
  ring->channels = channels;
  ring->samples = calloc((size_t)size * (channels ? channels : 1), sizeof(float));
  return ring->samples;
}

bool AuricleIsolatedPrepare(AuricleIsolated *unit, const AuricleIsolatedForm *form) {
  if (!isForm(form)) return false;
  freeMemory(unit);
  unit->form = *form;
  const AuricleLinkForm link = AuricleIsolatedLinkForm(form);
  const size_t frames = form->maximumFrames;
  unit->input = calloc(frames * (link.inputChannels + 1), sizeof(float));
  unit->output = calloc(frames * (link.outputChannels + 1), sizeof(float));
  unit->last = calloc(link.outputChannels + 1, sizeof(float));
  unit->rest = calloc(link.outputChannels + 1, sizeof(float));
  unit->list = calloc(1, sizeof(AudioBufferList) + mostListBuffers * sizeof(AudioBuffer));
  // A fade begins with the frame in front of a slice.
  const uint64_t depth = 2 * frames + form->latencyFrames + 1;
  const bool hasRings = makeRing(&unit->dry, form->inputBuses ? form->inputChannels[0] : 0, depth) &&
                        makeRing(&unit->wet, link.outputChannels, 2 * frames);
  unit->isWet = calloc(unit->wet.mask + 1, 1);
  if (!hasRings || !unit->input || !unit->output || !unit->last || !unit->rest || !unit->list || !unit->isWet) {
    freeMemory(unit);
    return false;
  }
  AuricleIsolatedReset(unit);
  return true;
}

void AuricleIsolatedReset(AuricleIsolated *unit) {
  if (!unit->input) return;
  const AuricleLinkForm link = AuricleIsolatedLinkForm(&unit->form);
  memset(unit->dry.samples, 0, (size_t)(unit->dry.mask + 1) * unit->dry.channels * sizeof(float));
  memset(unit->wet.samples, 0, (size_t)(unit->wet.mask + 1) * unit->wet.channels * sizeof(float));
  // The silence in front of the first slice is the unit's own.
  memset(unit->isWet, 1, unit->wet.mask + 1);
  memset(unit->last, 0, link.outputChannels * sizeof(float));
  memset(unit->rest, 0, link.outputChannels * sizeof(float));
  unit->position = unit->wet.mask + 1;
  unit->turnFrames = unit->fadeLeft = unit->sliceFrames = 0;
  unit->joinedFrames = 0;
  unit->hasMoved = false;
  unit->isBehind = atomic_load(&unit->first) != NULL;
  unit->part = 1;
  unit->wasWet = true;
  unit->sliceTime = -1e300;
}

// Sources.

/// Waits for the end of a slice that may use what was there before. Yields rather than sleeps: render code wakes nobody.
static void awaitSlice(AuricleIsolated *unit) {
  const uint32_t epoch = atomic_load(&unit->epoch);
  while (epoch & 1 && atomic_load(&unit->epoch) == epoch) sched_yield();
}

/// The unit whose turn renders this one as well.
static AuricleIsolated *leader(AuricleIsolated *unit) {
  AuricleIsolated *first;
  while ((first = atomic_load(&unit->first))) unit = first;
  return unit;
}

static bool setSource(AuricleIsolated *unit, uint32_t bus, Source source) {
  if (bus >= AuricleMostIsolatedBuses) return false;
  Source *made = NULL;
  if (source.callback || source.render) {
    made = malloc(sizeof *made);
    if (!made) return false;
    *made = source;
  }
  Source *old = atomic_exchange(&unit->sources[bus], made);
  if (!old) return true;
  awaitSlice(unit);
  free(old);
  return true;
}

bool AuricleIsolatedSetCallback(AuricleIsolated *unit, uint32_t bus, void *callback, void *context) {
  return setSource(unit, bus, (Source){.callback = (AURenderCallback)callback, .context = context});
}

bool AuricleIsolatedConnect(AuricleIsolated *unit, uint32_t bus, void *render, void *plugIn, uint32_t output) {
  return setSource(unit, bus, (Source){.render = (AudioUnitRenderProc)render, .plugIn = plugIn, .output = output});
}

uint64_t AuricleIsolatedSources(const AuricleIsolated *unit) {
  uint64_t found = 0;
  for (uint32_t bus = 0; bus < AuricleMostIsolatedBuses; bus++)
    if (atomic_load(&((AuricleIsolated *)(uintptr_t)unit)->sources[bus])) found |= 1ull << bus;
  return found;
}

void AuricleIsolatedSetOffline(AuricleIsolated *unit, bool isOffline) { atomic_store(&unit->isOffline, isOffline); }

void AuricleIsolatedSetMIDIOutput(AuricleIsolated *unit, void *callback, void *context) {
  atomic_store(&unit->midiOutput, NULL);
  atomic_store(&unit->midiContext, context);
  atomic_store(&unit->midiOutput, callback);
}

void AuricleIsolatedSetHostCallbacks(AuricleIsolated *unit, const void *callbacks) {
  atomic_store(&unit->hasSong, false);
  awaitSlice(unit);
  if (!callbacks) return;
  memcpy(&unit->song, callbacks, sizeof unit->song);
  atomic_store(&unit->hasSong, true);
}

void AuricleIsolatedInvalidate(AuricleIsolated *unit) { atomic_store(&unit->isInvalid, true); }

bool AuricleIsolatedIsInvalid(const AuricleIsolated *unit) {
  return atomic_load_explicit(&((AuricleIsolated *)(uintptr_t)unit)->isInvalid, memory_order_relaxed);
}

AuricleLink *AuricleIsolatedExchange(AuricleIsolated *unit, AuricleLink *link) {
  AuricleLink *old = atomic_exchange(&unit->link, link);
  if (old) AuricleLinkAbandon(old);
  awaitSlice(leader(unit));
  awaitSlice(unit);
  return old;
}

// Units in one turn.

bool AuricleIsolatedCanJoin(const AuricleIsolated *first, const AuricleIsolated *next) {
  const AuricleIsolatedForm *front = &first->form, *back = &next->form;
  if (!first->output || !next->output || first->clock != next->clock) return false;
  if (atomic_load(&((AuricleIsolated *)(uintptr_t)first)->midiOutput)) return false;
  const bool isAlike = front->maximumFrames == back->maximumFrames && front->sampleRate == back->sampleRate &&
                       front->isPipelined == back->isPipelined && front->fetchesInput && back->fetchesInput;
  return isAlike && front->outputBuses && back->inputBuses && front->outputChannels[0] == back->inputChannels[0] &&
         front->outputChannels[0] && AuricleIsolatedSources(next) == 1;
}

void AuricleIsolatedJoin(AuricleIsolated *first, AuricleIsolated *next) {
  AuricleIsolated *old = atomic_exchange(&first->next, next);
  if (old && old != next) atomic_store(&old->first, NULL);
  if (next) atomic_store(&next->first, first);
  awaitSlice(leader(first));
}

// Events.

bool AuricleIsolatedAddEvent(AuricleIsolated *unit, const AuricleLinkEvent *event) {
  return AuricleEventQueueAdd(unit->queue, event);
}

bool AuricleIsolatedAddSysEx(AuricleIsolated *unit, const uint8_t *bytes, uint32_t count) {
  if (count > mostSysExBytes) return false;
  uint32_t done = 0;
  do {
    const uint32_t part = count - done < partBytes ? count - done : partBytes;
    AuricleLinkEvent event = {.kind = done + part == count ? kSysExEnd : kSysExPart, .byteCount = part};
    // Its parameter's members have room for bytes.
    memcpy((uint8_t *)&event.id, bytes + done, part);
    if (!AuricleEventQueueAdd(unit->queue, &event)) return false;
    done += part;
  } while (done < count);
  return true;
}

bool AuricleIsolatedRemoveParameter(AuricleIsolated *unit, AuricleLinkEvent *event) {
  return AuricleEventQueueRemoveKind(unit->queue, kAuricleLinkEvent_Parameter, event);
}

void AuricleIsolatedMoveEvents(AuricleIsolated *unit, AuricleLink *link) {
  AuricleLinkEvent event;
  while (AuricleEventQueueRemove(unit->queue, &event)) {
    if (event.kind != kSysExPart && event.kind != kSysExEnd) {
      AuricleLinkAddEvent(link, &event, NULL);
      continue;
    }
    if (event.byteCount > mostSysExBytes - unit->sysExCount) unit->sysExCount = 0;
    memcpy(unit->sysEx + unit->sysExCount, (uint8_t *)&event.id, event.byteCount);
    unit->sysExCount += event.byteCount;
    if (event.kind == kSysExPart) continue;
    const AuricleLinkEvent whole = {.kind = kAuricleLinkEvent_SysEx, .byteCount = unit->sysExCount};
    AuricleLinkAddEvent(link, &whole, unit->sysEx);
    unit->sysExCount = 0;
  }
}

// Figures.

double AuricleIsolatedLatency(const AuricleIsolated *unit) {
  const uint64_t bits = atomic_load(&((AuricleIsolated *)(uintptr_t)unit)->latencyBits);
  double seconds;
  memcpy(&seconds, &bits, sizeof seconds);
  return seconds;
}

double AuricleIsolatedWholeLatency(const AuricleIsolated *unit) {
  const AuricleIsolatedForm *form = &unit->form;
  const bool isBehind = atomic_load(&((AuricleIsolated *)(uintptr_t)unit)->first) != NULL;
  const bool isLate = form->isPipelined && !isBehind && form->sampleRate > 0;
  return AuricleIsolatedLatency(unit) + (isLate ? form->maximumFrames / form->sampleRate : 0);
}

void AuricleIsolatedNoteLatency(AuricleIsolated *unit, double seconds) {
  if (!(seconds >= 0 && seconds < 600)) seconds = 0;
  uint64_t bits;
  memcpy(&bits, &seconds, sizeof bits);
  atomic_store(&unit->latencyBits, bits);
}

void AuricleIsolatedNoteNewLatency(AuricleIsolated *unit) { atomic_store(&unit->hasNewLatency, true); }

bool AuricleIsolatedRemoveNewLatency(AuricleIsolated *unit) { return atomic_exchange(&unit->hasNewLatency, false); }

uint64_t AuricleIsolatedMissed(const AuricleIsolated *unit) {
  return atomic_load(&((AuricleIsolated *)(uintptr_t)unit)->missed);
}
