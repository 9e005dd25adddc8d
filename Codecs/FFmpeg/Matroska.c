// The elements of a Matroska file: where they end, and do they follow one another.
// SPDX-License-Identifier: Apache-2.0

#include <libavutil/intreadwrite.h>
#include <string.h>

#include "FFmpegCodec.h"

enum { kSegment = 0x18538067, kCluster = 0x1F43B675 };

// Reads a number of EBML of up to eight bytes; -1 for "not known" and for invalid ones.
static int64_t number(const uint8_t *bytes, int *length) {
  int count = 1;
  while (count <= 8 && !(bytes[0] & 0x80 >> (count - 1))) count++;
  *length = count;
  if (count > 8) return -1;
  uint64_t value = bytes[0] & (0xFF >> count);
  bool isUnknown = value == (uint64_t)(0xFF >> count);
  for (int i = 1; i < count; i++) {
    value = value << 8 | bytes[i];
    isUnknown &= bytes[i] == 0xFF;
  }
  return isUnknown || value > INT64_MAX / 2 ? -1 : (int64_t)value;
}

// Finds the content of the segment; false without a segment. Its end is -1 if unknown.
static bool findSegment(const AuricleCodecBytes *bytes, int64_t *start, int64_t *end) {
  uint8_t head[16];
  int length;
  if (!readAt(bytes, 0, head, sizeof head)) return false;
  const int64_t size = number(head + 4, &length);
  if (size < 0 || size > 1 << 20) return false;
  const int64_t segment = 4 + length + size;
  if (!readAt(bytes, segment, head, sizeof head) || AV_RB32(head) != kSegment) return false;
  const int64_t content = number(head + 4, &length);
  *start = segment + 4 + length;
  *end = content < 0 ? -1 : *start + content;
  return true;
}

bool isWebM(const AuricleCodecBytes *bytes) {
  // The kind of document is in the header, in a separate element.
  static const uint8_t kind[] = {0x42, 0x82, 0x84, 'w', 'e', 'b', 'm'};
  uint8_t head[64] = {0};
  const int64_t length = bytes->length(bytes->context);
  if (!readAt(bytes, 0, head, length < (int64_t)sizeof head ? (int)length : (int)sizeof head)) return false;
  for (size_t i = 4; i + sizeof kind <= sizeof head; i++)
    if (memcmp(head + i, kind, sizeof kind) == 0) return true;
  return false;
}

int64_t endOfSegment(const AuricleCodecBytes *bytes) {
  int64_t start, end;
  return findSegment(bytes, &start, &end) ? end : -1;
}

// The header of the element at an offset; its length, or 0 where there is none.
static int elementAt(const AuricleCodecBytes *bytes, int64_t offset, uint32_t *kind, int64_t *size) {
  uint8_t head[12] = {0};
  const int64_t left = bytes->length(bytes->context) - offset;
  const int count = left < (int64_t)sizeof head ? (int)left : (int)sizeof head;
  if (count < 2 || !readAt(bytes, offset, head, count)) return 0;
  int kindLength = 1, sizeLength;
  while (kindLength <= 4 && !(head[0] & 0x80 >> (kindLength - 1))) kindLength++;
  if (kindLength > 4) return 0;
  *kind = 0;
  for (int i = 0; i < kindLength; i++) *kind = *kind << 8 | head[i];
  *size = number(head + kindLength, &sizeLength);
  return sizeLength > 8 ? 0 : kindLength + sizeLength;
}

// Returns whether an element is allowed in a segment or in a cluster.
static bool isKnown(uint32_t kind) {
  switch (kind) {
    case 0x114D9B74: case 0x1549A966: case 0x1654AE6B: case 0x1C53BB6B: case 0x1941A469:
    case 0x1043A770: case 0x1254C367:  // where things are, about it, tracks, cues, files, chapters, tags
    case 0xE7: case 0x5854: case 0xA7: case 0xAB: case 0xA3: case 0xA0: case 0xAF:  // of clusters
    case 0xEC: case 0xBF:  // nothing, checksum
      return true;
    default: return false;
  }
}

bool isBrokenMatroska(const AuricleCodecBytes *bytes, AuricleCodecFailure *failure) {
  int64_t position, end;
  if (!findSegment(bytes, &position, &end)) return false;
  const int64_t length = bytes->length(bytes->context);
  if (end < 0 || end > length) end = length;
  while (position < end) {
    uint32_t kind;
    int64_t size;
    const int head = elementAt(bytes, position, &kind, &size);
    if (head == 0 || (kind != kCluster && kind != kSegment && !isKnown(kind))) {
      fail(
          failure, kAuricleCodecDamaged, 0, "there is no element at byte %lld, where one should begin",
          (long long)position);
      return true;
    }
    // The blocks of clusters are examined one by one.
    if (kind == kCluster || kind == kSegment) {
      position += head;
    } else if (size < 0) {
      return false;
    } else {
      position += head + size;
    }
  }
  return false;
}
