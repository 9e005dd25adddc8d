// The one door to lilv, serd and the LV2 headers.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/data-access/data-access.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <malloc.h>
#include <semaphore.h>
#include <serd/serd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "../CForeignPlugIns/Guard.h"
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

// serd hands its message as a format with a va_list, which Swift cannot read.
static inline void auricle_serd_error_text(const SerdError* error, char* text, size_t size) {
  va_list arguments;
  va_copy(arguments, *error->args);
  vsnprintf(text, size, error->fmt, arguments);
  va_end(arguments);
}

// The target of a plug-in's log; `handle` of the LV2_Log_Log that auricle_lv2_log_init fills.
typedef struct {
  void* context;
  void (*write)(void* context, LV2_URID type, const char* text);
} AuricleLogSink;

static inline int auricle_lv2_log_vprintf(
  LV2_Log_Handle handle, LV2_URID type, const char* format, va_list arguments) {
  char text[1024];
  const int count = vsnprintf(text, sizeof text, format, arguments);
  AuricleLogSink* const sink = (AuricleLogSink*)handle;
  if (sink && sink->write) sink->write(sink->context, type, text);
  return count;
}

// Swift cannot define a variadic C function: LV2_Log_Log needs one.
static inline int auricle_lv2_log_printf(
  LV2_Log_Handle handle, LV2_URID type, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = auricle_lv2_log_vprintf(handle, type, format, arguments);
  va_end(arguments);
  return count;
}

// Swift cannot import the va_list in the struct's function pointers on every machine: filled here.
static inline void auricle_lv2_log_init(LV2_Log_Log* log, AuricleLogSink* sink) {
  log->handle = sink;
  log->printf = auricle_lv2_log_printf;
  log->vprintf = auricle_lv2_log_vprintf;
}

// Runs a plug-in where the caller restores the floating-point mode; the mode of the x87, which no other
// code reads, and the flags are restored here.
AURICLE_TRUSTED static inline void auricle_lv2_run(
  const LV2_Descriptor* descriptor, LV2_Handle handle, uint32_t frames) {
  const unsigned short mode = auricle_x87_mode();
  descriptor->run(handle, frames);
  auricle_end_run(mode);
}

// Some plug-ins leave the rounding or the treatment of denormals changed: put back after the run.
AURICLE_TRUSTED static inline void auricle_lv2_run_guarded(
  const LV2_Descriptor* descriptor, LV2_Handle handle, uint32_t frames) {
#if defined(__SSE2__)
  const unsigned before = _mm_getcsr();
  auricle_lv2_run(descriptor, handle, frames);
  // The low six bits are the exceptions raised so far, which every sum may change.
  if ((_mm_getcsr() ^ before) & ~0x3Fu) _mm_setcsr(before);
#elif defined(__aarch64__)
  uint64_t before, after;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  descriptor->run(handle, frames);
  __asm__ volatile("mrs %0, fpcr" : "=r"(after));
  if (after != before) __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
  descriptor->run(handle, frames);
#endif
}

AURICLE_TRUSTED static inline void auricle_lv2_connect(
  const LV2_Descriptor* descriptor, LV2_Handle handle, uint32_t port, void* data) {
  descriptor->connect_port(handle, port, data);
}

AURICLE_TRUSTED static inline void auricle_lv2_end_run(
  const LV2_Worker_Interface* worker, LV2_Handle handle) {
  if (worker->end_run) worker->end_run(handle);
}

AURICLE_TRUSTED static inline void auricle_lv2_work_response(
  const LV2_Worker_Interface* worker, LV2_Handle handle, uint32_t size, const void* body) {
  worker->work_response(handle, size, body);
}

// Wakes the thread that waits for work; it neither blocks nor allocates.
AURICLE_TRUSTED static inline void auricle_wake(sem_t* semaphore) { sem_post(semaphore); }

// Copies memory; the standard function, which the compiler may put in place.
AURICLE_TRUSTED static inline void auricle_copy(void* to, const void* from, size_t size) {
  memcpy(to, from, size);
}

// An extension of the C library, declared where it is not asked for.
void* memmem(const void* bytes, size_t count, const void* wanted, size_t wanted_count);

