// Notes what a program's render code may not do: allocations and locks.
// SPDX-License-Identifier: Apache-2.0
//
// Where the check is asked for, the addresses at which the loaded images call such functions are replaced. Without it
// nothing is, and nothing costs.
#define _GNU_SOURCE
#include "include/RealtimeCheck.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if __SIZEOF_POINTER__ == 8
#define SYMBOL_OF ELF64_R_SYM
#define TYPE_OF ELF64_R_TYPE
#else
#define SYMBOL_OF ELF32_R_SYM
#define TYPE_OF ELF32_R_TYPE
#endif
#if defined(__x86_64__)
enum { kJumpSlot = R_X86_64_JUMP_SLOT, kDataSlot = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { kJumpSlot = R_AARCH64_JUMP_SLOT, kDataSlot = R_AARCH64_GLOB_DAT };
#else
enum { kJumpSlot = -1, kDataSlot = -1 };
#endif

enum { kCalls = 64, kSeen = 512 };

static _Thread_local int depth;
static AuricleRealtimeCall calls[kCalls];
static _Atomic uint32_t reserved, written[kCalls];
static uint32_t taken;
static _Atomic uintptr_t seen[kSeen];
static sem_t count;

// MARK: Noting

// Whether a place in code calls for the first time.
static int isFirst(uintptr_t place) {
  for (size_t step = 0, index = place % kSeen; step < kSeen; step++, index = (index + 1) % kSeen) {
    uintptr_t found = 0;
    if (atomic_compare_exchange_strong(&seen[index], &found, place)) return 1;
    if (found == place) return 0;
  }
  return 0;
}

static void note(const char *function) {
  if (depth <= 0) return;
  int before = depth;
  depth = 0;
  void *frames[kAuricleRealtimeFrames + 2];
  int number = backtrace(frames, kAuricleRealtimeFrames + 2) - 2;
  uintptr_t place = (uintptr_t)function;
  for (int index = 0; index < number && index < 8; index++) place = place * 31 + (uintptr_t)frames[index + 2];
  if (number > 0 && isFirst(place | 1)) {
    uint32_t mine = atomic_fetch_add(&reserved, 1);
    // Behind a reader that is 64 calls late, calls are dropped.
    if (mine < kCalls) {
      calls[mine].function = function;
      calls[mine].frameCount = number;
      memcpy(calls[mine].frames, frames + 2, (size_t)number * sizeof *frames);
      atomic_store(&written[mine], 1);
      sem_post(&count);
    }
  }
  depth = before;
}

#define HOOK(result, name, parameters, arguments) \
  static result(*real_##name) parameters;         \
  static result hook_##name parameters {          \
    note(#name);                                  \
    return real_##name arguments;                 \
  }
HOOK(void *, malloc, (size_t size), (size))
HOOK(void *, calloc, (size_t number, size_t size), (number, size))
HOOK(void *, realloc, (void *memory, size_t size), (memory, size))
HOOK(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
HOOK(int, posix_memalign, (void **memory, size_t alignment, size_t size), (memory, alignment, size))
HOOK(void, free, (void *memory), (memory))
HOOK(int, pthread_mutex_lock, (pthread_mutex_t *lock), (lock))
HOOK(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
HOOK(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
HOOK(void, os_unfair_lock_lock, (void *lock), (lock))
HOOK(void, dispatch_sync, (void *queue, void *block), (queue, block))

static const struct {
  const char *name;
  void *hook;
  void **real;
} hooks[] = {
#define ROW(name) {#name, (void *)hook_##name, (void **)&real_##name}
    ROW(malloc),          ROW(calloc),          ROW(realloc),
    ROW(aligned_alloc),   ROW(posix_memalign),  ROW(free),
    ROW(pthread_mutex_lock), ROW(pthread_rwlock_rdlock), ROW(pthread_rwlock_wrlock),
    ROW(os_unfair_lock_lock), ROW(dispatch_sync),
};
enum { kHooks = sizeof hooks / sizeof *hooks };

// MARK: Replacing

static void replaceSlot(void **slot, void *hook) {
  if (*slot == hook) return;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)slot & ~(page - 1));
  if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0) *slot = hook;
}

static void replaceAll(
    const struct dl_phdr_info *image, const ElfW(Rela) * entries, size_t bytes, const ElfW(Sym) * symbols, const char *names) {
  for (size_t index = 0; index < bytes / sizeof *entries; index++) {
    int type = (int)TYPE_OF(entries[index].r_info);
    if (type != kJumpSlot && type != kDataSlot) continue;
    const char *name = names + symbols[SYMBOL_OF(entries[index].r_info)].st_name;
    for (int hook = 0; hook < kHooks; hook++) {
      if (*hooks[hook].real && strcmp(name, hooks[hook].name) == 0)
        replaceSlot((void **)(image->dlpi_addr + entries[index].r_offset), hooks[hook].hook);
    }
  }
}

static int replaceInImage(struct dl_phdr_info *image, size_t size, void *data) {
  (void)size, (void)data;
  const char *path = image->dlpi_name ? image->dlpi_name : "";
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  // The functions themselves, and what the kernel brings.
  if (strncmp(name, "libc.so", 7) == 0 || strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "linux-vdso", 10) == 0) return 0;
  const ElfW(Dyn) *dynamic = NULL;
  for (int index = 0; index < image->dlpi_phnum; index++)
    if (image->dlpi_phdr[index].p_type == PT_DYNAMIC)
      dynamic = (const ElfW(Dyn) *)(image->dlpi_addr + image->dlpi_phdr[index].p_vaddr);
  const ElfW(Rela) *calls = NULL, *others = NULL;
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  size_t callBytes = 0, otherBytes = 0;
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    switch (dynamic->d_tag) {
      case DT_JMPREL: calls = (const void *)dynamic->d_un.d_ptr; break;
      case DT_PLTRELSZ: callBytes = dynamic->d_un.d_val; break;
      case DT_RELA: others = (const void *)dynamic->d_un.d_ptr; break;
      case DT_RELASZ: otherBytes = dynamic->d_un.d_val; break;
      case DT_SYMTAB: symbols = (const void *)dynamic->d_un.d_ptr; break;
      case DT_STRTAB: names = (const void *)dynamic->d_un.d_ptr; break;
      default: break;
    }
  }
  if (!symbols || !names) return 0;
  if (calls) replaceAll(image, calls, callBytes, symbols, names);
  if (others) replaceAll(image, others, otherBytes, symbols, names);
  return 0;
}

static void prepare(void) {
  void *frames[2];
  // Its first call loads a library.
  backtrace(frames, 2);
  sem_init(&count, 0, 0);
  for (int hook = 0; hook < kHooks; hook++) *hooks[hook].real = dlsym(RTLD_DEFAULT, hooks[hook].name);
}

void AuricleRealtimeCheckStart(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, prepare);
  dl_iterate_phdr(replaceInImage, NULL);
}

void AuricleRealtimeCheckEnter(void) { depth++; }
void AuricleRealtimeCheckLeave(void) { depth--; }

// MARK: Reading

void AuricleRealtimeCheckWait(void) {
  while (sem_wait(&count) != 0) continue;
}

int AuricleRealtimeCheckTake(AuricleRealtimeCall *call) {
  if (taken >= kCalls || !atomic_load(&written[taken])) return 0;
  *call = calls[taken++];
  return 1;
}

const char *AuricleImageOf(const void *address, uintptr_t *offset) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname) return NULL;
  *offset = (uintptr_t)address - (uintptr_t)info.dli_fbase;
  return info.dli_fname;
}
