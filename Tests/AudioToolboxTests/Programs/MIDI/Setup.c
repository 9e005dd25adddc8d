// Devices that a program describes: their entities, endpoints and properties, which the next program finds again.
// SPDX-License-Identifier: Apache-2.0
//
// With "make" it describes one and prints its number; with "find NUMBER" it finds it, and removes it.
#include <CoreFoundation/CoreFoundation.h>
#include <CoreMIDI/CoreMIDI.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Wanted.h"

static int isText(MIDIObjectRef object, CFStringRef property, CFStringRef wanted) {
  CFStringRef text = NULL;
  if (MIDIObjectGetStringProperty(object, property, &text) != 0) return 0;
  int same = CFEqual(text, wanted);
  CFRelease(text);
  return same;
}

static int make(void) {
  MIDIDeviceRef device = 0, other = 0;
  MIDIEntityRef entity = 0, second = 0, found = 0;
  SInt32 number = 0, same = 0;
  IS(MIDIExternalDeviceCreate(CFSTR("D-50"), CFSTR("Roland"), NULL, &device), -50);
  IS(MIDIExternalDeviceCreate(CFSTR("D-50"), CFSTR("Roland"), CFSTR("LA"), &device), 0);
  IS(MIDIDeviceAddEntity(device, CFSTR("Keys"), false, 1, 2, &entity), 0);
  IS(MIDIDeviceNewEntity(device, CFSTR("D-50 Panel"), 3, false, 1, 0, &second), -50);
  IS(MIDIDeviceNewEntity(device, CFSTR("D-50 Panel"), kMIDIProtocol_2_0, true, 1, 0, &second), 0);
  IS(MIDIDeviceAddEntity(entity, CFSTR("Keys"), false, 1, 2, &found), kMIDIObjectNotFound);
  IS(MIDIDeviceAddEntity(device, CFSTR("Keys"), false, 1, 20000, &found), -50);
  // It is in no list yet.
  IS(MIDIGetNumberOfExternalDevices(), 0);
  IS(MIDISetupRemoveExternalDevice(device), kMIDIObjectNotFound);
  IS(MIDISetupAddExternalDevice(device), 0);
  IS(MIDISetupAddExternalDevice(device), kMIDIObjectNotFound);
  IS(MIDIGetNumberOfExternalDevices(), 1);
  // The one that is always there.
  IS(MIDIGetNumberOfDevices(), 1);
  IS(isText(MIDIGetDevice(0), kMIDIPropertyName, CFSTR("IAC Driver")), 1);
  IS(MIDIDeviceGetNumberOfEntities(MIDIGetDevice(0)), 0);
  IS(MIDIGetExternalDevice(0), device);
  IS(MIDIGetExternalDevice(1), 0);
  IS(MIDIDeviceGetNumberOfEntities(device), 2);
  IS(MIDIDeviceGetEntity(device, 1), second);
  IS(MIDIEntityGetNumberOfSources(entity), 1);
  IS(MIDIEntityGetNumberOfDestinations(entity), 2);
  IS(MIDIEntityAddOrRemoveEndpoints(entity, 2, 1), 0);
  IS(MIDIEntityGetNumberOfSources(entity), 2);
  IS(MIDIEntityGetNumberOfDestinations(entity), 1);
  MIDIEndpointRef source = MIDIEntityGetSource(entity, 1);
  IS(MIDIEndpointGetEntity(source, &found), 0);
  IS(found, entity);
  IS(MIDIEntityGetDevice(entity, &other), 0);
  IS(other, device);
  IS(MIDIEntityGetDevice(device, &other), kMIDIObjectNotFound);
  // Properties of an endpoint are its own, or its owners'.
  IS(isText(source, kMIDIPropertyManufacturer, CFSTR("Roland")), 1);
  IS(isText(source, kMIDIPropertyDisplayName, CFSTR("D-50 Keys 2")), 1);
  IS(isText(MIDIEntityGetSource(second, 0), kMIDIPropertyDisplayName, CFSTR("D-50 Panel")), 1);
  IS(MIDIObjectSetIntegerProperty(device, kMIDIPropertyDeviceID, 16), 0);
  IS(MIDIObjectGetIntegerProperty(source, kMIDIPropertyDeviceID, &number), 0);
  IS(number, 16);
  IS(MIDIObjectGetIntegerProperty(source, kMIDIPropertyOffline, &number), 0);
  IS(number, 1);
  IS(MIDIObjectGetIntegerProperty(device, kMIDIPropertyUniqueID, &number), 0);
  IS(MIDIObjectGetIntegerProperty(entity, kMIDIPropertyUniqueID, &same), 0);
  IS(MIDIObjectSetIntegerProperty(entity, kMIDIPropertyUniqueID, number), kMIDIIDNotUnique);
  // Their endpoints are described, and not there.
  IS(MIDIGetNumberOfSources(), 0);
  IS(MIDIDeviceRemoveEntity(device, second), 0);
  IS(MIDIDeviceGetNumberOfEntities(device), 1);
  printf("%d\n", (int)number);
  return failures;
}

