// Tries to get out of the sandbox in every way we know, and names each that was refused or not.
// SPDX-License-Identifier: Apache-2.0
//
// usage: attacks VERSION FOLDER [SEED ROUNDS]
//
// Each attack is made by a separate process in the strict sandbox, with this version of Landlock or an earlier one.
// The process around it compares files, a victim and sockets before and after. A line each: "NAME: refused", or "NAME:
// ESCAPED" with the reason. The needs of plug-ins are tried as well: "NAME: works", or "NAME: BROKEN". Built with
// Sandbox.c and CallFilter.c of the program. With a seed, each round has one process make several attacks in a random
// order. It needs no library besides the C library, so that it runs in a bare guest.
#define _GNU_SOURCE
#include <asm/ioctls.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "Sandbox.h"

// The user's own file; one that may be read; a folder that may be read; the folder of temporary files; a terminal.
static char box[256], prey[300], readable[300], shown[300], scratch[300], fresh[300], unixName[64];
static int terminal = -1, listener = -1, abstractListener = -1;
static pid_t victim;

enum { refused = 100, escaped = 101 };

static int opened(int file) { return file >= 0; }
static int done(long result) { return result == 0; }
/// Whether a call reached the kernel's own code: it failed by its arguments at most.
static int reached(long result) { return result >= 0 || (errno != EPERM && errno != ENOSYS && errno != EACCES); }
static int forReading(void) { return open(readable, O_RDONLY); }
static int folderForReading(void) { return open(shown, O_RDONLY | O_DIRECTORY); }

#define ATTACK(name, ...) static int name(void) { __VA_ARGS__ }
#define SIMPLE(name, ...) ATTACK(name, return __VA_ARGS__;)

// Files: emptied, written, made, renamed, removed.
SIMPLE(truncatePrey, done(truncate(prey, 0)))
SIMPLE(truncateReadable, done(truncate(readable, 0)))
SIMPLE(truncateByLink, done(truncate("/proc/self/fd/0", 0)))
SIMPLE(emptyByReading, opened(open(readable, O_RDONLY | O_TRUNC)))
SIMPLE(emptyByReadingOrMaking, opened(open(readable, O_RDONLY | O_TRUNC | O_CREAT, 0600)))
SIMPLE(emptyByNeither, opened(open(prey, O_ACCMODE | O_TRUNC)))
SIMPLE(openForNeither, opened(open(prey, O_ACCMODE)))
SIMPLE(openForNeitherAt, opened((int)syscall(SYS_openat, AT_FDCWD, prey, O_ACCMODE)))
ATTACK(emptyByRules,
       struct { uint64_t flags, mode, resolve; } how = {O_RDONLY | O_TRUNC, 0, 0};
       return opened((int)syscall(437, AT_FDCWD, readable, &how, sizeof how));)
SIMPLE(openToWrite, opened(open(prey, O_WRONLY)))
SIMPLE(openToChange, opened(open(readable, O_RDWR)))
SIMPLE(openToAppend, opened(open(prey, O_WRONLY | O_APPEND)))
SIMPLE(createOver, opened(creat(prey, 0600)))
SIMPLE(createNew, opened(open(fresh, O_WRONLY | O_CREAT, 0600)))
SIMPLE(createNameless, opened(open(box, O_TMPFILE | O_RDWR, 0600)))
SIMPLE(truncateOpen, done(ftruncate(forReading(), 0)))
SIMPLE(allocate, done(fallocate(forReading(), 0, 0, 1 << 20)))
ATTACK(reopen, char path[64]; snprintf(path, sizeof path, "/proc/self/fd/%d", forReading());
       return opened(open(path, O_RDWR));)
ATTACK(reopenPath, char path[64]; snprintf(path, sizeof path, "/proc/self/fd/%d", open(prey, O_PATH));
       return opened(open(path, O_RDWR));)
SIMPLE(writeMapped, mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, forReading(), 0) != MAP_FAILED)
SIMPLE(makeFolder, done(mkdir(fresh, 0700)))
SIMPLE(makePipe, done(mknod(fresh, S_IFIFO | 0600, 0)))
SIMPLE(makeLink, done(symlink("/", fresh)))
SIMPLE(linkPrey, done(link(prey, fresh)))
ATTACK(linkIntoScratch, char to[600]; snprintf(to, sizeof to, "%s/x", scratch); return done(link(prey, to));)
SIMPLE(renamePrey, done(rename(prey, fresh)))
SIMPLE(renameReadable, done(rename(readable, fresh)))
ATTACK(renameFromScratch, char from[600]; snprintf(from, sizeof from, "%s/y", scratch);
       close(open(from, O_CREAT | O_WRONLY, 0600)); return done(rename(from, prey));)
