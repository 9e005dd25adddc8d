// Where the file is that this code was loaded from.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "LibraryPlace.h"

#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Not AuricleOwnFile itself: the address of a function that others can see may be another library's.
static const char here = 0;

/// Finds the name of the file that `here` was loaded with.
static int findName(struct dl_phdr_info *loaded, size_t size, void *name) {
  (void)size;
  for (int index = 0; index < loaded->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &loaded->dlpi_phdr[index];
    if (part->p_type != PT_LOAD) continue;
    if ((uintptr_t)&here - (loaded->dlpi_addr + part->p_vaddr) < part->p_memsz) {
      *(const char **)name = loaded->dlpi_name;
      return 1;
    }
  }
  return 0;
}

// By the parts that are loaded: dladdr reads all symbols of the library.
bool AuricleOwnFile(char *path, size_t capacity) {
  const char *name = NULL;
  if (!dl_iterate_phdr(findName, &name) || !name) return false;
  char *resolved = realpath(*name ? name : "/proc/self/exe", NULL);
  if (!resolved) return false;
  const size_t size = strlen(resolved) + 1;
  const bool fits = size <= capacity;
  if (fits) memcpy(path, resolved, size);
  free(resolved);
  return fits;
}
