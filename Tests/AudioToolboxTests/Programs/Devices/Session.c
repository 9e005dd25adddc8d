// An audio session on a device that is a file: categories, wishes, routes, listeners, and refusals.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>

#include "../AwaitLoop.h"
#include "Check.h"

static int changes, reason, other;

static void changed(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
  (void)data, (void)property, (void)size;
  CFDictionaryRef change = value;
  CFStringRef key = CFStringCreateWithCString(NULL, kAudioSession_AudioRouteChangeKey_Reason, kCFStringEncodingUTF8);
  CFNumberGetValue(CFDictionaryGetValue(change, key), kCFNumberIntType, &reason);
  CFRelease(key);
  CFDictionaryRef route = CFDictionaryGetValue(change, kAudioSession_AudioRouteChangeKey_CurrentRouteDescription);
  CFArrayRef inputs = CFDictionaryGetValue(route, kAudioSession_AudioRouteKey_Inputs);
  changes++;
  postToLoop();
  other = (int)CFArrayGetCount(inputs);
}

static void interrupted(void *data, UInt32 state) { (void)data, (void)state; }

int main(void) {
  beginAwaitLoop();
  printf("early %d\n", (int)AudioSessionSetActive(true) == kAudioSessionNotInitialized);
  CHECK(AudioSessionInitialize(NULL, NULL, interrupted, NULL));
  printf("twice %d\n", (int)AudioSessionInitialize(NULL, NULL, interrupted, NULL) == kAudioSessionAlreadyInitialized);

  Float64 rate = 44100;
  Float32 duration = 0.01f, number = 0;
  UInt32 word = 0, size = sizeof word;
  CHECK(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof rate, &rate));
  CHECK(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof duration, &duration));
  CHECK(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &word));
  printf("category %.4s", (char[]){(char)(word >> 24), (char)(word >> 16), (char)(word >> 8), (char)word});
  CHECK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, changed, NULL));
  CHECK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, changed, NULL));
  word = 1;
  printf(", mix %d", (int)AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, 4, &word) == kAudioSessionIncompatibleCategory);
  word = kAudioSessionCategory_PlayAndRecord;
  CHECK(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof word, &word));
  word = 1;
  CHECK(AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, 4, &word));
  word = 7;
  printf(", wrong %d", (int)AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &word) == kAudioSessionUnsupportedPropertyError);
  printf(" %d\n", (int)AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 2, &word) == kAudioSessionBadPropertySizeError);
  AWAIT_ON_LOOP(changes > 0);
  // No second change is left on the loop.
  while (CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true) == kCFRunLoopRunHandledSource) {
  }
  printf("changes %d, reason %d, inputs %d\n", changes, reason, other);

  CHECK(AudioSessionSetActive(true));
  size = sizeof rate;
  CHECK(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate));
  size = sizeof number;
  CHECK(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareIOBufferDuration, &size, &number));
  printf("rate %.0f, period %.1f ms", rate, number * 1000);
  size = sizeof word;
  CHECK(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, &size, &word));
  printf(", %u channels", word);
  CHECK(AudioSessionGetProperty(kAudioSessionProperty_AudioInputAvailable, &size, &word));
  printf(", input %u\n", word);
  CFStringRef route = NULL;
  size = sizeof route;
  CHECK(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route));
  char text[64] = "";
  CFStringGetCString(route, text, sizeof text, kCFStringEncodingUTF8);
  CFRelease(route);
  CFArrayRef places = NULL;
  CHECK(AudioSessionGetProperty(kAudioSessionProperty_OutputDestinations, &size, &places));
  printf("route %s, some destinations %d\n", text, CFArrayGetCount(places) > 0);
  CFRelease(places);
  CHECK(AudioSessionRemovePropertyListener(kAudioSessionProperty_AudioRouteChange));
  CHECK(AudioSessionSetActive(false));
  return 0;
}
