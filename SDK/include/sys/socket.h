// The system's sys/socket.h, and for sources of a Mac the option by which a write to a closed socket sends no signal.
// SPDX-License-Identifier: Apache-2.0
#pragma GCC system_header

#include_next <sys/socket.h>

#if defined(AURICLE_ASMAC_H) && !defined(SO_NOSIGPIPE)

#include <signal.h>

#define SO_NOSIGPIPE 0x1022

// The system has it for the whole process alone: once it is set for one socket, SIGPIPE is ignored, unless the program
// handles it.
static inline int AuricleSetSocketOption(
    int socket, int level, int option, const void *value, socklen_t size) {
  void (*handler)(int);
  if (level != SOL_SOCKET || option != SO_NOSIGPIPE)
    return setsockopt(socket, level, option, value, size);
  if (size < sizeof(int) || !*(const int *)value) return 0;
  handler = signal(SIGPIPE, SIG_IGN);
  if (handler != SIG_DFL && handler != SIG_IGN) signal(SIGPIPE, handler);
  return 0;
}
// A name, not a function of the preprocessor: classes have members that are called like it.
#define setsockopt AuricleSetSocketOption

#endif
