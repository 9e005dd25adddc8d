// The system object, devices as they run, and aggregate devices.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOHARDWARE_H
#define AURICLE_AUDIOHARDWARE_H

#include "../CoreFoundation/CoreFoundation.h"
#include "AudioHardwareBase.h"

AURICLE_ENUM(AudioObjectID) {
  kAudioObjectSystemObject = 1,
  kAudioDeviceUnknown = 0,
  kAudioStreamUnknown = 0,
};

// The streams that a procedure uses.
typedef struct AudioHardwareIOProcStreamUsage {
  void *mIOProc;
  UInt32 mNumberStreams;
  UInt32 mStreamIsOn[1];
} AudioHardwareIOProcStreamUsage;

typedef UInt32 AudioHardwarePowerHint;
AURICLE_ENUM(AudioHardwarePowerHint) {
  kAudioHardwarePowerHintNone = 0,
  kAudioHardwarePowerHintFavorSavingPower = 1,
};

AURICLE_ENUM(UInt32) {
  kAudioDeviceStartTimeIsInputFlag = 1,
  kAudioDeviceStartTimeDontConsultDeviceFlag = 2,
  kAudioDeviceStartTimeDontConsultHALFlag = 4,
};

// Properties of the system object.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioHardwarePropertyDevices = 0x64657623,  // 'dev#', AudioObjectID[]
  kAudioHardwarePropertyDefaultInputDevice = 0x64496e20,  // 'dIn ', AudioObjectID
  kAudioHardwarePropertyDefaultOutputDevice = 0x644f7574,  // 'dOut', AudioObjectID
  kAudioHardwarePropertyDefaultSystemOutputDevice = 0x734f7574,  // 'sOut', AudioObjectID
  kAudioHardwarePropertyTranslateUIDToDevice = 0x75696464,  // 'uidd', AudioObjectID
  kAudioHardwarePropertyPlugInList = 0x706c6723,  // 'plg#', AudioObjectID[]
  kAudioHardwarePropertyTranslateBundleIDToPlugIn = 0x62696470,  // 'bidp', AudioObjectID
  kAudioHardwarePropertyTransportManagerList = 0x746d6723,  // 'tmg#', AudioObjectID[]
  kAudioHardwarePropertyTranslateBundleIDToTransportManager = 0x746d6269,  // 'tmbi', AudioObjectID
  kAudioHardwarePropertyBoxList = 0x626f7823,  // 'box#', AudioObjectID[]
  kAudioHardwarePropertyTranslateUIDToBox = 0x75696462,  // 'uidb', AudioObjectID
  kAudioHardwarePropertyClockDeviceList = 0x636c6b23,  // 'clk#', AudioObjectID[]
  kAudioHardwarePropertyTranslateUIDToClockDevice = 0x75696463,  // 'uidc', AudioObjectID
  kAudioHardwarePropertyProcessObjectList = 0x70727323,  // 'prs#', AudioObjectID[]
  kAudioHardwarePropertyTranslatePIDToProcessObject = 0x69643270,  // 'id2p', AudioObjectID
  kAudioHardwarePropertyTapList = 0x74707323,  // 'tps#', AudioObjectID[]
  kAudioHardwarePropertyTranslateUIDToTap = 0x75696474,  // 'uidt', AudioObjectID
  kAudioHardwarePropertyMixStereoToMono = 0x73746d6f,  // 'stmo', UInt32
  kAudioHardwarePropertyProcessIsMain = 0x6d61696e,  // 'main', UInt32
  kAudioHardwarePropertyProcessIsMaster = 0x6d617374,  // 'mast', UInt32
  kAudioHardwarePropertyIsInitingOrExiting = 0x696e6f74,  // 'inot', UInt32
  kAudioHardwarePropertyUserIDChanged = 0x65756964,  // 'euid', UInt32
  kAudioHardwarePropertyProcessInputMute = 0x706d696e,  // 'pmin', UInt32
  kAudioHardwarePropertyProcessIsAudible = 0x706d7574,  // 'pmut', UInt32
  kAudioHardwarePropertySleepingIsAllowed = 0x736c6570,  // 'slep', UInt32
  kAudioHardwarePropertyUnloadingIsAllowed = 0x756e6c64,  // 'unld', UInt32
  kAudioHardwarePropertyHogModeIsAllowed = 0x686f6772,  // 'hogr', UInt32
  kAudioHardwarePropertyUserSessionIsActiveOrHeadless = 0x75736572,  // 'user', UInt32
  kAudioHardwarePropertyServiceRestarted = 0x73727374,  // 'srst', UInt32
  kAudioHardwarePropertyPowerHint = 0x706f7768,  // 'powh', UInt32
  kAudioHardwarePropertyRunLoop = 0x726e6c70,  // 'rnlp', CFRunLoopRef
  kAudioHardwarePropertyDeviceForUID = 0x64756964,  // 'duid', AudioValueTranslation
  kAudioHardwarePropertyPlugInForBundleID = 0x70696269,  // 'pibi', AudioValueTranslation
  kAudioHardwarePropertyBootChimeVolumeScalar = 0x62627673,  // 'bbvs', Float32
  kAudioHardwarePropertyBootChimeVolumeDecibels = 0x62627664,  // 'bbvd', Float32
};

