// Playing and recording by buffers that a program fills or empties: Audio Queue Services.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOQUEUE_H
#define AURICLE_AUDIOQUEUE_H

#include "../CoreAudio/CoreAudio.h"
#include "../CoreFoundation/CoreFoundation.h"

struct OpaqueAudioQueue;
struct OpaqueAudioQueueTimeline;
struct OpaqueAudioQueueProcessingTap;
typedef struct OpaqueAudioQueue *AudioQueueRef;
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;

typedef UInt32 AudioQueuePropertyID;
typedef UInt32 AudioQueueParameterID;
typedef Float32 AudioQueueParameterValue;
typedef UInt32 AudioQueueProcessingTapFlags;

// A buffer belongs to the program, or to the queue from the call that enqueues it to the callback that returns it.
typedef struct AudioQueueBuffer {
  const UInt32 mAudioDataBytesCapacity;
  void *const mAudioData;
  UInt32 mAudioDataByteSize;
  void *mUserData;
  const UInt32 mPacketDescriptionCapacity;
  AudioStreamPacketDescription *const mPacketDescriptions;
  UInt32 mPacketDescriptionCount;
} AudioQueueBuffer;
typedef AudioQueueBuffer *AudioQueueBufferRef;

typedef struct AudioQueueParameterEvent {
  AudioQueueParameterID mID;
  AudioQueueParameterValue mValue;
} AudioQueueParameterEvent;

typedef struct AudioQueueLevelMeterState {
  Float32 mAveragePower;
  Float32 mPeakPower;
} AudioQueueLevelMeterState;

typedef struct AudioQueueChannelAssignment {
  CFStringRef mDeviceUID;
  UInt32 mChannelNumber;
} AudioQueueChannelAssignment;

// Flags of a tap: one of these places, or a siphon of the passing audio; the others come with a call.
AURICLE_ENUM(AudioQueueProcessingTapFlags) {
  kAudioQueueProcessingTap_PreEffects = 1,
  kAudioQueueProcessingTap_PostEffects = 2,
  kAudioQueueProcessingTap_Siphon = 4,
  kAudioQueueProcessingTap_StartOfStream = 256,
  kAudioQueueProcessingTap_EndOfStream = 512,
};

AURICLE_ENUM(AudioQueuePropertyID) {
  kAudioQueueProperty_IsRunning = 0x6171726e,  // 'aqrn', UInt32, listen
  kAudioQueueDeviceProperty_SampleRate = 0x61717372,  // 'aqsr', Float64
  kAudioQueueDeviceProperty_NumberChannels = 0x61716463,  // 'aqdc', UInt32
  kAudioQueueProperty_CurrentDevice = 0x61716364,  // 'aqcd', CFStringRef
  kAudioQueueProperty_MagicCookie = 0x61716d63,  // 'aqmc', bytes
  kAudioQueueProperty_MaximumOutputPacketSize = 0x786f7073,  // 'xops', UInt32
  kAudioQueueProperty_StreamDescription = 0x61716674,  // 'aqft', AudioStreamBasicDescription
  kAudioQueueProperty_ChannelLayout = 0x6171636c,  // 'aqcl', AudioChannelLayout
  kAudioQueueProperty_EnableLevelMetering = 0x61716d65,  // 'aqme', UInt32
  kAudioQueueProperty_CurrentLevelMeter = 0x61716d76,  // 'aqmv', linear, a channel each
  kAudioQueueProperty_CurrentLevelMeterDB = 0x61716d64,  // 'aqmd', decibels, a channel each
  kAudioQueueProperty_DecodeBufferSizeFrames = 0x64636266,  // 'dcbf', UInt32
  kAudioQueueProperty_ConverterError = 0x71637665,  // 'qcve', UInt32, listen
  kAudioQueueProperty_EnableTimePitch = 0x715f7470,  // 'q_tp', UInt32
  kAudioQueueProperty_TimePitchAlgorithm = 0x71747061,  // 'qtpa', UInt32
  kAudioQueueProperty_TimePitchBypass = 0x71747062,  // 'qtpb', UInt32
  kAudioQueueProperty_ChannelAssignments = 0x61716361,  // 'aqca'
  kAudioQueueProperty_HardwareCodecPolicy = 0x61716370,  // 'aqcp', UInt32
};

AURICLE_ENUM(UInt32) {
  kAudioQueueTimePitchAlgorithm_Spectral = 0x73706563,  // 'spec'
  kAudioQueueTimePitchAlgorithm_TimeDomain = 0x7469646f,  // 'tido'
  kAudioQueueTimePitchAlgorithm_Varispeed = 0x76737064,  // 'vspd'
  kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 0x6c717a6c,  // 'lqzl'
};

AURICLE_ENUM(AudioQueueParameterID) {
  kAudioQueueParam_Volume = 1,  // linear, 0 to 1
  kAudioQueueParam_PlayRate = 2,  // needs time and pitch
  kAudioQueueParam_Pitch = 3,  // cents; needs time and pitch
  kAudioQueueParam_VolumeRampTime = 4,  // seconds of the glide to a new volume
  kAudioQueueParam_Pan = 13,  // -1 to 1
};

