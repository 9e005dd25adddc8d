// A device of OpenAL that renders when the program asks, into a file of two channels of 32-bit float.
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOPBACK_H
#define LOOPBACK_H
#include <OpenAL/al.h>
#include <OpenAL/alc.h>
#include <stdio.h>
#include <stdlib.h>

// OpenAL Soft's names: ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT.
#define LOOPBACK_ATTRIBUTES 0x1990, 0x1501, 0x1991, 0x1406

static FILE *loopbackFile;

static void *loopbackFunction(const char *name) {
  void *function = alcGetProcAddress(NULL, name);
  if (function) return function;
  fprintf(stderr, "there is no %s\n", name);
  exit(1);
}

static ALCdevice *openLoopback(const char *path) {
  loopbackFile = fopen(path, "wb");
  ALCdevice *(*open)(const ALCchar *) =
      (ALCdevice * (*)(const ALCchar *)) loopbackFunction("alcLoopbackOpenDeviceSOFT");
  return loopbackFile ? open(NULL) : NULL;
}

// Renders frames, 4096 at most.
static void renderLoopback(ALCdevice *device, int frames) {
  static float samples[2 * 4096];
  void (*render)(ALCdevice *, ALCvoid *, ALCsizei) =
      (void (*)(ALCdevice *, ALCvoid *, ALCsizei))loopbackFunction("alcRenderSamplesSOFT");
  render(device, samples, frames);
  fwrite(samples, 2 * sizeof(float), (size_t)frames, loopbackFile);
}

static void closeLoopback(ALCdevice *device) {
  alcCloseDevice(device);
  fclose(loopbackFile);
}

#endif
