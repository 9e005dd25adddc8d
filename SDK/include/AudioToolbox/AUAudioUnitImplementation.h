// Units of version 3: the events that their render blocks receive, and the blocks themselves.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUAUDIOUNITIMPLEMENTATION_H
#define AURICLE_AUAUDIOUNITIMPLEMENTATION_H

#include "../CoreMIDI/MIDIServices.h"
#include "AUComponent.h"

typedef UInt32 AUAudioFrameCount;
typedef UInt64 AUParameterAddress;
typedef Float32 AUValue;
typedef OSStatus AUAudioUnitStatus;

// As the time of an event: at once, plus an offset below 4096 frames.
#define AUEventSampleTimeImmediate (-4294967296LL)

// Whether a host's transport moves, and how.
typedef UInt32 AUHostTransportStateFlags;
AURICLE_ENUM(AUHostTransportStateFlags) {
  AUHostTransportStateChanged = 1,
  AUHostTransportStateMoving = 2,
  AUHostTransportStateRecording = 4,
  AUHostTransportStateCycling = 8,
};

// Kinds of events.
typedef UInt8 AURenderEventType;
AURICLE_ENUM(AURenderEventType) {
  AURenderEventParameter = 1,
  AURenderEventParameterRamp = 2,
  AURenderEventMIDI = 8,
  AURenderEventMIDISysEx = 9,
  AURenderEventMIDIEventList = 10,
};

union AURenderEvent;

// Each event begins with these: the next one, or NULL; a time on the unit's own timeline, in frames; the kind.
typedef struct AURenderEventHeader {
  union AURenderEvent *next;
  AUEventSampleTime eventSampleTime;
  AURenderEventType eventType;
  UInt8 reserved;
} AURenderEventHeader;

#pragma pack(push, 4)
// A parameter's new value, which a ramp of some frames may lead to.
typedef struct AUParameterEvent {
  union AURenderEvent *next;
  AUEventSampleTime eventSampleTime;
  AURenderEventType eventType;
  UInt8 reserved[3];
  AUAudioFrameCount rampDurationSampleFrames;
  AUParameterAddress parameterAddress;
  AUValue value;
} AUParameterEvent;
#pragma pack(pop)

// Bytes of MIDI 1.0: up to three, or more of a system exclusive message.
typedef struct AUMIDIEvent {
  union AURenderEvent *next;
  AUEventSampleTime eventSampleTime;
  AURenderEventType eventType;
  UInt8 reserved;
  UInt16 length;
  UInt8 cable;
  UInt8 data[3];
} AUMIDIEvent;

// Universal packets.
typedef struct AUMIDIEventList {
  union AURenderEvent *next;
  AUEventSampleTime eventSampleTime;
  AURenderEventType eventType;
  UInt8 reserved;
  UInt8 cable;
  MIDIEventList eventList;
} AUMIDIEventList;

typedef union AURenderEvent {
  AURenderEventHeader head;
  AUParameterEvent parameter;
  AUMIDIEvent MIDI;
  AUMIDIEventList MIDIEventsList;
} AURenderEvent;

// Kinds of events of a parameter that is moved by hand.
typedef UInt32 AUParameterAutomationEventType;
AURICLE_ENUM(AUParameterAutomationEventType) {
  AUParameterAutomationEventTypeValue = 0,
  AUParameterAutomationEventTypeTouch = 1,
  AUParameterAutomationEventTypeRelease = 2,
};

typedef struct AUParameterAutomationEvent {
  UInt64 hostTime;
  AUParameterAddress address;
  AUValue value;
  AUParameterAutomationEventType eventType;
  UInt64 reserved;
} AUParameterAutomationEvent;

typedef struct AURecordedParameterEvent {
  UInt64 hostTime;
  AUParameterAddress address;
  AUValue value;
} AURecordedParameterEvent;

#if defined(__BLOCKS__) && !defined(__swift__)
// The input of a unit. Render thread.
typedef OSStatus (^AURenderPullInputBlock)(
    AudioUnitRenderActionFlags *actionFlags, const AudioTimeStamp *timestamp, AUAudioFrameCount frameCount,
    long inputBusNumber, AudioBufferList *inputData);
// The function that a host calls. Render thread.
typedef OSStatus (^AURenderBlock)(
    AudioUnitRenderActionFlags *actionFlags, const AudioTimeStamp *timestamp, AUAudioFrameCount frameCount,
    long outputBusNumber, AudioBufferList *outputData, AURenderPullInputBlock pullInputBlock);
// The function that a unit implements. Render thread.
typedef OSStatus (^AUInternalRenderBlock)(
    AudioUnitRenderActionFlags *actionFlags, const AudioTimeStamp *timestamp, AUAudioFrameCount frameCount,
    long outputBusNumber, AudioBufferList *outputData, const AURenderEvent *realtimeEventListHead,
    AURenderPullInputBlock pullInputBlock);
#endif

#endif
