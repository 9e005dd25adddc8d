// MIDI as numbers: universal packets, composed and parsed.
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
  kMIDIMessageTypeFlexData = 13,
  kMIDIMessageTypeStream = 15,
  kMIDIMessageTypeInvalid = 255,
};

// The status of a channel voice message.
AURICLE_ENUM(MIDICVStatus) {
  kMIDICVStatusRegisteredPNC = 0,  // of one note; this and those below in MIDI 2.0 alone
  kMIDICVStatusAssignablePNC = 1,
  kMIDICVStatusRegisteredControl = 2,
  kMIDICVStatusAssignableControl = 3,
  kMIDICVStatusRelRegisteredControl = 4,
  kMIDICVStatusRelAssignableControl = 5,
  kMIDICVStatusPerNotePitchBend = 6,
  kMIDICVStatusNoteOff = 8,
  kMIDICVStatusNoteOn = 9,
  kMIDICVStatusPolyPressure = 10,
  kMIDICVStatusControlChange = 11,
  kMIDICVStatusProgramChange = 12,
  kMIDICVStatusChannelPressure = 13,
  kMIDICVStatusPitchBend = 14,
  kMIDICVStatusPerNoteMgmt = 15,
};

typedef UInt32 MIDISystemStatus;
AURICLE_ENUM(MIDISystemStatus) {
  kMIDIStatusStartOfExclusive = 240,
  kMIDIStatusMTC = 241,
  kMIDIStatusSongPosPointer = 242,
  kMIDIStatusSongSelect = 243,
  kMIDIStatusTuneRequest = 246,
  kMIDIStatusEndOfExclusive = 247,
  kMIDIStatusTimingClock = 248,
  kMIDIStatusStart = 250,
  kMIDIStatusContinue = 251,
  kMIDIStatusStop = 252,
  kMIDIStatusActiveSensing = 254,
  kMIDIStatusSystemReset = 255,
};

typedef UInt32 MIDISysExStatus;
AURICLE_ENUM(MIDISysExStatus) {
  kMIDISysExStatusComplete = 0,
  kMIDISysExStatusStart = 1,
  kMIDISysExStatusContinue = 2,
  kMIDISysExStatusEnd = 3,
  kMIDISysExStatusMixedDataSetHeader = 8,
  kMIDISysExStatusMixedDataSetPayload = 9,
};

typedef UInt32 MIDIUtilityStatus;
AURICLE_ENUM(MIDIUtilityStatus) {
  kMIDIUtilityStatusNOOP = 0,
  kMIDIUtilityStatusJitterReductionClock = 1,
  kMIDIUtilityStatusJitterReductionTimestamp = 2,
  kMIDIUtilityStatusDeltaClockstampTicksPerQuarterNote = 3,
  kMIDIUtilityStatusTicksSinceLastEvent = 4,
};

typedef UInt8 MIDINoteAttribute;
AURICLE_ENUM(MIDINoteAttribute) {
  kMIDINoteAttributeNone = 0,
  kMIDINoteAttributeManufacturerSpecific = 1,
  kMIDINoteAttributeProfileSpecific = 2,
  kMIDINoteAttributePitch = 3,
};

// Options of messages of MIDI 2.0: a program change names its bank; the effects of a note's management.
AURICLE_ENUM(UInt8) {
  kMIDIProgramChangeBankValid = 1,
  kMIDIPerNoteManagementReset = 1,
  kMIDIPerNoteManagementDetach = 2,
};

// Messages about an endpoint itself: their form, and their content.
typedef UInt32 UMPStreamMessageFormat;
AURICLE_ENUM(UMPStreamMessageFormat) {
  kUMPStreamMessageFormatComplete = 0,
  kUMPStreamMessageFormatStart = 1,
  kUMPStreamMessageFormatContinuing = 2,
  kUMPStreamMessageFormatEnd = 3,
};
typedef UInt32 UMPStreamMessageStatus;
AURICLE_ENUM(UMPStreamMessageStatus) {
  kUMPStreamMessageStatusEndpointDiscovery = 0,
  kUMPStreamMessageStatusEndpointInfoNotification = 1,
  kUMPStreamMessageStatusDeviceIdentityNotification = 2,
  kUMPStreamMessageStatusEndpointNameNotification = 3,
  kUMPStreamMessageStatusProductInstanceIDNotification = 4,
  kUMPStreamMessageStatusStreamConfigurationRequest = 5,
  kUMPStreamMessageStatusStreamConfigurationNotification = 6,
  kUMPStreamMessageStatusFunctionBlockDiscovery = 16,
  kUMPStreamMessageStatusFunctionBlockInfoNotification = 17,
  kUMPStreamMessageStatusFunctionBlockNameNotification = 18,
  kUMPStreamMessageStatusStartOfClip = 32,
  kUMPStreamMessageStatusEndOfClip = 33,
};

