// The process of a chain: its start, its slices in shared memory, its end.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "chain_process.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "DescriptorPassing.h"
#include "UnitLink.h"

extern char **environ;

enum {
  mostText = 4096,
  /// The turns of `ChainServer`: what the chain holds, and a new beginning. An answer to the first has the frames of the
  /// slice, and this flag where there is more.
  endTurn = kAuricleLinkTurn_First,
  resetTurn = kAuricleLinkTurn_First + 1,
  moreFlag = 1,
};
/// Nanoseconds that a chain has for a slice.
static const uint64_t patience = 2000000000;

struct Chain {
  const char *program;
  pid_t process;
  int socket;
  void *memory;
  size_t memorySize;
  AuricleLink *link;
  unsigned latency;
};

// Messages: count of bytes, number, kind, count of files, bytes.

static bool sendAll(int socket, const uint8_t *bytes, size_t count, const int *file) {
  for (size_t done = 0; done < count;) {
    const ssize_t sent = AuricleSend(socket, bytes + done, count - done, file, file && done == 0 ? 1 : 0);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    done += (size_t)sent;
  }
  return true;
}

static bool receiveAll(int socket, uint8_t *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    struct pollfd entry = {.fd = socket, .events = POLLIN};
    const int ready = poll(&entry, 1, 60000);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t got = recv(socket, bytes + done, count - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += (size_t)got;
  }
  return true;
}

/// Sends the setup, and waits for the answer; 0, or an error that was printed.
static int greet(Chain *chain, const char *preset, double rate, AuricleLinkForm form, int file) {
  uint8_t message[12 + 8 + sizeof form + 4 + mostText];
  const uint32_t length = (uint32_t)strlen(preset), number = 1;
  if (length > mostText) return -ENAMETOOLONG;
  const uint32_t count = (uint32_t)(8 + sizeof form + 4 + length);
  const uint16_t kind = 1, files = 1;
  uint8_t *place = message;
#define ADD(value) (memcpy(place, &(value), sizeof(value)), place += sizeof(value))
  ADD(count), ADD(number), ADD(kind), ADD(files), ADD(rate), ADD(form), ADD(length);
#undef ADD
  memcpy(place, preset, length);
  uint8_t header[12], body[8 + 65536 + 4];
  uint32_t size, text;
  int32_t status;
  if (!sendAll(chain->socket, message, 12 + count, &file) || !receiveAll(chain->socket, header, sizeof header)) {
    SNDERR("auricle: the process of the chain ended: run %s doctor", chain->program);
    return -EPIPE;
  }
  memcpy(&size, header, 4);
  if (size < 12 || size > sizeof body || !receiveAll(chain->socket, body, size)) {
    SNDERR("auricle: %s is of another version than this plug-in: install both anew", chain->program);
    return -EPROTO;
  }
  memcpy(&status, body, 4);
  memcpy(&text, body + 4, 4);
  if (text > size - 12) text = size - 12;
  if (status == 0) {
    memcpy(&chain->latency, body + 8 + text, 4);
    return 0;
  }
  while (text && body[8 + text - 1] == '\n') text--;
  SNDERR("%.*s", (int)text, (const char *)body + 8);
  return -EINVAL;
}

/// Starts the process of the chain, which ends when the socket does.
static int start(Chain *chain, int end) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, standard;
  sigemptyset(&none);
  sigfillset(&standard);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  // Signals of the terminal are for the program that plays.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  char *const words[] = {(char *)(uintptr_t)chain->program, (char *)"serve-chain", NULL};
  const int error = posix_spawnp(&chain->process, chain->program, &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error) {
    chain->process = 0;
    SNDERR("auricle: cannot start %s: %s", chain->program, strerror(error));
  }
  return -error;
}

void ChainStop(Chain *chain) {
  if (!chain) return;
  if (chain->socket >= 0) close(chain->socket);
  if (chain->process > 0) {
    int status;
    while (waitpid(chain->process, &status, 0) < 0 && errno == EINTR) {}
  }
  if (chain->link) AuricleLinkFree(chain->link);
  if (chain->memory) munmap(chain->memory, chain->memorySize);
  free(chain);
}

Chain *ChainStart(const char *program, const char *preset, unsigned rate, unsigned channels, int *error) {
  Chain *chain = calloc(1, sizeof *chain);
  *error = -ENOMEM;
  if (!chain) return NULL;
  chain->program = program;
  chain->socket = -1;
  const AuricleLinkForm form = {kChainFrames, channels, channels, 64};
  chain->memorySize = AuricleLinkSize(form);
  int ends[2] = {-1, -1};
  const int file = AuricleMakeSharedMemory(chain->memorySize);
  *error = file < 0 ? -errno : 0;
  void *memory = file < 0 ? MAP_FAILED : mmap(NULL, chain->memorySize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) chain->memory = memory;
  if (!*error && (!chain->memory || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)) *error = -errno;
  if (!*error && !(chain->link = AuricleLinkMake(memory, form))) *error = -ENOMEM;
  chain->socket = ends[0];
  if (!*error) *error = start(chain, ends[1]);
  if (ends[1] >= 0) close(ends[1]);
  if (!*error) *error = greet(chain, preset, rate, form, file);
  if (file >= 0) close(file);
  if (!*error) return chain;
  ChainStop(chain);
  return NULL;
}

unsigned ChainLatency(const Chain *chain) { return chain->latency; }

float *ChainInput(Chain *chain, unsigned channel) { return AuricleLinkInput(chain->link, channel); }

const float *ChainOutput(Chain *chain, unsigned channel) { return AuricleLinkOutput(chain->link, channel); }

/// Whether the process of the chain is there.
static bool isThere(const Chain *chain) {
  struct pollfd entry = {.fd = chain->socket, .events = POLLIN};
  return poll(&entry, 1, 0) == 0;
}

/// Posts a turn, and waits for its answer; false where the chain is lost.
static bool take(Chain *chain, const AuricleLinkTurn *turn, AuricleLinkAnswer *answer) {
  if (!AuricleLinkPost(chain->link, turn, true)) return false;
  const uint64_t end = AuricleLinkNow() + patience;
  for (;;) {
    // The answer wakes at once. The end of a process wakes no futex, and a thread that notices it would be one more in a
    // program that is not ours: only a chain that is late is looked after, each 50 ms.
    const uint64_t now = AuricleLinkNow(), step = now + 50000000;
    const AuricleLinkOutcome outcome = AuricleLinkAwait(chain->link, step < end ? step : end, answer);
    if (outcome == AuricleLinkOutcomeAnswered) return answer->status == 0;
    if (now >= end || !isThere(chain)) return false;
  }
}

bool ChainRender(Chain *chain, unsigned frames) {
  const AuricleLinkTurn turn = {.kind = kAuricleLinkTurn_Render, .frameCount = frames};
  AuricleLinkAnswer answer;
  return take(chain, &turn, &answer);
}

int ChainRenderEnd(Chain *chain, bool *isOver) {
  const AuricleLinkTurn turn = {.kind = endTurn};
  AuricleLinkAnswer answer;
  if (!take(chain, &turn, &answer) || answer.frameCount > kChainFrames) return -1;
  *isOver = !(answer.flags & moreFlag);
  return (int)answer.frameCount;
}

bool ChainReset(Chain *chain) {
  const AuricleLinkTurn turn = {.kind = resetTurn};
  AuricleLinkAnswer answer;
  return take(chain, &turn, &answer);
}
