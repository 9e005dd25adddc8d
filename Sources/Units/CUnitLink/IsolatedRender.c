// A slice of a unit in another process: its input, its turn, the answer within the time there is.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "IsolatedParts.h"

enum { mostQuestions = 4096 };

/// The time until which a slice is waited for; 0: for ever.
static uint64_t deadline(AuricleIsolated *unit, const AudioTimeStamp *stamp, uint32_t frameCount) {
  if (!unit->clock) {
    const bool hasClock = stamp->mFlags & kAudioTimeStampHostTimeValid && !atomic_load(&unit->isOffline);
    if (!hasClock) return 0;
    return AuricleLinkNow() + (uint64_t)(0.65e9 * frameCount / unit->form.sampleRate);
  }
  const uint64_t due = atomic_load_explicit(&unit->clock->due, memory_order_relaxed);
  if (!due) return 0;
  const uint64_t last = atomic_load_explicit(&unit->clock->last, memory_order_relaxed), now = AuricleLinkNow();
  if (now < due) return due;
  // Another unit was late: the rest of the time is for those behind it.
  return now < last ? now + (last - now) / 2 : now;
}

/// Fetches the input of a bus into rows that lie behind each other; a status.
static int32_t fetch(AuricleIsolated *unit, const Source *source, const AudioTimeStamp *stamp, uint32_t bus,
                     uint32_t frameCount, float *rows, size_t stride, bool *isSilent) {
  const uint32_t channels = unit->form.inputChannels[bus];
  AudioBufferList *list = unit->list;
  list->mNumberBuffers = channels;
  for (uint32_t channel = 0; channel < channels; channel++)
    list->mBuffers[channel] =
        (AudioBuffer){1, frameCount * (uint32_t)sizeof(float), rows + stride * channel};
  AudioUnitRenderActionFlags flags = 0;
  const int32_t status =
      source->callback ? source->callback(source->context, &flags, stamp, bus, frameCount, list)
                       : source->render(source->plugIn, &flags, stamp, source->output, frameCount, list);
  if (status) return status;
  for (uint32_t channel = 0; channel < channels && channel < list->mNumberBuffers; channel++) {
    const float *made = list->mBuffers[channel].mData;
    if (made && made != rows + stride * channel)
      memcpy(rows + stride * channel, made, frameCount * sizeof(float));
  }
  *isSilent = flags & kAudioUnitRenderAction_OutputIsSilence;
  return 0;
}

/// Fetches the input of all buses in front of a slice.
static int32_t fetchAll(AuricleIsolated *unit, const AudioTimeStamp *stamp, uint32_t frameCount) {
  unit->inputs = unit->silentInputs = 0;
  uint32_t first = 0;
  for (uint32_t bus = 0; bus < unit->form.inputBuses; bus++) {
    float *rows = inputRow(unit, first);
    const Source *source = atomic_load(&unit->sources[bus]);
    if (source) {
      bool isSilent = false;
      const int32_t status =
          fetch(unit, source, stamp, bus, frameCount, rows, unit->form.maximumFrames, &isSilent);
      if (status) return status;
      unit->inputs |= 1ull << bus;
      if (isSilent) unit->silentInputs |= 1ull << bus;
    }
    first += unit->form.inputChannels[bus];
  }
  return 0;
}

/// Notes the first input, or silence, for the time without the unit.
static void keepDry(AuricleIsolated *unit, uint32_t frameCount) {
  const bool isThere = unit->inputs & 1;
  for (uint32_t channel = 0; channel < unit->dry.channels; channel++)
    ringWrite(&unit->dry, channel, unit->position, isThere ? inputRow(unit, channel) : NULL, frameCount);
}

