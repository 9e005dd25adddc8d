// Plays through a unit in another process, which ends inside of a render: the instance is lost, and the program goes on.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { frames = 64 };

static sem_t arrived;
static const void *lostObject;
static int servicePID, hostPID, calls, others;

static int number(CFDictionaryRef info, CFStringRef key) {
  int value = 0;
  CFNumberRef found = CFDictionaryGetValue(info, key);
  if (found) CFNumberGetValue(found, kCFNumberIntType, &value);
  return value;
}

static void lost(CFNotificationCenterRef center, void *observer, CFStringRef name, const void *object,
                 CFDictionaryRef info) {
  (void)center;
  if (observer != &arrived || !CFEqual(name, kAudioComponentInstanceInvalidationNotification)) return;
  calls++;
  lostObject = object;
  servicePID = number(info, CFSTR("Service PID"));
  hostPID = number(info, CFSTR("Host PID"));
  sem_post(&arrived);
}

static void never(CFNotificationCenterRef center, void *observer, CFStringRef name, const void *object,
                  CFDictionaryRef info) {
  (void)center, (void)observer, (void)name, (void)object, (void)info;
  others++;
}

static float level;

static OSStatus giveInput(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
                          UInt32 count, AudioBufferList *list) {
  (void)context, (void)flags, (void)stamp, (void)bus;
  for (UInt32 buffer = 0; buffer < list->mNumberBuffers; buffer++)
    for (UInt32 frame = 0; frame < count; frame++) ((float *)list->mBuffers[buffer].mData)[frame] = level;
  return 0;
}

static AudioUnit openUnit(AudioComponent component) {
  __block AudioUnit made = NULL;
  AudioComponentInstantiate(component, kAudioComponentInstantiation_LoadOutOfProcess,
                            ^(AudioComponentInstance instance, OSStatus status) { made = status ? NULL : instance; });
  if (!made) return NULL;
  AudioStreamBasicDescription format = {48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 4, 1, 4, 1, 32, 0};
  AURenderCallbackStruct input = {giveInput, NULL};
  AudioUnitSetProperty(made, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format);
  AudioUnitSetProperty(made, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, sizeof format);
  AudioUnitSetProperty(made, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input, sizeof input);
  return AudioUnitInitialize(made) ? NULL : made;
}

static OSStatus render(AudioUnit unit, double time, float *heard) {
  float samples[frames] = {0};
  AudioBufferList list = {1, {{1, sizeof samples, samples}}};
  AudioTimeStamp stamp = {.mSampleTime = time, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  const OSStatus status = AudioUnitRender(unit, &flags, &stamp, 0, frames, &list);
  *heard = samples[frames / 2];
  return status;
}

static int isLost(OSStatus status) { return status == kAudioComponentErr_InstanceInvalidated; }

/// Whether every call of a lost instance says so.
static int callsSaySo(AudioUnit unit) {
  Float64 seconds = 0;
  UInt32 size = sizeof seconds, frameCount = 128;
  Float32 value = 0;
  CFPropertyListRef state = NULL;
  UInt32 stateSize = sizeof state;
  float heard = 0;
  const AudioUnitParameterEvent event = {kAudioUnitScope_Global, 0, 0, kParameterEvent_Immediate, {{0, 0, 0, 0}}};
  const OSStatus said[] = {
      render(unit, 1e6, &heard),
      AudioUnitSetParameter(unit, 0, kAudioUnitScope_Global, 0, value, 0),
      AudioUnitScheduleParameters(unit, &event, 1),
      AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frameCount,
                           sizeof frameCount),
      AudioUnitGetProperty(unit, kAudioUnitProperty_TailTime, kAudioUnitScope_Global, 0, &seconds, &size),
      AudioUnitGetProperty(unit, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &seconds, &size),
      AudioUnitGetProperty(unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &state, &stateSize),
      AudioUnitReset(unit, kAudioUnitScope_Global, 0),
  };
  for (size_t index = 0; index < sizeof said / sizeof *said; index++)
    if (!isLost(said[index])) printf("call %zu: %d\n", index, (int)said[index]);
  AudioUnitUninitialize(unit);
  return isLost(AudioUnitInitialize(unit));
}

int main(void) {
  AudioComponentDescription wanted = {kAudioUnitType_Effect, 0, 0, 0, 0};
  AudioComponent component = NULL, found = NULL;
  while ((found = AudioComponentFindNext(found, &wanted))) {
    CFStringRef name = NULL;
    char text[200] = "";
    if (!AudioComponentCopyName(found, &name)) CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
    if (name) CFRelease(name);
    if (strstr(text, "Hostile")) component = found;
  }
  AudioUnit unit = component ? openUnit(component) : NULL, second = unit ? openUnit(component) : NULL;
  printf("opened %d\n", second != NULL);
  if (!second) return 1;
  sem_init(&arrived, 0, 0);
  CFNotificationCenterRef center = CFNotificationCenterGetLocalCenter();
  CFNotificationCenterAddObserver(center, &arrived, lost, kAudioComponentInstanceInvalidationNotification, unit,
                                  CFNotificationSuspensionBehaviorDeliverImmediately);
  CFNotificationCenterAddObserver(center, &others, never, kAudioComponentInstanceInvalidationNotification, second,
                                  CFNotificationSuspensionBehaviorDeliverImmediately);
  CFNotificationCenterAddObserver(center, &calls, never, kAudioComponentInstanceInvalidationNotification, NULL,
                                  CFNotificationSuspensionBehaviorDeliverImmediately);
  CFNotificationCenterRemoveEveryObserver(center, &calls);
  float heard = 0;
  level = 0.5f;
  OSStatus status = render(unit, 0, &heard);
  printf("rendered %d %.1f\n", (int)status, heard);
  // The unit ends its process at a sample above 0.9; a slice has no sound of it.
  level = 0.95f;
  render(unit, frames, &heard);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 30;
  const int isTold = sem_timedwait(&arrived, &limit) == 0;
  printf("notified %d, object %d, host %d, service %d, others %d\n", isTold, lostObject == unit, hostPID == getpid(),
         servicePID > 0 && servicePID != getpid(), others);
  printf("all lost %d\n", callsSaySo(unit));
  level = 0.25f;
  status = render(second, 0, &heard);
  printf("the other one %d %.2f\n", (int)status, heard);
  CFNotificationCenterRemoveObserver(center, &arrived, kAudioComponentInstanceInvalidationNotification, unit);
  AudioComponentInstanceDispose(unit);
  unit = openUnit(component);
  status = unit ? render(unit, 0, &heard) : -1;
  printf("again %d %.2f, notified %d\n", (int)status, heard, calls);
  AudioComponentInstanceDispose(unit);
  AudioComponentInstanceDispose(second);
  return 0;
}
