// The host as a VST3 plug-in has it: application, run loop, the controller's handler, links between its halves.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <poll.h>
#include <pthread.h>
#include <time.h>

#include "Bell.h"
#include "VST3Objects.h"

// A lock for a few instructions; no code of a plug-in is called while it is held.
static inline void auricle_vst3_lock(int* lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {
  }
}
static inline void auricle_vst3_unlock(int* lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

static inline uint64_t auricle_vst3_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// The application and its run loop, one of each for a plug-in. Their memory is never freed, because some plug-ins
// keep them for longer than they live.

typedef struct {
  AuricleVST3TimerListener* listener;
  uint64_t period, due;
  bool has_fired;
} AuricleVST3Timer;

typedef struct {
  AuricleVST3FileListener* listener;
  int descriptor;
} AuricleVST3File;

enum { kVST3LoopCapacity = 64 };
typedef struct {
  AuricleVST3Part application, support, loop;
  int lock;
  int bell;       // Rung when something is to be done, by `auricle_bell_ring`.
  uint64_t time;  // That of the sound in nanoseconds, by which timers go offline; 0 where they go by the clock.
  uint32_t timer_count, file_count;
  AuricleVST3Timer timers[kVST3LoopCapacity];
  AuricleVST3File files[kVST3LoopCapacity];
} AuricleVST3Application;

static inline AuricleVST3Application* auricle_vst3_application_of(void* part) {
  return (AuricleVST3Application*)((AuricleVST3Part*)part)->owner;
}

// The time of its timers, in nanoseconds.
static inline uint64_t auricle_vst3_time(const AuricleVST3Application* application) {
  return application->time ? application->time : auricle_vst3_now();
}
static inline AuricleVST3Result auricle_vst3_application_query(void* self, const AuricleVST3ID* id, void** object) {
  AuricleVST3Application* application = auricle_vst3_application_of(self);
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  const bool is_found =
    auricle_vst3_found(&kVST3ID_Unknown, id, &application->application, object) ||
    auricle_vst3_found(&kVST3ID_HostApplication, id, &application->application, object) ||
    auricle_vst3_found(&kVST3ID_InterfaceSupport, id, &application->support, object) ||
    auricle_vst3_found(&kVST3ID_RunLoop, id, &application->loop, object);
  return is_found ? kVST3_OK : kVST3_NoInterface;
}
static inline uint32_t auricle_vst3_keep(void* self) {
  (void)self;
  return 1000;
}
static inline AuricleVST3Result auricle_vst3_application_name(void* self, uint16_t* name) {
  static const char text[] = "Auricle";
  (void)self;
  if (!name) return kVST3_InvalidArgument;
  for (size_t i = 0; i < sizeof text; ++i) name[i] = (uint8_t)text[i];
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_application_make(
  void* self, const AuricleVST3ID* class_id, const AuricleVST3ID* id, void** object) {
  (void)self;
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  if (auricle_vst3_same(&kVST3ID_Message, class_id) && auricle_vst3_same(&kVST3ID_Message, id))
    *object = auricle_vst3_make_letter();
  else if (auricle_vst3_same(&kVST3ID_AttributeList, class_id) && auricle_vst3_same(&kVST3ID_AttributeList, id))
    *object = auricle_vst3_make_list();
  else
    return kVST3_NoInterface;
  return *object ? kVST3_OK : kVST3_OutOfMemory;
}

// The interfaces that the host calls, and no others.
static inline AuricleVST3Result auricle_vst3_supports(void* self, const AuricleVST3ID* id) {
  const AuricleVST3ID* const called[] = {
    &kVST3ID_Component,    &kVST3ID_Processor,       &kVST3ID_ContextRequirements, &kVST3ID_Controller,
    &kVST3ID_Controller2,  &kVST3ID_MIDIMapping,     &kVST3ID_UnitInfo,            &kVST3ID_ProgramListData,
    &kVST3ID_Connection,   &kVST3ID_NoteExpression,  &kVST3ID_PhysicalMapping,
  };
  (void)self;
  for (size_t i = 0; i < sizeof called / sizeof *called; ++i)
    if (auricle_vst3_same(called[i], id)) return kVST3_OK;
  return kVST3_False;
}

static inline AuricleVST3Result auricle_vst3_add_file(
  void* self, AuricleVST3FileListener* listener, int descriptor) {
  AuricleVST3Application* application = auricle_vst3_application_of(self);
  if (!listener || descriptor < 0) return kVST3_InvalidArgument;
  listener->table->retain(listener);
  auricle_vst3_lock(&application->lock);
  const bool has_room = application->file_count < kVST3LoopCapacity;
  if (has_room) application->files[application->file_count++] = (AuricleVST3File){listener, descriptor};
  auricle_vst3_unlock(&application->lock);
  if (!has_room) listener->table->release(listener);
  auricle_bell_ring(application->bell);
  return has_room ? kVST3_OK : kVST3_OutOfMemory;
}
static inline AuricleVST3Result auricle_vst3_remove_file(void* self, AuricleVST3FileListener* listener) {
  AuricleVST3Application* application = auricle_vst3_application_of(self);
  uint32_t removed = 0;
  auricle_vst3_lock(&application->lock);
  for (uint32_t i = 0; i < application->file_count;) {
    if (application->files[i].listener == listener) {
      application->files[i] = application->files[--application->file_count];
      ++removed;
    } else {
      ++i;
    }
  }
  auricle_vst3_unlock(&application->lock);
  for (uint32_t i = 0; i < removed; ++i) listener->table->release(listener);
  return removed > 0 ? kVST3_OK : kVST3_False;
}
static inline AuricleVST3Result auricle_vst3_add_timer(
  void* self, AuricleVST3TimerListener* listener, uint64_t milliseconds) {
  AuricleVST3Application* application = auricle_vst3_application_of(self);
  if (!listener || milliseconds == 0 || milliseconds > 1000u * 3600 * 24) return kVST3_InvalidArgument;
  const uint64_t period = milliseconds * 1000000;
  listener->table->retain(listener);
  const AuricleVST3Timer timer = {listener, period, auricle_vst3_time(application) + period, false};
  auricle_vst3_lock(&application->lock);
  const bool has_room = application->timer_count < kVST3LoopCapacity;
  if (has_room) application->timers[application->timer_count++] = timer;
  auricle_vst3_unlock(&application->lock);
  if (!has_room) listener->table->release(listener);
  auricle_bell_ring(application->bell);
  return has_room ? kVST3_OK : kVST3_OutOfMemory;
}
static inline AuricleVST3Result auricle_vst3_remove_timer(void* self, AuricleVST3TimerListener* listener) {
  AuricleVST3Application* application = auricle_vst3_application_of(self);
  uint32_t removed = 0;
  auricle_vst3_lock(&application->lock);
  for (uint32_t i = 0; i < application->timer_count;) {
    if (application->timers[i].listener == listener) {
      application->timers[i] = application->timers[--application->timer_count];
      ++removed;
    } else {
      ++i;
    }
  }
  auricle_vst3_unlock(&application->lock);
  for (uint32_t i = 0; i < removed; ++i) listener->table->release(listener);
  return removed > 0 ? kVST3_OK : kVST3_False;
}

// Forgets all listeners. [main-thread]
static inline void auricle_vst3_clear_loop(AuricleVST3Application* application) {
  while (application->timer_count > 0)
    auricle_vst3_remove_timer(&application->loop, application->timers[0].listener);
  while (application->file_count > 0)
    auricle_vst3_remove_file(&application->loop, application->files[0].listener);
}

// Prepares an application in memory that is never freed.
static inline void auricle_vst3_prepare_application(AuricleVST3Application* application, int bell) {
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    AuricleVST3Result (*name)(void*, uint16_t*);
    AuricleVST3Result (*make)(void*, const AuricleVST3ID*, const AuricleVST3ID*, void**);
  } host = {
    auricle_vst3_application_query, auricle_vst3_keep, auricle_vst3_keep, auricle_vst3_application_name,
    auricle_vst3_application_make,
  };
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    AuricleVST3Result (*supports)(void*, const AuricleVST3ID*);
  } support = {auricle_vst3_application_query, auricle_vst3_keep, auricle_vst3_keep, auricle_vst3_supports};
  static const struct {
    AuricleVST3Result (*query)(void*, const AuricleVST3ID*, void**);
    uint32_t (*retain)(void*);
    uint32_t (*release)(void*);
    AuricleVST3Result (*add_file)(void*, AuricleVST3FileListener*, int);
    AuricleVST3Result (*remove_file)(void*, AuricleVST3FileListener*);
    AuricleVST3Result (*add_timer)(void*, AuricleVST3TimerListener*, uint64_t);
    AuricleVST3Result (*remove_timer)(void*, AuricleVST3TimerListener*);
  } loop = {
    auricle_vst3_application_query, auricle_vst3_keep, auricle_vst3_keep, auricle_vst3_add_file,
    auricle_vst3_remove_file, auricle_vst3_add_timer, auricle_vst3_remove_timer,
  };
  memset(application, 0, sizeof *application);
  application->bell = bell;
  application->application = (AuricleVST3Part){&host, application};
  application->support = (AuricleVST3Part){&support, application};
  application->loop = (AuricleVST3Part){&loop, application};
}