/// Answers the unit's questions for input until the slice is done.
static AuricleLinkOutcome await(AuricleIsolated *unit, AuricleLink *link, const AudioTimeStamp *stamp,
                                uint64_t limit, AuricleLinkAnswer *answer) {
  for (uint32_t question = 0; question < mostQuestions; question++) {
    const AuricleLinkOutcome outcome = AuricleLinkAwait(link, limit, answer);
    if (outcome != AuricleLinkOutcomeAnswered || answer->kind != kAuricleLinkAnswer_Input) return outcome;
    // One that asks for ever is late as well; the next slice refuses its question.
    if (limit && AuricleLinkNow() >= limit) return AuricleLinkOutcomeLate;
    AuricleLinkTurn turn = {.kind = kAuricleLinkTurn_NoInput, .status = kAudioUnitErr_NoConnection};
    const uint32_t bus = answer->bus, frames = answer->frameCount;
    const Source *source =
        bus < unit->form.inputBuses && frames <= unit->form.maximumFrames ? atomic_load(&unit->sources[bus]) : NULL;
    if (source) {
      AudioTimeStamp time = *stamp;
      time.mSampleTime = answer->sampleTime;
      bool isSilent = false;
      const uint32_t first = firstChannel(unit->form.inputChannels, bus);
      float *rows = inputRow(unit, first);
      turn.status = fetch(unit, source, &time, bus, frames, rows, unit->form.maximumFrames, &isSilent);
      if (!turn.status) {
        turn.kind = kAuricleLinkTurn_Input;
        turn.bus = bus;
        turn.frameCount = frames;
        turn.silentInputs = isSilent ? 1 : 0;
        for (uint32_t channel = 0; channel < unit->form.inputChannels[bus]; channel++)
          memcpy(AuricleLinkInput(link, first + channel), inputRow(unit, first + channel), frames * sizeof(float));
      }
    }
    if (!AuricleLinkPost(link, &turn, true)) return AuricleLinkOutcomeGone;
  }
  return AuricleLinkOutcomeLate;
}

/// Writes a turn's sound and events, and gives the unit its turn.
static bool post(AuricleIsolated *unit, AuricleLink *link, const AudioTimeStamp *stamp, uint32_t flags,
                 uint32_t frameCount, bool copiesInput, bool wakes) {
  AuricleIsolatedMoveEvents(unit, link);
  if (copiesInput) {
    const uint32_t channels = firstChannel(unit->form.inputChannels, unit->form.inputBuses);
    for (uint32_t channel = 0; channel < channels; channel++)
      memcpy(AuricleLinkInput(link, channel), inputRow(unit, channel), frameCount * sizeof(float));
  }
  AuricleLinkTurn turn = {
      .kind = kAuricleLinkTurn_Render,
      .frameCount = frameCount,
      .flags = flags,
      .inputs = copiesInput ? unit->inputs : 0,
      .silentInputs = unit->silentInputs,
      .sampleTime = stamp->mSampleTime,
      .hostTime = stamp->mHostTime,
      .deadline = unit->deadline,
      .rateScalar = stamp->mRateScalar,
      .timeFlags = stamp->mFlags,
  };
  AuricleIsolatedReadSong(unit, &turn.song);
  return AuricleLinkPost(link, &turn, wakes);
}

static AuricleIsolated *following(AuricleIsolated *unit) {
  return atomic_load_explicit(&unit->next, memory_order_acquire);
}

/// Prepares the turns of the units that are joined behind one; they render with it.
static void prepareJoined(AuricleIsolated *unit, const AudioTimeStamp *stamp, uint32_t flags, uint32_t frameCount) {
  for (AuricleIsolated *next = following(unit); next; next = following(next)) {
    AuricleLink *link = atomic_load(&next->link);
    if (!link || !next->output || frameCount > next->form.maximumFrames || !AuricleLinkIsIdle(link)) return;
    next->silentInputs = 0;
    next->deadline = unit->deadline;
    if (!post(next, link, stamp, flags, frameCount, false, false)) return;
    next->joinedTime = stamp->mSampleTime;
    next->joinedFrames = frameCount;
  }
}

static void copyOutput(AuricleIsolated *unit, AuricleLink *link, uint32_t frameCount) {
  const uint32_t channels = firstChannel(unit->form.outputChannels, unit->form.outputBuses);
  for (uint32_t channel = 0; channel < channels; channel++)
    memcpy(outputRow(unit, channel), AuricleLinkOutput(link, channel), frameCount * sizeof(float));
}

static void take(AuricleIsolated *unit, const AuricleLinkAnswer *answer) {
  unit->status = answer->status;
  unit->outputFlags = answer->flags & kAudioUnitRenderAction_OutputIsSilence;
  if (answer->hasNewLatency) atomic_store_explicit(&unit->hasNewLatency, true, memory_order_relaxed);
}

