// Audio objects (the system, devices, streams, controls): their kinds, their properties, and errors.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOHARDWAREBASE_H
#define AURICLE_AUDIOHARDWAREBASE_H

#include "../CoreFoundation/CFRunLoop.h"
#include "CoreAudioTypes.h"

typedef UInt32 AudioObjectID;
typedef UInt32 AudioClassID;
typedef UInt32 AudioObjectPropertySelector;
typedef UInt32 AudioObjectPropertyScope;
typedef UInt32 AudioObjectPropertyElement;
typedef AudioObjectID AudioDeviceID;
typedef AudioObjectID AudioStreamID;

// The address of an object's property: selector, side, channel.
typedef struct AudioObjectPropertyAddress {
  AudioObjectPropertySelector mSelector;
  AudioObjectPropertyScope mScope;
  AudioObjectPropertyElement mElement;
} AudioObjectPropertyAddress;

// A format, and the rates it can have.
typedef struct AudioStreamRangedDescription {
  AudioStreamBasicDescription mFormat;
  AudioValueRange mSampleRateRange;
} AudioStreamRangedDescription;

// A question and the room for its answer, in one property.
typedef struct AudioValueTranslation {
  void *mInputData;
  UInt32 mInputDataSize;  // bytes
  void *mOutputData;
  UInt32 mOutputDataSize;  // bytes
} AudioValueTranslation;

// Called after a change of at least one of some properties; its result is ignored. It is called on a thread of
// the library, or on the device's.
typedef OSStatus (*AudioObjectPropertyListenerProc)(
    AudioObjectID object, UInt32 numberAddresses, const AudioObjectPropertyAddress *addresses,
    void *clientData);

// Called in each cycle of a device, on the device's thread. The arguments are the time of waking, the recorded
// input and its time, the output to fill and its time. Lists have a buffer a stream, of interleaved 32-bit float;
// output lists come silent, and the outputs of all procedures are added up. The result is ignored.
typedef OSStatus (*AudioDeviceIOProc)(
    AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
    const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime,
    void *clientData);
// The name of a registration of one.
typedef AudioDeviceIOProc AudioDeviceIOProcID;

AURICLE_ENUM(AudioObjectID) {
  kAudioObjectUnknown = 0,
};

AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioObjectPropertySelectorWildcard = 0x2a2a2a2a,  // '****': of listeners
};

AURICLE_ENUM(AudioClassID) {
  kAudioObjectClassIDWildcard = 0x2a2a2a2a,  // '****'
};

AURICLE_ENUM(AudioObjectPropertyScope) {
  kAudioObjectPropertyScopeGlobal = 0x676c6f62,  // 'glob'
  kAudioObjectPropertyScopeInput = 0x696e7074,  // 'inpt'
  kAudioObjectPropertyScopeOutput = 0x6f757470,  // 'outp'
  kAudioObjectPropertyScopePlayThrough = 0x70747275,  // 'ptru'
  kAudioObjectPropertyScopeWildcard = 0x2a2a2a2a,  // '****'
  // Older names.
  kAudioDevicePropertyScopeInput = 0x696e7074,  // 'inpt'
  kAudioDevicePropertyScopeOutput = 0x6f757470,  // 'outp'
  kAudioDevicePropertyScopePlayThrough = 0x70747275,  // 'ptru'
};

AURICLE_ENUM(AudioObjectPropertyElement) {
  kAudioObjectPropertyElementMain = 0,
  kAudioObjectPropertyElementMaster = 0,  // older name
};

#define kAudioObjectPropertyElementWildcard ((AudioObjectPropertyElement)0xffffffffu)

AURICLE_ENUM(OSStatus) {
  kAudioHardwareNoError = 0,
  kAudioHardwareNotRunningError = 0x73746f70,  // 'stop'
  kAudioHardwareUnspecifiedError = 0x77686174,  // 'what'
  kAudioHardwareUnknownPropertyError = 0x77686f3f,  // 'who?'
  kAudioHardwareBadPropertySizeError = 0x2173697a,  // '!siz'
  kAudioHardwareIllegalOperationError = 0x6e6f7065,  // 'nope'
  kAudioHardwareBadObjectError = 0x216f626a,  // '!obj'
  kAudioHardwareBadDeviceError = 0x21646576,  // '!dev'
  kAudioHardwareBadStreamError = 0x21737472,  // '!str'
  kAudioHardwareUnsupportedOperationError = 0x756e6f70,  // 'unop'
  kAudioHardwareNotReadyError = 0x6e726479,  // 'nrdy'
  kAudioDeviceUnsupportedFormatError = 0x21646174,  // '!dat'
  kAudioDevicePermissionsError = 0x21686f67,  // '!hog'
};

