// Waits until a device is in the list of the system object, and until it is not any more.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Devices UID
#include <CoreAudio/CoreAudio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../Await.h"
#include "Check.h"

static _Atomic int notices;

static OSStatus told(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count, (void)addresses, (void)data;
  atomic_fetch_add(&notices, 1);
  post();
  return noErr;
}

// Whether a device is in the list, which is read only after a notification.
static int isListed(const char *name) {
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal, 0};
  AudioObjectID found[256];
  UInt32 size = sizeof found;
  CHECK(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, found));
  for (UInt32 index = 0; index < size / 4; index++) {
    CFStringRef uid = NULL;
    char text[128] = "";
    UInt32 room = sizeof uid;
    address.mSelector = kAudioDevicePropertyDeviceUID;
    // It may have gone meanwhile.
    if (AudioObjectGetPropertyData(found[index], &address, 0, NULL, &room, &uid) != noErr) continue;
    CFStringGetCString(uid, text, sizeof text, kCFStringEncodingUTF8);
    CFRelease(uid);
    if (!strcmp(text, name)) return 1;
  }
  return 0;
}

static void waitFor(const char *name, int isThere) {
  AWAIT(atomic_load(&notices) > 0 && isListed(name) == isThere);
  if (isListed(name) == isThere) printf("%s, notices %d\n", isThere ? "came" : "went", atomic_load(&notices) > 0);
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  setvbuf(stdout, NULL, _IOLBF, 0);
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal, 0};
  CHECK(AudioObjectAddPropertyListener(kAudioObjectSystemObject, &address, told, NULL));
  if (isListed(argv[1])) return 1;
  printf("listening\n");
  waitFor(argv[1], 1);
  atomic_store(&notices, 0);
  waitFor(argv[1], 0);
  return 0;
}
