// Listeners for parameters and properties; values as a control shows them.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITUTILITIES_H
#define AURICLE_AUDIOUNITUTILITIES_H

#include "AudioUnit.h"

struct AUListenerBase;

typedef struct AUListenerBase *AUParameterListenerRef;
typedef struct AUListenerBase *AUEventListenerRef;
typedef UInt32 AudioUnitEventType;

// Every parameter of the unit: notify for all, after a preset was loaded.
#define kAUParameterListener_AnyParameter ((AudioUnitParameterID)0xffffffffu)

AURICLE_ENUM(AudioUnitEventType) {
  kAudioUnitEvent_ParameterValueChange = 0,
  kAudioUnitEvent_BeginParameterChangeGesture = 1,  // a hand is on the control
  kAudioUnitEvent_EndParameterChangeGesture = 2,
  kAudioUnitEvent_PropertyChange = 3,
};

// Something that happened to a parameter or a property.
typedef struct AudioUnitEvent {
  AudioUnitEventType mEventType;
  union {
    AudioUnitParameter mParameter;
    AudioUnitProperty mProperty;
  } mArgument;
} AudioUnitEvent;

typedef void (*AUParameterListenerProc)(
    void *userData, void *object, const AudioUnitParameter *parameter,
    AudioUnitParameterValue value);
typedef void (*AUEventListenerProc)(
    void *userData, void *object, const AudioUnitEvent *event, UInt64 hostTime,
    AudioUnitParameterValue value);

AURICLE_BEGIN_DECLS

extern OSStatus AUListenerCreate(
    AUParameterListenerProc proc, void *userData, CFRunLoopRef runLoop, CFStringRef mode,
    Float32 interval, AUParameterListenerRef *listener);
extern OSStatus AUListenerDispose(AUParameterListenerRef listener);
extern OSStatus AUListenerAddParameter(
    AUParameterListenerRef listener, void *object, const AudioUnitParameter *parameter);
extern OSStatus AUListenerRemoveParameter(
    AUParameterListenerRef listener, void *object, const AudioUnitParameter *parameter);
extern OSStatus AUParameterSet(
    AUParameterListenerRef sender, void *object, const AudioUnitParameter *parameter,
    AudioUnitParameterValue value, UInt32 bufferOffset);
extern OSStatus AUParameterListenerNotify(
    AUParameterListenerRef sender, void *object, const AudioUnitParameter *parameter);
extern OSStatus AUEventListenerCreate(
    AUEventListenerProc proc, void *userData, CFRunLoopRef runLoop, CFStringRef mode,
    Float32 interval, Float32 valueChangeGranularity, AUEventListenerRef *listener);
extern OSStatus AUEventListenerAddEventType(
    AUEventListenerRef listener, void *object, const AudioUnitEvent *event);
extern OSStatus AUEventListenerRemoveEventType(
    AUEventListenerRef listener, void *object, const AudioUnitEvent *event);
extern OSStatus AUEventListenerNotify(
    AUEventListenerRef sender, void *object, const AudioUnitEvent *event);
extern AudioUnitParameterValue AUParameterValueFromLinear(
    Float32 linearValue, const AudioUnitParameter *parameter);
extern Float32 AUParameterValueToLinear(
    AudioUnitParameterValue value, const AudioUnitParameter *parameter);
extern char *AUParameterFormatValue(
    Float64 value, const AudioUnitParameter *parameter, char *buffer, UInt32 digits);

#if defined(__BLOCKS__) && !defined(__swift__)
typedef struct dispatch_queue_s *dispatch_queue_t;
typedef void (^AUParameterListenerBlock)(
    void *object, const AudioUnitParameter *parameter, AudioUnitParameterValue value);
typedef void (^AUEventListenerBlock)(
    void *object, const AudioUnitEvent *event, UInt64 hostTime, AudioUnitParameterValue value);

extern OSStatus AUListenerCreateWithDispatchQueue(
    AUParameterListenerRef *listener, Float32 interval, dispatch_queue_t queue,
    AUParameterListenerBlock block);
extern OSStatus AUEventListenerCreateWithDispatchQueue(
    AUEventListenerRef *listener, Float32 interval, Float32 valueChangeGranularity,
    dispatch_queue_t queue, AUEventListenerBlock block);
#endif

AURICLE_END_DECLS

#endif
