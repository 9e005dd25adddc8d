// CAShow of every kind of handle that a program has: each is named, and none ends the program.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "Check.h"

static void returned(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)data, (void)queue, (void)buffer;
}

static void found(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID property, AudioFileStreamPropertyFlags *flags) {
  (void)data, (void)stream, (void)property, (void)flags;
}

static void packets(void *data, UInt32 bytes, UInt32 count, const void *memory, AudioStreamPacketDescription *descriptions) {
  (void)data, (void)bytes, (void)count, (void)memory, (void)descriptions;
}

int main(void) {
  AudioStreamBasicDescription format = {
      48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
  MusicSequence sequence;
  MusicTrack track;
  MusicPlayer player;
  AudioQueueRef queue;
  AudioQueueBufferRef empty;
  AudioConverterRef converter;
  CAClockRef clock;
  AudioFileStreamID stream;
  CHECK(NewMusicSequence(&sequence));
  CHECK(MusicSequenceNewTrack(sequence, &track));
  CHECK(NewMusicPlayer(&player));
  CHECK(AudioQueueNewOutput(&format, returned, NULL, NULL, NULL, 0, &queue));
  CHECK(AudioQueueAllocateBuffer(queue, 0, &empty));
  CHECK(AudioConverterNew(&format, &format, &converter));
  CHECK(CAClockNew(0, &clock));
  CHECK(AudioFileStreamOpen(NULL, found, packets, kAudioFileWAVEType, &stream));
  char *memory = calloc(1, 256);
  void *objects[] = {sequence, track, player, queue, converter, clock, stream, memory, (void *)8, &format,
                     (void *)(uintptr_t)CFSTR("text")};
  for (unsigned place = 0; place < sizeof objects / sizeof *objects; place++) CAShow(objects[place]);
  return 0;
}
