// MIDI of a unit that is played: from any thread through a ring, to the slice that begins where it is due.
// SPDX-License-Identifier: Apache-2.0

// Adds a message to the ring. Context: any.
static OSStatus sendMessage(struct Unit *unit, UInt32 offset, AuricleMIDIMessage message) {
  struct Notes *notes = unit->notes;
  UInt32 place = atomic_load_explicit(&notes->written, memory_order_relaxed);
  for (;;) {
    struct Letter *letter = &notes->ring[place % kMaximumMessages];
    // Its turn is its place when it is free, and one more when it is full.
    const SInt32 turn =
        (SInt32)(atomic_load_explicit(&letter->turn, memory_order_acquire) - place);
    if (turn < 0) return kAudio_MemFullError;
    if (turn > 0) {
      place = atomic_load_explicit(&notes->written, memory_order_relaxed);
    } else if (atomic_compare_exchange_weak_explicit(
                   &notes->written, &place, place + 1, memory_order_relaxed,
                   memory_order_relaxed)) {
      letter->frame = offset & kMusicDeviceSampleFrameMask_SampleOffset;
      letter->message = message;
      atomic_store_explicit(&letter->turn, place + 1, memory_order_release);
      return kAudio_NoError;
    }
  }
}

// Gets the next message out of the ring. Context: render.
static bool receiveMessage(struct Notes *notes, UInt32 *frame, AuricleMIDIMessage *message) {
  struct Letter *letter = &notes->ring[notes->read % kMaximumMessages];
  if (atomic_load_explicit(&letter->turn, memory_order_acquire) != notes->read + 1) return false;
  *frame = letter->frame;
  *message = letter->message;
  atomic_store_explicit(&letter->turn, notes->read + kMaximumMessages, memory_order_release);
  notes->read += 1;
  return true;
}

// Sorts received messages into the waiting ones. Context: render.
static void gatherMessages(struct Unit *unit) {
  struct Notes *notes = unit->notes;
  UInt32 frame;
  AuricleMIDIMessage message;
  if (notes == NULL) return;
  notes->playedCount = 0;
  while (notes->waitingCount < kMaximumMessages && receiveMessage(notes, &frame, &message)) {
    UInt32 place = notes->waitingCount++;
    for (; place > 0 && notes->frames[place - 1] > frame; place--) {
      notes->frames[place] = notes->frames[place - 1];
      notes->messages[place] = notes->messages[place - 1];
    }
    notes->frames[place] = frame;
    notes->messages[place] = message;
  }
}

// Whether a message is due within so many frames.
static bool hasMessages(const struct Unit *unit, UInt32 frameCount) {
  const struct Notes *notes = unit->notes;
  return notes != NULL && notes->waitingCount > 0 && notes->frames[0] < frameCount;
}

// Passes the messages that are due at a frame to the slice that begins there. Returns the frame up to which
// nothing else is due.
static SInt64 dueMessages(struct Unit *unit, SInt64 frame, SInt64 limit) {
  struct Notes *notes = unit->notes;
  if (notes == NULL) return limit;
  const UInt32 first = notes->playedCount;
  while (notes->playedCount < notes->waitingCount && notes->frames[notes->playedCount] <= frame)
    notes->playedCount += 1;
  unit->sliceMessages = notes->messages + first;
  unit->sliceMessageCount = notes->playedCount - first;
  if (notes->playedCount < notes->waitingCount && notes->frames[notes->playedCount] < limit)
    limit = notes->frames[notes->playedCount];
  return limit;
}

// Drops played messages; the rest is for later cycles. Context: render.
static void finishMessages(struct Unit *unit, UInt32 frameCount) {
  struct Notes *notes = unit->notes;
  unit->sliceMessageCount = 0;
  if (notes == NULL) return;
  const UInt32 played = notes->playedCount, left = notes->waitingCount - played;
  for (UInt32 i = 0; i < left; i++) {
    notes->frames[i] = notes->frames[i + played] - frameCount;
    notes->messages[i] = notes->messages[i + played];
  }
  notes->waitingCount = left;
  notes->playedCount = 0;
}

static void forgetMessages(struct Unit *unit) {
  UInt32 frame;
  AuricleMIDIMessage message;
  if (unit->notes == NULL) return;
  while (receiveMessage(unit->notes, &frame, &message)) {}
  unit->notes->waitingCount = unit->notes->playedCount = 0;
}

static struct Notes *makeNotes(void) {
  struct Notes *notes = calloc(1, sizeof *notes);
  for (UInt32 i = 0; notes != NULL && i < kMaximumMessages; i++)
    atomic_store(&notes->ring[i].turn, i);
  return notes;
}

static OSStatus playMIDI(
    void *self, UInt32 status, UInt32 data1, UInt32 data2, UInt32 offset) {
  struct Unit *unit = self;
  if (!atomic_load(&unit->isInitialized)) return kAudioUnitErr_Uninitialized;
  if (status < 0x80 || status > 0xFF) return kAudio_ParamError;
  if (status >= 0xF0) return kAudio_NoError;  // of no channel
  // A note-on without velocity is a note-off.
  if ((status & 0xF0) == 0x90 && (data2 & 0x7F) == 0) status -= 0x10, data2 = 64;
  return sendMessage(
      unit, offset,
      (AuricleMIDIMessage){
          .status = (UInt8)status, .data1 = data1 & 0x7F, .data2 = data2 & 0x7F});
}

// System exclusive messages are of no channel.
static OSStatus playSysEx(void *self, const UInt8 *data, UInt32 length) {
  struct Unit *unit = self;
  if (!atomic_load(&unit->isInitialized)) return kAudioUnitErr_Uninitialized;
  if (length > 0 && (data == NULL || data[0] != 0xF0)) return kAudio_ParamError;
  return kAudio_NoError;
}

// A note as MIDI: its group is the channel, fractions are rounded, its number ends with the key.
static OSStatus startNote(
    void *self, MusicDeviceInstrumentID instrument, MusicDeviceGroupID group, NoteInstanceID *note,
    UInt32 offset, const MusicDeviceNoteParams *parameters) {
  struct Unit *unit = self;
  (void)instrument;
  if (!atomic_load(&unit->isInitialized)) return kAudioUnitErr_Uninitialized;
  if (note == NULL || parameters == NULL || parameters->argCount < 2) return kAudio_ParamError;
  // Only so much is surely there.
  MusicDeviceStdNoteParams told;
  memcpy(&told, parameters, sizeof told);
  if (!(told.mPitch >= 0 && told.mPitch < 127.5f && told.mVelocity >= 0 && told.mVelocity < 127.5f))
    return kAudio_ParamError;
  if (group > 15) return kAudioUnitErr_InvalidElement;
  const UInt32 key = (UInt32)(told.mPitch + 0.5f), velocity = (UInt32)(told.mVelocity + 0.5f);
  const OSStatus status = playMIDI(unit, 0x90 | group, key, velocity > 0 ? velocity : 1, offset);
  if (status == kAudio_NoError)
    *note = (atomic_fetch_add(&unit->notes->serial, 1) + 1) << 11 | group << 7 | key;
  return status;
}

static OSStatus stopNote(
    void *self, MusicDeviceGroupID group, NoteInstanceID note, UInt32 offset) {
  if (group > 15) return kAudioUnitErr_InvalidElement;
  return playMIDI(self, 0x80 | group, note & 0x7F, 0, offset);
}

// The helper's instruments have all of their sounds loaded.
static OSStatus prepareInstrument(void *self, MusicDeviceInstrumentID instrument) {
  (void)instrument;
  return self == NULL ? kAudio_ParamError : kAudio_NoError;
}
