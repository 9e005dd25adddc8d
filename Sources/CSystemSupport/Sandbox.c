// Takes rights away from this process, without privileges: limits, Landlock, seccomp.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
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
    // Private memory that can be written is what a plug-in eats; addresses are plenty, but a
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
  // What is not there cannot be opened anyway.
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

int AuricleRestrictFiles(const char *const *readable, size_t readableCount,
                         const char *const *writable, size_t writableCount, bool network) {
  int version = AuricleLandlockVersion();
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

// seccomp. A program for the kernel: a few comparisons a system call.

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ARGUMENT(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))
#define UPPER(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]) + 4)
#define FAIL(number) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
/// The next `count` instructions are for this call alone.
#define CALL(number, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, count)

enum { mostInstructions = 256 };

typedef struct {
  struct sock_filter code[mostInstructions];
  unsigned short count;
} Program;

static void add(Program *program, struct sock_filter instruction) {
  if (program->count < mostInstructions) program->code[program->count++] = instruction;
}

static void refuse(Program *program, uint32_t call, uint32_t error) {
  add(program, (struct sock_filter)CALL(call, 1));
  add(program, (struct sock_filter)FAIL(error));
}

/// Calls by which a process reaches into others, into the kernel, or changes files that are not its
/// own in ways that Landlock does not see.
static const int refused[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_perf_event_open, SYS_bpf,
    SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_keyctl,
    SYS_add_key, SYS_request_key, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_fsopen,
    SYS_fsconfig, SYS_fsmount, SYS_move_mount, SYS_open_tree, SYS_unshare, SYS_setns, SYS_swapon,
    SYS_swapoff, SYS_reboot, SYS_kexec_load, SYS_kexec_file_load, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_sethostname, SYS_setdomainname, SYS_settimeofday,
    SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_syslog, SYS_acct, SYS_quotactl,
    SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_fanotify_init, SYS_vhangup, SYS_personality,
    SYS_setrlimit, SYS_fchmodat, SYS_fchownat, SYS_fchown, SYS_setxattr, SYS_lsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_utimensat, SYS_mknodat, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd,
    // What outlives its process.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget,
    SYS_semop, SYS_semtimedop, SYS_semctl,
#if defined(__x86_64__)
    SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod, SYS_utime, SYS_utimes, SYS_futimesat, SYS_iopl,
    SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS__sysctl, SYS_create_module,
#endif
};

static const int starting[] = {
    SYS_execve, SYS_execveat,
#if defined(__x86_64__)
    SYS_fork, SYS_vfork,
#endif
};

int AuricleRestrictCalls(int allowed) {
#ifndef OWN_ARCHITECTURE
  (void)allowed;
  return ENOSYS;
#else
  Program program = {.count = 0};
  add(&program, (struct sock_filter)LOAD(arch));
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
  add(&program, (struct sock_filter)FAIL(EPERM));
  add(&program, (struct sock_filter)LOAD(nr));
#if defined(__x86_64__)
  // The numbers of the x32 form mean other calls.
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  add(&program, (struct sock_filter)FAIL(EPERM));
#endif
  for (size_t index = 0; index < sizeof refused / sizeof *refused; index++)
    refuse(&program, (uint32_t)refused[index], EPERM);
  if (!(allowed & AuricleCallsNetwork)) refuse(&program, SYS_socket, EPERM);
  if (!(allowed & AuricleCallsProcesses)) {
    for (size_t index = 0; index < sizeof starting / sizeof *starting; index++)
      refuse(&program, (uint32_t)starting[index], EPERM);
    // The C library then takes clone, whose flags can be looked at: threads are welcome.
    refuse(&program, SYS_clone3, ENOSYS);
    add(&program, (struct sock_filter)CALL(SYS_clone, 4));
    add(&program, (struct sock_filter)ARGUMENT(0));
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000, 1, 0));
    add(&program, (struct sock_filter)FAIL(EPERM));
    add(&program, (struct sock_filter)ALLOW);
  }
  // Signals reach this process alone.
  static const int signalling[] = {SYS_kill, SYS_tgkill};
  for (size_t index = 0; index < 2; index++) {
    add(&program, (struct sock_filter)CALL((uint32_t)signalling[index], 4));
    add(&program, (struct sock_filter)ARGUMENT(0));
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0));
    add(&program, (struct sock_filter)FAIL(EPERM));
    add(&program, (struct sock_filter)ALLOW);
  }
  // Limits may be asked for, not set.
  add(&program, (struct sock_filter)CALL(SYS_prlimit64, 6));
  add(&program, (struct sock_filter)ARGUMENT(2));
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2));
  add(&program, (struct sock_filter)UPPER(2));
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
  add(&program, (struct sock_filter)FAIL(EPERM));
  add(&program, (struct sock_filter)ALLOW);
  add(&program, (struct sock_filter)ALLOW);
  if (program.count == mostInstructions) return E2BIG;
  struct sock_fprog description = {.len = program.count, .filter = program.code};
  // For all threads there are, or for none. Kernels before 5.16 would also make every load wait for
  // the stores before it, which costs plug-ins time and protects nothing here: a worker holds no
  // secrets from itself.
  const unsigned long flags = SECCOMP_FILTER_FLAG_TSYNC;
  const unsigned long fast = flags | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, fast, &description);
  if (result == -1 && errno == EINVAL)
    result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &description);
  // More than zero is the thread that could not be given it.
  if (result > 0) return EBUSY;
  return result == 0 ? 0 : errno;
#endif
}
