// A host that listens to a unit's parameters and properties: run loop, intervals, gestures, blocks.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <mach/mach_time.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "AwaitLoop.h"
#include "Heard.h"

static int marks;

static void onMark(void *userData, void *object, const AudioUnitParameter *parameter, Float32 value) {
  (void)userData, (void)object, (void)parameter, (void)value;
  marks++;
  postToLoop();
}

// Waits for two values at a longer interval than others: what was set before has come, or never comes.
static void awaitLater(AudioUnit unit) {
  AudioUnitParameter parameter = {unit, 1, kAudioUnitScope_Global, 0};
  AUParameterListenerRef listener = NULL;
  CHECK(AUListenerCreate(onMark, NULL, CFRunLoopGetCurrent(), kCFRunLoopDefaultMode, 0.15f, &listener) == noErr);
  CHECK(AUListenerAddParameter(listener, NULL, &parameter) == noErr);
  marks = 0;
  for (int round = 1; round <= 2; round++) {
    CHECK(AUParameterSet(NULL, NULL, &parameter, (Float32)round, 0) == noErr);
    AWAIT_ON_LOOP(marks >= round);
  }
  CHECK(AUListenerDispose(listener) == noErr);
}

static void *setFromElsewhere(void *parameter) {
  CHECK(AUParameterSet(NULL, NULL, parameter, 1234, 0) == noErr);
  return NULL;
}

// An interval of 0: at once, without a run loop.
static void atOnce(AudioUnit unit) {
  AudioUnitParameter cutoff = {unit, 0, kAudioUnitScope_Global, 0};
  AudioUnitParameter resonance = {unit, 1, kAudioUnitScope_Global, 0};
  AUParameterListenerRef listener = NULL;
  int a, b;
  CHECK(AUListenerCreate(onParameter, &count, NULL, NULL, 0, &listener) == noErr);
  CHECK(AUListenerAddParameter(listener, &a, &cutoff) == noErr);
  CHECK(AUListenerAddParameter(listener, &a, &cutoff) == noErr);  // once
  CHECK(AUListenerAddParameter(listener, &b, &resonance) == noErr);
  count = 0;
  CHECK(AUParameterSet(NULL, NULL, &cutoff, 1000, 0) == noErr);
  CHECK(count == 1 && heard[0].object == &a && heard[0].id == 0 && heard[0].value == 1000);
  // Beyond the range: listeners receive the value that the unit made of it.
  CHECK(AUParameterSet(NULL, NULL, &resonance, 1e6f, 0) == noErr);
  CHECK(count == 2 && heard[1].object == &b && heard[1].value == 40);
  // Setting the unit alone notifies no listener; a notification for any parameter reaches all.
  CHECK(AudioUnitSetParameter(unit, 0, 0, 0, 500, 0) == noErr);
  CHECK(count == 2);
  AudioUnitParameter any = {unit, kAUParameterListener_AnyParameter, 0, 0};
  CHECK(AUParameterListenerNotify(NULL, NULL, &any) == noErr);
  CHECK(count == 4 && heard[2].value == 500 && heard[3].value == 40);
  // The sender is not notified: one object of it, or all.
  CHECK(AUParameterSet(listener, &a, &cutoff, 600, 0) == noErr);
  CHECK(count == 4);
  CHECK(AUParameterSet(listener, &b, &cutoff, 700, 0) == noErr);
  CHECK(count == 5 && heard[4].value == 700);
  CHECK(AUParameterSet(listener, NULL, &cutoff, 800, 0) == noErr);
  CHECK(count == 5);
  // A failed setting is not announced.
  AudioUnitParameter none = {unit, 99, 0, 0};
  CHECK(AUParameterSet(NULL, NULL, &none, 1, 0) == kAudioUnitErr_InvalidParameter);
  CHECK(AUListenerRemoveParameter(listener, &a, &cutoff) == noErr);
  CHECK(AUListenerRemoveParameter(listener, &a, &cutoff) == noErr);
  CHECK(AUParameterSet(NULL, NULL, &cutoff, 900, 0) == noErr);
  CHECK(count == 5);
  // A listener that ends itself is not called for its other objects any more.
  AUParameterListenerRef brief = NULL;
  CHECK(AUListenerCreate(onParameter, &count, NULL, NULL, 0, &brief) == noErr);
  CHECK(AUListenerAddParameter(brief, &a, &cutoff) == noErr);
  CHECK(AUListenerAddParameter(brief, &b, &cutoff) == noErr);
  toDispose = brief;
  CHECK(AUParameterSet(NULL, NULL, &cutoff, 950, 0) == noErr);
  CHECK(count == 6 && heard[5].value == 950 && toDispose == NULL);
  // Mistakes.
  CHECK(AUListenerAddParameter(listener, &a, &any) == kAudio_ParamError);
  CHECK(AUListenerAddParameter(NULL, &a, &cutoff) == kAudio_ParamError);
  CHECK(AUListenerAddParameter(listener, &a, NULL) == kAudio_ParamError);
  CHECK(AUListenerCreate(NULL, NULL, NULL, NULL, 0, &listener) == kAudio_ParamError);
  CHECK(AUListenerDispose(listener) == noErr);
  CHECK(AUListenerDispose(listener) == kAudio_ParamError);
  CHECK(AUParameterSet(listener, NULL, &cutoff, 1, 0) == kAudio_ParamError);
}

