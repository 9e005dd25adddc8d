// The struct to which an ExtAudioFileRef points.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLEEXTENDEDFILE_H
#define AURICLE_AURICLEEXTENDEDFILE_H

#include "../AudioToolbox/ExtendedAudioFile.h"

// 'AuXF'. A handle that does not begin with it is refused; a disposed one does not.
AURICLE_ENUM(UInt32) {
  kAuricleExtendedFileMagic = 0x41755846,
};

// A file. Its record is used again for others some time after it was disposed of, and never freed.
struct OpaqueExtAudioFile {
  UInt32 magic;       // kAuricleExtendedFileMagic
  UInt32 recordSize;  // sizeof(struct OpaqueExtAudioFile) where it was made
  void *owner;        // the library that made it, which alone reads the rest
  void *file;
  void *asyncEnd;     // the end into which a render thread writes; NULL until it is made
};

#endif
