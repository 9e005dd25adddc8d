// Older functions for devices and streams, which existing programs call: each is one of AudioHardware.h's.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOHARDWAREDEPRECATED_H
#define AURICLE_AUDIOHARDWAREDEPRECATED_H

#include "../CoreFoundation/CoreFoundation.h"
#include "AudioHardwareBase.h"

typedef UInt32 AudioHardwarePropertyID;
typedef UInt32 AudioDevicePropertyID;
typedef UInt32 AudioStreamPropertyID;

AURICLE_ENUM(UInt32) {
  kAudioPropertyWildcardPropertyID = 0x2a2a2a2a,  // '****'
  kAudioPropertyWildcardSection = 0xff,
};

#define kAudioPropertyWildcardChannel ((UInt32)0xffffffffu)

typedef OSStatus (*AudioHardwarePropertyListenerProc)(
    AudioHardwarePropertyID property, void *clientData);
typedef OSStatus (*AudioDevicePropertyListenerProc)(
    AudioDeviceID device, UInt32 channel, Boolean isInput, AudioDevicePropertyID property,
    void *clientData);
typedef OSStatus (*AudioStreamPropertyListenerProc)(
    AudioStreamID stream, UInt32 channel, AudioDevicePropertyID property, void *clientData);

AURICLE_BEGIN_DECLS

extern OSStatus AudioHardwareGetPropertyInfo(
    AudioHardwarePropertyID property, UInt32 *outSize, Boolean *outIsWritable);
extern OSStatus AudioHardwareGetProperty(
    AudioHardwarePropertyID property, UInt32 *ioSize, void *outData);
extern OSStatus AudioHardwareSetProperty(
    AudioHardwarePropertyID property, UInt32 size, const void *data);
extern OSStatus AudioHardwareAddPropertyListener(
    AudioHardwarePropertyID property, AudioHardwarePropertyListenerProc listener,
    void *clientData);
extern OSStatus AudioHardwareRemovePropertyListener(
    AudioHardwarePropertyID property, AudioHardwarePropertyListenerProc listener);
extern OSStatus AudioHardwareAddRunLoopSource(CFRunLoopSourceRef source);
extern OSStatus AudioHardwareRemoveRunLoopSource(CFRunLoopSourceRef source);

extern OSStatus AudioDeviceGetPropertyInfo(
    AudioDeviceID device, UInt32 channel, Boolean isInput, AudioDevicePropertyID property,
    UInt32 *outSize, Boolean *outIsWritable);
extern OSStatus AudioDeviceGetProperty(
    AudioDeviceID device, UInt32 channel, Boolean isInput, AudioDevicePropertyID property,
    UInt32 *ioSize, void *outData);
extern OSStatus AudioDeviceSetProperty(
    AudioDeviceID device, const AudioTimeStamp *when, UInt32 channel, Boolean isInput,
    AudioDevicePropertyID property, UInt32 size, const void *data);
extern OSStatus AudioDeviceAddPropertyListener(
    AudioDeviceID device, UInt32 channel, Boolean isInput, AudioDevicePropertyID property,
    AudioDevicePropertyListenerProc listener, void *clientData);
extern OSStatus AudioDeviceRemovePropertyListener(
    AudioDeviceID device, UInt32 channel, Boolean isInput, AudioDevicePropertyID property,
    AudioDevicePropertyListenerProc listener);
// The procedure itself names the registration.
extern OSStatus AudioDeviceAddIOProc(
    AudioDeviceID device, AudioDeviceIOProc procedure, void *clientData);
extern OSStatus AudioDeviceRemoveIOProc(AudioDeviceID device, AudioDeviceIOProc procedure);
// Fails: there is no reading without a procedure.
extern OSStatus AudioDeviceRead(
    AudioDeviceID device, const AudioTimeStamp *startTime, AudioBufferList *outData);

extern OSStatus AudioStreamGetPropertyInfo(
    AudioStreamID stream, UInt32 channel, AudioDevicePropertyID property, UInt32 *outSize,
    Boolean *outIsWritable);
extern OSStatus AudioStreamGetProperty(
    AudioStreamID stream, UInt32 channel, AudioDevicePropertyID property, UInt32 *ioSize,
    void *outData);
extern OSStatus AudioStreamSetProperty(
    AudioStreamID stream, const AudioTimeStamp *when, UInt32 channel,
    AudioDevicePropertyID property, UInt32 size, const void *data);
extern OSStatus AudioStreamAddPropertyListener(
    AudioStreamID stream, UInt32 channel, AudioDevicePropertyID property,
    AudioStreamPropertyListenerProc listener, void *clientData);
extern OSStatus AudioStreamRemovePropertyListener(
    AudioStreamID stream, UInt32 channel, AudioDevicePropertyID property,
    AudioStreamPropertyListenerProc listener);

AURICLE_END_DECLS

#endif
