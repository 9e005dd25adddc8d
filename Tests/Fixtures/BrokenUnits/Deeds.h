// Forbidden deeds of a plug-in, by name: shared by the hostile unit and the hostile LV2 plug-in.
// SPDX-License-Identifier: Apache-2.0
//
// AURICLE_TEST_HOSTILE is "PHASE DEED". Needs hostileValue, the sample that the deed leaves.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "HostProcess.h"

static float hostileValue;

/// Keeps compilers from leaving out memory that nobody reads.
static char *volatile kept;

static int overflow(volatile char *above) {
  volatile char room[4096];
  room[0] = above ? above[0] : 1;
  return overflow(room) + room[4095];
}

static void onSignal(int number) { (void)number; }

static void *wait_for_ever(void *unused) {
  (void)unused;
  for (;;) pause();
}

static void *crash_later(void *unused) {
  (void)unused;
  // Late, on purpose: in the middle of another call.
  usleep(1000);
  *(volatile int *)(uintptr_t)16 = 1;
  return NULL;
}

/// Whether a descriptor is that of a regular file.
static int isFile(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

/// Changes attributes of an open file that its owner may change without write access. A change that
/// is not visible to others at once ends the process on success.
static void changeAttributes(int file) {
  enum { fchmodat2 = 452, setxattrat = 463, removexattrat = 466, byDescriptor = 0x1000 };
  const struct timespec long_ago[2] = {{1, 0}, {1, 0}};
  const struct { uint64_t value; uint32_t size, flags; } value = {(uintptr_t)"x", 1, 0};
  long flags = 0;
  fchmod(file, 0);
  fchown(file, 1, 1);
  futimens(file, long_ago);
  syscall(fchmodat2, file, "", 0, byDescriptor);
  if (fsetxattr(file, "user.hostile", "x", 1, 0) == 0) abort();
  if (fremovexattr(file, "user.hostile") == 0 || errno == ENODATA) abort();
  if (syscall(setxattrat, file, "", byDescriptor, "user.hostile", &value, sizeof value) == 0)
    abort();
  if (syscall(removexattrat, file, "", byDescriptor, "user.hostile") == 0 || errno == ENODATA)
    abort();
  // FS_IOC_GETFLAGS, FS_IOC_SETFLAGS: "not to be in a backup".
  ioctl(file, 0x80086601, &flags);
  flags |= 0x40;
  ioctl(file, 0x40086602, &flags);
}

static void *end_at_once(void *unused) { return unused; }

/// Ends its process if it can slow another one down, or if it cannot start threads as it likes.
static void changePriorities(pid_t other) {
  enum { process = 1, idle = 3 << 13 };
  const struct sched_param none = {0};
  cpu_set_t before, one, after;
  sched_setscheduler(other, SCHED_BATCH, &none);
  if (sched_getscheduler(other) == SCHED_BATCH) abort();
  sched_getaffinity(other, sizeof before, &before);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  sched_setaffinity(other, sizeof one, &one);
  sched_getaffinity(other, sizeof after, &after);
  if (!CPU_EQUAL(&before, &after)) abort();
  const int priority = getpriority(PRIO_PROCESS, (id_t)other);
  setpriority(PRIO_PROCESS, (id_t)other, priority + 1);
  if (getpriority(PRIO_PROCESS, (id_t)other) != priority) abort();
  const long class = syscall(SYS_ioprio_get, process, other);
  syscall(SYS_ioprio_set, process, other, idle);
  if (syscall(SYS_ioprio_get, process, other) != class) abort();

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
  pthread_attr_setschedparam(&attributes, &none);
  pthread_attr_setaffinity_np(&attributes, sizeof before, &before);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, end_at_once, NULL) != 0) abort();
  pthread_join(thread, NULL);
  if (setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)) != 0) abort();
}

/// 640 MiB that are nobody's memory, and then nothing.
static void fillMemoryFile(void) {
  static char block[1 << 20];
  const int file = memfd_create("hostile", 0);
  for (int i = 0; i < 640; i++)
    if (write(file, block, sizeof block) < 0) return;
  sleep(1000000);
}

/// Whether an open file is one that the worker writes.
static int isResult(int file) {
  return isFile(file) && (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR;
}

/// Makes every write of the process fail, if the kernel accepts the filter; then returns 0.
static int failWrites(int error) {
  struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwrite64, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
  };
  struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/// Ends its process if it can put itself between the process and the kernel.
static void filterCalls(void) {
  enum { setDispatch = 59, dispatchOff = 0 };
  struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {.len = 1, .filter = &allow};
  if (failWrites(EIO) == 0) abort();
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0) abort();
  if (prctl(setDispatch, dispatchOff, 0, 0, 0) == 0) abort();
}

/// The files that `scribbleOnOthers` spares: the results that were open when it was begun.
static ino_t spared[64];

