// libOpenAL.so: OpenAL's functions, passed on to OpenAL Soft, which is searched when this is loaded.
// SPDX-License-Identifier: Apache-2.0
//
// A function is a jump through a slot, so that it has the arguments and results of OpenAL Soft's.
// Without OpenAL Soft every slot holds a function that returns 0, and opening a device reports why.
// The default device is OpenAL Soft's loopback device, played by the default output unit, unless a
// user configured OpenAL Soft's own output.

#include <OpenAL/OpenAL.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "LoopbackOutput.h"

// Handed on as they are.
#define FUNCTIONS(X)                                                                              \
  X(alEnable) X(alDisable) X(alIsEnabled) X(alGetString) X(alGetBooleanv) X(alGetIntegerv)        \
  X(alGetFloatv) X(alGetDoublev) X(alGetBoolean) X(alGetInteger) X(alGetFloat) X(alGetDouble)     \
  X(alGetEnumValue) X(alListenerf) X(alListener3f) X(alListenerfv) X(alListeneri)   \
  X(alListener3i) X(alListeneriv) X(alGetListenerf) X(alGetListener3f) X(alGetListenerfv)         \
  X(alGetListeneri) X(alGetListener3i) X(alGetListeneriv) X(alGenSources) X(alDeleteSources)      \
  X(alIsSource) X(alSourcef) X(alSource3f) X(alSourcefv) X(alSourcei) X(alSource3i)               \
  X(alSourceiv) X(alGetSourcef) X(alGetSource3f) X(alGetSourcefv) X(alGetSourcei)                 \
  X(alGetSource3i) X(alGetSourceiv) X(alSourcePlayv) X(alSourceStopv) X(alSourceRewindv)          \
  X(alSourcePausev) X(alSourcePlay) X(alSourceStop) X(alSourceRewind) X(alSourcePause)            \
  X(alSourceQueueBuffers) X(alSourceUnqueueBuffers) X(alGenBuffers) X(alDeleteBuffers)            \
  X(alIsBuffer) X(alBufferData) X(alBufferf) X(alBuffer3f) X(alBufferfv) X(alBufferi)             \
  X(alBuffer3i) X(alBufferiv) X(alGetBufferf) X(alGetBuffer3f) X(alGetBufferfv) X(alGetBufferi)   \
  X(alGetBuffer3i) X(alGetBufferiv) X(alDopplerFactor) X(alDopplerVelocity) X(alSpeedOfSound)     \
  X(alDistanceModel) X(alcMakeContextCurrent) X(alcProcessContext)              \
  X(alcSuspendContext) X(alcDestroyContext) X(alcGetCurrentContext) X(alcGetContextsDevice)       \
  X(alcGetError) X(alcGetEnumValue) X(alcGetString) X(alcGetIntegerv) X(alcCaptureOpenDevice)     \
  X(alcCaptureCloseDevice) X(alcCaptureStart) X(alcCaptureStop) X(alcCaptureSamples)

// Answers 0, of any type.
extern void AuricleAbsent(void) __attribute__((visibility("hidden")));

#if defined(__x86_64__)
__asm__(".text\n.hidden AuricleAbsent\n.globl AuricleAbsent\n.type AuricleAbsent,@function\n"
        "AuricleAbsent:\n  xorl %eax, %eax\n  xorps %xmm0, %xmm0\n  ret\n");
#define JUMP(name) "  jmp *AuricleSlot_" #name "(%rip)\n"
#elif defined(__aarch64__)
__asm__(".text\n.hidden AuricleAbsent\n.globl AuricleAbsent\n.type AuricleAbsent,@function\n"
        "AuricleAbsent:\n  mov x0, xzr\n  fmov d0, xzr\n  ret\n");
#define JUMP(name)                                                              \
  "  adrp x16, AuricleSlot_" #name "\n  ldr x16, [x16, :lo12:AuricleSlot_" #name "]\n  br x16\n"
#else
#error libOpenAL.so hands calls on by jumps, which are written for x86-64 and 64-bit ARM.
#endif

#define HAND_ON(name)                                                                             \
  __attribute__((visibility("hidden"), used)) void *AuricleSlot_##name = (void *)AuricleAbsent;   \
  __asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n" JUMP(name)           \
          ".size " #name ", .-" #name "\n");
FUNCTIONS(HAND_ON)

