// Extended attributes from one open file to another.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "FileAttributes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

// Reads with `call(buffer, size)` into memory of the size it asks for; NULL for nothing and for failures.
#define READ_ALL(size, call)                                       \
  for (int attempt = 0; attempt < 8; attempt++) {                  \
    const ssize_t wanted = call(NULL, 0);                          \
    if (wanted <= 0) { *(size) = 0; return wanted == 0 ? calloc(1, 1) : NULL; } \
    char *bytes = malloc((size_t)wanted);                          \
    if (!bytes) return NULL;                                       \
    const ssize_t found = call(bytes, (size_t)wanted);             \
    if (found >= 0) { *(size) = (size_t)found; return bytes; }     \
    free(bytes);                                                   \
    if (errno != ERANGE) return NULL;                              \
  }                                                                \
  return NULL

static char *names(int file, size_t *size) {
#define CALL(bytes, count) flistxattr(file, bytes, count)
  READ_ALL(size, CALL);
#undef CALL
}

static char *value(int file, const char *name, size_t *size) {
#define CALL(bytes, count) fgetxattr(file, name, bytes, count)
  READ_ALL(size, CALL);
#undef CALL
}

void AuricleCopyAttributes(int source, int target, char *lost, size_t capacity) {
  size_t size = 0, used = 0;
  if (capacity > 0) lost[0] = 0;
  char *all = names(source, &size);
  if (!all) return;
  for (char *name = all; name < all + size; name += strlen(name) + 1) {
    size_t count = 0;
    char *bytes = value(source, name, &count);
    const bool isSet = bytes && fsetxattr(target, name, bytes, count, 0) == 0;
    free(bytes);
    const size_t length = strlen(name);
    if (isSet || used + length + 3 > capacity) continue;
    if (used > 0) used = (size_t)(stpcpy(lost + used, ", ") - lost);
    used = (size_t)(stpcpy(lost + used, name) - lost);
  }
  free(all);
}
