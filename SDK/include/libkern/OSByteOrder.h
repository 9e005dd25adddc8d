// Byte order: swapping, and reading and writing numbers of either order in memory.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LIBKERN_OSBYTEORDER_H
#define AURICLE_LIBKERN_OSBYTEORDER_H

#include <stdint.h>
#include <string.h>

#define OSSwapConstInt16(value) ((uint16_t)__builtin_bswap16((uint16_t)(value)))
#define OSSwapConstInt32(value) ((uint32_t)__builtin_bswap32((uint32_t)(value)))
#define OSSwapConstInt64(value) ((uint64_t)__builtin_bswap64((uint64_t)(value)))
#define OSSwapInt16(value) OSSwapConstInt16(value)
#define OSSwapInt32(value) OSSwapConstInt32(value)
#define OSSwapInt64(value) OSSwapConstInt64(value)

// The results of OSHostByteOrder.
enum { OSUnknownByteOrder = 0, OSLittleEndian = 1, OSBigEndian = 2 };

static inline int32_t OSHostByteOrder(void) { return OSLittleEndian; }

#define OSSwapHostToBigInt16(value) OSSwapInt16(value)
#define OSSwapBigToHostInt16(value) OSSwapInt16(value)
#define OSSwapHostToLittleInt16(value) ((uint16_t)(value))
#define OSSwapLittleToHostInt16(value) ((uint16_t)(value))
#define OSSwapHostToBigConstInt16(value) OSSwapConstInt16(value)
#define OSSwapBigToHostConstInt16(value) OSSwapConstInt16(value)
#define OSSwapHostToLittleConstInt16(value) ((uint16_t)(value))
#define OSSwapLittleToHostConstInt16(value) ((uint16_t)(value))

#define OSSwapHostToBigInt32(value) OSSwapInt32(value)
#define OSSwapBigToHostInt32(value) OSSwapInt32(value)
#define OSSwapHostToLittleInt32(value) ((uint32_t)(value))
#define OSSwapLittleToHostInt32(value) ((uint32_t)(value))
#define OSSwapHostToBigConstInt32(value) OSSwapConstInt32(value)
#define OSSwapBigToHostConstInt32(value) OSSwapConstInt32(value)
#define OSSwapHostToLittleConstInt32(value) ((uint32_t)(value))
#define OSSwapLittleToHostConstInt32(value) ((uint32_t)(value))

#define OSSwapHostToBigInt64(value) OSSwapInt64(value)
#define OSSwapBigToHostInt64(value) OSSwapInt64(value)
#define OSSwapHostToLittleInt64(value) ((uint64_t)(value))
#define OSSwapLittleToHostInt64(value) ((uint64_t)(value))
#define OSSwapHostToBigConstInt64(value) OSSwapConstInt64(value)
#define OSSwapBigToHostConstInt64(value) OSSwapConstInt64(value)
#define OSSwapHostToLittleConstInt64(value) ((uint64_t)(value))
#define OSSwapLittleToHostConstInt64(value) ((uint64_t)(value))

// At an offset in bytes from an address of any alignment.
#define AURICLE_OSBYTEORDER_MEMORY(bits)                                                         \
  static inline uint##bits##_t OSReadLittleInt##bits(                                            \
      const volatile void *base, uintptr_t offset) {                                             \
    uint##bits##_t value;                                                                        \
    memcpy(&value, (const char *)(uintptr_t)base + offset, sizeof(value));                       \
    return value;                                                                                \
  }                                                                                              \
  static inline uint##bits##_t OSReadBigInt##bits(const volatile void *base, uintptr_t offset) { \
    return OSSwapInt##bits(OSReadLittleInt##bits(base, offset));                                 \
  }                                                                                              \
  static inline void OSWriteLittleInt##bits(                                                     \
      volatile void *base, uintptr_t offset, uint##bits##_t value) {                             \
    memcpy((char *)(uintptr_t)base + offset, &value, sizeof(value));                             \
  }                                                                                              \
  static inline void OSWriteBigInt##bits(                                                        \
      volatile void *base, uintptr_t offset, uint##bits##_t value) {                             \
    OSWriteLittleInt##bits(base, offset, OSSwapInt##bits(value));                                \
  }
AURICLE_OSBYTEORDER_MEMORY(16)
AURICLE_OSBYTEORDER_MEMORY(32)
AURICLE_OSBYTEORDER_MEMORY(64)
#undef AURICLE_OSBYTEORDER_MEMORY

#endif
