// Lines to and from the program that has the unit.
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Window.h"

static char* received;
static size_t received_count, received_capacity;
// Lines that came while an answer was awaited.
static char** waiting;
static size_t waiting_count;
static bool is_over;
static pthread_mutex_t sending = PTHREAD_MUTEX_INITIALIZER;

// Writes all bytes; the other program reads at all times.
static void send_bytes(const char* bytes, size_t count) {
  pthread_mutex_lock(&sending);
  while (count > 0) {
    const ssize_t written = write(kLink, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    bytes += written;
    count -= (size_t)written;
  }
  pthread_mutex_unlock(&sending);
}

static void send_text(const char* format, va_list list) {
  char line[4096];
  int count = vsnprintf(line, sizeof line - 1, format, list);
  if (count < 0) return;
  if (count > (int)sizeof line - 2) count = (int)sizeof line - 2;
  for (int i = 0; i < count; ++i)
    if (line[i] == '\n' || line[i] == '\r') line[i] = ' ';
  line[count] = '\n';
  send_bytes(line, (size_t)count + 1);
}

void say(const char* format, ...) {
  va_list list;
  va_start(list, format);
  send_text(format, list);
  va_end(list);
}

_Noreturn void refuse(int code, const char* format, ...) {
  char sentence[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(sentence, sizeof sentence, format, list);
  va_end(list);
  say("refused %d %s", code, sentence);
  // Without the functions that a plug-in has run at exit.
  _exit(code);
}

void say_bytes(const char* head, const uint8_t* bytes, size_t count) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const size_t lead = strlen(head);
  char* line = malloc(lead + (count + 2) / 3 * 4 + 3);
  if (!line) return;
  memcpy(line, head, lead);
  char* next = line + lead;
  *next++ = ' ';
  for (size_t i = 0; i < count; i += 3) {
    const size_t there = count - i < 3 ? count - i : 3;
    uint32_t word = (uint32_t)bytes[i] << 16;
    if (there > 1) word |= (uint32_t)bytes[i + 1] << 8;
    if (there > 2) word |= bytes[i + 2];
    for (size_t place = 0; place < 4; ++place)
      *next++ = place <= there ? letters[word >> (18 - 6 * place) & 63] : '=';
  }
  *next++ = '\n';
  send_bytes(line, (size_t)(next - line));
  free(line);
}

size_t decode(char* text) {
  static int8_t values[256];
  if (!values['B']) {
    memset(values, -1, sizeof values);
    const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 64; ++i) values[(uint8_t)letters[i]] = (int8_t)i;
  }
  size_t count = 0;
  uint32_t word = 0;
  int bits = 0;
  for (const char* next = text; *next; ++next) {
    const int value = values[(uint8_t)*next];
    if (value < 0) break;
    word = word << 6 | (uint32_t)value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      text[count++] = (char)(word >> bits & 255);
    }
  }
  return count;
}

// Reads the bytes that are there; false at the end.
static bool read_more(bool waits) {
  struct pollfd entry = {kLink, POLLIN, 0};
  if (poll(&entry, 1, waits ? -1 : 0) <= 0) return true;
  if (received_capacity - received_count < 65536) {
    char* grown = realloc(received, received_capacity + 131072);
    if (!grown) return false;
    received = grown;
    received_capacity += 131072;
  }
  const ssize_t count = read(kLink, received + received_count, received_capacity - received_count);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  received_count += (size_t)count;
  return true;
}

// The next whole line, which the caller frees; null for none.
static char* next_line(void) {
  char* end = received_count ? memchr(received, '\n', received_count) : NULL;
  if (!end) return NULL;
  const size_t length = (size_t)(end - received);
  char* line = strndup(received, length);
  received_count -= length + 1;
  memmove(received, end + 1, received_count);
  return line;
}

bool receive(bool waits, void (*handle)(char* line)) {
  while (waiting_count > 0) {
    char* line = waiting[0];
    memmove(waiting, waiting + 1, --waiting_count * sizeof *waiting);
    handle(line);
    free(line);
    waits = false;
  }
  if (is_over || !read_more(waits)) return false;
  for (char* line; (line = next_line());) {
    handle(line);
    free(line);
  }
  return !is_over;
}

const char* ask(const char* answer, const char* format, ...) {
  static char* kept;
  va_list list;
  va_start(list, format);
  send_text(format, list);
  va_end(list);
  const size_t length = strlen(answer);
  for (;;) {
    char* line = next_line();
    if (!line) {
      if (!read_more(true)) {
        is_over = true;
        return "";
      }
      continue;
    }
    if (!strncmp(line, answer, length) && line[length] == ' ') {
      free(kept);
      kept = line;
      return line + length + 1;
    }
    char** grown = realloc(waiting, (waiting_count + 1) * sizeof *waiting);
    if (!grown) return "";
    waiting = grown;
    waiting[waiting_count++] = line;
  }
}
