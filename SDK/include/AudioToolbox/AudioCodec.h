// Codecs as components: packets into linear samples ('adec') and back ('aenc').
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOCODEC_H
#define AURICLE_AUDIOCODEC_H

#include "../CoreAudioTypes/AudioChannelLayouts.h"
#include "../CoreAudioTypes/AudioFormats.h"
#include "AudioComponent.h"

// An opened codec. Not for use by two threads at once.
typedef AudioComponentInstance AudioCodec;
typedef UInt32 AudioCodecPropertyID;

// Component types; the subtype is the format of the packets.
AURICLE_ENUM(OSType) {
  kAudioDecoderComponentType = 0x61646563,     // 'adec'
  kAudioEncoderComponentType = 0x61656e63,     // 'aenc'
  kAudioUnityCodecComponentType = 0x61636463,  // 'acdc'
};

// Properties of a codec that need no initialization.
AURICLE_ENUM(AudioCodecPropertyID) {
  kAudioCodecPropertySupportedInputFormats = 0x69666d23,  // 'ifm#', ASBD[]
  kAudioCodecPropertySupportedOutputFormats = 0x6f666d23,  // 'ofm#', ASBD[]
  kAudioCodecPropertyAvailableInputSampleRates = 0x61697372,  // 'aisr', AudioValueRange[]
  kAudioCodecPropertyAvailableOutputSampleRates = 0x616f7372,  // 'aosr', AudioValueRange[]
  kAudioCodecPropertyAvailableBitRateRange = 0x61627274,  // 'abrt', AudioValueRange[]
  kAudioCodecPropertyMinimumNumberInputPackets = 0x6d6e6970,  // 'mnip', UInt32
  kAudioCodecPropertyMinimumNumberOutputPackets = 0x6d6e6f70,  // 'mnop', UInt32
  kAudioCodecPropertyAvailableNumberChannels = 0x636d6e63,  // 'cmnc', UInt32[]
  kAudioCodecPropertyDoesSampleRateConversion = 0x6c6d7263,  // 'lmrc', UInt32
  kAudioCodecPropertyAvailableInputChannelLayoutTags = 0x6169636c,  // 'aicl', UInt32[]
  kAudioCodecPropertyAvailableOutputChannelLayoutTags = 0x616f636c,  // 'aocl', UInt32[]
  kAudioCodecPropertyInputFormatsForOutputFormat = 0x6966346f,  // 'if4o', ASBD[], first entry is the question
  kAudioCodecPropertyOutputFormatsForInputFormat = 0x6f663469,  // 'of4i', ASBD[], first entry is the question
  kAudioCodecPropertyFormatInfo = 0x61636669,  // 'acfi', AudioFormatInfo in/out
};

