// A stream of bytes to a device or from it, over an audio queue.
// SPDX-License-Identifier: Apache-2.0
#include "QueueStream.h"

#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kBuffers = 4, kFrames = 2048 };

struct QueueStream {
  AudioQueueRef queue;
  bool records, isStarted, hasEnded;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  // Buffers of the program, in the order in which the queue returned them.
  AudioQueueBufferRef returned[kBuffers];
  unsigned first, count;
  AudioQueueBufferRef current;
  size_t place;
};

static void receive(QueueStream *stream, AudioQueueBufferRef buffer) {
  pthread_mutex_lock(&stream->mutex);
  if (stream->count < kBuffers)
    stream->returned[(stream->first + stream->count++) % kBuffers] = buffer;
  pthread_cond_signal(&stream->changed);
  pthread_mutex_unlock(&stream->mutex);
}

static void played(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) { receive(data, buffer); }

static void recorded(
    void *data, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *time,
    UInt32 packets, const AudioStreamPacketDescription *descriptions) {
  receive(data, buffer);
}

static void follow(void *data, AudioQueueRef queue, AudioQueuePropertyID property) {
  QueueStream *stream = data;
  UInt32 isRunning = 1, size = sizeof isRunning;
  if (AudioQueueGetProperty(queue, property, &isRunning, &size) != noErr || isRunning != 0) return;
  pthread_mutex_lock(&stream->mutex);
  stream->hasEnded = true;
  pthread_cond_signal(&stream->changed);
  pthread_mutex_unlock(&stream->mutex);
}

/// Waits for a buffer; false once the queue has stopped and all are in use.
static bool next(QueueStream *stream) {
  if (stream->current != NULL) return true;
  pthread_mutex_lock(&stream->mutex);
  while (stream->count == 0 && !stream->hasEnded) pthread_cond_wait(&stream->changed, &stream->mutex);
  if (stream->count > 0) {
    stream->current = stream->returned[stream->first];
    stream->first = (stream->first + 1) % kBuffers;
    stream->count--;
    stream->place = 0;
  }
  pthread_mutex_unlock(&stream->mutex);
  return stream->current != NULL;
}

static OSStatus chooseDevice(QueueStream *stream, const char *device) {
  CFStringRef uid = CFStringCreateWithCString(NULL, device, kCFStringEncodingUTF8);
  if (uid == NULL) return kAudio_ParamError;
  const OSStatus status =
      AudioQueueSetProperty(stream->queue, kAudioQueueProperty_CurrentDevice, &uid, sizeof uid);
  CFRelease(uid);
  return status;
}

static OSStatus makeBuffers(QueueStream *stream, UInt32 bytes) {
  for (unsigned index = 0; index < kBuffers; index++) {
    AudioQueueBufferRef buffer;
    OSStatus status = AudioQueueAllocateBuffer(stream->queue, bytes, &buffer);
    if (status == noErr && stream->records)
      status = AudioQueueEnqueueBuffer(stream->queue, buffer, 0, NULL);
    if (status != noErr) return status;
    if (!stream->records) receive(stream, buffer);
  }
  return noErr;
}

static OSStatus begin(
    QueueStream *stream, const AudioStreamBasicDescription *format, const char *device) {
  OSStatus status =
      stream->records ? AudioQueueNewInput(format, recorded, stream, NULL, NULL, 0, &stream->queue)
                      : AudioQueueNewOutput(format, played, stream, NULL, NULL, 0, &stream->queue);
  if (status != noErr) return status;
  AudioQueueAddPropertyListener(stream->queue, kAudioQueueProperty_IsRunning, follow, stream);
  if (device != NULL) status = chooseDevice(stream, device);
  if (status == noErr) status = makeBuffers(stream, kFrames * format->mBytesPerFrame);
  if (status == noErr && stream->records) status = AudioQueueStart(stream->queue, NULL);
  // A device that cannot be opened is reported before anything is written.
  if (status == noErr && !stream->records) status = AudioQueuePrime(stream->queue, 0, NULL);
  return status;
}

QueueStream *openQueueStream(
    const AudioStreamBasicDescription *format, const char *device, bool records, OSStatus *status) {
  QueueStream *stream = calloc(1, sizeof *stream);
  *status = kAudio_MemFullError;
  if (stream == NULL) return NULL;
  stream->records = records;
  pthread_mutex_init(&stream->mutex, NULL);
  pthread_cond_init(&stream->changed, NULL);
  *status = begin(stream, format, device);
  if (*status == noErr) return stream;
  if (stream->queue != NULL) AudioQueueDispose(stream->queue, true);
  free(stream);
  return NULL;
}

/// Passes the current buffer to the queue, which begins to play with the first one.
static OSStatus enqueue(QueueStream *stream) {
  stream->current->mAudioDataByteSize = (UInt32)stream->place;
  OSStatus status = AudioQueueEnqueueBuffer(stream->queue, stream->current, 0, NULL);
  stream->current = NULL;
  if (status != noErr || stream->isStarted) return status;
  stream->isStarted = true;
  return AudioQueueStart(stream->queue, NULL);
}

OSStatus writeQueueStream(QueueStream *stream, const void *bytes, size_t count) {
  while (count > 0) {
    if (!next(stream)) return kAudioQueueErr_InvalidRunState;
    const size_t room = stream->current->mAudioDataBytesCapacity - stream->place;
    const size_t part = count < room ? count : room;
    memcpy((char *)stream->current->mAudioData + stream->place, bytes, part);
    stream->place += part;
    bytes = (const char *)bytes + part;
    count -= part;
    if (part < room) continue;
    const OSStatus status = enqueue(stream);
    if (status != noErr) return status;
  }
  return noErr;
}

size_t readQueueStream(QueueStream *stream, void *bytes, size_t count) {
  size_t done = 0;
  while (done < count && next(stream)) {
    const size_t there = stream->current->mAudioDataByteSize - stream->place;
    const size_t part = count - done < there ? count - done : there;
    memcpy((char *)bytes + done, (const char *)stream->current->mAudioData + stream->place, part);
    stream->place += part;
    done += part;
    if (part < there) continue;
    AudioQueueEnqueueBuffer(stream->queue, stream->current, 0, NULL);
    stream->current = NULL;
  }
  return done;
}

void closeQueueStream(QueueStream *stream) {
  if (!stream->records) {
    OSStatus status = noErr;
    if (stream->current != NULL && stream->place > 0) status = enqueue(stream);
    if (status == noErr && stream->isStarted && AudioQueueStop(stream->queue, false) == noErr) {
      pthread_mutex_lock(&stream->mutex);
      while (!stream->hasEnded) pthread_cond_wait(&stream->changed, &stream->mutex);
      pthread_mutex_unlock(&stream->mutex);
    }
  }
  AudioQueueDispose(stream->queue, true);
  pthread_cond_destroy(&stream->changed);
  pthread_mutex_destroy(&stream->mutex);
  free(stream);
}
