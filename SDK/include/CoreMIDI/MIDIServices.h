// MIDI between programs: clients, ports, endpoints, and the lists of packets that they pass on.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MIDISERVICES_H
#define AURICLE_MIDISERVICES_H

#include "../CoreFoundation/CFData.h"
#include "../CoreFoundation/CFDictionary.h"
#include "../CoreFoundation/CFPropertyList.h"
#include "../CoreFoundation/CFString.h"
#include "MIDIMessages.h"

typedef UInt64 MIDITimeStamp;
typedef UInt32 MIDIObjectRef;
typedef MIDIObjectRef MIDIClientRef;
typedef MIDIObjectRef MIDIPortRef;
typedef MIDIObjectRef MIDIDeviceRef;
typedef MIDIObjectRef MIDIEntityRef;
typedef MIDIObjectRef MIDIEndpointRef;
typedef MIDIObjectRef MIDISetupRef;
typedef MIDIObjectRef MIDIDeviceListRef;
// Found in lists and by MIDIObjectFindByUniqueID; the same in every run of a program.
typedef SInt32 MIDIUniqueID;
AURICLE_ENUM(MIDIUniqueID) { kMIDIInvalidUniqueID = 0 };

AURICLE_ENUM(OSStatus) {
  kMIDIInvalidClient = -10830,
  kMIDIInvalidPort = -10831,  // no port, or one of the other direction
  kMIDIWrongEndpointType = -10832,  // a source in place of a destination, or the reverse
  kMIDINoConnection = -10833,
  kMIDIUnknownEndpoint = -10834,
  kMIDIUnknownProperty = -10835,  // not set
  kMIDIWrongPropertyType = -10836,
  kMIDINoCurrentSetup = -10837,
  kMIDIMessageSendErr = -10838,  // the other process does not answer
  kMIDIServerStartErr = -10839,  // the folder of ports cannot be used
  kMIDISetupFormatErr = -10840,
  kMIDIWrongThread = -10841,
  kMIDIObjectNotFound = -10842,
  kMIDIIDNotUnique = -10843,
  kMIDINotPermitted = -10844,
  kMIDIUnknownError = -10845,
};

typedef SInt32 MIDIObjectType;
AURICLE_ENUM(MIDIObjectType) {
  kMIDIObjectType_Other = -1,
  kMIDIObjectType_Device = 0,
  kMIDIObjectType_Entity = 1,
  kMIDIObjectType_Source = 2,
  kMIDIObjectType_Destination = 3,
  kMIDIObjectType_ExternalMask = 16,
  kMIDIObjectType_ExternalDevice = 16,
  kMIDIObjectType_ExternalEntity = 17,
  kMIDIObjectType_ExternalSource = 18,
  kMIDIObjectType_ExternalDestination = 19,
};

typedef SInt32 MIDIProtocolID;
AURICLE_ENUM(MIDIProtocolID) {
  kMIDIProtocol_1_0 = 1,
  kMIDIProtocol_2_0 = 2,
};

#pragma pack(push, 4)

// Bytes for one moment: whole messages without running status, or a piece of one system exclusive message. The packet
// ends where its bytes end.
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

// The packet after this one, in a list that has another. On ARM it lies at a whole word.
static inline MIDIPacket *MIDIPacketNext(const MIDIPacket *packet) {
  uintptr_t end = (uintptr_t)packet + offsetof(MIDIPacket, data) + packet->length;
#if defined(__arm__) || defined(__aarch64__)
  end = (end + 3) & ~(uintptr_t)3;
#endif
  return (MIDIPacket *)end;
}
static inline MIDIEventPacket *MIDIEventPacketNext(const MIDIEventPacket *packet) {
  return (MIDIEventPacket *)(uintptr_t)((const Byte *)packet + offsetof(MIDIEventPacket, words)
                                        + packet->wordCount * sizeof(UInt32));
}

