// Decodes a file with a converter that asks for packets, into 16 bits in AIFF.
// SPDX-License-Identifier: Apache-2.0
//
// usage: ConverterFile IN OUT
#include <AudioToolbox/AudioToolbox.h>
#include <stdlib.h>
#include <string.h>

typedef struct Settings {
  AudioFileID input;
  AudioStreamBasicDescription format;
  UInt64 place, packets;
  UInt32 largest;
  void *memory;
  AudioStreamPacketDescription *descriptions;
} Settings;

static CFURLRef url(const char *path) {
  return CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
}

static OSStatus give(AudioConverterRef converter, UInt32 *count, AudioBufferList *data,
                     AudioStreamPacketDescription **descriptions, void *userData) {
  Settings *settings = (Settings *)userData;
  (void)converter;
  data->mBuffers[0].mData = NULL;
  data->mBuffers[0].mDataByteSize = 0;
  if (settings->place + *count > settings->packets) *count = (UInt32)(settings->packets - settings->place);
  if (*count == 0) return noErr;
  free(settings->memory);
  UInt32 bytes = *count * settings->largest;
  settings->memory = calloc(1, bytes);
  free(settings->descriptions);
  settings->descriptions = (AudioStreamPacketDescription *)calloc(*count, sizeof *settings->descriptions);
  OSStatus status = AudioFileReadPackets(settings->input, true, &bytes, settings->descriptions,
                                         (SInt64)settings->place, count, settings->memory);
  settings->place += *count;
  data->mBuffers[0].mData = settings->memory;
  data->mBuffers[0].mDataByteSize = bytes;
  if (descriptions) *descriptions = settings->descriptions;
  return status;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  Settings settings;
  memset(&settings, 0, sizeof settings);
  if (AudioFileOpenURL(url(arguments[1]), kAudioFileReadPermission, 0, &settings.input)) return 66;
  UInt32 size = sizeof settings.format;
  if (AudioFileGetProperty(settings.input, kAudioFilePropertyDataFormat, &size, &settings.format)) return 1;
  size = sizeof settings.packets;
  if (AudioFileGetProperty(settings.input, kAudioFilePropertyAudioDataPacketCount, &size, &settings.packets)) return 2;
  size = sizeof settings.largest;
  if (AudioFileGetProperty(settings.input, kAudioFilePropertyMaximumPacketSize, &size, &settings.largest)) return 3;
  AudioStreamBasicDescription format;
  memset(&format, 0, sizeof format);
  format.mSampleRate = settings.format.mSampleRate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = 14;
  format.mBitsPerChannel = 16;
  format.mChannelsPerFrame = settings.format.mChannelsPerFrame;
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = format.mBytesPerPacket = 2 * format.mChannelsPerFrame;
  AudioFileID output = NULL;
  if (AudioFileCreateWithURL(url(arguments[2]), kAudioFileAIFFType, &format, kAudioFileFlags_EraseFile, &output)) return 4;
  AudioConverterRef converter = NULL;
  if (AudioConverterNew(&settings.format, &format, &converter)) return 5;
  UInt32 cookieSize = 0;
  if (AudioFileGetPropertyInfo(settings.input, kAudioFilePropertyMagicCookieData, &cookieSize, NULL) == noErr && cookieSize > 0) {
    void *cookie = malloc(cookieSize);
    if (AudioFileGetProperty(settings.input, kAudioFilePropertyMagicCookieData, &cookieSize, cookie) == noErr)
      AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, cookieSize, cookie);
    free(cookie);
  }
  static char memory[32 * 1024];
  for (SInt64 place = 0;;) {
    AudioBufferList list;
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = format.mChannelsPerFrame;
    list.mBuffers[0].mDataByteSize = sizeof memory;
    list.mBuffers[0].mData = memory;
    UInt32 frames = sizeof memory / format.mBytesPerPacket;
    OSStatus status = AudioConverterFillComplexBuffer(converter, give, &settings, &frames, &list, NULL);
    if (status != noErr) return 6;
    if (frames == 0) break;
    // The number of bytes is not believed: it may well be one of packets.
    if (AudioFileWritePackets(output, false, frames, NULL, place, &frames, memory)) return 7;
    place += frames;
  }
  AudioConverterDispose(converter);
  AudioFileClose(settings.input);
  return AudioFileClose(output) == noErr ? 0 : 8;
}
