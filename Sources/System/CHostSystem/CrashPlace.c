// The place of a crash, noted by the process that crashes.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CrashPlace.h"

#include <dlfcn.h>
#include <features.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "Heartbeat.h"

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 35)
#define CAN_FIND_OBJECTS 1
#endif
#endif

#ifdef CAN_FIND_OBJECTS

#include <execinfo.h>

enum { stackSize = 1 << 16, programCapacity = 512, mostCalls = 64 };

/// A place in code: the file that holds it, as the loader names it, and the address as that file counts.
typedef struct {
  const char *path;
  uintptr_t offset;
} Place;

// The function of the loader that handlers of signals may call. It is found at run time, as earlier versions of the
// C library lack it.
static int (*findObject)(void *, struct dl_find_object *);
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
// Libraries through which code ends its process: a failed assertion, a damaged heap, an exception that nothing catches.
static const char *const enders[] = {"libc.so", "libpthread", "libstdc++", "libc++", "libgcc_s", "ld-linux"};
// A thread without room on its stack has this one.
static _Alignas(64) char stack[stackSize];
static char program[programCapacity];
static pid_t owner;
// The signal whose calls are read, or 0, and its own address: a damaged stack may end that reading.
static volatile sig_atomic_t readsCallsOf;
static volatile uintptr_t addressOfSignal;

/// Returns the address of the instruction at fault; 0 on other processors.
static uintptr_t instruction(int number, const ucontext_t *context) {
#if defined(__x86_64__)
  // A breakpoint has been passed.
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP] - (number == SIGTRAP);
#elif defined(__aarch64__)
  (void)number;
  return (uintptr_t)context->uc_mcontext.pc;
#else
  (void)number;
  (void)context;
  return 0;
#endif
}

/// Returns an address within the call that led to an address without code.
static uintptr_t caller(const ucontext_t *context) {
#if defined(__x86_64__)
  // The call has pushed its return address just before.
  return *(const uintptr_t *)(uintptr_t)context->uc_mcontext.gregs[REG_RSP] - 1;
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.regs[30] - 1;
#else
  (void)context;
  return 0;
#endif
}

/// Finds the file that holds an address; false where none does.
static bool find(uintptr_t address, Place *place) {
  struct dl_find_object object;
  if (findObject((void *)address, &object) != 0) return false;
  const struct link_map *map = object.dlfo_link_map;
  place->path = map->l_name && map->l_name[0] ? map->l_name : program;
  place->offset = address - map->l_addr;
  return true;
}

/// Whether a process ends itself through functions of this file.
static bool isEnder(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  for (size_t index = 0; index < sizeof enders / sizeof *enders; index++)
    if (strncmp(name, enders[index], strlen(enders[index])) == 0) return true;
  return false;
}

/// Finds the place at fault of a signal that the kernel sent.
static bool findFault(int number, const siginfo_t *info, const ucontext_t *context, Place *place) {
  const uintptr_t address = instruction(number, context);
  if (find(address, place)) return true;
  return number == SIGSEGV && (uintptr_t)info->si_addr == address && find(caller(context), place);
}

/// Finds the innermost call outside of the C and C++ libraries, for a signal that this process sent itself; within
/// them where the stack is damaged.
static bool findSender(int number, const ucontext_t *context, Place *place) {
  const uintptr_t address = instruction(number, context);
  void *calls[mostCalls];
  addressOfSignal = address;
  readsCallsOf = number;
  const int count = backtrace(calls, mostCalls);
  readsCallsOf = 0;
  int index = 0;
  // The first calls are those of the handler.
  while (index < count && (uintptr_t)calls[index] != address) index++;
  // A call's address is the one that it returns to.
  for (index++; index < count; index++)
    if (find((uintptr_t)calls[index] - 1, place) && !isEnder(place->path)) return true;
  return find(address, place);
}

/// Finds the place that a signal comes from; false for one that another process sent.
static bool findPlace(int number, const siginfo_t *info, const ucontext_t *context, Place *place) {
  if (info->si_code > 0) return findFault(number, info, context, place);
  return info->si_pid == owner && findSender(number, context, place);
}

static void handle(int number, siginfo_t *info, void *memory) {
  const int first = readsCallsOf;
  Place place;
  // A process that a unit started has another parent.
  if (getpid() == owner && (first ? find(addressOfSignal, &place) : findPlace(number, info, memory, &place)))
    AuricleHeartbeatNoteCrash(first ? first : number, place.offset, place.path);
  // There is no handler any more.
  raise(first ? first : number);
}

void AuricleNoteCrashes(void) {
  findObject = (int (*)(void *, struct dl_find_object *))dlsym(RTLD_DEFAULT, "_dl_find_object");
  if (!findObject) return;
  const ssize_t length = readlink("/proc/self/exe", program, programCapacity - 1);
  program[length > 0 ? length : 0] = 0;
  owner = getpid();
  // The first use loads a library, which no handler may.
  void *call;
  backtrace(&call, 1);
  const stack_t spare = {.ss_sp = stack, .ss_size = stackSize};
  sigaltstack(&spare, NULL);
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (int)SA_RESETHAND};
  action.sa_sigaction = handle;
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
    sigaction(faults[index], &action, NULL);
}

#else

void AuricleNoteCrashes(void) {}

#endif
