// A source that goes round the listener: its sound is loaded whole into one buffer, which loops.
// SPDX-License-Identifier: Apache-2.0
//
// usage: OrbitingSource FILE SECONDS OUT.raw

#include <AudioToolbox/AudioToolbox.h>
#include <OpenAL/MacOSX_OALExtensions.h>
#include <OpenAL/al.h>
#include <OpenAL/alc.h>
#include <math.h>

#include "Loopback.h"

static void check(int isWell, const char *what) {
  if (isWell) return;
  fprintf(stderr, "%s: error 0x%x\n", what, (unsigned)alGetError());
  exit(1);
}

// Once round in a second, a metre away: right, behind, left, in front.
static void moveSource(ALuint source, double seconds) {
  double angle = 2 * M_PI * seconds;
  alSource3f(source, AL_POSITION, (ALfloat)cos(angle), 0, (ALfloat)sin(angle));
}

// Loads all of a file as 16 bits and one channel at its rate, from any format.
static void *loadFile(const char *path, UInt32 *size, Float64 *rate) {
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  ExtAudioFileRef file = NULL;
  AudioStreamBasicDescription format;
  UInt32 formatSize = sizeof(format), countSize = sizeof(SInt64), read = 0;
  SInt64 count = 0;
  check(ExtAudioFileOpenURL(url, &file) == noErr, "ExtAudioFileOpenURL");
  check(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &formatSize, &format)
              == noErr
          && ExtAudioFileGetProperty(
                 file, kExtAudioFileProperty_FileLengthFrames, &countSize, &count)
                 == noErr,
      "properties");
  *rate = format.mSampleRate;
  memset(&format, 0, sizeof(format));
  format.mSampleRate = *rate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsSignedInteger
      | kAudioFormatFlagIsPacked;
  format.mBitsPerChannel = 16;
  format.mChannelsPerFrame = format.mFramesPerPacket = 1;
  format.mBytesPerFrame = format.mBytesPerPacket = 2;
  check(
      ExtAudioFileSetProperty(
          file, kExtAudioFileProperty_ClientDataFormat, sizeof(format), &format)
          == noErr,
      "the client's format");

  SInt16 *samples = (SInt16 *)calloc((size_t)count, sizeof(SInt16));
  while (read < count) {
    AudioBufferList list = {1, {{1, (UInt32)(count - read) * 2, samples + read}}};
    UInt32 frames = (UInt32)(count - read);
    check(ExtAudioFileRead(file, &frames, &list) == noErr, "ExtAudioFileRead");
    if (frames == 0) break;
    read += frames;
  }
  check(read == count, "the length");
  *size = read * 2;
  ExtAudioFileDispose(file);
  CFRelease(url);
  return samples;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  UInt32 size;
  Float64 rate;
  void *data = loadFile(argv[1], &size, &rate);

  alcMacOSXMixerOutputRateProcPtr setRate =
      (alcMacOSXMixerOutputRateProcPtr)alcGetProcAddress(NULL, "alcMacOSXMixerOutputRate");
  check(setRate != NULL, "alcMacOSXMixerOutputRate");
  setRate(rate);

  ALCdevice *device = openLoopback(argv[3]);
  check(device != NULL, "openLoopback");
  // The rate is the one that is set above.
  ALCint attributes[] = {LOOPBACK_ATTRIBUTES, 0};
  ALCcontext *context = alcCreateContext(device, attributes);
  check(context && alcMakeContextCurrent(context), "a context");
  check(alcMacOSXGetMixerOutputRate() == rate, "the rate of the mixer");

  ALuint buffer, source;
  alGenBuffers(1, &buffer);
  alBufferDataStaticProcPtr setData =
      (alBufferDataStaticProcPtr)alcGetProcAddress(NULL, "alBufferDataStatic");
  check(setData != NULL, "alBufferDataStatic");
  setData((ALint)buffer, AL_FORMAT_MONO16, data, (ALsizei)size, (ALsizei)rate);
  alGenSources(1, &source);
  alSourcei(source, AL_LOOPING, AL_TRUE);
  alSourcei(source, AL_BUFFER, (ALint)buffer);
  alSourcef(source, AL_REFERENCE_DISTANCE, 1);
  alListener3f(AL_POSITION, 0, 0, 0);
  moveSource(source, 0);
  check(alGetError() == AL_NO_ERROR, "setting up");

  alSourcePlay(source);
  for (double frame = 0; frame < atof(argv[2]) * rate; frame += 441) {
    moveSource(source, frame / rate);
    renderLoopback(device, 441);
  }
  check(alGetError() == AL_NO_ERROR, "playing");

  alSourceStop(source);
  alDeleteSources(1, &source);
  alDeleteBuffers(1, &buffer);
  alcMakeContextCurrent(NULL);
  alcDestroyContext(context);
  closeLoopback(device);
  free(data);
  return 0;
}