// An interval: on the run loop, the last value of several that came together.
static void onRunLoop(AudioUnit unit) {
  AudioUnitParameter cutoff = {unit, 0, kAudioUnitScope_Global, 0};
  AUParameterListenerRef listener = NULL;
  CHECK(AUListenerCreate(
            onParameter, &count, CFRunLoopGetCurrent(), kCFRunLoopDefaultMode, 0.05f, &listener) ==
        noErr);
  CHECK(AUListenerAddParameter(listener, NULL, &cutoff) == noErr);
  count = 0;
  for (int i = 1; i <= 50; i++) AUParameterSet(NULL, NULL, &cutoff, 1000 + i, 0);
  CHECK(count == 0);
  awaitLater(unit);
  CHECK(count == 1 && heard[0].value == 1050);
  // From another thread; no call comes in a mode that does not run.
  pthread_t thread;
  pthread_create(&thread, NULL, setFromElsewhere, &cutoff);
  pthread_join(thread, NULL);
  CFRunLoopRunInMode(CFSTR("another mode"), 0.1, false);
  CHECK(count == 1);
  awaitLater(unit);
  CHECK(count == 2 && heard[1].value == 1234);
  // Values for a removed listener are not delivered; a listener may end itself.
  AUParameterSet(NULL, NULL, &cutoff, 77, 0);
  CHECK(AUListenerRemoveParameter(listener, NULL, &cutoff) == noErr);
  awaitLater(unit);
  CHECK(count == 2);
  CHECK(AUListenerAddParameter(listener, NULL, &cutoff) == noErr);
  toDispose = listener;
  AUParameterSet(NULL, NULL, &cutoff, 88, 0);
  awaitLater(unit);
  CHECK(count == 3 && heard[2].value == 88 && toDispose == NULL);
  CHECK(AUListenerDispose(listener) == kAudio_ParamError);
}