// Calls the listeners of due timers, and of descriptors with something to read. A listener may remove itself or
// others meanwhile. [main-thread]
static inline void auricle_vst3_turn(AuricleVST3Application* application) {
  for (uint32_t i = 0; i < kVST3LoopCapacity; ++i) {
    AuricleVST3TimerListener* listener = NULL;
    const uint64_t now = application->timer_count > 0 ? auricle_vst3_time(application) : 0;
    auricle_vst3_lock(&application->lock);
    if (i < application->timer_count && application->timers[i].due <= now) {
      AuricleVST3Timer* timer = &application->timers[i];
      timer->due = now + timer->period;
      timer->has_fired = true;
      listener = timer->listener;
    }
    const bool is_last = i >= application->timer_count;
    auricle_vst3_unlock(&application->lock);
    if (is_last) break;
    if (!listener) continue;
    listener->table->retain(listener);
    listener->table->is_due(listener);
    listener->table->release(listener);
  }
  for (uint32_t i = 0; i < kVST3LoopCapacity; ++i) {
    AuricleVST3File file = {NULL, -1};
    auricle_vst3_lock(&application->lock);
    if (i < application->file_count) file = application->files[i];
    auricle_vst3_unlock(&application->lock);
    if (!file.listener) break;
    struct pollfd entry = {file.descriptor, POLLIN, 0};
    if (poll(&entry, 1, 0) != 1 || !(entry.revents & (POLLIN | POLLHUP | POLLERR))) continue;
    file.listener->table->retain(file.listener);
    file.listener->table->is_ready(file.listener, file.descriptor);
    file.listener->table->release(file.listener);
  }
}

