// Preloaded into the supervisor of a run: another program meddles with its files, or its disk is of another kind.
// SPDX-License-Identifier: Apache-2.0
//
// AURICLE_TEST_MEDDLE is a command of the shell, run whenever a ledger is brought to the disk until it succeeds.
// AURICLE_TEST_FOLDS makes names in upper case be those in lower case. AURICLE_TEST_NO_LINKS forbids second names.
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int fdatasync(int file) {
  static int (*real)(int);
  static int isDone;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fdatasync");
  const char *command = getenv("AURICLE_TEST_MEDDLE");
  if (command && !isDone) {
    char line[4096];
    snprintf(line, sizeof line, "unset LD_PRELOAD; %s", command);
    isDone = system(line) == 0;
  }
  return real(file);
}

int fstatat(int folder, const char *path, struct stat *status, int flags) {
  static int (*real)(int, const char *, struct stat *, int);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fstatat");
  int result = real(folder, path, status, flags);
  if (result == 0 || errno != ENOENT || !getenv("AURICLE_TEST_FOLDS")) return result;
  char lower[4096];
  size_t index = 0;
  for (; path[index] && index < sizeof lower - 1; index++) lower[index] = (char)tolower(path[index]);
  lower[index] = 0;
  return real(folder, lower, status, flags);
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
  static int (*real)(int, const char *, int, const char *, int);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "linkat");
  if (getenv("AURICLE_TEST_NO_LINKS")) {
    errno = EPERM;
    return -1;
  }
  return real(a, from, b, to, flags);
}
