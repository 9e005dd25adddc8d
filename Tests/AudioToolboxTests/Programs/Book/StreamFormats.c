// Lists how a kind of file can hold a format.
// SPDX-License-Identifier: Apache-2.0
//
// usage: StreamFormats TYPE FORMAT, each of four characters
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>

static UInt32 code(const char *text) {
  UInt32 value = 0;
  for (int index = 0; index < 4; ++index) value = value << 8 | (UInt8)text[index];
  return value;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  AudioFileTypeAndFormatID pair;
  pair.mFileType = code(arguments[1]);
  pair.mFormatID = code(arguments[2]);
  UInt32 size = 0;
  OSStatus status = AudioFileGetGlobalInfoSize(
      kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, sizeof pair, &pair, &size);
  if (status != noErr) {
    UInt32 swapped = CFSwapInt32HostToBig((UInt32)status);
    printf("error: %.4s\n", (const char *)&swapped);
    return 1;
  }
  AudioStreamBasicDescription *list = (AudioStreamBasicDescription *)malloc(size);
  if (AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat, sizeof pair,
                             &pair, &size, list) != noErr) return 2;
  for (UInt32 index = 0; index < size / sizeof *list; ++index) {
    UInt32 format = CFSwapInt32HostToBig(list[index].mFormatID);
    printf("%u: %.4s, flags %u, %u bits\n", (unsigned)index, (const char *)&format,
           (unsigned)list[index].mFormatFlags, (unsigned)list[index].mBitsPerChannel);
  }
  free(list);
  return 0;
}
