// Notes forbidden calls of render code: the tables by which libraries reach others are changed.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "RenderWatch.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

static _Thread_local bool isOn;
static _Thread_local bool isSuspended;
static _Thread_local uint32_t counts[kAuricleRenderWatch_KindCount];
static _Thread_local const char *names[kAuricleRenderWatch_KindCount];

static void note(int kind, const char *name) {
  if (!isOn || isSuspended) return;
  if (counts[kind]++ == 0) names[kind] = name;
}

#define MEMORY(name) note(kAuricleRenderWatch_Memory, name)
#define LOCK(name) note(kAuricleRenderWatch_Locks, name)
#define FILES(name) note(kAuricleRenderWatch_Files, name)

static void *watchMalloc(size_t size) { MEMORY("malloc"); return malloc(size); }
static void *watchCalloc(size_t count, size_t size) { MEMORY("calloc"); return calloc(count, size); }
static void *watchRealloc(void *old, size_t size) { MEMORY("realloc"); return realloc(old, size); }
static void watchFree(void *memory) {
  if (memory != NULL) MEMORY("free");
  free(memory);
}
static int watchMemalign(void **made, size_t alignment, size_t size) {
  MEMORY("posix_memalign");
  return posix_memalign(made, alignment, size);
}
static void *watchAligned(size_t alignment, size_t size) {
  MEMORY("aligned_alloc");
  return aligned_alloc(alignment, size);
}
static void *watchMap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  MEMORY("mmap");
  return mmap(at, size, protection, flags, file, offset);
}

static int watchLock(pthread_mutex_t *mutex) { LOCK("pthread_mutex_lock"); return pthread_mutex_lock(mutex); }
static int watchRead(pthread_rwlock_t *lock) { LOCK("pthread_rwlock_rdlock"); return pthread_rwlock_rdlock(lock); }
static int watchWrite(pthread_rwlock_t *lock) { LOCK("pthread_rwlock_wrlock"); return pthread_rwlock_wrlock(lock); }
static int watchWait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  LOCK("pthread_cond_wait");
  return pthread_cond_wait(condition, mutex);
}
static int watchTimedWait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  LOCK("pthread_cond_timedwait");
  return pthread_cond_timedwait(condition, mutex, time);
}
static int watchSemaphore(sem_t *semaphore) { LOCK("sem_wait"); return sem_wait(semaphore); }
static int watchJoin(pthread_t thread, void **result) { LOCK("pthread_join"); return pthread_join(thread, result); }
static int watchCreate(
    pthread_t *made, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  LOCK("pthread_create");
  return pthread_create(made, attributes, body, argument);
}
static int watchMicroseconds(useconds_t time) { LOCK("usleep"); return usleep(time); }
static unsigned watchSeconds(unsigned time) { LOCK("sleep"); return sleep(time); }
static int watchNanoseconds(const struct timespec *time, struct timespec *left) {
  LOCK("nanosleep");
  return nanosleep(time, left);
}