// Classes of objects.
AURICLE_ENUM(AudioClassID) {
  kAudioObjectClassID = 0x616f626a,  // 'aobj'
  kAudioSystemObjectClassID = 0x61737973,  // 'asys', a kind of Object
  kAudioPlugInClassID = 0x61706c67,  // 'aplg', a kind of Object
  kAudioTransportManagerClassID = 0x7472706d,  // 'trpm', a kind of PlugIn
  kAudioBoxClassID = 0x61626f78,  // 'abox', a kind of Object
  kAudioDeviceClassID = 0x61646576,  // 'adev', a kind of Object
  kAudioAggregateDeviceClassID = 0x61616767,  // 'aagg', a kind of Device
  kAudioEndPointDeviceClassID = 0x65646576,  // 'edev', a kind of Device
  kAudioEndPointClassID = 0x656e6470,  // 'endp', a kind of Device
  kAudioSubDeviceClassID = 0x61737562,  // 'asub', a kind of Device
  kAudioClockDeviceClassID = 0x61636c6b,  // 'aclk', a kind of Object
  kAudioStreamClassID = 0x61737472,  // 'astr', a kind of Object
  kAudioProcessClassID = 0x636c6e74,  // 'clnt', a kind of Object
  kAudioTapClassID = 0x74636c73,  // 'tcls', a kind of Object
  kAudioSubTapClassID = 0x73746170,  // 'stap', a kind of Object
  kAudioControlClassID = 0x6163746c,  // 'actl', a kind of Object
  kAudioSliderControlClassID = 0x736c6472,  // 'sldr', a kind of Control
  kAudioLevelControlClassID = 0x6c65766c,  // 'levl', a kind of Control
  kAudioVolumeControlClassID = 0x766c6d65,  // 'vlme', a kind of LevelControl
  kAudioLFEVolumeControlClassID = 0x73756276,  // 'subv', a kind of LevelControl
  kAudioBootChimeVolumeControlClassID = 0x7072616d,  // 'pram', a kind of LevelControl
  kAudioBooleanControlClassID = 0x746f676c,  // 'togl', a kind of Control
  kAudioMuteControlClassID = 0x6d757465,  // 'mute', a kind of BooleanControl
  kAudioSoloControlClassID = 0x736f6c6f,  // 'solo', a kind of BooleanControl
  kAudioJackControlClassID = 0x6a61636b,  // 'jack', a kind of BooleanControl
  kAudioLFEMuteControlClassID = 0x7375626d,  // 'subm', a kind of BooleanControl
  kAudioPhantomPowerControlClassID = 0x7068616e,  // 'phan', a kind of BooleanControl
  kAudioPhaseInvertControlClassID = 0x70687369,  // 'phsi', a kind of BooleanControl
  kAudioClipLightControlClassID = 0x636c6970,  // 'clip', a kind of BooleanControl
  kAudioTalkbackControlClassID = 0x74616c62,  // 'talb', a kind of BooleanControl
  kAudioListenbackControlClassID = 0x6c736e62,  // 'lsnb', a kind of BooleanControl
  kAudioISubOwnerControlClassID = 0x61746368,  // 'atch', a kind of BooleanControl
  kAudioSelectorControlClassID = 0x736c6374,  // 'slct', a kind of Control
  kAudioDataSourceControlClassID = 0x64737263,  // 'dsrc', a kind of SelectorControl
  kAudioDataDestinationControlClassID = 0x64657374,  // 'dest', a kind of SelectorControl
  kAudioClockSourceControlClassID = 0x636c636b,  // 'clck', a kind of SelectorControl
  kAudioLineLevelControlClassID = 0x6e6c766c,  // 'nlvl', a kind of SelectorControl
  kAudioHighPassFilterControlClassID = 0x68697066,  // 'hipf', a kind of SelectorControl
  kAudioStereoPanControlClassID = 0x7370616e,  // 'span', a kind of Control
};

