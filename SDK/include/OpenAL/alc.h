// OpenAL 1.1: devices, and the contexts that play on them.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_OPENAL_ALC_H
#define AURICLE_OPENAL_ALC_H

#if defined(__cplusplus)
extern "C" {
#endif

#define ALC_API extern
#define ALC_APIENTRY
#define ALC_VERSION_0_1 1

typedef struct ALCdevice_struct ALCdevice;
typedef struct ALCcontext_struct ALCcontext;
typedef char ALCboolean;
typedef char ALCchar;
typedef signed char ALCbyte;
typedef unsigned char ALCubyte;
typedef short ALCshort;
typedef unsigned short ALCushort;
typedef int ALCint;
typedef unsigned int ALCuint;
typedef int ALCsizei;
typedef int ALCenum;
typedef float ALCfloat;
typedef double ALCdouble;
typedef void ALCvoid;

#define ALC_FALSE 0
#define ALC_TRUE 1

// Attributes of a context, in a list that ends with 0.
#define ALC_FREQUENCY 0x1007
#define ALC_REFRESH 0x1008
#define ALC_SYNC 0x1009
#define ALC_MONO_SOURCES 0x1010
#define ALC_STEREO_SOURCES 0x1011

#define ALC_NO_ERROR 0
#define ALC_INVALID_DEVICE 0xA001
#define ALC_INVALID_CONTEXT 0xA002
#define ALC_INVALID_ENUM 0xA003
#define ALC_INVALID_VALUE 0xA004
#define ALC_OUT_OF_MEMORY 0xA005

#define ALC_MAJOR_VERSION 0x1000
#define ALC_MINOR_VERSION 0x1001
#define ALC_ATTRIBUTES_SIZE 0x1002
#define ALC_ALL_ATTRIBUTES 0x1003
#define ALC_DEFAULT_DEVICE_SPECIFIER 0x1004
#define ALC_DEVICE_SPECIFIER 0x1005
#define ALC_EXTENSIONS 0x1006
#define ALC_DEFAULT_ALL_DEVICES_SPECIFIER 0x1012
#define ALC_ALL_DEVICES_SPECIFIER 0x1013
#define ALC_CAPTURE_DEVICE_SPECIFIER 0x310
#define ALC_CAPTURE_DEFAULT_DEVICE_SPECIFIER 0x311
#define ALC_CAPTURE_SAMPLES 0x312

// NULL is the default device. NULL is answered where there is none, and without OpenAL Soft.
ALC_API ALCdevice *alcOpenDevice(const ALCchar *name);
ALC_API ALCboolean alcCloseDevice(ALCdevice *device);
ALC_API ALCcontext *alcCreateContext(ALCdevice *device, const ALCint *attributes);
ALC_API ALCboolean alcMakeContextCurrent(ALCcontext *context);
ALC_API void alcProcessContext(ALCcontext *context);
ALC_API void alcSuspendContext(ALCcontext *context);
ALC_API void alcDestroyContext(ALCcontext *context);
ALC_API ALCcontext *alcGetCurrentContext(void);
ALC_API ALCdevice *alcGetContextsDevice(ALCcontext *context);
ALC_API ALCenum alcGetError(ALCdevice *device);

ALC_API ALCboolean alcIsExtensionPresent(ALCdevice *device, const ALCchar *name);
ALC_API void *alcGetProcAddress(ALCdevice *device, const ALCchar *name);
ALC_API ALCenum alcGetEnumValue(ALCdevice *device, const ALCchar *name);
ALC_API const ALCchar *alcGetString(ALCdevice *device, ALCenum parameter);
ALC_API void alcGetIntegerv(ALCdevice *device, ALCenum parameter, ALCsizei count, ALCint *values);

ALC_API ALCdevice *alcCaptureOpenDevice(
    const ALCchar *name, ALCuint rate, ALCenum format, ALCsizei frameCount);
ALC_API ALCboolean alcCaptureCloseDevice(ALCdevice *device);
ALC_API void alcCaptureStart(ALCdevice *device);
ALC_API void alcCaptureStop(ALCdevice *device);
ALC_API void alcCaptureSamples(ALCdevice *device, ALCvoid *buffer, ALCsizei frameCount);

#if defined(__cplusplus)
}
#endif

#endif
