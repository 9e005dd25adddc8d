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
  float *pending;          // converted frames not yet given
  int64_t pendingCount, pendingUsed, pendingRoom;
  int64_t lead;            // frames at the beginning that are no sound, and that are left out here
  int64_t skip;            // those still to come
  int64_t padding;         // those that the decoder leaves out itself
  bool hasFed;
  bool isWebM;
  int64_t bitRate;         // counted, where the container does not tell it
  double startTime;        // of the first frame that is given, in seconds
  int64_t given;
  int64_t promised;        // frames the container tells exactly, or -1
  int64_t slack;           // how many may be missing of them
  bool hasEnded;
  AuricleCodecFailure held; // damage to be told with the next call
};

// Opens the file, the wanted track of it, and its decoder; false with a failure.
bool openTrack(AuricleCodecReader *reader, bool followsEdits, uint32_t wanted, AuricleCodecFailure *failure);

// Decodes until frames are pending; false at the end, and for damage, which is held then.
bool decodeFrames(AuricleCodecReader *reader);