SIMPLE(exchange, done(syscall(SYS_renameat2, AT_FDCWD, prey, AT_FDCWD, readable, 2)))
SIMPLE(removePrey, done(unlink(prey)))
SIMPLE(removeReadable, done(unlink(readable)))
SIMPLE(removeFolder, done(rmdir(shown)))
// Files: modes, owners, times, attributes.
SIMPLE(changeMode, done(chmod(prey, 0)))
SIMPLE(changeModeOpen, done(fchmod(forReading(), 0)))
SIMPLE(changeModeAt, done(syscall(SYS_fchmodat, AT_FDCWD, prey, 0)))
SIMPLE(changeModeNew, done(syscall(452, AT_FDCWD, prey, 0, 0)))
SIMPLE(changeOwner, done(chown(prey, getuid(), getgid())))
SIMPLE(changeOwnerOpen, done(fchown(forReading(), getuid(), getgid())))
SIMPLE(changeOwnerOfLink, done(lchown(prey, getuid(), getgid())))
SIMPLE(changeOwnerAt, done(fchownat(AT_FDCWD, prey, getuid(), getgid(), 0)))
SIMPLE(changeTimes, done(utimes(prey, NULL)))
SIMPLE(changeTimesOpen, done(futimens(forReading(), NULL)))
SIMPLE(changeTimesAt, done(syscall(SYS_utimensat, AT_FDCWD, prey, NULL, 0)))
SIMPLE(setAttribute, done(setxattr(prey, "user.a", "x", 1, 0)))
SIMPLE(setAttributeOpen, done(fsetxattr(forReading(), "user.a", "x", 1, 0)))
SIMPLE(removeAttribute, done(removexattr(prey, "user.secret")))
ATTACK(setAttributeNew, struct { uint64_t value; uint32_t size, flags; } value = {(uintptr_t)"x", 1, 0};
       return done(syscall(463, AT_FDCWD, prey, 0, "user.a", &value, sizeof value));)
ATTACK(setFlags, long flags = FS_NODUMP_FL; return done(ioctl(forReading(), FS_IOC_SETFLAGS, &flags));)
ATTACK(setFileAttributes, char zeros[64] = {0}; return done(syscall(469, AT_FDCWD, prey, zeros, 24, 0));)
ATTACK(setHint, uint64_t hint = 2; return done(fcntl(forReading(), 1036, &hint));)
// Files: read, observed.
SIMPLE(readPrey, opened(open(prey, O_RDONLY)))
SIMPLE(listFolder, opendir(box) != NULL)
SIMPLE(readSecret, opened(open("/etc/shadow", O_RDONLY)))
ATTACK(readBelow, return opened(openat(open("/", O_PATH), prey + 1, O_RDONLY));)
ATTACK(readByHandle, char room[160] = {0}; int mount = 0; *(unsigned *)room = 128;
       return done(syscall(SYS_name_to_handle_at, AT_FDCWD, prey, room, &mount, 0));)
ATTACK(readAttribute, char value[16]; return getxattr(prey, "user.secret", value, sizeof value) >= 0;)
ATTACK(readAttributeOfLink, char value[16]; return lgetxattr(prey, "user.secret", value, sizeof value) >= 0;)
ATTACK(listAttributes, char names[64]; return listxattr(prey, names, sizeof names) >= 0;)
SIMPLE(watchFolders, opened((int)syscall(SYS_inotify_init1, 0)))
#ifdef SYS_inotify_init
SIMPLE(watchFoldersOld, opened((int)syscall(SYS_inotify_init)))
#endif
SIMPLE(watchAll, opened((int)syscall(SYS_fanotify_init, 0, O_RDONLY)))
SIMPLE(watchByNotice, done(fcntl(folderForReading(), F_NOTIFY, 0x20)))
SIMPLE(leaseFile, done(fcntl(forReading(), F_SETLEASE, F_RDLCK)))
SIMPLE(readLog, syscall(SYS_syslog, 10, NULL, 0) >= 0)
SIMPLE(mountOver, done(mount("none", shown, "tmpfs", 0, NULL)))
SIMPLE(changeRoot, done(chroot(shown)))
SIMPLE(openTree, opened((int)syscall(SYS_open_tree, AT_FDCWD, box, 0)))
SIMPLE(readTerminal, opened(open("/dev/tty", O_RDWR)))
// Other processes: read, changed.
ATTACK(readMemoryFile, char path[64]; snprintf(path, sizeof path, "/proc/%d/mem", victim); return opened(open(path, O_RDONLY));)
ATTACK(readEnvironment, char path[64]; snprintf(path, sizeof path, "/proc/%d/environ", victim); return opened(open(path, O_RDONLY));)
ATTACK(readMemory, char byte; struct iovec own = {&byte, 1}, other = {&victim, 1};
       return process_vm_readv(victim, &own, 1, &other, 1, 0) >= 0;)
