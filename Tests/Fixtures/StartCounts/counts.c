// Preloaded into a program: counts the costs of its start, in it and in the processes it starts.
// SPDX-License-Identifier: Apache-2.0
//
// AURICLE_TEST_COUNTS names a file of five numbers of 64 bits, which all processes add to: processes, libraries that
// are mapped when they start or opened later, files opened, bytes read, and formats that libsndfile was asked about.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { processes, libraries, files, bytes, formats, kinds };

static uint64_t *counts;

static void add(int kind, uint64_t number) {
  if (counts) __atomic_fetch_add(&counts[kind], number, __ATOMIC_RELAXED);
}

static int countLibrary(struct dl_phdr_info *info, size_t size, void *number) {
  (void)info, (void)size;
  ++*(uint64_t *)number;
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  // The program env only changes the folder of the command that it becomes.
  if (strcmp(program_invocation_short_name, "env") == 0) return;
  const char *path = getenv("AURICLE_TEST_COUNTS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, kinds * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  uint64_t mapped = 0;
  dl_iterate_phdr(countLibrary, &mapped);
  counts = memory;
  add(processes, 1);
  add(libraries, mapped);
}

static mode_t modeOf(int flags, va_list rest) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name)                                                                                 \
  int name(const char *path, int flags, ...) {                                                     \
    static int (*real)(const char *, int, ...);                                                    \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    const mode_t mode = modeOf(flags, rest);                                                       \
    va_end(rest);                                                                                  \
    add(files, 1);                                                                                 \
    return real(path, flags, mode);                                                                \
  }

#define OPEN_AT(name)                                                                              \
  int name(int folder, const char *path, int flags, ...) {                                         \
    static int (*real)(int, const char *, int, ...);                                               \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    const mode_t mode = modeOf(flags, rest);                                                       \
    va_end(rest);                                                                                  \
    add(files, 1);                                                                                 \
    return real(folder, path, flags, mode);                                                        \
  }

#define OPEN_STREAM(name)                                                                          \
  FILE *name(const char *path, const char *mode) {                                                 \
    static FILE *(*real)(const char *, const char *);                                              \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    add(files, 1);                                                                                 \
    return real(path, mode);                                                                       \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

ssize_t read(int file, void *memory, size_t size) {
  static ssize_t (*real)(int, void *, size_t);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "read");
  const ssize_t count = real(file, memory, size);
  if (count > 0) add(bytes, (uint64_t)count);
  return count;
}

void *dlopen(const char *path, int flags) {
  static void *(*real)(const char *, int);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
  if (path) add(libraries, 1);
  return real(path, flags);
}

int sf_format_check(const void *info) {
  static int (*real)(const void *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "sf_format_check");
  add(formats, 1);
  return real(info);
}