// Properties of an instance. Settable ones can be set before it is initialized; names with Adjust, always.
AURICLE_ENUM(AudioCodecPropertyID) {
  kAudioCodecPropertyInputBufferSize = 0x74627566,  // 'tbuf', UInt32 bytes
  kAudioCodecPropertyPacketFrameSize = 0x70616b66,  // 'pakf', UInt32
  kAudioCodecPropertyHasVariablePacketByteSizes = 0x76706b3f,  // 'vpk?', UInt32 0/1
  kAudioCodecPropertyEmploysDependentPackets = 0x64706b3f,  // 'dpk?', UInt32 0/1
  kAudioCodecPropertyMaximumPacketByteSize = 0x70616b62,  // 'pakb', UInt32
  kAudioCodecPropertyPacketSizeLimitForVBR = 0x70616b6c,  // 'pakl', UInt32 bits
  kAudioCodecPropertyCurrentInputFormat = 0x69666d74,  // 'ifmt', ASBD
  kAudioCodecPropertyCurrentOutputFormat = 0x6f666d74,  // 'ofmt', ASBD
  kAudioCodecPropertyMagicCookie = 0x6b756b69,  // 'kuki', bytes
  kAudioCodecPropertyUsedInputBufferSize = 0x75627566,  // 'ubuf', UInt32
  kAudioCodecPropertyIsInitialized = 0x696e6974,  // 'init', UInt32
  kAudioCodecPropertyCurrentTargetBitRate = 0x62726174,  // 'brat', UInt32
  kAudioCodecPropertyCurrentInputSampleRate = 0x63697372,  // 'cisr', Float64
  kAudioCodecPropertyCurrentOutputSampleRate = 0x636f7372,  // 'cosr', Float64
  kAudioCodecPropertyQualitySetting = 0x73726371,  // 'srcq', UInt32 0..127
  kAudioCodecPropertyApplicableBitRateRange = 0x62727461,  // 'brta', AudioValueRange[]
  kAudioCodecPropertyRecommendedBitRateRange = 0x62727472,  // 'brtr', AudioValueRange[]
  kAudioCodecPropertyApplicableInputSampleRates = 0x69737261,  // 'isra', AudioValueRange[]
  kAudioCodecPropertyApplicableOutputSampleRates = 0x6f737261,  // 'osra', AudioValueRange[]
  kAudioCodecPropertyPaddedZeros = 0x70616430,  // 'pad0', UInt32
  kAudioCodecPropertyPrimeMethod = 0x70726d6d,  // 'prmm', UInt32
  kAudioCodecPropertyPrimeInfo = 0x7072696d,  // 'prim', AudioCodecPrimeInfo
  kAudioCodecPropertyCurrentInputChannelLayout = 0x69636c20,  // 'icl ', ACL
  kAudioCodecPropertyCurrentOutputChannelLayout = 0x6f636c20,  // 'ocl ', ACL
  kAudioCodecPropertySettings = 0x61637320,  // 'acs ', CFDictionaryRef
  kAudioCodecPropertyFormatList = 0x6163666c,  // 'acfl', AudioFormatListItem[]
  kAudioCodecPropertyBitRateControlMode = 0x61636266,  // 'acbf', UInt32
  kAudioCodecPropertySoundQualityForVBR = 0x76627271,  // 'vbrq', UInt32 0..127
  kAudioCodecPropertyBitRateForVBR = 0x76627262,  // 'vbrb', UInt32
  kAudioCodecPropertyDelayMode = 0x646d6f64,  // 'dmod', UInt32
  kAudioCodecPropertyAdjustLocalQuality = 0x5e71616c,  // '^qal', SInt32 -128..127
  kAudioCodecPropertyDynamicRangeControlMode = 0x6d647263,  // 'mdrc', UInt32
  kAudioCodecPropertyAdjustCompressionProfile = 0x5e70726f,  // '^pro', UInt32
  kAudioCodecPropertyProgramTargetLevelConstant = 0x70746c63,  // 'ptlc', UInt32
  kAudioCodecPropertyAdjustTargetLevelConstant = 0x5e746c63,  // '^tlc', UInt32
  kAudioCodecPropertyProgramTargetLevel = 0x7070746c,  // 'pptl', Float32 dB, -31..-20
  kAudioCodecPropertyAdjustTargetLevel = 0x5e70746c,  // '^ptl', Float32
  kAudioCodecPropertyDynamicRangeControlConfiguration = 0x63647263,  // 'cdrc', UInt32
  kAudioCodecPropertyContentSource = 0x63737263,  // 'csrc', SInt32
  kAudioCodecPropertyASPFrequency = 0x61737066,  // 'aspf', UInt32 > 2 (75 advised)
};

// Older properties, and older names.
AURICLE_ENUM(AudioCodecPropertyID) {
  kAudioCodecPropertyMinimumDelayMode = 0x6d64656c,  // 'mdel', UInt32
  kAudioCodecPropertyNameCFString = 0x6c6e616d,  // 'lnam', CFStringRef, the caller's to release
  kAudioCodecPropertyManufacturerCFString = 0x6c6d616b,  // 'lmak', CFStringRef, the caller's to release
  kAudioCodecPropertyFormatCFString = 0x6c666f72,  // 'lfor', CFStringRef, the caller's to release
  kAudioCodecPropertyRequiresPacketDescription = 0x70616b64,  // 'pakd', UInt32
  kAudioCodecPropertyAvailableBitRates = 0x62727423,  // 'brt#', UInt32[]
  kAudioCodecExtendFrequencies = 0x61636566,  // 'acef', UInt32
  kAudioCodecUseRecommendedSampleRate = 0x75727372,  // 'ursr', UInt32
  kAudioCodecOutputPrecedence = 0x6f707072,  // 'oppr', UInt32
  kAudioCodecBitRateFormat = 0x61636266,  // 'acbf'
  kAudioCodecDoesSampleRateConversion = 0x6c6d7263,  // 'lmrc'
  kAudioCodecInputFormatsForOutputFormat = 0x6966346f,  // 'if4o'
  kAudioCodecOutputFormatsForInputFormat = 0x6f663469,  // 'of4i'
  kAudioCodecPropertyInputChannelLayout = 0x69636c20,  // 'icl '
  kAudioCodecPropertyOutputChannelLayout = 0x6f636c20,  // 'ocl '
  kAudioCodecPropertyAvailableInputChannelLayouts = 0x6169636c,  // 'aicl'
  kAudioCodecPropertyAvailableOutputChannelLayouts = 0x616f636c,  // 'aocl'
  kAudioCodecPropertyZeroFramesPadded = 0x70616430,  // 'pad0'
};

