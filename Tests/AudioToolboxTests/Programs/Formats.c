// A program that asks for formats, layouts and gains, as programs for macOS do.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <string.h>

static int faults;

static void check(int isSo, const char *what) {
  if (!isSo) {
    printf("not so: %s\n", what);
    faults += 1;
  }
}

static OSStatus get(AudioFormatPropertyID property, UInt32 size, const void *specifier, UInt32 room,
                    void *data) {
  return AudioFormatGetProperty(property, size, specifier, &room, data);
}

int main(void) {
  AudioStreamBasicDescription format;
  memset(&format, 0, sizeof format);
  format.mFormatID = kAudioFormatMPEG4AAC;
  format.mChannelsPerFrame = 2;
  UInt32 size = sizeof format;
  check(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, &format) == noErr,
        "a format of AAC is completed");
  check(format.mFramesPerPacket == 1024 && format.mSampleRate == 0, "its packets have 1024 frames");
  format.mFormatID = 0x6e6f6e65;
  check(get(kAudioFormatProperty_FormatInfo, 0, NULL, sizeof format, &format)
            == kAudioFormatUnknownFormatError,
        "an unknown format is told");
  check(get(kAudioFormatProperty_FormatInfo, 0, NULL, 8, &format) == kAudioFormatBadPropertySizeError,
        "a size that is too small is told");

  memset(&format, 0, sizeof format);
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  format.mBitsPerChannel = 16;
  CFStringRef name = NULL;
  check(get(kAudioFormatProperty_FormatName, sizeof format, &format, sizeof name, &name) == noErr,
        "a format has a name");
  check(name && CFStringCompare(name, CFSTR("Linear PCM, 16 bit little-endian signed integer"), 0) == 0,
        "and it is right");
  if (name) CFRelease(name);

  AudioChannelLayoutTag tag = kAudioChannelLayoutTag_MPEG_5_1_A;
  check(AudioFormatGetPropertyInfo(kAudioFormatProperty_ChannelLayoutForTag, sizeof tag, &tag, &size)
                == noErr
            && size == 12 + 6 * 20,
        "the layout of a tag has a description a channel");
  char memory[256];
  AudioChannelLayout *layout = (AudioChannelLayout *)memory;
  check(get(kAudioFormatProperty_ChannelLayoutForTag, sizeof tag, &tag, sizeof memory, layout) == noErr
            && layout->mNumberChannelDescriptions == 6
            && layout->mChannelDescriptions[3].mChannelLabel == kAudioChannelLabel_LFEScreen,
        "with the labels of the tag");
  AudioChannelLayoutTag found = 0;
  check(get(kAudioFormatProperty_TagForChannelLayout, size, layout, sizeof found, &found) == noErr
            && found == tag,
        "and has its tag");
  check(AudioFormatGetProperty(kAudioFormatProperty_ValidateChannelLayout, size, layout, NULL, NULL)
            == noErr,
        "and is valid");
  check(AudioFormatGetProperty(kAudioFormatProperty_ValidateChannelLayout, size - 1, layout, NULL, NULL)
            == kAudio_ParamError,
        "cut short it is not");

  AudioChannelLayout stereo;
  memset(&stereo, 0, sizeof stereo);
  stereo.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo;
  const AudioChannelLayout *pair[2] = {layout, &stereo};
  Float32 gains[12];
  check(get(kAudioFormatProperty_MatrixMixMap, sizeof pair, pair, sizeof gains, gains) == noErr
            && gains[0] == 1 && gains[1] == 0 && gains[4] > 0.70f && gains[4] < 0.71f
            && gains[4] == gains[5] && gains[6] == 0,
        "six channels are mixed to two");
  const AudioChannelLayout *none[2] = {layout, NULL};
  check(get(kAudioFormatProperty_MatrixMixMap, sizeof none, none, sizeof gains, gains)
            == kAudio_ParamError,
        "a null layout is told");

  AudioBalanceFade balance = {1, 0, kAudioBalanceFadeType_MaxUnityGain, &stereo};
  check(get(kAudioFormatProperty_BalanceFade, sizeof balance, &balance, sizeof gains, gains) == noErr
            && gains[0] == 0 && gains[1] == 1,
        "a balance to the right silences the left");

  UInt32 count = 2, tags[2] = {0, 0};
  check(get(kAudioFormatProperty_TagsForNumberOfChannels, sizeof count, &count, sizeof tags, tags)
                == noErr
            && tags[0] == kAudioChannelLayoutTag_Stereo,
        "of a list the first items are given");
  check(get(kAudioFormatProperty_TagsForNumberOfChannels, 1, &count, sizeof tags, tags)
            == kAudioFormatBadSpecifierSizeError,
        "a specifier that is too small is told");
  check(get(kAudioFormatProperty_TagsForNumberOfChannels, 4, NULL, sizeof tags, tags)
            == kAudioFormatBadSpecifierSizeError,
        "and one that is nowhere");
  check(get(0x6e6f6e65, 0, NULL, sizeof tags, tags) == kAudioFormatUnsupportedPropertyError,
        "an unknown property is told");
  check(AudioFormatGetPropertyInfo(kAudioFormatProperty_FormatInfo, 0, NULL, NULL) == kAudio_ParamError,
        "without a place for the size nothing happens");
  UInt8 tagBytes[10] = {'I', 'D', '3', 4, 0, 0, 0, 0, 2, 1};
  check(get(kAudioFormatProperty_ID3TagSize, sizeof tagBytes, tagBytes, sizeof count, &count) == noErr
            && count == 10 + 257,
        "an ID3 tag tells its size");
  return faults != 0;
}