// The notifications of a client; messageSize is the size of the whole message.
typedef SInt32 MIDINotificationMessageID;
AURICLE_ENUM(MIDINotificationMessageID) {
  kMIDIMsgSetupChanged = 1,  // follows each group of the others
  kMIDIMsgObjectAdded = 2,
  kMIDIMsgObjectRemoved = 3,
  kMIDIMsgPropertyChanged = 4,
  kMIDIMsgThruConnectionsChanged = 5,
  kMIDIMsgSerialPortOwnerChanged = 6,
  kMIDIMsgIOError = 7,
};

typedef struct MIDINotification {
  MIDINotificationMessageID messageID;
  UInt32 messageSize;
} MIDINotification;

// A device and a virtual endpoint have no parent: 0, kMIDIObjectType_Other.
typedef struct MIDIObjectAddRemoveNotification {
  MIDINotificationMessageID messageID;
  UInt32 messageSize;
  MIDIObjectRef parent;
  MIDIObjectType parentType;
  MIDIObjectRef child;
  MIDIObjectType childType;
} MIDIObjectAddRemoveNotification;

typedef struct MIDIObjectPropertyChangeNotification {
  MIDINotificationMessageID messageID;
  UInt32 messageSize;
  MIDIObjectRef object;
  MIDIObjectType objectType;
  CFStringRef propertyName;  // lives as long as the call
} MIDIObjectPropertyChangeNotification;

typedef struct MIDIIOErrorNotification {
  MIDINotificationMessageID messageID;
  UInt32 messageSize;
  MIDIDeviceRef driverDevice;
  OSStatus errorCode;
} MIDIIOErrorNotification;

// Called on the run loop that was current when the process made its first client.
typedef void (*MIDINotifyProc)(const MIDINotification *message, void *refCon);
// Called on a thread of the library, for all ports of a process. The list is gone afterwards.
typedef void (*MIDIReadProc)(
    const MIDIPacketList *list, void *readProcRefCon, void *srcConnRefCon);

// Called for each universal packet of a list.
typedef void (*MIDIEventVisitor)(
    void *context, MIDITimeStamp time, MIDIUniversalMessage message);

struct MIDISysexSendRequest;
typedef void (*MIDICompletionProc)(struct MIDISysexSendRequest *request);
// Stays alive until `complete`, which may be set to cancel. `data` and `bytesToSend` describe the rest.
typedef struct MIDISysexSendRequest {
  MIDIEndpointRef destination;
  const Byte *data;
  UInt32 bytesToSend;
  Boolean complete;
  Byte reserved[3];
  MIDICompletionProc completionProc;
  void *completionRefCon;
} MIDISysexSendRequest;

struct MIDISysexSendRequestUMP;
typedef void (*MIDICompletionProcUMP)(struct MIDISysexSendRequestUMP *request);
typedef struct MIDISysexSendRequestUMP {
  MIDIEndpointRef destination;
  UInt32 *words;
  UInt32 wordsToSend;
  Boolean complete;
  MIDICompletionProcUMP completionProc;
  void *completionRefCon;
} MIDISysexSendRequestUMP;