typedef struct MIDIMessage_64 {
  UInt32 word0;
  UInt32 word1;
} MIDIMessage_64;

// Parts of a parsed message: of MIDI 1.0, data of 7 bits and a bend of 14;
typedef struct AuricleMIDINote1 {
  UInt8 number;
  UInt8 velocity;
} AuricleMIDINote1;
typedef struct AuricleMIDIPolyPressure1 {
  UInt8 noteNumber;
  UInt8 pressure;
} AuricleMIDIPolyPressure1;
typedef struct AuricleMIDIControlChange1 {
  UInt8 index;
  UInt8 data;
} AuricleMIDIControlChange1;
typedef struct AuricleMIDIChannelVoice1 {
  MIDICVStatus status;
  UInt8 channel;
  UInt8 reserved[3];
  union {
    AuricleMIDINote1 note;
    AuricleMIDIPolyPressure1 polyPressure;
    AuricleMIDIControlChange1 controlChange;
    UInt8 program;
    UInt8 channelPressure;
    UInt16 pitchBend;
  };
} AuricleMIDIChannelVoice1;
// of MIDI 2.0, data of 32 bits;
typedef struct AuricleMIDINote2 {
  UInt8 number;
  MIDINoteAttribute attributeType;
  UInt16 velocity;
  UInt16 attribute;
} AuricleMIDINote2;
typedef struct AuricleMIDIPolyPressure2 {
  UInt8 noteNumber;
  UInt8 reserved[3];
  UInt32 pressure;
} AuricleMIDIPolyPressure2;
typedef struct AuricleMIDIControlChange2 {
  UInt8 index;
  UInt8 reserved[3];
  UInt32 data;
} AuricleMIDIControlChange2;
typedef struct AuricleMIDIProgramChange2 {
  UInt8 options;
  UInt8 program;
  UInt8 reserved[2];
  UInt16 bank;
} AuricleMIDIProgramChange2;
typedef struct AuricleMIDIValue2 {
  UInt32 data;
  UInt8 reserved[4];
} AuricleMIDIValue2;
typedef struct AuricleMIDIPerNoteController2 {
  UInt8 noteNumber;
  UInt8 index;
  UInt8 reserved[2];
  UInt32 data;
} AuricleMIDIPerNoteController2;
typedef struct AuricleMIDIController2 {
  UInt8 bank;
  UInt8 index;
  UInt8 reserved[2];
  UInt32 data;
} AuricleMIDIController2;
typedef struct AuricleMIDIPerNotePitchBend2 {
  UInt8 noteNumber;
  UInt8 reserved[3];
  UInt32 bend;
} AuricleMIDIPerNotePitchBend2;
typedef struct AuricleMIDIPerNoteManagement2 {
  UInt8 note;
  UInt8 options;
  UInt8 reserved[6];
} AuricleMIDIPerNoteManagement2;
typedef struct AuricleMIDIChannelVoice2 {
  MIDICVStatus status;
  UInt8 channel;
  UInt8 reserved[3];
  union {
    AuricleMIDINote2 note;
    AuricleMIDIPolyPressure2 polyPressure;
    AuricleMIDIControlChange2 controlChange;
    AuricleMIDIProgramChange2 programChange;
    AuricleMIDIValue2 channelPressure;
    AuricleMIDIValue2 pitchBend;
    AuricleMIDIPerNoteController2 perNoteController;
    AuricleMIDIController2 controller;
    AuricleMIDIPerNotePitchBend2 perNotePitchBend;
    AuricleMIDIPerNoteManagement2 perNoteManagement;
  };
} AuricleMIDIChannelVoice2;
// of no channel.
typedef struct AuricleMIDIUtility {
  MIDIUtilityStatus status;
  union {
    UInt16 jitterReductionClock;
    UInt16 jitterReductionTimestamp;
  };
} AuricleMIDIUtility;
typedef struct AuricleMIDISystem {
  MIDISystemStatus status;
  union {
    UInt8 timeCode;
    UInt16 songPositionPointer;
    UInt8 songSelect;
  };
} AuricleMIDISystem;
typedef struct AuricleMIDISysEx {
  MIDISysExStatus status;
  UInt8 channel;  // how many of the data there are
  UInt8 data[6];
  UInt8 reserved;
} AuricleMIDISysEx;
typedef struct AuricleMIDISysEx8 {
  UInt8 byteCount;
  UInt8 streamID;
  UInt8 data[13];
  UInt8 reserved;
} AuricleMIDISysEx8;
typedef struct AuricleMIDIData128 {
  MIDISysExStatus status;
  union {
    AuricleMIDISysEx8 sysex8;
    UInt32 words[4];
  };
} AuricleMIDIData128;
typedef struct AuricleMIDIUnknown {
  UInt32 words[4];
} AuricleMIDIUnknown;