static int watchOpen(const char *path, int flags, ...) {
  FILES("open");
  va_list list;
  va_start(list, flags);
  const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open(path, flags, mode);
}
static FILE *watchFopen(const char *path, const char *mode) { FILES("fopen"); return fopen(path, mode); }
static ssize_t watchReadFile(int file, void *bytes, size_t count) { FILES("read"); return read(file, bytes, count); }
static ssize_t watchWriteFile(int file, const void *bytes, size_t count) {
  FILES("write");
  return write(file, bytes, count);
}
static size_t watchFread(void *bytes, size_t size, size_t count, FILE *file) {
  FILES("fread");
  return fread(bytes, size, count, file);
}
static size_t watchFwrite(const void *bytes, size_t size, size_t count, FILE *file) {
  FILES("fwrite");
  return fwrite(bytes, size, count, file);
}
static ssize_t watchWriteParts(int file, const struct iovec *parts, int count) {
  FILES("writev");
  return writev(file, parts, count);
}
static void watchPerror(const char *text) { FILES("perror"); perror(text); }
static int watchVdprintf(int file, const char *format, va_list list) {
  FILES("vdprintf");
  return vdprintf(file, format, list);
}
static int watchDprintf(int file, const char *format, ...) {
  FILES("dprintf");
  va_list list;
  va_start(list, format);
  const int count = vdprintf(file, format, list);
  va_end(list);
  return count;
}
static int watchDprintfChecked(int file, int flag, const char *format, ...) {
  (void)flag;
  FILES("dprintf");
  va_list list;
  va_start(list, format);
  const int count = vdprintf(file, format, list);
  va_end(list);
  return count;
}
static void watchSyslog(int priority, const char *format, ...) {
  FILES("syslog");
  va_list list;
  va_start(list, format);
  vsyslog(priority, format, list);
  va_end(list);
}
static void watchSyslogChecked(int priority, int flag, const char *format, ...) {
  (void)flag;
  FILES("syslog");
  va_list list;
  va_start(list, format);
  vsyslog(priority, format, list);
  va_end(list);
}
static int watchFlush(FILE *file) { FILES("fflush"); return fflush(file); }
static int watchPutchar(int letter) { FILES("putchar"); return putchar(letter); }
static int watchPutc(int letter, FILE *file) { FILES("putc"); return putc(letter, file); }
static int watchVprintf(const char *format, va_list list) { FILES("vprintf"); return vprintf(format, list); }
static int watchVprintfChecked(int flag, const char *format, va_list list) {
  (void)flag;
  FILES("vprintf");
  return vprintf(format, list);
}
static int watchVfprintfChecked(FILE *file, int flag, const char *format, va_list list) {
  (void)flag;
  FILES("vfprintf");
  return vfprintf(file, format, list);
}
static int watchPuts(const char *text) { FILES("puts"); return puts(text); }
static int watchFputs(const char *text, FILE *file) { FILES("fputs"); return fputs(text, file); }
static int watchVfprintf(FILE *file, const char *format, va_list list) {
  FILES("vfprintf");
  return vfprintf(file, format, list);
}
static int watchPrintf(const char *format, ...) {
  FILES("printf");
  va_list list;
  va_start(list, format);
  const int count = vprintf(format, list);
  va_end(list);
  return count;
}
static int watchFprintf(FILE *file, const char *format, ...) {
  FILES("fprintf");
  va_list list;
  va_start(list, format);
  const int count = vfprintf(file, format, list);
  va_end(list);
  return count;
}
static int watchPrintfChecked(int flag, const char *format, ...) {
  (void)flag;
  FILES("printf");
  va_list list;
  va_start(list, format);
  const int count = vprintf(format, list);
  va_end(list);
  return count;
}
static int watchFprintfChecked(FILE *file, int flag, const char *format, ...) {
  (void)flag;
  FILES("fprintf");
  va_list list;
  va_start(list, format);
  const int count = vfprintf(file, format, list);
  va_end(list);
  return count;
}

#define FUNCTION(name, watch) {name, (uintptr_t)watch}
static const struct {
  const char *name;
  uintptr_t function;
} watched[] = {
  FUNCTION("malloc", watchMalloc), FUNCTION("calloc", watchCalloc),
  FUNCTION("realloc", watchRealloc), FUNCTION("free", watchFree),
  FUNCTION("posix_memalign", watchMemalign), FUNCTION("aligned_alloc", watchAligned),
  FUNCTION("mmap", watchMap), FUNCTION("pthread_mutex_lock", watchLock),
  FUNCTION("pthread_rwlock_rdlock", watchRead), FUNCTION("pthread_rwlock_wrlock", watchWrite),
  FUNCTION("pthread_cond_wait", watchWait), FUNCTION("pthread_cond_timedwait", watchTimedWait),
  FUNCTION("sem_wait", watchSemaphore), FUNCTION("pthread_join", watchJoin),
  FUNCTION("pthread_create", watchCreate), FUNCTION("usleep", watchMicroseconds),
  FUNCTION("sleep", watchSeconds), FUNCTION("nanosleep", watchNanoseconds),
  FUNCTION("open", watchOpen), FUNCTION("open64", watchOpen), FUNCTION("fopen", watchFopen),
  FUNCTION("fopen64", watchFopen), FUNCTION("read", watchReadFile),
  FUNCTION("write", watchWriteFile), FUNCTION("fread", watchFread),
  FUNCTION("fwrite", watchFwrite), FUNCTION("puts", watchPuts), FUNCTION("fputs", watchFputs),
  FUNCTION("printf", watchPrintf), FUNCTION("fprintf", watchFprintf),
  FUNCTION("vfprintf", watchVfprintf), FUNCTION("__printf_chk", watchPrintfChecked),
  FUNCTION("__fprintf_chk", watchFprintfChecked), FUNCTION("putchar", watchPutchar),
  FUNCTION("putc", watchPutc), FUNCTION("fputc", watchPutc), FUNCTION("_IO_putc", watchPutc),
  FUNCTION("vprintf", watchVprintf), FUNCTION("__vprintf_chk", watchVprintfChecked),
  FUNCTION("__vfprintf_chk", watchVfprintfChecked), FUNCTION("fflush", watchFlush),
  FUNCTION("writev", watchWriteParts), FUNCTION("perror", watchPerror),
  FUNCTION("dprintf", watchDprintf), FUNCTION("__dprintf_chk", watchDprintfChecked),
  FUNCTION("vdprintf", watchVdprintf), FUNCTION("syslog", watchSyslog),
  FUNCTION("__syslog_chk", watchSyslogChecked),
};

