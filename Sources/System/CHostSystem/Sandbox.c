// Removes rights of this process, without privileges: limits, Landlock.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool AuricleDieWithParent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == parent;
}

static int lower(int resource, rlim_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return errno;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

int AuricleLimitResources(uint64_t memory, uint64_t openFiles) {
  int error = lower(RLIMIT_CORE, 0);
  if (!error && openFiles) error = lower(RLIMIT_NOFILE, openFiles);
  if (!error && memory) {
    // A plug-in consumes private memory that can be written; addresses are plenty, but a
    // reservation beyond all bounds is refused as well.
    error = lower(RLIMIT_DATA, memory);
    if (!error) error = lower(RLIMIT_AS, memory + ((uint64_t)32 << 30));
  }
  return error;
}

int AuricleRenouncePrivileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

// Landlock. Rights newer than the headers of the system are written as numbers.

int AuricleLandlockVersion(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? (int)version : 0;
}

enum {
  rightExecute = 1 << 0,
  rightWrite = 1 << 1,
  rightRead = 1 << 2,
  rightList = 1 << 3,
  rightsOfFirst = (1 << 13) - 1,
  rightRefer = 1 << 13,
  rightTruncate = 1 << 14,
  rightDevice = 1 << 15,
};

typedef struct {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
} Rules;

static int addPath(int ruleset, const char *path, uint64_t rights) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  // A missing path cannot be opened anyway.
  if (descriptor < 0) return 0;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && !S_ISDIR(status.st_mode))
    rights &= rightExecute | rightWrite | rightRead | rightTruncate | rightDevice;
  struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = descriptor};
  long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  int error = result == 0 ? 0 : errno;
  close(descriptor);
  return error;
}

int AuricleRestrictFiles(int version, const char *const *readable, size_t readableCount,
                         const char *const *writable, size_t writableCount, bool network) {
  if (version < 1) return ENOSYS;
  Rules rules = {.files = rightsOfFirst};
  if (version >= 2) rules.files |= rightRefer;
  if (version >= 3) rules.files |= rightTruncate;
  if (version >= 4 && !network) rules.network = 3;
  if (version >= 5) rules.files |= rightDevice;
  // Sockets in the abstract name space, and signals, reach nobody outside.
  if (version >= 6) rules.scopes = 3;
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return errno;
  int error = 0;
  uint64_t reading = rightExecute | rightRead | rightList;
  if (version >= 5) reading |= rightDevice;
  for (size_t index = 0; index < readableCount && !error; index++)
    error = addPath(ruleset, readable[index], reading);
  for (size_t index = 0; index < writableCount && !error; index++)
    error = addPath(ruleset, writable[index], rules.files);
  if (!error && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) error = errno;
  close(ruleset);
  return error;
}
