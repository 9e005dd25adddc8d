// A program's use of sound on its machine, and the events of it: the C audio session.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOSESSION_H
#define AURICLE_AUDIOSESSION_H

#include "../CoreAudio/CoreAudio.h"
#include "../CoreFoundation/CoreFoundation.h"

typedef UInt32 AudioSessionPropertyID;
typedef UInt32 AudioSessionInterruptionType;
typedef void (*AudioSessionInterruptionListener)(void *clientData, UInt32 interruptionState);
// For a route change the data is the CFDictionaryRef itself.
typedef void (*AudioSessionPropertyListener)(
    void *clientData, AudioSessionPropertyID property, UInt32 size, const void *data);

AURICLE_ENUM(OSStatus) {
  kAudioSessionNoError = 0,
  kAudioSessionNotInitialized = 0x21696e69,  // '!ini'
  kAudioSessionAlreadyInitialized = 0x696e6974,  // 'init'
  kAudioSessionInitializationError = 0x696e693f,  // 'ini?'
  kAudioSessionUnsupportedPropertyError = 0x7074793f,  // 'pty?'
  kAudioSessionBadPropertySizeError = 0x2173697a,  // '!siz'
  kAudioSessionNotActiveError = 0x21616374,  // '!act'
  kAudioSessionNoCategorySet = 0x3f636174,  // '?cat'
  kAudioSessionIncompatibleCategory = 0x21636174,  // '!cat'
  kAudioSessionUnspecifiedError = 0x77686174,  // 'what'
  kAudioServicesNoHardwareError = 0x6e6f6877,  // 'nohw'
};

AURICLE_ENUM(UInt32) {
  kAudioSessionEndInterruption = 0,
  kAudioSessionBeginInterruption = 1,
  kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation = 1,
  kAudioSessionOverrideAudioRoute_None = 0,
  kAudioSessionOverrideAudioRoute_Speaker = 0x73706b72,  // 'spkr'
};

AURICLE_ENUM(AudioSessionInterruptionType) {
  kAudioSessionInterruptionType_ShouldResume = 0x6972736d,  // 'irsm'
  kAudioSessionInterruptionType_ShouldNotResume = 0x2172736d,  // '!rsm'
};

// The purposes of sound. A session begins as solo ambient.
AURICLE_ENUM(UInt32) {
  kAudioSessionCategory_AmbientSound = 0x616d6269,  // 'ambi'
  kAudioSessionCategory_SoloAmbientSound = 0x736f6c6f,  // 'solo'
  kAudioSessionCategory_MediaPlayback = 0x6d656469,  // 'medi'
  kAudioSessionCategory_RecordAudio = 0x72656361,  // 'reca'
  kAudioSessionCategory_PlayAndRecord = 0x706c6172,  // 'plar'
  kAudioSessionCategory_AudioProcessing = 0x70726f63,  // 'proc'
  kAudioSessionCategory_UserInterfaceSoundEffects = 0x75696678,  // 'uifx'
  kAudioSessionCategory_LiveAudio = 0x6c697665,  // 'live'
  kAudioSessionMode_Default = 0x64666c74,  // 'dflt'
  kAudioSessionMode_VoiceChat = 0x76636374,  // 'vcct'
  kAudioSessionMode_VideoRecording = 0x76726364,  // 'vrcd'
  kAudioSessionMode_Measurement = 0x6d736d74,  // 'msmt'
  kAudioSessionMode_GameChat = 0x676d6374,  // 'gmct'
};

AURICLE_ENUM(UInt32) {
  kAudioSessionRouteChangeReason_Unknown = 0,
  kAudioSessionRouteChangeReason_NewDeviceAvailable = 1,
  kAudioSessionRouteChangeReason_OldDeviceUnavailable = 2,
  kAudioSessionRouteChangeReason_CategoryChange = 3,
  kAudioSessionRouteChangeReason_Override = 4,
  kAudioSessionRouteChangeReason_WakeFromSleep = 6,
  kAudioSessionRouteChangeReason_NoSuitableRouteForCategory = 7,
  kAudioSessionRouteChangeReason_RouteConfigurationChange = 8,
};

