// The struct to which an AudioConverterRef points.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLECONVERTER_H
#define AURICLE_AURICLECONVERTER_H

#include "../AudioToolbox/AudioConverter.h"

// 'AuCv'. A handle that does not begin with it is refused; a disposed one does not.
AURICLE_ENUM(UInt32) {
  kAuricleConverterMagic = 0x41754376,
};

// A converter. Its record is used again for others some time after it was disposed of, and never freed.
struct OpaqueAudioConverter {
  UInt32 magic;       // kAuricleConverterMagic
  UInt32 recordSize;  // sizeof(struct OpaqueAudioConverter) where it was made
  void *owner;        // the library that made it, which alone reads the next
  void *converter;
};

#endif