// Names of properties. D of devices, E of entities, P of endpoints.
#define kMIDIPropertyName CFSTR("name")  // DEP string
#define kMIDIPropertyManufacturer CFSTR("manufacturer")  // DP string
#define kMIDIPropertyModel CFSTR("model")  // DP string
#define kMIDIPropertyUniqueID CFSTR("uniqueID")  // DEP integer
#define kMIDIPropertyDeviceID CFSTR("deviceID")  // DE integer
#define kMIDIPropertyReceiveChannels CFSTR("receiveChannels")  // P integer, bit 0 is channel 1
#define kMIDIPropertyTransmitChannels CFSTR("transmitChannels")  // P integer
#define kMIDIPropertyMaxSysExSpeed CFSTR("maxSysExSpeed")  // DEP integer, bytes a second; 3125 at first
// P integer, microseconds: other than 0, packets for later are handed over at once.
#define kMIDIPropertyAdvanceScheduleTimeMuSec CFSTR("scheduleAheadMuSec")
#define kMIDIPropertyIsEmbeddedEntity CFSTR("embedded")
#define kMIDIPropertyIsBroadcast CFSTR("broadcast")
#define kMIDIPropertySingleRealtimeEntity CFSTR("single realtime entity")
#define kMIDIPropertyConnectionUniqueID CFSTR("connUniqueID")  // integer, or data of big-endian ones
#define kMIDIPropertyOffline CFSTR("offline")  // DEP integer, 1 is absent
#define kMIDIPropertyPrivate CFSTR("private")  // DEP integer, 1 is left out of lists
#define kMIDIPropertyDriverOwner CFSTR("driver")
#define kMIDIPropertyDriverVersion CFSTR("driverVersion")
#define kMIDIPropertyDriverDeviceEditorApp CFSTR("driverDeviceEditorApp")
#define kMIDIPropertyDisplayName CFSTR("displayName")  // DEP string, for users; cannot be set
#define kMIDIPropertyImage CFSTR("image")
#define kMIDIPropertyNameConfiguration CFSTR("nameConfiguration")
#define kMIDIPropertyNameConfigurationDictionary CFSTR("nameConfigurationDictionary")
#define kMIDIPropertyFactoryPatchNameFile CFSTR("factoryPatchFile")
#define kMIDIPropertyUserPatchNameFile CFSTR("userPatchFile")
#define kMIDIPropertySupportsGeneralMIDI CFSTR("supports General MIDI")
#define kMIDIPropertySupportsMMC CFSTR("supports MMC")
#define kMIDIPropertySupportsShowControl CFSTR("supports show control")
#define kMIDIPropertyCanRoute CFSTR("can route")
#define kMIDIPropertyReceivesClock CFSTR("receives clock")
#define kMIDIPropertyReceivesMTC CFSTR("receives MTC")
#define kMIDIPropertyReceivesNotes CFSTR("receives notes")
#define kMIDIPropertyReceivesProgramChanges CFSTR("receives program changes")
#define kMIDIPropertyReceivesBankSelectMSB CFSTR("receives bank select MSB")
#define kMIDIPropertyReceivesBankSelectLSB CFSTR("receives bank select LSB")
#define kMIDIPropertyTransmitsClock CFSTR("transmits clock")
#define kMIDIPropertyTransmitsMTC CFSTR("transmits MTC")
#define kMIDIPropertyTransmitsNotes CFSTR("transmits notes")
#define kMIDIPropertyTransmitsProgramChanges CFSTR("transmits program changes")
#define kMIDIPropertyTransmitsBankSelectMSB CFSTR("transmits bank select MSB")
#define kMIDIPropertyTransmitsBankSelectLSB CFSTR("transmits bank select LSB")
#define kMIDIPropertyPanDisruptsStereo CFSTR("pan disrupts stereo")
#define kMIDIPropertyIsSampler CFSTR("is sampler")
#define kMIDIPropertyIsDrumMachine CFSTR("is drum machine")
#define kMIDIPropertyIsMixer CFSTR("is mixer")
#define kMIDIPropertyIsEffectUnit CFSTR("is effect unit")
#define kMIDIPropertyMaxReceiveChannels CFSTR("max receive channels")
#define kMIDIPropertyMaxTransmitChannels CFSTR("max transmit channels")
#define kMIDIPropertyProtocolID CFSTR("protocol")  // DEP integer, a MIDIProtocolID; cannot be set
#define kMIDIPropertyUMPActiveGroupBitmap CFSTR("umpActiveGroupBitmap")
#define kMIDIPropertyUMPCanTransmitGroupless CFSTR("umpCanTransmitGroupless")
#define kMIDIPropertyAssociatedEndpoint CFSTR("associatedEndpoint")
#define kMIDIPropertyUMPEnabled CFSTR("umpEnabled")

AURICLE_BEGIN_DECLS

// Empties a list; answers the packet to begin with.
extern MIDIPacket *MIDIPacketListInit(MIDIPacketList *list);
// Adds bytes: to the packet at hand if they are for the same moment and neither are system exclusive,
// else in a packet after it. Answers the packet they are in, to be handed to the next call; NULL, and
// nothing is changed, if they do not fit into `size` bytes of list.
extern MIDIPacket *MIDIPacketListAdd(
    MIDIPacketList *list, ByteCount size, MIDIPacket *packet, MIDITimeStamp time, ByteCount length,
    const Byte *data);