AURICLE_ENUM(OSStatus) {
  kAudioQueueErr_InvalidBuffer = -66687,
  kAudioQueueErr_BufferEmpty = -66686,
  kAudioQueueErr_DisposalPending = -66685,
  kAudioQueueErr_InvalidProperty = -66684,
  kAudioQueueErr_InvalidPropertySize = -66683,
  kAudioQueueErr_InvalidParameter = -66682,
  kAudioQueueErr_CannotStart = -66681,
  kAudioQueueErr_InvalidDevice = -66680,
  kAudioQueueErr_BufferInQueue = -66679,
  kAudioQueueErr_InvalidRunState = -66678,
  kAudioQueueErr_InvalidQueueType = -66677,
  kAudioQueueErr_Permissions = -66676,
  kAudioQueueErr_InvalidPropertyValue = -66675,
  kAudioQueueErr_PrimeTimedOut = -66674,
  kAudioQueueErr_CodecNotFound = -66673,
  kAudioQueueErr_InvalidCodecAccess = -66672,
  kAudioQueueErr_QueueInvalidated = -66671,
  kAudioQueueErr_TooManyTaps = -66670,
  kAudioQueueErr_InvalidTapContext = -66669,
  kAudioQueueErr_RecordUnderrun = -66668,
  kAudioQueueErr_InvalidTapType = -66667,
  kAudioQueueErr_BufferEnqueuedTwice = -66666,
  kAudioQueueErr_CannotStartYet = -66665,
  kAudioQueueErr_EnqueueDuringReset = -66632,
  kAudioQueueErr_InvalidOfflineMode = -66626,
};

// A buffer is the program's again.
typedef void (*AudioQueueOutputCallback)(
    void *userData, AudioQueueRef queue, AudioQueueBufferRef buffer);
// A buffer was filled: the time of its first frame, and where its packets are.
typedef void (*AudioQueueInputCallback)(
    void *userData, AudioQueueRef queue, AudioQueueBufferRef buffer,
    const AudioTimeStamp *startTime, UInt32 numberPacketDescriptions,
    const AudioStreamPacketDescription *packetDescriptions);
typedef void (*AudioQueuePropertyListenerProc)(
    void *userData, AudioQueueRef queue, AudioQueuePropertyID property);
// Observes the passing audio, or makes it from the result of AudioQueueProcessingTapGetSourceAudio.
typedef void (*AudioQueueProcessingTapCallback)(
    void *clientData, AudioQueueProcessingTapRef tap, UInt32 numberFrames,
    AudioTimeStamp *ioTimeStamp, AudioQueueProcessingTapFlags *ioFlags, UInt32 *outNumberFrames,
    AudioBufferList *ioData);

#if defined(__BLOCKS__) && !defined(__swift__)
typedef struct dispatch_queue_s *dispatch_queue_t;
typedef void (^AudioQueueOutputCallbackBlock)(AudioQueueRef queue, AudioQueueBufferRef buffer);
typedef void (^AudioQueueInputCallbackBlock)(
    AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *startTime,
    UInt32 numberPacketDescriptions, const AudioStreamPacketDescription *packetDescriptions);
#endif

AURICLE_BEGIN_DECLS

// Callbacks come on the run loop, or on a thread of the queue where that is NULL; never on the device's thread, and
// under no lock.
extern OSStatus AudioQueueNewOutput(
    const AudioStreamBasicDescription *format, AudioQueueOutputCallback callback, void *userData,
    CFRunLoopRef callbackRunLoop, CFStringRef callbackRunLoopMode, UInt32 flags,
    AudioQueueRef *outQueue);
extern OSStatus AudioQueueNewInput(
    const AudioStreamBasicDescription *format, AudioQueueInputCallback callback, void *userData,
    CFRunLoopRef callbackRunLoop, CFStringRef callbackRunLoopMode, UInt32 flags,
    AudioQueueRef *outQueue);
#if defined(__BLOCKS__) && !defined(__swift__)
extern OSStatus AudioQueueNewOutputWithDispatchQueue(
    AudioQueueRef *outQueue, const AudioStreamBasicDescription *format, UInt32 flags,
    dispatch_queue_t dispatchQueue, AudioQueueOutputCallbackBlock block);
extern OSStatus AudioQueueNewInputWithDispatchQueue(
    AudioQueueRef *outQueue, const AudioStreamBasicDescription *format, UInt32 flags,
    dispatch_queue_t dispatchQueue, AudioQueueInputCallbackBlock block);
#endif
extern OSStatus AudioQueueDispose(AudioQueueRef queue, Boolean immediate);

extern OSStatus AudioQueueAllocateBuffer(
    AudioQueueRef queue, UInt32 byteCount, AudioQueueBufferRef *outBuffer);
extern OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef queue, UInt32 byteCount, UInt32 numberPacketDescriptions,
    AudioQueueBufferRef *outBuffer);
