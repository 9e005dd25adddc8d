// A player without a graph sends to MIDI endpoints, with times of the host's clock.
// SPDX-License-Identifier: Apache-2.0
#include <mach/mach_time.h>
#include <pthread.h>

#include "../Await.h"
#include "Expect.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  UInt64 time;
  UInt32 endpoint;
  UInt8 bytes[3];
} sent[64];
static int sentCount = 0;

// Records the packets to a virtual destination of this program.
static void receive(const MIDIPacketList *list, void *context, void *source) {
  (void)source;
  pthread_mutex_lock(&lock);
  const MIDIPacket *packet = &list->packet[0];
  for (UInt32 index = 0; index < list->numPackets; index++) {
    for (UInt16 place = 0; place + 3 <= packet->length && sentCount < 64; place += 3) {
      sent[sentCount].time = packet->timeStamp;
      sent[sentCount].endpoint = *(const MIDIEndpointRef *)context;
      memcpy(sent[sentCount].bytes, packet->data + place, 3);
      sentCount += 1;
    }
    packet = MIDIPacketNext(packet);
  }
  pthread_mutex_unlock(&lock);
  post();
}

static int sentSoFar(void) {
  pthread_mutex_lock(&lock);
  const int count = sentCount;
  pthread_mutex_unlock(&lock);
  return count;
}

int main(void) {
  MusicSequence sequence;
  MusicTrack track;
  MusicPlayer player;
  Boolean playing;
  MIDIClientRef client;
  static MIDIEndpointRef destination;
  OK(MIDIClientCreate(CFSTR("Endpoints"), NULL, NULL, &client));
  OK(MIDIDestinationCreate(client, CFSTR("Keys"), receive, &destination, &destination));
  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceNewTrack(sequence, &track));
  OK(MusicSequenceSetMIDIEndpoint(sequence, destination));
  for (int index = 0; index < 4; index++) {
    const MIDINoteMessage note = {2, (UInt8)(60 + index), 100, 0, 0.1f};
    OK(MusicTrackNewMIDINoteEvent(track, index / 4.0, &note));
  }
  OK(NewMusicPlayer(&player));
  OK(MusicPlayerSetSequence(player, sequence));
  OK(MusicPlayerStart(player));
  AWAIT(sentSoFar() >= 8);
  const int count = sentSoFar();
  OK(MusicPlayerIsPlaying(player, &playing));
  TRUE_(playing);
  OK(MusicPlayerStop(player));
  OK(DisposeMusicPlayer(player));
  TRUE_(count == 8);
  // An eighth of a second from note to note, whenever they were sent.
  UInt64 first = 0;
  int notes = 0;
  for (int index = 0; index < count; index++) {
    TRUE_(sent[index].endpoint == destination);
    if (sent[index].bytes[0] != 0x92) continue;
    if (notes == 0) first = sent[index].time;
    TRUE_(sent[index].bytes[1] == 60 + notes && sent[index].bytes[2] == 100);
    const double distance = (double)(sent[index].time - first) / 1e9 - notes * 0.125;
    TRUE_(fabs(distance) < 3e-6);
    notes += 1;
  }
  TRUE_(notes == 4);
  OK(DisposeMusicSequence(sequence));
  OK(MIDIClientDispose(client));
  printf("failures %d\n", failures);
  return failures > 0;
}
