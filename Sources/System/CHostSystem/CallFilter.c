// Denies system calls to this process and all its threads, with a filter in the kernel (seccomp).
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "Sandbox.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

enum { mostInstructions = 512 };

typedef struct {
  struct sock_filter code[mostInstructions];
  unsigned short count;
} Program;

static void add(Program *program, struct sock_filter instruction) {
  if (program->count < mostInstructions) program->code[program->count++] = instruction;
}

/// Begins the instructions for this call alone; `end` needs the returned place.
static unsigned short begin(Program *program, uint32_t call) {
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 0));
  return (unsigned short)(program->count - 1);
}

/// Ends the instructions for one call: the last of them returns `last`.
static void end(Program *program, unsigned short place, struct sock_filter last) {
  add(program, last);
  program->code[place].jf = (unsigned char)(program->count - place - 1);
}

static void load(Program *program, int argument) {
  add(program, (struct sock_filter)ARGUMENT(argument));
}

/// Returns `result` where the loaded value is this one.
static void where(Program *program, uint32_t value, struct sock_filter result) {
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  add(program, result);
}

/// Returns `result` where the loaded value has one of these bits.
static void whereAny(Program *program, uint32_t bits, struct sock_filter result) {
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
  add(program, result);
}

static void keepBits(Program *program, uint32_t bits) {
  add(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits));
}

static const struct sock_filter refusal = FAIL(EPERM), permission = ALLOW;

static void refuse(Program *program, uint32_t call, uint32_t error) {
  where(program, call, (struct sock_filter)FAIL(error));
}

/// Calls newer than the headers of the system; they have the same numbers everywhere.
enum {
  callReplaceRootTree = 433,    // fspick
  callOpenWithRules = 437,      // openat2
  callAdviseProcess = 440,      // process_madvise
  callChangeMount = 442,        // mount_setattr
  callQuotaOfFile = 443,        // quotactl_fd
  callRestrictSelf = 446,       // landlock_restrict_self
  callMakeSecretMemory = 447,   // memfd_secret
  callReleaseProcess = 448,     // process_mrelease
  callChangeMode = 452,         // fchmodat2
  callSetSecurity = 460,        // lsm_set_self_attr
  callSetAttribute = 463,       // setxattrat
  callReadAttribute = 464,      // getxattrat
  callListAttributes = 465,     // listxattrat
  callRemoveAttribute = 466,    // removexattrat
  callOpenChangedTree = 467,    // open_tree_attr
  callSetFileAttributes = 469,  // file_setattr
};

/// Calls by which a process reaches into others or into the kernel.
/// Some change files of others in ways that Landlock does not see.
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
    SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd, SYS_kcmp, callReplaceRootTree,
    callChangeMount, callQuotaOfFile, callOpenChangedTree, callAdviseProcess, callReleaseProcess,
    callSetSecurity,
    // Modes, owners, times and attributes, for which a file that is open for reading will do.
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
    callChangeMode, callSetAttribute, callRemoveAttribute, callSetFileAttributes,
    // Changes of any file and folder, as they happen.
    SYS_inotify_init1,
    // Private filters: a unit could make the worker's writes fail as those of a full disk do.
    SYS_seccomp, callRestrictSelf,
    // Memory that no limit counts.
    callMakeSecretMemory,
    // Calls that leave the process group, which the supervisor ends.
    SYS_setpgid, SYS_setsid,
    // Objects that outlive their process.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget,
    SYS_semop, SYS_semtimedop, SYS_semctl, SYS_mq_open, SYS_mq_unlink,
#if defined(__x86_64__)
    SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod, SYS_utime, SYS_utimes, SYS_futimesat, SYS_iopl,
    SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS__sysctl, SYS_create_module,
    SYS_inotify_init,
#endif
};

static const int starting[] = {
    SYS_execve, SYS_execveat,
#if defined(__x86_64__)
    SYS_fork, SYS_vfork,
#endif
};

/// Attributes of files by their paths, which Landlock lets everybody read: here files have none.
static const int attributes[] = {SYS_getxattr, SYS_lgetxattr, SYS_listxattr, SYS_llistxattr,
                                 callReadAttribute, callListAttributes};

/// Refuses to open a file for neither reading nor writing, for which Landlock requires no right. Refuses
/// to empty one that is opened for reading, which versions of Landlock before 3 permit with that right.
static void restrictOpening(Program *program, uint32_t call, int flags) {
  unsigned short place = begin(program, call);
  load(program, flags);
  keepBits(program, O_ACCMODE | O_TRUNC);
  where(program, O_ACCMODE, refusal);
  where(program, O_ACCMODE | O_TRUNC, refusal);
  where(program, O_RDONLY | O_TRUNC, refusal);
  end(program, place, permission);
}

