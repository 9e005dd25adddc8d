// Statuses of MIDI functions for null pointers, wrong numbers and objects that are gone; and their work in one process.
// SPDX-License-Identifier: Apache-2.0
#include <CoreMIDI/CoreMIDI.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>
#include <string.h>

#include "../AwaitLoop.h"
#include "Wanted.h"

static volatile int notices, changes, bytesRead, completed;

static void notify(const MIDINotification *message, void *context) {
  if (context == (void *)&notices) notices = notices + 1;
  if (message->messageID == kMIDIMsgPropertyChanged) {
    const MIDIObjectPropertyChangeNotification *change =
        (const MIDIObjectPropertyChangeNotification *)message;
    if (message->messageSize == sizeof *change
        && CFEqual(change->propertyName, kMIDIPropertyModel))
      changes = changes + 1;
    postToLoop();
  }
  post();
}

static void readBytes(const MIDIPacketList *list, void *context, void *connection) {
  (void)context;
  (void)connection;
  bytesRead = bytesRead + list->packet[0].length;
  post();
}

static void complete(MIDISysexSendRequest *request) {
  completed = request->complete;
  post();
}

static void properties(MIDIEndpointRef source, MIDIEndpointRef destination) {
  SInt32 number = 0, other = 0;
  CFStringRef name = NULL;
  CFDataRef data = NULL;
  CFDictionaryRef dictionary = NULL;
  CFPropertyListRef all = NULL;
  MIDIObjectRef object = 0;
  MIDIObjectType type = 0;
  char text[16] = "";
  IS(MIDIObjectGetIntegerProperty(source, kMIDIPropertyUniqueID, &number), 0);
  IS(MIDIObjectGetIntegerProperty(destination, kMIDIPropertyUniqueID, &other), 0);
  IS(MIDIObjectSetIntegerProperty(source, kMIDIPropertyUniqueID, other), kMIDIIDNotUnique);
  IS(MIDIObjectSetIntegerProperty(source, kMIDIPropertyUniqueID, 0), -50);
  IS(MIDIObjectSetIntegerProperty(source, kMIDIPropertyName, 3), kMIDIWrongPropertyType);
  IS(MIDIObjectSetIntegerProperty(source, kMIDIPropertyUniqueID, 4711), 0);
  IS(MIDIObjectFindByUniqueID(4711, &object, &type), 0);
  IS(object, source);
  IS(type, kMIDIObjectType_Source);
  IS(MIDIObjectFindByUniqueID(4711, NULL, NULL), 0);
  IS(MIDIObjectFindByUniqueID(0, &object, &type), kMIDIObjectNotFound);
  IS(MIDIObjectGetStringProperty(source, kMIDIPropertyDisplayName, &name), 0);
  IS(CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8), 1);
  IS(strcmp(text, "S"), 0);
  CFRelease(name);
  IS(MIDIObjectGetStringProperty(source, kMIDIPropertyManufacturer, &name), kMIDIUnknownProperty);
  IS(MIDIObjectGetStringProperty(source, kMIDIPropertyName, NULL), -50);
  IS(MIDIObjectGetStringProperty(source, NULL, &name), -50);
  IS(MIDIObjectGetStringProperty(9999, kMIDIPropertyName, &name), kMIDIObjectNotFound);
  IS(MIDIObjectGetIntegerProperty(source, kMIDIPropertyName, &number), kMIDIWrongPropertyType);
  IS(MIDIObjectSetStringProperty(source, kMIDIPropertyManufacturer, CFSTR("M")), 0);
  IS(MIDIObjectGetStringProperty(source, kMIDIPropertyManufacturer, &name), 0);
  CFRelease(name);
  IS(MIDIObjectRemoveProperty(source, kMIDIPropertyManufacturer), 0);
  IS(MIDIObjectRemoveProperty(source, kMIDIPropertyManufacturer), kMIDIUnknownProperty);
  data = CFDataCreate(NULL, (const UInt8 *)"\x00\x00\x00\x07", 4);
  IS(MIDIObjectSetDataProperty(source, kMIDIPropertyConnectionUniqueID, data), 0);
  CFRelease(data);
  IS(MIDIObjectGetDataProperty(source, kMIDIPropertyConnectionUniqueID, &data), 0);
  IS(CFDataGetLength(data), 4);
  IS(CFDataGetBytePtr(data)[3], 7);
  CFRelease(data);
  const void *keys[1] = {CFSTR("banks")}, *values[1] = {CFSTR("none")};
  dictionary = CFDictionaryCreate(
      NULL, keys, values, 1, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  IS(MIDIObjectSetDictionaryProperty(source, kMIDIPropertyNameConfiguration, dictionary), 0);
  CFRelease(dictionary);
  IS(MIDIObjectGetDictionaryProperty(source, kMIDIPropertyNameConfiguration, &dictionary), 0);
  IS(CFDictionaryContainsKey(dictionary, CFSTR("banks")), 1);
  CFRelease(dictionary);
  IS(MIDIObjectGetProperties(source, &all, 1), 0);
  IS(CFDictionaryContainsKey((CFDictionaryRef)all, kMIDIPropertyUniqueID), 1);
  CFRelease(all);
  IS(MIDIObjectSetStringProperty(source, kMIDIPropertyModel, CFSTR("X")), 0);
}

