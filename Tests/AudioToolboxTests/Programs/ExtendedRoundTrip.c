// Writes a sound into a file through an extended file, and reads it: frame n in is frame n out.
// SPDX-License-Identifier: Apache-2.0
//
// usage: ExtendedRoundTrip FILE TYPE FORMAT FLAGS BITS RATE LEAST-DECIBELS
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kFrames = 50001 };
static float sound[2 * kFrames], found[2 * kFrames + 2 * 5000];

static UInt32 code(const char *text) {
  UInt32 value = 0;
  for (int index = 0; index < 4; ++index) value = value << 8 | (UInt8)text[index];
  return value;
}

static int check(const char *what, OSStatus status) {
  if (status != noErr) printf("%s: %d\n", what, (int)status), exit(1);
  return 0;
}

int main(int count, char **arguments) {
  if (count < 8) return 64;
  double rate = atof(arguments[6]);
  UInt32 bits = (UInt32)atoi(arguments[5]);
  for (int frame = 0; frame < kFrames; ++frame) {
    // A sweep, in steps of 16 bits so that depths keep it.
    double t = frame / rate, sweep = sin(6.283185307 * (200 * t + 900 * t * t));
    sound[2 * frame] = (float)(floor(sweep * 16000) / 32768);
    sound[2 * frame + 1] = (float)(floor(sin(6.283185307 * 440 * t) * 12000) / 32768);
  }
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)arguments[1], (CFIndex)strlen(arguments[1]), false);
  AudioStreamBasicDescription format, client;
  memset(&format, 0, sizeof format);
  format.mSampleRate = rate;
  format.mFormatID = code(arguments[3]);
  format.mFormatFlags = (UInt32)atoi(arguments[4]);
  format.mBitsPerChannel = bits;
  format.mChannelsPerFrame = 2;
  if (bits > 0) {
    format.mFramesPerPacket = 1;
    format.mBytesPerFrame = format.mBytesPerPacket = bits / 4;
  }
  memset(&client, 0, sizeof client);
  client.mSampleRate = rate;
  client.mFormatID = kAudioFormatLinearPCM;
  client.mFormatFlags = 9;
  client.mBitsPerChannel = 32;
  client.mChannelsPerFrame = 2;
  client.mFramesPerPacket = 1;
  client.mBytesPerFrame = client.mBytesPerPacket = 8;
  ExtAudioFileRef file = NULL;
  check("create", ExtAudioFileCreateWithURL(url, code(arguments[2]), &format, NULL, kAudioFileFlags_EraseFile, &file));
  check("client", ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
  for (int done = 0; done < kFrames;) {
    UInt32 frames = (UInt32)(1 + (done * 31 + 7) % 3000);
    if ((int)frames > kFrames - done) frames = (UInt32)(kFrames - done);
    AudioBufferList list = {1, {{2, frames * 8, sound + 2 * done}}};
    check("write", ExtAudioFileWrite(file, frames, &list));
    done += (int)frames;
  }
  check("dispose", ExtAudioFileDispose(file));
  check("open", ExtAudioFileOpenURL(url, &file));
  check("client", ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof client, &client));
  SInt64 length = 0;
  UInt32 size = sizeof length, total = 0;
  check("length", ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length));
  while (total < kFrames + 5000) {
    UInt32 frames = kFrames + 5000 - total;
    AudioBufferList list = {1, {{2, frames * 8, found + 2 * total}}};
    check("read", ExtAudioFileRead(file, &frames, &list));
    if (frames == 0) break;
    total += frames;
  }
  check("dispose", ExtAudioFileDispose(file));
  if (length != kFrames || total != kFrames)
    return printf("%lld frames told, %u read\n", (long long)length, (unsigned)total), 2;
  double signal = 0, noise = 0;
  for (int index = 0; index < 2 * kFrames; ++index) {
    signal += (double)sound[index] * sound[index];
    noise += ((double)found[index] - sound[index]) * ((double)found[index] - sound[index]);
  }
  double decibels = noise > 0 ? 10 * log10(signal / noise) : 999;
  if (decibels < atof(arguments[7])) return printf("%g dB\n", decibels), 3;
  return 0;
}
