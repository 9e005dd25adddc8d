// Bytes, fixed or growing.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFDATA_H
#define AURICLE_CFDATA_H

#include "CFBase.h"

AURICLE_BEGIN_DECLS

extern CFTypeID CFDataGetTypeID(void);
extern CFDataRef CFDataCreate(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length);
extern CFDataRef CFDataCreateWithBytesNoCopy(
    CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length, CFAllocatorRef bytesDeallocator);
extern CFDataRef CFDataCreateCopy(CFAllocatorRef allocator, CFDataRef data);
extern CFIndex CFDataGetLength(CFDataRef data);
extern const UInt8 *CFDataGetBytePtr(CFDataRef data);
extern void CFDataGetBytes(CFDataRef data, CFRange range, UInt8 *buffer);

extern CFMutableDataRef CFDataCreateMutable(CFAllocatorRef allocator, CFIndex capacity);
extern CFMutableDataRef CFDataCreateMutableCopy(
    CFAllocatorRef allocator, CFIndex capacity, CFDataRef data);
extern UInt8 *CFDataGetMutableBytePtr(CFMutableDataRef data);
extern void CFDataSetLength(CFMutableDataRef data, CFIndex length);
extern void CFDataIncreaseLength(CFMutableDataRef data, CFIndex extraLength);
extern void CFDataAppendBytes(CFMutableDataRef data, const UInt8 *bytes, CFIndex length);
extern void CFDataReplaceBytes(
    CFMutableDataRef data, CFRange range, const UInt8 *bytes, CFIndex length);
extern void CFDataDeleteBytes(CFMutableDataRef data, CFRange range);

AURICLE_END_DECLS

#endif
