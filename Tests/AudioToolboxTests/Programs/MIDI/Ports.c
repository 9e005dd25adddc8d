// MIDI between processes: one listens or plays, the other sends or follows; each says how many packets came in order.
// SPDX-License-Identifier: Apache-2.0
#include <CoreMIDI/CoreMIDI.h>
#include <CoreFoundation/CoreFoundation.h>
#include <mach/mach_time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../AwaitLoop.h"

#define CHECK(call)                                                                             \
  do {                                                                                          \
    OSStatus status_ = (call);                                                                  \
    if (status_ != 0) {                                                                         \
      printf("%s: %d\n", #call, (int)status_);                                                  \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)

static volatile int received, inOrder = 1, exclusiveBytes, exclusiveEnded;
static volatile unsigned sum;

static void take(const Byte *data, int length) {
  if (length > 0 && (data[0] == 0xf0 || data[0] < 0x80)) {
    for (int i = 0; i < length; ++i) {
      sum = sum * 31 + data[i];
      if (data[i] == 0xf7) exclusiveEnded = 1;
    }
    exclusiveBytes += length;
    return;
  }
  for (int i = 0; i + 3 <= length; i += 3) {
    if (data[i] != 0x90 || data[i + 1] != (received & 127) || data[i + 2] != ((received >> 7) & 127))
      inOrder = 0;
    ++received;
  }
}

static void takeList(const MIDIPacketList *list, void *context, void *connection) {
  const MIDIPacket *packet = &list->packet[0];
  if (context != (void *)&received || (connection != NULL && connection != (void *)&sum)) inOrder = 0;
  for (UInt32 i = 0; i < list->numPackets; ++i) {
    take(packet->data, packet->length);
    packet = MIDIPacketNext(packet);
  }
  post();
}

static void report(void) {
  AWAIT(exclusiveEnded);
  printf("%d packets, in order %d, %d bytes, sum %u\n", received, inOrder, exclusiveBytes, sum);
}

// A list of up to 60,000 bytes at a time, handed to one of the two ways of sending.
static void sendAll(MIDIPortRef port, MIDIEndpointRef endpoint, int count) {
  static Byte memory[65536];
  static Byte exclusive[100000];
  MIDIPacketList *list = (MIDIPacketList *)memory;
  for (int sent = 0; sent < count;) {
    MIDIPacket *packet = MIDIPacketListInit(list);
    for (int i = 0; i < 50 && sent < count; ++i, ++sent) {
      Byte note[3] = {0x90, (Byte)(sent & 127), (Byte)((sent >> 7) & 127)};
      packet = MIDIPacketListAdd(
          list, sizeof memory, packet, port ? 0 : mach_absolute_time(), 3, note);
      if (!packet) exit(2);
    }
    if (port) CHECK(MIDISend(port, endpoint, list));
    else CHECK(MIDIReceived(endpoint, list));
  }
  for (int i = 0; i < (int)sizeof exclusive; ++i) exclusive[i] = (Byte)((i * 7) & 127);
  exclusive[0] = 0xf0;
  exclusive[sizeof exclusive - 1] = 0xf7;
  unsigned expected = 0;
  for (int i = 0; i < (int)sizeof exclusive; ++i) expected = expected * 31 + exclusive[i];
  for (int place = 0; place < (int)sizeof exclusive; place += 50000) {
    MIDIPacket *packet = MIDIPacketListInit(list);
    if (!MIDIPacketListAdd(list, sizeof memory, packet, 0, 50000, exclusive + place)) exit(2);
    if (port) CHECK(MIDISend(port, endpoint, list));
    else CHECK(MIDIReceived(endpoint, list));
  }
  printf("sum %u\n", expected);
}

static MIDIEndpointRef firstOf(ItemCount (*count)(void), MIDIEndpointRef (*get)(ItemCount)) {
  AWAIT_ON_LOOP(count() > 0);
  return get(0);
}

// Wakes the waits on the run loop: endpoints came or went.
static void notify(const MIDINotification *message, void *context) {
  (void)message;
  (void)context;
  postToLoop();
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  const char *what = argv[1];
  int count = atoi(argv[2]);
  MIDIClientRef client;
  beginAwaitLoop();
  MIDIPortRef port = 0;
  MIDIEndpointRef endpoint;
  CHECK(MIDIClientCreate(CFSTR("program"), notify, NULL, &client));
  if (strcmp(what, "listen") == 0) {
    SInt32 number;
    CHECK(MIDIDestinationCreate(client, CFSTR("Listener"), takeList, (void *)&received, &endpoint));
    CHECK(MIDIObjectGetIntegerProperty(endpoint, kMIDIPropertyUniqueID, &number));
    printf("number %d\n", (int)number);
    fflush(stdout);
    report();
  } else if (strcmp(what, "send") == 0) {
    CHECK(MIDIOutputPortCreate(client, CFSTR("out"), &port));
    endpoint = firstOf(MIDIGetNumberOfDestinations, MIDIGetDestination);
    sendAll(port, endpoint, count);
  } else if (strcmp(what, "follow") == 0) {
    CHECK(MIDIInputPortCreate(client, CFSTR("in"), takeList, (void *)&received, &port));
    endpoint = firstOf(MIDIGetNumberOfSources, MIDIGetSource);
    CHECK(MIDIPortConnectSource(port, endpoint, (void *)&sum));
    MIDIEndpointRef go;
    CHECK(MIDISourceCreate(client, CFSTR("Connected"), &go));
    report();
  } else if (strcmp(what, "play") == 0) {
    CHECK(MIDISourceCreate(client, CFSTR("Player"), &endpoint));
    AWAIT_ON_LOOP(MIDIGetNumberOfSources() >= 2);
    sendAll(0, endpoint, count);
    AWAIT_ON_LOOP(MIDIGetNumberOfSources() < 2);
  }
  return 0;
}
