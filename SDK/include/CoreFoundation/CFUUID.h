// Unique identifiers of 128 bits.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFUUID_H
#define AURICLE_CFUUID_H

#include "CFBase.h"
#include "CFString.h"

typedef struct {
  UInt8 byte0, byte1, byte2, byte3, byte4, byte5, byte6, byte7;
  UInt8 byte8, byte9, byte10, byte11, byte12, byte13, byte14, byte15;
} CFUUIDBytes;

AURICLE_BEGIN_DECLS

extern CFTypeID CFUUIDGetTypeID(void);
extern CFUUIDRef CFUUIDCreate(CFAllocatorRef allocator);
extern CFUUIDRef CFUUIDCreateFromString(CFAllocatorRef allocator, CFStringRef string);
extern CFStringRef CFUUIDCreateString(CFAllocatorRef allocator, CFUUIDRef uuid);
extern CFUUIDBytes CFUUIDGetUUIDBytes(CFUUIDRef uuid);

AURICLE_END_DECLS

#endif
