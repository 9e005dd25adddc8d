// Writes seconds of a square, saw or sine wave, one sample at a time.
// SPDX-License-Identifier: Apache-2.0
//
// usage: ToneFile square|saw|sine HZ FILE
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { kRate = 44100, kSeconds = 2 };

int main(int count, char **arguments) {
  if (count < 4) return 64;
  double hertz = atof(arguments[2]);
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)arguments[3], (CFIndex)strlen(arguments[3]), false);
  AudioStreamBasicDescription format;
  memset(&format, 0, sizeof format);
  format.mSampleRate = kRate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags =
      kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  format.mBitsPerChannel = 16;
  format.mChannelsPerFrame = format.mFramesPerPacket = 1;
  format.mBytesPerFrame = format.mBytesPerPacket = 2;
  AudioFileID file = NULL;
  if (AudioFileCreateWithURL(url, kAudioFileAIFFType, &format, kAudioFileFlags_EraseFile, &file)) return 1;
  double period = kRate / hertz;
  for (long frame = 0; frame < (long)kRate * kSeconds; ++frame) {
    double place = fmod((double)frame, period) / period, wave = 2 * place - 1;
    if (!strcmp(arguments[1], "square")) wave = place < 0.5 ? 1 : -1;
    if (!strcmp(arguments[1], "sine")) wave = sin(6.283185307179586 * place);
    UInt16 sample = CFSwapInt16HostToBig((UInt16)(SInt16)lrint(wave * 32767));
    UInt32 bytes = 2;
    if (AudioFileWriteBytes(file, false, (SInt64)frame * 2, &bytes, &sample) != noErr) return 2;
  }
  CFRelease(url);
  return AudioFileClose(file) == noErr ? 0 : 3;
}
