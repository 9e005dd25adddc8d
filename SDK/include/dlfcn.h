// The system's dlfcn.h, and frameworks opened by their path on macOS: they are in this library.
// SPDX-License-Identifier: Apache-2.0
//
// Base classes of units search for functions of older and newer systems in a framework's binary.
#ifndef AURICLE_DLFCN_H
#define AURICLE_DLFCN_H

#pragma GCC system_header

#include_next <dlfcn.h>

#include <string.h>

static inline void *AuricleOpenLibrary(const char *path, int mode) {
  static const char frameworks[] = "/System/Library/Frameworks/";
  int isFramework = path && !strncmp(path, frameworks, sizeof(frameworks) - 1);
  return dlopen(isFramework ? "libAudioToolbox.so" : path, mode);
}
#define dlopen(path, mode) AuricleOpenLibrary((path), (mode))

#endif
