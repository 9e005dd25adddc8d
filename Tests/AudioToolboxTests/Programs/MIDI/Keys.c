// A virtual source: when a file is there, it plays a note for half a second.
// SPDX-License-Identifier: Apache-2.0
#include <CoreFoundation/CoreFoundation.h>
#include <CoreMIDI/CoreMIDI.h>
#include <stdio.h>
#include <unistd.h>

static MIDIEndpointRef source;

static OSStatus play(Byte status, Byte note, Byte velocity) {
  Byte memory[64];
  const Byte bytes[3] = {status, note, velocity};
  MIDIPacketList *list = (MIDIPacketList *)(void *)memory;
  MIDIPacketListAdd(list, sizeof memory, MIDIPacketListInit(list), 0, sizeof bytes, bytes);
  return MIDIReceived(source, list);
}

int main(int count, char **words) {
  MIDIClientRef client;
  if (count < 2 || MIDIClientCreate(CFSTR("Keys"), NULL, NULL, &client) != noErr
      || MIDISourceCreate(client, CFSTR("Keyboard"), &source) != noErr)
    return 1;
  printf("ready\n");
  fflush(stdout);
  for (int tries = 0; access(words[1], F_OK) != 0; tries++) {
    if (tries > 30000) return 2;
    usleep(1000);
  }
  if (play(0x90, 81, 100) != noErr) return 3;
  usleep(500000);
  if (play(0x80, 81, 0) != noErr) return 4;
  usleep(200000);
  return MIDIClientDispose(client) != noErr;
}
