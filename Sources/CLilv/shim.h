// The one door to lilv, serd and the LV2 headers.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <malloc.h>
#include <serd/serd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

// serd hands its message as a format with a va_list, which Swift cannot read.
static inline void auricle_serd_error_text(const SerdError* error, char* text, size_t size) {
  va_list arguments;
  va_copy(arguments, *error->args);
  vsnprintf(text, size, error->fmt, arguments);
  va_end(arguments);
}

// Where the text of a plug-in's log goes; `handle` of the LV2_Log_Log that auricle_lv2_log_init fills.
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

// The few doors out of checked render code: a plug-in's own functions, trusted not to lock or
// allocate (the plug-in is not ours to check).
#define AURICLE_TRUSTED \
  __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

AURICLE_TRUSTED static inline void auricle_lv2_run(
  const LV2_Descriptor* descriptor, LV2_Handle handle, uint32_t frames) {
  descriptor->run(handle, frames);
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

// Whether the first `count` words of a block are zero. Volatile, because compilers take what is read from
// a block fresh from malloc for undefined, and answer as they like.
static inline int auricle_is_zero(const void* block, size_t count) {
  const volatile uint64_t* const words = (const volatile uint64_t*)block;
  for (size_t i = 0; i < count; ++i)
    if (words[i]) return 0;
  return 1;
}
