// The controls of a device: volume, mute and source, by the device's properties and by objects of their own.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Controls UID; at the end it waits until somebody else sets the volume and mutes.
#include <AudioToolbox/AudioHardwareService.h>
#include <CoreAudio/CoreAudio.h>
#include <stdatomic.h>
#include <stdio.h>

#include "Check.h"
#include "LastNotice.h"
#include "NamedDevice.h"

enum { OUT = kAudioObjectPropertyScopeOutput, IN = kAudioObjectPropertyScopeInput };

static AudioObjectPropertyAddress at(UInt32 selector, UInt32 scope, UInt32 element) {
  AudioObjectPropertyAddress address = {selector, scope, element};
  return address;
}

static Float32 number(AudioObjectID object, UInt32 selector, UInt32 scope, UInt32 element, Float32 value) {
  AudioObjectPropertyAddress address = at(selector, scope, element);
  UInt32 size = sizeof value;
  CHECK(AudioObjectGetPropertyData(object, &address, 0, NULL, &size, &value));
  return value;
}

static UInt32 word(AudioObjectID object, UInt32 selector, UInt32 scope) {
  AudioObjectPropertyAddress address = at(selector, scope, 0);
  UInt32 value = 0, size = sizeof value;
  CHECK(AudioObjectGetPropertyData(object, &address, 0, NULL, &size, &value));
  return value;
}

static void set(AudioObjectID object, UInt32 selector, UInt32 scope, UInt32 element, const void *value) {
  AudioObjectPropertyAddress address = at(selector, scope, element);
  CHECK(AudioObjectSetPropertyData(object, &address, 0, NULL, 4, value));
}

static void setNumber(AudioObjectID object, UInt32 selector, UInt32 element, Float32 value) {
  set(object, selector, OUT, element, &value);
}

static void sources(AudioObjectID device) {
  AudioObjectPropertyAddress address = at(kAudioDevicePropertyDataSources, IN, 0);
  UInt32 items[8], size = sizeof items;
  CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, items));
  printf("sources %u:", size / 4);
  for (UInt32 index = 0; index < size / 4; index++) {
    CFStringRef name = NULL;
    AudioValueTranslation translation = {&items[index], 4, &name, sizeof name};
    UInt32 room = sizeof translation;
    address = at(kAudioDevicePropertyDataSourceNameForIDCFString, IN, 0);
    CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &room, &translation));
    char text[64] = "?";
    CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
    CFRelease(name);
    printf(" %s", text);
  }
  UInt32 second = items[1];
  set(device, kAudioDevicePropertyDataSource, IN, 0, &second);
  printf(", chosen %d\n", word(device, kAudioDevicePropertyDataSource, IN) == second);
}

// Every control as an object: its class, its side, its element.
static void objects(AudioObjectID device) {
  AudioObjectPropertyAddress address = at(kAudioObjectPropertyControlList, kAudioObjectPropertyScopeGlobal, 0);
  AudioObjectID found[32];
  UInt32 size = sizeof found;
  CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, found));
  for (UInt32 index = 0; index < size / 4; index++) {
    UInt32 class = word(found[index], kAudioObjectPropertyClass, kAudioObjectPropertyScopeGlobal);
    UInt32 scope = word(found[index], kAudioControlPropertyScope, kAudioObjectPropertyScopeGlobal);
    UInt32 element = word(found[index], kAudioControlPropertyElement, kAudioObjectPropertyScopeGlobal);
    if (word(found[index], kAudioObjectPropertyOwner, kAudioObjectPropertyScopeGlobal) != device) printf("whose? ");
    printf("%c%c%c%c %s %u%s", class >> 24, class >> 16 & 255, class >> 8 & 255, class & 255,
        scope == OUT ? "out" : "in", element, index + 1 < size / 4 ? ", " : "\n");
    if (class != kAudioVolumeControlClassID || scope != OUT || element != 0) continue;
    Float32 half = 0.5f;
    set(found[index], kAudioLevelControlPropertyScalarValue, kAudioObjectPropertyScopeGlobal, 0, &half);
  }
}