AURICLE_ENUM(UInt32) {
  kAudioCodecQuality_Max = 127,
  kAudioCodecQuality_High = 96,
  kAudioCodecQuality_Medium = 64,
  kAudioCodecQuality_Low = 32,
  kAudioCodecQuality_Min = 0,
};

AURICLE_ENUM(UInt32) {
  kAudioCodecPrimeMethod_Pre = 0,
  kAudioCodecPrimeMethod_Normal = 1,
  kAudioCodecPrimeMethod_None = 2,
};

// The distribution of bits by an encoder.
AURICLE_ENUM(UInt32) {
  kAudioCodecBitRateControlMode_Constant = 0,
  kAudioCodecBitRateControlMode_LongTermAverage = 1,
  kAudioCodecBitRateControlMode_VariableConstrained = 2,
  kAudioCodecBitRateControlMode_Variable = 3,
  kAudioCodecBitRateFormat_CBR = 0,
  kAudioCodecBitRateFormat_ABR = 1,
  kAudioCodecBitRateFormat_VBR = 2,
};

AURICLE_ENUM(UInt32) {
  kAudioCodecDelayMode_Compatibility = 0,
  kAudioCodecDelayMode_Minimum = 1,
  kAudioCodecDelayMode_Optimal = 2,
};

AURICLE_ENUM(UInt32) {
  kProgramTargetLevel_None = 0,
  kProgramTargetLevel_Minus31dB = 1,
  kProgramTargetLevel_Minus23dB = 2,
  kProgramTargetLevel_Minus20dB = 3,
};

AURICLE_ENUM(UInt32) {
  kDynamicRangeControlMode_None = 0,
  kDynamicRangeControlMode_Light = 1,
  kDynamicRangeControlMode_Heavy = 2,
};

AURICLE_ENUM(UInt32) {
  kDynamicRangeCompressionProfile_None = 0,
  kDynamicRangeCompressionProfile_LateNight = 1,
  kDynamicRangeCompressionProfile_NoisyEnvironment = 2,
  kDynamicRangeCompressionProfile_LimitedPlaybackRange = 3,
  kDynamicRangeCompressionProfile_GeneralCompression = 6,
};

AURICLE_ENUM(UInt32) {
  kAudioCodecDynamicRangeControlConfiguration_None = 0,
  kAudioCodecDynamicRangeControlConfiguration_Music = 1,
  kAudioCodecDynamicRangeControlConfiguration_Speech = 2,
  kAudioCodecDynamicRangeControlConfiguration_Movie = 3,
  kAudioCodecDynamicRangeControlConfiguration_Capture = 4,
};

