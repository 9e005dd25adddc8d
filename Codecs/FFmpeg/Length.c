// The lengths in the headers of video files, compared with the files' lengths.
// SPDX-License-Identifier: Apache-2.0

#include <libavcodec/ac3_parser.h>
#include <libavutil/intreadwrite.h>
#include <string.h>

#include "FFmpegCodec.h"

bool readAt(const AuricleCodecBytes *bytes, int64_t offset, uint8_t *buffer, int count) {
  return bytes->seek(bytes->context, offset) == offset &&
         bytes->read(bytes->context, buffer, count) == count;
}

// Returns the end of an AVI file: RIFF chunks one after the other.
static int64_t endOfChunks(const AuricleCodecBytes *bytes, int64_t length) {
  int64_t end = 0;
  uint8_t head[8];
  for (int i = 0; i < 4096 && end < length; i++) {
    if (!readAt(bytes, end, head, sizeof head) || memcmp(head, "RIFF", 4) != 0) break;
    const uint32_t size = AV_RL32(head + 4);
    if (size == 0 || size >= 0xFFFFFF00) return -1;
    end += 8 + (int64_t)size + (size & 1);
  }
  return end;
}

// Returns the end of an MP4 file: that of its boxes one after the other, as far as they are valid.
static int64_t endOfBoxes(const AuricleCodecBytes *bytes, int64_t length) {
  int64_t end = 0;
  uint8_t head[16];
  for (int i = 0; i < 1 << 20 && end < length; i++) {
    if (!readAt(bytes, end, head, 8)) break;
    int64_t size = AV_RB32(head);
    for (int k = 4; k < 8; k++)
      if (head[k] < 0x20 || head[k] > 0x7E) return -1;
    if (size == 0) return length;
    if (size == 1) size = readAt(bytes, end, head, 16) ? (int64_t)AV_RB64(head + 8) : 0;
    if (size < 8 || size > INT64_MAX / 2) return -1;
    end += size;
  }
  return end;
}

// Returns the end of a file of Windows Media: objects of sixteen bytes of a name and eight of a size.
static int64_t endOfObjects(const AuricleCodecBytes *bytes, int64_t length) {
  int64_t end = 0;
  uint8_t head[24];
  for (int i = 0; i < 64 && end < length; i++) {
    if (!readAt(bytes, end, head, sizeof head)) break;
    const uint64_t size = AV_RL64(head + 16);
    // Broadcasts do not know theirs.
    if (size <= 50 || size > INT64_MAX / 2) return -1;
    end += (int64_t)size;
  }
  return end;
}

const char *bareStream(const AuricleCodecBytes *bytes) {
  uint8_t head[8];
  if (!readAt(bytes, 0, head, sizeof head)) return NULL;
  if (AV_RB16(head) == 0x0B77) return head[5] >> 3 > 10 ? "eac3" : "ac3";
  return (AV_RB16(head) & 0xFFF6) == 0xFFF0 ? "aac" : NULL;
}

// Bytes of the frame that begins at an offset of a bare stream; 0 where none does.
static int64_t frameSize(const uint8_t *head, const char *kind) {
  if (strcmp(kind, "aac") == 0) {
    if ((AV_RB16(head) & 0xFFF6) != 0xFFF0) return 0;
    return (head[3] & 3) << 11 | head[4] << 3 | head[5] >> 5;
  }
  uint8_t id;
  uint16_t size;
  return av_ac3_parse_header(head, 8, &id, &size) == 0 ? size : 0;
}

// Returns the end of the frames of a bare stream; -1 if other bytes lie between them.
static int64_t endOfFrames(const AuricleCodecBytes *bytes, int64_t length, const char *kind) {
  int64_t end = 0;
  uint8_t head[8] = {0};
  while (end < length) {
    const int count = length - end < 8 ? (int)(length - end) : 8;
    if (!readAt(bytes, end, head, count)) return -1;
    // The beginning of a frame, and no more of it.
    const uint8_t first = strcmp(kind, "aac") == 0 ? 0xFF : 0x0B;
    if (count < 8) return head[0] == first ? length + 8 - count : length;
    const int64_t size = frameSize(head, kind);
    if (size < 8) return -1;
    end += size;
  }
  return end;
}

bool isBroken(const AuricleCodecBytes *bytes, AuricleCodecFailure *failure) {
  uint8_t head[12];
  if (!readAt(bytes, 0, head, sizeof head)) return false;
  const int64_t length = bytes->length(bytes->context);
  const bool isMatroska = AV_RB32(head) == kMatroskaStart;
  int64_t end = -1;
  if (isMatroska) end = endOfSegment(bytes);
  if (memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "AVI ", 4) == 0)
    end = endOfChunks(bytes, length);
  if (AV_RB64(head) == 0x3026B2758E66CF11) end = endOfObjects(bytes, length);
  if (memcmp(head + 4, "ftyp", 4) == 0) end = endOfBoxes(bytes, length);
  const char *kind = bareStream(bytes);
  if (kind) end = endOfFrames(bytes, length, kind);
  if (end <= length) return isMatroska && isBrokenMatroska(bytes, failure);
  fail(
      failure, kAuricleCodecDamaged, 0, "it is cut short: %lld of %lld bytes are missing",
      (long long)(end - length), (long long)end);
  return true;
}