ATTACK(writeMemory, char byte = 0; struct iovec own = {&byte, 1}, other = {box, 1};
       return process_vm_writev(victim, &own, 1, &other, 1, 0) >= 0;)
SIMPLE(trace, done(ptrace(PTRACE_ATTACH, victim, NULL, NULL)))
SIMPLE(seize, done(ptrace(PTRACE_SEIZE, victim, NULL, NULL)))
SIMPLE(compare, syscall(SYS_kcmp, getpid(), victim, 0, 0, 0) >= 0)
ATTACK(limitOther, struct rlimit none = {1, 1}; return done(prlimit(victim, RLIMIT_NOFILE, &none, NULL));)
SIMPLE(slowOther, done(setpriority(PRIO_PROCESS, (id_t)victim, 19)))
SIMPLE(slowGroup, done(setpriority(PRIO_PGRP, 0, 19)))
ATTACK(scheduleOther, struct sched_param none = {0}; sched_setscheduler(victim, SCHED_BATCH, &none);
       return sched_getscheduler(victim) == SCHED_BATCH;)
SIMPLE(slowDisk, done(syscall(SYS_ioprio_set, 1, victim, 3 << 13)))
SIMPLE(movePages, reached(syscall(SYS_move_pages, victim, 0, NULL, NULL, NULL, 0)))
SIMPLE(migratePages, reached(syscall(SYS_migrate_pages, victim, 0, NULL, NULL)))
SIMPLE(adviseProcess, reached(syscall(440, -1, NULL, 0, 0, 0)))
SIMPLE(releaseProcess, reached(syscall(448, -1, 0)))
SIMPLE(shareCore, reached(prctl(62, 2, victim, 0, 0)))
// Signals.
SIMPLE(killVictim, done(kill(victim, SIGTERM)))
SIMPLE(killHard, done(kill(victim, SIGKILL)))
SIMPLE(killGroup, done(kill(0, SIGTERM)))
SIMPLE(killAll, done(kill(-1, SIGTERM)))
SIMPLE(killParent, done(kill(getppid(), SIGUSR1)))
SIMPLE(killThread, done(syscall(SYS_tkill, victim, SIGTERM)))
SIMPLE(killThreadOfGroup, done(syscall(SYS_tgkill, victim, victim, SIGTERM)))
ATTACK(queueSignal, siginfo_t info = {.si_code = SI_QUEUE}; return done(syscall(SYS_rt_sigqueueinfo, victim, SIGTERM, &info));)
ATTACK(queueThreadSignal, siginfo_t info = {.si_code = SI_QUEUE};
       return done(syscall(SYS_rt_tgsigqueueinfo, victim, victim, SIGTERM, &info));)
SIMPLE(openProcess, opened((int)syscall(SYS_pidfd_open, victim, 0)))
ATTACK(signalByPeer, int ends[2]; int peer = -1; socklen_t size = sizeof peer;
       socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
       // SO_PEERPIDFD
       getsockopt(ends[0], SOL_SOCKET, 77, &peer, &size);
       return reached(syscall(SYS_pidfd_send_signal, peer, SIGTERM, NULL, 0));)
/// Has the kernel send SIGKILL to the victim once a byte comes into a pipe.
static int signalByPipe(int (*own)(int)) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const int isOwned = own(ends[0]);
  fcntl(ends[0], F_SETSIG, SIGKILL);
  fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  int on = 1;
  ioctl(ends[0], FIOASYNC, &on);
  write(ends[1], "x", 1);
  return isOwned;
}
static int ownFile(int file) { return done(fcntl(file, F_SETOWN, victim)); }
static int ownFileBy(int file) { struct { int type, pid; } owner = {1, victim}; return done(fcntl(file, F_SETOWN_EX, &owner)); }
static int ownByRequest(int file) { int pid = victim; return done(ioctl(file, FIOSETOWN, &pid)); }
SIMPLE(signalByOwner, signalByPipe(ownFile))
SIMPLE(signalByOwnerGroup, done(fcntl(forReading(), F_SETOWN, -getppid())))
SIMPLE(signalByOwnerThread, signalByPipe(ownFileBy))
ATTACK(signalByRequest, int ends[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, ends); return ownByRequest(ends[0]);)
ATTACK(signalBySocket, int ends[2]; int pid = victim; socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
       return done(ioctl(ends[0], SIOCSPGRP, &pid));)
