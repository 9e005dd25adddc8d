// A unit that this process renders for its host: events, input, all output buses, turn by turn.
// SPDX-License-Identifier: Apache-2.0
#include "ServedUnit.h"

#include <AudioToolbox/AudioUnit.h>
#include <AudioToolbox/MusicDevice.h>
#include <CoreMIDI/CoreMIDI.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { mostSysExBytes = 1 << 15 };

static const uint64_t longestWait = 1000000000;

struct AuricleServed {
  AuricleLink *link;
  AuricleServedForm form;
  AuricleServed *next;
  /// Whether the input is the sound of the unit in front.
  bool isFed;
  /// The slice that is rendered.
  AuricleLinkTurn turn;
  AudioBufferList *list;
  uint8_t sysEx[mostSysExBytes];
};

AuricleServed *AuricleServedMake(AuricleLink *link, const AuricleServedForm *form) {
  AuricleServed *unit = calloc(1, sizeof *unit);
  AudioBufferList *list = calloc(1, sizeof(AudioBufferList) + 1024 * sizeof(AudioBuffer));
  if (!unit || !list) {
    free(unit);
    free(list);
    return NULL;
  }
  unit->link = link;
  unit->form = *form;
  unit->list = list;
  return unit;
}

void AuricleServedFree(AuricleServed *unit) {
  free(unit->list);
  free(unit);
}

void AuricleServedJoin(AuricleServed *first, AuricleServed *next) {
  if (first->next) first->next->isFed = false;
  first->next = next;
  if (next) next->isFed = true;
}

static uint32_t firstChannel(const uint32_t *channels, uint32_t bus) {
  uint32_t sum = 0;
  for (uint32_t index = 0; index < bus; index++) sum += channels[index];
  return sum;
}

// Calls of the unit.

static OSStatus input(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
                      UInt32 frameCount, AudioBufferList *buffers) {
  AuricleServed *unit = context;
  if (bus >= unit->form.inputBuses) return kAudioUnitErr_InvalidElement;
  bool isSilent = unit->turn.silentInputs >> bus & 1;
  // The host has no more of it than the unit in front made.
  if (unit->isFed && (bus || !unit->turn.inputs || frameCount > unit->turn.frameCount))
    return kAudioUnitErr_NoConnection;
  const bool isMade = unit->turn.inputs >> bus & 1 && frameCount == unit->turn.frameCount;
  const bool isThere = unit->isFed || (isMade && stamp->mSampleTime == unit->turn.sampleTime);
  if (!isThere) {
    if (unit->form.mark) unit->form.mark(unit->form.markContext, 0);
    AuricleLinkTurn brought;
    const bool isBrought = AuricleLinkAskForInput(unit->link, bus, frameCount, stamp->mSampleTime, &brought);
    if (unit->form.mark) unit->form.mark(unit->form.markContext, 1);
    if (!isBrought) return kAudioUnitErr_NoConnection;
    isSilent = brought.silentInputs & 1;
  }
  const uint32_t first = firstChannel(unit->form.inputChannels, bus), channels = unit->form.inputChannels[bus];
  for (uint32_t index = 0; index < buffers->mNumberBuffers && index < channels; index++) {
    float *samples = AuricleLinkInput(unit->link, first + index);
    AudioBuffer *buffer = &buffers->mBuffers[index];
    if (buffer->mData)
      memcpy(buffer->mData, samples, frameCount * sizeof(float));
    else
      buffer->mData = samples;
    buffer->mDataByteSize = frameCount * (UInt32)sizeof(float);
  }
  if (isSilent && flags) *flags |= kAudioUnitRenderAction_OutputIsSilence;
  return 0;
}

void *AuricleServedInput(void) { return (void *)input; }

static OSStatus midiOutput(void *context, const AudioTimeStamp *stamp, UInt32 number, const MIDIPacketList *list) {
  (void)stamp;
  (void)number;
  AuricleServed *unit = context;
  const MIDIPacket *packet = list->packet;
  for (UInt32 index = 0; index < list->numPackets; index++) {
    AuricleLinkEvent event = {.frame = (uint32_t)packet->timeStamp};
    if (packet->length <= 3) {
      event.kind = kAuricleLinkEvent_MIDI;
      memcpy(event.message, packet->data, packet->length);
      event.message[3] = (uint8_t)packet->length;
      AuricleLinkAddAnswerEvent(unit->link, &event, NULL);
    } else {
      event.kind = kAuricleLinkEvent_SysEx;
      event.byteCount = packet->length;
      AuricleLinkAddAnswerEvent(unit->link, &event, packet->data);
    }
    // Packets lie at multiples of four bytes, as MIDIPacketNext finds them.
    const uintptr_t end = (uintptr_t)&packet->data[packet->length];
    packet = (const MIDIPacket *)((end + 3) & ~(uintptr_t)3);
  }
  return 0;
}

void *AuricleServedMIDIOutput(void) { return (void *)midiOutput; }