// Properties of aggregate devices.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioAggregateDevicePropertyFullSubDeviceList = 0x67727570,  // 'grup', CFArrayRef of CFStringRef UIDs
  kAudioAggregateDevicePropertyActiveSubDeviceList = 0x61677270,  // 'agrp', AudioObjectID[]
  kAudioAggregateDevicePropertyComposition = 0x61636f6d,  // 'acom', CFDictionaryRef
  kAudioAggregateDevicePropertyMainSubDevice = 0x616d7374,  // 'amst', CFStringRef
  kAudioAggregateDevicePropertyMasterSubDevice = 0x616d7374,  // older name
  kAudioAggregateDevicePropertyClockDevice = 0x61706364,  // 'apcd', CFStringRef
  kAudioAggregateDevicePropertyTapList = 0x74617023,  // 'tap#', CFArrayRef of UUID strings
  kAudioAggregateDevicePropertySubTapList = 0x61746170,  // 'atap', AudioObjectID[]
};

// Properties of the devices in one.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioSubDevicePropertyExtraLatency = 0x786c7463,  // 'xltc', Float64 frames
  kAudioSubDevicePropertyDriftCompensation = 0x64726674,  // 'drft', UInt32
  kAudioSubDevicePropertyDriftCompensationQuality = 0x64726671,  // 'drfq', UInt32
};

// The same of the taps in one.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioSubTapPropertyExtraLatency = 0x786c7463,  // 'xltc', Float64 frames
  kAudioSubTapPropertyDriftCompensation = 0x64726674,  // 'drft', UInt32
  kAudioSubTapPropertyDriftCompensationQuality = 0x64726671,  // 'drfq', UInt32
};

// Qualities of drift compensation.
AURICLE_ENUM(UInt32) {
  kAudioSubDeviceDriftCompensationMinQuality = 0,
  kAudioSubDeviceDriftCompensationLowQuality = 32,
  kAudioSubDeviceDriftCompensationMediumQuality = 64,
  kAudioSubDeviceDriftCompensationHighQuality = 96,
  kAudioSubDeviceDriftCompensationMaxQuality = 127,
};

#define kAudioAggregateDeviceUIDKey "uid"
#define kAudioAggregateDeviceNameKey "name"
#define kAudioAggregateDeviceSubDeviceListKey "subdevices"
#define kAudioAggregateDeviceMainSubDeviceKey "master"
#define kAudioAggregateDeviceMasterSubDeviceKey "master"
#define kAudioAggregateDeviceClockDeviceKey "clock"
#define kAudioAggregateDeviceIsPrivateKey "private"
#define kAudioAggregateDeviceIsStackedKey "stacked"
#define kAudioAggregateDeviceTapListKey "taps"
#define kAudioAggregateDeviceTapAutoStartKey "tapautostart"
#define kAudioEndPointDeviceUIDKey "uid"
#define kAudioEndPointDeviceNameKey "name"
#define kAudioEndPointDeviceEndPointListKey "endpoints"
#define kAudioEndPointDeviceMainEndPointKey "main"
#define kAudioEndPointDeviceIsPrivateKey "private"
#define kAudioEndPointUIDKey "uid"
#define kAudioEndPointNameKey "name"
#define kAudioEndPointInputChannelsKey "channels-in"
#define kAudioEndPointOutputChannelsKey "channels-out"
#define kAudioSubDeviceUIDKey "uid"
#define kAudioSubDeviceNameKey "name"
#define kAudioSubDeviceInputChannelsKey "channels-in"
#define kAudioSubDeviceOutputChannelsKey "channels-out"
#define kAudioSubDeviceExtraInputLatencyKey "latency-in"
#define kAudioSubDeviceExtraOutputLatencyKey "latency-out"
#define kAudioSubDeviceDriftCompensationKey "drift"
#define kAudioSubDeviceDriftCompensationQualityKey "drift quality"

// The keys of a tap in such a dictionary.
#define kAudioSubTapUIDKey "uid"
#define kAudioSubTapExtraInputLatencyKey "latency-in"
#define kAudioSubTapExtraOutputLatencyKey "latency-out"
#define kAudioSubTapDriftCompensationKey "drift"
#define kAudioSubTapDriftCompensationQualityKey "drift quality"

