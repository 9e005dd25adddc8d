// Plays a system sound twice at once, waits for its ends on the run loop, and reads all properties.
// SPDX-License-Identifier: Apache-2.0
//
// usage: SystemSound FILE [exit]
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Check.h"

static int ends;

static void heard(SystemSoundID sound, void *data) {
  (void)sound;
  if (++ends == *(int *)data) CFRunLoopStop(CFRunLoopGetCurrent());
}

static CFURLRef url(const char *path) {
  return CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
}

int main(int count, char **arguments) {
  SystemSoundID sound = 0, other = 0;
  CHECK(AudioServicesCreateSystemSoundID(url(arguments[1]), &sound));
  printf("missing %d\n", (int)AudioServicesCreateSystemSoundID(url("/nowhere.wav"), &other));

  UInt32 value = 9, size = 4, wrong = 2;
  Boolean writable = false;
  CHECK(AudioServicesGetProperty(kAudioServicesPropertyIsUISound, 4, &sound, &size, &value));
  printf("interface sound %u", value);
  CHECK(AudioServicesGetPropertyInfo(kAudioServicesPropertyIsUISound, 4, &sound, &size, &writable));
  printf(", %u bytes, %s; errors", size, writable ? "writable" : "fixed");
  printf(" %d", (int)AudioServicesGetProperty('none', 4, &sound, &size, &value));
  printf(" %d", (int)AudioServicesGetProperty(kAudioServicesPropertyIsUISound, 2, &sound, &size, &value));
  printf(" %d\n", (int)AudioServicesGetProperty(kAudioServicesPropertyIsUISound, 4, &sound, &wrong, &value));

  if (count > 2) {
    value = 1;
    CHECK(AudioServicesSetProperty(kAudioServicesPropertyCompletePlaybackIfAppDies, 4, &sound, 4, &value));
    AudioServicesPlaySystemSound(sound);
    return 0;
  }
  int wanted = 2;
  CHECK(AudioServicesAddSystemSoundCompletion(sound, NULL, NULL, heard, &wanted));
  AudioServicesPlaySystemSound(sound);
  AudioServicesPlayAlertSound(sound);
  AudioServicesPlaySystemSound(4711);
  AudioServicesPlaySystemSound(kSystemSoundID_Vibrate);
  // The ends stop it; only a hang reaches the limit.
  CFRunLoopRunInMode(kCFRunLoopDefaultMode, 120, false);
  printf("ends %d\n", ends);
  AudioServicesRemoveSystemSoundCompletion(sound);
  CHECK(AudioServicesDisposeSystemSoundID(sound));
  printf("gone %d\n", (int)AudioServicesDisposeSystemSoundID(sound));
  return 0;
}
