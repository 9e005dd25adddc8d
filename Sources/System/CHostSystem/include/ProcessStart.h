// Starts a program that ends with this process.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_PROCESS_START_H
#define AURICLE_PROCESS_START_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// A program to be started. Standard streams that are not among its files are `/dev/null`.
typedef struct {
  const char *program;
  char *const *arguments;
  char *const *environment;
  /// Open files of this process, and their numbers in the new one, none of which is among the first.
  const int *own;
  const int *theirs;
  size_t fileCount;
  /// Whether it is the first of a process group, with no signal blocked or ignored.
  bool leadsGroup;
} AuricleProcessStart;

/// Starts a program, which gets SIGKILL when the thread that started it ends, also by SIGKILL.
///
/// `handle` receives a descriptor of the process, which is readable when the process has ended; -1 where the
/// kernel has none. Returns 0 or an error number.
int AuricleStartProcess(const AuricleProcessStart *start, pid_t *process, int *handle);

#endif
