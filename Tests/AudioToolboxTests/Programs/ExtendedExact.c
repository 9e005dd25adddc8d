// Decodes a file as a whole, then parts of it at random places, which have to be the same.
// SPDX-License-Identifier: Apache-2.0
//
// usage: ExtendedExact FILE 16|24|32 RAW-OUTPUT TURNS SEED, 32 bits for floats; prints the largest difference
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AudioStreamBasicDescription format;

static SInt64 readSome(ExtAudioFileRef file, char *memory, SInt64 room) {
  SInt64 done = 0;
  while (done < room) {
    UInt32 frames = (UInt32)(room - done < 5000 ? room - done : 5000);
    AudioBufferList list = {1, {{format.mChannelsPerFrame, frames * format.mBytesPerFrame,
                                 memory + done * format.mBytesPerFrame}}};
    OSStatus status = ExtAudioFileRead(file, &frames, &list);
    if (status != noErr) {
      printf("read: %d at %lld\n", (int)status, (long long)done);
      exit(2);
    }
    if (frames == 0) break;
    done += frames;
  }
  return done;
}

static double sample(const char *bytes, UInt32 bits) {
  float value;
  if (bits == 32) return memcpy(&value, bytes, 4), value;
  SInt32 number = bits == 16 ? (SInt16)((UInt8)bytes[0] | bytes[1] << 8)
                             : (SInt32)((UInt8)bytes[0] | (UInt8)bytes[1] << 8) | bytes[2] * 65536;
  return number;
}

int main(int count, char **arguments) {
  if (count < 6) return 64;
  UInt32 bits = (UInt32)atoi(arguments[2]);
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)arguments[1], (CFIndex)strlen(arguments[1]), false);
  ExtAudioFileRef file = NULL;
  OSStatus status = ExtAudioFileOpenURL(url, &file);
  if (status != noErr) return printf("open: %d\n", (int)status), 66;
  AudioStreamBasicDescription stored;
  UInt32 size = sizeof stored;
  ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &stored);
  format.mSampleRate = stored.mSampleRate;
  format.mChannelsPerFrame = stored.mChannelsPerFrame;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = bits == 32 ? 9 : 12;
  format.mBitsPerChannel = bits;
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = format.mBytesPerPacket = bits / 8 * format.mChannelsPerFrame;
  status = ExtAudioFileSetProperty(
      file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format);
  if (status != noErr) return printf("format: %d\n", (int)status), 1;
  SInt64 length = 0;
  size = sizeof length;
  status = ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length);
  char *all = (char *)malloc((size_t)((length + 10000) * format.mBytesPerFrame));
  SInt64 total = readSome(file, all, length + 10000);
  if (total != length) printf("%lld frames, and the length is told as %lld\n", (long long)total, (long long)length);
  FILE *output = fopen(arguments[3], "wb");
  fwrite(all, format.mBytesPerFrame, (size_t)total, output);
  fclose(output);
  char *part = (char *)malloc(4000 * format.mBytesPerFrame);
  double worst = 0;
  srand((unsigned)atoi(arguments[5]));
  for (int turn = 0; turn < atoi(arguments[4]); ++turn) {
    SInt64 place = rand() % (total + 1), told = -1, frames = 1 + rand() % 4000;
    if (turn % 10 == 0) place = total - rand() % 100;
    if (ExtAudioFileSeek(file, place) || ExtAudioFileTell(file, &told) || told != place)
      return printf("seek to %lld: told %lld\n", (long long)place, (long long)told), 3;
    SInt64 found = readSome(file, part, frames);
    if (found != (frames < total - place ? frames : total - place))
      return printf("%lld frames at %lld\n", (long long)found, (long long)place), 4;
    if (memcmp(part, all + place * format.mBytesPerFrame, (size_t)(found * format.mBytesPerFrame)) == 0) continue;
    for (SInt64 index = 0; index < found * format.mChannelsPerFrame; ++index) {
      SInt64 at = index * bits / 8;
      double off = fabs(sample(part + at, bits) - sample(all + place * format.mBytesPerFrame + at, bits));
      if (off > worst) worst = off;
    }
  }
  printf("%g\n", worst);
  return ExtAudioFileDispose(file) == noErr ? 0 : 5;
}