AURICLE_ENUM(SInt32) {
  kAudioCodecContentSource_Unspecified = -1,
  kAudioCodecContentSource_Reserved = 0,
  kAudioCodecContentSource_AppleCapture_Traditional = 1,
  kAudioCodecContentSource_AppleCapture_Spatial = 2,
  kAudioCodecContentSource_AppleCapture_Spatial_Enhanced = 3,
  kAudioCodecContentSource_AppleMusic_Traditional = 4,
  kAudioCodecContentSource_AppleMusic_Spatial = 5,
  kAudioCodecContentSource_AppleAV_Traditional_Offline = 6,
  kAudioCodecContentSource_AppleAV_Spatial_Offline = 7,
  kAudioCodecContentSource_AppleAV_Traditional_Live = 8,
  kAudioCodecContentSource_AppleAV_Spatial_Live = 9,
  kAudioCodecContentSource_ApplePassthrough = 10,
  kAudioCodecContentSource_Capture_Traditional = 33,
  kAudioCodecContentSource_Capture_Spatial = 34,
  kAudioCodecContentSource_Capture_Spatial_Enhanced = 35,
  kAudioCodecContentSource_Music_Traditional = 36,
  kAudioCodecContentSource_Music_Spatial = 37,
  kAudioCodecContentSource_AV_Traditional_Offline = 38,
  kAudioCodecContentSource_AV_Spatial_Offline = 39,
  kAudioCodecContentSource_AV_Traditional_Live = 40,
  kAudioCodecContentSource_AV_Spatial_Live = 41,
  kAudioCodecContentSource_Passthrough = 42,
};

// The result of a request for packets.
AURICLE_ENUM(UInt32) {
  kAudioCodecProduceOutputPacketFailure = 1,
  kAudioCodecProduceOutputPacketSuccess = 2,
  kAudioCodecProduceOutputPacketSuccessHasMore = 3,
  kAudioCodecProduceOutputPacketNeedsMoreInputData = 4,
  kAudioCodecProduceOutputPacketAtEOF = 5,
  kAudioCodecProduceOutputPacketSuccessConcealed = 6,
};

AURICLE_ENUM(UInt32) {
  kAudioCodecOutputPrecedenceNone = 0,
  kAudioCodecOutputPrecedenceBitRate = 1,
  kAudioCodecOutputPrecedenceSampleRate = 2,
};

AURICLE_ENUM(UInt32) {
  kHintBasic = 0,
  kHintAdvanced = 1,
  kHintHidden = 2,
};

// The methods of a codec.
AURICLE_ENUM(SInt16) {
  kAudioCodecGetPropertyInfoSelect = 1,
  kAudioCodecGetPropertySelect = 2,
  kAudioCodecSetPropertySelect = 3,
  kAudioCodecInitializeSelect = 4,
  kAudioCodecUninitializeSelect = 5,
  kAudioCodecAppendInputDataSelect = 6,
  kAudioCodecProduceOutputDataSelect = 7,
  kAudioCodecResetSelect = 8,
  kAudioCodecAppendInputBufferListSelect = 9,
  kAudioCodecProduceOutputBufferListSelect = 10,
};

AURICLE_ENUM(OSStatus) {
  kAudioCodecNoError = 0,
  kAudioCodecUnspecifiedError = 0x77686174,           // 'what'
  kAudioCodecUnknownPropertyError = 0x77686f3f,       // 'who?'
  kAudioCodecBadPropertySizeError = 0x2173697a,       // '!siz'
  kAudioCodecIllegalOperationError = 0x6e6f7065,      // 'nope', it cannot be set
  kAudioCodecUnsupportedFormatError = 0x21646174,     // '!dat'
  kAudioCodecStateError = 0x21737474,                 // '!stt', initialized, or not
  kAudioCodecNotEnoughBufferSpaceError = 0x21627566,  // '!buf', no room for one packet
  kAudioCodecBadDataError = 0x62616461,               // 'bada', it cannot be decoded
};

// Settings as dictionaries, and flags of a setting.
#define kAudioSettings_TopLevelKey "name"
#define kAudioSettings_Version "version"
#define kAudioSettings_Parameters "parameters"
#define kAudioSettings_SettingKey "key"
#define kAudioSettings_SettingName "name"
#define kAudioSettings_ValueType "value type"
#define kAudioSettings_AvailableValues "available values"
#define kAudioSettings_LimitedValues "limited values"
#define kAudioSettings_CurrentValue "current value"
#define kAudioSettings_Summary "summary"
#define kAudioSettings_Hint "hint"
#define kAudioSettings_Unit "unit"

AURICLE_ENUM(UInt32) {
  kAudioSettingsFlags_ExpertParameter = 1,
  kAudioSettingsFlags_InvisibleParameter = 2,
  kAudioSettingsFlags_MetaParameter = 4,
  kAudioSettingsFlags_UserInterfaceParameter = 8,
};

