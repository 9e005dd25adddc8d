// The path of the running program, which programs ask the dynamic linker of a Mac for.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_MACH_O_DYLD_H
#define AURICLE_MACH_O_DYLD_H

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#ifndef __cplusplus
// A strict mode of the compiler leaves it out of unistd.h.
extern ssize_t readlink(const char *path, char *target, size_t size);
#endif

// Copies the path into memory of *size bytes. -1 where it does not fit, with the bytes that it needs in *size.
static inline int _NSGetExecutablePath(char *path, uint32_t *size) {
  char found[4096];
  const ssize_t length = readlink("/proc/self/exe", found, sizeof(found) - 1);
  if (length < 0) return -1;
  if ((uint32_t)length + 1 > *size) {
    *size = (uint32_t)length + 1;
    return -1;
  }
  memcpy(path, found, (size_t)length);
  path[length] = 0;
  return 0;
}

#endif
