// Reads the settings of converters and codecs as dictionaries, changes one, and sets them back.
// SPDX-License-Identifier: Apache-2.0

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(int isRight, const char *what, int line) {
  if (isRight) return;
  printf("line %d: %s\n", line, what);
  failures++;
}
#define EXPECT(x) expect(x, #x, __LINE__)

static AudioStreamBasicDescription linear(double rate) {
  AudioStreamBasicDescription format = {
      rate, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
  return format;
}

static int isKey(CFDictionaryRef parameter, const char *code) {
  CFStringRef key = CFDictionaryGetValue(parameter, CFSTR(kAudioSettings_SettingKey));
  char text[8] = "";
  CFStringGetCString(key, text, sizeof text, kCFStringEncodingUTF8);
  return strcmp(text, code) == 0;
}

// A copy of a dictionary of settings, with another number for one.
static CFDictionaryRef changed(CFDictionaryRef settings, const char *code, long number) {
  CFMutableDictionaryRef copy = CFDictionaryCreateMutableCopy(NULL, 0, settings);
  CFMutableArrayRef parameters = CFArrayCreateMutableCopy(
      NULL, 0, CFDictionaryGetValue(settings, CFSTR(kAudioSettings_Parameters)));
  CFNumberRef value = CFNumberCreate(NULL, kCFNumberLongType, &number);
  for (CFIndex i = 0; i < CFArrayGetCount(parameters); i++) {
    CFDictionaryRef parameter = CFArrayGetValueAtIndex(parameters, i);
    if (!isKey(parameter, code)) continue;
    CFMutableDictionaryRef other = CFDictionaryCreateMutableCopy(NULL, 0, parameter);
    CFDictionarySetValue(other, CFSTR(kAudioSettings_CurrentValue), value);
    CFArraySetValueAtIndex(parameters, i, other);
    CFRelease(other);
  }
  CFDictionarySetValue(copy, CFSTR(kAudioSettings_Parameters), parameters);
  CFRelease(value);
  CFRelease(parameters);
  return copy;
}

static void converters(void) {
  AudioStreamBasicDescription from = linear(48000), to = {0};
  to.mFormatID = kAudioFormatMPEG4AAC;
  to.mSampleRate = 44100;
  to.mChannelsPerFrame = 2;
  AudioConverterRef converter = NULL;
  EXPECT(AudioConverterNew(&from, &to, &converter) == noErr);
  UInt32 size = 0;
  Boolean isWritable = 0;
  EXPECT(AudioConverterGetPropertyInfo(converter, kAudioConverterPropertySettings, &size, &isWritable) == noErr);
  EXPECT(size == sizeof(CFArrayRef) && isWritable);
  CFArrayRef settings = NULL;
  EXPECT(AudioConverterGetProperty(converter, kAudioConverterPropertySettings, &size, &settings) == noErr);
  // The encoder, and the filter between the rates.
  EXPECT(settings && CFArrayGetCount(settings) == 2);
  CFDictionaryRef encoder = changed(CFArrayGetValueAtIndex(settings, 0), "brat", 96000);
  const void *both[] = {encoder, CFArrayGetValueAtIndex(settings, 1)};
  CFArrayRef other = CFArrayCreate(NULL, both, 2, &kCFTypeArrayCallBacks);
  EXPECT(AudioConverterSetProperty(converter, kAudioConverterPropertySettings, sizeof other, &other) == noErr);
  UInt32 rate = 0;
  size = sizeof rate;
  EXPECT(AudioConverterGetProperty(converter, kAudioConverterEncodeBitRate, &size, &rate) == noErr && rate == 96000);
  // Nothing, and an object that is no array of settings.
  CFArrayRef none = NULL;
  EXPECT(AudioConverterSetProperty(converter, kAudioConverterPropertySettings, sizeof none, &none) == kAudio_ParamError);
  EXPECT(AudioConverterSetProperty(converter, kAudioConverterPropertySettings, sizeof encoder, &encoder) == kAudio_ParamError);
  EXPECT(AudioConverterSetProperty(converter, kAudioConverterPropertySettings, 4, &other) == kAudioConverterErr_BadPropertySizeError);
  CFRelease(other);
  CFRelease(encoder);
  CFRelease(settings);
  EXPECT(AudioConverterDispose(converter) == noErr);

  // Where nothing can be chosen the array is empty.
  from = linear(44100);
  to = linear(44100);
  EXPECT(AudioConverterNew(&from, &to, &converter) == noErr);
  size = sizeof settings;
  EXPECT(AudioConverterGetProperty(converter, kAudioConverterPropertySettings, &size, &settings) == noErr);
  EXPECT(settings && CFArrayGetCount(settings) == 0);
  CFRelease(settings);
  UInt32 canResume = 0;
  size = sizeof canResume;
  EXPECT(AudioConverterGetProperty(converter, kAudioConverterPropertyCanResumeFromInterruption, &size, &canResume) == noErr);
  EXPECT(canResume == 1);
  EXPECT(AudioConverterDispose(converter) == noErr);
}

static void codecs(void) {
  AudioComponentDescription wanted = {kAudioEncoderComponentType, kAudioFormatMPEG4AAC, 0, 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  AudioCodec codec = NULL;
  EXPECT(component && AudioComponentInstanceNew(component, &codec) == noErr);
  AudioStreamBasicDescription from = linear(44100), to = {0};
  to.mFormatID = kAudioFormatMPEG4AAC;
  to.mSampleRate = 44100;
  to.mChannelsPerFrame = 2;
  EXPECT(AudioCodecSetProperty(codec, kAudioCodecPropertyCurrentInputFormat, sizeof from, &from) == noErr);
  EXPECT(AudioCodecSetProperty(codec, kAudioCodecPropertyCurrentOutputFormat, sizeof to, &to) == noErr);
  CFDictionaryRef settings = NULL;
  UInt32 size = sizeof settings;
  EXPECT(AudioCodecGetProperty(codec, kAudioCodecPropertySettings, &size, &settings) == noErr && settings);
  CFDictionaryRef other = changed(settings, "brat", 64000);
  EXPECT(AudioCodecSetProperty(codec, kAudioCodecPropertySettings, sizeof other, &other) == noErr);
  UInt32 rate = 0;
  size = sizeof rate;
  EXPECT(AudioCodecGetProperty(codec, kAudioCodecPropertyCurrentTargetBitRate, &size, &rate) == noErr && rate == 64000);
  AudioChannelLayout layout;
  size = sizeof layout;
  EXPECT(AudioCodecGetProperty(codec, kAudioCodecPropertyCurrentOutputChannelLayout, &size, &layout) == noErr);
  EXPECT(layout.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo);
  CFRelease(other);
  CFRelease(settings);
  EXPECT(AudioComponentInstanceDispose(codec) == noErr);
}

int main(void) {
  converters();
  codecs();
  return failures != 0;
}
