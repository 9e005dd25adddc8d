// auricle-window: shows the window of one plug-in in a separate process.
// SPDX-License-Identifier: Apache-2.0
//
//   auricle-window lv2|clap|vst3 PATH IDENTIFIER TITLE SAMPLE-RATE, with the socket of `auricle show` as descriptor 3
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "Window.h"

bool is_closed;
static const Format* format;
static bool is_wanted;

static void handle_message(char* rest) {
  char* end = NULL;
  const unsigned long port = strtoul(rest, &end, 10);
  const unsigned long type = strtoul(end, &end, 10);
  if (*end != ' ' || !format->message) return;
  char* text = end + 1;
  const size_t count = decode(text);
  format->message((uint32_t)port, (uint32_t)type, (const uint8_t*)text, count);
}

static void handle_state(char* first) {
  if (!format->state) return;
  char* second = strchr(first, ' ');
  if (second) *second++ = 0;
  const size_t first_count = decode(first);
  const size_t second_count = second ? decode(second) : 0;
  format->state((const uint8_t*)first, first_count, (const uint8_t*)second, second_count);
}

static void handle(char* line) {
  if (!strncmp(line, "value ", 6)) {
    char* end = NULL;
    const unsigned long id = strtoul(line + 6, &end, 10);
    format->set_value((uint32_t)id, strtod(end, NULL));
  } else if (!strncmp(line, "message ", 8)) {
    handle_message(line + 8);
  } else if (!strncmp(line, "state ", 6)) {
    handle_state(line + 6);
  } else if (!strcmp(line, "open")) {
    is_wanted = true;
  } else if (!strcmp(line, "close")) {
    is_closed = true;
  }
}

bool serve(void) {
  if (!receive(false, handle)) return false;
  format->turn();
  return true;
}

_Noreturn void leave(void) {
  say("closed");
  fflush(NULL);
  _exit(0);
}

// Shows the window until it is closed, or the other program is gone.
static void run(void) {
  format->open();
  while (!is_closed) {
    if (toolkit_is_open()) {
      toolkit_turn();
    } else {
      struct pollfd entries[130] = {{kLink, POLLIN, 0}, {shell_descriptor(), POLLIN, 0}};
      const int count = 2 + format->descriptors(entries + 2, 128);
      if (poll(entries, (nfds_t)count, kTurn) < 0 && errno != EINTR) break;
    }
    if (!serve()) break;
    shell_turn(format->resized);
  }
}

int main(int count, char** words) {
  if (count != 6) {
    fputs("auricle-window: started by auricle show, not by hand\n", stderr);
    return 64;
  }
  // It ends with the program that has the unit, and says by its end what became of it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  fcntl(kLink, F_SETFD, FD_CLOEXEC);
  const Subject subject = {words[1], words[2], words[3], words[4], strtod(words[5], NULL)};
  if (!strcmp(subject.format, "lv2"))
    format = &kLV2Format;
  else if (!strcmp(subject.format, "clap"))
    format = &kCLAPFormat;
  else if (!strcmp(subject.format, "vst3"))
    format = &kVST3Format;
  else
    refuse(kExit_Unavailable, "plug-ins of the format %s have no windows here", subject.format);
  format->prepare(&subject);
  say("ready");
  while (!is_wanted && !is_closed)
    if (!receive(true, handle)) return 0;
  if (!is_closed) run();
  say("closed");
  format->close();
  // Libraries of plug-ins are not unloaded: many crash where toolkits are still in use.
  fflush(NULL);
  _exit(0);
}
