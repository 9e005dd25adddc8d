// Kernel queues with one event of the user's: a thread waits in kevent, and others wake it.
// SPDX-License-Identifier: Apache-2.0
//
// Events of files, processes and signals are not here: kevent answers -1 for them, and errno is ENOTSUP.
#ifndef AURICLE_SYS_EVENT_H
#define AURICLE_SYS_EVENT_H

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

struct kevent {
  uintptr_t ident;
  int16_t filter;
  uint16_t flags;
  uint32_t fflags;
  intptr_t data;
  void *udata;
};

#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EVFILT_TIMER (-7)
#define EVFILT_USER (-10)

#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_ENABLE 0x0004
#define EV_DISABLE 0x0008
#define EV_ONESHOT 0x0010
#define EV_CLEAR 0x0020
#define EV_ERROR 0x4000
#define EV_EOF 0x8000
#define NOTE_TRIGGER 0x01000000

#define EV_SET(event, name, kind, action, more, number, user) \
  do {                                                        \
    struct kevent *auricleEvent = (event);                    \
    auricleEvent->ident = (name);                             \
    auricleEvent->filter = (kind);                            \
    auricleEvent->flags = (action);                           \
    auricleEvent->fflags = (more);                            \
    auricleEvent->data = (number);                            \
    auricleEvent->udata = (user);                             \
  } while (0)

// A descriptor, to be closed with close; -1 and errno where there is none left.
static inline int kqueue(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Waits for the event, and resets it by EV_CLEAR: 1, 0 when the time is over, -1 and errno.
static inline int AuricleAwaitEvent(
    int queue, const struct kevent *known, struct kevent *event, const struct timespec *timeout) {
  struct kevent told;
  struct pollfd ready;
  uint64_t count;
  int milliseconds = -1, answer;
  memset(&told, 0, sizeof(told));
  told.filter = EVFILT_USER;
  // It may be the place to which the event is written.
  if (known) told = *known;
  ready.fd = queue;
  ready.events = POLLIN;
  ready.revents = 0;
  // As long as poll can at the most: three weeks.
  if (timeout)
    milliseconds = timeout->tv_sec > 2000000
        ? 2000000000
        : (int)(timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000);
  answer = poll(&ready, 1, milliseconds);
  if (answer <= 0) return answer;
  // Another waiter was first.
  if (read(queue, &count, sizeof(count)) != (ssize_t)sizeof(count)) return errno == EAGAIN ? 0 : -1;
  *event = told;
  return 1;
}

// Applies the changes, then waits if there is room for an event: without a time, for ever.
static inline int kevent(
    int queue, const struct kevent *changes, int changeCount, struct kevent *events, int eventCount,
    const struct timespec *timeout) {
  const struct kevent *known = NULL;
  const uint64_t one = 1;
  int i;
  for (i = 0; i < changeCount; ++i) {
    if (changes[i].filter != EVFILT_USER) {
      errno = ENOTSUP;
      return -1;
    }
    known = &changes[i];
    if ((known->fflags & NOTE_TRIGGER) && write(queue, &one, sizeof(one)) < 0 && errno != EAGAIN)
      return -1;
  }
  return events && eventCount > 0 ? AuricleAwaitEvent(queue, known, events, timeout) : 0;
}

#endif
