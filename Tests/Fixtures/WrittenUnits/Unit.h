// One of the written units: an instrument, or an output, by its factory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Interface.h"

enum {
  kChannels = 2, kMostListeners = 16, kMostEvents = 1024, kMostVoices = 32, kMostMIDI = 256,
  kInstrumentCount = 2, kMostFrames = 1 << 24,
};

typedef struct { uint32_t property; PropertyListener procedure; void *data; } Listener;
typedef struct { uint32_t note; int pitch; float level; } Voice;  // level 0: free
// A message for a frame of the next slice: from a pitch when `note` is 0, else from a note's number.
typedef struct { uint32_t frame, note; int pitch; float level; } NoteEvent;  // level 0: it ends
typedef struct { int32_t start; uint32_t duration; float from, to; } Change;

typedef struct {
  PlugIn plugIn;  // first: the host's `self` points here
  bool isOutput;
  void *instance;
  Description description;

  Format formats[2];
  uint32_t maximumFrames, isBypassed, isOffline, isRunning, midiBufferSize;
  int32_t hostProtocol;
  char presetName[128], contextName[128], elementNames[2][128];
  Callback input;
  Connection connection;
  Listener listeners[kMostListeners];
  Callback observers[kMostListeners];

  bool isInitialized, hasRendered, isRendering;
  double lastTime;
  Status lastError;
  float gain;  // decibels: the one parameter
  uint32_t changeCount;
  Change changes[kMostEvents];
  float *memory;

  MIDIOutput midiOutput;
  Object soundBank;  // the file of the first instrument, or NULL
  uint32_t preparedInstruments, nextNote, noteCount;
  float instrumentLevels[kInstrumentCount], level;  // of the instruments, and of the whole
  Voice voices[kMostVoices];
  NoteEvent notes[kMostMIDI];
} Unit;

// Properties (Properties.c). A listener is notified of changes.
Status getInfo(void *, uint32_t id, uint32_t scope, uint32_t element, uint32_t *, uint8_t *);
Status getProperty(void *, uint32_t id, uint32_t scope, uint32_t element, void *, uint32_t *);
Status setProperty(void *, uint32_t id, uint32_t scope, uint32_t element, const void *, uint32_t);
void tellListeners(Unit *, uint32_t id, uint32_t scope);
void nameElement(Unit *, uint32_t scope);  // its own name again

// The state as a dictionary (State.c). Copies belong to the caller.
Object copyText(const char *);
Object copyState(Unit *);
Status restoreState(Unit *, Object);
bool readText(Object, char text[128]);

// Sound and its schedule (Render.c).
Status render(void *, uint32_t *, const Stamp *, uint32_t bus, uint32_t frames, List *);
Status getParameter(void *, uint32_t id, uint32_t scope, uint32_t element, float *);
Status setParameter(void *, uint32_t id, uint32_t scope, uint32_t element, float, uint32_t);
Status schedule(void *, const ParameterEvent *, uint32_t);

// Notes (Notes.c), and how they sound in a slice.
Status midiEvent(void *, uint32_t status, uint32_t first, uint32_t second, uint32_t frame);
Status sysEx(void *, const uint8_t *, uint32_t);
Status eventList(void *, uint32_t frame, const EventList *);
Status startNote(
    void *, uint32_t instrument, uint32_t group, uint32_t *note, uint32_t frame,
    const NoteParameters *);
Status stopNote(void *, uint32_t group, uint32_t note, uint32_t frame);
Status prepareInstrument(void *, uint32_t);
Status releaseInstrument(void *, uint32_t);
void addNotes(Unit *, const Stamp *, List *, uint32_t frames);
void forgetNotes(Unit *);

// Files with the level of an instrument (Files.c).
Status loadFile(Unit *, Object url, uint32_t instrument);
Status loadFiles(Unit *, Object urls);
Status loadInstrument(Unit *, const InstrumentFile *);
