// Decodes a file with an extended file, into 16 bits in AIFF.
// SPDX-License-Identifier: Apache-2.0
//
// usage: ExtendedFile IN OUT
#include <AudioToolbox/AudioToolbox.h>
#include <string.h>

static CFURLRef url(const char *path) {
  return CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  ExtAudioFileRef input = NULL;
  if (ExtAudioFileOpenURL(url(arguments[1]), &input)) return 66;
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  if (ExtAudioFileGetProperty(input, kExtAudioFileProperty_FileDataFormat, &size, &format)) return 1;
  double rate = format.mSampleRate;
  UInt32 channels = format.mChannelsPerFrame;
  memset(&format, 0, sizeof format);
  format.mSampleRate = rate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags =
      kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  format.mBitsPerChannel = 16;
  format.mChannelsPerFrame = channels;
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = format.mBytesPerPacket = 2 * channels;
  AudioFileID output = NULL;
  if (AudioFileCreateWithURL(url(arguments[2]), kAudioFileAIFFType, &format, kAudioFileFlags_EraseFile, &output)) return 2;
  if (ExtAudioFileSetProperty(input, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format)) return 3;
  static char memory[32 * 1024];
  for (SInt64 place = 0;;) {
    AudioBufferList list;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = channels;
    list.mBuffers[0].mDataByteSize = sizeof memory;
    list.mBuffers[0].mData = memory;
    UInt32 frames = sizeof memory / format.mBytesPerPacket;
    if (ExtAudioFileRead(input, &frames, &list)) return 4;
    if (frames == 0) break;
    if (AudioFileWritePackets(output, false, frames, NULL, place, &frames, memory)) return 5;
    place += frames;
  }
  ExtAudioFileDispose(input);
  return AudioFileClose(output) == noErr ? 0 : 6;
}
