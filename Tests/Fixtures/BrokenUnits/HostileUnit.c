// A unit that does what no plug-in should, at the moment and in the way that the environment names.
// SPDX-License-Identifier: Apache-2.0
//
// AURICLE_TEST_HOSTILE is "PHASE DEED". While it renders it is hostile to samples above 0.9 only.
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static float hostileValue;
static void hostile(const char *phase);
static float hostileSample(float sample);

#define GAIN_UNIT_FACTORY MakeGain
#define GAIN_UNIT_OPENED() hostile("open")
#define GAIN_UNIT_INITIALIZED() hostile("initialize")
#define GAIN_UNIT_RESET() hostile("reset")
#define GAIN_UNIT_CLOSED() hostile("close")
#define GAIN_UNIT_OUTPUT(sample, gain) \
  ((sample) > 0.9f ? hostileSample(sample) : (sample) * (gain))
#include "../GainUnit/GainUnit.c"

/// Keeps compilers from leaving out memory that nobody reads.
static char *volatile kept;

static int overflow(volatile char *above) {
  volatile char room[4096];
  room[0] = above ? above[0] : 1;
  return overflow(room) + room[4095];
}

static void onSignal(int number) { (void)number; }

static void *wait(void *unused) {
  (void)unused;
  for (;;) pause();
}

static void deed(const char *name) {
  if (!strcmp(name, "segv")) {
    *(volatile int *)(uintptr_t)8 = 1;
  } else if (!strcmp(name, "abort")) {
    abort();
  } else if (!strcmp(name, "exit")) {
    exit(0);
  } else if (!strcmp(name, "loop")) {
    for (volatile int i = 0;; i++) {}
  } else if (!strcmp(name, "sleep")) {
    sleep(1000000);
  } else if (!strcmp(name, "deadlock")) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
  } else if (!strcmp(name, "overflow")) {
    hostileValue = (float)overflow(NULL);
  } else if (!strcmp(name, "memory")) {
    // 64 GiB, in pieces that a limit of addresses alone would let pass.
    for (int i = 0; i < 64; i++) {
      char *block = malloc((size_t)1 << 30);
      kept = block;
      if (!kept) abort();
      memset(block, 1, (size_t)1 << 30);
    }
  } else if (!strcmp(name, "smash")) {
    char *block = malloc(24);
    kept = block;
    memset(block, 0x5A, 4096);
    free(block);
    abort();
  } else if (!strcmp(name, "nan")) {
    hostileValue = NAN;
  } else if (!strcmp(name, "inf")) {
    hostileValue = INFINITY;
  } else if (!strcmp(name, "denormal")) {
    hostileValue = 1e-40f;
  } else if (!strcmp(name, "fork")) {
    if (fork() == 0) for (;;) pause();
  } else if (!strcmp(name, "exec")) {
    execl("/bin/sh", "sh", "-c", "exit 0", NULL);
  } else if (!strcmp(name, "chdir")) {
    if (chdir("/") != 0) return;
  } else if (!strcmp(name, "locale")) {
    setlocale(LC_ALL, "C.UTF-8");
    umask(0);
  } else if (!strcmp(name, "signals")) {
    for (int number = 1; number < 32; number++) signal(number, onSignal);
  } else if (!strcmp(name, "mode")) {
    fesetround(FE_UPWARD);
  } else if (!strcmp(name, "flood")) {
    for (int line = 0; line < 20000; line++) printf("this is line %d of a flood\n", line);
    fflush(stdout);
  } else if (!strcmp(name, "leak")) {
    for (int i = 0; i < 200; i++) {
      pthread_t thread;
      if (open("/dev/null", O_RDONLY) < 0) break;
      if (i < 40) pthread_create(&thread, NULL, wait, NULL);
    }
  } else if (!strcmp(name, "kill")) {
    kill(getppid(), SIGKILL);
    kill(0, SIGTERM);
  } else if (!strcmp(name, "write")) {
    const char *path = getenv("AURICLE_TEST_HOSTILE_FILE");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) fclose(file);
  }
}

static const char *deedOf(const char *phase) {
  const char *text = getenv("AURICLE_TEST_HOSTILE");
  size_t length = strlen(phase);
  return text && !strncmp(text, phase, length) && text[length] == ' ' ? text + length + 1 : NULL;
}

static void hostile(const char *phase) {
  const char *name = deedOf(phase);
  if (name) deed(name);
}

static float hostileSample(float sample) {
  hostileValue = sample;
  hostile("render");
  return hostileValue;
}

__attribute__((constructor)) static void load(void) { hostile("load"); }

AudioComponentPlugInInterface *HostileUnitFactory(const AudioComponentDescription *description) {
  hostile("instantiate");
  return MakeGain(description);
}
