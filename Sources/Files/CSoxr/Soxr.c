// Opens libsoxr.
// SPDX-License-Identifier: Apache-2.0
#include "Soxr.h"

#include <LibraryMemory.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static AuricleSoxr functions;
static const AuricleSoxr *library;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int find(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static void noteFailure(void) {
  const char *reason = dlerror();
  snprintf(failure, sizeof failure, "%s", reason ? reason : "no reason given");
}

static void openLibrary(void) {
  void *handle = dlopen("libsoxr.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    noteFailure();
    return;
  }
  AuricleLibraryMemoryLeaveOut();
  if (find(handle, "soxr_create", &functions.create)
      && find(handle, "soxr_process", &functions.process)
      && find(handle, "soxr_clear", &functions.clear)
      && find(handle, "soxr_delete", &functions.destroy)
      && find(handle, "soxr_io_spec", &functions.formats)
      && find(handle, "soxr_quality_spec", &functions.quality)
      && find(handle, "soxr_runtime_spec", &functions.resources))
    library = &functions;
  else
    noteFailure();
}

const AuricleSoxr *AuricleSoxrLibrary(void) {
  pthread_once(&once, openLibrary);
  return library;
}

const char *AuricleSoxrFailure(void) {
  pthread_once(&once, openLibrary);
  return failure;
}