// Handed on with something of ours.
static void *openALSoft;
static ALCdevice *(*openDevice)(const ALCchar *);
static ALCboolean (*closeDevice)(ALCdevice *);
static ALenum (*getError)(void);
static ALCcontext *(*createContext)(ALCdevice *, const ALCint *);
static ALCboolean (*isDeviceExtensionPresent)(ALCdevice *, const ALCchar *);
static ALboolean (*isExtensionPresent)(const ALchar *);
static void *(*getDeviceProcedure)(ALCdevice *, const ALCchar *);
static void *(*getProcedure)(const ALchar *);

__attribute__((constructor)) static void findLibrary(void) {
  void *library = dlopen("libopenal.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  openALSoft = library;
  struct {
    const char *name;
    void **slot;
  } wanted[] = {
#define WANTED(name) {#name, &AuricleSlot_##name},
      FUNCTIONS(WANTED){"alcOpenDevice", (void **)&openDevice},
      {"alcCloseDevice", (void **)&closeDevice},
      {"alGetError", (void **)&getError},
      {"alcCreateContext", (void **)&createContext},
      {"alcIsExtensionPresent", (void **)&isDeviceExtensionPresent},
      {"alIsExtensionPresent", (void **)&isExtensionPresent},
      {"alcGetProcAddress", (void **)&getDeviceProcedure},
      {"alGetProcAddress", (void **)&getProcedure},
  };
  for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); ++i) {
    void *function = dlsym(library, wanted[i].name);
    if (function) *wanted[i].slot = function;
  }
}

// Whether a name is that of the default device, and nothing says that OpenAL Soft shall play on its own.
static int isDefault(const ALCchar *name) {
  if (getenv("ALSOFT_DRIVERS") || getenv("ALSOFT_CONF")) return 0;
  if (!name || !*name) return 1;
  const ALCchar *usual = alcGetString(NULL, ALC_DEFAULT_DEVICE_SPECIFIER);
  return usual && !strcmp(name, usual);
}

ALCdevice *alcOpenDevice(const ALCchar *name) {
  ALCdevice *device = openDevice && isDefault(name) ? AuricleLoopbackOpen(openALSoft) : NULL;
  if (device) return device;
  if (openDevice) return openDevice(name);
  fputs(
      "libOpenAL: no device is opened: OpenAL Soft (libopenal.so.1) is not installed; in Debian it is "
      "the package libopenal1.\n",
      stderr);
  return NULL;
}

ALCboolean alcCloseDevice(ALCdevice *device) {
  AuricleLoopbackClose(device);
  return closeDevice ? closeDevice(device) : ALC_FALSE;
}

// Programs ask before they make a context, which is no error on macOS.
ALenum alGetError(void) {
  return getError && alcGetCurrentContext() ? getError() : AL_NO_ERROR;
}

// Settings for contexts to come. Programs set them once, before they make one.
static ALdouble mixerRate;
static ALint renderingQuality = ALC_MAC_OSX_SPATIAL_RENDERING_QUALITY_LOW;

enum { HRTF = 0x1992, MOST_ATTRIBUTES = 64 };  // ALC_HRTF_SOFT

// A context's attributes with the settings, where the program did not set them itself.
static const ALCint *addSettings(const ALCdevice *device, const ALCint *attributes, ALCint *all) {
  int count = 0, hasRate = 0, hasFilters = 0;
  for (; attributes && attributes[count]; count += 2) {
    if (count + 12 > MOST_ATTRIBUTES) return attributes;
    hasRate |= attributes[count] == ALC_FREQUENCY;
    hasFilters |= attributes[count] == HRTF;
    all[count] = attributes[count];
    all[count + 1] = attributes[count + 1];
  }
  if (mixerRate > 0 && !hasRate) {
    all[count++] = ALC_FREQUENCY;
    all[count++] = (ALCint)(mixerRate + 0.5);
  }
  if (renderingQuality == ALC_MAC_OSX_SPATIAL_RENDERING_QUALITY_HIGH && !hasFilters) {
    all[count++] = HRTF;
    all[count++] = ALC_TRUE;
  }
  if (AuricleLoopbackHas(device)) count = AuricleLoopbackAttributes(all, count);
  all[count] = 0;
  return all;
}

// Has the unit of a device play at the device's rate.
static void play(ALCdevice *device) {
  ALCint rate = 0;
  if (!AuricleLoopbackHas(device)) return;
  alcGetIntegerv(device, ALC_FREQUENCY, 1, &rate);
  AuricleLoopbackPlay(device, rate);
}