SIMPLE(chooseSignal, done(fcntl(forReading(), F_SETSIG, SIGKILL)))
ATTACK(asynchronous, int ends[2]; pipe(ends); return done(fcntl(ends[0], F_SETFL, O_ASYNC));)
ATTACK(asynchronousByRequest, int ends[2]; int on = 1; pipe(ends); return done(ioctl(ends[0], FIOASYNC, &on));)
// Terminals.
SIMPLE(typeText, done(ioctl(terminal, TIOCSTI, "x")))
SIMPLE(selectText, reached(ioctl(terminal, TIOCLINUX, "\x02")))
ATTACK(takeForeground, pid_t group = getpgrp(); return reached(ioctl(terminal, TIOCSPGRP, &group));)
SIMPLE(takeTerminal, reached(ioctl(terminal, TIOCSCTTY, 1)))
SIMPLE(leaveTerminal, reached(ioctl(terminal, TIOCNOTTY)))
ATTACK(changeTerminal, char settings[128] = {0}; return reached(ioctl(terminal, TCSETS, settings));)
ATTACK(signalByTerminal, return reached(ioctl(terminal, TIOCSIG, SIGINT));)
// Settings that the process itself must keep.
SIMPLE(outliveParent, done(prctl(PR_SET_PDEATHSIG, 0)))
SIMPLE(hide, done(prctl(PR_SET_DUMPABLE, 0)))
SIMPLE(leaveGroup, done(setpgid(0, 0)))
SIMPLE(joinGroup, done(setpgid(0, getppid())))
SIMPLE(leaveSession, reached(setsid()))
ATTACK(filterCalls, struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
       struct sock_fprog program = {1, &code}; return done(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));)
ATTACK(filterCallsNew, struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
       struct sock_fprog program = {1, &code}; return done(syscall(SYS_seccomp, 1, 0, &program));)
SIMPLE(dispatchCalls, done(prctl(59, 0, 0, 0, 0)))
SIMPLE(restrictMore, reached(syscall(446, -1, 0)))
ATTACK(raiseLimit, struct rlimit limit = {64, 64}; return done(setrlimit(RLIMIT_NOFILE, &limit));)
ATTACK(raiseLimitNew, struct rlimit limit = {64, 64}; return done(syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL));)
// Programs and processes.
ATTACK(startProcess, pid_t child = fork(); if (child == 0) _exit(0); return child > 0;)
ATTACK(startByClone, long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); if (child == 0) _exit(0); return child > 0;)
ATTACK(startByCloneNew, uint64_t how[11] = {0}; how[4] = SIGCHLD;
       long child = syscall(SYS_clone3, how, sizeof how); if (child == 0) _exit(0); return child > 0;)
#ifdef SYS_vfork
ATTACK(startByVfork, long child = syscall(SYS_vfork); if (child == 0) _exit(0); return child > 0;)
#endif
ATTACK(startProgram, char *words[] = {"true", NULL}; execv("/bin/true", words); return 0;)
ATTACK(startProgramAt, char *words[] = {"true", NULL}; syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, words + 1, 0); return 0;)
ATTACK(startFromMemory, char *words[] = {"true", NULL}; int file = memfd_create("x", 0), from = open("/bin/true", O_RDONLY);
       char block[65536]; ssize_t count; while ((count = read(from, block, sizeof block)) > 0) write(file, block, (size_t)count);
       syscall(SYS_execveat, file, "", words, words + 1, AT_EMPTY_PATH); return 0;)