// Properties of every object.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioObjectPropertyBaseClass = 0x62636c73,  // 'bcls', AudioClassID
  kAudioObjectPropertyClass = 0x636c6173,  // 'clas', AudioClassID
  kAudioObjectPropertyOwner = 0x73746476,  // 'stdv', AudioObjectID
  kAudioObjectPropertyCreator = 0x6f706c67,  // 'oplg', CFStringRef
  kAudioObjectPropertyName = 0x6c6e616d,  // 'lnam', CFStringRef
  kAudioObjectPropertyModelName = 0x6c6d6f64,  // 'lmod', CFStringRef
  kAudioObjectPropertyManufacturer = 0x6c6d616b,  // 'lmak', CFStringRef
  kAudioObjectPropertyElementName = 0x6c63686e,  // 'lchn', CFStringRef
  kAudioObjectPropertyElementCategoryName = 0x6c63636e,  // 'lccn', CFStringRef
  kAudioObjectPropertyElementNumberName = 0x6c636e6e,  // 'lcnn', CFStringRef
  kAudioObjectPropertyOwnedObjects = 0x6f776e64,  // 'ownd', AudioObjectID[]
  kAudioObjectPropertyControlList = 0x6374726c,  // 'ctrl', AudioObjectID[]
  kAudioObjectPropertyIdentify = 0x6964656e,  // 'iden', UInt32
  kAudioObjectPropertySerialNumber = 0x736e756d,  // 'snum', CFStringRef
  kAudioObjectPropertyFirmwareVersion = 0x6677766e,  // 'fwvn', CFStringRef
  kAudioObjectPropertyListenerAdded = 0x6c697361,  // 'lisa', AudioObjectPropertyAddress
  kAudioObjectPropertyListenerRemoved = 0x6c697372,  // 'lisr', AudioObjectPropertyAddress
  kAudioObjectPropertyCustomPropertyInfoList = 0x63757374,  // 'cust', AudioServerPlugInCustomPropertyInfo[]
};