static _Atomic int heard[3];

static OSStatus changed(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count, (void)addresses;
  atomic_fetch_add(&heard[(long)data], 1);
  post();
  return noErr;
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  setvbuf(stdout, NULL, _IOLBF, 0);
  AudioObjectID device = deviceNamed(argv[1]);

  AudioValueRange range;
  AudioObjectPropertyAddress address = at(kAudioDevicePropertyVolumeRangeDecibels, OUT, 0);
  UInt32 size = sizeof range;
  CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &range));
  printf("range %g to %g dB, 0.5 is %g dB, -8 dB is %g\n", range.mMinimum, range.mMaximum,
      number(device, kAudioDevicePropertyVolumeScalarToDecibels, OUT, 0, 0.5f),
      number(device, kAudioDevicePropertyVolumeDecibelsToScalar, OUT, 0, -8));

  setNumber(device, kAudioDevicePropertyVolumeScalar, 1, 1);
  setNumber(device, kAudioDevicePropertyVolumeDecibels, 2, -16);
  printf("channels %g %g, all %g, balance %g\n", number(device, kAudioDevicePropertyVolumeScalar, OUT, 1, 0),
      number(device, kAudioDevicePropertyVolumeScalar, OUT, 2, 0),
      number(device, kAudioHardwareServiceDeviceProperty_VirtualMainVolume, OUT, 0, 0),
      number(device, kAudioHardwareServiceDeviceProperty_VirtualMainBalance, OUT, 0, 0));
  setNumber(device, kAudioHardwareServiceDeviceProperty_VirtualMainVolume, 0, 0.5f);
  printf("at half %g %g\n", number(device, kAudioDevicePropertyVolumeScalar, OUT, 1, 0),
      number(device, kAudioDevicePropertyVolumeScalar, OUT, 2, 0));
  setNumber(device, kAudioHardwareServiceDeviceProperty_VirtualMainBalance, 0, 1);
  printf("to the right %g %g\n", number(device, kAudioDevicePropertyVolumeScalar, OUT, 1, 0),
      number(device, kAudioDevicePropertyVolumeScalar, OUT, 2, 0));

  UInt32 no = 0;
  set(device, kAudioDevicePropertyMute, OUT, 0, &no);
  UInt32 before = word(device, kAudioDevicePropertyMute, OUT), yes = 1;
  set(device, kAudioDevicePropertyMute, OUT, 0, &yes);
  printf("mute %u %u\n", before, word(device, kAudioDevicePropertyMute, OUT));
  address = at(kAudioDevicePropertyVolumeScalar, OUT, 3);
  Boolean canSet = false;
  OSStatus third = AudioObjectIsPropertySettable(device, &address, &canSet);
  address.mElement = 1;
  CHECK(AudioObjectIsPropertySettable(device, &address, &canSet));
  printf("third channel %d, settable %d\n", third == kAudioHardwareUnknownPropertyError, canSet);
  sources(device);
  objects(device);

  AudioObjectPropertyAddress listened[3] = {at(kAudioDevicePropertyVolumeScalar, OUT, 1),
      at(kAudioDevicePropertyMute, OUT, 0), at(kAudioHardwareServiceDeviceProperty_VirtualMainVolume, OUT, 0)};
  // Changes made above are announced before the first listener.
  awaitLastNotice(device, kAudioDevicePropertyVolumeScalar, IN,
      number(device, kAudioDevicePropertyVolumeScalar, IN, 0, 0) > 0.5f ? 0.25f : 0.75f);
  for (long index = 0; index < 3; index++)
    CHECK(AudioObjectAddPropertyListener(device, &listened[index], changed, (void *)index));
  printf("listening\n");
  AWAIT(atomic_load(&heard[0]) && atomic_load(&heard[1]) && atomic_load(&heard[2]));
  printf("heard %d %d %d\n", heard[0] > 0, heard[1] > 0, heard[2] > 0);
  printf("now %g, mute %u\n", number(device, kAudioDevicePropertyVolumeScalar, OUT, 1, 0),
      word(device, kAudioDevicePropertyMute, OUT));
  return 0;
}