// The time of the next timer, in nanoseconds of the time of its timers; UINT64_MAX for never. [main-thread]
static inline uint64_t auricle_vst3_next_time(AuricleVST3Application* application) {
  uint64_t time = UINT64_MAX;
  auricle_vst3_lock(&application->lock);
  for (uint32_t i = 0; i < application->timer_count; ++i)
    if (application->timers[i].due < time) time = application->timers[i].due;
  auricle_vst3_unlock(&application->lock);
  return time;
}

// Whether a timer never fired. [main-thread]
static inline bool auricle_vst3_awaits_timer(AuricleVST3Application* application) {
  bool awaits = false;
  auricle_vst3_lock(&application->lock);
  for (uint32_t i = 0; i < application->timer_count; ++i) awaits |= !application->timers[i].has_fired;
  auricle_vst3_unlock(&application->lock);
  return awaits;
}

// Whether anything waits for the run loop. [any thread]
static inline bool auricle_vst3_has_listeners(const AuricleVST3Application* application) {
  return __atomic_load_n(&application->timer_count, __ATOMIC_RELAXED) > 0 ||
         __atomic_load_n(&application->file_count, __ATOMIC_RELAXED) > 0;
}

// The handler of one plug-in: its controller's reports, and the messages between its halves.

typedef struct {
  uint32_t parameter;
  double value;
} AuricleVST3Edit;

