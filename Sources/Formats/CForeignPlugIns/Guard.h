// The guard around calls of a plug-in's code: its stack, the processor's modes and flags, put in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The few doors out of checked render code: a plug-in's own functions, trusted not to lock or
// allocate (the plug-in is not ours to check).
#if defined(__clang__)
#define AURICLE_TRUSTED \
  __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))
#else
#define AURICLE_TRUSTED
#endif

// Clears 256 bytes of the stack that the function called next from the same place will have. Some plug-ins
// read variables that they never set, and the rests of other calls there differ from process to process. It
// needs no frame, so that none of it is left there.
#if defined(__x86_64__)
AURICLE_TRUSTED static __attribute__((naked, noinline, unused)) void auricle_clear_stack(void) {
  __asm__(
    "pxor %xmm0, %xmm0\n"
    ".set auricle_clear_stack_depth, 16\n"
    ".rept 16\n"
    "movups %xmm0, -auricle_clear_stack_depth(%rsp)\n"
    ".set auricle_clear_stack_depth, auricle_clear_stack_depth + 16\n"
    ".endr\n"
    "ret");
}
#else
AURICLE_TRUSTED static __attribute__((noinline, unused)) void auricle_clear_stack(void) {
  uint64_t words[32];
  memset(words, 0, sizeof words);
  __asm__ volatile("" : : "r"(words) : "memory");
}
#endif

// Puts 256 bytes below the stack, and keeps them: unset variables of a plug-in have the bytes that its last run
// left there, as in a host that does nothing between runs. Neither needs a frame.
enum { kAuricleStackSize = 256 };
#if defined(__x86_64__)
AURICLE_TRUSTED static __attribute__((naked, noinline, unused)) void auricle_put_stack(const void* kept) {
  __asm__(
    ".set auricle_put_stack_depth, 16\n"
    ".rept 16\n"
    "movups auricle_put_stack_depth-16(%rdi), %xmm0\n"
    "movups %xmm0, -auricle_put_stack_depth(%rsp)\n"
    ".set auricle_put_stack_depth, auricle_put_stack_depth + 16\n"
    ".endr\n"
    "ret");
}
AURICLE_TRUSTED static __attribute__((naked, noinline, unused)) void auricle_keep_stack(void* kept) {
  __asm__(
    ".set auricle_keep_stack_depth, 16\n"
    ".rept 16\n"
    "movups -auricle_keep_stack_depth(%rsp), %xmm0\n"
    "movups %xmm0, auricle_keep_stack_depth-16(%rdi)\n"
    ".set auricle_keep_stack_depth, auricle_keep_stack_depth + 16\n"
    ".endr\n"
    "ret");
}
#else
AURICLE_TRUSTED static inline void auricle_put_stack(const void* kept) {
  (void)kept;
  auricle_clear_stack();
}
AURICLE_TRUSTED static inline void auricle_keep_stack(void* kept) { (void)kept; }
#endif

// Clears flags that a plug-in may have left set: the direction in which strings are copied, and the check
// of alignment. Code that is compiled for this processor relies on both being off.
AURICLE_TRUSTED static inline void auricle_clear_flags(void) {
#if defined(__x86_64__)
  enum { direction = 1 << 10, alignment = 1 << 18 };
  const unsigned long long flags = __builtin_ia32_readeflags_u64();
  if (flags & (direction | alignment))
    __builtin_ia32_writeeflags_u64(flags & ~(unsigned long long)(direction | alignment));
#endif
}

// The mode of the x87 before a plug-in runs, which nobody else reads.
AURICLE_TRUSTED static inline unsigned short auricle_x87_mode(void) {
  unsigned short mode = 0;
#if defined(__SSE2__)
  __asm__ volatile("fnstcw %0" : "=m"(mode));
#endif
  return mode;
}

// Restores the flags and the mode of the x87 after a plug-in has run; the caller restores the mode of the rest.
AURICLE_TRUSTED static inline void auricle_end_run(unsigned short mode) {
#if defined(__SSE2__)
  auricle_clear_flags();
  if (auricle_x87_mode() != mode) __asm__ volatile("fldcw %0" : : "m"(mode));
#else
  (void)mode;
#endif
}

// Whether the first `count` words of a block are zero. Volatile, because to compilers the
// words of a block fresh from malloc are undefined.
static inline int auricle_is_zero(const void* block, size_t count) {
  const volatile uint64_t* const words = (const volatile uint64_t*)block;
  for (size_t i = 0; i < count; ++i)
    if (words[i]) return 0;
  return 1;
}
