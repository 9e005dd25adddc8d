// Lists of MIDI packets: bytes of MIDI 1.0, and universal packets.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MIDISERVICES_H
#define AURICLE_MIDISERVICES_H

#include "../CoreFoundation/CFBase.h"
#include "MIDIMessages.h"

typedef UInt64 MIDITimeStamp;
typedef UInt32 MIDIObjectRef;
typedef MIDIObjectRef MIDIClientRef;
typedef MIDIObjectRef MIDIPortRef;
typedef MIDIObjectRef MIDIDeviceRef;
typedef MIDIObjectRef MIDIEntityRef;
typedef MIDIObjectRef MIDIEndpointRef;

typedef SInt32 MIDIProtocolID;
AURICLE_ENUM(MIDIProtocolID) {
  kMIDIProtocol_1_0 = 1,
  kMIDIProtocol_2_0 = 2,
};

#pragma pack(push, 4)

// Bytes for one moment. The packet ends where its bytes end: the next one starts at data + length.
typedef struct MIDIPacket {
  MIDITimeStamp timeStamp;
  UInt16 length;
  Byte data[256];
} MIDIPacket;

typedef struct MIDIPacketList {
  UInt32 numPackets;
  MIDIPacket packet[1];
} MIDIPacketList;

// Universal packets for one moment. The next one starts at words + wordCount.
typedef struct MIDIEventPacket {
  MIDITimeStamp timeStamp;
  UInt32 wordCount;
  UInt32 words[64];
} MIDIEventPacket;

typedef struct MIDIEventList {
  MIDIProtocolID protocol;
  UInt32 numPackets;
  MIDIEventPacket packet[1];
} MIDIEventList;

#pragma pack(pop)

// The packet after this one, in a list that has another.
static inline MIDIPacket *MIDIPacketNext(const MIDIPacket *packet) {
  return (MIDIPacket *)(uintptr_t)((const Byte *)packet + offsetof(MIDIPacket, data)
                                   + packet->length);
}
static inline MIDIEventPacket *MIDIEventPacketNext(const MIDIEventPacket *packet) {
  return (MIDIEventPacket *)(uintptr_t)((const Byte *)packet + offsetof(MIDIEventPacket, words)
                                        + packet->wordCount * sizeof(UInt32));
}

AURICLE_BEGIN_DECLS

// Empties a list; answers the packet to begin with.
extern MIDIPacket *MIDIPacketListInit(MIDIPacketList *list);
// Adds bytes: to the packet at hand if they are for the same moment and neither are system exclusive,
// else in a packet after it. Answers the packet they are in, to be handed to the next call; NULL, and
// nothing is changed, if they do not fit into `size` bytes of list.
extern MIDIPacket *MIDIPacketListAdd(
    MIDIPacketList *list, ByteCount size, MIDIPacket *packet, MIDITimeStamp time, ByteCount length,
    const Byte *data);

AURICLE_END_DECLS

#endif