// Whether bytes hold other bytes somewhere.
static inline bool auricle_contains(
  const void* bytes, size_t count, const void* wanted, size_t wanted_count) {
  return memmem(bytes, count, wanted, wanted_count) != NULL;
}

// The functions of a dynamic manifest's binary; see auricle_dynamic_manifest_open.
typedef struct {
  void* handle;
  int (*get_subjects)(void* handle, FILE* file);
  int (*get_data)(void* handle, FILE* file, const char* uri);
  void (*close)(void* handle);
} AuricleDynamicManifest;

// Opens the dynamic manifest in a library: 0, -1 when a function is missing, or the binary's own code.
static inline int auricle_dynamic_manifest_open(
  void* library, const LV2_Feature* const* features, AuricleDynamicManifest* manifest) {
  int (*open)(void**, const LV2_Feature* const*);
  *(void**)&open = dlsym(library, "lv2_dyn_manifest_open");
  *(void**)&manifest->get_subjects = dlsym(library, "lv2_dyn_manifest_get_subjects");
  *(void**)&manifest->get_data = dlsym(library, "lv2_dyn_manifest_get_data");
  *(void**)&manifest->close = dlsym(library, "lv2_dyn_manifest_close");
  if (!open || !manifest->get_subjects || !manifest->get_data) return -1;
  const int status = open(&manifest->handle, features);
  return status < 0 ? 1 : status;
}

// Returns its data about a subject, or its list of subjects for NULL; the caller frees it.
static inline char* auricle_dynamic_manifest_text(
  AuricleDynamicManifest* manifest, const char* uri, int* status) {
  char* text = NULL;
  size_t size = 0;
  FILE* const file = open_memstream(&text, &size);
  if (!file) return NULL;
  *status =
    uri ? manifest->get_data(manifest->handle, file, uri) : manifest->get_subjects(manifest->handle, file);
  fclose(file);
  return text;
}

static inline void auricle_dynamic_manifest_close(AuricleDynamicManifest* manifest) {
  if (manifest->close) manifest->close(manifest->handle);
}

// The event extension, which came before atoms: one buffer a port, events of 8 bytes' alignment.
typedef struct {
  uint8_t* data;
  uint16_t header_size;
  uint16_t stamp_type;
  uint32_t event_count;
  uint32_t capacity;
  uint32_t size;
} AuricleEventBuffer;
typedef struct {
  uint32_t frames;
  uint32_t subframes;
  uint16_t type;
  uint16_t size;
} AuricleEvent;
typedef struct {
  void* callback_data;
  uint32_t (*lv2_event_ref)(void* callback_data, AuricleEvent* event);
  uint32_t (*lv2_event_unref)(void* callback_data, AuricleEvent* event);
} AuricleEventFeature;
// The URI map extension, which came before URIDs.
typedef struct {
  void* callback_data;
  uint32_t (*uri_to_id)(void* callback_data, const char* map, const char* uri);
} AuricleURIMapFeature;

// The programs extension of KXStudio.
typedef struct {
  uint32_t bank;
  uint32_t program;
  const char* name;
} AuricleProgram;
typedef struct {
  const AuricleProgram* (*get_program)(LV2_Handle handle, uint32_t index);
  void (*select_program)(LV2_Handle handle, uint32_t bank, uint32_t program);
} AuriclePrograms;
typedef struct {
  void* handle;
  void (*program_changed)(void* handle, int32_t index);
} AuricleProgramsHost;

// dlsym answers an untyped pointer; C may make a function of it.
typedef const LV2_Descriptor* (*AuricleDescriptorFunction)(uint32_t index);
static inline AuricleDescriptorFunction auricle_lv2_descriptor_function(void* library) {
  return (AuricleDescriptorFunction)(uintptr_t)dlsym(library, "lv2_descriptor");
}
typedef const LV2_Lib_Descriptor* (*AuricleLibDescriptorFunction)(
  const char* bundle, const LV2_Feature* const* features);
static inline AuricleLibDescriptorFunction auricle_lv2_lib_descriptor_function(void* library) {
  return (AuricleLibDescriptorFunction)(uintptr_t)dlsym(library, "lv2_lib_descriptor");
}
