// Measures that make a plug-in's output the same in every run, in Auricle and in the bare host alike.
// SPDX-License-Identifier: Apache-2.0
//
// Some plug-ins read memory that they never set. The heap is zero when a host is started with
// GLIBC_TUNABLES=glibc.malloc.perturb=255:glibc.malloc.tcache_count=0. The stack is cleared here, as far below the
// host's own as Auricle does. FFTW may measure which of its algorithms is the fastest: its time limit for that is
// zero.

#pragma once

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

// Clears 256 bytes of the stack that the function called next from the same place will have.
#if defined(__x86_64__)
static __attribute__((naked, noinline)) void clear_stack(void) {
  __asm__(
    "pxor %xmm0, %xmm0\n"
    ".set clear_stack_depth, 16\n"
    ".rept 16\n"
    "movups %xmm0, -clear_stack_depth(%rsp)\n"
    ".set clear_stack_depth, clear_stack_depth + 16\n"
    ".endr\n"
    "ret");
}
#else
static __attribute__((noinline)) void clear_stack(void) {
  uint64_t words[32];
  memset(words, 0, sizeof words);
  __asm__ volatile("" : : "r"(words) : "memory");
}
#endif

// Has FFTW choose its algorithms by estimate; a library that is not installed needs it not.
static void estimate_plans(void) {
  static const char* const planners[][2] = {
    {"libfftw3f.so.3", "fftwf_set_timelimit"},
    {"libfftw3.so.3", "fftw_set_timelimit"},
    {"libfftw3l.so.3", "fftwl_set_timelimit"},
  };
  for (size_t i = 0; i < sizeof planners / sizeof *planners; ++i) {
    void* library = dlopen(planners[i][0], RTLD_NOW | RTLD_LOCAL);
    void (*set_time_limit)(double) = NULL;
    if (library) *(void**)&set_time_limit = dlsym(library, planners[i][1]);
    if (set_time_limit) set_time_limit(0);
  }
}