// The same of universal packets: whole ones, which join others of their moment while those are at most 64 words.
extern MIDIEventPacket *MIDIEventListInit(MIDIEventList *list, MIDIProtocolID protocol);
extern MIDIEventPacket *MIDIEventListAdd(
    MIDIEventList *list, ByteCount size, MIDIEventPacket *packet, MIDITimeStamp time,
    ByteCount wordCount, const UInt32 *words);

// Parses the universal packets of a list, in their order.
extern void MIDIEventListForEachEvent(
    const MIDIEventList *list, MIDIEventVisitor visitor, void *context);
// The bytes of the system exclusive pieces of a group in a packet, with F0 and F7 where they begin and end; to be released.
extern OSStatus MIDIEventPacketSysexBytesForGroup(
    const MIDIEventPacket *packet, UInt8 group, CFDataRef *outData);

extern OSStatus MIDIClientCreate(
    CFStringRef name, MIDINotifyProc notifyProc, void *notifyRefCon, MIDIClientRef *outClient);
// Disposes its ports and virtual endpoints, too.
extern OSStatus MIDIClientDispose(MIDIClientRef client);

// Ports. When a dispose or disconnect returns, nothing is delivered any more, except that the callback that calls it runs
// to its end.
extern OSStatus MIDIInputPortCreate(
    MIDIClientRef client, CFStringRef name, MIDIReadProc readProc, void *refCon,
    MIDIPortRef *outPort);
extern OSStatus MIDIOutputPortCreate(
    MIDIClientRef client, CFStringRef name, MIDIPortRef *outPort);
extern OSStatus MIDIPortDispose(MIDIPortRef port);
extern OSStatus MIDIPortConnectSource(
    MIDIPortRef port, MIDIEndpointRef source, void *connRefCon);
extern OSStatus MIDIPortDisconnectSource(MIDIPortRef port, MIDIEndpointRef source);

// Virtual endpoints, which all programs of the user see.
extern OSStatus MIDISourceCreate(
    MIDIClientRef client, CFStringRef name, MIDIEndpointRef *outSource);
extern OSStatus MIDISourceCreateWithProtocol(
    MIDIClientRef client, CFStringRef name, MIDIProtocolID protocol, MIDIEndpointRef *outSource);
extern OSStatus MIDIDestinationCreate(
    MIDIClientRef client, CFStringRef name, MIDIReadProc readProc, void *refCon,
    MIDIEndpointRef *outDestination);
extern OSStatus MIDIEndpointDispose(MIDIEndpointRef endpoint);

// The existing objects. An index past the end answers 0.
extern ItemCount MIDIGetNumberOfSources(void);
extern MIDIEndpointRef MIDIGetSource(ItemCount index);
extern ItemCount MIDIGetNumberOfDestinations(void);
extern MIDIEndpointRef MIDIGetDestination(ItemCount index);
extern ItemCount MIDIGetNumberOfDevices(void);
extern MIDIDeviceRef MIDIGetDevice(ItemCount index);
extern ItemCount MIDIGetNumberOfExternalDevices(void);
extern MIDIDeviceRef MIDIGetExternalDevice(ItemCount index);
extern ItemCount MIDIDeviceGetNumberOfEntities(MIDIDeviceRef device);
extern MIDIEntityRef MIDIDeviceGetEntity(MIDIDeviceRef device, ItemCount index);
extern ItemCount MIDIEntityGetNumberOfSources(MIDIEntityRef entity);
extern MIDIEndpointRef MIDIEntityGetSource(MIDIEntityRef entity, ItemCount index);
extern ItemCount MIDIEntityGetNumberOfDestinations(MIDIEntityRef entity);
extern MIDIEndpointRef MIDIEntityGetDestination(MIDIEntityRef entity, ItemCount index);
extern OSStatus MIDIEntityGetDevice(MIDIEntityRef entity, MIDIDeviceRef *outDevice);
// A virtual endpoint has none: kMIDIObjectNotFound.
extern OSStatus MIDIEndpointGetEntity(MIDIEndpointRef endpoint, MIDIEntityRef *outEntity);

