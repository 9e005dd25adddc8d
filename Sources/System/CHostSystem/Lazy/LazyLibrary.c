// Opens libraries whose functions were called for the first time.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "LazyLibrary.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "../include/LibraryMemory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// The place that is so many bytes behind a field.
static const char *behind(const int32_t *field) { return (const char *)field + *field; }

/// Ends the process as the dynamic linker does where a library is missing: the caller has no way to fail.
static _Noreturn void end(const char *library, const char *reason) {
  char text[512];
  const int count = snprintf(
      text, sizeof text, "auricle: %s cannot be used (%s): install the package that has it\n", library, reason);
  if (count > 0 && write(STDERR_FILENO, text, (size_t)count < sizeof text ? (size_t)count : sizeof text - 1) < 0) _exit(71);
  _exit(69);
}

/// Opens a library as if it was linked: its functions are found by everyone, and stay.
static void load(const char *name) {
  if (dlopen(name, RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD)) return;
  // Libraries of plug-ins that are there by now are not the program's own.
  AuricleLibraryMemoryNote();
  if (!dlopen(name, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE)) {
    const char *reason = dlerror();
    end(name, reason ? reason : "no reason given");
  }
  AuricleLibraryMemoryLeaveOut();
}

void AuricleLazyLibraryOpen(const AuricleLazyLibrary *library) {
  pthread_mutex_lock(&lock);
  const char *name = behind(&library->name);
  const AuricleLazyFunction *function = (const AuricleLazyFunction *)(const void *)behind(&library->functions);
  load(name);
  for (; function->name; ++function) {
    // One that was loaded in front of all others goes first, as it does for linked libraries.
    void *address = dlsym(RTLD_DEFAULT, behind(&function->name));
    if (!address) end(name, dlerror());
    __atomic_store_n((void **)(uintptr_t)behind(&function->address), address, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
}