// Events: gestures keep their place, values within the granularity are one, property changes arrive.
static void events(AudioUnit unit) {
  AudioUnitEvent value = {.mEventType = kAudioUnitEvent_ParameterValueChange};
  value.mArgument.mParameter = (AudioUnitParameter){unit, 0, kAudioUnitScope_Global, 0};
  AudioUnitEvent begin = value, end = value;
  begin.mEventType = kAudioUnitEvent_BeginParameterChangeGesture;
  end.mEventType = kAudioUnitEvent_EndParameterChangeGesture;
  AudioUnitEvent frames = {.mEventType = kAudioUnitEvent_PropertyChange};
  frames.mArgument.mProperty =
      (AudioUnitProperty){unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0};
  AUEventListenerRef listener = NULL;
  CHECK(AUEventListenerCreate(onEvent, &count, NULL, NULL, 0.05f, 10, &listener) == noErr);
  CHECK(AUEventListenerAddEventType(listener, NULL, &begin) == noErr);
  CHECK(AUEventListenerAddEventType(listener, NULL, &value) == noErr);
  CHECK(AUEventListenerAddEventType(listener, NULL, &end) == noErr);
  CHECK(AUEventListenerAddEventType(listener, NULL, &frames) == noErr);
  count = 0;
  const UInt64 before = mach_absolute_time();
  CHECK(AUEventListenerNotify(NULL, NULL, &begin) == noErr);
  for (int i = 1; i <= 5; i++) AUParameterSet(NULL, NULL, &value.mArgument.mParameter, 100 + i, 0);
  CHECK(AUEventListenerNotify(NULL, NULL, &end) == noErr);
  AUParameterSet(NULL, NULL, &value.mArgument.mParameter, 200, 0);
  UInt32 number = 333;
  CHECK(AudioUnitSetProperty(
            unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &number, 4) == noErr);
  number = 334;
  CHECK(AudioUnitSetProperty(
            unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &number, 4) == noErr);
  const UInt64 after = mach_absolute_time();
  awaitLater(unit);
  CHECK(count == 5);
  CHECK(heard[0].type == kAudioUnitEvent_BeginParameterChangeGesture);
  CHECK(heard[1].type == kAudioUnitEvent_ParameterValueChange && heard[1].value == 105);
  CHECK(heard[2].type == kAudioUnitEvent_EndParameterChangeGesture);
  CHECK(heard[3].type == kAudioUnitEvent_ParameterValueChange && heard[3].value == 200);
  CHECK(heard[4].type == kAudioUnitEvent_PropertyChange && heard[4].id == 14);
  for (int i = 0; i < 5; i++) CHECK(heard[i].time >= before && heard[i].time <= after);
  for (int i = 1; i < 5; i++) CHECK(heard[i].time >= heard[i - 1].time);
  // No longer a listener: the unit sends it nothing.
  CHECK(AUEventListenerRemoveEventType(listener, NULL, &frames) == noErr);
  AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &number, 4);
  awaitLater(unit);
  CHECK(count == 5);
  CHECK(AUListenerDispose(listener) == noErr);
  // Without granularity every value arrives.
  CHECK(AUEventListenerCreate(onEvent, &count, NULL, NULL, 0.02f, 0, &listener) == noErr);
  CHECK(AUEventListenerAddEventType(listener, NULL, &value) == noErr);
  count = 0;
  for (int i = 1; i <= 5; i++) AUParameterSet(NULL, NULL, &value.mArgument.mParameter, 100 + i, 0);
  awaitLater(unit);
  CHECK(count == 5 && heard[0].value == 101 && heard[4].value == 105);
  CHECK(AUListenerDispose(listener) == noErr);
}

// Notifications for the elements of a mixer, and their pace.
static void elements(AudioUnit other) {
  AudioComponentDescription wanted = {
      kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit mixer = NULL;
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &mixer) == noErr);
  if (mixer == NULL) return;
  AUParameterListenerRef listener = NULL;
  CHECK(AUListenerCreate(onParameter, &count, NULL, NULL, 0, &listener) == noErr);
  AudioUnitParameter volume[4];
  int objects[4];
  for (UInt32 i = 0; i < 4; i++) {
    volume[i] = (AudioUnitParameter){mixer, kMultiChannelMixerParam_Volume, i < 3 ? 1 : 2, i % 3};
    CHECK(AUListenerAddParameter(listener, &objects[i], &volume[i]) == noErr);
  }
  count = 0;
  CHECK(AUParameterSet(NULL, NULL, &volume[1], 0.5f, 0) == noErr);
  CHECK(count == 1 && heard[0].object == &objects[1] && heard[0].value == 0.5f);
  // All parameters of a unit: every one with a listener, of any element.
  AudioUnitParameter any = {mixer, kAUParameterListener_AnyParameter, 0, 0};
  CHECK(AUParameterListenerNotify(NULL, NULL, &any) == noErr);
  CHECK(count == 5);
  // A notification does not set, and its value is the unit's own.
  CHECK(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, 1, 2, 0.25f, 0) == noErr);
  CHECK(AUParameterListenerNotify(NULL, NULL, &volume[2]) == noErr);
  CHECK(count == 6 && heard[5].object == &objects[2] && heard[5].value == 0.25f);
  // A second object for the same parameter is notified as well, unless it is the sender.
  int second;
  CHECK(AUListenerAddParameter(listener, &second, &volume[1]) == noErr);
  CHECK(AUParameterSet(NULL, NULL, &volume[1], 0.75f, 0) == noErr);
  CHECK(count == 8);
  CHECK(AUParameterSet(listener, &second, &volume[1], 0.8f, 0) == noErr);
  CHECK(count == 9 && heard[8].object == &objects[1]);
  CHECK(AUListenerDispose(listener) == noErr);
  // Not more often than the interval, at values that are 10 ms apart; the last one arrives.
  CHECK(AUListenerCreate(onParameter, &count, NULL, NULL, 0.1f, &listener) == noErr);
  CHECK(AUListenerAddParameter(listener, NULL, &volume[0]) == noErr);
  count = 0;
  const UInt64 before = mach_absolute_time();
  for (int i = 1; i <= 30; i++) {
    AUParameterSet(NULL, NULL, &volume[0], (Float32)i / 30, 0);
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.01, false);
  }
  awaitLater(other);
  mach_timebase_info_data_t base;
  mach_timebase_info(&base);
  const double spent = (double)(mach_absolute_time() - before) * base.numer / base.denom * 1e-9;
  CHECK(count >= 2 && count <= 2 + (int)(spent / 0.1));
  CHECK(count < kMost && heard[count - 1].value == 1);
  // Values that wait for a disposed unit are not delivered.
  const int told = count;
  AUParameterSet(NULL, NULL, &volume[0], 0.1f, 0);
  CHECK(AudioComponentInstanceDispose(mixer) == noErr);
  awaitLater(other);
  CHECK(count == told);
  CHECK(AUListenerDispose(listener) == noErr);
}