// Properties of devices.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioDevicePropertyConfigurationApplication = 0x63617070,  // 'capp', CFStringRef
  kAudioDevicePropertyDeviceUID = 0x75696420,  // 'uid ', CFStringRef
  kAudioDevicePropertyModelUID = 0x6d756964,  // 'muid', CFStringRef
  kAudioDevicePropertyTransportType = 0x7472616e,  // 'tran', UInt32
  kAudioDevicePropertyRelatedDevices = 0x616b696e,  // 'akin', AudioObjectID[]
  kAudioDevicePropertyClockDomain = 0x636c6b64,  // 'clkd', UInt32
  kAudioDevicePropertyDeviceIsAlive = 0x6c69766e,  // 'livn', UInt32
  kAudioDevicePropertyDeviceIsRunning = 0x676f696e,  // 'goin', UInt32
  kAudioDevicePropertyDeviceIsRunningSomewhere = 0x676f6e65,  // 'gone', UInt32
  kAudioDevicePropertyDeviceCanBeDefaultDevice = 0x64666c74,  // 'dflt', UInt32
  kAudioDevicePropertyDeviceCanBeDefaultSystemDevice = 0x73666c74,  // 'sflt', UInt32
  kAudioDevicePropertyLatency = 0x6c746e63,  // 'ltnc', UInt32 frames
  kAudioDevicePropertySafetyOffset = 0x73616674,  // 'saft', UInt32 frames
  kAudioDevicePropertyStreams = 0x73746d23,  // 'stm#', AudioObjectID[]
  kAudioDevicePropertyNominalSampleRate = 0x6e737274,  // 'nsrt', Float64
  kAudioDevicePropertyAvailableNominalSampleRates = 0x6e737223,  // 'nsr#', AudioValueRange[]
  kAudioDevicePropertyActualSampleRate = 0x61737274,  // 'asrt', Float64
  kAudioDevicePropertyIcon = 0x69636f6e,  // 'icon', CFURLRef
  kAudioDevicePropertyIsHidden = 0x6869646e,  // 'hidn', UInt32
  kAudioDevicePropertyPreferredChannelsForStereo = 0x64636832,  // 'dch2', UInt32[2]
  kAudioDevicePropertyPreferredChannelLayout = 0x73726e64,  // 'srnd', AudioChannelLayout
  kAudioDevicePropertyBufferFrameSize = 0x6673697a,  // 'fsiz', UInt32
  kAudioDevicePropertyBufferFrameSizeRange = 0x66737a23,  // 'fsz#', AudioValueRange
  kAudioDevicePropertyUsesVariableBufferFrameSizes = 0x7666737a,  // 'vfsz', UInt32
  kAudioDevicePropertyIOCycleUsage = 0x6e637963,  // 'ncyc', Float32 0..1
  kAudioDevicePropertyStreamConfiguration = 0x736c6179,  // 'slay', AudioBufferList
  kAudioDevicePropertyIOProcStreamUsage = 0x73757365,  // 'suse', AudioHardwareIOProcStreamUsage
  kAudioDevicePropertyHogMode = 0x6f696e6b,  // 'oink', pid_t (SInt32)
  kAudioDevicePropertyClockDevice = 0x61706364,  // 'apcd', CFStringRef
  kAudioDevicePropertyIOThreadOSWorkgroup = 0x6f737767,  // 'oswg', os_workgroup_t
  kAudioDevicePropertyProcessMute = 0x6170706d,  // 'appm', UInt32
  kAudioDevicePropertyJackIsConnected = 0x6a61636b,  // 'jack', UInt32
  kAudioDevicePropertyDeviceHasChanged = 0x64696666,  // 'diff', UInt32
  kAudioDeviceProcessorOverload = 0x6f766572,  // 'over', UInt32
  kAudioDevicePropertyIOStoppedAbnormally = 0x73747064,  // 'stpd', UInt32
  kAudioDevicePropertyPlugIn = 0x706c7567,  // 'plug', OSStatus
  kAudioDevicePropertyVoiceActivityDetectionEnable = 0x7641642b,  // 'vAd+', UInt32
  kAudioDevicePropertyVoiceActivityDetectionState = 0x76416453,  // 'vAdS', UInt32
  kAudioDevicePropertyWantsControlsRestored = 0x72657363,  // 'resc', UInt32
  kAudioDevicePropertyWantsStreamFormatsRestored = 0x72657366,  // 'resf', UInt32
  kAudioDevicePropertyZeroTimeStampPeriod = 0x72696e67,  // 'ring', UInt32
  kAudioDevicePropertyClockAlgorithm = 0x636c6f6b,  // 'clok', UInt32
  kAudioDevicePropertyClockIsStable = 0x63737462,  // 'cstb', UInt32
  kAudioDevicePropertyDeviceName = 0x6e616d65,  // 'name', C string
  kAudioDevicePropertyDeviceNameCFString = 0x6c6e616d,  // 'lnam', CFStringRef
  kAudioDevicePropertyDeviceManufacturer = 0x6d616b72,  // 'makr', C string
  kAudioDevicePropertyDeviceManufacturerCFString = 0x6c6d616b,  // 'lmak', CFStringRef
  kAudioDevicePropertyChannelName = 0x63686e6d,  // 'chnm', C string
  kAudioDevicePropertyChannelNameCFString = 0x6c63686e,  // 'lchn', CFStringRef
  kAudioDevicePropertyBufferSize = 0x6273697a,  // 'bsiz', UInt32 bytes
  kAudioDevicePropertyBufferSizeRange = 0x62737a23,  // 'bsz#', AudioValueRange
  kAudioDevicePropertySupportsMixing = 0x6d69783f,  // 'mix?', UInt32
  kAudioDevicePropertyStreamFormat = 0x73666d74,  // 'sfmt', ASBD
  kAudioDevicePropertyStreamFormats = 0x73666d23,  // 'sfm#', ASBD[]
  kAudioDevicePropertyStreamFormatSupported = 0x73666d3f,  // 'sfm?', ASBD
  kAudioDevicePropertyStreamFormatMatch = 0x73666d6d,  // 'sfmm', ASBD
  kAudioDevicePropertyRegisterBufferList = 0x72627566,  // 'rbuf', AudioBufferList
};

