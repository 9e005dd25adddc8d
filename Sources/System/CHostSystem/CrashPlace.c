// The place of a crash, noted by the process that crashes.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CrashPlace.h"

#include <dlfcn.h>
#include <features.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>
#include <unistd.h>

#include "Heartbeat.h"

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 35)
#define CAN_FIND_OBJECTS 1
#endif
#endif

#ifdef CAN_FIND_OBJECTS

enum { stackSize = 1 << 16, programCapacity = 512 };

// The function of the loader that handlers of signals may call. It is found at run time, as earlier versions of the
// C library lack it.
static int (*findObject)(void *, struct dl_find_object *);
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
// A thread without room on its stack has this one.
static _Alignas(64) char stack[stackSize];
static char program[programCapacity];
static pid_t owner;

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

static void handle(int number, siginfo_t *info, void *memory) {
  const ucontext_t *context = memory;
  // A signal that was sent says nothing of code, and a process that a unit started has another parent.
  if (info->si_code > 0 && getpid() == owner) {
    struct dl_find_object object;
    uintptr_t address = instruction(number, context);
    int error = findObject((void *)address, &object);
    if (error != 0 && number == SIGSEGV && (uintptr_t)info->si_addr == address) {
      address = caller(context);
      error = findObject((void *)address, &object);
    }
    if (error == 0) {
      const struct link_map *map = object.dlfo_link_map;
      const char *name = map->l_name && map->l_name[0] ? map->l_name : program;
      AuricleHeartbeatNoteCrash(number, address - map->l_addr, name);
    }
  }
  // It waits until this function returns, and finds no handler then.
  raise(number);
}

void AuricleNoteCrashes(void) {
  findObject = (int (*)(void *, struct dl_find_object *))dlsym(RTLD_DEFAULT, "_dl_find_object");
  if (!findObject) return;
  const ssize_t length = readlink("/proc/self/exe", program, programCapacity - 1);
  program[length > 0 ? length : 0] = 0;
  owner = getpid();
  const stack_t spare = {.ss_sp = stack, .ss_size = stackSize};
  sigaltstack(&spare, NULL);
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
  action.sa_sigaction = handle;
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
    sigaction(faults[index], &action, NULL);
}

#else

void AuricleNoteCrashes(void) {}

#endif
