// Streams of bytes from and to files and memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFSTREAM_H
#define AURICLE_CFSTREAM_H

#include "CFBase.h"
#include "CFData.h"
#include "CFError.h"
#include "CFPropertyList.h"
#include "CFURL.h"

#if !defined(__swift__)

typedef struct __CFReadStream *CFReadStreamRef;
typedef struct __CFWriteStream *CFWriteStreamRef;

typedef CFIndex CFStreamStatus;
AURICLE_ENUM(CFStreamStatus) {
  kCFStreamStatusNotOpen = 0,
  kCFStreamStatusOpening = 1,
  kCFStreamStatusOpen = 2,
  kCFStreamStatusReading = 3,
  kCFStreamStatusWriting = 4,
  kCFStreamStatusAtEnd = 5,
  kCFStreamStatusClosed = 6,
  kCFStreamStatusError = 7,
};

AURICLE_BEGIN_DECLS

extern CFTypeID CFReadStreamGetTypeID(void);
extern CFTypeID CFWriteStreamGetTypeID(void);
extern CFReadStreamRef CFReadStreamCreateWithFile(CFAllocatorRef allocator, CFURLRef url);
extern CFReadStreamRef CFReadStreamCreateWithBytesNoCopy(
    CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length, CFAllocatorRef bytesDeallocator);
extern CFWriteStreamRef CFWriteStreamCreateWithFile(CFAllocatorRef allocator, CFURLRef url);
extern CFStreamStatus CFReadStreamGetStatus(CFReadStreamRef stream);
extern CFStreamStatus CFWriteStreamGetStatus(CFWriteStreamRef stream);
extern CFErrorRef CFReadStreamCopyError(CFReadStreamRef stream);
extern CFErrorRef CFWriteStreamCopyError(CFWriteStreamRef stream);
extern Boolean CFReadStreamOpen(CFReadStreamRef stream);
extern Boolean CFWriteStreamOpen(CFWriteStreamRef stream);
extern void CFReadStreamClose(CFReadStreamRef stream);
extern void CFWriteStreamClose(CFWriteStreamRef stream);
extern Boolean CFReadStreamHasBytesAvailable(CFReadStreamRef stream);
extern Boolean CFWriteStreamCanAcceptBytes(CFWriteStreamRef stream);
// The bytes read or written, 0 at the end, -1 for an error.
extern CFIndex CFReadStreamRead(CFReadStreamRef stream, UInt8 *buffer, CFIndex size);
extern CFIndex CFWriteStreamWrite(CFWriteStreamRef stream, const UInt8 *bytes, CFIndex length);

// Property lists from and to streams that are open.
extern CFPropertyListRef CFPropertyListCreateWithStream(
    CFAllocatorRef allocator, CFReadStreamRef stream, CFIndex length, CFOptionFlags options,
    CFPropertyListFormat *format, CFErrorRef *error);
extern CFIndex CFPropertyListWrite(
    CFPropertyListRef list, CFWriteStreamRef stream, CFPropertyListFormat format,
    CFOptionFlags options, CFErrorRef *error);

AURICLE_END_DECLS

#endif

#endif