static void restrictFiles(Program *program, int landlockVersion, bool hasAttributes) {
#if defined(__x86_64__)
  restrictOpening(program, SYS_open, 1);
#endif
  restrictOpening(program, SYS_openat, 2);
  // Its flags lie in memory, where no filter can read them.
  refuse(program, callOpenWithRules, ENOSYS);
  if (landlockVersion < 3) refuse(program, SYS_truncate, EPERM);
  for (size_t index = 0; !hasAttributes && index < sizeof attributes / sizeof *attributes; index++)
    refuse(program, (uint32_t)attributes[index], EOPNOTSUPP);
}

/// Requests by which a file sends signals to any process, or reports changes of folders.
static void restrictFileControl(Program *program) {
  enum { setDelegation = 1040, setReadWriteHint = 1036, setFileReadWriteHint = 1038 };
  static const uint32_t requests[] = {F_SETOWN,   F_SETOWN_EX,   F_SETSIG,         F_SETLEASE,
                                      F_NOTIFY,   setDelegation, setReadWriteHint, setFileReadWriteHint};
  unsigned short place = begin(program, SYS_fcntl);
  load(program, 1);
  for (size_t index = 0; index < sizeof requests / sizeof *requests; index++)
    where(program, requests[index], refusal);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETFL, 1, 0));
  add(program, permission);
  load(program, 2);
  whereAny(program, O_ASYNC, refusal);
  end(program, place, permission);
}

/// Requests of terminals that only report something, that every open file knows, and of ALSA's timers,
/// which have the same letter.
static const uint32_t harmless[] = {TCGETS,   TCGETA,   TIOCGPGRP, TIOCOUTQ, TIOCGWINSZ,
                                    FIONREAD, FIONBIO,  TIOCGSID,  FIONCLEX, FIOCLEX,
                                    FIOQSIZE, 0x54A0,   0x54A1,    0x54A2,   0x54A3};

/// Requests that send signals to processes, type into terminals, or change them.
static const uint32_t harmful[] = {FIOSETOWN, SIOCSPGRP, TIOCSPTLCK, TIOCSIG,
                                   0x402C542B, 0x402C542C, 0x402C542D};

/// Letters of terminals and consoles, whose requests have no size in their numbers.
static const uint32_t terminals[] = {'T', 'K', 'V'};

/// Requests to file systems, by the letter of their kind: flags and attributes of files (ext4 and
/// others that adopted them, XFS, FAT), versions, snapshots; a file that is open for reading
/// suffices. Also requests to the source of random numbers.
static const uint32_t fileSystems[] = {'f', 'X', 'r', 'v', 0x94, 0xF5, 'R'};

static void restrictRequests(Program *program) {
  unsigned short place = begin(program, SYS_ioctl);
  load(program, 1);
  for (size_t index = 0; index < sizeof harmful / sizeof *harmful; index++)
    where(program, harmful[index], refusal);
  for (size_t index = 0; index < sizeof harmless / sizeof *harmless; index++)
    where(program, harmless[index], permission);
  add(program, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 8));
  for (size_t index = 0; index < sizeof terminals / sizeof *terminals; index++)
    where(program, terminals[index], refusal);
  keepBits(program, 0xFF);
  for (size_t index = 0; index < sizeof fileSystems / sizeof *fileSystems; index++)
    where(program, fileSystems[index], refusal);
  end(program, place, permission);
}

/// Sockets of the network alone; pairs of sockets that cannot send to others.
static void restrictSockets(Program *program, bool allowsNetwork) {
  unsigned short place = begin(program, SYS_socket);
  static const uint32_t families[] = {AF_INET, AF_INET6, AF_NETLINK};
  load(program, 0);
  for (size_t index = 0; allowsNetwork && index < sizeof families / sizeof *families; index++)
    where(program, families[index], permission);
  end(program, place, refusal);
  place = begin(program, SYS_socketpair);
  load(program, 0);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0));
  add(program, refusal);
  load(program, 1);
  // Without its flags.
  keepBits(program, 0xF);
  where(program, SOCK_STREAM, permission);
  where(program, SOCK_SEQPACKET, permission);
  end(program, place, refusal);
}