// Controls that are asked for through their device, by scope and channel.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioDevicePropertyVolumeScalar = 0x766f6c6d,  // 'volm', Float32 0..1
  kAudioDevicePropertyVolumeDecibels = 0x766f6c64,  // 'vold', Float32 dB
  kAudioDevicePropertyVolumeRangeDecibels = 0x76646223,  // 'vdb#', AudioValueRange
  kAudioDevicePropertyVolumeScalarToDecibels = 0x76326462,  // 'v2db', Float32 in and out
  kAudioDevicePropertyVolumeDecibelsToScalar = 0x64623276,  // 'db2v', Float32 in and out
  kAudioDevicePropertyVolumeDecibelsToScalarTransferFunction = 0x76637466,  // 'vctf', UInt32
  kAudioDevicePropertyMute = 0x6d757465,  // 'mute', UInt32
  kAudioDevicePropertySolo = 0x736f6c6f,  // 'solo', UInt32
  kAudioDevicePropertyStereoPan = 0x7370616e,  // 'span', Float32 0 left .. 0.5 .. 1 right
  kAudioDevicePropertyStereoPanChannels = 0x73706e23,  // 'spn#', UInt32[2]
  kAudioDevicePropertyPhantomPower = 0x7068616e,  // 'phan', UInt32
  kAudioDevicePropertyPhaseInvert = 0x70687369,  // 'phsi', UInt32
  kAudioDevicePropertyClipLight = 0x636c6970,  // 'clip', UInt32
  kAudioDevicePropertyTalkback = 0x74616c62,  // 'talb', UInt32
  kAudioDevicePropertyListenback = 0x6c736e62,  // 'lsnb', UInt32
  kAudioDevicePropertyDataSource = 0x73737263,  // 'ssrc', UInt32[] item IDs
  kAudioDevicePropertyDataSources = 0x73736323,  // 'ssc#', UInt32[]
  kAudioDevicePropertyDataSourceNameForIDCFString = 0x6c73636e,  // 'lscn', AudioValueTranslation UInt32 to CFStringRef
  kAudioDevicePropertyDataSourceKindForID = 0x7373636b,  // 'ssck', AudioValueTranslation UInt32 to UInt32
  kAudioDevicePropertyDataSourceNameForID = 0x7373636e,  // 'sscn', AudioValueTranslation UInt32 to C string
  kAudioDevicePropertyClockSource = 0x63737263,  // 'csrc', UInt32[]
  kAudioDevicePropertyClockSources = 0x63736323,  // 'csc#', UInt32[]
  kAudioDevicePropertyClockSourceNameForIDCFString = 0x6c63736e,  // 'lcsn', AudioValueTranslation
  kAudioDevicePropertyClockSourceKindForID = 0x6373636b,  // 'csck', AudioValueTranslation
  kAudioDevicePropertyPlayThru = 0x74687275,  // 'thru', UInt32
  kAudioDevicePropertyPlayThruSolo = 0x74687273,  // 'thrs', UInt32
  kAudioDevicePropertyPlayThruVolumeScalar = 0x6d767363,  // 'mvsc', Float32
  kAudioDevicePropertyPlayThruVolumeDecibels = 0x6d766462,  // 'mvdb', Float32
  kAudioDevicePropertyPlayThruVolumeRangeDecibels = 0x6d766423,  // 'mvd#', AudioValueRange
  kAudioDevicePropertyPlayThruVolumeScalarToDecibels = 0x6d763264,  // 'mv2d', Float32
  kAudioDevicePropertyPlayThruVolumeDecibelsToScalar = 0x6d763273,  // 'mv2s', Float32
  kAudioDevicePropertyPlayThruStereoPan = 0x6d73706e,  // 'mspn', Float32
  kAudioDevicePropertyPlayThruStereoPanChannels = 0x6d737023,  // 'msp#', UInt32[2]
  kAudioDevicePropertyPlayThruDestination = 0x6d646473,  // 'mdds', UInt32[]
  kAudioDevicePropertyPlayThruDestinations = 0x6d646423,  // 'mdd#', UInt32[]
  kAudioDevicePropertyPlayThruDestinationNameForIDCFString = 0x6d646463,  // 'mddc', AudioValueTranslation
  kAudioDevicePropertyChannelNominalLineLevel = 0x6e6c766c,  // 'nlvl', UInt32[]
  kAudioDevicePropertyChannelNominalLineLevels = 0x6e6c7623,  // 'nlv#', UInt32[]
  kAudioDevicePropertyChannelNominalLineLevelNameForIDCFString = 0x6c636e6c,  // 'lcnl', AudioValueTranslation
  kAudioDevicePropertyHighPassFilterSetting = 0x68697066,  // 'hipf', UInt32[]
  kAudioDevicePropertyHighPassFilterSettings = 0x68697023,  // 'hip#', UInt32[]
  kAudioDevicePropertyHighPassFilterSettingNameForIDCFString = 0x6869706c,  // 'hipl', AudioValueTranslation
  kAudioDevicePropertySubVolumeScalar = 0x73766c6d,  // 'svlm', Float32
  kAudioDevicePropertySubVolumeDecibels = 0x73766c64,  // 'svld', Float32
  kAudioDevicePropertySubVolumeRangeDecibels = 0x73766423,  // 'svd#', AudioValueRange
  kAudioDevicePropertySubVolumeScalarToDecibels = 0x73763264,  // 'sv2d', Float32
  kAudioDevicePropertySubVolumeDecibelsToScalar = 0x73643276,  // 'sd2v', Float32
  kAudioDevicePropertySubMute = 0x736d7574,  // 'smut', UInt32
  kAudioDevicePropertyDriverShouldOwniSub = 0x69737562,  // 'isub', UInt32
};

