// Times the start of a chain of ten units, beside the loading of the same libraries and nothing else.
// SPDX-License-Identifier: Apache-2.0
//
// usage: starting               opens and initialises the units, through Core Audio's interface
//        starting LIBRARY ...   loads libraries
// Prints milliseconds from the first line of the program on: of wall time, and of processor time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

#include <AudioToolbox/AudioToolbox.h>

static double milliseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int openUnit(const char *code) {
  AudioComponentDescription wanted = {
      .componentType = kAudioUnitType_Effect,
      .componentSubType = (UInt32)code[0] << 24 | (UInt32)code[1] << 16 | (UInt32)code[2] << 8 | (UInt32)code[3],
      .componentManufacturer = kAudioUnitManufacturer_Apple};
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  AudioUnit unit = NULL;
  if (!component || AudioComponentInstanceNew(component, &unit) || AudioUnitInitialize(unit)) {
    fprintf(stderr, "starting: aufx:%s:appl cannot be opened\n", code);
    return 1;
  }
  return 0;
}

int main(int count, char **arguments) {
  const double wall = milliseconds(CLOCK_MONOTONIC), processor = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
  static const char *const units[] = {
      "hpas", "lpas", "pmeq", "dely", "dcmp", "lmtr", "bpas", "nbeq", "mrev", "dist"};
  for (int index = 1; index < count; index++) {
    if (!dlopen(arguments[index], RTLD_NOW | RTLD_LOCAL)) {
      fprintf(stderr, "starting: %s\n", dlerror());
      return 1;
    }
  }
  for (int index = 0; index < 10 && count == 1; index++) {
    if (openUnit(units[index])) return 1;
  }
  printf(
      "%.3f %.3f\n", milliseconds(CLOCK_MONOTONIC) - wall,
      milliseconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
  return 0;
}
