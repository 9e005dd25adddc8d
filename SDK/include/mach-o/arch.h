// The kind of processor that a program runs on.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_O_ARCH_H
#define AURICLE_MACH_O_ARCH_H

#include <stddef.h>
#include <string.h>

#include "../mach/mach_types.h"

typedef integer_t cpu_type_t;
typedef integer_t cpu_subtype_t;

#define CPU_ARCH_ABI64 0x01000000
#define CPU_TYPE_X86 ((cpu_type_t)7)
#define CPU_TYPE_X86_64 ((cpu_type_t)(7 | CPU_ARCH_ABI64))
#define CPU_TYPE_ARM ((cpu_type_t)12)
#define CPU_TYPE_ARM64 ((cpu_type_t)(12 | CPU_ARCH_ABI64))

enum NXByteOrder { NX_UnknownByteOrder, NX_LittleEndian, NX_BigEndian };

typedef struct {
  const char *name;
  cpu_type_t cputype;
  cpu_subtype_t cpusubtype;
  enum NXByteOrder byteorder;
  const char *description;
} NXArchInfo;

// The processor that the source is compiled for; NULL for one that has no name here.
static inline const NXArchInfo *NXGetLocalArchInfo(void) {
#if defined(__x86_64__)
  static const NXArchInfo own = {"x86_64", CPU_TYPE_X86_64, 3, NX_LittleEndian, "Intel x86-64"};
  return &own;
#elif defined(__aarch64__)
  static const NXArchInfo own = {"arm64", CPU_TYPE_ARM64, 0, NX_LittleEndian, "ARM64"};
  return &own;
#else
  return NULL;
#endif
}

// The same by its name; NULL for another.
static inline const NXArchInfo *NXGetArchInfoFromName(const char *name) {
  const NXArchInfo *own = NXGetLocalArchInfo();
  return name && own && strcmp(name, own->name) == 0 ? own : NULL;
}

#endif