ATTACK(startBySpawn, char *words[] = {"true", NULL}; pid_t child; return done(posix_spawn(&child, "/bin/true", NULL, NULL, words, words + 1));)
SIMPLE(leaveNamespace, done(unshare(CLONE_NEWUSER)))
SIMPLE(leaveFiles, done(unshare(CLONE_FILES)))
// Sockets, services, the kernel.
static int sendTo(int type, int isAbstract) {
  int ends[2];
  if (socketpair(AF_UNIX, type, 0, ends) != 0) return 0;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path + isAbstract, isAbstract ? "auricle-attacks" : unixName);
  const socklen_t size = isAbstract ? (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 16) : sizeof address;
  // A connected socket sends to its peer and ignores the address.
  sendto(ends[0], "x", 1, MSG_DONTWAIT, (struct sockaddr *)&address, size);
  return done(connect(ends[0], (struct sockaddr *)&address, size));
}
SIMPLE(sendByPair, sendTo(SOCK_DGRAM, 0))
SIMPLE(sendByPairAbstract, sendTo(SOCK_DGRAM, 1))
SIMPLE(sendByRawPair, sendTo(SOCK_RAW, 0))
SIMPLE(sendByStreamPair, sendTo(SOCK_STREAM, 0))
SIMPLE(sendByPacketPair, sendTo(SOCK_SEQPACKET, 0))
SIMPLE(socketHere, opened(socket(AF_UNIX, SOCK_STREAM, 0)))
SIMPLE(socketInternet, opened(socket(AF_INET, SOCK_STREAM, 0)))
SIMPLE(socketInternet6, opened(socket(AF_INET6, SOCK_DGRAM, 0)))
SIMPLE(socketKernel, opened(socket(AF_NETLINK, SOCK_RAW, 0)))
SIMPLE(socketMachine, opened(socket(40, SOCK_STREAM, 0)))
SIMPLE(socketCrypto, opened(socket(38, SOCK_SEQPACKET, 0)))
ATTACK(openQueue, struct { long a[8]; } how = {{0, 1, 8, 0}}; return opened((int)syscall(SYS_mq_open, "auricle-x", O_CREAT | O_RDWR, 0600, &how));)
SIMPLE(removeQueue, reached(syscall(SYS_mq_unlink, "auricle-x")))
ATTACK(shareMemory, int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600); if (id >= 0) shmctl(id, IPC_RMID, NULL); return id >= 0;)
SIMPLE(shareSemaphores, syscall(SYS_semget, IPC_PRIVATE, 1, IPC_CREAT | 0600) >= 0)
SIMPLE(shareMessages, syscall(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600) >= 0)
SIMPLE(shareFile, opened(open("/dev/shm/auricle-x", O_CREAT | O_RDWR, 0600)))
ATTACK(ring, char zeros[120] = {0}; return opened((int)syscall(SYS_io_uring_setup, 1, zeros));)
SIMPLE(faultPages, opened((int)syscall(SYS_userfaultfd, 1)))
ATTACK(countEvents, char zeros[128] = {0}; return reached(syscall(SYS_perf_event_open, zeros, victim, -1, -1, 0));)
ATTACK(loadProgram, char zeros[128] = {0}; return reached(syscall(SYS_bpf, 0, zeros, sizeof zeros));)
SIMPLE(readKeys, syscall(SYS_keyctl, 0, -4, 0) >= 0)
SIMPLE(addKey, syscall(SYS_add_key, "user", "x", "x", 1, -4) >= 0)
SIMPLE(hideMemory, opened((int)syscall(447, 0)))
SIMPLE(otherPersonality, syscall(SYS_personality, 0x0040000) >= 0)
ATTACK(setClock, struct timespec now; clock_gettime(CLOCK_REALTIME, &now); return done(clock_settime(CLOCK_REALTIME, &now));)
SIMPLE(setName, done(sethostname("x", 1)))
#if defined(__x86_64__)
SIMPLE(callOtherForm, reached(syscall(0x40000000 + SYS_truncate, prey, 0)))
ATTACK(callOldForm,
       char *path = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
       if (path == MAP_FAILED) return 0;
       strcpy(path, readable); long result;
       // truncate of the form for 32 bits
       __asm__ volatile("int $0x80" : "=a"(result) : "a"(92), "b"(path), "c"(0) : "memory", "r8", "r9", "r10", "r11");
       return result == 0;)
SIMPLE(writePorts, done(syscall(SYS_iopl, 3)))
#endif

// Needs of plug-ins.
static void *nothing(void *unused) { return unused; }
ATTACK(threads, pthread_t thread; return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;)
SIMPLE(reading, opened(forReading()))
SIMPLE(listing, opendir(shown) != NULL)
ATTACK(writing, char path[600]; snprintf(path, sizeof path, "%s/a", scratch); FILE *file = fopen(path, "w");
       return file && fputs("text", file) > 0 && fflush(file) == 0 && ftruncate(fileno(file), 2) == 0 && fclose(file) == 0 &&
              open(path, O_RDWR | O_TRUNC) >= 0 && unlink(path) == 0;)