static void packets(MIDIPortRef output, MIDIPortRef input, MIDIEndpointRef source,
                    MIDIEndpointRef destination) {
  Byte memory[300];
  MIDIPacketList *list = (MIDIPacketList *)memory;
  MIDIPacket *packet = MIDIPacketListInit(list);
  Byte note[3] = {0x90, 60, 1};
  packet = MIDIPacketListAdd(list, sizeof memory, packet, 0, 3, note);
  packet = MIDIPacketListAdd(list, sizeof memory, packet, 0, 3, note);
  IS(list->numPackets, 1);
  IS(packet->length, 6);
  IS(MIDISend(output, destination, NULL), -50);
  IS(MIDISend(input, destination, list), kMIDIInvalidPort);
  // A made-up port sends nothing, and is no failure.
  IS(MIDISend(9999, destination, list), 0);
  IS(MIDISend(9999, 9999, list), 0);
  IS(MIDISend(output, source, list), kMIDIWrongEndpointType);
  IS(MIDISend(output, 9999, list), kMIDIUnknownEndpoint);
  IS(MIDISend(output, destination, list), 0);
  IS(MIDIReceived(destination, list), kMIDIWrongEndpointType);
  IS(MIDIReceived(9999, list), kMIDIUnknownEndpoint);
  IS(MIDIReceived(source, NULL), -50);
  IS(MIDIPortConnectSource(output, source, NULL), kMIDIInvalidPort);
  IS(MIDIPortConnectSource(input, destination, NULL), kMIDIWrongEndpointType);
  IS(MIDIPortConnectSource(input, 9999, NULL), kMIDIUnknownEndpoint);
  IS(MIDIPortDisconnectSource(input, source), kMIDINoConnection);
  IS(MIDIPortConnectSource(input, source, NULL), 0);
  IS(MIDIPortConnectSource(input, source, NULL), 0);
  IS(MIDIReceived(source, list), 0);
  AWAIT(bytesRead >= 12);
  IS(bytesRead, 12);
  IS(MIDIPortDisconnectSource(input, source), 0);
  IS(MIDIFlushOutput(source), kMIDIWrongEndpointType);
  IS(MIDIFlushOutput(9999), kMIDIUnknownEndpoint);
  IS(MIDIFlushOutput(0), 0);

  UInt32 words[2] = {0x20903c01, 0x20803c01};
  MIDIEventList events;
  MIDIEventPacket *event = MIDIEventListInit(&events, kMIDIProtocol_1_0);
  event = MIDIEventListAdd(&events, sizeof events, event, 0, 1, words);
  event = MIDIEventListAdd(&events, sizeof events, event, 0, 2, words);
  IS(events.numPackets, 1);
  IS(event->wordCount, 3);
  IS(MIDIEventListAdd(&events, sizeof events, event, 5, 64, words) == NULL, 1);
  IS(MIDISendEventList(output, destination, &events), 0);
  AWAIT(bytesRead >= 21);
  IS(bytesRead, 21);

  static Byte exclusive[1000];
  exclusive[0] = 0xf0;
  exclusive[999] = 0xf7;
  static MIDISysexSendRequest request;
  request.destination = source;
  request.data = exclusive;
  request.bytesToSend = 1000;
  request.completionProc = complete;
  IS(MIDISendSysex(NULL), -50);
  IS(MIDISendSysex(&request), kMIDIWrongEndpointType);
  request.destination = destination;
  IS(MIDIObjectSetIntegerProperty(destination, kMIDIPropertyMaxSysExSpeed, 1000000), 0);
  IS(MIDISendSysex(&request), 0);
  AWAIT(completed && bytesRead >= 1021);
  IS(bytesRead, 1021);
  IS(completed, 1);
  IS(request.bytesToSend, 0);
  IS(request.data - exclusive, 1000);
}

