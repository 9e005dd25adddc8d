// A source that is fed from a file: three buffers are queued, and each is filled again when it was played.
// SPDX-License-Identifier: Apache-2.0
//
// usage: StreamedSource FILE OUT.raw; the sound comes from the right until the file ends

#include <AudioToolbox/AudioToolbox.h>
#include <OpenAL/al.h>
#include <OpenAL/alc.h>

#include "Loopback.h"

enum { BUFFERS = 3 };

static ExtAudioFileRef file;
static AudioStreamBasicDescription format;

static void check(int isWell, const char *what) {
  if (isWell) return;
  fprintf(stderr, "%s: error 0x%x\n", what, (unsigned)alGetError());
  exit(1);
}

// A fifth of a second. Returns whether there was anything left.
static int fillBuffer(ALuint buffer) {
  static SInt16 samples[48000];
  const UInt32 wanted = (UInt32)(format.mSampleRate / 5);
  UInt32 count = 0, frames;
  do {
    AudioBufferList list = {1, {{1, (wanted - count) * 2, samples + count}}};
    frames = wanted - count;
    check(ExtAudioFileRead(file, &frames, &list) == noErr, "ExtAudioFileRead");
    count += frames;
  } while (frames > 0 && count < wanted);
  if (count == 0) return 0;
  alBufferData(
      buffer, AL_FORMAT_MONO16, samples, (ALsizei)count * 2, (ALsizei)format.mSampleRate);
  return 1;
}

static void openFile(const char *path) {
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  UInt32 size = sizeof(format);
  check(ExtAudioFileOpenURL(url, &file) == noErr, "ExtAudioFileOpenURL");
  check(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &format) == noErr
          && format.mSampleRate <= 192000,
      "the format");
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  format.mBitsPerChannel = 16;
  format.mChannelsPerFrame = format.mFramesPerPacket = 1;
  format.mBytesPerFrame = format.mBytesPerPacket = 2;
  check(
      ExtAudioFileSetProperty(
          file, kExtAudioFileProperty_ClientDataFormat, sizeof(format), &format)
          == noErr,
      "the client's format");
  CFRelease(url);
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  openFile(argv[1]);
  ALCdevice *device = openLoopback(argv[2]);
  check(device != NULL, "openLoopback");
  ALCint attributes[] = {ALC_FREQUENCY, (ALCint)format.mSampleRate, LOOPBACK_ATTRIBUTES, 0};
  ALCcontext *context = alcCreateContext(device, attributes);
  check(context && alcMakeContextCurrent(context), "a context");

  ALuint buffers[BUFFERS], source;
  ALsizei filled = 0;
  alGenBuffers(BUFFERS, buffers);
  while (filled < BUFFERS && fillBuffer(buffers[filled])) filled++;
  alGenSources(1, &source);
  alSource3f(source, AL_POSITION, 1, 0, 0);
  alSourceQueueBuffers(source, filled, buffers);
  check(alGetError() == AL_NO_ERROR, "setting up");

  ALint state = AL_PLAYING, queued = filled;
  alSourcePlay(source);
  while (queued > 0) {
    ALint processed = 0;
    alGetSourcei(source, AL_BUFFERS_PROCESSED, &processed);
    for (; processed > 0; --processed) {
      ALuint buffer;
      alSourceUnqueueBuffers(source, 1, &buffer);
      if (fillBuffer(buffer)) alSourceQueueBuffers(source, 1, &buffer);
    }
    alGetSourcei(source, AL_BUFFERS_QUEUED, &queued);
    alGetSourcei(source, AL_SOURCE_STATE, &state);
    if (state != AL_PLAYING && queued > 0) alSourcePlay(source);
    renderLoopback(device, 1024);
  }
  check(alGetError() == AL_NO_ERROR, "playing");
  ExtAudioFileDispose(file);
  alDeleteSources(1, &source);
  alDeleteBuffers(BUFFERS, buffers);
  alcMakeContextCurrent(NULL);
  alcDestroyContext(context);
  closeLoopback(device);
  return 0;
}
