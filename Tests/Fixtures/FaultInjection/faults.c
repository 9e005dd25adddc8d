// Preloaded into the supervisor of a run, or its workers: makes one system call fail.
// SPDX-License-Identifier: Apache-2.0
//
// AURICLE_TEST_FAULT is "CALL NUMBER ERROR": the NUMBERth call, from 1, fails with the errno ERROR, or
// kills the process before it is made (0) or after (-1), or stops it after the call (-2). When it happens, a byte is written into the file that
// AURICLE_TEST_FAULT_MARK names; processes that begin later are left alone. Calls of workers are touched only, and then
// alone, where AURICLE_TEST_FAULT_WORKER is set. AURICLE_TEST_FAULT_COMMAND names another command than process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char wanted[32];
static int number, failure;
static atomic_int count;
static int mark = -1;

__attribute__((constructor)) static void begin(void) {
  char line[4096] = {0};
  FILE *file = fopen("/proc/self/cmdline", "r");
  size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
  if (file) fclose(file);
  for (size_t index = 0; index < length; index++)
    if (!line[index]) line[index] = ' ';
  const char *text = getenv("AURICLE_TEST_FAULT");
  const char *command = getenv("AURICLE_TEST_FAULT_COMMAND");
  char role[64];
  snprintf(
      role, sizeof role, " %s ", getenv("AURICLE_TEST_FAULT_WORKER") ? "run-worker" : command ? command : "process");
  if (!text || !strstr(line, role)) return;
  // Opened now: in its sandbox a worker could not.
  const char *path = getenv("AURICLE_TEST_FAULT_MARK");
  if (path) mark = (int)syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  struct stat status;
  if (mark >= 0 && fstat(mark, &status) == 0 && status.st_size > 0) return;
  // Out of the way of the numbers that count.
  if (mark >= 0) {
    int high = fcntl(mark, F_DUPFD_CLOEXEC, 900);
    syscall(SYS_close, mark);
    mark = high;
  }
  if (sscanf(text, "%31s %d %d", wanted, &number, &failure) != 3) wanted[0] = 0;
}

/// Whether this call is the one: 1 to fail with errno, 2 to die after it.
static int strikes(const char *name) {
  if (!wanted[0] || strcmp(name, wanted) || atomic_fetch_add(&count, 1) + 1 != number) return 0;
  if (mark >= 0) syscall(SYS_write, mark, "x", 1);
  if (failure == 0) kill(getpid(), SIGKILL);
  if (failure < 0) return 2;
  errno = failure;
  return 1;
}

/// Kills or stops the process after a call.
static void endAfterCall(void) { kill(getpid(), failure == -2 ? SIGSTOP : SIGKILL); }

/// Whether a descriptor is of a regular file: pipes and sockets are not of the commit path.
static int isRegular(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

#define WRAP(type, name, parameters, arguments)                              \
  type name parameters {                                                    \
    static type(*real) parameters;                                          \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                   \
    int strike = strikes(#name);                                            \
    if (strike == 1) return -1;                                             \
    type result = real arguments;                                           \
    if (strike == 2) endAfterCall();                                        \
    return result;                                                          \
  }

WRAP(int, fsync, (int file), (file))
WRAP(int, fdatasync, (int file), (file))
WRAP(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
     (a, from, b, to, flags))
WRAP(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAP(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode))
WRAP(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t offset),
     (file, bytes, size, offset))

WRAP(ssize_t, pread, (int file, void *bytes, size_t size, off_t offset), (file, bytes, size, offset))
WRAP(ssize_t, recvmsg, (int socket, struct msghdr *message, int flags), (socket, message, flags))
WRAP(ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags), (socket, message, flags))
WRAP(int, linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, ftruncate, (int file, off_t size), (file, size))
WRAP(int, flock, (int file, int operation), (file, operation))

ssize_t write(int file, const void *bytes, size_t size) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "write");
  int strike = wanted[0] && isRegular(file) ? strikes("write") : 0;
  if (strike == 1) return -1;
  ssize_t result = real(file, bytes, size);
  if (strike == 2) endAfterCall();
  return result;
}

ssize_t read(int file, void *bytes, size_t size) {
  static ssize_t (*real)(int, void *, size_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "read");
  int strike = wanted[0] && isRegular(file) ? strikes("read") : 0;
  if (strike == 1) return -1;
  ssize_t result = real(file, bytes, size);
  if (strike == 2) endAfterCall();
  return result;
}

int openat(int folder, const char *path, int flags, ...) {
  static int (*real)(int, const char *, int, mode_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "openat");
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  int strike = strikes("openat");
  if (strike == 1) return -1;
  int result = real(folder, path, flags, mode);
  if (strike == 2) endAfterCall();
  return result;
}