typedef struct AudioCodecMagicCookieInfo {
  UInt32 mMagicCookieSize;
  const void *mMagicCookie;
} AudioCodecMagicCookieInfo;
typedef AudioCodecMagicCookieInfo MagicCookieInfo;

// Frames before the sound and behind it.
typedef struct AudioCodecPrimeInfo {
  UInt32 leadingFrames;
  UInt32 trailingFrames;
} AudioCodecPrimeInfo;

// The types of the methods.
typedef OSStatus (*AudioCodecGetPropertyInfoProc)(
    void *self, AudioCodecPropertyID property, UInt32 *size, Boolean *isWritable);
typedef OSStatus (*AudioCodecGetPropertyProc)(
    void *self, AudioCodecPropertyID property, UInt32 *size, void *data);
typedef OSStatus (*AudioCodecSetPropertyProc)(
    void *self, AudioCodecPropertyID property, UInt32 size, const void *data);
typedef OSStatus (*AudioCodecInitializeProc)(
    void *self, const AudioStreamBasicDescription *inputFormat,
    const AudioStreamBasicDescription *outputFormat, const void *magicCookie, UInt32 magicCookieSize);
typedef OSStatus (*AudioCodecUninitializeProc)(void *self);
typedef OSStatus (*AudioCodecAppendInputDataProc)(
    void *self, const void *data, UInt32 *dataSize, UInt32 *packets,
    const AudioStreamPacketDescription *packetDescriptions);
typedef OSStatus (*AudioCodecProduceOutputPacketsProc)(
    void *self, void *data, UInt32 *dataSize, UInt32 *packets,
    AudioStreamPacketDescription *packetDescriptions, UInt32 *status);
typedef OSStatus (*AudioCodecResetProc)(void *self);
typedef OSStatus (*AudioCodecAppendInputBufferListProc)(
    void *self, const AudioBufferList *list, UInt32 *packets,
    const AudioStreamPacketDescription *packetDescriptions, UInt32 *bytesConsumed);
typedef OSStatus (*AudioCodecProduceOutputBufferListProc)(
    void *self, AudioBufferList *list, UInt32 *packets,
    AudioStreamPacketDescription *packetDescriptions, UInt32 *status);

AURICLE_BEGIN_DECLS

extern OSStatus AudioCodecGetPropertyInfo(
    AudioCodec codec, AudioCodecPropertyID property, UInt32 *size, Boolean *isWritable);
extern OSStatus AudioCodecGetProperty(
    AudioCodec codec, AudioCodecPropertyID property, UInt32 *size, void *data);
extern OSStatus AudioCodecSetProperty(
    AudioCodec codec, AudioCodecPropertyID property, UInt32 size, const void *data);

// Makes a codec ready; without formats and cookie, the ones set as properties hold.
extern OSStatus AudioCodecInitialize(
    AudioCodec codec, const AudioStreamBasicDescription *inputFormat,
    const AudioStreamBasicDescription *outputFormat, const void *magicCookie, UInt32 magicCookieSize);
extern OSStatus AudioCodecUninitialize(AudioCodec codec);

// Accepts as many bytes and packets as there is room for, and reports their numbers. None end the stream.
extern OSStatus AudioCodecAppendInputData(
    AudioCodec codec, const void *data, UInt32 *dataSize, UInt32 *packets,
    const AudioStreamPacketDescription *packetDescriptions);
// Returns as many packets as are there and fit; status reports whether there are more.
extern OSStatus AudioCodecProduceOutputPackets(
    AudioCodec codec, void *data, UInt32 *dataSize, UInt32 *packets,
    AudioStreamPacketDescription *packetDescriptions, UInt32 *status);
// The same of buffer lists.
extern OSStatus AudioCodecAppendInputBufferList(
    AudioCodec codec, const AudioBufferList *list, UInt32 *packets,
    const AudioStreamPacketDescription *packetDescriptions, UInt32 *bytesConsumed);
extern OSStatus AudioCodecProduceOutputBufferList(
    AudioCodec codec, AudioBufferList *list, UInt32 *packets,
    AudioStreamPacketDescription *packetDescriptions, UInt32 *status);
// Forgets all data; formats and cookie stay.
extern OSStatus AudioCodecReset(AudioCodec codec);

AURICLE_END_DECLS

#endif