#if defined(__x86_64__)
enum { relocationOfCall = R_X86_64_JUMP_SLOT, relocationOfAddress = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { relocationOfCall = R_AARCH64_JUMP_SLOT, relocationOfAddress = R_AARCH64_GLOB_DAT };
#else
enum { relocationOfCall = -1, relocationOfAddress = -1 };
#endif

static void tie(
    uintptr_t base, const ElfW(Rela) *entries, size_t bytes, const ElfW(Sym) *symbols,
    const char *texts) {
  const long page = sysconf(_SC_PAGESIZE);
  for (size_t index = 0; index < bytes / sizeof *entries; index++) {
    const uint32_t kind = ELF64_R_TYPE(entries[index].r_info);
    if (kind != (uint32_t)relocationOfCall && kind != (uint32_t)relocationOfAddress) continue;
    const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(entries[index].r_info)];
    // Symbols that a library defines itself are its own matter.
    if (symbol->st_shndx != SHN_UNDEF) continue;
    for (size_t place = 0; place < sizeof watched / sizeof *watched; place++) {
      if (strcmp(texts + symbol->st_name, watched[place].name) != 0) continue;
      uintptr_t *slot = (uintptr_t *)(base + entries[index].r_offset);
      void *start = (void *)((uintptr_t)slot & ~(uintptr_t)(page - 1));
      // Tables may have been made constant once they were filled.
      if (mprotect(start, (size_t)page, PROT_READ | PROT_WRITE) == 0) *slot = watched[place].function;
      break;
    }
  }
}

/// Libraries whose calls are their own business, and the program itself.
static bool isLeftOut(const char *path) {
  static const char *const names[] = {
    "/libc.so", "/ld-linux", "/libpthread.so", "/libdl.so", "/librt.so", "linux-vdso",
    "/libm.so", "/libgcc_s.so",
  };
  if (path[0] == 0) return true;
  for (size_t index = 0; index < sizeof names / sizeof *names; index++)
    if (strstr(path, names[index]) != NULL) return true;
  return false;
}

static int tieLibrary(struct dl_phdr_info *library, size_t size, void *data) {
  (void)size, (void)data;
  if (isLeftOut(library->dlpi_name)) return 0;
  const ElfW(Dyn) *entry = NULL;
  for (int index = 0; index < library->dlpi_phnum; index++)
    if (library->dlpi_phdr[index].p_type == PT_DYNAMIC)
      entry = (const ElfW(Dyn) *)(library->dlpi_addr + library->dlpi_phdr[index].p_vaddr);
  const ElfW(Sym) *symbols = NULL;
  const char *texts = NULL;
  const ElfW(Rela) *tables[2] = {NULL, NULL};
  size_t bytes[2] = {0, 0};
  for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = (const ElfW(Sym) *)entry->d_un.d_ptr; break;
      case DT_STRTAB: texts = (const char *)entry->d_un.d_ptr; break;
      case DT_JMPREL: tables[0] = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: bytes[0] = entry->d_un.d_val; break;
      case DT_RELA: tables[1] = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
      case DT_RELASZ: bytes[1] = entry->d_un.d_val; break;
    }
  }
  if (symbols == NULL || texts == NULL) return 0;
  for (int table = 0; table < 2; table++)
    if (tables[table] != NULL)
      tie(library->dlpi_addr, tables[table], bytes[table], symbols, texts);
  return 0;
}

void AuricleRenderWatchInstall(void) { dl_iterate_phdr(tieLibrary, NULL); }

void AuricleRenderWatchBegin(void) {
  memset(counts, 0, sizeof counts);
  isOn = true;
}

void AuricleRenderWatchEnd(void) { isOn = false; }

void AuricleRenderWatchSuspend(void) { isSuspended = true; }

void AuricleRenderWatchResume(void) { isSuspended = false; }

uint32_t AuricleRenderWatchCount(int kind) { return counts[kind]; }

const char *AuricleRenderWatchName(int kind) { return counts[kind] > 0 ? names[kind] : ""; }

uint64_t AuricleUsedMemory(void) {
  const struct mallinfo2 info = mallinfo2();
  return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
}
