// Takes system calls away from this process and all its threads, with a filter in the kernel (seccomp).
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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

enum { mostInstructions = 512 };

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

/// Calls newer than the headers of the system; they have the same numbers everywhere.
enum {
  callMakeSecretMemory = 447,   // memfd_secret
  callChangeMode = 452,         // fchmodat2
  callSetAttribute = 463,       // setxattrat
  callRemoveAttribute = 466,    // removexattrat
  callSetFileAttributes = 469,  // file_setattr
};

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
    SYS_setrlimit, SYS_mknodat, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
    SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd,
    // Modes, owners, times and attributes, for which a file that is open for reading will do.
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    callChangeMode, callSetAttribute, callRemoveAttribute, callSetFileAttributes,
    // Filters of its own: a unit could make the worker's writes fail as those of a full disk do.
    SYS_seccomp,
    // Memory that no limit counts.
    callMakeSecretMemory,
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

/// Requests to file systems, by the letter of their kind: flags and attributes of files (ext4 and all
/// that took them over, XFS, FAT), versions, snapshots. A file that is open for reading will do.
static const uint32_t fileSystems[] = {'f', 'X', 'r', 'v', 0x94, 0xF5};

static void refuseFileRequests(Program *program) {
  enum { count = sizeof fileSystems / sizeof *fileSystems };
  add(program, (struct sock_filter)CALL(SYS_ioctl, count + 5));
  add(program, (struct sock_filter)ARGUMENT(1));
  add(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 8));
  add(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xFF));
  for (unsigned char index = 0; index < count; index++)
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, fileSystems[index],
                                              count - index, 0));
  add(program, (struct sock_filter)ALLOW);
  add(program, (struct sock_filter)FAIL(EPERM));
}

/// A call whose first argument is a process or thread (0: the thread that calls): for this process
/// alone. With an `error` of 0 others are answered as if it were done.
static void keepToSelf(Program *program, uint32_t call, uint32_t error) {
  add(program, (struct sock_filter)CALL(call, 5));
  add(program, (struct sock_filter)ARGUMENT(0));
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0));
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0));
  add(program, (struct sock_filter)FAIL(error));
  add(program, (struct sock_filter)ALLOW);
}

/// The same where the first argument tells what the second is the number of: `kind` is a process.
static void keepKindToSelf(Program *program, uint32_t call, uint32_t kind) {
  add(program, (struct sock_filter)CALL(call, 7));
  add(program, (struct sock_filter)ARGUMENT(0));
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kind, 0, 3));
  add(program, (struct sock_filter)ARGUMENT(1));
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0));
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0));
  add(program, (struct sock_filter)FAIL(EPERM));
  add(program, (struct sock_filter)ALLOW);
}

static void restrictPriorities(Program *program) {
  // A plug-in that gives a thread of its own a policy or processors names the thread by a number,
  // which cannot be told from that of a process of the user. Refused, the thread would not even be
  // started, so it is told yes; in a worker nothing waits for it in real time.
  static const int scheduling[] = {SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
                                   SYS_sched_setaffinity};
  for (size_t index = 0; index < sizeof scheduling / sizeof *scheduling; index++)
    keepToSelf(program, (uint32_t)scheduling[index], 0);
  keepToSelf(program, SYS_migrate_pages, EPERM);
  keepToSelf(program, SYS_move_pages, EPERM);
  enum { priorityOfIO = 1 };  // IOPRIO_WHO_PROCESS
  keepKindToSelf(program, SYS_setpriority, PRIO_PROCESS);
  keepKindToSelf(program, SYS_ioprio_set, priorityOfIO);
}

/// The supervisor looks at the files that a worker holds in memory: it must not be hidden. And none
/// of the worker's own calls is to be caught or made to fail.
static void refuseChangesOfProcess(Program *program) {
  enum { dispatchCalls = 59 };  // PR_SET_SYSCALL_USER_DISPATCH
  static const uint32_t options[] = {PR_SET_DUMPABLE, PR_SET_SECCOMP, dispatchCalls};
  enum { count = sizeof options / sizeof *options };
  add(program, (struct sock_filter)CALL(SYS_prctl, count + 3));
  add(program, (struct sock_filter)ARGUMENT(0));
  for (unsigned char index = 0; index < count; index++)
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, options[index],
                                              count - index, 0));
  add(program, (struct sock_filter)ALLOW);
  add(program, (struct sock_filter)FAIL(EPERM));
}

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
  restrictPriorities(&program);
  refuseFileRequests(&program);
  refuseChangesOfProcess(&program);
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
