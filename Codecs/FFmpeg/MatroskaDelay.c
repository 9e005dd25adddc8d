// The delay of an AAC encoder in Matroska files: where the sound begins in the first packet, and ends in the last.
// SPDX-License-Identifier: Apache-2.0

#include <libavutil/intreadwrite.h>
#include <string.h>

#include "FFmpegCodec.h"

// The element with a track's name is as long as the one with the delay of its codec.
static const char placeholder[] = "Auri";
static const uint8_t name[] = {0x53, 0x6E, 0x84, 'A', 'u', 'r', 'i'};

void reserveDelay(AVStream *stream, AVDictionary **options) {
  av_dict_set(&stream->metadata, "title", placeholder, 0);
  // A checksum of the header would not hold any more.
  av_dict_set_int(options, "write_crc32", 0, 0);
}

bool writeDelay(const AuricleCodecBytes *bytes, const AVCodecContext *encoder) {
  uint8_t head[4096];
  if (bytes->seek(bytes->context, 0) != 0) return false;
  const int64_t count = bytes->read(bytes->context, head, sizeof head);
  for (int64_t at = 0; at + (int64_t)sizeof name <= count; at++) {
    if (memcmp(head + at, name, sizeof name) != 0) continue;
    uint8_t delay[sizeof name] = {0x56, 0xAA, 0x84};
    AV_WB32(delay + 3, (uint32_t)av_rescale(encoder->initial_padding, 1000000000, encoder->sample_rate));
    return bytes->seek(bytes->context, at) == at &&
           bytes->write(bytes->context, delay, sizeof delay) == sizeof delay;
  }
  return false;
}

bool addEndPadding(AVPacket *packet, int64_t frames) {
  uint8_t *padding = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10);
  if (!padding) return false;
  memset(padding, 0, 10);
  AV_WL32(padding + 4, (uint32_t)frames);
  return true;
}