static void builders(void) {
  static const Byte bytes[3] = {1, 2, 3};
  IS(MIDI1UPNoteOn(3, 5, 60, 100), 0x23953c64);
  IS(MIDI1UPPitchBend(16, 17, 0x80, 0x7f), 0x20e1007f);
  IS(MIDI1UPSystemCommon(1, kMIDIStatusSongSelect, 9, 0), 0x11f30900);
  IS(MIDI1UPSysExArray(0, kMIDISysExStatusComplete, bytes, bytes + 3).word0, 0x30030102);
  IS(MIDI1UPSysExArray(0, kMIDISysExStatusComplete, bytes, bytes + 3).word1, 0x03000000);
  IS(MIDI2NoteOn(0, 1, 60, kMIDINoteAttributePitch, 0x1234, 0xffff).word0, 0x40913c03);
  IS(MIDI2NoteOn(0, 1, 60, kMIDINoteAttributePitch, 0x1234, 0xffff).word1, 0xffff1234);
  IS(MIDI2PerNoteManagment(0, 1, 60, true, false).word0, 0x40f13c02);
  IS(MIDI2PerNoteManagment(0, 1, 60, false, true).word0, 0x40f13c01);
  IS(MIDIMessageTypeForUPWord(0x40913c03), kMIDIMessageTypeChannelVoice2);
  IS(MIDI2RegisteredControl(0, 1, 2, 3, 4).word0, 0x40210203);
  IS(MIDI2ProgramChange(0, 1, true, 9, 3, 4).word1, 0x09000304);
  IS(MIDI2ProgramChange(0, 1, true, 9, 3, 4).word0, 0x40c10001);
}

static void thru(MIDIEndpointRef source, MIDIEndpointRef destination) {
  MIDIThruConnectionParams params, *found;
  MIDIThruConnectionRef kept = 0, mine = 0;
  CFDataRef data, list = NULL, answer = NULL;
  Byte memory[300];
  MIDIPacketList *packets = (MIDIPacketList *)memory;
  MIDIPacket *packet;
  Byte notes[6] = {0x90, 60, 1, 0x91, 60, 1};
  SInt32 number = 0;
  int before = bytesRead;
  MIDIThruConnectionParamsInitialize(&params);
  IS(MIDIThruConnectionParamsSize(&params), 204);
  params.numSources = params.numDestinations = 1;
  params.sources[0].endpointRef = source;
  params.destinations[0].endpointRef = destination;
  params.channelMap[1] = 0xff;
  data = CFDataCreate(NULL, (const UInt8 *)&params, sizeof params);
  IS(MIDIThruConnectionCreate(CFSTR("org.example"), NULL, &kept), -50);
  IS(MIDIThruConnectionCreate(CFSTR("org.example"), data, NULL), -50);
  IS(MIDIThruConnectionCreate(CFSTR("org.example"), data, &kept), 0);
  IS(MIDIThruConnectionFind(CFSTR("org.example"), &list), 0);
  IS(CFDataGetLength(list), 4);
  IS(memcmp(CFDataGetBytePtr(list), &kept, 4), 0);
  CFRelease(list);
  packet = MIDIPacketListAdd(packets, sizeof memory, MIDIPacketListInit(packets), 1, 6, notes);
  IS(packet->length, 6);
  // Passed on: the note of the channel that is not left out.
  IS(MIDIReceived(source, packets), 0);
  AWAIT(bytesRead >= before + 3);
  IS(bytesRead, before + 3);
  IS(MIDIThruConnectionGetParams(kept, &answer), 0);
  found = (MIDIThruConnectionParams *)(uintptr_t)CFDataGetBytePtr(answer);
  IS(MIDIObjectGetIntegerProperty(source, kMIDIPropertyUniqueID, &number), 0);
  IS(found->sources[0].uniqueID, number);
  IS(found->channelMap[1], 0xff);
  CFRelease(answer);
  IS(MIDIThruConnectionDispose(kept), 0);
  IS(MIDIThruConnectionDispose(kept), kMIDIObjectNotFound);
  IS(MIDIThruConnectionGetParams(kept, &answer), kMIDIObjectNotFound);
  IS(MIDIThruConnectionCreate(NULL, data, &mine), 0);
  IS(MIDIReceived(source, packets), 0);
  AWAIT(bytesRead >= before + 6);
  IS(bytesRead, before + 6);
  IS(MIDIThruConnectionSetParams(mine, NULL), -50);
  IS(MIDIThruConnectionSetParams(9999, data), kMIDIObjectNotFound);
  IS(MIDIThruConnectionDispose(mine), 0);
  CFRelease(data);
  params.sources[0].endpointRef = destination;
  data = CFDataCreate(NULL, (const UInt8 *)&params, sizeof params);
  IS(MIDIThruConnectionCreate(NULL, data, &mine), kMIDIWrongEndpointType);
  CFRelease(data);
}

