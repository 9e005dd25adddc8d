// Unfinished files of this process, in a table that a signal handler may walk through.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "PartFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { slotCount = 256, pathCapacity = 4096 };

enum { slotFree, slotBusy, slotTaken };

static struct {
  atomic_int state;
  pid_t owner;
  char path[pathCapacity];
} slots[slotCount];

int AuriclePartFileRemember(const char *path) {
  size_t length = strlen(path);
  if (length == 0 || length >= pathCapacity) return -1;
  for (int slot = 0; slot < slotCount; slot++) {
    int expected = slotFree;
    if (!atomic_compare_exchange_strong(&slots[slot].state, &expected, slotBusy)) continue;
    memcpy(slots[slot].path, path, length + 1);
    slots[slot].owner = getpid();
    atomic_store(&slots[slot].state, slotTaken);
    return slot;
  }
  return -1;
}

void AuriclePartFileForget(int slot) {
  if (slot < 0 || slot >= slotCount) return;
  int expected = slotTaken;
  atomic_compare_exchange_strong(&slots[slot].state, &expected, slotFree);
}

int AuriclePartFilesRemoveAll(void) {
  int savedError = errno;
  int removed = 0;
  pid_t self = getpid();
  for (int slot = 0; slot < slotCount; slot++) {
    // A child made by fork shares the entries but not the files.
    if (atomic_load(&slots[slot].state) != slotTaken || slots[slot].owner != self) continue;
    int expected = slotTaken;
    if (!atomic_compare_exchange_strong(&slots[slot].state, &expected, slotBusy)) continue;
    if (unlink(slots[slot].path) == 0) removed++;
    atomic_store(&slots[slot].state, slotFree);
  }
  errno = savedError;
  return removed;
}

int AuricleMoveFile(const char *from, const char *to, bool replace) {
  return AuricleMoveFileAt(AT_FDCWD, from, to, replace);
}

int AuricleMoveFileAt(int folder, const char *from, const char *to, bool replace) {
  if (replace) return renameat(folder, from, folder, to) == 0 ? 0 : errno;
  if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return errno;
  // A file system without it: a second name, then the first one goes.
  if (linkat(folder, from, folder, to, 0) == 0) {
    unlinkat(folder, from, 0);
    return 0;
  }
  if (errno == EEXIST) return EEXIST;
  // Nor hard links: check first; another program may still come between.
  struct stat status;
  if (fstatat(folder, to, &status, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  if (errno != ENOENT) return errno;
  return renameat(folder, from, folder, to) == 0 ? 0 : errno;
}
