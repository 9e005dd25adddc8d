// Starts a program that ends with this process.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "ProcessStart.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { stackSize = 1 << 16, signalCount = 64, exitCode = 127, firstOther = 3, mostFiles = 1 << 16 };

/// The new process between its begin and its program. It shares memory with the thread that waits for it.
typedef struct {
  const AuricleProcessStart *start;
  pid_t parent;
  sigset_t mask;
  volatile int error;
} Beginning;

static int fail(Beginning *beginning) {
  beginning->error = errno ? errno : EIO;
  _exit(exitCode);
}

/// Handlers of the parent must not run in memory that is the parent's.
static void resetSignals(bool all) {
  for (int number = 1; number <= signalCount; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL) continue;
    if (action.sa_handler == SIG_IGN && !all) continue;
    action.sa_handler = SIG_DFL;
    action.sa_flags = 0;
    sigaction(number, &action, NULL);
  }
}

/// Libraries open files without O_CLOEXEC: the connections of a server, devices. The program has none of them.
static void closeOthersOnExec(void) {
#ifdef SYS_close_range
  const unsigned int closeOnExec = 1U << 2;
  if (syscall(SYS_close_range, firstOther, ~0U, closeOnExec) == 0) return;
#endif
  // A kernel before 5.11.
  struct rlimit limit;
  int count = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < mostFiles ? (int)limit.rlim_cur : mostFiles;
  for (int number = firstOther; number < count; number++) {
    int flags = fcntl(number, F_GETFD);
    if (flags >= 0) fcntl(number, F_SETFD, flags | FD_CLOEXEC);
  }
}

static int arrangeFiles(const AuricleProcessStart *start) {
  for (int standard = 0; standard <= 2; standard++) {
    bool isGiven = false;
    for (size_t index = 0; index < start->fileCount; index++)
      if (start->theirs[index] == standard) isGiven = true;
    if (isGiven) continue;
    int empty = open("/dev/null", O_RDWR);
    if (empty < 0) return -1;
    if (empty == standard) continue;
    if (dup2(empty, standard) < 0) return -1;
    close(empty);
  }
  closeOthersOnExec();
  for (size_t index = 0; index < start->fileCount; index++)
    if (dup2(start->own[index], start->theirs[index]) < 0) return -1;
  return 0;
}

static int begin(void *argument) {
  Beginning *beginning = argument;
  const AuricleProcessStart *start = beginning->start;
  errno = 0;
  resetSignals(start->leadsGroup);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fail(beginning);
  // The parent may have ended before it was named.
  if (getppid() != beginning->parent) _exit(exitCode);
  // The memory is the parent's, which restores its own mask.
  sigset_t mask = beginning->mask;
  if (start->leadsGroup) {
    if (setpgid(0, 0) != 0) return fail(beginning);
    sigemptyset(&mask);
  }
  if (arrangeFiles(start) != 0) return fail(beginning);
  sigprocmask(SIG_SETMASK, &mask, NULL);
  execve(start->program, start->arguments, start->environment);
  return fail(beginning);
}

int AuricleStartProcess(const AuricleProcessStart *start, pid_t *process, int *handle) {
  void *stack = mmap(NULL, stackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return errno;
  Beginning beginning = {.start = start, .parent = getpid()};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &beginning.mask);
  *handle = -1;
  // This thread goes on when the program runs, or nothing does.
  const int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
  char *top = (char *)stack + stackSize;
  pid_t made = clone(begin, top, flags | CLONE_PIDFD, &beginning, handle);
  if (made < 0 && errno == EINVAL) made = clone(begin, top, flags, &beginning);
  int error = made < 0 ? errno : beginning.error;
  pthread_sigmask(SIG_SETMASK, &beginning.mask, NULL);
  munmap(stack, stackSize);
  if (error && made > 0) {
    while (waitpid(made, NULL, 0) < 0 && errno == EINTR) {
    }
    if (*handle >= 0) close(*handle);
    *handle = -1;
  }
  *process = made;
  return error;
}