// Kinds of a device's connection.
AURICLE_ENUM(UInt32) {
  kAudioDeviceTransportTypeUnknown = 0,
  kAudioDeviceTransportTypeBuiltIn = 0x626c746e,  // 'bltn'
  kAudioDeviceTransportTypeAggregate = 0x67727570,  // 'grup'
  kAudioDeviceTransportTypeAutoAggregate = 0x66677270,  // 'fgrp'
  kAudioDeviceTransportTypeVirtual = 0x76697274,  // 'virt'
  kAudioDeviceTransportTypePCI = 0x70636920,  // 'pci '
  kAudioDeviceTransportTypeUSB = 0x75736220,  // 'usb '
  kAudioDeviceTransportTypeFireWire = 0x31333934,  // '1394'
  kAudioDeviceTransportTypeBluetooth = 0x626c7565,  // 'blue'
  kAudioDeviceTransportTypeBluetoothLE = 0x626c6561,  // 'blea'
  kAudioDeviceTransportTypeHDMI = 0x68646d69,  // 'hdmi'
  kAudioDeviceTransportTypeDisplayPort = 0x64707274,  // 'dprt'
  kAudioDeviceTransportTypeAirPlay = 0x61697270,  // 'airp'
  kAudioDeviceTransportTypeAVB = 0x65617662,  // 'eavb'
  kAudioDeviceTransportTypeThunderbolt = 0x7468756e,  // 'thun'
  kAudioDeviceTransportTypeContinuityCapture = 0x63636170,  // 'ccap'
  kAudioDeviceTransportTypeContinuityCaptureWired = 0x63637764,  // 'ccwd'
  kAudioDeviceTransportTypeContinuityCaptureWireless = 0x6363776c,  // 'ccwl'
};

// Properties of streams.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioStreamPropertyIsActive = 0x73616374,  // 'sact', UInt32
  kAudioStreamPropertyDirection = 0x73646972,  // 'sdir', UInt32
  kAudioStreamPropertyTerminalType = 0x7465726d,  // 'term', UInt32
  kAudioStreamPropertyStartingChannel = 0x7363686e,  // 'schn', UInt32
  kAudioStreamPropertyLatency = 0x6c746e63,  // 'ltnc', UInt32 frames
  kAudioStreamPropertyVirtualFormat = 0x73666d74,  // 'sfmt', ASBD
  kAudioStreamPropertyAvailableVirtualFormats = 0x73666d61,  // 'sfma', AudioStreamRangedDescription[]
  kAudioStreamPropertyPhysicalFormat = 0x70667420,  // 'pft ', ASBD
  kAudioStreamPropertyAvailablePhysicalFormats = 0x70667461,  // 'pfta', AudioStreamRangedDescription[]
  kAudioStreamPropertyOwningDevice = 0x73746476,  // 'stdv', AudioObjectID
  kAudioStreamPropertyPhysicalFormats = 0x70667423,  // 'pft#', ASBD[]
  kAudioStreamPropertyPhysicalFormatSupported = 0x7066743f,  // 'pft?', ASBD
  kAudioStreamPropertyPhysicalFormatMatch = 0x7066746d,  // 'pftm', ASBD
};

// Kinds of a stream's terminal.
AURICLE_ENUM(UInt32) {
  kAudioStreamTerminalTypeUnknown = 0,
  kAudioStreamTerminalTypeLine = 0x6c696e65,  // 'line'
  kAudioStreamTerminalTypeDigitalAudioInterface = 0x73706466,  // 'spdf'
  kAudioStreamTerminalTypeSpeaker = 0x73706b72,  // 'spkr'
  kAudioStreamTerminalTypeHeadphones = 0x68647068,  // 'hdph'
  kAudioStreamTerminalTypeLFESpeaker = 0x6c666573,  // 'lfes'
  kAudioStreamTerminalTypeReceiverSpeaker = 0x7273706b,  // 'rspk'
  kAudioStreamTerminalTypeMicrophone = 0x6d696372,  // 'micr'
  kAudioStreamTerminalTypeHeadsetMicrophone = 0x686d6963,  // 'hmic'
  kAudioStreamTerminalTypeReceiverMicrophone = 0x726d6963,  // 'rmic'
  kAudioStreamTerminalTypeTTY = 0x7474795f,  // 'tty_'
  kAudioStreamTerminalTypeHDMI = 0x68646d69,  // 'hdmi'
  kAudioStreamTerminalTypeDisplayPort = 0x64707274,  // 'dprt'
};

