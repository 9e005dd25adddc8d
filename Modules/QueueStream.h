// A stream of bytes to a device or from it, over an audio queue: for programs that write and read as to a file.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_QUEUE_STREAM_H
#define AURICLE_QUEUE_STREAM_H

#include <AudioToolbox/AudioToolbox.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct QueueStream QueueStream;

/// Opens a stream of interleaved samples: `device` is a UID, or NULL for the default device. NULL and a status on failure.
QueueStream *openQueueStream(
    const AudioStreamBasicDescription *format, const char *device, bool records, OSStatus *status);

/// Plays bytes; returns when all of them are in the queue. A status.
OSStatus writeQueueStream(QueueStream *stream, const void *bytes, size_t count);

/// Records bytes; returns when all of them are there, or fewer once the queue has stopped.
size_t readQueueStream(QueueStream *stream, void *bytes, size_t count);

/// Plays the rest of the written audio, and frees the stream.
void closeQueueStream(QueueStream *stream);

#endif