// A parsed universal packet; `type` selects the valid member.
typedef struct MIDIUniversalMessage {
  MIDIMessageType type;
  UInt8 group;
  UInt8 reserved[3];
  union {
    AuricleMIDIUtility utility;
    AuricleMIDISystem system;
    AuricleMIDIChannelVoice1 channelVoice1;
    AuricleMIDISysEx sysEx;
    AuricleMIDIChannelVoice2 channelVoice2;
    AuricleMIDIData128 data128;
    AuricleMIDIUnknown unknown;
  };
} MIDIUniversalMessage;

// The type of the message that begins with a word.
static inline MIDIMessageType MIDIMessageTypeForUPWord(UInt32 word) { return word >> 28; }

// Builders. Everything is cut to the bits that it has: 4 of groups, channels and statuses, 7 of data of MIDI 1.0.
static inline MIDIMessage_32 MIDI1UPChannelVoiceMessage(
    UInt8 group, UInt8 status, UInt8 channel, UInt8 data1, UInt8 data2) {
  return 2u << 28 | (group & 15u) << 24 | (status & 15u) << 20 | (channel & 15u) << 16
         | (data1 & 0x7fu) << 8 | (data2 & 0x7fu);
}
static inline MIDIMessage_32 MIDI1UPNoteOff(UInt8 group, UInt8 channel, UInt8 note, UInt8 velocity) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusNoteOff, channel, note, velocity);
}
static inline MIDIMessage_32 MIDI1UPNoteOn(UInt8 group, UInt8 channel, UInt8 note, UInt8 velocity) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusNoteOn, channel, note, velocity);
}
static inline MIDIMessage_32 MIDI1UPPolyPressure(
    UInt8 group, UInt8 channel, UInt8 note, UInt8 pressure) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusPolyPressure, channel, note, pressure);
}
static inline MIDIMessage_32 MIDI1UPControlChange(
    UInt8 group, UInt8 channel, UInt8 index, UInt8 data) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusControlChange, channel, index, data);
}
static inline MIDIMessage_32 MIDI1UPProgramChange(UInt8 group, UInt8 channel, UInt8 program) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusProgramChange, channel, program, 0);
}
static inline MIDIMessage_32 MIDI1UPChannelPressure(UInt8 group, UInt8 channel, UInt8 pressure) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusChannelPressure, channel, pressure, 0);
}
static inline MIDIMessage_32 MIDI1UPPitchBend(UInt8 group, UInt8 channel, UInt8 lsb, UInt8 msb) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusPitchBend, channel, lsb, msb);
}
static inline MIDIMessage_32 MIDI1UPSystemCommon(
    UInt8 group, UInt8 status, UInt8 byte1, UInt8 byte2) {
  return 1u << 28 | (group & 15u) << 24 | (UInt32)status << 16 | (byte1 & 0x7fu) << 8
         | (byte2 & 0x7fu);
}
// Up to six bytes of a system exclusive message, without F0 and F7.
static inline MIDIMessage_64 MIDI1UPSysEx(
    UInt8 group, UInt8 status, UInt8 bytesUsed, UInt8 byte1, UInt8 byte2, UInt8 byte3,
    UInt8 byte4, UInt8 byte5, UInt8 byte6) {
  MIDIMessage_64 message;
  message.word0 = 3u << 28 | (group & 15u) << 24 | (status & 15u) << 20 | (bytesUsed & 15u) << 16
                  | (byte1 & 0x7fu) << 8 | (byte2 & 0x7fu);
  message.word1 = (byte3 & 0x7fu) << 24 | (byte4 & 0x7fu) << 16 | (byte5 & 0x7fu) << 8
                  | (byte6 & 0x7fu);
  return message;
}
static inline MIDIMessage_64 MIDI1UPSysExArray(
    UInt8 group, UInt8 status, const Byte *begin, const Byte *end) {
  UInt8 bytes[6] = {0, 0, 0, 0, 0, 0};
  UInt8 count = 0;
  while (begin < end && count < 6) bytes[count++] = *begin++;
  return MIDI1UPSysEx(
      group, status, count, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]);
}