// Properties of controls.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioControlPropertyScope = 0x63736370,  // 'cscp', AudioObjectPropertyScope
  kAudioControlPropertyElement = 0x63656c6d,  // 'celm', AudioObjectPropertyElement
  kAudioControlPropertyVariant = 0x63766172,  // 'cvar', UInt32
  kAudioSliderControlPropertyValue = 0x73647276,  // 'sdrv', UInt32
  kAudioSliderControlPropertyRange = 0x73647272,  // 'sdrr', UInt32[2]
  kAudioLevelControlPropertyScalarValue = 0x6c637376,  // 'lcsv', Float32 0..1
  kAudioLevelControlPropertyDecibelValue = 0x6c636476,  // 'lcdv', Float32
  kAudioLevelControlPropertyDecibelRange = 0x6c636472,  // 'lcdr', AudioValueRange
  kAudioLevelControlPropertyConvertScalarToDecibels = 0x6c637364,  // 'lcsd', Float32
  kAudioLevelControlPropertyConvertDecibelsToScalar = 0x6c636473,  // 'lcds', Float32
  kAudioLevelControlPropertyDecibelsToScalarTransferFunction = 0x6c637466,  // 'lctf', UInt32
  kAudioBooleanControlPropertyValue = 0x6263766c,  // 'bcvl', UInt32
  kAudioSelectorControlPropertyCurrentItem = 0x73636369,  // 'scci', UInt32[]
  kAudioSelectorControlPropertyAvailableItems = 0x73636169,  // 'scai', UInt32[]
  kAudioSelectorControlPropertyItemName = 0x7363696e,  // 'scin', CFStringRef
  kAudioSelectorControlPropertyItemKind = 0x636c6b6b,  // 'clkk', UInt32
  kAudioStereoPanControlPropertyValue = 0x73706376,  // 'spcv', Float32
  kAudioStereoPanControlPropertyPanningChannels = 0x73706363,  // 'spcc', UInt32[2]
};

// Curves of a level in decibels; the names are spelt so.
AURICLE_ENUM(UInt32) {
  kAudioLevelControlTranferFunctionLinear = 0,
  kAudioLevelControlTranferFunction1Over3 = 1,
  kAudioLevelControlTranferFunction1Over2 = 2,
  kAudioLevelControlTranferFunction3Over4 = 3,
  kAudioLevelControlTranferFunction3Over2 = 4,
  kAudioLevelControlTranferFunction2Over1 = 5,
  kAudioLevelControlTranferFunction3Over1 = 6,
  kAudioLevelControlTranferFunction4Over1 = 7,
  kAudioLevelControlTranferFunction5Over1 = 8,
  kAudioLevelControlTranferFunction6Over1 = 9,
  kAudioLevelControlTranferFunction7Over1 = 10,
  kAudioLevelControlTranferFunction8Over1 = 11,
  kAudioLevelControlTranferFunction9Over1 = 12,
  kAudioLevelControlTranferFunction10Over1 = 13,
  kAudioLevelControlTranferFunction11Over1 = 14,
  kAudioLevelControlTranferFunction12Over1 = 15,
};

// Kinds of the items of a selector.
AURICLE_ENUM(UInt32) {
  kAudioSelectorControlItemKindSpacer = 0x73706372,  // 'spcr', cannot be selected
  kAudioClockSourceItemKindInternal = 0x696e7420,    // 'int '
};