struct AuricleVST3Handler;
typedef struct {
  const void* table;
  struct AuricleVST3Handler* owner;
  AuricleVST3Connection* target;
} AuricleVST3Link;

typedef struct {
  AuricleVST3Link* link;
  AuricleVST3Message* message;
} AuricleVST3Post;

// What a plug-in did against the standard, as its check reads it: functions on a thread that may not call them, and others.
enum {
  kVST3Misuse_BeginThread = 1,
  kVST3Misuse_PerformThread = 1 << 1,
  kVST3Misuse_EndThread = 1 << 2,
  kVST3Misuse_RestartThread = 1 << 3,
  kVST3Misuse_MessageThread = 1 << 4,
  kVST3Misuse_ValueRange = 1 << 5,
  kVST3Misuse_NoBegin = 1 << 6,
  kVST3Misuse_EndWithoutBegin = 1 << 7,
};

enum { kVST3EditCapacity = 4096, kVST3PostCapacity = 512, kVST3GestureCapacity = 64, kVST3ReportCapacity = 256 };
typedef struct AuricleVST3Handler {
  AuricleVST3Part handler, handler2, buses, units, units2, progress;
  AuricleVST3Link to_controller, to_component;
  uint32_t references;
  uint64_t audio_thread;  // the thread that processes now, else 0
  int bell;
  uint32_t restarts;      // Bits of kVST3Restart_, of any thread.
  uint32_t known_restarts;  // All that were ever asked for.
  uint32_t is_dirty;        // Whether the plug-in or its window changed the state since the last look.
  uint32_t misuse;          // Bits of kVST3Misuse_, of any thread.
  uint64_t main_thread;     // That which made the handler.
  int lock;
  uint32_t edit_count, post_count, gesture_count, report_count;
  uint32_t gestures[kVST3GestureCapacity];  // Parameters that are being edited.
  AuricleVST3Edit edits[kVST3EditCapacity];
  AuricleVST3Post posts[kVST3PostCapacity];
  AuricleVST3Edit reports[kVST3ReportCapacity];  // Values of the processor for the controller.
} AuricleVST3Handler;

static inline bool auricle_vst3_is_audio_thread(AuricleVST3Handler* handler) {
  return __atomic_load_n(&handler->audio_thread, __ATOMIC_ACQUIRE) == (uint64_t)pthread_self();
}
static inline AuricleVST3Handler* auricle_vst3_handler_of(void* part) {
  return (AuricleVST3Handler*)((AuricleVST3Part*)part)->owner;
}
static inline AuricleVST3Result auricle_vst3_handler_query(void* self, const AuricleVST3ID* id, void** object) {
  AuricleVST3Handler* handler = auricle_vst3_handler_of(self);
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  if (!auricle_vst3_found(&kVST3ID_Unknown, id, &handler->handler, object) &&
      !auricle_vst3_found(&kVST3ID_Handler, id, &handler->handler, object) &&
      !auricle_vst3_found(&kVST3ID_Handler2, id, &handler->handler2, object) &&
      !auricle_vst3_found(&kVST3ID_BusActivation, id, &handler->buses, object) &&
      !auricle_vst3_found(&kVST3ID_UnitHandler, id, &handler->units, object) &&
      !auricle_vst3_found(&kVST3ID_UnitHandler2, id, &handler->units2, object) &&
      !auricle_vst3_found(&kVST3ID_Progress, id, &handler->progress, object))
    return kVST3_NoInterface;
  auricle_vst3_count_up(&handler->references);
  return kVST3_OK;
}
static inline uint32_t auricle_vst3_handler_retain(void* self) {
  return auricle_vst3_count_up(&auricle_vst3_handler_of(self)->references);
}
static inline uint32_t auricle_vst3_handler_drop(AuricleVST3Handler* handler) {
  const uint32_t count = auricle_vst3_count_down(&handler->references);
  if (count == 0) free(handler);
  return count;
}
static inline uint32_t auricle_vst3_handler_release(void* self) {
  return auricle_vst3_handler_drop(auricle_vst3_handler_of(self));
}