/// Writes into all results that come later.
static void *scribbleOnOthers(void *unused) {
  for (int round = 0; round < 20000; round++) {
    // A pace, on purpose: rounds until a result is there.
    usleep(500);
    for (int f = 3; f < 64; f++) {
      struct stat status;
      if (!isResult(f) || fstat(f, &status) != 0) continue;
      int isSpared = 0;
      for (int i = 0; i < 64; i++) isSpared |= spared[i] == status.st_ino;
      if (!isSpared && status.st_size > 5000) pwrite(f, "HOSTILE!", 8, 4096);
    }
  }
  return unused;
}

static void leaveThread(void) {
  static int isLeft;
  pthread_t thread;
  if (isLeft++) return;
  for (int f = 3; f < 64; f++) {
    struct stat status;
    if (isResult(f) && fstat(f, &status) == 0) spared[f] = status.st_ino;
  }
  if (pthread_create(&thread, NULL, scribbleOnOthers, NULL) == 0) pthread_detach(thread);
}

/// Whether a file or folder can be read in any of the ways there are.
static int canRead(const char *path) {
  char byte;
  int file = open(path, O_RDONLY);
  FILE *stream = fopen(path, "r");
  DIR *folder = opendir(path);
  const long call = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  // A folder that is only pointed at, and its contents.
  const int root = open("/", O_PATH);
  const int below = openat(root, path + 1, O_RDONLY);
  const int can = file >= 0 || (stream && fread(&byte, 1, 1, stream) == 1) || folder || call >= 0 || below >= 0;
  if (file >= 0) close(file);
  if (stream) fclose(stream);
  if (folder) closedir(folder);
  if (call >= 0) close((int)call);
  if (below >= 0) close(below);
  close(root);
  return can;
}

/// Ends its process unless all of the paths in AURICLE_TEST_HOSTILE_PREY, parted by colons, can be read, or
/// none of them can.
static void readAll(int expected) {
  const char *prey = getenv("AURICLE_TEST_HOSTILE_PREY");
  char *paths = strdup(prey ? prey : ""), *rest = NULL;
  for (char *path = strtok_r(paths, ":", &rest); path; path = strtok_r(NULL, ":", &rest))
    if (canRead(path) != expected) { fprintf(stderr, "unexpected: %s\n", path); abort(); }
  free(paths);
}

