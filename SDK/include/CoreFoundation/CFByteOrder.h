// Byte order: the host is little-endian, files and the network often are not.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFBYTEORDER_H
#define AURICLE_CFBYTEORDER_H

#include <string.h>
#include "CFBase.h"

typedef CFIndex CFByteOrder;
AURICLE_ENUM(CFByteOrder) {
  CFByteOrderUnknown = 0,
  CFByteOrderLittleEndian = 1,
  CFByteOrderBigEndian = 2,
};

CF_INLINE CFByteOrder CFByteOrderGetCurrent(void) { return CFByteOrderLittleEndian; }

CF_INLINE uint16_t CFSwapInt16(uint16_t value) { return __builtin_bswap16(value); }
CF_INLINE uint16_t CFSwapInt16BigToHost(uint16_t value) { return CFSwapInt16(value); }
CF_INLINE uint16_t CFSwapInt16HostToBig(uint16_t value) { return CFSwapInt16(value); }
CF_INLINE uint16_t CFSwapInt16LittleToHost(uint16_t value) { return value; }
CF_INLINE uint16_t CFSwapInt16HostToLittle(uint16_t value) { return value; }

CF_INLINE uint32_t CFSwapInt32(uint32_t value) { return __builtin_bswap32(value); }
CF_INLINE uint32_t CFSwapInt32BigToHost(uint32_t value) { return CFSwapInt32(value); }
CF_INLINE uint32_t CFSwapInt32HostToBig(uint32_t value) { return CFSwapInt32(value); }
CF_INLINE uint32_t CFSwapInt32LittleToHost(uint32_t value) { return value; }
CF_INLINE uint32_t CFSwapInt32HostToLittle(uint32_t value) { return value; }

CF_INLINE uint64_t CFSwapInt64(uint64_t value) { return __builtin_bswap64(value); }
CF_INLINE uint64_t CFSwapInt64BigToHost(uint64_t value) { return CFSwapInt64(value); }
CF_INLINE uint64_t CFSwapInt64HostToBig(uint64_t value) { return CFSwapInt64(value); }
CF_INLINE uint64_t CFSwapInt64LittleToHost(uint64_t value) { return value; }
CF_INLINE uint64_t CFSwapInt64HostToLittle(uint64_t value) { return value; }

// Floating point values as they travel: their bits, byte-swapped.
typedef struct {
  uint32_t v;
} CFSwappedFloat32;
typedef struct {
  uint64_t v;
} CFSwappedFloat64;

CF_INLINE CFSwappedFloat32 CFConvertFloat32HostToSwapped(Float32 value) {
  CFSwappedFloat32 swapped;
  memcpy(&swapped.v, &value, sizeof(value));
  swapped.v = CFSwapInt32(swapped.v);
  return swapped;
}
CF_INLINE Float32 CFConvertFloat32SwappedToHost(CFSwappedFloat32 swapped) {
  Float32 value;
  swapped.v = CFSwapInt32(swapped.v);
  memcpy(&value, &swapped.v, sizeof(value));
  return value;
}
CF_INLINE CFSwappedFloat64 CFConvertFloat64HostToSwapped(Float64 value) {
  CFSwappedFloat64 swapped;
  memcpy(&swapped.v, &value, sizeof(value));
  swapped.v = CFSwapInt64(swapped.v);
  return swapped;
}
CF_INLINE Float64 CFConvertFloat64SwappedToHost(CFSwappedFloat64 swapped) {
  Float64 value;
  swapped.v = CFSwapInt64(swapped.v);
  memcpy(&value, &swapped.v, sizeof(value));
  return value;
}

#endif
