// Notes of a music effect: a level for each that sounds, added to what the effect lets through.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <AudioToolbox/AudioToolbox.h>
#include <CoreMIDI/CoreMIDI.h>

#include <vector>

namespace calling {

constexpr UInt32 kGroupCount = 16, kInstrumentCount = 2, kMostNotes = 256;

class Notes {
 public:
  Notes();

  OSStatus message(UInt32 status, UInt32 first, UInt32 second, UInt32 frame);
  OSStatus systemExclusive(const UInt8 *bytes, UInt32 count);
  OSStatus packets(UInt32 frame, const MIDIEventList &list);
  OSStatus start(
      MusicDeviceInstrumentID, MusicDeviceGroupID, NoteInstanceID *, UInt32 frame,
      const MusicDeviceNoteParams *);
  OSStatus stop(MusicDeviceGroupID, NoteInstanceID, UInt32 frame);

  void reset();
  // Plays what is due in the slice, adding to its channels; what lies behind it waits.
  void add(AudioBufferList &list, UInt32 frames);

 private:
  // A change for a frame of the next slice; a level of 0 ends the note.
  struct Event {
    UInt32 frame;
    NoteInstanceID note;  // 0: known by its pitch
    UInt32 pitch;
    float level;
  };
  struct Voice {
    NoteInstanceID note;
    UInt32 pitch;
    float level;
  };

  OSStatus keep(const Event &);
  OSStatus voiceMessage(UInt32 status, UInt32 pitch, float level, UInt32 frame);
  void play(const Event &);
  float sum() const;

  std::vector<Event> waiting;
  std::vector<Voice> voices;
  NoteInstanceID lastNote = 0;
  float level = 1;
};

}  // namespace calling