/// Renders a slice there and back; whether its sound is there.
static bool renderNow(AuricleIsolated *unit, AuricleLink *link, const AudioTimeStamp *stamp, uint32_t flags,
                      uint32_t frameCount) {
  AuricleLinkAnswer answer;
  const bool isJoined = unit->joinedFrames == frameCount && unit->joinedTime == stamp->mSampleTime;
  unit->joinedFrames = 0;
  if (isJoined) {
    // The unit in front has waited for both.
    const bool isThere = AuricleLinkAwait(link, 1, &answer) == AuricleLinkOutcomeAnswered;
    if (!isThere || answer.kind != kAuricleLinkAnswer_Done) return false;
  } else {
    if (unit->isBehind || !AuricleLinkIsIdle(link)) return false;
    prepareJoined(unit, stamp, flags, frameCount);
    const uint64_t limit = unit->deadline;
    if (limit) AuricleLinkShareProcessor(link);
    const bool isPosted = post(unit, link, stamp, flags, frameCount, unit->form.fetchesInput, true);
    const AuricleLinkOutcome outcome = isPosted ? await(unit, link, stamp, limit, &answer) : AuricleLinkOutcomeGone;
    AuricleLinkReleaseProcessor(link);
    if (!isPosted) return false;
    // One behind it may be late, or have ended the process, when its own sound is there.
    if (outcome != AuricleLinkOutcomeAnswered && !AuricleLinkReadFinished(link, &answer)) return false;
  }
  copyOutput(unit, link, frameCount);
  AuricleIsolatedPassEvents(unit, link, stamp);
  take(unit, &answer);
  return true;
}

/// Notes whether frames have the unit's sound.
static void markFrames(AuricleIsolated *unit, uint64_t position, uint32_t frameCount, bool isWet) {
  const RingParts parts = ringParts(&unit->wet, position, frameCount);
  memset(unit->isWet + parts.start, isWet, parts.first);
  memset(unit->isWet, isWet, parts.rest);
}

/// Notes the sound of the turn before. Waits for nothing.
static void harvest(AuricleIsolated *unit, AuricleLink *link, uint64_t position, const AudioTimeStamp *stamp) {
  AuricleLinkAnswer answer;
  if (unit->turnFrames && AuricleLinkAwait(link, 1, &answer) == AuricleLinkOutcomeAnswered) {
    const uint32_t channels = firstChannel(unit->form.outputChannels, unit->form.outputBuses);
    const bool isDue = position - unit->turnStart <= unit->form.maximumFrames && !answer.status;
    for (uint32_t channel = 0; isDue && channel < channels; channel++)
      ringWrite(&unit->wet, channel, unit->turnStart, AuricleLinkOutput(link, channel), unit->turnFrames);
    if (isDue) markFrames(unit, unit->turnStart, unit->turnFrames, true);
    AuricleIsolatedPassEvents(unit, link, stamp);
    take(unit, &answer);
  }
  unit->turnFrames = 0;
}

/// Gives the unit its turn for the present slice, after that of the slice before; its sound comes with the next slice.
static bool renderAhead(AuricleIsolated *unit, AuricleLink *link, uint64_t position, const AudioTimeStamp *stamp,
                        uint32_t flags, uint32_t frameCount) {
  markFrames(unit, position, frameCount, false);
  if (!link) {
    unit->turnFrames = 0;
    return false;
  }
  if (!AuricleLinkIsIdle(link)) return false;
  harvest(unit, link, position, stamp);
  const bool isFirst = !unit->isBehind;
  // Those that are joined behind it, in front of the turn that renders them.
  for (AuricleIsolated *next = isFirst ? following(unit) : NULL; next; next = following(next)) {
    if (!next->output || frameCount > next->form.maximumFrames) break;
    const uint64_t place = next->position + next->sliceFrames;
    if (!next->isBehind) break;
    next->deadline = unit->deadline;
    if (!renderAhead(next, atomic_load(&next->link), place, stamp, flags, frameCount)) break;
  }
  if (!post(unit, link, stamp, flags, frameCount, isFirst, isFirst)) return false;
  unit->turnStart = position;
  unit->turnFrames = frameCount;
  return true;
}

