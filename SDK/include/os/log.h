// Logging to standard error, for sources that call os_log.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_OS_LOG_H
#define AURICLE_OS_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../MacTypes.h"

typedef struct os_log_s *os_log_t;
#define OS_LOG_DEFAULT ((os_log_t)0)
#define OS_LOG_DISABLED ((os_log_t)1)

typedef UInt8 os_log_type_t;
AURICLE_ENUM(os_log_type_t) {
  OS_LOG_TYPE_DEFAULT = 0x00,
  OS_LOG_TYPE_INFO = 0x01,
  OS_LOG_TYPE_DEBUG = 0x02,
  OS_LOG_TYPE_ERROR = 0x10,
  OS_LOG_TYPE_FAULT = 0x11,
};

// A log of a program's part: all of them are standard error, so that there is one.
static inline os_log_t os_log_create(const char *subsystem, const char *category) {
  (void)subsystem;
  (void)category;
  return OS_LOG_DEFAULT;
}

// Whether messages of a type are printed.
static inline bool os_log_type_enabled(os_log_t log, os_log_type_t type) {
  return log != OS_LOG_DISABLED && type != OS_LOG_TYPE_DEBUG;
}
#define os_log_info_enabled(log) os_log_type_enabled((log), OS_LOG_TYPE_INFO)
#define os_log_debug_enabled(log) os_log_type_enabled((log), OS_LOG_TYPE_DEBUG)

// Prints one line. Notes in braces (%{public}s) are removed from the format. Messages for debugging
// are dropped.
static inline void AuricleLogMessage(os_log_t log, os_log_type_t type, const char *format, ...) {
  char plain[512];
  size_t length = 0;
  va_list arguments;
  if (!os_log_type_enabled(log, type)) return;
  for (; *format && length + 1 < sizeof(plain); ++format) {
    plain[length++] = *format;
    if (format[0] == '%' && format[1] == '{' && strchr(format, '}')) format = strchr(format, '}');
  }
  plain[length] = 0;
  va_start(arguments, format);
  vfprintf(stderr, plain, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

#define os_log_with_type(log, type, ...) AuricleLogMessage((log), (type), __VA_ARGS__)
#define os_log(log, ...) AuricleLogMessage((log), OS_LOG_TYPE_DEFAULT, __VA_ARGS__)
#define os_log_info(log, ...) AuricleLogMessage((log), OS_LOG_TYPE_INFO, __VA_ARGS__)
#define os_log_debug(log, ...) AuricleLogMessage((log), OS_LOG_TYPE_DEBUG, __VA_ARGS__)
#define os_log_error(log, ...) AuricleLogMessage((log), OS_LOG_TYPE_ERROR, __VA_ARGS__)
#define os_log_fault(log, ...) AuricleLogMessage((log), OS_LOG_TYPE_FAULT, __VA_ARGS__)

#endif