extern OSStatus AudioQueueFreeBuffer(AudioQueueRef queue, AudioQueueBufferRef buffer);
extern OSStatus AudioQueueEnqueueBuffer(
    AudioQueueRef queue, AudioQueueBufferRef buffer, UInt32 numberPacketDescriptions,
    const AudioStreamPacketDescription *packetDescriptions);
// Frames are dropped at both ends of the decoded audio; parameters change where the buffer begins; a time is one of
// the queue's own, or the host's.
extern OSStatus AudioQueueEnqueueBufferWithParameters(
    AudioQueueRef queue, AudioQueueBufferRef buffer, UInt32 numberPacketDescriptions,
    const AudioStreamPacketDescription *packetDescriptions, UInt32 trimFramesAtStart,
    UInt32 trimFramesAtEnd, UInt32 numberParameters, const AudioQueueParameterEvent *parameters,
    const AudioTimeStamp *startTime, AudioTimeStamp *outActualStartTime);

extern OSStatus AudioQueueStart(AudioQueueRef queue, const AudioTimeStamp *startTime);
extern OSStatus AudioQueuePrime(
    AudioQueueRef queue, UInt32 numberFrames, UInt32 *outNumberFrames);
// At once, with all buffers returned meanwhile; or after all enqueued audio was played.
extern OSStatus AudioQueueStop(AudioQueueRef queue, Boolean immediate);
extern OSStatus AudioQueuePause(AudioQueueRef queue);
extern OSStatus AudioQueueFlush(AudioQueueRef queue);
extern OSStatus AudioQueueReset(AudioQueueRef queue);

extern OSStatus AudioQueueGetParameter(
    AudioQueueRef queue, AudioQueueParameterID parameter, AudioQueueParameterValue *outValue);
extern OSStatus AudioQueueSetParameter(
    AudioQueueRef queue, AudioQueueParameterID parameter, AudioQueueParameterValue value);
extern OSStatus AudioQueueGetProperty(
    AudioQueueRef queue, AudioQueuePropertyID property, void *outData, UInt32 *ioDataSize);
extern OSStatus AudioQueueSetProperty(
    AudioQueueRef queue, AudioQueuePropertyID property, const void *data, UInt32 dataSize);
extern OSStatus AudioQueueGetPropertySize(
    AudioQueueRef queue, AudioQueuePropertyID property, UInt32 *outDataSize);
extern OSStatus AudioQueueAddPropertyListener(
    AudioQueueRef queue, AudioQueuePropertyID property, AudioQueuePropertyListenerProc listener,
    void *userData);
extern OSStatus AudioQueueRemovePropertyListener(
    AudioQueueRef queue, AudioQueuePropertyID property, AudioQueuePropertyListenerProc listener,
    void *userData);

extern OSStatus AudioQueueCreateTimeline(
    AudioQueueRef queue, AudioQueueTimelineRef *outTimeline);
extern OSStatus AudioQueueDisposeTimeline(AudioQueueRef queue, AudioQueueTimelineRef timeline);
extern OSStatus AudioQueueGetCurrentTime(
    AudioQueueRef queue, AudioQueueTimelineRef timeline, AudioTimeStamp *outTime,
    Boolean *outTimelineDiscontinuity);
extern OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef queue, AudioTimeStamp *outTime);
extern OSStatus AudioQueueDeviceTranslateTime(
    AudioQueueRef queue, const AudioTimeStamp *time, AudioTimeStamp *outTime);
extern OSStatus AudioQueueDeviceGetNearestStartTime(
    AudioQueueRef queue, AudioTimeStamp *ioRequestedStartTime, UInt32 flags);

// With a format, the queue is pulled by AudioQueueOfflineRender and no device is touched; NULL ends that.
extern OSStatus AudioQueueSetOfflineRenderFormat(
    AudioQueueRef queue, const AudioStreamBasicDescription *format,
    const AudioChannelLayout *layout);
extern OSStatus AudioQueueOfflineRender(
    AudioQueueRef queue, const AudioTimeStamp *timeStamp, AudioQueueBufferRef buffer,
    UInt32 numberFrames);

extern OSStatus AudioQueueProcessingTapNew(
    AudioQueueRef queue, AudioQueueProcessingTapCallback callback, void *clientData,
    AudioQueueProcessingTapFlags flags, UInt32 *outMaxFrames,
    AudioStreamBasicDescription *outProcessingFormat, AudioQueueProcessingTapRef *outTap);
extern OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef tap);
extern OSStatus AudioQueueProcessingTapGetSourceAudio(
    AudioQueueProcessingTapRef tap, UInt32 numberFrames, AudioTimeStamp *ioTimeStamp,
    AudioQueueProcessingTapFlags *outFlags, UInt32 *outNumberFrames, AudioBufferList *ioData);
extern OSStatus AudioQueueProcessingTapGetQueueTime(
    AudioQueueProcessingTapRef tap, Float64 *outQueueSampleTime, UInt32 *outQueueFrameCount);

AURICLE_END_DECLS

#endif
