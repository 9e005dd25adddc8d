// Shows the metadata of a sound file: its information dictionary.
// SPDX-License-Identifier: Apache-2.0
//
// usage: FileMetadata FILE
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <string.h>

static void show(const void *key, const void *value, void *context) {
  char name[256] = "", text[256] = "";
  (void)context;
  CFStringGetCString((CFStringRef)key, name, sizeof name, kCFStringEncodingUTF8);
  CFStringGetCString((CFStringRef)value, text, sizeof text, kCFStringEncodingUTF8);
  printf("%s = %s\n", name, text);
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)arguments[1], (CFIndex)strlen(arguments[1]), false);
  AudioFileID file = NULL;
  if (AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file) != noErr) return 66;
  UInt32 size = 0;
  if (AudioFileGetPropertyInfo(file, kAudioFilePropertyInfoDictionary, &size, NULL) != noErr) return 1;
  CFDictionaryRef info = NULL;
  if (AudioFileGetProperty(file, kAudioFilePropertyInfoDictionary, &size, &info) != noErr) return 2;
  CFDictionaryApplyFunction(info, show, NULL);
  CFRelease(info);
  CFRelease(url);
  return AudioFileClose(file) == noErr ? 0 : 3;
}
