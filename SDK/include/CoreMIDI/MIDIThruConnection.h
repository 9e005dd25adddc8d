// MIDI that is passed on from sources to destinations without a program's doing.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MIDITHRUCONNECTION_H
#define AURICLE_MIDITHRUCONNECTION_H

#include "MIDIServices.h"

typedef MIDIObjectRef MIDIThruConnectionRef;

typedef UInt16 MIDITransformType;
AURICLE_ENUM(MIDITransformType) {
  kMIDITransform_None = 0,
  kMIDITransform_FilterOut = 1,
  kMIDITransform_MapControl = 2,  // of controllers: `param` is the new number
  kMIDITransform_Add = 8,
  kMIDITransform_Scale = 9,  // `param` / 4096
  kMIDITransform_MinValue = 10,
  kMIDITransform_MaxValue = 11,
  kMIDITransform_MapValue = 12,  // `param` is the index of a map
};

// Controllers of seven bits are transformed; the others are refused.
typedef UInt8 MIDITransformControlType;
AURICLE_ENUM(MIDITransformControlType) {
  kMIDIControlType_7Bit = 0,
  kMIDIControlType_14Bit = 1,
  kMIDIControlType_7BitRPN = 2,
  kMIDIControlType_14BitRPN = 3,
  kMIDIControlType_7BitNRPN = 4,
  kMIDIControlType_14BitNRPN = 5,
};

AURICLE_ENUM(UInt32) { kMIDIThruConnection_MaxEndpoints = 8 };

typedef struct MIDIValueMap {
  UInt8 value[128];
} MIDIValueMap;

typedef struct MIDITransform {
  MIDITransformType transform;
  SInt16 param;
} MIDITransform;

typedef struct MIDIControlTransform {
  MIDITransformControlType controlType;
  MIDITransformControlType remappedControlType;
  UInt16 controlNumber;
  MIDITransformType transform;
  SInt16 param;
} MIDIControlTransform;

// One of the two is enough; with an endpointRef of 0 the endpoint may come later.
typedef struct MIDIThruConnectionEndpoint {
  MIDIEndpointRef endpointRef;
  MIDIUniqueID uniqueID;
} MIDIThruConnectionEndpoint;

// Followed by numControlTransforms MIDIControlTransform and numMaps MIDIValueMap.
typedef struct MIDIThruConnectionParams {
  UInt32 version;  // 0
  UInt32 numSources;
  MIDIThruConnectionEndpoint sources[8];
  UInt32 numDestinations;
  MIDIThruConnectionEndpoint destinations[8];
  UInt8 channelMap[16];  // 0 to 15; 0xff leaves a channel out
  UInt8 lowVelocity;
  UInt8 highVelocity;  // 0 is no limit
  UInt8 lowNote;
  UInt8 highNote;  // below lowNote: the notes between are left out
  MIDITransform noteNumber;
  MIDITransform velocity;
  MIDITransform keyPressure;
  MIDITransform channelPressure;
  MIDITransform programChange;
  MIDITransform pitchBend;
  UInt8 filterOutSysEx;
  UInt8 filterOutMTC;
  UInt8 filterOutBeatClock;
  UInt8 filterOutTuneRequest;
  UInt8 reserved2[3];
  UInt8 filterOutAllControls;
  UInt16 numControlTransforms;
  UInt16 numMaps;
  UInt16 reserved3[4];
} MIDIThruConnectionParams;

static inline size_t MIDIThruConnectionParamsSize(const MIDIThruConnectionParams *params) {
  return sizeof(MIDIThruConnectionParams)
         + params->numControlTransforms * sizeof(MIDIControlTransform)
         + params->numMaps * sizeof(MIDIValueMap);
}

AURICLE_BEGIN_DECLS

// No ends, all channels, all notes, nothing changed or left out.
extern void MIDIThruConnectionParamsInitialize(MIDIThruConnectionParams *params);
// Without an owner it ends with the program; with one it is kept until it is disposed. Messages of MIDI 2.0 are passed on
// as those of 1.0.
extern OSStatus MIDIThruConnectionCreate(
    CFStringRef persistentOwnerID, CFDataRef params, MIDIThruConnectionRef *outConnection);
extern OSStatus MIDIThruConnectionDispose(MIDIThruConnectionRef connection);
extern OSStatus MIDIThruConnectionGetParams(
    MIDIThruConnectionRef connection, CFDataRef *outParams);
extern OSStatus MIDIThruConnectionSetParams(MIDIThruConnectionRef connection, CFDataRef params);
// An array of MIDIThruConnectionRef, to be released.
extern OSStatus MIDIThruConnectionFind(CFStringRef persistentOwnerID, CFDataRef *outConnections);

AURICLE_END_DECLS

#endif
