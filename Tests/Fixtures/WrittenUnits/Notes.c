// Notes of the written instrument: its level is the sum of the velocities of sounding notes.
// SPDX-License-Identifier: Apache-2.0

#include <math.h>
#include <string.h>

#include "Unit.h"

enum { kNoteOff = 0x80, kNoteOn = 0x90, kGroups = 16, kPitches = 128 };
static const float kGreatestVelocity = 127;

void forgetNotes(Unit *unit) {
  memset(unit->voices, 0, sizeof unit->voices);
  unit->noteCount = 0;
}

// Keeps an event for its frame, in the order of frames.
static Status keep(Unit *unit, NoteEvent event) {
  // Each is passed on as well, through a buffer of that many.
  const bool isPassedOn = unit->midiOutput.procedure != NULL;
  if (isPassedOn && unit->noteCount >= unit->midiBufferSize) return kMIDIOutputFull;
  if (unit->noteCount >= kMostMIDI) return kNoMemory;
  uint32_t place = unit->noteCount++;
  for (; place > 0 && unit->notes[place - 1].frame > event.frame; place--)
    unit->notes[place] = unit->notes[place - 1];
  unit->notes[place] = event;
  return 0;
}

static Status voiceMessage(
    Unit *unit, uint32_t status, uint32_t pitch, float velocity, uint32_t frame) {
  const uint32_t kind = status & 0xF0;
  if (kind != kNoteOn && kind != kNoteOff) return 0;  // all else is ignored
  const float level = kind == kNoteOn ? velocity : 0;
  return keep(unit, (NoteEvent){frame, 0, (int)(pitch & 0x7F), level});
}

Status midiEvent(void *self, uint32_t status, uint32_t first, uint32_t second, uint32_t frame) {
  Unit *unit = self;
  if (!unit->isInitialized) return kUninitialized;
  if (status < 0x80 || status > 0xFF) return kBadParameter;
  return voiceMessage(unit, status, first, (float)(second & 0x7F) / kGreatestVelocity, frame);
}

// The level of the whole: F0 7D, a number up to 127, F7.
Status sysEx(void *self, const uint8_t *bytes, uint32_t count) {
  Unit *unit = self;
  if (!unit->isInitialized) return kUninitialized;
  if (count < 2 || bytes[0] != 0xF0 || bytes[count - 1] != 0xF7) return kBadParameter;
  if (count == 4 && bytes[1] == 0x7D) unit->level = (float)bytes[2] / kGreatestVelocity;
  return 0;
}

Status eventList(void *self, uint32_t frame, const EventList *list) {
  static const uint32_t wordCounts[16] = {1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4};
  Unit *unit = self;
  if (!unit->isInitialized) return kUninitialized;
  const EventPacket *packet = list->packets;
  for (uint32_t i = 0; i < list->count; i++) {
    for (uint32_t at = 0; at < packet->wordCount;) {
      const uint32_t word = packet->words[at], kind = word >> 28, count = wordCounts[kind];
      if (at + count > packet->wordCount) return kBadParameter;
      Status status = 0;
      if (kind == 2)
        status = voiceMessage(
            unit, word >> 16 & 0xFF, word >> 8 & 0x7F, (float)(word & 0x7F) / kGreatestVelocity,
            frame);
      if (kind == 4)
        status = voiceMessage(
            unit, word >> 16 & 0xFF, word >> 8 & 0x7F,
            (float)(packet->words[at + 1] >> 16) / 65535, frame);
      if (status != 0) return status;
      at += count;
    }
    packet = (const EventPacket *)(const void *)&packet->words[packet->wordCount];
  }
  return 0;
}