static OSStatus beatAndTempo(void *context, Float64 *beat, Float64 *tempo) {
  const AuricleLinkSong *song = &((AuricleServed *)context)->turn.song;
  if (!(song->flags & 16)) return kAudioUnitErr_CannotDoInCurrentContext;
  if (beat) *beat = song->beat;
  if (tempo) *tempo = song->tempo;
  return 0;
}

static OSStatus musicalTime(void *context, UInt32 *delta, Float32 *numerator, UInt32 *denominator, Float64 *downBeat) {
  const AuricleLinkSong *song = &((AuricleServed *)context)->turn.song;
  if (!(song->flags & 32)) return kAudioUnitErr_CannotDoInCurrentContext;
  if (delta) *delta = song->deltaToNextBeat;
  if (numerator) *numerator = song->signatureNumerator;
  if (denominator) *denominator = song->signatureDenominator;
  if (downBeat) *downBeat = song->measureDownBeat;
  return 0;
}

static OSStatus transport2(void *context, Boolean *isPlaying, Boolean *isRecording, Boolean *isChanged,
                           Float64 *sample, Boolean *isCycling, Float64 *start, Float64 *end) {
  const AuricleLinkSong *song = &((AuricleServed *)context)->turn.song;
  if (!(song->flags & 64)) return kAudioUnitErr_CannotDoInCurrentContext;
  if (isPlaying) *isPlaying = song->flags & 1;
  if (isChanged) *isChanged = song->flags >> 1 & 1;
  if (isCycling) *isCycling = song->flags >> 2 & 1;
  if (isRecording) *isRecording = song->flags >> 3 & 1;
  if (sample) *sample = song->sampleInTimeline;
  if (start) *start = song->cycleStartBeat;
  if (end) *end = song->cycleEndBeat;
  return 0;
}

static OSStatus transport(void *context, Boolean *isPlaying, Boolean *isChanged, Float64 *sample, Boolean *isCycling,
                          Float64 *start, Float64 *end) {
  return transport2(context, isPlaying, NULL, isChanged, sample, isCycling, start, end);
}

void AuricleServedHostCallbacks(AuricleServed *unit, void *info) {
  *(HostCallbackInfo *)info = (HostCallbackInfo){unit, beatAndTempo, musicalTime, transport, transport2};
}

// Turns.

static void applyParameter(AuricleServed *unit, const AuricleLinkEvent *event) {
  const AuricleServedForm *form = &unit->form;
  if (event->kind == kAuricleLinkEvent_Parameter && form->setParameter) {
    ((AudioUnitSetParameterProc)form->setParameter)(form->plugIn, event->id, event->scope, event->element,
                                                     event->value, event->frame);
    return;
  }
  AudioUnitParameterEvent given = {event->scope, event->element, event->id, kParameterEvent_Ramped, {{0, 0, 0, 0}}};
  if (event->kind == kAuricleLinkEvent_Scheduled) {
    given.eventType = kParameterEvent_Immediate;
    given.eventValues.immediate.bufferOffset = event->frame;
    given.eventValues.immediate.value = event->value;
  } else if (event->kind == kAuricleLinkEvent_Ramp) {
    given.eventValues.ramp.startBufferOffset = (SInt32)event->frame;
    given.eventValues.ramp.durationInFrames = event->duration;
    given.eventValues.ramp.startValue = event->value;
    given.eventValues.ramp.endValue = event->endValue;
  } else {
    return;
  }
  if (form->scheduleParameters)
    ((AudioUnitScheduleParametersProc)form->scheduleParameters)(form->plugIn, &given, 1);
}

static void applyEvents(AuricleServed *unit) {
  const AuricleServedForm *form = &unit->form;
  AuricleLinkEvent event;
  const uint8_t *bytes;
  while (AuricleLinkNextEvent(unit->link, false, &event, &bytes)) {
    if (event.kind == kAuricleLinkEvent_MIDI && form->midiEvent) {
      ((MusicDeviceMIDIEventProc)form->midiEvent)(form->plugIn, event.message[0], event.message[1], event.message[2],
                                                  event.frame);
    } else if (event.kind == kAuricleLinkEvent_SysEx && form->sysEx && event.byteCount <= mostSysExBytes) {
      memcpy(unit->sysEx, bytes, event.byteCount);
      ((MusicDeviceSysExProc)form->sysEx)(form->plugIn, unit->sysEx, event.byteCount);
    } else {
      applyParameter(unit, &event);
    }
  }
}

