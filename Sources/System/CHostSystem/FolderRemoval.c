// Removes folders with their entire content, even as foreign code left it.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "FolderRemoval.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// Removes a file, a link or an empty folder.
static bool removeOne(int folder, const char *name) {
  return unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

/// Opens a folder, and no link to one, so that its entries can be removed; -1 when that cannot be.
static int openFolder(int parent, const char *name) {
  int place = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0) return -1;
  // Its maker may have left no rights to anybody. The path leads to the open folder, nothing else.
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", place);
  chmod(path, S_IRWXU);
  int folder = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  close(place);
  return folder;
}

/// Lists a folder from its beginning; NULL when that cannot be.
static DIR *listFolder(int folder) {
  int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = own >= 0 ? fdopendir(own) : NULL;
  if (!list && own >= 0) close(own);
  return list;
}

/// The next name but for the folder itself and the one above; NULL at the end.
static const char *nextName(DIR *list) {
  struct dirent *entry;
  do entry = readdir(list);
  while (entry && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")));
  return entry ? entry->d_name : NULL;
}

/// Removes a folder's entries, and moves subfolders that are not empty up into another; whether
/// anything was removed or moved.
static bool lift(int folder, int top, uint64_t *number) {
  DIR *list = listFolder(folder);
  if (!list) return false;
  bool progress = false;
  for (const char *name = nextName(list); name; name = nextName(list)) {
    if (removeOne(folder, name)) {
      progress = true;
      continue;
    }
    // To be moved, a folder has to be one that may be written to.
    int inner = openFolder(folder, name);
    if (inner < 0) continue;
    close(inner);
    char fresh[32];
    snprintf(fresh, sizeof fresh, "%llx", (unsigned long long)(*number)++);
    if (renameat(folder, name, top, fresh) == 0) progress = true;
  }
  closedir(list);
  return progress;
}

/// One pass over a folder; whether anything went.
static bool thin(int top, uint64_t *number) {
  DIR *list = listFolder(top);
  if (!list) return false;
  bool progress = false;
  for (const char *name = nextName(list); name; name = nextName(list)) {
    if (removeOne(top, name)) {
      progress = true;
      continue;
    }
    int folder = openFolder(top, name);
    if (folder < 0) continue;
    if (lift(folder, top, number)) progress = true;
    close(folder);
    if (removeOne(top, name)) progress = true;
  }
  closedir(list);
  return progress;
}

bool AuricleRemoveFolder(const char *path) {
  if (removeOne(AT_FDCWD, path) || errno == ENOENT) return true;
  int top = openFolder(AT_FDCWD, path);
  if (top < 0) return false;
  // Names that nothing in there has.
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t number = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec << 8;
  // Level by level instead of into the depth: no nesting is too deep. Programs that still write
  // there are not waited for.
  const int mostPasses = 1 << 17;
  for (int pass = 0; pass < mostPasses && thin(top, &number); pass++) {}
  close(top);
  return removeOne(AT_FDCWD, path);
}