// Properties: announced by the unit itself, for the scope and element of the listener.
static void properties(AudioUnit unit) {
  AUEventListenerRef listener = NULL;
  AudioUnitEvent format = {.mEventType = kAudioUnitEvent_PropertyChange};
  format.mArgument.mProperty =
      (AudioUnitProperty){unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0};
  CHECK(AUEventListenerCreate(onEvent, &count, NULL, NULL, 0, 0, &listener) == noErr);
  CHECK(AUEventListenerAddEventType(listener, NULL, &format) == noErr);
  count = 0;
  Float64 rate = 48000;
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SampleRate, 1, 0, &rate, 8) == noErr);
  CHECK(count == 0);
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SampleRate, 2, 0, &rate, 8) == noErr);
  CHECK(count == 1 && heard[0].type == kAudioUnitEvent_PropertyChange && heard[0].scope == 2);
  // A host may announce it as well; the sender is not notified.
  CHECK(AUEventListenerNotify(NULL, NULL, &format) == noErr);
  CHECK(count == 2);
  CHECK(AUEventListenerNotify(listener, NULL, &format) == noErr);
  CHECK(count == 2);
  format.mEventType = 9;
  CHECK(AUEventListenerAddEventType(listener, NULL, &format) == kAudio_ParamError);
  CHECK(AUListenerDispose(listener) == noErr);
  CHECK(AUEventListenerCreate(onEvent, &count, NULL, NULL, -1, 0, &listener) == kAudio_ParamError);
}

// Values on controls and as digits.
static void values(AudioUnit unit) {
  AudioUnitParameter cutoff = {unit, 0, kAudioUnitScope_Global, 0};
  AudioUnitParameter resonance = {unit, 1, kAudioUnitScope_Global, 0};
  CHECK(AUParameterValueToLinear(-20, &resonance) == 0);
  CHECK(AUParameterValueToLinear(10, &resonance) == 0.5f);
  CHECK(AUParameterValueFromLinear(1, &resonance) == 40);
  CHECK(AUParameterValueFromLinear(7, &resonance) == 40);
  // 10 Hz to 22050 Hz, shown as a logarithm.
  CHECK(fabs(AUParameterValueFromLinear(0.5f, &cutoff) - sqrt(10 * 22050.0)) < 0.01);
  for (Float32 place = 0; place <= 1; place += 0.0625f) {
    const Float32 back =
        AUParameterValueToLinear(AUParameterValueFromLinear(place, &cutoff), &cutoff);
    CHECK(fabsf(back - place) < 1e-5f);
  }
  char text[32];
  CHECK(strcmp(AUParameterFormatValue(1234.5, &cutoff, text, 3), "1230") == 0);
  CHECK(strcmp(AUParameterFormatValue(0.01234, &cutoff, text, 3), "0.0123") == 0);
  CHECK(strcmp(AUParameterFormatValue(12.34, &cutoff, text, 3), "12.3") == 0);
  // The range of 60 dB says how many places there are.
  CHECK(strcmp(AUParameterFormatValue(-1.26, &resonance, text, 3), "-1.3") == 0);
}

