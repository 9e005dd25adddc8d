// Features of the bare host: URIs as numbers, a log that is thrown away, paths, and work at once.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <lv2/log/log.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_URIS = 4096, MAX_MESSAGES = 256 };

static char* uris[MAX_URIS];
static uint32_t uri_count;

static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char* uri) {
  (void)handle;
  for (uint32_t i = 0; i < uri_count; ++i)
    if (!strcmp(uris[i], uri)) return i + 1;
  if (uri_count == MAX_URIS) return 0;
  uris[uri_count++] = strdup(uri);
  return uri_count;
}

static const char* unmap_uri(LV2_URID_Unmap_Handle handle, LV2_URID urid) {
  (void)handle;
  return urid > 0 && urid <= uri_count ? uris[urid - 1] : NULL;
}

static int log_printf(LV2_Log_Handle h, LV2_URID type, const char* format, ...) {
  (void)h, (void)type, (void)format;
  return 0;
}
static int log_vprintf(LV2_Log_Handle h, LV2_URID type, const char* format, va_list arguments) {
  (void)h, (void)type, (void)format, (void)arguments;
  return 0;
}

static char* make_path(LV2_State_Make_Path_Handle h, const char* path) {
  (void)h, (void)path;
  return NULL;
}
static char* copy_path(LV2_State_Map_Path_Handle h, const char* path) {
  (void)h;
  return strdup(path);
}
static void free_path(LV2_State_Free_Path_Handle h, char* path) {
  (void)h;
  free(path);
}

// Work that was asked for during a run is done after it, and answered before the next.
typedef struct {
  uint32_t size;
  void* body;
} Message;
static Message requests[MAX_MESSAGES], responses[MAX_MESSAGES];
static unsigned request_count, response_count;
static const LV2_Worker_Interface* worker;
static LV2_Handle worker_handle;

static LV2_Worker_Status push(Message* list, unsigned* count, uint32_t size, const void* body) {
  if (*count == MAX_MESSAGES) return LV2_WORKER_ERR_NO_SPACE;
  Message message = {size, malloc(size ? size : 1)};
  if (size) memcpy(message.body, body, size);
  list[(*count)++] = message;
  return LV2_WORKER_SUCCESS;
}
static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle h, uint32_t size, const void* body) {
  (void)h;
  return push(requests, &request_count, size, body);
}
static LV2_Worker_Status respond(LV2_Worker_Respond_Handle h, uint32_t size, const void* body) {
  (void)h;
  return push(responses, &response_count, size, body);
}
static void work(void) {
  if (!worker) return;
  for (int round = 0; round < 1024 && (request_count || response_count); ++round) {
    Message list[MAX_MESSAGES];
    unsigned count = request_count;
    memcpy(list, requests, sizeof list);
    request_count = 0;
    for (unsigned i = 0; i < count; ++i) {
      worker->work(worker_handle, respond, NULL, list[i].size, list[i].body);
      free(list[i].body);
    }
    count = response_count;
    memcpy(list, responses, sizeof list);
    response_count = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (worker->work_response)
        worker->work_response(worker_handle, list[i].size, list[i].body);
      free(list[i].body);
    }
  }
}
