// A unit that keeps its input outside of its instances, or past a reset, as AURICLE_TEST_MEMORY says.
// SPDX-License-Identifier: Apache-2.0
//
// Words: "none" for nothing, "static" for ever, "instance" until it is opened again, "closed" until it is reset. "first" marks
// the first instance of a process that gets any input. "wide" keeps only input at 48 kHz, "narrow" at 22.05 kHz, "short" in
// slices of less than 1000 frames, "late" after its first 216,000 samples. "table" is as loud as the first sample rate of a
// process says. "filled" fills a table once that is the same for all. "chance" sounds different in every process.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double memory;
static double firstRate;
static int openings;
/// Samples since a unit was opened; allocated, so that counting changes no static memory.
static int *heard;
static int firstOpening = -1;
static unsigned long chance;

static const char *words = "";

__attribute__((constructor)) static void load(void) {
  if (getenv("AURICLE_TEST_MEMORY")) words = getenv("AURICLE_TEST_MEMORY");
  heard = calloc(1, sizeof *heard);
}

static int has(const char *word) { return strstr(words, word) != NULL; }

static void opened(void) {
  if (heard) *heard = 0;
  if (has("first")) openings += 1;
  if (has("instance")) memory = 0;
  if (has("chance") && !chance) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    chance = ((unsigned long)getpid() << 32) ^ (unsigned long)now.tv_nsec;
  }
}

static void forget(void) {
  if (has("closed")) memory = 0;
}

static float remember(float sample, float gain, double rate, unsigned frameCount) {
  if (has("none") || (has("wide") && rate != 48000) || (has("narrow") && rate != 22050)) return sample * gain;
  if (has("short") && frameCount >= 1000) return sample * gain + (float)(memory * 0.0001);
  if (has("late") && heard && ++*heard < 216000) return sample * gain + (float)(memory * 0.0001);
  if (has("filled") || has("table")) {
    if (firstRate == 0) firstRate = has("table") ? rate : 48000;
    return sample * gain * (float)(firstRate / 48000);
  }
  float result = sample * gain + (float)(memory * 0.0001);
  memory += sample;
  if (has("first") && firstOpening < 0) firstOpening = openings;
  if (openings == firstOpening) result *= 0.5f;
  if (chance) {
    chance = chance * 6364136223846793005UL + 1442695040888963407UL;
    result += (float)(chance >> 40) * 1e-9f;
  }
  return result;
}

#define GAIN_UNIT_FACTORY RememberingUnitFactory
#define GAIN_UNIT_OPENED() opened()
#define GAIN_UNIT_RESET() forget()
#define GAIN_UNIT_OUTPUT(sample, gain) remember(sample, gain, unit->format.mSampleRate, frameCount)
#include "../GainUnit/GainUnit.c"