static inline void auricle_vst3_note_misuse(AuricleVST3Handler* handler, uint32_t bits) {
  __atomic_fetch_or(&handler->misuse, bits, __ATOMIC_RELAXED);
}
static inline void auricle_vst3_mark_dirty(AuricleVST3Handler* handler) {
  __atomic_store_n(&handler->is_dirty, 1, __ATOMIC_RELEASE);
}
// Notes a function that is called on another thread than the main one of plug-ins.
static inline void auricle_vst3_note_thread(AuricleVST3Handler* handler, uint32_t bit) {
  if (handler->main_thread != (uint64_t)pthread_self()) auricle_vst3_note_misuse(handler, bit);
}
// The place of a gesture; that behind the last for none. Under the lock.
static inline uint32_t auricle_vst3_gesture(const AuricleVST3Handler* handler, uint32_t id) {
  uint32_t place = 0;
  while (place < handler->gesture_count && handler->gestures[place] != id) ++place;
  return place;
}
static inline AuricleVST3Result auricle_vst3_begin(void* self, uint32_t id) {
  AuricleVST3Handler* handler = auricle_vst3_handler_of(self);
  auricle_vst3_note_thread(handler, kVST3Misuse_BeginThread);
  auricle_vst3_lock(&handler->lock);
  const uint32_t place = auricle_vst3_gesture(handler, id);
  if (place == handler->gesture_count && place < kVST3GestureCapacity) handler->gestures[handler->gesture_count++] = id;
  auricle_vst3_unlock(&handler->lock);
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_end(void* self, uint32_t id) {
  AuricleVST3Handler* handler = auricle_vst3_handler_of(self);
  auricle_vst3_note_thread(handler, kVST3Misuse_EndThread);
  auricle_vst3_lock(&handler->lock);
  const uint32_t place = auricle_vst3_gesture(handler, id);
  const bool is_known = place < handler->gesture_count;
  if (is_known) handler->gestures[place] = handler->gestures[--handler->gesture_count];
  auricle_vst3_unlock(&handler->lock);
  if (!is_known) auricle_vst3_note_misuse(handler, kVST3Misuse_EndWithoutBegin);
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_perform(void* self, uint32_t id, double value) {
  AuricleVST3Handler* handler = auricle_vst3_handler_of(self);
  auricle_vst3_note_thread(handler, kVST3Misuse_PerformThread);
  if (!(value >= 0 && value <= 1)) auricle_vst3_note_misuse(handler, kVST3Misuse_ValueRange);
  auricle_vst3_lock(&handler->lock);
  if (auricle_vst3_gesture(handler, id) == handler->gesture_count) auricle_vst3_note_misuse(handler, kVST3Misuse_NoBegin);
  uint32_t place = 0;
  while (place < handler->edit_count && handler->edits[place].parameter != id) ++place;
  const bool has_room = place < kVST3EditCapacity;
  if (has_room) {
    handler->edits[place] = (AuricleVST3Edit){id, value};
    if (place == handler->edit_count) ++handler->edit_count;
    auricle_vst3_mark_dirty(handler);
  }
  auricle_vst3_unlock(&handler->lock);
  return has_room ? kVST3_OK : kVST3_OutOfMemory;
}
// Records the changes, and does no more: many call it while they are activated, or on the audio thread.
static inline AuricleVST3Result auricle_vst3_restart(void* self, int32_t flags) {
  AuricleVST3Handler* handler = auricle_vst3_handler_of(self);
  auricle_vst3_note_thread(handler, kVST3Misuse_RestartThread);
  __atomic_fetch_or(&handler->known_restarts, (uint32_t)flags, __ATOMIC_RELAXED);
  __atomic_fetch_or(&handler->restarts, (uint32_t)flags, __ATOMIC_ACQ_REL);
  if (flags & kVST3Restart_Values) auricle_vst3_mark_dirty(handler);
  auricle_bell_ring(handler->bell);
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_set_dirty(void* self, uint8_t state) {
  if (state) auricle_vst3_mark_dirty(auricle_vst3_handler_of(self));
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_open_editor(void* self, const char* name) {
  (void)self;
  (void)name;
  return kVST3_False;
}
static inline AuricleVST3Result auricle_vst3_group(void* self) {
  (void)self;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_request_bus(
  void* self, int32_t media, int32_t direction, int32_t index, uint8_t state) {
  (void)self;
  (void)media;
  (void)direction;
  (void)index;
  // Every bus is active already.
  return state ? kVST3_OK : kVST3_False;
}
static inline AuricleVST3Result auricle_vst3_select_unit(void* self, int32_t unit) {
  (void)self;
  (void)unit;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_change_programs(void* self, int32_t list, int32_t program) {
  (void)self;
  (void)list;
  (void)program;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_start_progress(
  void* self, int32_t type, const uint16_t* text, uint64_t* id) {
  (void)self;
  (void)type;
  (void)text;
  if (id) *id = 1;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_update_progress(void* self, uint64_t id, double value) {
  (void)self;
  (void)id;
  (void)value;
  return kVST3_OK;
}
static inline AuricleVST3Result auricle_vst3_finish_progress(void* self, uint64_t id) {
  (void)self;
  (void)id;
  return kVST3_OK;
}

// Links: the representative of one half of a plug-in at the other.

static inline AuricleVST3Result auricle_vst3_link_query(void* self, const AuricleVST3ID* id, void** object) {
  AuricleVST3Link* link = (AuricleVST3Link*)self;
  if (!object) return kVST3_InvalidArgument;
  *object = NULL;
  if (!auricle_vst3_found(&kVST3ID_Connection, id, self, object) &&
      !auricle_vst3_found(&kVST3ID_Unknown, id, self, object))
    return kVST3_NoInterface;
  auricle_vst3_count_up(&link->owner->references);
  return kVST3_OK;
}
static inline uint32_t auricle_vst3_link_retain(void* self) {
  return auricle_vst3_count_up(&((AuricleVST3Link*)self)->owner->references);
}
static inline uint32_t auricle_vst3_link_release(void* self) {
  return auricle_vst3_handler_drop(((AuricleVST3Link*)self)->owner);
}
static inline AuricleVST3Result auricle_vst3_link_connect(void* self, AuricleVST3Connection* other) {
  (void)self;
  (void)other;
  return kVST3_OK;
}
// Passes a message on, at once or, from the audio thread, when the host next pumps.
static inline AuricleVST3Result auricle_vst3_link_notify(void* self, AuricleVST3Message* message) {
  AuricleVST3Link* link = (AuricleVST3Link*)self;
  AuricleVST3Handler* handler = link->owner;
  if (!message) return kVST3_InvalidArgument;
  auricle_vst3_note_thread(handler, kVST3Misuse_MessageThread);
  if (!auricle_vst3_is_audio_thread(handler))
    return link->target ? link->target->table->notify(link->target, message) : kVST3_False;
  message->table->retain(message);
  auricle_vst3_lock(&handler->lock);
  const bool has_room = handler->post_count < kVST3PostCapacity;
  if (has_room) handler->posts[handler->post_count++] = (AuricleVST3Post){link, message};
  auricle_vst3_unlock(&handler->lock);
  if (!has_room) message->table->release(message);
  auricle_bell_ring(handler->bell);
  return has_room ? kVST3_OK : kVST3_OutOfMemory;
}

// Whether messages wait. [any thread]
static inline bool auricle_vst3_has_posts(const AuricleVST3Handler* handler) {
  return __atomic_load_n(&handler->post_count, __ATOMIC_RELAXED) > 0;
}

// Delivers waiting messages, and newly arriving ones as well, up to a limit. [main-thread]
static inline void auricle_vst3_deliver(AuricleVST3Handler* handler) {
  for (int count = 0; count < 4 * kVST3PostCapacity; ++count) {
    AuricleVST3Post post = {NULL, NULL};
    auricle_vst3_lock(&handler->lock);
    if (handler->post_count > 0) {
      post = handler->posts[0];
      --handler->post_count;
      memmove(handler->posts, handler->posts + 1, handler->post_count * sizeof post);
    }
    auricle_vst3_unlock(&handler->lock);
    if (!post.message) return;
    AuricleVST3Connection* target = post.link->target;
    if (target) target->table->notify(target, post.message);
    post.message->table->release(post.message);
  }
}

// Removes one of the values that the controller performed; false when there is none, or another thread is at them.
// [any thread]
AURICLE_TRUSTED static inline bool auricle_vst3_next_edit(AuricleVST3Handler* handler, AuricleVST3Edit* edit) {
  if (__atomic_load_n(&handler->edit_count, __ATOMIC_RELAXED) == 0) return false;
  if (__atomic_exchange_n(&handler->lock, 1, __ATOMIC_ACQUIRE)) return false;
  const bool is_there = handler->edit_count > 0;
  if (is_there) *edit = handler->edits[--handler->edit_count];
  auricle_vst3_unlock(&handler->lock);
  return is_there;
}

// Whether the state was changed since the last call. [any thread]
AURICLE_TRUSTED static inline bool auricle_vst3_fetch_dirty(AuricleVST3Handler* handler) {
  return __atomic_load_n(&handler->is_dirty, __ATOMIC_RELAXED) &&
         __atomic_exchange_n(&handler->is_dirty, 0, __ATOMIC_ACQ_REL);
}

// Keeps a value that the processor sent, for the controller; of one parameter the last. [any thread]
AURICLE_TRUSTED static inline void auricle_vst3_report(AuricleVST3Handler* handler, uint32_t parameter, double value) {
  uint32_t place = 0;
  auricle_vst3_lock(&handler->lock);
  while (place < handler->report_count && handler->reports[place].parameter != parameter) ++place;
  if (place < kVST3ReportCapacity) {
    handler->reports[place] = (AuricleVST3Edit){parameter, value};
    if (place == handler->report_count) __atomic_store_n(&handler->report_count, place + 1, __ATOMIC_RELAXED);
  }
  auricle_vst3_unlock(&handler->lock);
  auricle_bell_ring(handler->bell);
}

// Removes the first of these values; false when there is none. [main-thread]
static inline bool auricle_vst3_next_report(AuricleVST3Handler* handler, AuricleVST3Edit* report) {
  if (__atomic_load_n(&handler->report_count, __ATOMIC_RELAXED) == 0) return false;
  auricle_vst3_lock(&handler->lock);
  const bool is_there = handler->report_count > 0;
  if (is_there) {
    *report = handler->reports[0];
    memmove(handler->reports, handler->reports + 1, --handler->report_count * sizeof *report);
  }
  auricle_vst3_unlock(&handler->lock);
  return is_there;
}

// The restarts of the wanted kinds that were asked for since the last call. [any thread]
AURICLE_TRUSTED static inline uint32_t auricle_vst3_fetch_restarts(AuricleVST3Handler* handler, uint32_t wanted) {
  if (!(__atomic_load_n(&handler->restarts, __ATOMIC_RELAXED) & wanted)) return 0;
  return __atomic_fetch_and(&handler->restarts, ~wanted, __ATOMIC_ACQ_REL) & wanted;
}

// Drops the messages that wait. [main-thread]
static inline void auricle_vst3_drop_posts(AuricleVST3Handler* handler) {
  handler->to_controller.target = NULL;
  handler->to_component.target = NULL;
  auricle_vst3_deliver(handler);
}

// A handler with one reference; null without memory.
static inline AuricleVST3Handler* auricle_vst3_make_handler(int bell) {
  typedef AuricleVST3Result (*Query)(void*, const AuricleVST3ID*, void**);
  typedef uint32_t (*Count)(void*);
  static const struct {
    Query query;
    Count retain, release;
    AuricleVST3Result (*begin)(void*, uint32_t);
    AuricleVST3Result (*perform)(void*, uint32_t, double);
    AuricleVST3Result (*end)(void*, uint32_t);
    AuricleVST3Result (*restart)(void*, int32_t);
  } first = {
    auricle_vst3_handler_query, auricle_vst3_handler_retain, auricle_vst3_handler_release, auricle_vst3_begin,
    auricle_vst3_perform,       auricle_vst3_end,            auricle_vst3_restart,
  };
  static const struct {
    Query query;
    Count retain, release;
    AuricleVST3Result (*set_dirty)(void*, uint8_t);
    AuricleVST3Result (*open)(void*, const char*);
    AuricleVST3Result (*start)(void*);
    AuricleVST3Result (*finish)(void*);
  } second = {
    auricle_vst3_handler_query, auricle_vst3_handler_retain, auricle_vst3_handler_release,
    auricle_vst3_set_dirty,     auricle_vst3_open_editor,    auricle_vst3_group,
    auricle_vst3_group,
  };
  static const struct {
    Query query;
    Count retain, release;
    AuricleVST3Result (*request)(void*, int32_t, int32_t, int32_t, uint8_t);
  } buses = {
    auricle_vst3_handler_query, auricle_vst3_handler_retain, auricle_vst3_handler_release,
    auricle_vst3_request_bus,
  };
  static const struct {
    Query query;
    Count retain, release;
    AuricleVST3Result (*select)(void*, int32_t);
    AuricleVST3Result (*change)(void*, int32_t, int32_t);
  } units = {
    auricle_vst3_handler_query, auricle_vst3_handler_retain, auricle_vst3_handler_release,
    auricle_vst3_select_unit,   auricle_vst3_change_programs,
  };
  static const struct {
    Query query;
    Count retain, release;
    AuricleVST3Result (*change)(void*);
  } units2 = {
    auricle_vst3_handler_query, auricle_vst3_handler_retain, auricle_vst3_handler_release, auricle_vst3_group,
  };
  static const struct {
    Query query;
    Count retain, release;
    AuricleVST3Result (*start)(void*, int32_t, const uint16_t*, uint64_t*);
    AuricleVST3Result (*update)(void*, uint64_t, double);
    AuricleVST3Result (*finish)(void*, uint64_t);
  } progress = {
    auricle_vst3_handler_query,  auricle_vst3_handler_retain,   auricle_vst3_handler_release,
    auricle_vst3_start_progress, auricle_vst3_update_progress, auricle_vst3_finish_progress,
  };
  static const struct {
    Query query;
    Count retain, release;
    AuricleVST3Result (*connect)(void*, AuricleVST3Connection*);
    AuricleVST3Result (*disconnect)(void*, AuricleVST3Connection*);
    AuricleVST3Result (*notify)(void*, AuricleVST3Message*);
  } link = {
    auricle_vst3_link_query,   auricle_vst3_link_retain,  auricle_vst3_link_release,
    auricle_vst3_link_connect, auricle_vst3_link_connect, auricle_vst3_link_notify,
  };
  AuricleVST3Handler* handler = (AuricleVST3Handler*)calloc(1, sizeof *handler);
  if (!handler) return NULL;
  handler->handler = (AuricleVST3Part){&first, handler};
  handler->handler2 = (AuricleVST3Part){&second, handler};
  handler->buses = (AuricleVST3Part){&buses, handler};
  handler->units = (AuricleVST3Part){&units, handler};
  handler->units2 = (AuricleVST3Part){&units2, handler};
  handler->progress = (AuricleVST3Part){&progress, handler};
  handler->to_controller = (AuricleVST3Link){&link, handler, NULL};
  handler->to_component = (AuricleVST3Link){&link, handler, NULL};
  handler->references = 1;
  handler->bell = bell;
  handler->main_thread = (uint64_t)pthread_self();
  return handler;
}
