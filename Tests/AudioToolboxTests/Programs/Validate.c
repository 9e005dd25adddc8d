// A host that has a unit validated, and prints the status and the result.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Validate TYPE SUBTYPE MANUFACTURER [SECONDS]   the time limit of the unit
//
// Built with blocks it prints the details instead, a line each.

#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleValidation.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>
#include <stdlib.h>

static OSType code(const char *text) {
  return (OSType)text[0] << 24 | (OSType)text[1] << 16 | (OSType)text[2] << 8 | (OSType)text[3];
}

#if defined(__BLOCKS__)
static void print(CFDictionaryRef details, CFStringRef key) {
  CFArrayRef texts = CFDictionaryGetValue(details, key);
  for (CFIndex i = 0; i < CFArrayGetCount(texts); i++) {
    char text[1024];
    if (CFStringGetCString(
            CFArrayGetValueAtIndex(texts, i), text, sizeof text, kCFStringEncodingUTF8))
      puts(text);
  }
}
#endif

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  const AudioComponentDescription wanted = {code(argv[1]), code(argv[2]), code(argv[3]), 0, 0};
  const AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  if (component == NULL) return 69;
  AudioComponentValidationResult result = kAudioComponentValidationResult_Unknown;
  CFMutableDictionaryRef parameters = CFDictionaryCreateMutable(
      NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  if (argc > 4) {
    const Float64 seconds = atof(argv[4]);
    CFNumberRef limit = CFNumberCreate(NULL, kCFNumberFloat64Type, &seconds);
    CFDictionarySetValue(
        parameters, CFSTR(kAudioComponentValidationParameter_TimeOut), limit);
    CFRelease(limit);
  }
#if defined(__BLOCKS__)
  (void)result;
  const OSStatus told = AudioComponentValidateWithResults(
      component, parameters, ^(AudioComponentValidationResult found, CFDictionaryRef details) {
        printf("%u\n", (unsigned)found);
        print(details, CFSTR(kAuricleValidationDetail_Errors));
        print(details, CFSTR(kAuricleValidationDetail_Warnings));
      });
  CFRelease(parameters);
  return told == noErr ? 0 : 70;
#else
  const OSStatus status = AudioComponentValidate(component, parameters, &result);
  CFRelease(parameters);
  printf("%d %u\n", (int)status, (unsigned)result);
  return 0;
#endif
}
