// OpenAL 1.1: sources, buffers and the listener of a context.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_OPENAL_AL_H
#define AURICLE_OPENAL_AL_H

#if defined(__cplusplus)
extern "C" {
#endif

#define AL_API extern
#define AL_APIENTRY
#define AL_VERSION_1_0
#define AL_VERSION_1_1

typedef char ALboolean;
typedef char ALchar;
typedef signed char ALbyte;
typedef unsigned char ALubyte;
typedef short ALshort;
typedef unsigned short ALushort;
typedef int ALint;
typedef unsigned int ALuint;
typedef int ALsizei;
typedef int ALenum;
typedef float ALfloat;
typedef double ALdouble;
typedef void ALvoid;

#define AL_NONE 0
#define AL_FALSE 0
#define AL_TRUE 1

// Properties of sources and the listener.
#define AL_SOURCE_RELATIVE 0x202
#define AL_CONE_INNER_ANGLE 0x1001
#define AL_CONE_OUTER_ANGLE 0x1002
#define AL_PITCH 0x1003
#define AL_POSITION 0x1004
#define AL_DIRECTION 0x1005
#define AL_VELOCITY 0x1006
#define AL_LOOPING 0x1007
#define AL_BUFFER 0x1009
#define AL_GAIN 0x100A
#define AL_MIN_GAIN 0x100D
#define AL_MAX_GAIN 0x100E
#define AL_ORIENTATION 0x100F
#define AL_REFERENCE_DISTANCE 0x1020
#define AL_ROLLOFF_FACTOR 0x1021
#define AL_CONE_OUTER_GAIN 0x1022
#define AL_MAX_DISTANCE 0x1023
#define AL_SEC_OFFSET 0x1024
#define AL_SAMPLE_OFFSET 0x1025
#define AL_BYTE_OFFSET 0x1026

// The state of a source.
#define AL_SOURCE_STATE 0x1010
#define AL_INITIAL 0x1011
#define AL_PLAYING 0x1012
#define AL_PAUSED 0x1013
#define AL_STOPPED 0x1014
#define AL_BUFFERS_QUEUED 0x1015
#define AL_BUFFERS_PROCESSED 0x1016
#define AL_SOURCE_TYPE 0x1027
#define AL_STATIC 0x1028
#define AL_STREAMING 0x1029
#define AL_UNDETERMINED 0x1030

// Properties of buffers.
#define AL_FORMAT_MONO8 0x1100
#define AL_FORMAT_MONO16 0x1101
#define AL_FORMAT_STEREO8 0x1102
#define AL_FORMAT_STEREO16 0x1103
#define AL_FREQUENCY 0x2001
#define AL_BITS 0x2002
#define AL_CHANNELS 0x2003
#define AL_SIZE 0x2004
#define AL_UNUSED 0x2010
#define AL_PENDING 0x2011
#define AL_PROCESSED 0x2012

#define AL_NO_ERROR 0
#define AL_INVALID_NAME 0xA001
#define AL_INVALID_ENUM 0xA002
#define AL_ILLEGAL_ENUM 0xA002
#define AL_INVALID_VALUE 0xA003
#define AL_INVALID_OPERATION 0xA004
#define AL_ILLEGAL_COMMAND 0xA004
#define AL_OUT_OF_MEMORY 0xA005

// Properties of the context.
#define AL_VENDOR 0xB001
#define AL_VERSION 0xB002
#define AL_RENDERER 0xB003
#define AL_EXTENSIONS 0xB004
#define AL_DOPPLER_FACTOR 0xC000
#define AL_DOPPLER_VELOCITY 0xC001
#define AL_SPEED_OF_SOUND 0xC003
#define AL_DISTANCE_MODEL 0xD000
#define AL_INVERSE_DISTANCE 0xD001
#define AL_INVERSE_DISTANCE_CLAMPED 0xD002
#define AL_LINEAR_DISTANCE 0xD003
#define AL_LINEAR_DISTANCE_CLAMPED 0xD004
#define AL_EXPONENT_DISTANCE 0xD005
#define AL_EXPONENT_DISTANCE_CLAMPED 0xD006

AL_API void alEnable(ALenum capability);
AL_API void alDisable(ALenum capability);
AL_API ALboolean alIsEnabled(ALenum capability);

AL_API const ALchar *alGetString(ALenum parameter);
AL_API void alGetBooleanv(ALenum parameter, ALboolean *values);
AL_API void alGetIntegerv(ALenum parameter, ALint *values);
AL_API void alGetFloatv(ALenum parameter, ALfloat *values);
AL_API void alGetDoublev(ALenum parameter, ALdouble *values);
AL_API ALboolean alGetBoolean(ALenum parameter);
AL_API ALint alGetInteger(ALenum parameter);
AL_API ALfloat alGetFloat(ALenum parameter);
AL_API ALdouble alGetDouble(ALenum parameter);
// The first error since the last call.
AL_API ALenum alGetError(void);

AL_API ALboolean alIsExtensionPresent(const ALchar *name);
AL_API void *alGetProcAddress(const ALchar *name);
AL_API ALenum alGetEnumValue(const ALchar *name);

AL_API void alListenerf(ALenum parameter, ALfloat value);
AL_API void alListener3f(ALenum parameter, ALfloat x, ALfloat y, ALfloat z);
AL_API void alListenerfv(ALenum parameter, const ALfloat *values);
AL_API void alListeneri(ALenum parameter, ALint value);
AL_API void alListener3i(ALenum parameter, ALint x, ALint y, ALint z);
AL_API void alListeneriv(ALenum parameter, const ALint *values);
AL_API void alGetListenerf(ALenum parameter, ALfloat *value);
AL_API void alGetListener3f(ALenum parameter, ALfloat *x, ALfloat *y, ALfloat *z);
AL_API void alGetListenerfv(ALenum parameter, ALfloat *values);
AL_API void alGetListeneri(ALenum parameter, ALint *value);
AL_API void alGetListener3i(ALenum parameter, ALint *x, ALint *y, ALint *z);
AL_API void alGetListeneriv(ALenum parameter, ALint *values);

AL_API void alGenSources(ALsizei count, ALuint *sources);
AL_API void alDeleteSources(ALsizei count, const ALuint *sources);
AL_API ALboolean alIsSource(ALuint source);
AL_API void alSourcef(ALuint source, ALenum parameter, ALfloat value);
AL_API void alSource3f(ALuint source, ALenum parameter, ALfloat x, ALfloat y, ALfloat z);
AL_API void alSourcefv(ALuint source, ALenum parameter, const ALfloat *values);
AL_API void alSourcei(ALuint source, ALenum parameter, ALint value);
AL_API void alSource3i(ALuint source, ALenum parameter, ALint x, ALint y, ALint z);
AL_API void alSourceiv(ALuint source, ALenum parameter, const ALint *values);
AL_API void alGetSourcef(ALuint source, ALenum parameter, ALfloat *value);
AL_API void alGetSource3f(ALuint source, ALenum parameter, ALfloat *x, ALfloat *y, ALfloat *z);
AL_API void alGetSourcefv(ALuint source, ALenum parameter, ALfloat *values);
AL_API void alGetSourcei(ALuint source, ALenum parameter, ALint *value);
AL_API void alGetSource3i(ALuint source, ALenum parameter, ALint *x, ALint *y, ALint *z);
AL_API void alGetSourceiv(ALuint source, ALenum parameter, ALint *values);

AL_API void alSourcePlayv(ALsizei count, const ALuint *sources);
AL_API void alSourceStopv(ALsizei count, const ALuint *sources);
AL_API void alSourceRewindv(ALsizei count, const ALuint *sources);
AL_API void alSourcePausev(ALsizei count, const ALuint *sources);
AL_API void alSourcePlay(ALuint source);
AL_API void alSourceStop(ALuint source);
AL_API void alSourceRewind(ALuint source);
AL_API void alSourcePause(ALuint source);
AL_API void alSourceQueueBuffers(ALuint source, ALsizei count, const ALuint *buffers);
AL_API void alSourceUnqueueBuffers(ALuint source, ALsizei count, ALuint *buffers);

AL_API void alGenBuffers(ALsizei count, ALuint *buffers);
AL_API void alDeleteBuffers(ALsizei count, const ALuint *buffers);
AL_API ALboolean alIsBuffer(ALuint buffer);
// Copies sound; the size is in bytes, the rate in frames a second.
AL_API void alBufferData(
    ALuint buffer, ALenum format, const ALvoid *data, ALsizei size, ALsizei rate);
AL_API void alBufferf(ALuint buffer, ALenum parameter, ALfloat value);
AL_API void alBuffer3f(ALuint buffer, ALenum parameter, ALfloat x, ALfloat y, ALfloat z);
AL_API void alBufferfv(ALuint buffer, ALenum parameter, const ALfloat *values);
AL_API void alBufferi(ALuint buffer, ALenum parameter, ALint value);
AL_API void alBuffer3i(ALuint buffer, ALenum parameter, ALint x, ALint y, ALint z);
AL_API void alBufferiv(ALuint buffer, ALenum parameter, const ALint *values);
AL_API void alGetBufferf(ALuint buffer, ALenum parameter, ALfloat *value);
AL_API void alGetBuffer3f(ALuint buffer, ALenum parameter, ALfloat *x, ALfloat *y, ALfloat *z);
AL_API void alGetBufferfv(ALuint buffer, ALenum parameter, ALfloat *values);
AL_API void alGetBufferi(ALuint buffer, ALenum parameter, ALint *value);
AL_API void alGetBuffer3i(ALuint buffer, ALenum parameter, ALint *x, ALint *y, ALint *z);
AL_API void alGetBufferiv(ALuint buffer, ALenum parameter, ALint *values);

AL_API void alDopplerFactor(ALfloat value);
AL_API void alDopplerVelocity(ALfloat value);
// In units of distance a second.
AL_API void alSpeedOfSound(ALfloat value);
AL_API void alDistanceModel(ALenum model);

#if defined(__cplusplus)
}
#endif

#endif
