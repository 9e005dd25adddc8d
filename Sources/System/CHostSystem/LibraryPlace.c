// Where the file is that this code was loaded from.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "LibraryPlace.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// Not AuricleOwnFile itself: the address of a function that others can see may be another library's.
static const char here = 0;

bool AuricleOwnFile(char *path, size_t capacity) {
  Dl_info information;
  if (!dladdr(&here, &information) || !information.dli_fname) return false;
  char *resolved = realpath(information.dli_fname, NULL);
  if (!resolved) return false;
  const size_t size = strlen(resolved) + 1;
  const bool fits = size <= capacity;
  if (fits) memcpy(path, resolved, size);
  free(resolved);
  return fits;
}
