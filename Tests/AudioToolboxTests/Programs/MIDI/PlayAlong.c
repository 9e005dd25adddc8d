// Plays the messages of all MIDI sources, on an instrument in front of a graph's output: a bank's, or a sampler's with a sound file.
// SPDX-License-Identifier: Apache-2.0
//
// usage: PlayAlong graph BANK | sampler FILE. It prints "sounding" after half a second of its first note, and ends 1.5
// seconds after that has ended: seconds of its device, which waits for the messages.
#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <CoreMIDI/CoreMIDI.h>
#include <stdio.h>
#include <stdatomic.h>
#include <string.h>

#include "../Await.h"

enum { kNote = 22050, kEnd = 66150 };

typedef struct Player {
  AUGraph graph;
  AudioUnit instrument;
  _Atomic int isBegun, isOver;
  _Atomic long sounded, ended;
} Player;

static int check(OSStatus status, const char *what) {
  if (status == noErr) return 0;
  printf("%s: %d\n", what, (int)status);
  return 1;
}
#define CHECK(call) \
  if (check(call, #call)) return 1

// The input port's function: every note, pedal or bend goes on to the instrument.
static void hear(const MIDIPacketList *list, void *context, void *connection) {
  Player *player = context;
  (void)connection;
  const MIDIPacket *packet = list->packet;
  for (UInt32 index = 0; index < list->numPackets; index++, packet = MIDIPacketNext(packet)) {
    if (packet->length < 3 || packet->data[0] >= 0xF0) continue;
    MusicDeviceMIDIEvent(player->instrument, packet->data[0], packet->data[1], packet->data[2], 0);
    if ((packet->data[0] & 0xF0) == 0x90) player->isBegun = 1;
    if ((packet->data[0] & 0xF0) == 0x80) player->isOver = 1;
    post();
  }
}

// Counts the device's frames, and holds the device in the middle of the note until its end has come.
static OSStatus rendered(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                         UInt32 frames, AudioBufferList *buffers) {
  Player *player = context;
  (void)time, (void)bus, (void)buffers;
  if (!(*flags & kAudioUnitRenderAction_PostRender)) return noErr;
  if (player->isOver) player->ended += frames;
  else player->sounded += frames;
  post();
  if (player->sounded >= kNote) AWAIT(player->isOver);
  return noErr;
}

static void notify(const MIDINotification *message, void *context) {
  (void)message;
  (void)context;
}

static int makeGraph(Player *player, OSType kind) {
  AudioComponentDescription instrument = {kAudioUnitType_MusicDevice, kind, kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponentDescription output = {
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode from, to;
  CHECK(NewAUGraph(&player->graph));
  CHECK(AUGraphAddNode(player->graph, &output, &to));
  CHECK(AUGraphAddNode(player->graph, &instrument, &from));
  CHECK(AUGraphOpen(player->graph));
  CHECK(AUGraphConnectNodeInput(player->graph, from, 0, to, 0));
  CHECK(AUGraphNodeInfo(player->graph, from, NULL, &player->instrument));
  CHECK(AUGraphInitialize(player->graph));
  CHECK(AUGraphAddRenderNotify(player->graph, rendered, player));
  return 0;
}

static int load(Player *player, const char *path, UInt8 kind) {
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  if (kind == kInstrumentType_Audiofile) {
    AUSamplerInstrumentData data = {url, kind, 0, 0, 0};
    CHECK(AudioUnitSetProperty(player->instrument, kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0,
                               &data, sizeof data));
  } else {
    CHECK(AudioUnitSetProperty(player->instrument, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0,
                               &url, sizeof url));
  }
  CFRelease(url);
  return 0;
}

static int connectSources(Player *player) {
  MIDIClientRef client;
  MIDIPortRef port;
  CHECK(MIDIClientCreate(CFSTR("Play along"), notify, player, &client));
  CHECK(MIDIInputPortCreate(client, CFSTR("in"), hear, player, &port));
  const ItemCount count = MIDIGetNumberOfSources();
  for (ItemCount index = 0; index < count; index++) {
    CHECK(MIDIPortConnectSource(port, MIDIGetSource(index), NULL));
  }
  printf("%lu source%s\n", (unsigned long)count, count == 1 ? "" : "s");
  fflush(stdout);
  return 0;
}

int main(int count, char **words) {
  static Player player;
  if (count < 3) return 64;
  const int isSampler = strcmp(words[1], "sampler") == 0;
  if (makeGraph(&player, isSampler ? kAudioUnitSubType_Sampler : kAudioUnitSubType_DLSSynth)) return 1;
  if (load(&player, words[2], isSampler ? kInstrumentType_Audiofile : kInstrumentType_SF2Preset)) return 1;
  if (connectSources(&player)) return 1;
  AWAIT(player.isBegun);
  CHECK(AUGraphStart(player.graph));
  AWAIT(player.sounded >= kNote);
  printf("sounding\n");
  fflush(stdout);
  // The note rings out.
  AWAIT(player.ended >= kEnd);
  CHECK(AUGraphStop(player.graph));
  CHECK(DisposeAUGraph(player.graph));
  return !player.isOver;
}
