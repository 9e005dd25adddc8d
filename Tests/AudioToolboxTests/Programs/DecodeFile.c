// A program that decodes a sound file into raw samples, packet by packet: DecodeFile IN OUT BITS (32 for float).
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Input {
  AudioFileID file;
  SInt64 packet;
  UInt32 largest;
  UInt8 *bytes;
  AudioStreamPacketDescription places[64];
} Input;

static OSStatus give(AudioConverterRef converter, UInt32 *count, AudioBufferList *data,
                     AudioStreamPacketDescription **places, void *userData) {
  Input *input = (Input *)userData;
  UInt32 size = input->largest * 64;
  (void)converter;
  if (*count > 64 || *count == 0) *count = 64;
  OSStatus status = AudioFileReadPacketData(input->file, 0, &size, input->places, input->packet, count, input->bytes);
  if (status == -39) status = noErr;
  input->packet += *count;
  data->mBuffers[0].mData = input->bytes;
  data->mBuffers[0].mDataByteSize = size;
  if (places) *places = input->places;
  return status;
}

static int fail(const char *what, OSStatus status) {
  fprintf(stderr, "%s: %d\n", what, (int)status);
  return 1;
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  Input input;
  memset(&input, 0, sizeof input);
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)arguments[1], (CFIndex)strlen(arguments[1]), 0);
  OSStatus status = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &input.file);
  if (status) return fail("open", status);
  AudioStreamBasicDescription from, to;
  UInt32 size = sizeof from;
  status = AudioFileGetProperty(input.file, kAudioFilePropertyDataFormat, &size, &from);
  if (status) return fail("format", status);
  UInt32 bits = (UInt32)atoi(arguments[3]);
  memset(&to, 0, sizeof to);
  to.mSampleRate = from.mSampleRate;
  to.mFormatID = kAudioFormatLinearPCM;
  to.mFormatFlags = kAudioFormatFlagIsPacked | (bits == 32 ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger);
  to.mChannelsPerFrame = from.mChannelsPerFrame;
  to.mBitsPerChannel = bits;
  to.mFramesPerPacket = 1;
  to.mBytesPerPacket = to.mBytesPerFrame = bits / 8 * to.mChannelsPerFrame;
  AudioConverterRef converter;
  status = AudioConverterNew(&from, &to, &converter);
  if (status) return fail("converter", status);
  UInt8 cookie[65536];
  size = sizeof cookie;
  if (AudioFileGetProperty(input.file, kAudioFilePropertyMagicCookieData, &size, cookie) == noErr && size > 0) {
    status = AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, size, cookie);
    if (status) return fail("cookie", status);
  }
  AudioFilePacketTableInfo table;
  size = sizeof table;
  if (AudioFileGetProperty(input.file, kAudioFilePropertyPacketTableInfo, &size, &table) == noErr) {
    AudioConverterPrimeInfo prime = {(UInt32)table.mPrimingFrames, (UInt32)table.mRemainderFrames};
    status = AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, sizeof prime, &prime);
    if (status) return fail("priming", status);
  }
  size = sizeof input.largest;
  status = AudioFileGetProperty(input.file, kAudioFilePropertyMaximumPacketSize, &size, &input.largest);
  if (status) return fail("packet size", status);
  input.bytes = (UInt8 *)malloc(input.largest * 64);
  FILE *out = fopen(arguments[2], "wb");
  static UInt8 buffer[1 << 16];
  for (;;) {
    UInt32 frames = sizeof buffer / to.mBytesPerFrame;
    AudioBufferList list = {1, {{to.mChannelsPerFrame, frames * to.mBytesPerFrame, buffer}}};
    status = AudioConverterFillComplexBuffer(converter, give, &input, &frames, &list, NULL);
    if (frames) fwrite(buffer, to.mBytesPerFrame, frames, out);
    if (status) return fail("fill", status);
    if (!frames) break;
  }
  fclose(out);
  AudioConverterDispose(converter);
  AudioFileClose(input.file);
  CFRelease(url);
  return 0;
}