#if defined(__BLOCKS__)
typedef struct dispatch_semaphore_s *dispatch_semaphore_t;
extern dispatch_queue_t dispatch_queue_create(const char *label, void *attributes);
extern dispatch_semaphore_t dispatch_semaphore_create(long value);
extern long dispatch_semaphore_wait(dispatch_semaphore_t semaphore, UInt64 timeout);
extern long dispatch_semaphore_signal(dispatch_semaphore_t semaphore);

static void blocks(AudioUnit unit) {
  AudioUnitParameter cutoff = {unit, 0, kAudioUnitScope_Global, 0};
  dispatch_queue_t queue = dispatch_queue_create("listener", NULL);
  dispatch_semaphore_t done = dispatch_semaphore_create(0);
  __block Float32 last = 0;
  AUParameterListenerRef listener = NULL;
  CHECK(AUListenerCreateWithDispatchQueue(
            &listener, 0.01f, queue, ^(void *object, const AudioUnitParameter *p, Float32 value) {
              (void)object;
              if (p->mParameterID == 0) last = value;
              dispatch_semaphore_signal(done);
            }) == noErr);
  CHECK(AUListenerAddParameter(listener, NULL, &cutoff) == noErr);
  CHECK(AUParameterSet(NULL, NULL, &cutoff, 4321, 0) == noErr);
  dispatch_semaphore_wait(done, ~0ull);
  CHECK(last == 4321);
  CHECK(AUListenerDispose(listener) == noErr);
  __block OSStatus prepared = 99;
  AudioConverterPrepare(0, NULL, NULL);
  AudioConverterPrepare(1, NULL, ^(OSStatus status) {
    prepared = status;
    dispatch_semaphore_signal(done);
  });
  dispatch_semaphore_wait(done, ~0ull);
  CHECK(prepared == kAudio_ParamError);
  __block UInt32 type = 99;
  AUEventListenerRef eventListener = NULL;
  CHECK(AUEventListenerCreateWithDispatchQueue(
            &eventListener, 0.01f, 0, queue,
            ^(void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) {
              (void)object, (void)time, (void)value;
              type = event->mEventType;
              dispatch_semaphore_signal(done);
            }) == noErr);
  AudioUnitEvent end = {.mEventType = kAudioUnitEvent_EndParameterChangeGesture};
  end.mArgument.mParameter = cutoff;
  CHECK(AUEventListenerAddEventType(eventListener, NULL, &end) == noErr);
  CHECK(AUEventListenerNotify(NULL, NULL, &end) == noErr);
  dispatch_semaphore_wait(done, ~0ull);
  CHECK(type == kAudioUnitEvent_EndParameterChangeGesture);
  CHECK(AUListenerDispose(eventListener) == noErr);

  AudioComponent component = AudioComponentInstanceGetComponent(unit);
  __block AudioUnit made = NULL;
  AudioComponentInstantiate(component, 0, ^(AudioComponentInstance instance, OSStatus status) {
    CHECK(status == noErr);
    made = instance;
  });
  CHECK(made != NULL && AudioComponentInstanceDispose(made) == noErr);
  __block AudioComponentValidationResult result = kAudioComponentValidationResult_Unknown;
  CHECK(AudioComponentValidateWithResults(
            component, NULL, ^(AudioComponentValidationResult found, CFDictionaryRef details) {
              (void)details;
              result = found;
            }) == noErr);
  CHECK(result == kAudioComponentValidationResult_Passed);
}
#endif

int main(void) {
  beginAwaitLoop();
  AudioUnit unit = openUnit(kAudioUnitSubType_LowPassFilter);
  if (unit == NULL) return 1;
  atOnce(unit);
  onRunLoop(unit);
  events(unit);
  elements(unit);
  values(unit);
  properties(unit);
  AudioComponentValidationResult result = kAudioComponentValidationResult_Unknown;
  CHECK(AudioComponentValidate(AudioComponentInstanceGetComponent(unit), NULL, &result) == noErr);
  CHECK(result == kAudioComponentValidationResult_Passed);
  CHECK(AudioComponentValidate(NULL, NULL, &result) == kAudio_ParamError);
#if defined(__BLOCKS__)
  blocks(unit);
#endif
  CHECK(AudioComponentInstanceDispose(unit) == noErr);
  printf("%d failures\n", failures);
  return failures != 0;
}