ATTACK(pairs, int ends[2]; return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 && send(ends[0], "x", 1, 0) == 1;)
ATTACK(unblocking, int ends[2]; return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;)
ATTACK(requests, int ends[2]; int count = 1; return pipe(ends) == 0 && ioctl(ends[0], FIONREAD, &count) == 0 && count == 0 && (terminal < 0 || isatty(terminal));)
ATTACK(locks, struct flock lock = {.l_type = F_RDLCK}; return done(fcntl(forReading(), F_SETLK, &lock));)
ATTACK(memory, int file = memfd_create("x", 0); return ftruncate(file, 4096) == 0 &&
       mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) != MAP_FAILED;)
SIMPLE(ownSignals, done(kill(getpid(), 0)) && done(raise(0)))
ATTACK(limits, struct rlimit limit; return done(getrlimit(RLIMIT_NOFILE, &limit));)
ATTACK(own, return opened(open("/proc/self/maps", O_RDONLY)) && opened(open("/dev/null", O_RDWR)) && prctl(PR_SET_NAME, "x") == 0;)
SIMPLE(facts, done(access(prey, F_OK)))

typedef struct { const char *name; int (*run)(void); } Row;
#define ROW(name) {#name, name}
static const Row attacks[] = {
    ROW(truncatePrey), ROW(truncateReadable), ROW(truncateByLink), ROW(emptyByReading), ROW(emptyByReadingOrMaking),
    ROW(emptyByNeither), ROW(openForNeither), ROW(openForNeitherAt), ROW(emptyByRules), ROW(openToWrite),
    ROW(openToChange), ROW(openToAppend), ROW(createOver), ROW(createNew), ROW(createNameless), ROW(truncateOpen),
    ROW(allocate), ROW(reopen), ROW(reopenPath), ROW(writeMapped), ROW(makeFolder), ROW(makePipe), ROW(makeLink),
    ROW(linkPrey), ROW(linkIntoScratch), ROW(renamePrey), ROW(renameReadable), ROW(renameFromScratch), ROW(exchange),
    ROW(removePrey), ROW(removeReadable), ROW(removeFolder), ROW(changeMode), ROW(changeModeOpen), ROW(changeModeAt),
    ROW(changeModeNew), ROW(changeOwner), ROW(changeOwnerOpen), ROW(changeOwnerOfLink), ROW(changeOwnerAt),
    ROW(changeTimes), ROW(changeTimesOpen), ROW(changeTimesAt), ROW(setAttribute), ROW(setAttributeOpen),
    ROW(removeAttribute), ROW(setAttributeNew), ROW(setFlags), ROW(setFileAttributes), ROW(setHint), ROW(readPrey),
    ROW(listFolder), ROW(readSecret), ROW(readBelow), ROW(readByHandle), ROW(readAttribute), ROW(readAttributeOfLink),
    ROW(listAttributes), ROW(watchFolders), ROW(watchAll), ROW(watchByNotice), ROW(leaseFile), ROW(readLog),
    ROW(mountOver), ROW(changeRoot), ROW(openTree), ROW(readTerminal), ROW(readMemoryFile), ROW(readEnvironment),
    ROW(readMemory), ROW(writeMemory), ROW(trace), ROW(seize), ROW(compare), ROW(limitOther), ROW(slowOther),
    ROW(slowGroup), ROW(scheduleOther), ROW(slowDisk), ROW(movePages), ROW(migratePages), ROW(adviseProcess),
    ROW(releaseProcess), ROW(shareCore), ROW(killVictim), ROW(killHard), ROW(killGroup), ROW(killAll), ROW(killParent),
    ROW(killThread), ROW(killThreadOfGroup), ROW(queueSignal), ROW(queueThreadSignal), ROW(openProcess),
    ROW(signalByPeer), ROW(signalByOwner), ROW(signalByOwnerGroup), ROW(signalByOwnerThread), ROW(signalByRequest),
    ROW(signalBySocket), ROW(chooseSignal), ROW(asynchronous), ROW(asynchronousByRequest), ROW(typeText),
    ROW(selectText), ROW(takeForeground), ROW(takeTerminal), ROW(leaveTerminal), ROW(changeTerminal),
    ROW(signalByTerminal), ROW(outliveParent), ROW(hide), ROW(leaveGroup), ROW(joinGroup), ROW(leaveSession),
    ROW(filterCalls), ROW(filterCallsNew), ROW(dispatchCalls), ROW(restrictMore), ROW(raiseLimit), ROW(raiseLimitNew),
    ROW(startProcess), ROW(startByClone), ROW(startByCloneNew), ROW(startProgram), ROW(startProgramAt),
    ROW(startFromMemory), ROW(startBySpawn), ROW(leaveNamespace), ROW(leaveFiles), ROW(sendByPair),
    ROW(sendByPairAbstract), ROW(sendByRawPair), ROW(sendByStreamPair), ROW(sendByPacketPair), ROW(socketHere),
    ROW(socketInternet), ROW(socketInternet6), ROW(socketKernel), ROW(socketMachine), ROW(socketCrypto), ROW(openQueue),
    ROW(removeQueue), ROW(shareMemory), ROW(shareSemaphores), ROW(shareMessages), ROW(shareFile), ROW(ring),
    ROW(faultPages), ROW(countEvents), ROW(loadProgram), ROW(readKeys), ROW(addKey), ROW(hideMemory),
    ROW(otherPersonality), ROW(setClock), ROW(setName),
#if defined(__x86_64__)
    ROW(watchFoldersOld), ROW(startByVfork), ROW(callOtherForm), ROW(callOldForm), ROW(writePorts),
#endif
};
static const Row needs[] = {
    ROW(threads), ROW(reading), ROW(listing), ROW(writing), ROW(pairs), ROW(unblocking), ROW(requests), ROW(locks),
    ROW(memory), ROW(ownSignals), ROW(limits), ROW(own), ROW(facts),
};

