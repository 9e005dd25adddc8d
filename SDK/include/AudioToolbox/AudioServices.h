// Short sounds that a program plays by a number: Audio Services.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOSERVICES_H
#define AURICLE_AUDIOSERVICES_H

#include "../CoreAudio/CoreAudio.h"
#include "../CoreFoundation/CoreFoundation.h"

typedef UInt32 SystemSoundID;
typedef UInt32 AudioServicesPropertyID;
typedef void (*AudioServicesSystemSoundCompletionProc)(SystemSoundID sound, void *clientData);

// Sounds that need no file. There is no screen to flash and nothing to shake: those two are silent.
AURICLE_ENUM(SystemSoundID) {
  kSystemSoundID_UserPreferredAlert = 0x1000,
  kSystemSoundID_FlashScreen = 0xffe,
  kSystemSoundID_Vibrate = 0xfff,
  kUserPreferredAlert = 0x1000,
};

// Properties of one sound: the specifier is its number. Both are UInt32.
AURICLE_ENUM(AudioServicesPropertyID) {
  // 'isui': silent where the user wants no sounds of the interface; 1 at first.
  kAudioServicesPropertyIsUISound = 0x69737569,
  // 'ifdi': an exit of the program waits for its end; 0 at first.
  kAudioServicesPropertyCompletePlaybackIfAppDies = 0x69666469,
};

AURICLE_ENUM(OSStatus) {
  kAudioServicesNoError = 0,
  kAudioServicesUnsupportedPropertyError = 0x7074793f,  // 'pty?'
  kAudioServicesBadPropertySizeError = 0x2173697a,  // '!siz'
  kAudioServicesBadSpecifierSizeError = 0x21737063,  // '!spc'
  kAudioServicesSystemSoundUnspecifiedError = -1500,
  kAudioServicesSystemSoundClientTimedOutError = -1501,
  kAudioServicesSystemSoundExceededMaximumDurationError = -1502,
};

AURICLE_BEGIN_DECLS

// The file is read here: at most 30 seconds, in any format that is read at all.
extern OSStatus AudioServicesCreateSystemSoundID(CFURLRef fileURL, SystemSoundID *outSound);
// Stops the sound if it still plays, and releases it.
extern OSStatus AudioServicesDisposeSystemSoundID(SystemSoundID sound);
// Both return at once. A number that is no sound is silence.
extern void AudioServicesPlaySystemSound(SystemSoundID sound);
extern void AudioServicesPlayAlertSound(SystemSoundID sound);
extern OSStatus AudioServicesGetPropertyInfo(
    AudioServicesPropertyID property, UInt32 specifierSize, const void *specifier, UInt32 *outSize,
    Boolean *outWritable);
extern OSStatus AudioServicesGetProperty(
    AudioServicesPropertyID property, UInt32 specifierSize, const void *specifier, UInt32 *ioSize,
    void *outData);
extern OSStatus AudioServicesSetProperty(
    AudioServicesPropertyID property, UInt32 specifierSize, const void *specifier, UInt32 size,
    const void *data);
// Called on a run loop each time the sound has ended; one a sound. No loop is the main one, no mode the default.
extern OSStatus AudioServicesAddSystemSoundCompletion(
    SystemSoundID sound, CFRunLoopRef loop, CFStringRef mode,
    AudioServicesSystemSoundCompletionProc completion, void *clientData);
extern void AudioServicesRemoveSystemSoundCompletion(SystemSoundID sound);

#if defined(__BLOCKS__) && !defined(__swift__)
// The block is called once for each call, also when nothing could be played, one block after another.
extern void AudioServicesPlaySystemSoundWithCompletion(SystemSoundID sound, void (^completion)(void));
extern void AudioServicesPlayAlertSoundWithCompletion(SystemSoundID sound, void (^completion)(void));
extern void AudioServicesPlaySystemSoundWithDetails(
    SystemSoundID sound, CFDictionaryRef details, void (^completion)(void));
extern void AudioServicesPlayAlertSoundWithDetails(
    SystemSoundID sound, CFDictionaryRef details, void (^completion)(void));
#endif

AURICLE_END_DECLS

#endif