// With the type of the value. The ones with listeners are marked.
AURICLE_ENUM(AudioSessionPropertyID) {
  kAudioSessionProperty_PreferredHardwareSampleRate = 0x68777372,  // 'hwsr', Float64, settable
  kAudioSessionProperty_PreferredHardwareIOBufferDuration = 0x696f6264,  // 'iobd', Float32 s, settable
  kAudioSessionProperty_AudioCategory = 0x61636174,  // 'acat', UInt32, settable
  kAudioSessionProperty_AudioRouteChange = 0x726f6368,  // 'roch', CFDictionaryRef, listen
  kAudioSessionProperty_CurrentHardwareSampleRate = 0x63687372,  // 'chsr', Float64
  kAudioSessionProperty_CurrentHardwareInputNumberChannels = 0x63686963,  // 'chic', UInt32, listen
  kAudioSessionProperty_CurrentHardwareOutputNumberChannels = 0x63686f63,  // 'choc', UInt32, listen
  kAudioSessionProperty_CurrentHardwareOutputVolume = 0x63686f76,  // 'chov', Float32 0..1, listen
  kAudioSessionProperty_CurrentHardwareInputLatency = 0x63696c74,  // 'cilt', Float32 s
  kAudioSessionProperty_CurrentHardwareOutputLatency = 0x636f6c74,  // 'colt', Float32 s
  kAudioSessionProperty_CurrentHardwareIOBufferDuration = 0x63686264,  // 'chbd', Float32 s
  kAudioSessionProperty_OtherAudioIsPlaying = 0x6f746872,  // 'othr', UInt32
  kAudioSessionProperty_OverrideAudioRoute = 0x6f767264,  // 'ovrd', UInt32, settable
  kAudioSessionProperty_AudioInputAvailable = 0x61696176,  // 'aiav', UInt32, listen
  kAudioSessionProperty_ServerDied = 0x64696564,  // 'died', none, listen
  kAudioSessionProperty_OtherMixableAudioShouldDuck = 0x6475636b,  // 'duck', UInt32, settable
  kAudioSessionProperty_OverrideCategoryMixWithOthers = 0x636d6978,  // 'cmix', UInt32, settable
  kAudioSessionProperty_OverrideCategoryDefaultToSpeaker = 0x6373706b,  // 'cspk', UInt32, settable
  kAudioSessionProperty_OverrideCategoryEnableBluetoothInput = 0x63626c75,  // 'cblu', UInt32, settable
  kAudioSessionProperty_InterruptionType = 0x74797065,  // 'type', UInt32
  kAudioSessionProperty_Mode = 0x6d6f6465,  // 'mode', UInt32, settable
  kAudioSessionProperty_InputSources = 0x73726373,  // 'srcs', CFArrayRef of CFDictionary, listen
  kAudioSessionProperty_OutputDestinations = 0x64737473,  // 'dsts', CFArrayRef of CFDictionary, listen
  kAudioSessionProperty_InputSource = 0x69737263,  // 'isrc', CFNumberRef, settable
  kAudioSessionProperty_OutputDestination = 0x6f647374,  // 'odst', CFNumberRef, settable
  kAudioSessionProperty_InputGainAvailable = 0x69676176,  // 'igav', UInt32, listen
  kAudioSessionProperty_InputGainScalar = 0x69677363,  // 'igsc', Float32 0..1, listen, settable
  kAudioSessionProperty_AudioRouteDescription = 0x63726172,  // 'crar', CFDictionaryRef
  kAudioSessionProperty_AudioRoute = 0x726f7574,  // 'rout', CFStringRef
};