// Properties of plug-ins, boxes, clocks, end points, processes and taps.
AURICLE_ENUM(AudioObjectPropertySelector) {
  kAudioPlugInPropertyBundleID = 0x70696964,  // 'piid', CFStringRef
  kAudioPlugInPropertyDeviceList = 0x64657623,  // 'dev#', IDs
  kAudioPlugInPropertyTranslateUIDToDevice = 0x75696464,  // 'uidd', ID, qualifier CFStringRef
  kAudioPlugInPropertyBoxList = 0x626f7823,  // 'box#', IDs
  kAudioPlugInPropertyTranslateUIDToBox = 0x75696462,  // 'uidb', ID
  kAudioPlugInPropertyClockDeviceList = 0x636c6b23,  // 'clk#', IDs
  kAudioPlugInPropertyTranslateUIDToClockDevice = 0x75696463,  // 'uidc', ID
  kAudioPlugInPropertyResourceBundle = 0x72737263,  // 'rsrc', CFStringRef
  kAudioPlugInCreateAggregateDevice = 0x63616767,  // 'cagg'
  kAudioPlugInDestroyAggregateDevice = 0x64616767,  // 'dagg', get: value in = ID to destroy
  kAudioTransportManagerPropertyEndPointList = 0x656e6423,  // 'end#', IDs
  kAudioTransportManagerPropertyTranslateUIDToEndPoint = 0x75696465,  // 'uide', ID
  kAudioTransportManagerPropertyTransportType = 0x7472616e,  // 'tran', UInt32
  kAudioTransportManagerCreateEndPointDevice = 0x63646576,  // 'cdev', get, qualifier CFDictionaryRef
  kAudioTransportManagerDestroyEndPointDevice = 0x64646576,  // 'ddev', get
  kAudioBoxPropertyBoxUID = 0x62756964,  // 'buid', CFStringRef
  kAudioBoxPropertyTransportType = 0x7472616e,  // 'tran', UInt32
  kAudioBoxPropertyHasAudio = 0x62686175,  // 'bhau', UInt32
  kAudioBoxPropertyHasVideo = 0x62687669,  // 'bhvi', UInt32
  kAudioBoxPropertyHasMIDI = 0x62686d69,  // 'bhmi', UInt32
  kAudioBoxPropertyIsProtected = 0x6270726f,  // 'bpro', UInt32
  kAudioBoxPropertyAcquired = 0x62786f6e,  // 'bxon', UInt32 rw
  kAudioBoxPropertyAcquisitionFailed = 0x62786f66,  // 'bxof', OSStatus, listen
  kAudioBoxPropertyDeviceList = 0x62647623,  // 'bdv#', IDs, empty until acquired
  kAudioBoxPropertyClockDeviceList = 0x62636c23,  // 'bcl#', IDs
  kAudioClockDevicePropertyDeviceUID = 0x63756964,  // 'cuid', CFStringRef
  kAudioClockDevicePropertyTransportType = 0x7472616e,  // 'tran'
  kAudioClockDevicePropertyClockDomain = 0x636c6b64,  // 'clkd'
  kAudioClockDevicePropertyDeviceIsAlive = 0x6c69766e,  // 'livn'
  kAudioClockDevicePropertyDeviceIsRunning = 0x676f696e,  // 'goin'
  kAudioClockDevicePropertyLatency = 0x6c746e63,  // 'ltnc'
  kAudioClockDevicePropertyControlList = 0x6374726c,  // 'ctrl'
  kAudioClockDevicePropertyNominalSampleRate = 0x6e737274,  // 'nsrt'
  kAudioClockDevicePropertyAvailableNominalSampleRates = 0x6e737223,  // 'nsr#'
  kAudioEndPointDevicePropertyComposition = 0x61636f6d,  // 'acom', CFDictionaryRef
  kAudioEndPointDevicePropertyEndPointList = 0x61677270,  // 'agrp', IDs
  kAudioEndPointDevicePropertyIsPrivate = 0x70726976,  // 'priv', pid_t
  kAudioProcessPropertyPID = 0x70706964,  // 'ppid', pid_t
  kAudioProcessPropertyBundleID = 0x70626964,  // 'pbid', CFStringRef
  kAudioProcessPropertyDevices = 0x70647623,  // 'pdv#', IDs, scope in/out
  kAudioProcessPropertyIsRunning = 0x7069723f,  // 'pir?', UInt32
  kAudioProcessPropertyIsRunningInput = 0x70697269,  // 'piri', UInt32
  kAudioProcessPropertyIsRunningOutput = 0x7069726f,  // 'piro', UInt32
  kAudioTapPropertyUID = 0x74756964,  // 'tuid', CFStringRef
  kAudioTapPropertyDescription = 0x74647363,  // 'tdsc', CATapDescription
  kAudioTapPropertyFormat = 0x74666d74,  // 'tfmt', ASBD
};

#endif
