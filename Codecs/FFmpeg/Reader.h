// A sound track being read, which opening, decoding and asking share.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <libswresample/swresample.h>

#include "FFmpegCodec.h"

struct AuricleCodecReader {
  AuricleCodecBytes bytes;
  AVIOContext *io;
  AVFormatContext *format;
  AVCodecContext *decoder;
  SwrContext *converter;
  AVPacket *packet;
  AVFrame *frame;
  int track;
  int channelCount;
  int sampleRate;
  float *pending;          // converted frames not yet returned
  int64_t pendingCount, pendingUsed, pendingRoom;
  int64_t lead;            // frames at the beginning that are no sound, and that are left out here
  int64_t skip;            // those still to come
  int64_t padding;         // the part that the decoder leaves out itself
  bool hasFed;
  bool isWebM;
  int64_t bitRate;         // counted, if the container does not declare it
  double startTime;        // of the first returned frame, in seconds
  int64_t given;
  int64_t promised;        // exact number of frames by the container, or -1
  int64_t slack;           // how many may be missing of them
  bool hasEnded;
  AuricleCodecFailure held; // damage for the result of the next call
};

// Opens the file, the wanted track of it, and its decoder; false with a failure.
bool openTrack(AuricleCodecReader *reader, bool followsEdits, uint32_t wanted, AuricleCodecFailure *failure);

// Decodes until frames are pending; false at the end, and for damage, which is held then.
bool decodeFrames(AuricleCodecReader *reader);
