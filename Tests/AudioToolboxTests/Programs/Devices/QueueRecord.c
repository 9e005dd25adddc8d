// Records through a queue of three buffers into a CAF file, as the book's recorder does.
// SPDX-License-Identifier: Apache-2.0
//
// usage: QueueRecord OUT.caf lpcm|aac SECONDS
#include <AudioToolbox/AudioToolbox.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"

typedef struct Recorder {
  AudioFileID file;
  _Atomic SInt64 packet;
  _Atomic int isRunning;
  double nextTime;
  int jumps;
  UInt32 framesPerPacket;
} Recorder;

static void store(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *time, UInt32 count,
    const AudioStreamPacketDescription *packets) {
  Recorder *recorder = data;
  if (count > 0) {
    if (time->mSampleTime != recorder->nextTime) recorder->jumps += 1;
    recorder->nextTime = time->mSampleTime + (double)count * recorder->framesPerPacket;
    CHECK(AudioFileWritePackets(recorder->file, false, buffer->mAudioDataByteSize, packets, recorder->packet, &count,
        buffer->mAudioData));
    recorder->packet += count;
    post();
  }
  if (recorder->isRunning) CHECK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
}

static void change(void *data, AudioQueueRef queue, AudioQueuePropertyID property) {
  (void)data, (void)queue, (void)property;
  post();
}

static int isRunning(AudioQueueRef queue) {
  UInt32 running = 0, size = sizeof running;
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size));
  return running != 0;
}

static void copyCookie(AudioQueueRef queue, AudioFileID file) {
  UInt32 size = 0;
  if (AudioQueueGetPropertySize(queue, kAudioQueueProperty_MagicCookie, &size) != noErr || size == 0) return;
  void *cookie = malloc(size);
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, &size));
  AudioFileSetProperty(file, kAudioFilePropertyMagicCookieData, size, cookie);
  free(cookie);
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  Recorder recorder = {0};
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = 44100;
  format.mChannelsPerFrame = 2;
  if (strcmp(argv[2], "aac") == 0) {
    format.mFormatID = kAudioFormatMPEG4AAC;
    UInt32 size = sizeof format;
    CHECK(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, &format));
  } else {
    format.mSampleRate = 48000;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    format.mBitsPerChannel = 16;
    format.mBytesPerFrame = format.mBytesPerPacket = 4;
    format.mFramesPerPacket = 1;
  }
  AudioQueueRef queue;
  CHECK(AudioQueueNewInput(&format, store, &recorder, NULL, NULL, 0, &queue));
  UInt32 size = sizeof format;
  CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &format, &size));
  recorder.framesPerPacket = format.mFramesPerPacket;
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)argv[1], (CFIndex)strlen(argv[1]), false);
  CHECK(AudioFileCreateWithURL(url, kAudioFileCAFType, &format, kAudioFileFlags_EraseFile, &recorder.file));
  CFRelease(url);
  copyCookie(queue, recorder.file);
  UInt32 bytes = format.mBytesPerPacket * 4800;
  if (bytes == 0) {
    UInt32 largest = 0;
    size = sizeof largest;
    CHECK(AudioQueueGetProperty(queue, kAudioQueueProperty_MaximumOutputPacketSize, &largest, &size));
    bytes = largest * 20;
  }
  recorder.isRunning = 1;
  for (int index = 0; index < 3; index++) {
    AudioQueueBufferRef buffer;
    CHECK(AudioQueueAllocateBuffer(queue, bytes, &buffer));
    CHECK(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
  }
  CHECK(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, change, NULL));
  CHECK(AudioQueueStart(queue, NULL));
  double wanted = atof(argv[3]) * format.mSampleRate;
  AWAIT((recorder.packet > 0 && !isRunning(queue)) || (double)recorder.packet * format.mFramesPerPacket >= wanted);
  recorder.isRunning = 0;
  CHECK(AudioQueueStop(queue, true));
  copyCookie(queue, recorder.file);
  printf("jumps %d, packets %d\n", recorder.jumps, recorder.packet > 0);
  CHECK(AudioQueueDispose(queue, true));
  CHECK(AudioFileClose(recorder.file));
  return 0;
}
