// Numbers that several threads change, by their older names; libkern/OSAtomic.h has the newer ones.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_DRIVERSYNCHRONIZATION_H
#define AURICLE_DRIVERSYNCHRONIZATION_H

#include "../MacTypes.h"

// Whether the number was the old one, and is the new one now.
static inline Boolean CompareAndSwap(UInt32 oldValue, UInt32 newValue, volatile UInt32 *value) {
  return __atomic_compare_exchange_n(
      value, &oldValue, newValue, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

// These return the earlier number.
static inline SInt32 AddAtomic(SInt32 amount, volatile SInt32 *value) {
  return __atomic_fetch_add(value, amount, __ATOMIC_SEQ_CST);
}
static inline SInt32 IncrementAtomic(volatile SInt32 *value) { return AddAtomic(1, value); }
static inline SInt32 DecrementAtomic(volatile SInt32 *value) { return AddAtomic(-1, value); }

#endif