static inline MIDIMessage_64 MIDI2ChannelVoiceMessage(
    UInt8 group, UInt8 status, UInt8 channel, UInt16 index, UInt32 value) {
  MIDIMessage_64 message;
  message.word0 = 4u << 28 | (group & 15u) << 24 | (status & 15u) << 20 | (channel & 15u) << 16
                  | index;
  message.word1 = value;
  return message;
}
static inline MIDIMessage_64 MIDI2NoteOn(
    UInt8 group, UInt8 channel, UInt8 note, UInt8 attributeType, UInt16 attribute,
    UInt16 velocity) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusNoteOn, channel, (UInt16)((note & 0x7f) << 8 | attributeType),
      (UInt32)velocity << 16 | attribute);
}
static inline MIDIMessage_64 MIDI2NoteOff(
    UInt8 group, UInt8 channel, UInt8 note, UInt8 attributeType, UInt16 attribute,
    UInt16 velocity) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusNoteOff, channel, (UInt16)((note & 0x7f) << 8 | attributeType),
      (UInt32)velocity << 16 | attribute);
}
static inline MIDIMessage_64 MIDI2PolyPressure(
    UInt8 group, UInt8 channel, UInt8 note, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusPolyPressure, channel, (UInt16)((note & 0x7f) << 8), value);
}
static inline MIDIMessage_64 MIDI2PerNotePitchBend(
    UInt8 group, UInt8 channel, UInt8 note, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusPerNotePitchBend, channel, (UInt16)((note & 0x7f) << 8), value);
}
static inline MIDIMessage_64 MIDI2RegisteredPNC(
    UInt8 group, UInt8 channel, UInt8 note, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusRegisteredPNC, channel, (UInt16)((note & 0x7f) << 8 | index), value);
}
static inline MIDIMessage_64 MIDI2AssignablePNC(
    UInt8 group, UInt8 channel, UInt8 note, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusAssignablePNC, channel, (UInt16)((note & 0x7f) << 8 | index), value);
}
// Core MIDI spells it so.
static inline MIDIMessage_64 MIDI2PerNoteManagment(
    UInt8 group, UInt8 channel, UInt8 note, bool detachesControllers, bool resetsControllers) {
  const UInt8 flags = (UInt8)((detachesControllers ? 2 : 0) | (resetsControllers ? 1 : 0));
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusPerNoteMgmt, channel, (UInt16)((note & 0x7f) << 8 | flags), 0);
}
static inline MIDIMessage_64 MIDI2ControlChange(
    UInt8 group, UInt8 channel, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusControlChange, channel, (UInt16)((index & 0x7f) << 8), value);
}
static inline MIDIMessage_64 MIDI2RegisteredControl(
    UInt8 group, UInt8 channel, UInt8 bank, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusRegisteredControl, channel,
      (UInt16)((bank & 0x7f) << 8 | (index & 0x7f)), value);
}
static inline MIDIMessage_64 MIDI2AssignableControl(
    UInt8 group, UInt8 channel, UInt8 bank, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusAssignableControl, channel,
      (UInt16)((bank & 0x7f) << 8 | (index & 0x7f)), value);
}
static inline MIDIMessage_64 MIDI2RelRegisteredControl(
    UInt8 group, UInt8 channel, UInt8 bank, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusRelRegisteredControl, channel,
      (UInt16)((bank & 0x7f) << 8 | (index & 0x7f)), value);
}
static inline MIDIMessage_64 MIDI2RelAssignableControl(
    UInt8 group, UInt8 channel, UInt8 bank, UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusRelAssignableControl, channel,
      (UInt16)((bank & 0x7f) << 8 | (index & 0x7f)), value);
}
static inline MIDIMessage_64 MIDI2ProgramChange(
    UInt8 group, UInt8 channel, bool bankIsValid, UInt8 program, UInt8 bankMSB, UInt8 bankLSB) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusProgramChange, channel, bankIsValid ? 1 : 0,
      (program & 0x7fu) << 24 | (bankMSB & 0x7fu) << 8 | (bankLSB & 0x7fu));
}
static inline MIDIMessage_64 MIDI2ChannelPressure(UInt8 group, UInt8 channel, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusChannelPressure, channel, 0, value);
}
static inline MIDIMessage_64 MIDI2PitchBend(UInt8 group, UInt8 channel, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusPitchBend, channel, 0, value);
}

#endif
