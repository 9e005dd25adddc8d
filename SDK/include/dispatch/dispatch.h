// The call of libdispatch in base classes of units: a function run once. The rest is libdispatch's own.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_DISPATCH_H
#define AURICLE_DISPATCH_H

#pragma GCC system_header

// The toolchain's own is for clang.
#if defined(__clang__) && defined(__has_include_next)
#if __has_include_next(<dispatch/dispatch.h>)
#define AURICLE_HAS_DISPATCH 1
#endif
#endif

#if defined(AURICLE_HAS_DISPATCH)
// The toolchain's header is read as a Linux library's: for a Mac it wants headers of the kernel.
#include "../TargetConditionals.h"
#pragma push_macro("TARGET_OS_MAC")
#pragma push_macro("__APPLE__")
#undef TARGET_OS_MAC
#undef __APPLE__
#define TARGET_OS_MAC 0
#include_next <dispatch/dispatch.h>
// On a Mac the header that retains and releases blocks is included.
#if defined(__BLOCKS__) && __has_include(<Block.h>)
#include <Block.h>
#endif
#pragma pop_macro("__APPLE__")
#pragma pop_macro("TARGET_OS_MAC")
#else

#include <sched.h>

// 0 before, -1 after.
typedef long dispatch_once_t;
typedef void (*dispatch_function_t)(void *context);

// Calls a function the first time only; other threads wait until it has returned.
static inline void dispatch_once_f(
    dispatch_once_t *predicate, void *context, dispatch_function_t function) {
  dispatch_once_t before = 0;
  if (__atomic_load_n(predicate, __ATOMIC_ACQUIRE) == -1) return;
  if (__atomic_compare_exchange_n(
          predicate, &before, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    function(context);
    __atomic_store_n(predicate, -1, __ATOMIC_RELEASE);
    return;
  }
  while (__atomic_load_n(predicate, __ATOMIC_ACQUIRE) != -1) sched_yield();
}

#endif

#endif