Status startNote(
    void *self, uint32_t instrument, uint32_t group, uint32_t *note, uint32_t frame,
    const NoteParameters *parameters) {
  enum { kOfGroup = 0xFFFFFFFF };
  Unit *unit = self;
  if (!unit->isInitialized) return kUninitialized;
  if (note == NULL || parameters == NULL || parameters->count < 2) return kBadParameter;
  if (group >= kGroups) return kInvalidElement;
  if (instrument != (uint32_t)kOfGroup && instrument >= kInstrumentCount) return kIllegalInstrument;
  if (!(parameters->pitch >= 0 && parameters->pitch < kPitches) ||
      !(parameters->velocity >= 0 && parameters->velocity <= kGreatestVelocity))
    return kBadParameter;
  const uint32_t played = instrument == (uint32_t)kOfGroup ? 0 : instrument;
  const float level = parameters->velocity / kGreatestVelocity * unit->instrumentLevels[played];
  *note = ++unit->nextNote;
  return keep(unit, (NoteEvent){frame, *note, (int)parameters->pitch, level});
}

Status stopNote(void *self, uint32_t group, uint32_t note, uint32_t frame) {
  Unit *unit = self;
  if (!unit->isInitialized) return kUninitialized;
  if (group >= kGroups) return kInvalidElement;
  return note == 0 ? 0 : keep(unit, (NoteEvent){frame, note, -1, 0});
}

Status prepareInstrument(void *self, uint32_t instrument) {
  Unit *unit = self;
  if (instrument >= kInstrumentCount) return kIllegalInstrument;
  unit->preparedInstruments |= 1u << instrument;
  return 0;
}

Status releaseInstrument(void *self, uint32_t instrument) {
  Unit *unit = self;
  if (instrument >= kInstrumentCount) return kIllegalInstrument;
  unit->preparedInstruments &= ~(1u << instrument);
  return 0;
}

static void play(Unit *unit, const NoteEvent *event) {
  for (int i = 0; i < kMostVoices; i++) {
    Voice *voice = &unit->voices[i];
    const bool isIt =
        event->note != 0 ? voice->note == event->note
                         : voice->note == 0 && voice->pitch == event->pitch;
    if (voice->level != 0 && isIt) voice->level = 0;
  }
  for (int i = 0; event->level != 0 && i < kMostVoices; i++)
    if (unit->voices[i].level == 0) {
      unit->voices[i] = (Voice){event->note, event->pitch, event->level};
      return;
    }
}

static void passOn(Unit *unit, const Stamp *stamp, const NoteEvent *event) {
  if (unit->midiOutput.procedure == NULL || event->pitch < 0) return;
  PacketList list = {.count = 1};
  list.packets[0].time = event->frame;
  list.packets[0].length = 3;
  list.packets[0].bytes[0] = event->level != 0 ? kNoteOn : kNoteOff;
  list.packets[0].bytes[1] = (uint8_t)event->pitch;
  list.packets[0].bytes[2] = (uint8_t)(event->level * kGreatestVelocity + 0.5f);
  unit->midiOutput.procedure(unit->midiOutput.data, stamp, 0, &list);
}

static float sum(const Unit *unit) {
  float all = 0;
  for (int i = 0; i < kMostVoices; i++) all += unit->voices[i].level;
  return all * unit->level;
}

void addNotes(Unit *unit, const Stamp *stamp, List *list, uint32_t frames) {
  uint32_t next = 0;
  float level = sum(unit);
  for (uint32_t frame = 0; frame < frames; frame++) {
    for (; next < unit->noteCount && unit->notes[next].frame <= frame; next++) {
      passOn(unit, stamp, &unit->notes[next]);
      play(unit, &unit->notes[next]);
      level = sum(unit);
    }
    for (uint32_t channel = 0; channel < list->count; channel++)
      ((float *)list->buffers[channel].data)[frame] = level;
  }
  // Notes behind the slice are for a later one.
  unit->noteCount -= next;
  for (uint32_t i = 0; i < unit->noteCount; i++) {
    unit->notes[i] = unit->notes[next + i];
    unit->notes[i].frame -= frames;
  }
}