ALCcontext *alcCreateContext(ALCdevice *device, const ALCint *attributes) {
  ALCint all[MOST_ATTRIBUTES + 1];
  ALCcontext *context =
      createContext ? createContext(device, addSettings(device, attributes, all)) : NULL;
  if (context) play(device);
  return context;
}

// Resets the device of the current context, with the settings.
static void resetDevice(void) {
  ALCdevice *device = alcGetContextsDevice(alcGetCurrentContext());
  if (!device || !getDeviceProcedure) return;
  ALCboolean (*reset)(ALCdevice *, const ALCint *) =
      (ALCboolean (*)(ALCdevice *, const ALCint *))getDeviceProcedure(device, "alcResetDeviceSOFT");
  ALCint all[MOST_ATTRIBUTES + 1];
  if (reset) reset(device, addSettings(device, NULL, all));
  play(device);
}

ALvoid alcMacOSXMixerOutputRate(ALdouble rate) {
  if (!(rate >= 1 && rate <= 1e6)) return;
  mixerRate = rate;
  resetDevice();
}

ALdouble alcMacOSXGetMixerOutputRate(void) {
  ALCint rate = 0;
  ALCdevice *device = alcGetContextsDevice(alcGetCurrentContext());
  if (device) alcGetIntegerv(device, ALC_FREQUENCY, 1, &rate);
  return rate > 0 ? rate : mixerRate > 0 ? mixerRate : 44100;
}

ALvoid alcMacOSXRenderingQuality(ALint quality) {
  if (quality != ALC_MAC_OSX_SPATIAL_RENDERING_QUALITY_HIGH
      && quality != ALC_MAC_OSX_SPATIAL_RENDERING_QUALITY_LOW)
    return;
  renderingQuality = quality;
  resetDevice();
}

ALint alcMacOSXGetRenderingQuality(void) { return renderingQuality; }

ALvoid alBufferDataStatic(
    ALint buffer, ALenum format, ALvoid *data, ALsizei size, ALsizei rate) {
  alBufferData((ALuint)buffer, format, data, size, rate);
}

// By their names, as programs ask for them.
static void *ownProcedure(const char *name) {
  static const struct {
    const char *name;
    void *function;
  } own[] = {
      {"alBufferDataStatic", (void *)alBufferDataStatic},
      {"alcMacOSXMixerOutputRate", (void *)alcMacOSXMixerOutputRate},
      {"alcMacOSXGetMixerOutputRate", (void *)alcMacOSXGetMixerOutputRate},
      {"alcMacOSXRenderingQuality", (void *)alcMacOSXRenderingQuality},
      {"alcMacOSXGetRenderingQuality", (void *)alcMacOSXGetRenderingQuality},
      // These must not go past the ones above.
      {"alcOpenDevice", (void *)alcOpenDevice},
      {"alcCloseDevice", (void *)alcCloseDevice},
      {"alGetError", (void *)alGetError},
      {"alcCreateContext", (void *)alcCreateContext},
      {"alcGetProcAddress", (void *)alcGetProcAddress},
      {"alGetProcAddress", (void *)alGetProcAddress},
      {"alcIsExtensionPresent", (void *)alcIsExtensionPresent},
      {"alIsExtensionPresent", (void *)alIsExtensionPresent},
  };
  for (size_t i = 0; name && i < sizeof(own) / sizeof(*own); ++i)
    if (!strcmp(own[i].name, name)) return own[i].function;
  return NULL;
}

void *alGetProcAddress(const ALchar *name) {
  void *own = ownProcedure(name);
  return own || !getProcedure ? own : getProcedure(name);
}

void *alcGetProcAddress(ALCdevice *device, const ALCchar *name) {
  void *own = ownProcedure(name);
  return own || !getDeviceProcedure ? own : getDeviceProcedure(device, name);
}

ALboolean alIsExtensionPresent(const ALchar *name) {
  if (isExtensionPresent && name && !strcasecmp(name, "AL_EXT_STATIC_BUFFER")) return AL_TRUE;
  return isExtensionPresent ? isExtensionPresent(name) : AL_FALSE;
}

ALCboolean alcIsExtensionPresent(ALCdevice *device, const ALCchar *name) {
  if (isDeviceExtensionPresent && name && !strcasecmp(name, "ALC_EXT_MAC_OSX")) return ALC_TRUE;
  return isDeviceExtensionPresent ? isDeviceExtensionPresent(device, name) : ALC_FALSE;
}
