// A player without a graph sends to MIDI endpoints, with times of the host's clock.
// SPDX-License-Identifier: Apache-2.0
#include <mach/mach_time.h>
#include <pthread.h>
#include <unistd.h>

#include "Expect.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  UInt64 time;
  UInt32 endpoint;
  UInt8 bytes[3];
} sent[64];
static int sentCount = 0;

// Stands for Core MIDI: the library finds what the process has.
extern OSStatus MIDIClientCreate(CFStringRef name, void *notify, void *data, UInt32 *client);
extern OSStatus MIDIOutputPortCreate(UInt32 client, CFStringRef name, UInt32 *port);
extern OSStatus MIDISend(UInt32 port, UInt32 endpoint, const MIDIPacketList *list);

OSStatus MIDIClientCreate(CFStringRef name, void *notify, void *data, UInt32 *client) {
  (void)name;
  (void)notify;
  (void)data;
  *client = 11;
  return noErr;
}

OSStatus MIDIOutputPortCreate(UInt32 client, CFStringRef name, UInt32 *port) {
  (void)name;
  *port = client + 1;
  return noErr;
}

OSStatus MIDISend(UInt32 port, UInt32 endpoint, const MIDIPacketList *list) {
  pthread_mutex_lock(&lock);
  if (port == 12 && sentCount < 64) {
    sent[sentCount].time = list->packet[0].timeStamp;
    sent[sentCount].endpoint = endpoint;
    memcpy(sent[sentCount].bytes, list->packet[0].data, 3);
    sentCount += 1;
  }
  pthread_mutex_unlock(&lock);
  return noErr;
}

int main(void) {
  MusicSequence sequence;
  MusicTrack track;
  MusicPlayer player;
  Boolean playing;
  OK(NewMusicSequence(&sequence));
  OK(MusicSequenceNewTrack(sequence, &track));
  OK(MusicSequenceSetMIDIEndpoint(sequence, 4711));
  for (int index = 0; index < 4; index++) {
    const MIDINoteMessage note = {2, (UInt8)(60 + index), 100, 0, 0.1f};
    OK(MusicTrackNewMIDINoteEvent(track, index / 4.0, &note));
  }
  OK(NewMusicPlayer(&player));
  OK(MusicPlayerSetSequence(player, sequence));
  OK(MusicPlayerStart(player));
  int count = 0;
  for (int tries = 0; tries < 4000 && count < 8; tries++) {
    usleep(1000);
    pthread_mutex_lock(&lock);
    count = sentCount;
    pthread_mutex_unlock(&lock);
  }
  OK(MusicPlayerIsPlaying(player, &playing));
  TRUE_(playing);
  OK(MusicPlayerStop(player));
  OK(DisposeMusicPlayer(player));
  TRUE_(count == 8);
  // An eighth of a second from note to note, whenever they were sent.
  UInt64 first = 0;
  int notes = 0;
  for (int index = 0; index < count; index++) {
    TRUE_(sent[index].endpoint == 4711);
    if (sent[index].bytes[0] != 0x92) continue;
    if (notes == 0) first = sent[index].time;
    TRUE_(sent[index].bytes[1] == 60 + notes && sent[index].bytes[2] == 100);
    const double distance = (double)(sent[index].time - first) / 1e9 - notes * 0.125;
    TRUE_(fabs(distance) < 3e-6);
    notes += 1;
  }
  TRUE_(notes == 4);
  OK(DisposeMusicSequence(sequence));
  printf("failures %d\n", failures);
  return failures > 0;
}