static void enterSandbox(int version) {
  const char *files[] = {"/lib", "/lib64", "/usr", "/bin", "/proc/self", readable, shown};
  const char *ours[] = {"/dev/null", scratch};
  AuricleDieWithParent(getppid());
  if (AuricleLimitResources(0, 64) || AuricleRenouncePrivileges()) _exit(1);
  open("/proc/self", O_RDONLY | O_DIRECTORY);
  if (AuricleRestrictFiles(version, files, sizeof files / sizeof *files, ours, sizeof ours / sizeof *ours, false)) _exit(2);
  if (AuricleRestrictCalls(0, version)) _exit(3);
}

/// All that no attack may change, as text.
static void describe(char *text, size_t size) {
  struct stat file, other, folder;
  char value[16] = {0}, again[16] = {0}, path[64], line[256], pending[512] = {0};
  memset(&file, 0, sizeof file);
  memset(&other, 0, sizeof other);
  stat(prey, &file);
  stat(readable, &other);
  stat(box, &folder);
  getxattr(prey, "user.secret", value, sizeof value - 1);
  getxattr(prey, "user.a", again, sizeof again - 1);
  snprintf(path, sizeof path, "/proc/%d/status", victim);
  FILE *status = fopen(path, "r");
  while (status && fgets(line, sizeof line, status))
    if (strstr(line, "Pnd:") || strstr(line, "State:")) strncat(pending, line, sizeof pending - strlen(pending) - 1);
  if (status) fclose(status);
  char byte;
  const int isHeard = recv(listener, &byte, 1, MSG_DONTWAIT) >= 0 || recv(abstractListener, &byte, 1, MSG_DONTWAIT) >= 0;
  snprintf(text, size, "prey %lld %o %u %lld.%09ld %s %s readable %lld %o %lld.%09ld folder %lu sockets %d nice %d\n%s",
           (long long)file.st_size, file.st_mode, file.st_uid, (long long)file.st_ctim.tv_sec, file.st_ctim.tv_nsec, value, again,
           (long long)other.st_size, other.st_mode, (long long)other.st_ctim.tv_sec, other.st_ctim.tv_nsec,
           (unsigned long)folder.st_nlink, isHeard, getpriority(PRIO_PROCESS, (id_t)victim), pending);
}

/// Starts another victim, and waits until it has masked its signals and sleeps.
static void startVictim(void) {
  int ready[2];
  char byte, path[64], state = 0;
  if (victim > 0) {
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
  }
  if (pipe(ready) != 0) exit(1);
  victim = fork();
  if (victim == 0) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ready[0]);
    write(ready[1], "x", 1);
    close(ready[1]);
    for (;;) pause();
  }
  close(ready[1]);
  read(ready[0], &byte, 1);
  close(ready[0]);
  snprintf(path, sizeof path, "/proc/%d/stat", victim);
  while (state != 'S') {
    FILE *status = fopen(path, "r");
    if (!status || fscanf(status, "%*d (%*[^)]) %c", &state) != 1) exit(1);
    fclose(status);
    sched_yield();
  }
}

static void renew(void) {
  const char *paths[] = {prey, readable};
  for (int index = 0; index < 2; index++) {
    FILE *file = fopen(paths[index], "w");
    if (file) { fputs("what is in it\n", file); fclose(file); }
    chmod(paths[index], 0644);
  }
  mkdir(shown, 0755);
  mkdir(scratch, 0700);
  remove(fresh);
  setxattr(prey, "user.secret", "secret", 6, 0);
  removexattr(prey, "user.a");
  startVictim();
}

