// Plays a sound file through a queue of three buffers, as the book's player does.
// SPDX-License-Identifier: Apache-2.0
//
// usage: QueuePlay FILE thread|late|loop|offline [OUT.raw [ALGORITHM RATE CENTS]].
// "late" has a callback that lasts longer, on purpose, than a device would wait for an ordinary one.
#include <AudioToolbox/AudioToolbox.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../AwaitLoop.h"
#include "Check.h"

typedef struct Player {
  AudioFileID file;
  SInt64 packet;
  UInt32 packetsToRead;
  AudioStreamPacketDescription *packets;
  _Atomic int isDone, ended, callbacks;
  int isLate;
} Player;

static void fill(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  Player *player = data;
  if (atomic_fetch_add(&player->callbacks, 1) == 8 && player->isLate) usleep(4000000);
  if (player->isDone) return;
  UInt32 bytes = buffer->mAudioDataBytesCapacity, count = player->packetsToRead;
  OSStatus status = AudioFileReadPacketData(
      player->file, false, &bytes, player->packets, player->packet, &count, buffer->mAudioData);
  if (status != kAudioFileEndOfFileError) CHECK(status);
  if (count == 0) {
    player->isDone = 1;
    CHECK(AudioQueueStop(queue, false));
    return;
  }
  buffer->mAudioDataByteSize = bytes;
  CHECK(AudioQueueEnqueueBuffer(queue, buffer, player->packets ? count : 0, player->packets));
  player->packet += count;
}

static void heard(void *data, AudioQueueRef queue, AudioQueuePropertyID property) {
  Player *player = data;
  UInt32 running = 1, size = sizeof running;
  CHECK(AudioQueueGetProperty(queue, property, &running, &size));
  if (!running) player->ended = 1;
  post();
  postToLoop();
}

static void renderOffline(Player *player, AudioQueueRef queue, const AudioStreamBasicDescription *source, const char *path) {
  AudioStreamBasicDescription format = {source->mSampleRate, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked,
      4 * source->mChannelsPerFrame, 1, 4 * source->mChannelsPerFrame, source->mChannelsPerFrame, 32, 0};
  FILE *out = fopen(path, "wb");
  AudioQueueBufferRef capture;
  CHECK(AudioQueueAllocateBuffer(queue, 4000 * format.mBytesPerFrame, &capture));
  CHECK(AudioQueueSetOfflineRenderFormat(queue, &format, NULL));
  CHECK(AudioQueueStart(queue, NULL));
  AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  CHECK(AudioQueueOfflineRender(queue, &time, capture, 0));
  for (;;) {
    CHECK(AudioQueueOfflineRender(queue, &time, capture, 4000));
    if (capture->mAudioDataByteSize == 0) break;
    fwrite(capture->mAudioData, 1, capture->mAudioDataByteSize, out);
    time.mSampleTime += capture->mAudioDataByteSize / format.mBytesPerFrame;
  }
  fclose(out);
  (void)player;
}

/// Sets speed and pitch of the queue; prints the refused settings.
static void tune(AudioQueueRef queue, char **words) {
  const char *code = words[0];
  UInt32 one = 1, algorithm = (UInt32)code[0] << 24 | (UInt32)code[1] << 16 | (UInt32)code[2] << 8 | (UInt32)code[3];
  OSStatus early = AudioQueueSetParameter(queue, kAudioQueueParam_PlayRate, 2);
  CHECK(AudioQueueSetProperty(queue, kAudioQueueProperty_EnableTimePitch, &one, sizeof one));
  UInt32 wrong = 1;
  OSStatus unknown = AudioQueueSetProperty(queue, kAudioQueueProperty_TimePitchAlgorithm, &wrong, sizeof wrong);
  CHECK(AudioQueueSetProperty(queue, kAudioQueueProperty_TimePitchAlgorithm, &algorithm, sizeof algorithm));
  CHECK(AudioQueueSetParameter(queue, kAudioQueueParam_PlayRate, strtof(words[1], NULL)));
  CHECK(AudioQueueSetParameter(queue, kAudioQueueParam_Pitch, strtof(words[2], NULL)));
  UInt32 found = 0, size = sizeof found;
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_TimePitchAlgorithm, &found, &size));
  printf("early %d, unknown %d, same %d\n", (int)early, (int)unknown, found == algorithm);
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  Player player = {0};
  player.isLate = strcmp(argv[2], "late") == 0;
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)argv[1], (CFIndex)strlen(argv[1]), false);
  CHECK(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &player.file));
  CFRelease(url);
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  CHECK(AudioFileGetProperty(player.file, kAudioFilePropertyDataFormat, &size, &format));
  AudioQueueRef queue;
  beginAwaitLoop();
  CFRunLoopRef loop = strcmp(argv[2], "loop") == 0 ? CFRunLoopGetCurrent() : NULL;
  CHECK(AudioQueueNewOutput(&format, fill, &player, loop, NULL, 0, &queue));
  CHECK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, heard, &player));
  UInt32 bytes = 4096, largest = 0;
  size = sizeof largest;
  CHECK(AudioFileGetProperty(player.file, kAudioFilePropertyPacketSizeUpperBound, &size, &largest));
  if (bytes < largest) bytes = largest;
  player.packetsToRead = bytes / largest;
  if (format.mBytesPerPacket == 0) player.packets = malloc(player.packetsToRead * sizeof *player.packets);
  UInt32 writable;
  if (AudioFileGetPropertyInfo(player.file, kAudioFilePropertyMagicCookieData, &size, &writable) == noErr && size > 0) {
    void *cookie = malloc(size);
    CHECK(AudioFileGetProperty(player.file, kAudioFilePropertyMagicCookieData, &size, cookie));
    CHECK(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, size));
    free(cookie);
  }
  if (argc > 6) tune(queue, argv + 4);
  for (int index = 0; index < 3; index++) {
    AudioQueueBufferRef buffer;
    CHECK(AudioQueueAllocateBuffer(queue, bytes, &buffer));
    fill(&player, queue, buffer);
  }
  if (strcmp(argv[2], "offline") == 0) {
    renderOffline(&player, queue, &format, argv[3]);
  } else {
    CHECK(AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.5f));
    CHECK(AudioQueueStart(queue, NULL));
    // The loop calls back; without one, a thread of the queue does.
    if (loop != NULL) AWAIT_ON_LOOP(player.ended);
    AWAIT(player.ended);
    printf("done %d, ended %d\n", player.isDone, player.ended);
  }
  CHECK(AudioQueueDispose(queue, true));
  CHECK(AudioFileClose(player.file));
  return 0;
}