static int find(SInt32 number) {
  MIDIObjectRef device = 0;
  MIDIObjectType type = 0;
  CFPropertyListRef all = NULL;
  CFDataRef data = NULL;
  MIDISetupRef setup = 0, copy = 0;
  IS(MIDIObjectFindByUniqueID(number, &device, &type), 0);
  IS(type, kMIDIObjectType_ExternalDevice);
  IS(device, MIDIGetExternalDevice(0));
  IS(isText(device, kMIDIPropertyModel, CFSTR("LA")), 1);
  IS(MIDIDeviceGetNumberOfEntities(device), 1);
  IS(MIDIObjectGetProperties(device, &all, true), 0);
  CFArrayRef entities = CFDictionaryGetValue((CFDictionaryRef)all, CFSTR("entities"));
  IS(entities == NULL ? 0 : CFArrayGetCount(entities), 1);
  CFRelease(all);
  // The setup as a whole: away, and back.
  IS(MIDISetupGetCurrent(&setup), 0);
  IS(MIDISetupToData(setup, &data), 0);
  IS(MIDISetupRemoveExternalDevice(device), 0);
  IS(MIDIGetNumberOfExternalDevices(), 0);
  IS(MIDISetupFromData(data, &copy), 0);
  IS(MIDISetupInstall(copy), 0);
  IS(MIDIGetNumberOfExternalDevices(), 1);
  CFRelease(data);
  data = CFDataCreate(NULL, (const UInt8 *)"devices", 7);
  IS(MIDISetupFromData(data, &copy), kMIDISetupFormatErr);
  IS(MIDISetupDispose(setup), 0);
  IS(MIDISetupDispose(setup), kMIDIObjectNotFound);
  IS(MIDISetupRemoveExternalDevice(MIDIGetExternalDevice(0)), 0);
  CFRelease(data);
  return failures;
}

static UInt32 kinds[16];
static MIDIUniversalMessage visited[16];
static void visit(void *context, MIDITimeStamp time, MIDIUniversalMessage message) {
  int *count = context;
  (void)time;
  if (*count < 16) {
    visited[*count] = message;
    kinds[(*count)++] = message.type;
  }
}

static int visits(void) {
  Byte memory[512];
  MIDIEventList *list = (MIDIEventList *)(void *)memory;
  MIDIEventPacket *packet = MIDIEventListInit(list, kMIDIProtocol_2_0);
  MIDIMessage_64 on = MIDI2NoteOn(3, 5, 60, 3, 0x1234, 0xC000), bank = MIDI2ProgramChange(0, 1, true, 7, 2, 3);
  const UInt32 words[] = {
      on.word0, on.word1, bank.word0, bank.word1, MIDI1UPPitchBend(1, 2, 0, 64),
      MIDI1UPSystemCommon(0, kMIDIStatusSongPosPointer, 5, 1), 0x32130102, 0x03000000, 0x32310405, 0};
  packet = MIDIEventListAdd(list, sizeof memory, packet, 9, 10, words);
  int count = 0;
  MIDIEventListForEachEvent(list, visit, &count);
  IS(count, 6);
  IS(kinds[0], kMIDIMessageTypeChannelVoice2);
  IS(visited[0].group, 3);
  IS(visited[0].channelVoice2.status, kMIDICVStatusNoteOn);
  IS(visited[0].channelVoice2.channel, 5);
  IS(visited[0].channelVoice2.note.number, 60);
  IS(visited[0].channelVoice2.note.velocity, 0xC000);
  IS(visited[0].channelVoice2.note.attribute, 0x1234);
  IS(visited[1].channelVoice2.programChange.options, kMIDIProgramChangeBankValid);
  IS(visited[1].channelVoice2.programChange.program, 7);
  IS(visited[1].channelVoice2.programChange.bank, 2 << 7 | 3);
  IS(visited[2].channelVoice1.pitchBend, 8192);
  IS(visited[3].system.songPositionPointer, 133);
  IS(visited[4].sysEx.channel, 3);
  IS(visited[4].sysEx.data[2], 3);
  CFDataRef data = NULL;
  IS(MIDIEventPacketSysexBytesForGroup(packet, 2, &data), 0);
  const UInt8 wanted[] = {0xF0, 1, 2, 3, 4, 5, 0xF7};
  // The second piece says that it has one byte.
  IS(CFDataGetLength(data), 6);
  IS(memcmp(CFDataGetBytePtr(data), wanted, 5), 0);
  CFRelease(data);
  IS(MIDIEventPacketSysexBytesForGroup(packet, 7, &data), kMIDIUnknownError);
  return failures;
}

int main(int count, char **words) {
  MIDIClientRef client;
  IS(MIDIClientCreate(CFSTR("Setup"), NULL, NULL, &client), 0);
  if (count > 2) return find((SInt32)strtol(words[2], NULL, 10));
  return visits() + make();
}