static void renderBuses(AuricleServed *unit, AuricleLinkAnswer *answer) {
  const AuricleServedForm *form = &unit->form;
  AudioTimeStamp stamp = {0};
  stamp.mSampleTime = unit->turn.sampleTime;
  stamp.mHostTime = unit->turn.hostTime;
  stamp.mRateScalar = unit->turn.rateScalar;
  stamp.mFlags = unit->turn.timeFlags | kAudioTimeStampSampleTimeValid;
  uint32_t first = 0;
  for (uint32_t bus = 0; bus < form->outputBuses; bus++) {
    unit->list->mNumberBuffers = form->outputChannels[bus];
    for (uint32_t channel = 0; channel < form->outputChannels[bus]; channel++)
      unit->list->mBuffers[channel] = (AudioBuffer){1, unit->turn.frameCount * (UInt32)sizeof(float),
                                                    AuricleLinkOutput(unit->link, first + channel)};
    AudioUnitRenderActionFlags flags = unit->turn.flags;
    const OSStatus status = ((AudioUnitRenderProc)form->render)(form->plugIn, &flags, &stamp, bus,
                                                                unit->turn.frameCount, unit->list);
    for (uint32_t channel = 0; channel < form->outputChannels[bus]; channel++) {
      const float *made = unit->list->mBuffers[channel].mData;
      float *wanted = AuricleLinkOutput(unit->link, first + channel);
      if (made && made != wanted) memmove(wanted, made, unit->turn.frameCount * sizeof(float));
    }
    if (bus == 0) {
      answer->status = status;
      answer->flags = flags;
    }
    first += form->outputChannels[bus];
  }
}

/// Renders the slice of a unit; its answer.
static AuricleLinkAnswer renderTurn(AuricleServed *unit) {
  const AuricleServedForm *form = &unit->form;
  AuricleLinkAnswer answer = {.kind = kAuricleLinkAnswer_Done, .status = kAudioUnitErr_Uninitialized};
  if (form->mark) form->mark(form->markContext, 1);
  AuricleSliceSetDeadline(unit->turn.deadline);
  applyEvents(unit);
  if (form->render && unit->turn.frameCount <= form->maximumFrames) renderBuses(unit, &answer);
  if (form->hasNewLatency) answer.hasNewLatency = atomic_load((const atomic_bool *)form->hasNewLatency);
  if (form->mark) form->mark(form->markContext, 0);
  return answer;
}

static bool areFinite(const float *samples, uint32_t count) {
  enum { exponent = 0x7F800000 };
  uint32_t odd = 0;
  for (uint32_t index = 0; index < count; index++) {
    uint32_t bits;
    memcpy(&bits, samples + index, sizeof bits);
    odd |= (bits & exponent) == exponent;
  }
  return !odd;
}

/// Brings the sound of a unit to the one behind it. Returns a status for no input, as a graph of both does where a unit failed
/// or made no numbers.
static int32_t feed(AuricleServed *unit, const AuricleLinkAnswer *answer, AuricleServed *next) {
  const uint32_t made = unit->form.outputBuses ? unit->form.outputChannels[0] : 0;
  const uint32_t wanted = next->form.inputBuses ? next->form.inputChannels[0] : 0;
  const uint32_t frames = next->turn.frameCount;
  if (answer->status) return answer->status;
  if (next->turn.kind != kAuricleLinkTurn_Render || frames != unit->turn.frameCount) return kAudio_ParamError;
  const bool isSilent = answer->flags & kAudioUnitRenderAction_OutputIsSilence;
  for (uint32_t channel = 0; channel < made && channel < wanted; channel++) {
    const float *samples = AuricleLinkOutput(unit->link, channel);
    float *input = AuricleLinkInput(next->link, channel);
    if (!isSilent && !areFinite(samples, frames)) return kAudioUnitErr_NoConnection;
    if (isSilent)
      memset(input, 0, frames * sizeof(float));
    else
      memcpy(input, samples, frames * sizeof(float));
  }
  next->turn.inputs = 1;
  next->turn.silentInputs = isSilent ? 1 : 0;
  return 0;
}

/// Renders a turn, and those of the units that are joined behind. Each has its answer at once; the host is woken by that of
/// the first, which comes last.
static void serveTurn(AuricleServed *first) {
  AuricleLinkAnswer answer = renderTurn(first);
  AuricleLinkFinishTurn(first->link, &answer);
  AuricleServed *unit = first;
  for (AuricleServed *next = first->next; next; unit = next, next = next->next) {
    if (!AuricleLinkTakePrepared(next->link, &next->turn)) break;
    const int32_t status = feed(unit, &answer, next);
    if (status) {
      answer = (AuricleLinkAnswer){.kind = kAuricleLinkAnswer_Done, .status = status};
    } else {
      answer = renderTurn(next);
    }
    AuricleLinkAnswerTurn(next->link, &answer);
  }
  AuricleLinkEndTurn(first->link);
}

void AuricleServedRun(AuricleServed *unit) {
  while (!AuricleLinkIsAbandoned(unit->link)) {
    if (!AuricleLinkTake(unit->link, longestWait, &unit->turn)) continue;
    if (unit->turn.kind == kAuricleLinkTurn_End) return;
    if (unit->turn.kind == kAuricleLinkTurn_Render) {
      serveTurn(unit);
      continue;
    }
    const AuricleLinkAnswer answer = {.kind = kAuricleLinkAnswer_Done, .status = kAudio_ParamError};
    AuricleLinkAnswerTurn(unit->link, &answer);
  }
}
