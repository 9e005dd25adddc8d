// MIDI between programs: numbers and layouts.
// SPDX-License-Identifier: Apache-2.0
#include <CoreMIDI/CoreMIDI.h>

#include "Assertions.h"

ABI_VALUE(MIDINetworkConnectionPolicy_NoOne, 0);
ABI_VALUE(MIDINetworkConnectionPolicy_HostsInContactList, 1);
ABI_VALUE(MIDINetworkConnectionPolicy_Anyone, 2);
ABI_VALUE(kMIDIInvalidClient, -10830);
ABI_VALUE(kMIDIInvalidPort, -10831);
ABI_VALUE(kMIDIWrongEndpointType, -10832);
ABI_VALUE(kMIDINoConnection, -10833);
ABI_VALUE(kMIDIUnknownEndpoint, -10834);
ABI_VALUE(kMIDIUnknownProperty, -10835);
ABI_VALUE(kMIDIWrongPropertyType, -10836);
ABI_VALUE(kMIDINoCurrentSetup, -10837);
ABI_VALUE(kMIDIMessageSendErr, -10838);
ABI_VALUE(kMIDIServerStartErr, -10839);
ABI_VALUE(kMIDISetupFormatErr, -10840);
ABI_VALUE(kMIDIWrongThread, -10841);
ABI_VALUE(kMIDIObjectNotFound, -10842);
ABI_VALUE(kMIDIIDNotUnique, -10843);
ABI_VALUE(kMIDINotPermitted, -10844);
ABI_VALUE(kMIDIUnknownError, -10845);
ABI_VALUE(kMIDIObjectType_Other, -1);
ABI_VALUE(kMIDIObjectType_Source, 2);
ABI_VALUE(kMIDIObjectType_Destination, 3);
ABI_VALUE(kMIDIObjectType_ExternalDevice, 16);
ABI_VALUE(kMIDIObjectType_ExternalDestination, 19);
ABI_VALUE(kMIDIMsgSetupChanged, 1);
ABI_VALUE(kMIDIMsgObjectAdded, 2);
ABI_VALUE(kMIDIMsgObjectRemoved, 3);
ABI_VALUE(kMIDIMsgPropertyChanged, 4);
ABI_VALUE(kMIDIMsgThruConnectionsChanged, 5);
ABI_VALUE(kMIDIMsgSerialPortOwnerChanged, 6);
ABI_VALUE(kMIDIMsgIOError, 7);

ABI_STRUCT(MIDIPacket, 268, 4);
ABI_FIELD(MIDIPacket, length, 8);
ABI_FIELD(MIDIPacket, data, 10);
ABI_STRUCT(MIDIPacketList, 272, 4);
ABI_FIELD(MIDIPacketList, packet, 4);
ABI_STRUCT(MIDIEventPacket, 268, 4);
ABI_FIELD(MIDIEventPacket, words, 12);
ABI_STRUCT(MIDIEventList, 276, 4);
ABI_FIELD(MIDIEventList, packet, 8);
ABI_STRUCT(MIDISysexSendRequest, 40, 8);
ABI_FIELD(MIDISysexSendRequest, data, 8);
ABI_FIELD(MIDISysexSendRequest, bytesToSend, 16);
ABI_FIELD(MIDISysexSendRequest, complete, 20);
ABI_FIELD(MIDISysexSendRequest, completionProc, 24);
ABI_FIELD(MIDISysexSendRequest, completionRefCon, 32);
ABI_STRUCT(MIDISysexSendRequestUMP, 40, 8);
ABI_FIELD(MIDISysexSendRequestUMP, words, 8);
ABI_FIELD(MIDISysexSendRequestUMP, wordsToSend, 16);
ABI_FIELD(MIDISysexSendRequestUMP, complete, 20);
ABI_FIELD(MIDISysexSendRequestUMP, completionProc, 24);
ABI_STRUCT(MIDINotification, 8, 4);
ABI_STRUCT(MIDIObjectAddRemoveNotification, 24, 4);
ABI_FIELD(MIDIObjectAddRemoveNotification, child, 16);
ABI_STRUCT(MIDIObjectPropertyChangeNotification, 24, 8);
ABI_FIELD(MIDIObjectPropertyChangeNotification, object, 8);
ABI_FIELD(MIDIObjectPropertyChangeNotification, propertyName, 16);
ABI_STRUCT(MIDIIOErrorNotification, 16, 4);

ABI_VALUE(kMIDIMessageTypeStream, 15);
ABI_VALUE(kMIDICVStatusRegisteredPNC, 0);
ABI_VALUE(kMIDICVStatusPerNotePitchBend, 6);
ABI_VALUE(kMIDICVStatusPerNoteMgmt, 15);
ABI_VALUE(kMIDIStatusSongPosPointer, 242);
ABI_VALUE(kMIDIStatusSystemReset, 255);
ABI_VALUE(kMIDISysExStatusMixedDataSetPayload, 9);
ABI_VALUE(kMIDIUtilityStatusTicksSinceLastEvent, 4);
ABI_VALUE(kMIDINoteAttributePitch, 3);
ABI_STRUCT(MIDIMessage_64, 8, 4);
ABI_VALUE(kMIDITransform_Add, 8);
ABI_VALUE(kMIDITransform_MapValue, 12);
ABI_VALUE(kMIDIControlType_14BitNRPN, 5);
ABI_VALUE(kMIDIThruConnection_MaxEndpoints, 8);
ABI_STRUCT(MIDIThruConnectionEndpoint, 8, 4);
ABI_STRUCT(MIDITransform, 4, 2);
ABI_STRUCT(MIDIControlTransform, 8, 2);
ABI_STRUCT(MIDIValueMap, 128, 1);
ABI_STRUCT(MIDIThruConnectionParams, 204, 4);
ABI_FIELD(MIDIThruConnectionParams, destinations, 76);
ABI_FIELD(MIDIThruConnectionParams, channelMap, 140);
ABI_FIELD(MIDIThruConnectionParams, noteNumber, 160);
ABI_FIELD(MIDIThruConnectionParams, pitchBend, 180);
ABI_FIELD(MIDIThruConnectionParams, filterOutAllControls, 191);
ABI_FIELD(MIDIThruConnectionParams, numMaps, 194);

// The packets of a list lie where their sizes say; on ARM at whole words.
ABI_FUNCTION(OSStatus, MIDISend, (MIDIPortRef, MIDIEndpointRef, const MIDIPacketList *));
ABI_FUNCTION(OSStatus, MIDIReceivedEventList, (MIDIEndpointRef, const MIDIEventList *));
ABI_FUNCTION(ItemCount, MIDIGetNumberOfSources, (void));
