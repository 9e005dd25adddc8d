// A text that grows, for descriptions.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Page {
  char *bytes;
  size_t length;
};

__attribute__((format(printf, 2, 3), unused)) static void print(struct Page *page, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int count = vsnprintf(NULL, 0, format, arguments);
  char *grown = count < 0 ? NULL : realloc(page->bytes, page->length + (size_t)count + 1);
  if (grown != NULL) {
    page->bytes = grown;
    vsnprintf(grown + page->length, (size_t)count + 1, format, again);
    page->length += (size_t)count;
  }
  va_end(again);
  va_end(arguments);
}