int main(void) {
  beginAwaitLoop();
  MIDIClientRef client = 0;
  MIDIPortRef output = 0, input = 0;
  MIDIEndpointRef source = 0, destination = 0;
  MIDIEntityRef entity = 0;
  IS(MIDIClientCreate(NULL, notify, NULL, &client), -50);
  IS(MIDIClientCreate(CFSTR("c"), notify, NULL, NULL), -50);
  IS(MIDIClientCreate(CFSTR("c"), notify, (void *)&notices, &client), 0);
  IS(MIDIClientDispose(9999), kMIDIInvalidClient);
  IS(MIDIOutputPortCreate(9999, CFSTR("o"), &output), kMIDIInvalidClient);
  IS(MIDIOutputPortCreate(client, NULL, &output), -50);
  IS(MIDIOutputPortCreate(client, CFSTR("o"), &output), 0);
  IS(MIDIInputPortCreate(client, CFSTR("i"), NULL, NULL, NULL), -50);
  IS(MIDIInputPortCreate(client, CFSTR("i"), NULL, NULL, &input), 0);
  IS(MIDIPortDispose(input), 0);
  IS(MIDIInputPortCreate(client, CFSTR("i"), readBytes, NULL, &input), 0);
  IS(MIDISourceCreate(9999, CFSTR("S"), &source), kMIDIInvalidClient);
  IS(MIDISourceCreateWithProtocol(client, CFSTR("S"), 3, &source), -50);
  IS(MIDISourceCreate(client, CFSTR("S"), &source), 0);
  IS(MIDIDestinationCreate(client, CFSTR("D"), NULL, NULL, &destination), 0);
  IS(MIDIEndpointDispose(destination), 0);
  IS(MIDIDestinationCreate(client, CFSTR("D"), readBytes, NULL, &destination), 0);
  IS(MIDIGetNumberOfSources(), 1);
  IS(MIDIGetSource(0), source);
  IS(MIDIGetSource(1), 0);
  IS(MIDIGetNumberOfDestinations(), 1);
  IS(MIDIGetDestination(0), destination);
  IS(MIDIGetDestination((ItemCount)-1), 0);
  IS(MIDIGetDevice(MIDIGetNumberOfDevices()), 0);
  IS(MIDIEndpointGetEntity(source, &entity), kMIDIObjectNotFound);
  IS(MIDIEndpointGetEntity(9999, &entity), kMIDIUnknownEndpoint);
  IS(MIDIEntityGetDevice(9999, &entity), kMIDIObjectNotFound);
  properties(source, destination);
  packets(output, input, source, destination);
  builders();
  thru(source, destination);
  IS(MIDIRestart(), 0);
  AWAIT_ON_LOOP(changes != 0);
  IS(changes, 1);
  IS(notices > 4, 1);
  IS(MIDIPortDispose(output), 0);
  IS(MIDIPortDispose(output), kMIDIInvalidPort);
  IS(MIDIEndpointDispose(source), 0);
  IS(MIDIEndpointDispose(source), kMIDIUnknownEndpoint);
  IS(MIDIClientDispose(client), 0);
  IS(MIDIClientDispose(client), kMIDIInvalidClient);
  IS(MIDIPortDispose(input), kMIDIInvalidPort);
  IS(MIDIGetNumberOfDestinations(), 0);
  return failures != 0;
}
