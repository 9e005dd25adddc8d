// The extensions of OpenAL on macOS that exist here.
// SPDX-License-Identifier: Apache-2.0
//
// Sources ask alcGetProcAddress or alGetProcAddress for these functions by their names, and work
// without the missing ones: the answer for them is NULL.
#ifndef AURICLE_OPENAL_EXTENSIONS_H
#define AURICLE_OPENAL_EXTENSIONS_H

#include "al.h"
#include "alc.h"

#if defined(__cplusplus)
extern "C" {
#endif

// AL_EXT_STATIC_BUFFER: alBufferData without a copy on macOS. Here the sound is copied, and the memory
// may go away.
typedef ALvoid (*alBufferDataStaticProcPtr)(
    ALint buffer, ALenum format, ALvoid *data, ALsizei size, ALsizei rate);
AL_API ALvoid alBufferDataStatic(
    ALint buffer, ALenum format, ALvoid *data, ALsizei size, ALsizei rate);

// ALC_EXT_MAC_OSX. The rate that sources are mixed at, in Hz: of the current context, and of contexts
// made from then on. Without a context the rate that was set, or 44100.
typedef ALvoid (*alcMacOSXMixerOutputRateProcPtr)(ALdouble rate);
typedef ALdouble (*alcMacOSXGetMixerOutputRateProcPtr)(void);
AL_API ALvoid alcMacOSXMixerOutputRate(ALdouble rate);
AL_API ALdouble alcMacOSXGetMixerOutputRate(void);

// The placing of sources: high is by the filters of a head, for headphones; low is by level.
#define ALC_MAC_OSX_SPATIAL_RENDERING_QUALITY_HIGH 0x72716869  // 'rqhi'
#define ALC_MAC_OSX_SPATIAL_RENDERING_QUALITY_LOW 0x72646c6f   // 'rdlo'
typedef ALvoid (*alcMacOSXRenderingQualityProcPtr)(ALint quality);
typedef ALint (*alcMacOSXGetRenderingQualityProcPtr)(void);
AL_API ALvoid alcMacOSXRenderingQuality(ALint quality);
AL_API ALint alcMacOSXGetRenderingQuality(void);

#if defined(__cplusplus)
}
#endif

#endif
