// Atomic numbers, spin locks and queues without a lock, as sources of before 10.12 call them.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_LIBKERN_OSATOMIC_H
#define AURICLE_LIBKERN_OSATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "OSAtomicQueue.h"
#include "OSSpinLock.h"

static inline void OSMemoryBarrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// Arithmetic answers the new value. A barrier orders the other memory of the program around it.
#define AURICLE_OSATOMIC_NUMBER(bits)                                                           \
  static inline int##bits##_t OSAtomicAdd##bits(                                                \
      int##bits##_t amount, volatile int##bits##_t *value) {                                    \
    return __atomic_add_fetch(value, amount, __ATOMIC_RELAXED);                                 \
  }                                                                                             \
  static inline int##bits##_t OSAtomicAdd##bits##Barrier(                                       \
      int##bits##_t amount, volatile int##bits##_t *value) {                                    \
    return __atomic_add_fetch(value, amount, __ATOMIC_SEQ_CST);                                 \
  }                                                                                             \
  static inline int##bits##_t OSAtomicIncrement##bits(volatile int##bits##_t *value) {          \
    return OSAtomicAdd##bits(1, value);                                                         \
  }                                                                                             \
  static inline int##bits##_t OSAtomicIncrement##bits##Barrier(volatile int##bits##_t *value) { \
    return OSAtomicAdd##bits##Barrier(1, value);                                                \
  }                                                                                             \
  static inline int##bits##_t OSAtomicDecrement##bits(volatile int##bits##_t *value) {          \
    return OSAtomicAdd##bits(-1, value);                                                        \
  }                                                                                             \
  static inline int##bits##_t OSAtomicDecrement##bits##Barrier(volatile int##bits##_t *value) { \
    return OSAtomicAdd##bits##Barrier(-1, value);                                               \
  }
AURICLE_OSATOMIC_NUMBER(32)
AURICLE_OSATOMIC_NUMBER(64)
#undef AURICLE_OSATOMIC_NUMBER

// Sets a value if it is the expected one; true if so.
#define AURICLE_OSATOMIC_SWAP(name, type)                                                   \
  static inline bool OSAtomicCompareAndSwap##name(                                          \
      type oldValue, type newValue, type volatile *value) {                                 \
    return __atomic_compare_exchange_n(                                                     \
        value, &oldValue, newValue, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);             \
  }                                                                                         \
  static inline bool OSAtomicCompareAndSwap##name##Barrier(                                 \
      type oldValue, type newValue, type volatile *value) {                                 \
    return __atomic_compare_exchange_n(                                                     \
        value, &oldValue, newValue, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);             \
  }
AURICLE_OSATOMIC_SWAP(32, int32_t)
AURICLE_OSATOMIC_SWAP(64, int64_t)
AURICLE_OSATOMIC_SWAP(Int, int)
AURICLE_OSATOMIC_SWAP(Long, long)
AURICLE_OSATOMIC_SWAP(Ptr, void *)
#undef AURICLE_OSATOMIC_SWAP

#if defined(__cplusplus)
static inline bool OSAtomicCompareAndSwap32(
    int32_t oldValue, int32_t newValue, volatile uint32_t *value) {
  return OSAtomicCompareAndSwap32(oldValue, newValue, (volatile int32_t *)value);
}
static inline bool OSAtomicCompareAndSwap32Barrier(
    int32_t oldValue, int32_t newValue, volatile uint32_t *value) {
  return OSAtomicCompareAndSwap32Barrier(oldValue, newValue, (volatile int32_t *)value);
}
#endif

// Logic on 32 bits: the new value, or the one before ("Orig").
#define AURICLE_OSATOMIC_LOGIC(name, operation)                                               \
  static inline int32_t OSAtomic##name##32(uint32_t mask, volatile uint32_t *value) {         \
    return (int32_t)__atomic_##operation##_fetch(value, mask, __ATOMIC_RELAXED);              \
  }                                                                                           \
  static inline int32_t OSAtomic##name##32Barrier(uint32_t mask, volatile uint32_t *value) {  \
    return (int32_t)__atomic_##operation##_fetch(value, mask, __ATOMIC_SEQ_CST);              \
  }                                                                                           \
  static inline int32_t OSAtomic##name##32Orig(uint32_t mask, volatile uint32_t *value) {     \
    return (int32_t)__atomic_fetch_##operation(value, mask, __ATOMIC_RELAXED);                \
  }                                                                                           \
  static inline int32_t OSAtomic##name##32OrigBarrier(                                        \
      uint32_t mask, volatile uint32_t *value) {                                              \
    return (int32_t)__atomic_fetch_##operation(value, mask, __ATOMIC_SEQ_CST);                \
  }
AURICLE_OSATOMIC_LOGIC(Or, or)
AURICLE_OSATOMIC_LOGIC(And, and)
AURICLE_OSATOMIC_LOGIC(Xor, xor)
#undef AURICLE_OSATOMIC_LOGIC

// Bit n is bit 7 - (n & 7) of byte n >> 3. Answers whether it was set.
static inline bool OSAtomicTestAndSetBarrier(uint32_t bit, volatile void *address) {
  uint8_t mask = (uint8_t)(0x80u >> (bit & 7));
  return (__atomic_fetch_or((volatile uint8_t *)address + (bit >> 3), mask, __ATOMIC_SEQ_CST)
          & mask)
      != 0;
}
static inline bool OSAtomicTestAndClearBarrier(uint32_t bit, volatile void *address) {
  uint8_t mask = (uint8_t)(0x80u >> (bit & 7));
  return (__atomic_fetch_and(
              (volatile uint8_t *)address + (bit >> 3), (uint8_t)~mask, __ATOMIC_SEQ_CST)
          & mask)
      != 0;
}
static inline bool OSAtomicTestAndSet(uint32_t bit, volatile void *address) {
  return OSAtomicTestAndSetBarrier(bit, address);
}
static inline bool OSAtomicTestAndClear(uint32_t bit, volatile void *address) {
  return OSAtomicTestAndClearBarrier(bit, address);
}

#endif