static void deed(const char *name) {
  harmProcess(name);
#define IS(word) (!strcmp(name, word))
  // Ends.
  if (IS("segv")) *(volatile int *)(uintptr_t)8 = 1;
  else if (IS("bus")) raise(SIGBUS);
  else if (IS("ill")) __builtin_trap();
  else if (IS("fpe")) raise(SIGFPE);
  else if (IS("abort")) abort();
  else if (IS("exit")) exit(0);
  else if (IS("quit")) _exit(0);
  else if (IS("fails")) _exit(3);
  else if (IS("suicide")) raise(SIGKILL);
  else if (IS("alarm")) { alarm(1); for (;;) pause(); }
  else if (IS("timer")) { struct itimerval often = {{0, 10}, {0, 10}}; setitimer(ITIMER_REAL, &often, NULL); }
  else if (IS("thread")) { pthread_t t; pthread_create(&t, NULL, crash_later, NULL); pthread_join(t, NULL); }
  else if (IS("overflow")) hostileValue = (float)overflow(NULL);
  else if (IS("smash")) { char *b = malloc(24); kept = b; memset(b, 0x5A, 4096); free(b); abort(); }
  else if (IS("twice")) { char *b = malloc(24); kept = b; free(b); free((char *)kept); abort(); }
  else if (IS("unmap")) { munmap((void *)((uintptr_t)&hostileValue & ~(uintptr_t)4095), 4096); hostileValue = 1; }
  // 64 GiB, in pieces that a limit of addresses alone would let pass.
  else if (IS("memory"))
    for (int i = 0; i < 64; i++) {
      char *block = malloc((size_t)1 << 30);
      kept = block;
      if (!kept) abort();
      memset(block, 1, (size_t)1 << 30);
    }
  else if (IS("memfile")) fillMemoryFile();
  // Hangs.
  else if (IS("loop")) for (volatile int i = 0;; i++) {}
  else if (IS("sleep")) sleep(1000000);
  // Late, and back.
  else if (IS("dawdle")) usleep(50000);
  else if (IS("deadlock")) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  else if (IS("stop")) raise(SIGSTOP);
  // Sound.
  else if (IS("nan")) hostileValue = NAN;
  else if (IS("inf")) hostileValue = INFINITY;
  else if (IS("denormal")) hostileValue = 1e-40f;
  // Property of others.
  else if (IS("closeall")) for (int file = 0; file < 1024; file++) close(file);
  else if (IS("nullall")) { int null = open("/dev/null", O_RDWR); for (int f = 3; f < 256; f++) if (f != null) dup2(null, f); }
  else if (IS("attributes")) { for (int f = 3; f < 64; f++) if (isFile(f)) changeAttributes(f); }
  else if (IS("stretch")) {
    // 1 TiB of nothing.
    for (int f = 3; f < 64; f++)
      if (isFile(f) && (fcntl(f, F_GETFL) & O_ACCMODE) == O_RDWR) ftruncate(f, (off_t)1 << 40);
  }
  else if (IS("append")) { for (int f = 3; f < 64; f++) if (isResult(f)) fcntl(f, F_SETFL, O_APPEND); }
  else if (IS("direct")) { for (int f = 3; f < 64; f++) if (isResult(f)) fcntl(f, F_SETFL, O_DIRECT); }
  else if (IS("mixup")) {
    for (int f = 3, last = -1; f < 64; f++)
      if (isResult(f)) { if (last >= 0) dup2(last, f); last = f; }
  }
  else if (IS("linger")) leaveThread();
  else if (IS("broken")) failWrites(EIO);
  else if (IS("full")) failWrites(ENOSPC);
  else if (IS("filters")) filterCalls();
  // memfd_secret
  else if (IS("secret")) { if (syscall(447, 0) >= 0) abort(); }
  else if (IS("priorities")) changePriorities(getppid());
  else if (IS("garble")) for (int file = 3; file < 64; file++) send(file, "this is no message", 18, MSG_DONTWAIT | MSG_NOSIGNAL);
  else if (IS("shared")) {
    // Outlives its process.
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (id >= 0) { shmctl(id, IPC_RMID, NULL); abort(); }
  }
  else if (IS("kill")) { kill(getppid(), SIGKILL); kill(0, SIGTERM); kill(-1, SIGTERM); }
  else if (IS("ptrace")) { ptrace(PTRACE_ATTACH, getppid(), NULL, NULL); ptrace(PTRACE_TRACEME, 0, NULL, NULL); }
  else if (IS("write")) {
    const char *path = getenv("AURICLE_TEST_HOSTILE_FILE");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) fclose(file);
  }
  else if (IS("remove")) {
    // Everything that it finds, its own files among it.
    const char *path = getenv("AURICLE_TEST_HOSTILE_PREY");
    if (path) { unlink(path); rename(path, "/tmp/prey"); truncate(path, 0); chmod(path, 0); }
  }
  else if (IS("socket")) { int s = socket(AF_INET, SOCK_STREAM, 0); if (s >= 0) close(s); }
  else if (IS("limits")) { struct rlimit none = {0, 0}; setrlimit(RLIMIT_FSIZE, &none); setrlimit(RLIMIT_NOFILE, &none); }
  // Property of the process.
  else if (IS("fork")) { if (fork() == 0) for (;;) pause(); }
  else if (IS("bomb")) for (int i = 0; i < 100; i++) fork();
  else if (IS("exec")) execl("/bin/sh", "sh", "-c", "exit 0", NULL);
  else if (IS("chdir")) { if (chdir("/") != 0) return; }
  else if (IS("locale")) { setlocale(LC_ALL, "C.UTF-8"); umask(0); }
  else if (IS("environment")) { clearenv(); }
  else if (IS("signals")) for (int number = 1; number < 32; number++) signal(number, onSignal);
  else if (IS("mask")) { sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL); }
  else if (IS("mode")) fesetround(FE_UPWARD);
#if defined(__x86_64__)
  else if (IS("direction")) __asm__ volatile("std");
#endif
  else if (IS("prctl")) {
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_DUMPABLE, 1);
    prctl(PR_SET_NAME, "harmless");
    prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
  }
  else if (IS("nice")) { if (nice(19) < 0) return; }
  else if (IS("flood")) {
    for (int line = 0; line < 20000; line++) printf("this is line %d of a flood\n", line);
    fflush(stdout);
    for (int line = 0; line < 2000; line++) fprintf(stderr, "\033[2J%d\a\n", line);
  }
  else if (IS("spy")) {
    // The place of secrets of the starting process.
    char path[64], byte;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1) abort();
  }
  else if (IS("pry")) readAll(0);
  else if (IS("need")) readAll(1);
  else if (IS("read")) { char byte; while (read(0, &byte, 1) > 0) {} }
  else if (IS("leak"))
    for (int i = 0; i < 200; i++) {
      pthread_t thread;
      if (open("/dev/null", O_RDONLY) < 0) break;
      if (i < 40) pthread_create(&thread, NULL, wait_for_ever, NULL);
    }
  // Resources that are never released.
  else if (IS("hoard")) { char *block = malloc(160 << 20); kept = block; if (!block) abort(); memset(block, 1, 160 << 20); }
  else if (IS("threads"))
    for (int i = 0; i < 2000; i++) {
      pthread_t thread;
      if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) break;
    }
#undef IS
}

static const char *deedOf(const char *phase) {
  const char *text = getenv("AURICLE_TEST_HOSTILE");
  size_t length = strlen(phase);
  return text && !strncmp(text, phase, length) && text[length] == ' ' ? text + length + 1 : NULL;
}

static void hostile(const char *phase) {
  const char *name = deedOf(phase);
  if (name) deed(name);
}

static float hostileSample(float sample) {
  hostileValue = sample;
  hostile("render");
  return hostileValue;
}