// Keys of a route change as C strings, of older programs; and keys and values of dictionaries.
#define kAudioSession_AudioRouteChangeKey_Reason "OutputDeviceDidChange_Reason"
#define kAudioSession_AudioRouteChangeKey_OldRoute "OutputDeviceDidChange_OldRoute"
#define kAudioSession_RouteChangeKey_Reason CFSTR("ActiveAudioRouteDidChange_Reason")
#define kAudioSession_AudioRouteChangeKey_PreviousRouteDescription CFSTR("ActiveAudioRouteDidChange_OldDetailedRoute")
#define kAudioSession_AudioRouteChangeKey_CurrentRouteDescription CFSTR("ActiveAudioRouteDidChange_NewDetailedRoute")
#define kAudioSession_AudioRouteKey_Inputs CFSTR("RouteDetailedDescription_Inputs")
#define kAudioSession_AudioRouteKey_Outputs CFSTR("RouteDetailedDescription_Outputs")
#define kAudioSession_AudioRouteKey_Type CFSTR("RouteDetailedDescription_PortType")
#define kAudioSessionInputRoute_LineIn CFSTR("LineIn")
#define kAudioSessionInputRoute_BuiltInMic CFSTR("MicrophoneBuiltIn")
#define kAudioSessionInputRoute_HeadsetMic CFSTR("MicrophoneWired")
#define kAudioSessionInputRoute_BluetoothHFP CFSTR("MicrophoneBluetooth")
#define kAudioSessionInputRoute_USBAudio CFSTR("USBAudio")
#define kAudioSessionOutputRoute_LineOut CFSTR("LineOut")
#define kAudioSessionOutputRoute_Headphones CFSTR("Headphones")
#define kAudioSessionOutputRoute_BluetoothHFP CFSTR("HeadphonesBluetooth")
#define kAudioSessionOutputRoute_BluetoothA2DP CFSTR("BluetoothA2DPOutput")
#define kAudioSessionOutputRoute_BuiltInReceiver CFSTR("Receiver")
#define kAudioSessionOutputRoute_BuiltInSpeaker CFSTR("Speaker")
#define kAudioSessionOutputRoute_USBAudio CFSTR("USBAudio")
#define kAudioSessionOutputRoute_HDMI CFSTR("HDMIOutput")
#define kAudioSessionOutputRoute_AirPlay CFSTR("AirTunes")
#define kAudioSession_InputSourceKey_ID CFSTR("InputSourceKey_ID")
#define kAudioSession_InputSourceKey_Description CFSTR("InputSourceKey_Description")
#define kAudioSession_OutputDestinationKey_ID CFSTR("OutputDestinationKey_ID")
#define kAudioSession_OutputDestinationKey_Description CFSTR("OutputDestinationKey_Description")

AURICLE_BEGIN_DECLS

// Once a process; every other function fails with '!ini' before it. No loop is the main one, no mode the default.
extern OSStatus AudioSessionInitialize(
    CFRunLoopRef loop, CFStringRef mode, AudioSessionInterruptionListener listener, void *clientData);
extern OSStatus AudioSessionSetActive(Boolean active);
extern OSStatus AudioSessionSetActiveWithFlags(Boolean active, UInt32 flags);
extern OSStatus AudioSessionGetProperty(AudioSessionPropertyID property, UInt32 *ioSize, void *outData);
extern OSStatus AudioSessionSetProperty(
    AudioSessionPropertyID property, UInt32 size, const void *data);
extern OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID property, UInt32 *outSize);
extern OSStatus AudioSessionAddPropertyListener(
    AudioSessionPropertyID property, AudioSessionPropertyListener listener, void *clientData);
// Removes the ones without client data.
extern OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID property);
extern OSStatus AudioSessionRemovePropertyListenerWithUserData(
    AudioSessionPropertyID property, AudioSessionPropertyListener listener, void *clientData);

AURICLE_END_DECLS

#endif