/// Threads are welcome; namespaces are for nobody.
static void restrictProcesses(Program *program, bool allowsProcesses) {
  enum { namespaces = 0x7E020000 };
  for (size_t index = 0; !allowsProcesses && index < sizeof starting / sizeof *starting; index++)
    refuse(program, (uint32_t)starting[index], EPERM);
  // The C library then uses clone, whose flags can be read.
  refuse(program, SYS_clone3, ENOSYS);
  unsigned short place = begin(program, SYS_clone);
  load(program, 0);
  whereAny(program, namespaces, refusal);
  if (!allowsProcesses) whereAny(program, CLONE_THREAD, permission);
  end(program, place, allowsProcesses ? permission : refusal);
}

/// A call whose first argument is a process or thread (0: the thread that calls): for this process
/// alone. Others get `other`.
static void keepToSelf(Program *program, uint32_t call, bool hasOwnNumber,
                       struct sock_filter other) {
  unsigned short place = begin(program, call);
  load(program, 0);
  if (hasOwnNumber) where(program, 0, permission);
  where(program, (uint32_t)getpid(), permission);
  end(program, place, other);
}

/// The same where the first argument says of which kind the second is the number: `kind` is a process.
static void keepKindToSelf(Program *program, uint32_t call, uint32_t kind) {
  unsigned short place = begin(program, call);
  load(program, 0);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kind, 1, 0));
  add(program, refusal);
  load(program, 1);
  where(program, 0, permission);
  where(program, (uint32_t)getpid(), permission);
  end(program, place, refusal);
}

static void restrictPriorities(Program *program, bool allowsPriorities) {
  // A plug-in that sets a policy or processors for its thread names the thread by a number. A
  // process of the user may have the same number. Refused, the thread would not even start, so the
  // call succeeds without effect; in a worker nothing waits for it in real time.
  static const int scheduling[] = {SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
                                   SYS_sched_setaffinity};
  for (size_t index = 0; !allowsPriorities && index < sizeof scheduling / sizeof *scheduling; index++)
    keepToSelf(program, (uint32_t)scheduling[index], true, (struct sock_filter)FAIL(0));
  keepToSelf(program, SYS_migrate_pages, true, refusal);
  keepToSelf(program, SYS_move_pages, true, refusal);
  enum { priorityOfIO = 1 };  // IOPRIO_WHO_PROCESS
  keepKindToSelf(program, SYS_setpriority, PRIO_PROCESS);
  keepKindToSelf(program, SYS_ioprio_set, priorityOfIO);
}

/// The supervisor reads the files that a worker holds in memory: it must not be hidden. A worker ends
/// with its supervisor. None of its calls is to be caught or made to fail.
static void restrictProcessOptions(Program *program) {
  enum { dispatchCalls = 59, shareCore = 62 };  // PR_SET_SYSCALL_USER_DISPATCH, PR_SCHED_CORE
  static const uint32_t options[] = {PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, dispatchCalls,
                                     shareCore};
  unsigned short place = begin(program, SYS_prctl);
  load(program, 0);
  for (size_t index = 0; index < sizeof options / sizeof *options; index++)
    where(program, options[index], refusal);
  end(program, place, permission);
}

/// Limits may be read, not set.
static void restrictLimits(Program *program) {
  unsigned short place = begin(program, SYS_prlimit64);
  load(program, 2);
  add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
  add(program, refusal);
  add(program, (struct sock_filter)UPPER(2));
  where(program, 0, permission);
  end(program, place, refusal);
}

int AuricleRestrictCalls(int allowed, int landlockVersion) {
#ifndef OWN_ARCHITECTURE
  (void)allowed;
  (void)landlockVersion;
  return ENOSYS;
#else
  Program program = {.count = 0};
  add(&program, (struct sock_filter)LOAD(arch));
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
  add(&program, refusal);
  add(&program, (struct sock_filter)LOAD(nr));
#if defined(__x86_64__)
  // The numbers of the x32 form mean other calls.
  add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  add(&program, refusal);
#endif
  for (size_t index = 0; index < sizeof refused / sizeof *refused; index++)
    refuse(&program, (uint32_t)refused[index], EPERM);
  restrictFiles(&program, landlockVersion, allowed & AuricleCallsProcesses);
  restrictFileControl(&program);
  restrictRequests(&program);
  restrictSockets(&program, allowed & AuricleCallsNetwork);
  restrictProcesses(&program, allowed & AuricleCallsProcesses);
  // Signals reach this process alone.
  keepToSelf(&program, SYS_kill, false, refusal);
  keepToSelf(&program, SYS_tgkill, false, refusal);
  restrictPriorities(&program, allowed & AuricleCallsPriorities);
  restrictProcessOptions(&program);
  restrictLimits(&program);
  add(&program, permission);
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
  // A positive result is the thread that could not have the filter.
  if (result > 0) return EBUSY;
  return result == 0 ? 0 : errno;
#endif
}
