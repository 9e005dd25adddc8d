// A unit that occupies or leaves resources beyond its instances, as AURICLE_TEST_LEAVES says.
// SPDX-License-Identifier: Apache-2.0
//
// Words: "folders" makes a tree of folders for temporary files that is hard to remove. "count" is as loud as the number
// of its openings, which a temporary file holds. At samples above 0.9, "daemon" starts a process without a waiting parent
// and writes its number into the file AURICLE_TEST_LEAVES_FILE. "shared" allocates 640 MiB of memory that could be
// shared.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static float louder;

static int has(const char *word) {
  const char *words = getenv("AURICLE_TEST_LEAVES");
  return words && strstr(words, word);
}

static void makeFolders(const char *base) {
  const char *prey = getenv("AURICLE_TEST_LEAVES_FILE");
  int here = open(".", O_PATH | O_DIRECTORY);
  if (chdir(base) != 0) return;
  if (prey && symlink(prey, "link") != 0) return;
  for (int depth = 0; depth < 1200; depth++) {
    int file = open("file\xFF", O_WRONLY | O_CREAT, 0);
    if (file >= 0) close(file);
    mkdir("locked", 0);
    if (mkdir("deeper", 0700) != 0 || chdir("deeper") != 0) break;
  }
  if (here >= 0 && fchdir(here) != 0) return;
  close(here);
}

static void opened(void) {
  const char *base = getenv("TMPDIR");
  if (!base) return;
  if (has("folders")) makeFolders(base);
  if (has("count")) {
    char path[4096];
    snprintf(path, sizeof path, "%s/count", base);
    FILE *file = fopen(path, "a+");
    if (!file) return;
    fseek(file, 0, SEEK_END);
    louder = (float)ftell(file) * 0.001f;
    fputc('x', file);
    fclose(file);
  }
}

static void startDaemon(const char *path) {
  int ready[2];
  char byte;
  if (pipe(ready) != 0) return;
  if (fork() == 0) {
    close(ready[0]);
    setsid();
    if (fork() != 0) _exit(0);
    FILE *file = fopen(path, "w");
    if (file) fprintf(file, "%d", (int)getpid());
    if (file) fclose(file);
    close(ready[1]);
    sleep(600);
    _exit(0);
  }
  // The file is written, or its writer is gone.
  close(ready[1]);
  while (read(ready[0], &byte, 1) > 0) {
  }
  close(ready[0]);
}

static float leave(float sample) {
  if (sample <= 0.9f) return sample + louder;
  const char *path = getenv("AURICLE_TEST_LEAVES_FILE");
  if (has("daemon") && path) startDaemon(path);
  if (has("shared")) {
    const size_t size = (size_t)640 << 20;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) abort();
    memset(memory, 1, size);
    // Long, on purpose: the memory is measured meanwhile.
    sleep(2);
  }
  return sample;
}

#define GAIN_UNIT_FACTORY LeavingUnitFactory
#define GAIN_UNIT_OPENED() opened()
#define GAIN_UNIT_OUTPUT(sample, gain) (leave(sample) * (gain))
#include "../GainUnit/GainUnit.c"