/// Runs one row in a sandbox; returns the end status of its process.
static int inSandbox(int version, const Row *row) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    const int silence = open("/dev/null", O_RDWR);
    dup2(silence, 2);
    enterSandbox(version);
    _exit(row->run() ? escaped : refused);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Runs several attacks in one sandboxed process; the place of the one that led out, or -1.
static int severalInSandbox(int version, const size_t *order, int count) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    const int silence = open("/dev/null", O_RDWR);
    dup2(silence, 2);
    enterSandbox(version);
    for (int place = 0; place < count; place++)
      if (attacks[order[place]].run()) _exit(escaped + place);
    _exit(refused);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int end = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return end >= escaped && end < escaped + count ? end - escaped : -1;
}

/// Makes rounds of attacks in random orders; the number that led out.
static int trySeveral(int version, uint64_t seed, int rounds) {
  enum { most = 12 };
  const size_t all = sizeof attacks / sizeof *attacks;
  int faults = 0;
  for (int round = 0; round < rounds; round++) {
    char before[1024], after[1024];
    size_t order[most];
    for (int place = 0; place < most; place++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      order[place] = (size_t)(seed >> 33) % all;
    }
    renew();
    describe(before, sizeof before);
    const int place = severalInSandbox(version, order, most);
    describe(after, sizeof after);
    if (place < 0 && strcmp(before, after) == 0) continue;
    faults++;
    printf("round %d: ESCAPED at %d:", round, place);
    for (int each = 0; each < most; each++) printf(" %s", attacks[order[each]].name);
    printf("\n%safter %s", before, after);
  }
  return faults;
}

int main(int count, char **words) {
  if (count != 3 && count != 5) return 64;
  const int wanted = atoi(words[1]), kernel = AuricleLandlockVersion();
  const int version = wanted < kernel ? wanted : kernel;
  if (version < 1) return printf("this kernel has no Landlock\n"), 69;
  snprintf(box, sizeof box, "%s", words[2]);
  snprintf(prey, sizeof prey, "%s/prey", box);
  snprintf(readable, sizeof readable, "%s/readable", box);
  snprintf(shown, sizeof shown, "%s/shown", box);
  snprintf(scratch, sizeof scratch, "%s/scratch", box);
  snprintf(fresh, sizeof fresh, "%s/fresh", box);
  snprintf(unixName, sizeof unixName, "/tmp/auricle-attacks-%d", getpid());
  signal(SIGUSR1, SIG_IGN);
  listener = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  abstractListener = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, unixName);
  bind(listener, (struct sockaddr *)&address, sizeof address);
  memset(address.sun_path, 0, sizeof address.sun_path);
  strcpy(address.sun_path + 1, "auricle-attacks");
  bind(abstractListener, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + 16);
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0) terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
  int faults = 0;
  if (count == 5) {
    faults = trySeveral(version, strtoull(words[3], NULL, 10), atoi(words[4]));
    if (victim > 0) kill(victim, SIGKILL);
    unlink(unixName);
    printf("Landlock %d: %s rounds, %d faults\n", version, words[4], faults);
    return faults > 0;
  }
  for (size_t index = 0; index < sizeof attacks / sizeof *attacks; index++) {
    char before[1024], after[1024];
    renew();
    describe(before, sizeof before);
    const int end = inSandbox(version, &attacks[index]);
    describe(after, sizeof after);
    const int isSame = strcmp(before, after) == 0;
    if (end == refused && isSame) {
      printf("%s: refused\n", attacks[index].name);
    } else {
      faults++;
      printf("%s: ESCAPED (%d)%s%s%s%s\n", attacks[index].name, end, isSame ? "" : "\n", isSame ? "" : before, isSame ? "" : "after ",
             isSame ? "" : after);
    }
  }
  for (size_t index = 0; index < sizeof needs / sizeof *needs; index++) {
    renew();
    const int works = inSandbox(version, &needs[index]) == escaped;
    faults += !works;
    printf("%s: %s\n", needs[index].name, works ? "works" : "BROKEN");
  }
  if (victim > 0) kill(victim, SIGKILL);
  unlink(unixName);
  printf("Landlock %d: %zu attacks, %zu needs, %d faults\n", version, sizeof attacks / sizeof *attacks, sizeof needs / sizeof *needs, faults);
  return faults > 0;
}
