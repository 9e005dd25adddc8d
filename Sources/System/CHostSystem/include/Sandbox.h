// Removes rights of this process, without privileges: limits, Landlock, seccomp.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SANDBOX_H
#define AURICLE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Ends this process with SIGKILL when the thread that started it ends; false when it has ended
/// already.
bool AuricleDieWithParent(pid_t parent);

/// No core files; at most so many bytes of private memory (0: unlimited) and open files. 0 or errno.
int AuricleLimitResources(uint64_t memory, uint64_t openFiles);

/// No program started from here gains rights. 0 or errno.
int AuricleRenouncePrivileges(void);

/// The version of Landlock that the kernel has; 0 for none.
int AuricleLandlockVersion(void);

/// Nothing but these files and folders can be read (and run) or written from now on; with `network`
/// false no TCP either, where the kernel can. Paths that are not there are passed over. `version` is
/// that of Landlock, or an earlier one whose rights alone are used. 0 or errno.
int AuricleRestrictFiles(int version, const char *const *readable, size_t readableCount,
                         const char *const *writable, size_t writableCount, bool network);

/// Calls that `AuricleRestrictCalls` leaves.
enum {
  /// Other programs and processes, and the attributes of files.
  AuricleCallsProcesses = 1,
  /// Sockets of the network; never those of this machine.
  AuricleCallsNetwork = 2,
  /// Policy, priority and processors of threads, which are those of any process of the user as well.
  AuricleCallsPriorities = 4,
};

/// Refuses system calls that threads of an audio plug-in do not need, from now on: they fail with
/// EPERM. Calls that this version of Landlock has no right for are refused as well. 0 or errno.
int AuricleRestrictCalls(int allowed, int landlockVersion);

#endif
