// Notices of endpoints: one of each that comes, and one of each that goes, for each client.
// SPDX-License-Identifier: Apache-2.0
#include <CoreFoundation/CoreFoundation.h>
#include <CoreMIDI/CoreMIDI.h>
#include <stdio.h>

#include "../AwaitLoop.h"
#include "Wanted.h"

enum { count = 6 };
static MIDIEndpointRef endpoints[count];
static int added[2][count], removed[2][count];

static int isWhole(int seen[2][count]) {
  for (int client = 0; client < 2; ++client)
    for (int place = 0; place < count; ++place)
      if (seen[client][place] == 0) return 0;
  return 1;
}

static void notify(const MIDINotification *message, void *refCon) {
  postToLoop();
  if (message->messageID != kMIDIMsgObjectAdded && message->messageID != kMIDIMsgObjectRemoved) return;
  const MIDIObjectAddRemoveNotification *moved = (const MIDIObjectAddRemoveNotification *)message;
  int client = refCon != NULL;
  for (int place = 0; place < count; ++place)
    if (endpoints[place] == moved->child)
      ++(message->messageID == kMIDIMsgObjectAdded ? added : removed)[client][place];
}

int main(void) {
  MIDIClientRef clients[2];
  beginAwaitLoop();
  IS(MIDIClientCreate(CFSTR("one"), notify, NULL, &clients[0]), 0);
  IS(MIDIClientCreate(CFSTR("two"), notify, clients, &clients[1]), 0);
  for (int place = 0; place < count; ++place) {
    if (place % 2)
      IS(MIDISourceCreate(clients[0], CFSTR("Source"), &endpoints[place]), 0);
    else
      IS(MIDIDestinationCreate(clients[1], CFSTR("Destination"), NULL, NULL, &endpoints[place]), 0);
  }
  AWAIT_ON_LOOP(isWhole(added));
  for (int place = 0; place < count; ++place) IS(MIDIEndpointDispose(endpoints[place]), 0);
  AWAIT_ON_LOOP(isWhole(removed));
  for (int client = 0; client < 2; ++client)
    for (int place = 0; place < count; ++place) {
      IS(added[client][place], 1);
      IS(removed[client][place], 1);
    }
  return failures != 0;
}