// Blocks in place of the procedures above, with their own client data.
#if defined(__BLOCKS__) && !defined(__swift__)
typedef struct dispatch_queue_s *dispatch_queue_t;
typedef void (^AudioObjectPropertyListenerBlock)(
    UInt32 numberAddresses, const AudioObjectPropertyAddress *addresses);
typedef void (^AudioDeviceIOBlock)(
    const AudioTimeStamp *now, const AudioBufferList *input, const AudioTimeStamp *inputTime,
    AudioBufferList *output, const AudioTimeStamp *outputTime);
#endif

AURICLE_BEGIN_DECLS

// Prints an object and its properties.
extern void AudioObjectShow(AudioObjectID object);
extern Boolean AudioObjectHasProperty(
    AudioObjectID object, const AudioObjectPropertyAddress *address);
extern OSStatus AudioObjectIsPropertySettable(
    AudioObjectID object, const AudioObjectPropertyAddress *address, Boolean *outIsSettable);
extern OSStatus AudioObjectGetPropertyDataSize(
    AudioObjectID object, const AudioObjectPropertyAddress *address, UInt32 qualifierSize,
    const void *qualifier, UInt32 *outSize);
// A list is cut to whole items that there is room for. Objects are the caller's to release.
extern OSStatus AudioObjectGetPropertyData(
    AudioObjectID object, const AudioObjectPropertyAddress *address, UInt32 qualifierSize,
    const void *qualifier, UInt32 *ioSize, void *outData);
extern OSStatus AudioObjectSetPropertyData(
    AudioObjectID object, const AudioObjectPropertyAddress *address, UInt32 qualifierSize,
    const void *qualifier, UInt32 size, const void *data);
// Listeners are called on a thread of the library.
extern OSStatus AudioObjectAddPropertyListener(
    AudioObjectID object, const AudioObjectPropertyAddress *address,
    AudioObjectPropertyListenerProc listener, void *clientData);
extern OSStatus AudioObjectRemovePropertyListener(
    AudioObjectID object, const AudioObjectPropertyAddress *address,
    AudioObjectPropertyListenerProc listener, void *clientData);
#if defined(__BLOCKS__) && !defined(__swift__)
extern OSStatus AudioObjectAddPropertyListenerBlock(
    AudioObjectID object, const AudioObjectPropertyAddress *address, dispatch_queue_t queue,
    AudioObjectPropertyListenerBlock listener);
extern OSStatus AudioObjectRemovePropertyListenerBlock(
    AudioObjectID object, const AudioObjectPropertyAddress *address, dispatch_queue_t queue,
    AudioObjectPropertyListenerBlock listener);
#endif

// Stops all devices of the process.
extern OSStatus AudioHardwareUnload(void);
// One device of several, as a dictionary of the keys above describes it; this process alone sees it. 'nope' without a
// UID, or with that of another device.
extern OSStatus AudioHardwareCreateAggregateDevice(
    CFDictionaryRef description, AudioObjectID *outDevice);
extern OSStatus AudioHardwareDestroyAggregateDevice(AudioObjectID device);

extern OSStatus AudioDeviceCreateIOProcID(
    AudioObjectID device, AudioDeviceIOProc procedure, void *clientData,
    AudioDeviceIOProcID *outProcedureID);
#if defined(__BLOCKS__) && !defined(__swift__)
// With a queue, the device's thread waits for the block there.
extern OSStatus AudioDeviceCreateIOProcIDWithBlock(
    AudioDeviceIOProcID *outProcedureID, AudioObjectID device, dispatch_queue_t queue,
    AudioDeviceIOBlock block);
#endif
// Stops it first.
extern OSStatus AudioDeviceDestroyIOProcID(
    AudioObjectID device, AudioDeviceIOProcID procedureID);
// NULL in place of a procedure runs the device without one.
extern OSStatus AudioDeviceStart(AudioObjectID device, AudioDeviceIOProcID procedureID);
extern OSStatus AudioDeviceStartAtTime(
    AudioObjectID device, AudioDeviceIOProcID procedureID, AudioTimeStamp *ioRequestedStartTime,
    UInt32 flags);
// After it returned on another thread than the device's, the procedure is not called any more.
extern OSStatus AudioDeviceStop(AudioObjectID device, AudioDeviceIOProcID procedureID);
// Clocks of a device that runs; 'stop' of one that does not.
extern OSStatus AudioDeviceGetCurrentTime(AudioObjectID device, AudioTimeStamp *outTime);
extern OSStatus AudioDeviceTranslateTime(
    AudioObjectID device, const AudioTimeStamp *time, AudioTimeStamp *outTime);
extern OSStatus AudioDeviceGetNearestStartTime(
    AudioObjectID device, AudioTimeStamp *ioRequestedStartTime, UInt32 flags);

AURICLE_END_DECLS

#include "AudioHardwareDeprecated.h"

#endif
