// A virtual source: plays a note when a file is there, and ends it and itself at two others.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Keys FILE; the others are FILE.off and FILE.end
#include <CoreFoundation/CoreFoundation.h>
#include <CoreMIDI/CoreMIDI.h>
#include <stdio.h>

#include "../AwaitFile.h"

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
  char off[4096], end[4096];
  if (count < 2 || MIDIClientCreate(CFSTR("Keys"), NULL, NULL, &client) != noErr
      || MIDISourceCreate(client, CFSTR("Keyboard"), &source) != noErr)
    return 1;
  printf("ready\n");
  fflush(stdout);
  snprintf(off, sizeof off, "%s.off", words[1]);
  snprintf(end, sizeof end, "%s.end", words[1]);
  awaitFile(words[1]);
  if (play(0x90, 81, 100) != noErr) return 3;
  awaitFile(off);
  if (play(0x80, 81, 0) != noErr) return 4;
  awaitFile(end);
  return MIDIClientDispose(client) != noErr;
}
