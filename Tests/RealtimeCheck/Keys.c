// Plays a new MIDI source until its input is closed: notes, pedals, bends, controllers and a long message.
// SPDX-License-Identifier: Apache-2.0
#include <CoreFoundation/CoreFoundation.h>
#include <CoreMIDI/CoreMIDI.h>
#include <poll.h>
#include <stdio.h>

static MIDIEndpointRef source;

static void send(const Byte *bytes, UInt16 count) {
  struct {
    MIDIPacketList list;
    Byte room[256];
  } memory;
  MIDIPacket *packet = MIDIPacketListInit(&memory.list);
  if (MIDIPacketListAdd(&memory.list, sizeof memory, packet, 0, count, bytes)) MIDIReceived(source, &memory.list);
}

int main(void) {
  MIDIClientRef client;
  if (MIDIClientCreate(CFSTR("keys"), NULL, NULL, &client) != noErr) return 1;
  if (MIDISourceCreate(client, CFSTR("Checked keys"), &source) != noErr) return 1;
  printf("ready\n");
  fflush(stdout);
  struct pollfd input = {0, POLLIN, 0};
  // The intervals of a player; no result depends on them.
  for (unsigned turn = 0; poll(&input, 1, 7) == 0; turn++) {
    const Byte key = (Byte)(48 + turn * 5 % 36), value = (Byte)(turn * 3 % 128);
    send((const Byte[]){(Byte)(turn % 2 ? 0x80 : 0x90), key, 90}, 3);
    send((const Byte[]){0xB0, (Byte)(turn % 3 ? 1 : 64), value}, 3);
    send((const Byte[]){0xE0, value, value}, 3);
    if (turn % 16 == 0) send((const Byte[]){0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7}, 6);
  }
  return MIDIClientDispose(client) == noErr ? 0 : 1;
}