// Properties. All programs see the properties set for an endpoint, and they end with it.
extern OSStatus MIDIObjectGetIntegerProperty(
    MIDIObjectRef object, CFStringRef property, SInt32 *outValue);
extern OSStatus MIDIObjectSetIntegerProperty(
    MIDIObjectRef object, CFStringRef property, SInt32 value);
extern OSStatus MIDIObjectGetStringProperty(
    MIDIObjectRef object, CFStringRef property, CFStringRef *outValue);
extern OSStatus MIDIObjectSetStringProperty(
    MIDIObjectRef object, CFStringRef property, CFStringRef value);
extern OSStatus MIDIObjectGetDataProperty(
    MIDIObjectRef object, CFStringRef property, CFDataRef *outValue);
extern OSStatus MIDIObjectSetDataProperty(
    MIDIObjectRef object, CFStringRef property, CFDataRef value);
extern OSStatus MIDIObjectGetDictionaryProperty(
    MIDIObjectRef object, CFStringRef property, CFDictionaryRef *outValue);
extern OSStatus MIDIObjectSetDictionaryProperty(
    MIDIObjectRef object, CFStringRef property, CFDictionaryRef value);
extern OSStatus MIDIObjectGetProperties(
    MIDIObjectRef object, CFPropertyListRef *outProperties, Boolean deep);
extern OSStatus MIDIObjectRemoveProperty(MIDIObjectRef object, CFStringRef property);
extern OSStatus MIDIObjectFindByUniqueID(
    MIDIUniqueID uniqueID, MIDIObjectRef *outObject, MIDIObjectType *outType);

// Packets with a time to come are held back until then; time 0 is now.
extern OSStatus MIDISend(
    MIDIPortRef port, MIDIEndpointRef destination, const MIDIPacketList *list);
extern OSStatus MIDISendEventList(
    MIDIPortRef port, MIDIEndpointRef destination, const MIDIEventList *list);
// Passes on the output of a virtual source of this program: at once, with its times.
extern OSStatus MIDIReceived(MIDIEndpointRef source, const MIDIPacketList *list);
extern OSStatus MIDIReceivedEventList(MIDIEndpointRef source, const MIDIEventList *list);
// Discards pending messages of this program; 0: for all destinations.
extern OSStatus MIDIFlushOutput(MIDIEndpointRef destination);
// Searches for endpoints again.
extern OSStatus MIDIRestart(void);

// Return at once; a thread of the library sends, at most kMIDIPropertyMaxSysExSpeed bytes a second.
extern OSStatus MIDISendSysex(MIDISysexSendRequest *request);
extern OSStatus MIDISendUMPSysex(MIDISysexSendRequestUMP *request);
extern OSStatus MIDISendUMPSysex8(MIDISysexSendRequestUMP *request);

#if defined(__BLOCKS__) && !defined(__swift__)
// Called on a thread of the library.
typedef void (^MIDINotifyBlock)(const MIDINotification *message);
typedef void (^MIDIReadBlock)(const MIDIPacketList *list, void *srcConnRefCon);
typedef void (^MIDIReceiveBlock)(const MIDIEventList *list, void *srcConnRefCon);

extern OSStatus MIDIClientCreateWithBlock(
    CFStringRef name, MIDIClientRef *outClient, MIDINotifyBlock notifyBlock);
extern OSStatus MIDIInputPortCreateWithBlock(
    MIDIClientRef client, CFStringRef name, MIDIPortRef *outPort, MIDIReadBlock readBlock);
extern OSStatus MIDIInputPortCreateWithProtocol(
    MIDIClientRef client, CFStringRef name, MIDIProtocolID protocol, MIDIPortRef *outPort,
    MIDIReceiveBlock receiveBlock);
extern OSStatus MIDIDestinationCreateWithBlock(
    MIDIClientRef client, CFStringRef name, MIDIEndpointRef *outDestination,
    MIDIReadBlock readBlock);
extern OSStatus MIDIDestinationCreateWithProtocol(
    MIDIClientRef client, CFStringRef name, MIDIProtocolID protocol,
    MIDIEndpointRef *outDestination, MIDIReceiveBlock receiveBlock);
#endif

AURICLE_END_DECLS

#endif
