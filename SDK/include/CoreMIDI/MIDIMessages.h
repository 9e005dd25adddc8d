// MIDI as numbers: message types of universal packets, channel voice messages.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MIDIMESSAGES_H
#define AURICLE_MIDIMESSAGES_H

#include "../MacTypes.h"

typedef UInt32 MIDIMessage_32;
typedef UInt32 MIDIMessageType;
typedef UInt32 MIDICVStatus;

// The top four bits of a universal packet's first word.
AURICLE_ENUM(MIDIMessageType) {
  kMIDIMessageTypeUtility = 0,
  kMIDIMessageTypeSystem = 1,
  kMIDIMessageTypeChannelVoice1 = 2,  // MIDI 1.0, one word
  kMIDIMessageTypeSysEx = 3,
  kMIDIMessageTypeChannelVoice2 = 4,  // MIDI 2.0, two words
  kMIDIMessageTypeData128 = 5,
};

// The status of a channel voice message.
AURICLE_ENUM(MIDICVStatus) {
  kMIDICVStatusNoteOff = 8,
  kMIDICVStatusNoteOn = 9,
  kMIDICVStatusPolyPressure = 10,
  kMIDICVStatusControlChange = 11,
  kMIDICVStatusProgramChange = 12,
  kMIDICVStatusChannelPressure = 13,
  kMIDICVStatusPitchBend = 14,
};

#endif
