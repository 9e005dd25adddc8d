// The functions that open files, in front of those of the C library: the same, but refusals are noted.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "OpenWatch.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "Heartbeat.h"

static atomic_bool isOn;

void AuricleOpenWatchBegin(void) { atomic_store(&isOn, true); }

/// Writes the absolute path of a file that is named from a folder; false when that is too long.
static bool makeAbsolute(char *absolute, int folder, const char *path) {
  ssize_t length = 0;
  if (path[0] != '/') {
    char link[32] = "/proc/self/cwd";
    if (folder != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    length = readlink(link, absolute, PATH_MAX - 1);
    if (length <= 0 || length >= PATH_MAX - 1) return false;
    if (length > 1) absolute[length++] = '/';
  }
  const size_t count = strlen(path);
  if ((size_t)length + count >= PATH_MAX) return false;
  memcpy(absolute + length, path, count + 1);
  return true;
}

/// Called after a failure; leaves errno as it is.
static void noteFailure(int folder, const char *path) {
  if (errno != EACCES || !atomic_load(&isOn) || !path) return;
  // The sandbox refused a caller that the modes of the file allow.
  if (faccessat(folder, path, R_OK, 0) == 0) {
    char absolute[PATH_MAX];
    if (makeAbsolute(absolute, folder, path)) AuricleHeartbeatNoteRefusal(absolute);
  }
  errno = EACCES;
}

static bool reads(int flags) { return (flags & O_ACCMODE) == O_RDONLY && !(flags & O_CREAT); }

/// The next definition of a function: of a library that was preloaded, or of the C library.
#define FIND_NEXT(name)                                                        \
  static _Atomic(void *) found;                                                \
  void *next = atomic_load_explicit(&found, memory_order_relaxed);             \
  if (!next) atomic_store(&found, next = dlsym(RTLD_NEXT, #name));

/// The mode, which callers pass only where a file may be made.
#define READ_MODE(flags)                                                       \
  mode_t mode = 0;                                                             \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {                                     \
    va_list list;                                                              \
    va_start(list, flags);                                                     \
    mode = va_arg(list, mode_t);                                               \
    va_end(list);                                                              \
  }

#define WATCH_OPEN(name)                                                       \
  int name(const char *path, int flags, ...) {                                 \
    FIND_NEXT(name)                                                            \
    READ_MODE(flags)                                                           \
    const int file = ((int (*)(const char *, int, ...))next)(path, flags, mode); \
    if (file < 0 && reads(flags)) noteFailure(AT_FDCWD, path);                 \
    return file;                                                               \
  }

#define WATCH_OPENAT(name)                                                     \
  int name(int folder, const char *path, int flags, ...) {                     \
    FIND_NEXT(name)                                                            \
    READ_MODE(flags)                                                           \
    const int file =                                                           \
        ((int (*)(int, const char *, int, ...))next)(folder, path, flags, mode); \
    if (file < 0 && reads(flags)) noteFailure(folder, path);                   \
    return file;                                                               \
  }

#define WATCH_FOPEN(name)                                                      \
  FILE *name(const char *restrict path, const char *restrict mode) {           \
    FIND_NEXT(name)                                                            \
    FILE *file = ((FILE *(*)(const char *, const char *))next)(path, mode);    \
    if (!file && mode && mode[0] == 'r' && !strchr(mode, '+')) noteFailure(AT_FDCWD, path); \
    return file;                                                               \
  }

WATCH_OPEN(open)
WATCH_OPEN(open64)
WATCH_OPENAT(openat)
WATCH_OPENAT(openat64)
WATCH_FOPEN(fopen)
WATCH_FOPEN(fopen64)

// The functions that compilers call without a mode where they check arguments.
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int __openat_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }
int __openat64_2(int folder, const char *path, int flags) { return openat64(folder, path, flags); }

DIR *opendir(const char *path) {
  FIND_NEXT(opendir)
  DIR *folder = ((DIR * (*)(const char *))next)(path);
  if (!folder) noteFailure(AT_FDCWD, path);
  return folder;
}
