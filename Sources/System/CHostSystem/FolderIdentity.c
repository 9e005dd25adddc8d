// Distinguishes a folder from another one of its name, also after a restart of the machine.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "FolderIdentity.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

int AuricleFolderIdentity(const char *path, uint64_t *number, int64_t *born, uint64_t *fileSystem) {
  struct statx state;
  if (statx(AT_FDCWD, path, 0, STATX_TYPE | STATX_INO | STATX_BTIME, &state) != 0) return errno;
  if (!S_ISDIR(state.stx_mode)) return ENOTDIR;
  *number = state.stx_ino;
  *born = 0;
  if (state.stx_mask & STATX_BTIME) *born = state.stx_btime.tv_sec * INT64_C(1000000000) + state.stx_btime.tv_nsec;
  struct statfs system;
  *fileSystem = 0;
  if (statfs(path, &system) == 0) {
    _Static_assert(sizeof system.f_fsid == sizeof *fileSystem, "two numbers of 32 bits");
    memcpy(fileSystem, &system.f_fsid, sizeof *fileSystem);
  }
  return 0;
}