/// Begins a slice: its input, and its sound where that is there in time.
static int32_t beginSlice(AuricleIsolated *unit, const AudioTimeStamp *stamp, uint32_t flags, uint32_t frameCount) {
  unit->position += unit->sliceFrames;
  unit->sliceFrames = 0;
  if (unit->form.fetchesInput) {
    const int32_t status = fetchAll(unit, stamp, frameCount);
    if (status) return status;
  }
  unit->sliceTime = stamp->mSampleTime;
  unit->sliceFrames = frameCount;
  unit->begun = (Fade){unit->part, unit->fadeLeft, unit->wasWet};
  unit->deadline = deadline(unit, stamp, frameCount);
  unit->status = 0;
  unit->outputFlags = 0;
  keepDry(unit, frameCount);
  const bool isBehind = atomic_load_explicit(&unit->first, memory_order_acquire) != NULL;
  unit->hasMoved = unit->form.isPipelined && isBehind != unit->isBehind;
  unit->isBehind = isBehind;
  AuricleLink *link = atomic_load(&unit->link);
  if (link && AuricleLinkIsAbandoned(link)) link = NULL;
  if (unit->form.isPipelined) {
    // One that is joined had its turn with the unit in front of it.
    if (!unit->isBehind)
      renderAhead(unit, link, unit->position, stamp, flags, frameCount);
    else if (!unit->turnFrames || unit->turnStart != unit->position)
      markFrames(unit, unit->position, frameCount, false);
    unit->hasSound = unit->isWet[(unit->position - unit->form.maximumFrames) & unit->wet.mask];
  } else {
    unit->hasSound = link && renderNow(unit, link, stamp, flags, frameCount);
  }
  if (!unit->hasSound) {
    atomic_fetch_add_explicit(&unit->missed, 1, memory_order_relaxed);
    if (link) AuricleLinkCountMiss(link);
  }
  return unit->status;
}

static int32_t render(AuricleIsolated *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp,
                      uint32_t bus, uint32_t frameCount, AudioBufferList *buffers) {
  if (!unit->output) return kAudioUnitErr_Uninitialized;
  if (atomic_load_explicit(&unit->isInvalid, memory_order_relaxed)) return kAudioComponentErr_InstanceInvalidated;
  if (bus >= unit->form.outputBuses) return kAudioUnitErr_InvalidElement;
  if (!frameCount) return 0;
  if (frameCount > unit->form.maximumFrames) return kAudioUnitErr_TooManyFramesToProcess;
  const uint32_t first = firstChannel(unit->form.outputChannels, bus);
  if (buffers->mNumberBuffers != unit->form.outputChannels[bus]) return kAudio_ParamError;
  for (uint32_t channel = 0; channel < buffers->mNumberBuffers; channel++) {
    AudioBuffer *buffer = &buffers->mBuffers[channel];
    if (!buffer->mData) buffer->mData = outputRow(unit, first + channel);
    buffer->mDataByteSize = frameCount * (uint32_t)sizeof(float);
  }
  const bool isSame = unit->sliceFrames == frameCount && stamp->mSampleTime == unit->sliceTime;
  if (!isSame) {
    const int32_t status = beginSlice(unit, stamp, *flags, frameCount);
    if (status) return status;
  }
  AuricleIsolatedMix(unit, bus, frameCount, unit->hasSound, buffers);
  if (unit->hasSound && unit->begun.wasWet && !unit->begun.fadeLeft && !unit->form.isPipelined)
    *flags |= unit->outputFlags;
  else
    *flags &= ~(uint32_t)kAudioUnitRenderAction_OutputIsSilence;
  return 0;
}

int32_t AuricleIsolatedRender(AuricleIsolated *unit, uint32_t *flags, const void *timeStamp, uint32_t bus,
                              uint32_t frameCount, void *buffers) {
  AudioUnitRenderActionFlags none = 0;
  atomic_fetch_add(&unit->epoch, 1);
  const int32_t status = render(unit, flags ? flags : &none, timeStamp, bus, frameCount, buffers);
  atomic_fetch_add(&unit->epoch, 1);
  return status;
}
