// MIDI with blocks: notices, bytes, and universal packets of both protocols; a client that a callback disposes of.
// SPDX-License-Identifier: Apache-2.0
#include <CoreMIDI/CoreMIDI.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>
#include <stdlib.h>

#include "../Await.h"

#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      printf("line %d: %s\n", __LINE__, #condition);                                            \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)

static volatile int added, bytes, ones, twos, disposed;
static volatile UInt32 words[2];

static void waitFor(volatile int *count, int wanted) {
  AWAIT(*count >= wanted);
  CHECK(*count == wanted);
}

int main(void) {
  MIDIClientRef client = 0, other = 0;
  MIDIPortRef output = 0, input = 0, inputs[2] = {0, 0};
  MIDIEndpointRef source = 0, plain = 0, newer = 0, last = 0;
  CHECK(MIDIClientCreateWithBlock(CFSTR("blocks"), NULL, NULL) == -50);
  CHECK(MIDIClientCreateWithBlock(CFSTR("blocks"), &client, ^(const MIDINotification *message) {
          if (message->messageID == kMIDIMsgObjectAdded) ++added;
          post();
        }) == 0);
  CHECK(MIDIDestinationCreateWithBlock(client, CFSTR("plain"), &plain, NULL) == -50);
  CHECK(MIDIDestinationCreateWithBlock(
            client, CFSTR("plain"), &plain, ^(const MIDIPacketList *list, void *connection) {
              CHECK(connection == NULL);
              bytes += list->packet[0].length;
              post();
            }) == 0);
  CHECK(MIDIDestinationCreateWithProtocol(
            client, CFSTR("newer"), kMIDIProtocol_2_0, &newer,
            ^(const MIDIEventList *list, void *connection) {
              CHECK(connection == NULL && list->protocol == kMIDIProtocol_2_0);
              words[0] = list->packet[0].words[0];
              words[1] = list->packet[0].words[1];
              ++twos;
              post();
            }) == 0);
  CHECK(MIDISourceCreateWithProtocol(client, CFSTR("source"), kMIDIProtocol_2_0, &source) == 0);
  waitFor(&added, 3);
  MIDIReceiveBlock receive = ^(const MIDIEventList *list, void *connection) {
    CHECK(connection == (void *)&ones && list->protocol == kMIDIProtocol_1_0);
    CHECK(list->packet[0].wordCount == 1 && list->packet[0].words[0] == 0x20903c40);
    ++ones;
    post();
  };
  CHECK(MIDIInputPortCreateWithProtocol(client, CFSTR("in"), 7, &input, receive) == -50);
  CHECK(MIDIInputPortCreateWithProtocol(client, CFSTR("in"), kMIDIProtocol_1_0, &input, receive) == 0);
  CHECK(MIDIInputPortCreateWithBlock(
            client, CFSTR("in"), &inputs[0], ^(const MIDIPacketList *list, void *connection) {
              CHECK(connection == NULL && list->packet[0].length == 3);
              bytes += 3;
              post();
            }) == 0);
  CHECK(MIDIPortConnectSource(input, source, (void *)&ones) == 0);
  CHECK(MIDIPortConnectSource(inputs[0], source, NULL) == 0);
  CHECK(MIDIOutputPortCreate(client, CFSTR("out"), &output) == 0);

  MIDIEventList list;
  UInt32 note[2] = {0x40903c00, 0x81020000};
  MIDIEventPacket *packet = MIDIEventListInit(&list, kMIDIProtocol_2_0);
  CHECK(MIDIEventListAdd(&list, sizeof list, packet, 0, 2, note) != NULL);
  CHECK(MIDIReceivedEventList(source, &list) == 0);
  waitFor(&ones, 1);
  waitFor(&bytes, 3);
  CHECK(MIDISendEventList(output, plain, &list) == 0);
  waitFor(&bytes, 6);
  CHECK(MIDISendEventList(output, newer, &list) == 0);
  waitFor(&twos, 1);
  CHECK(words[0] == note[0] && words[1] == note[1]);

  // A callback disposes of the client it belongs to.
  CHECK(MIDIClientCreateWithBlock(CFSTR("other"), &other, NULL) == 0);
  MIDIClientRef gone = other;
  CHECK(MIDIDestinationCreateWithBlock(
            other, CFSTR("last"), &last, ^(const MIDIPacketList *packets, void *connection) {
              CHECK(packets->numPackets > 0 && connection == NULL);
              CHECK(MIDIClientDispose(gone) == 0);
              ++disposed;
              post();
            }) == 0);
  CHECK(MIDISendEventList(output, last, &list) == 0);
  waitFor(&disposed, 1);
  CHECK(MIDISendEventList(output, last, &list) == kMIDIUnknownEndpoint);
  CHECK(MIDIClientDispose(client) == 0);
  return 0;
}
