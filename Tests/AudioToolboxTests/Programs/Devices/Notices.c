// Each listener is called once for a change, with the scope and the element that it was set for.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Check.h"
#include "NamedDevice.h"

// Properties that a program may wait for: each listener is called where the value changes, and only there.
static const AudioObjectPropertySelector properties[] = {
    kAudioDevicePropertyBufferFrameSize, kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyStreamFormat,
    kAudioDevicePropertyActualSampleRate, kAudioDevicePropertyAvailableNominalSampleRates,
    kAudioDevicePropertyBufferFrameSizeRange, kAudioDevicePropertyLatency, kAudioDevicePropertySafetyOffset,
    kAudioDevicePropertyStreams, kAudioDevicePropertyStreamConfiguration, kAudioDevicePropertyDeviceIsAlive,
    kAudioDevicePropertyDeviceIsRunning, kAudioDevicePropertyDeviceIsRunningSomewhere,
    kAudioDevicePropertyDeviceHasChanged, kAudioDevicePropertyHogMode, kAudioDevicePropertyTransportType,
    kAudioDevicePropertyClockDomain, kAudioDevicePropertyDataSource, kAudioDevicePropertyJackIsConnected,
    kAudioDevicePropertyVolumeScalar, kAudioDevicePropertyMute, kAudioDevicePropertyPreferredChannelsForStereo,
    kAudioObjectPropertyName, kAudioObjectPropertyOwnedObjects, kAudioObjectPropertyControlList,
};
enum { propertyCount = sizeof properties / sizeof *properties, scopeCount = 3, elementCount = 3 };
static const AudioObjectPropertyScope scopes[scopeCount] = {
    kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeInput, kAudioObjectPropertyScopeOutput};
static struct { int calls, wrong; } seen[propertyCount][scopeCount][elementCount];
static int unitCalls[2][3][2];
static sem_t last;

static OSStatus changed(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count;
  long place = (long)data;
  long property = place / 9, scope = place / 3 % 3, element = place % 3;
  seen[property][scope][element].calls++;
  seen[property][scope][element].wrong += addresses->mSelector != properties[property] ||
      addresses->mScope != scopes[scope] || addresses->mElement != (UInt32)element;
  return noErr;
}

static OSStatus ending(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count, (void)addresses, (void)data;
  sem_post(&last);
  return noErr;
}

static void unitChanged(void *data, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
    AudioUnitElement element) {
  (void)data, (void)unit;
  if (scope < 3 && element < 2) unitCalls[property != kAudioDevicePropertyBufferFrameSize][scope][element]++;
}

/// The bytes of a property, of the whole device; nothing for one that it does not have.
static UInt32 valueOf(AudioObjectID device, AudioObjectPropertySelector selector, Byte bytes[256]) {
  AudioObjectPropertyAddress address = {selector, kAudioObjectPropertyScopeGlobal, 0};
  UInt32 size = 256;
  memset(bytes, 0, 256);
  return AudioObjectGetPropertyData(device, &address, 0, NULL, &size, bytes) == noErr ? size : 0;
}

static void set(AudioObjectID device, AudioObjectPropertySelector selector, const void *value, UInt32 size) {
  AudioObjectPropertyAddress address = {selector, kAudioObjectPropertyScopeGlobal, 0};
  CHECK(AudioObjectSetPropertyData(device, &address, 0, NULL, size, value));
}

int main(void) {
  AudioObjectID device = defaultOutput();
  sem_init(&last, 0, 0);
  AudioComponentDescription wanted = {
      kAudioUnitType_Output, kAudioUnitSubType_HALOutput, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit));
  CHECK(AudioUnitAddPropertyListener(unit, kAudioDevicePropertyBufferFrameSize, unitChanged, NULL));
  CHECK(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_StreamFormat, unitChanged, NULL));
  for (long property = 0; property < propertyCount; property++)
    for (long scope = 0; scope < scopeCount; scope++)
      for (long element = 0; element < elementCount; element++) {
        AudioObjectPropertyAddress address = {properties[property], scopes[scope], (UInt32)element};
        CHECK(AudioObjectAddPropertyListener(device, &address, changed, (void *)(property * 9 + scope * 3 + element)));
      }
  static Byte before[propertyCount][256], after[256];
  for (int property = 0; property < propertyCount; property++) valueOf(device, properties[property], before[property]);
  UInt32 frames = 1000, usage = 0, changes = 0;
  Float64 rate = 44100;
  Float32 share = 0.5f;
  set(device, kAudioDevicePropertyBufferFrameSize, &frames, sizeof frames);
  set(device, kAudioDevicePropertyNominalSampleRate, &rate, sizeof rate);
  // The same again is no change.
  set(device, kAudioDevicePropertyBufferFrameSize, &frames, sizeof frames);
  set(device, kAudioDevicePropertyNominalSampleRate, &rate, sizeof rate);
  // Notices come in the order of the changes: the one of this is the last.
  AudioObjectPropertyAddress end = {kAudioDevicePropertyIOCycleUsage, kAudioObjectPropertyScopeGlobal, 0};
  CHECK(AudioObjectAddPropertyListener(device, &end, ending, NULL));
  set(device, kAudioDevicePropertyIOCycleUsage, &share, sizeof share);
  sem_wait(&last);
  for (int property = 0; property < propertyCount; property++) {
    valueOf(device, properties[property], after);
    // Names are objects, of which each reading makes another.
    int isChanged = properties[property] != kAudioObjectPropertyName && memcmp(before[property], after, 256) != 0;
    changes += (UInt32)isChanged;
    for (int scope = 0; scope < scopeCount; scope++)
      for (int element = 0; element < elementCount; element++) {
        int isWrong = seen[property][scope][element].calls != isChanged || seen[property][scope][element].wrong != 0;
        if (isWrong)
          printf("property %d, scope %d, element %d: %d calls, changed %d\n", property, scope, element,
              seen[property][scope][element].calls, isChanged);
        usage += (UInt32)isWrong;
      }
  }
  printf("changed %u\n", changes);
  printf("wrong %u of %d\n", usage, propertyCount * scopeCount * elementCount);
  printf("unit: global %d, output's %d, input's %d, others %d\n", unitCalls[0][0][0], unitCalls[0][1][0],
      unitCalls[0][2][1], unitCalls[0][0][1] + unitCalls[0][1][1] + unitCalls[0][2][0]);
  printf("format: output's %d, input's %d, others %d\n", unitCalls[1][2][0], unitCalls[1][1][1],
      unitCalls[1][0][0] + unitCalls[1][0][1]);
  CHECK(AudioComponentInstanceDispose(unit));
  return 0;
}
