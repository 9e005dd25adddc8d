// Formats, buffers, time stamps and channel layouts.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREAUDIOBASETYPES_H
#define AURICLE_COREAUDIOBASETYPES_H

#include "../MacTypes.h"

// ---- Numbers the toolbox answers with. More of them stand in AudioToolbox/AUComponent.h.

AURICLE_ENUM(OSStatus) {
  kAudio_NoError = 0,                    // done
  kAudio_UnimplementedError = -4,        // the unit does not answer this selector
  kAudio_FileNotFoundError = -43,        // no such file
  kAudio_FilePermissionError = -54,      // the file may not be opened
  kAudio_TooManyFilesOpenError = -42,    // no file handle left
  kAudio_BadFilePathError = 0x21707468,  // '!pth', the path is malformed
  kAudio_ParamError = -50,               // an argument is wrong
  kAudio_MemFullError = -108,            // out of memory
};

// ---- Linear and compressed formats.

typedef UInt32 AudioFormatID;
typedef UInt32 AudioFormatFlags;

// What the data of a stream is.
AURICLE_ENUM(AudioFormatID) {
  kAudioFormatLinearPCM = 0x6c70636d,             // 'lpcm'
  kAudioFormatAC3 = 0x61632d33,                   // 'ac-3'
  kAudioFormat60958AC3 = 0x63616333,              // 'cac3'
  kAudioFormatAppleIMA4 = 0x696d6134,             // 'ima4'
  kAudioFormatMPEG4AAC = 0x61616320,              // 'aac '
  kAudioFormatMPEG4CELP = 0x63656c70,             // 'celp'
  kAudioFormatMPEG4HVXC = 0x68767863,             // 'hvxc'
  kAudioFormatMPEG4TwinVQ = 0x74777671,           // 'twvq'
  kAudioFormatMACE3 = 0x4d414333,                 // 'MAC3'
  kAudioFormatMACE6 = 0x4d414336,                 // 'MAC6'
  kAudioFormatULaw = 0x756c6177,                  // 'ulaw'
  kAudioFormatALaw = 0x616c6177,                  // 'alaw'
  kAudioFormatQDesign = 0x51444d43,               // 'QDMC'
  kAudioFormatQDesign2 = 0x51444d32,              // 'QDM2'
  kAudioFormatQUALCOMM = 0x51636c70,              // 'Qclp'
  kAudioFormatMPEGLayer1 = 0x2e6d7031,            // '.mp1'
  kAudioFormatMPEGLayer2 = 0x2e6d7032,            // '.mp2'
  kAudioFormatMPEGLayer3 = 0x2e6d7033,            // '.mp3'
  kAudioFormatTimeCode = 0x74696d65,              // 'time'
  kAudioFormatMIDIStream = 0x6d696469,            // 'midi'
  kAudioFormatParameterValueStream = 0x61707673,  // 'apvs'
  kAudioFormatAppleLossless = 0x616c6163,         // 'alac'
  kAudioFormatMPEG4AAC_HE = 0x61616368,           // 'aach'
  kAudioFormatMPEG4AAC_LD = 0x6161636c,           // 'aacl'
  kAudioFormatMPEG4AAC_ELD = 0x61616365,          // 'aace'
  kAudioFormatMPEG4AAC_ELD_SBR = 0x61616366,      // 'aacf'
  kAudioFormatMPEG4AAC_ELD_V2 = 0x61616367,       // 'aacg'
  kAudioFormatMPEG4AAC_HE_V2 = 0x61616370,        // 'aacp'
  kAudioFormatMPEG4AAC_Spatial = 0x61616373,      // 'aacs'
  kAudioFormatMPEGD_USAC = 0x75736163,            // 'usac'
  kAudioFormatAMR = 0x73616d72,                   // 'samr'
  kAudioFormatAMR_WB = 0x73617762,                // 'sawb'
  kAudioFormatAudible = 0x41554442,               // 'AUDB'
  kAudioFormatiLBC = 0x696c6263,                  // 'ilbc'
  kAudioFormatDVIIntelIMA = 0x6d730011,
  kAudioFormatMicrosoftGSM = 0x6d730031,
  kAudioFormatAES3 = 0x61657333,                  // 'aes3'
  kAudioFormatEnhancedAC3 = 0x65632d33,           // 'ec-3'
  kAudioFormatFLAC = 0x666c6163,                  // 'flac'
  kAudioFormatOpus = 0x6f707573,                  // 'opus'
};

// How linear samples are laid out: kind of number, byte order, alignment, one buffer or many.
AURICLE_ENUM(AudioFormatFlags) {
  kAudioFormatFlagIsFloat = 0x1,
  kAudioFormatFlagIsBigEndian = 0x2,
  kAudioFormatFlagIsSignedInteger = 0x4,
  kAudioFormatFlagIsPacked = 0x8,
  kAudioFormatFlagIsAlignedHigh = 0x10,
  kAudioFormatFlagIsNonInterleaved = 0x20,
  kAudioFormatFlagIsNonMixable = 0x40,
  kLinearPCMFormatFlagIsFloat = 0x1,
  kLinearPCMFormatFlagIsBigEndian = 0x2,
  kLinearPCMFormatFlagIsSignedInteger = 0x4,
  kLinearPCMFormatFlagIsPacked = 0x8,
  kLinearPCMFormatFlagIsAlignedHigh = 0x10,
  kLinearPCMFormatFlagIsNonInterleaved = 0x20,
  kLinearPCMFormatFlagIsNonMixable = 0x40,
  kLinearPCMFormatFlagsSampleFractionShift = 0x7,
  kLinearPCMFormatFlagsSampleFractionMask = 0x1f80,
  kAppleLosslessFormatFlag_16BitSourceData = 0x1,
  kAppleLosslessFormatFlag_20BitSourceData = 0x2,
  kAppleLosslessFormatFlag_24BitSourceData = 0x3,
  kAppleLosslessFormatFlag_32BitSourceData = 0x4,
};
#define kAudioFormatFlagsAreAllClear ((AudioFormatFlags)0x80000000u)
#define kLinearPCMFormatFlagsAreAllClear ((AudioFormatFlags)0x80000000u)

// Combinations, for the byte order of this machine. A unit speaks AudioUnitCanonical unless told
// otherwise: 32-bit float, native byte order, packed, one buffer a channel.
AURICLE_ENUM(AudioFormatFlags) {
  kAudioFormatFlagsNativeEndian = 0x0,
  kAudioFormatFlagsCanonical = 0x9,
  kAudioFormatFlagsAudioUnitCanonical = 0x29,
  kAudioFormatFlagsNativeFloatPacked = 0x9,
};

// A sample rate of any value.
static const Float64 kAudioStreamAnyRate = 0;

// A stream's format. In a linear format without interleaving, bytes per frame and per packet are
// those of one channel.
typedef struct AudioStreamBasicDescription {
  Float64 mSampleRate;            // frames a second
  AudioFormatID mFormatID;
  AudioFormatFlags mFormatFlags;
  UInt32 mBytesPerPacket;         // 0: varies
  UInt32 mFramesPerPacket;        // 1 in linear formats; 0: varies
  UInt32 mBytesPerFrame;          // 0 in compressed formats
  UInt32 mChannelsPerFrame;
  UInt32 mBitsPerChannel;         // 0 in compressed formats
  UInt32 mReserved;               // 0
} AudioStreamBasicDescription;

// Where one packet lies in a buffer of compressed packets.
typedef struct AudioStreamPacketDescription {
  SInt64 mStartOffset;             // bytes from the start of the buffer
  UInt32 mVariableFramesInPacket;  // 0: as the format says
  UInt32 mDataByteSize;
} AudioStreamPacketDescription;

// The samples of one channel, or of several interleaved ones.
typedef struct AudioBuffer {
  UInt32 mNumberChannels;
  UInt32 mDataByteSize;
  void *mData;
} AudioBuffer;

// The buffers of one bus. The array goes on for mNumberBuffers items: 8 + 16 * n bytes in all.
typedef struct AudioBufferList {
  UInt32 mNumberBuffers;
  AudioBuffer mBuffers[1];
} AudioBufferList;

// A codec's triple.
typedef struct AudioClassDescription {
  OSType mType;
  OSType mSubType;
  OSType mManufacturer;
} AudioClassDescription;

// A range of values, both ends included.
typedef struct AudioValueRange {
  Float64 mMinimum;
  Float64 mMaximum;
} AudioValueRange;

// ---- Time.

typedef UInt32 SMPTETimeType;
typedef UInt32 SMPTETimeFlags;
typedef UInt32 AudioTimeStampFlags;

// Frames a second of a film or video clock; "Drop" skips frame numbers to stay on time.
AURICLE_ENUM(SMPTETimeType) {
  kSMPTETimeType24 = 0,
  kSMPTETimeType25 = 1,
  kSMPTETimeType30Drop = 2,
  kSMPTETimeType30 = 3,
  kSMPTETimeType2997 = 4,
  kSMPTETimeType2997Drop = 5,
  kSMPTETimeType60 = 6,
  kSMPTETimeType5994 = 7,
  kSMPTETimeType60Drop = 8,
  kSMPTETimeType5994Drop = 9,
  kSMPTETimeType50 = 10,
  kSMPTETimeType2398 = 11,
};

AURICLE_ENUM(SMPTETimeFlags) {
  kSMPTETimeUnknown = 0,
  kSMPTETimeValid = 1,
  kSMPTETimeRunning = 2,
};

// A film or video clock's time.
typedef struct SMPTETime {
  SInt16 mSubframes;
  SInt16 mSubframeDivisor;  // subframes in a frame
  UInt32 mCounter;          // frames since midnight
  SMPTETimeType mType;
  SMPTETimeFlags mFlags;
  SInt16 mHours;
  SInt16 mMinutes;
  SInt16 mSeconds;
  SInt16 mFrames;
} SMPTETime;

// Which fields of a time stamp hold something.
AURICLE_ENUM(AudioTimeStampFlags) {
  kAudioTimeStampNothingValid = 0,
  kAudioTimeStampSampleTimeValid = 1,
  kAudioTimeStampHostTimeValid = 2,
  kAudioTimeStampRateScalarValid = 4,
  kAudioTimeStampWordClockTimeValid = 8,
  kAudioTimeStampSMPTETimeValid = 16,
  kAudioTimeStampSampleHostTimeValid = 3,
};

// A moment, told by up to five clocks.
typedef struct AudioTimeStamp {
  Float64 mSampleTime;     // frames
  UInt64 mHostTime;        // mach_absolute_time()
  Float64 mRateScalar;     // measured over nominal rate
  UInt64 mWordClockTime;
  SMPTETime mSMPTETime;
  AudioTimeStampFlags mFlags;
  UInt32 mReserved;        // 0
} AudioTimeStamp;

// ---- Channels: labels, places, layouts.

typedef UInt32 AudioChannelLabel;
typedef UInt32 AudioChannelLayoutTag;
typedef UInt32 AudioChannelBitmap;
typedef UInt32 AudioChannelFlags;

// Which loudspeaker or role a channel is for. Discrete_n is 65536 + n; HOA_ACN_n is 131072 + n.
AURICLE_ENUM(AudioChannelLabel) {
  kAudioChannelLabel_Unused = 0,
  kAudioChannelLabel_UseCoordinates = 100,
  kAudioChannelLabel_Left = 1,
  kAudioChannelLabel_Right = 2,
  kAudioChannelLabel_Center = 3,
  kAudioChannelLabel_LFEScreen = 4,
  kAudioChannelLabel_LeftSurround = 5,
  kAudioChannelLabel_RightSurround = 6,
  kAudioChannelLabel_LeftCenter = 7,
  kAudioChannelLabel_RightCenter = 8,
  kAudioChannelLabel_CenterSurround = 9,
  kAudioChannelLabel_LeftSurroundDirect = 10,
  kAudioChannelLabel_RightSurroundDirect = 11,
  kAudioChannelLabel_TopCenterSurround = 12,
  kAudioChannelLabel_VerticalHeightLeft = 13,
  kAudioChannelLabel_VerticalHeightCenter = 14,
  kAudioChannelLabel_VerticalHeightRight = 15,
  kAudioChannelLabel_TopBackLeft = 16,
  kAudioChannelLabel_TopBackCenter = 17,
  kAudioChannelLabel_TopBackRight = 18,
  kAudioChannelLabel_RearSurroundLeft = 33,
  kAudioChannelLabel_RearSurroundRight = 34,
  kAudioChannelLabel_LeftWide = 35,
  kAudioChannelLabel_RightWide = 36,
  kAudioChannelLabel_LFE2 = 37,
  kAudioChannelLabel_LeftTotal = 38,
  kAudioChannelLabel_RightTotal = 39,
  kAudioChannelLabel_HearingImpaired = 40,
  kAudioChannelLabel_Narration = 41,
  kAudioChannelLabel_Mono = 42,
  kAudioChannelLabel_DialogCentricMix = 43,
  kAudioChannelLabel_CenterSurroundDirect = 44,
  kAudioChannelLabel_Haptic = 45,
  kAudioChannelLabel_LeftTopFront = 13,
  kAudioChannelLabel_CenterTopFront = 14,
  kAudioChannelLabel_RightTopFront = 15,
  kAudioChannelLabel_LeftTopMiddle = 49,
  kAudioChannelLabel_CenterTopMiddle = 12,
  kAudioChannelLabel_RightTopMiddle = 51,
  kAudioChannelLabel_LeftTopRear = 52,
  kAudioChannelLabel_CenterTopRear = 53,
  kAudioChannelLabel_RightTopRear = 54,
  kAudioChannelLabel_LeftSideSurround = 55,
  kAudioChannelLabel_RightSideSurround = 56,
  kAudioChannelLabel_LeftBottom = 57,
  kAudioChannelLabel_RightBottom = 58,
  kAudioChannelLabel_CenterBottom = 59,
  kAudioChannelLabel_LeftTopSurround = 60,
  kAudioChannelLabel_RightTopSurround = 61,
  kAudioChannelLabel_LFE3 = 62,
  kAudioChannelLabel_LeftBackSurround = 63,
  kAudioChannelLabel_RightBackSurround = 64,
  kAudioChannelLabel_LeftEdgeOfScreen = 65,
  kAudioChannelLabel_RightEdgeOfScreen = 66,
  kAudioChannelLabel_Ambisonic_W = 200,
  kAudioChannelLabel_Ambisonic_X = 201,
  kAudioChannelLabel_Ambisonic_Y = 202,
  kAudioChannelLabel_Ambisonic_Z = 203,
  kAudioChannelLabel_MS_Mid = 204,
  kAudioChannelLabel_MS_Side = 205,
  kAudioChannelLabel_XY_X = 206,
  kAudioChannelLabel_XY_Y = 207,
  kAudioChannelLabel_BinauralLeft = 208,
  kAudioChannelLabel_BinauralRight = 209,
  kAudioChannelLabel_HeadphonesLeft = 301,
  kAudioChannelLabel_HeadphonesRight = 302,
  kAudioChannelLabel_ClickTrack = 304,
  kAudioChannelLabel_ForeignLanguage = 305,
  kAudioChannelLabel_Discrete = 400,
  kAudioChannelLabel_Discrete_0 = 65536,
  kAudioChannelLabel_Discrete_1 = 65537,
  kAudioChannelLabel_Discrete_2 = 65538,
  kAudioChannelLabel_Discrete_3 = 65539,
  kAudioChannelLabel_Discrete_4 = 65540,
  kAudioChannelLabel_Discrete_5 = 65541,
  kAudioChannelLabel_Discrete_6 = 65542,
  kAudioChannelLabel_Discrete_7 = 65543,
  kAudioChannelLabel_Discrete_8 = 65544,
  kAudioChannelLabel_Discrete_9 = 65545,
  kAudioChannelLabel_Discrete_10 = 65546,
  kAudioChannelLabel_Discrete_11 = 65547,
  kAudioChannelLabel_Discrete_12 = 65548,
  kAudioChannelLabel_Discrete_13 = 65549,
  kAudioChannelLabel_Discrete_14 = 65550,
  kAudioChannelLabel_Discrete_15 = 65551,
  kAudioChannelLabel_Discrete_65535 = 131071,
  kAudioChannelLabel_HOA_ACN = 500,
  kAudioChannelLabel_HOA_ACN_0 = 131072,
  kAudioChannelLabel_HOA_ACN_1 = 131073,
  kAudioChannelLabel_HOA_ACN_2 = 131074,
  kAudioChannelLabel_HOA_ACN_3 = 131075,
  kAudioChannelLabel_HOA_ACN_4 = 131076,
  kAudioChannelLabel_HOA_ACN_5 = 131077,
  kAudioChannelLabel_HOA_ACN_6 = 131078,
  kAudioChannelLabel_HOA_ACN_7 = 131079,
  kAudioChannelLabel_HOA_ACN_8 = 131080,
  kAudioChannelLabel_HOA_ACN_9 = 131081,
  kAudioChannelLabel_HOA_ACN_10 = 131082,
  kAudioChannelLabel_HOA_ACN_11 = 131083,
  kAudioChannelLabel_HOA_ACN_12 = 131084,
  kAudioChannelLabel_HOA_ACN_13 = 131085,
  kAudioChannelLabel_HOA_ACN_14 = 131086,
  kAudioChannelLabel_HOA_ACN_15 = 131087,
  kAudioChannelLabel_HOA_ACN_65024 = 196096,
  kAudioChannelLabel_HOA_SN3D = 131072,
  kAudioChannelLabel_HOA_N3D = 196608,
  kAudioChannelLabel_Object = 262144,
};
#define kAudioChannelLabel_Unknown ((AudioChannelLabel)4294967295u)
#define kAudioChannelLabel_BeginReserved ((AudioChannelLabel)4026531840u)
#define kAudioChannelLabel_EndReserved ((AudioChannelLabel)4294967294u)

// The bits of a layout told as a bitmap; channels follow in the order of their bits.
AURICLE_ENUM(AudioChannelBitmap) {
  kAudioChannelBit_Left = 0x1,
  kAudioChannelBit_Right = 0x2,
  kAudioChannelBit_Center = 0x4,
  kAudioChannelBit_LFEScreen = 0x8,
  kAudioChannelBit_LeftSurround = 0x10,
  kAudioChannelBit_RightSurround = 0x20,
  kAudioChannelBit_LeftCenter = 0x40,
  kAudioChannelBit_RightCenter = 0x80,
  kAudioChannelBit_CenterSurround = 0x100,
  kAudioChannelBit_LeftSurroundDirect = 0x200,
  kAudioChannelBit_RightSurroundDirect = 0x400,
  kAudioChannelBit_TopCenterSurround = 0x800,
  kAudioChannelBit_VerticalHeightLeft = 0x1000,
  kAudioChannelBit_VerticalHeightCenter = 0x2000,
  kAudioChannelBit_VerticalHeightRight = 0x4000,
  kAudioChannelBit_TopBackLeft = 0x8000,
  kAudioChannelBit_TopBackCenter = 0x10000,
  kAudioChannelBit_TopBackRight = 0x20000,
  kAudioChannelBit_LeftTopFront = 0x1000,
  kAudioChannelBit_CenterTopFront = 0x2000,
  kAudioChannelBit_RightTopFront = 0x4000,
  kAudioChannelBit_LeftTopMiddle = 0x200000,
  kAudioChannelBit_CenterTopMiddle = 0x800,
  kAudioChannelBit_RightTopMiddle = 0x800000,
  kAudioChannelBit_LeftTopRear = 0x1000000,
  kAudioChannelBit_CenterTopRear = 0x2000000,
  kAudioChannelBit_RightTopRear = 0x4000000,
};

// How a channel description gives its place.
AURICLE_ENUM(AudioChannelFlags) {
  kAudioChannelFlags_AllOff = 0,
  kAudioChannelFlags_RectangularCoordinates = 1,
  kAudioChannelFlags_SphericalCoordinates = 2,
  kAudioChannelFlags_Meters = 4,
};

// Whole layouts by number. The low 16 bits are the channel count; where they are 0, the real count
// is put in by whoever uses the tag (DiscreteInOrder, HOA_ACN_SN3D, HOA_ACN_N3D).
AURICLE_ENUM(AudioChannelLayoutTag) {
  kAudioChannelLayoutTag_UseChannelDescriptions = 0x0,
  kAudioChannelLayoutTag_UseChannelBitmap = 0x10000,
  kAudioChannelLayoutTag_Mono = 0x640001,
  kAudioChannelLayoutTag_Stereo = 0x650002,
  kAudioChannelLayoutTag_StereoHeadphones = 0x660002,
  kAudioChannelLayoutTag_MatrixStereo = 0x670002,
  kAudioChannelLayoutTag_MidSide = 0x680002,
  kAudioChannelLayoutTag_XY = 0x690002,
  kAudioChannelLayoutTag_Binaural = 0x6a0002,
  kAudioChannelLayoutTag_Ambisonic_B_Format = 0x6b0004,
  kAudioChannelLayoutTag_Quadraphonic = 0x6c0004,
  kAudioChannelLayoutTag_Pentagonal = 0x6d0005,
  kAudioChannelLayoutTag_Hexagonal = 0x6e0006,
  kAudioChannelLayoutTag_Octagonal = 0x6f0008,
  kAudioChannelLayoutTag_Cube = 0x700008,
  kAudioChannelLayoutTag_MPEG_1_0 = 0x640001,
  kAudioChannelLayoutTag_MPEG_2_0 = 0x650002,
  kAudioChannelLayoutTag_MPEG_3_0_A = 0x710003,
  kAudioChannelLayoutTag_MPEG_3_0_B = 0x720003,
  kAudioChannelLayoutTag_MPEG_4_0_A = 0x730004,
  kAudioChannelLayoutTag_MPEG_4_0_B = 0x740004,
  kAudioChannelLayoutTag_MPEG_5_0_A = 0x750005,
  kAudioChannelLayoutTag_MPEG_5_0_B = 0x760005,
  kAudioChannelLayoutTag_MPEG_5_0_C = 0x770005,
  kAudioChannelLayoutTag_MPEG_5_0_D = 0x780005,
  kAudioChannelLayoutTag_MPEG_5_1_A = 0x790006,
  kAudioChannelLayoutTag_MPEG_5_1_B = 0x7a0006,
  kAudioChannelLayoutTag_MPEG_5_1_C = 0x7b0006,
  kAudioChannelLayoutTag_MPEG_5_1_D = 0x7c0006,
  kAudioChannelLayoutTag_MPEG_6_1_A = 0x7d0007,
  kAudioChannelLayoutTag_MPEG_7_1_A = 0x7e0008,
  kAudioChannelLayoutTag_MPEG_7_1_B = 0x7f0008,
  kAudioChannelLayoutTag_MPEG_7_1_C = 0x800008,
  kAudioChannelLayoutTag_Emagic_Default_7_1 = 0x810008,
  kAudioChannelLayoutTag_SMPTE_DTV = 0x820008,
  kAudioChannelLayoutTag_ITU_1_0 = 0x640001,
  kAudioChannelLayoutTag_ITU_2_0 = 0x650002,
  kAudioChannelLayoutTag_ITU_2_1 = 0x830003,
  kAudioChannelLayoutTag_ITU_2_2 = 0x840004,
  kAudioChannelLayoutTag_ITU_3_0 = 0x710003,
  kAudioChannelLayoutTag_ITU_3_1 = 0x730004,
  kAudioChannelLayoutTag_ITU_3_2 = 0x750005,
  kAudioChannelLayoutTag_ITU_3_2_1 = 0x790006,
  kAudioChannelLayoutTag_ITU_3_4_1 = 0x800008,
  kAudioChannelLayoutTag_DVD_0 = 0x640001,
  kAudioChannelLayoutTag_DVD_1 = 0x650002,
  kAudioChannelLayoutTag_DVD_2 = 0x830003,
  kAudioChannelLayoutTag_DVD_3 = 0x840004,
  kAudioChannelLayoutTag_DVD_4 = 0x850003,
  kAudioChannelLayoutTag_DVD_5 = 0x860004,
  kAudioChannelLayoutTag_DVD_6 = 0x870005,
  kAudioChannelLayoutTag_DVD_7 = 0x710003,
  kAudioChannelLayoutTag_DVD_8 = 0x730004,
  kAudioChannelLayoutTag_DVD_9 = 0x750005,
  kAudioChannelLayoutTag_DVD_10 = 0x880004,
  kAudioChannelLayoutTag_DVD_11 = 0x890005,
  kAudioChannelLayoutTag_DVD_12 = 0x790006,
  kAudioChannelLayoutTag_DVD_13 = 0x730004,
  kAudioChannelLayoutTag_DVD_14 = 0x750005,
  kAudioChannelLayoutTag_DVD_15 = 0x880004,
  kAudioChannelLayoutTag_DVD_16 = 0x890005,
  kAudioChannelLayoutTag_DVD_17 = 0x790006,
  kAudioChannelLayoutTag_DVD_18 = 0x8a0005,
  kAudioChannelLayoutTag_DVD_19 = 0x760005,
  kAudioChannelLayoutTag_DVD_20 = 0x7a0006,
  kAudioChannelLayoutTag_AudioUnit_4 = 0x6c0004,
  kAudioChannelLayoutTag_AudioUnit_5 = 0x6d0005,
  kAudioChannelLayoutTag_AudioUnit_6 = 0x6e0006,
  kAudioChannelLayoutTag_AudioUnit_8 = 0x6f0008,
  kAudioChannelLayoutTag_AudioUnit_5_0 = 0x760005,
  kAudioChannelLayoutTag_AudioUnit_6_0 = 0x8b0006,
  kAudioChannelLayoutTag_AudioUnit_7_0 = 0x8c0007,
  kAudioChannelLayoutTag_AudioUnit_7_0_Front = 0x940007,
  kAudioChannelLayoutTag_AudioUnit_5_1 = 0x790006,
  kAudioChannelLayoutTag_AudioUnit_6_1 = 0x7d0007,
  kAudioChannelLayoutTag_AudioUnit_7_1 = 0x800008,
  kAudioChannelLayoutTag_AudioUnit_7_1_Front = 0x7e0008,
  kAudioChannelLayoutTag_AAC_3_0 = 0x720003,
  kAudioChannelLayoutTag_AAC_Quadraphonic = 0x6c0004,
  kAudioChannelLayoutTag_AAC_4_0 = 0x740004,
  kAudioChannelLayoutTag_AAC_5_0 = 0x780005,
  kAudioChannelLayoutTag_AAC_5_1 = 0x7c0006,
  kAudioChannelLayoutTag_AAC_6_0 = 0x8d0006,
  kAudioChannelLayoutTag_AAC_6_1 = 0x8e0007,
  kAudioChannelLayoutTag_AAC_7_0 = 0x8f0007,
  kAudioChannelLayoutTag_AAC_7_1 = 0x7f0008,
  kAudioChannelLayoutTag_AAC_7_1_B = 0xb70008,
  kAudioChannelLayoutTag_AAC_7_1_C = 0xb80008,
  kAudioChannelLayoutTag_AAC_Octagonal = 0x900008,
  kAudioChannelLayoutTag_TMH_10_2_std = 0x910010,
  kAudioChannelLayoutTag_TMH_10_2_full = 0x920015,
  kAudioChannelLayoutTag_AC3_1_0_1 = 0x950002,
  kAudioChannelLayoutTag_AC3_3_0 = 0x960003,
  kAudioChannelLayoutTag_AC3_3_1 = 0x970004,
  kAudioChannelLayoutTag_AC3_3_0_1 = 0x980004,
  kAudioChannelLayoutTag_AC3_2_1_1 = 0x990004,
  kAudioChannelLayoutTag_AC3_3_1_1 = 0x9a0005,
  kAudioChannelLayoutTag_EAC_6_0_A = 0x9b0006,
  kAudioChannelLayoutTag_EAC_7_0_A = 0x9c0007,
  kAudioChannelLayoutTag_EAC3_6_1_A = 0x9d0007,
  kAudioChannelLayoutTag_EAC3_6_1_B = 0x9e0007,
  kAudioChannelLayoutTag_EAC3_6_1_C = 0x9f0007,
  kAudioChannelLayoutTag_EAC3_7_1_A = 0xa00008,
  kAudioChannelLayoutTag_EAC3_7_1_B = 0xa10008,
  kAudioChannelLayoutTag_EAC3_7_1_C = 0xa20008,
  kAudioChannelLayoutTag_EAC3_7_1_D = 0xa30008,
  kAudioChannelLayoutTag_EAC3_7_1_E = 0xa40008,
  kAudioChannelLayoutTag_EAC3_7_1_F = 0xa50008,
  kAudioChannelLayoutTag_EAC3_7_1_G = 0xa60008,
  kAudioChannelLayoutTag_EAC3_7_1_H = 0xa70008,
  kAudioChannelLayoutTag_DTS_3_1 = 0xa80004,
  kAudioChannelLayoutTag_DTS_4_1 = 0xa90005,
  kAudioChannelLayoutTag_DTS_6_0_A = 0xaa0006,
  kAudioChannelLayoutTag_DTS_6_0_B = 0xab0006,
  kAudioChannelLayoutTag_DTS_6_0_C = 0xac0006,
  kAudioChannelLayoutTag_DTS_6_1_A = 0xad0007,
  kAudioChannelLayoutTag_DTS_6_1_B = 0xae0007,
  kAudioChannelLayoutTag_DTS_6_1_C = 0xaf0007,
  kAudioChannelLayoutTag_DTS_7_0 = 0xb00007,
  kAudioChannelLayoutTag_DTS_7_1 = 0xb10008,
  kAudioChannelLayoutTag_DTS_8_0_A = 0xb20008,
  kAudioChannelLayoutTag_DTS_8_0_B = 0xb30008,
  kAudioChannelLayoutTag_DTS_8_1_A = 0xb40009,
  kAudioChannelLayoutTag_DTS_8_1_B = 0xb50009,
  kAudioChannelLayoutTag_DTS_6_1_D = 0xb60007,
  kAudioChannelLayoutTag_WAVE_2_1 = 0x850003,
  kAudioChannelLayoutTag_WAVE_3_0 = 0x710003,
  kAudioChannelLayoutTag_WAVE_4_0_A = 0x840004,
  kAudioChannelLayoutTag_WAVE_4_0_B = 0xb90004,
  kAudioChannelLayoutTag_WAVE_5_0_A = 0x750005,
  kAudioChannelLayoutTag_WAVE_5_0_B = 0xba0005,
  kAudioChannelLayoutTag_WAVE_5_1_A = 0x790006,
  kAudioChannelLayoutTag_WAVE_5_1_B = 0xbb0006,
  kAudioChannelLayoutTag_WAVE_6_1 = 0xbc0007,
  kAudioChannelLayoutTag_WAVE_7_1 = 0xbd0008,
  kAudioChannelLayoutTag_HOA_ACN_SN3D = 0xbe0000,
  kAudioChannelLayoutTag_HOA_ACN_N3D = 0xbf0000,
  kAudioChannelLayoutTag_Atmos_5_1_2 = 0xc20008,
  kAudioChannelLayoutTag_Atmos_5_1_4 = 0xc3000a,
  kAudioChannelLayoutTag_Atmos_7_1_2 = 0xc4000a,
  kAudioChannelLayoutTag_Atmos_7_1_4 = 0xc0000c,
  kAudioChannelLayoutTag_Atmos_9_1_6 = 0xc10010,
  kAudioChannelLayoutTag_Logic_Mono = 0x640001,
  kAudioChannelLayoutTag_Logic_Stereo = 0x650002,
  kAudioChannelLayoutTag_Logic_Quadraphonic = 0x6c0004,
  kAudioChannelLayoutTag_Logic_4_0_A = 0x730004,
  kAudioChannelLayoutTag_Logic_4_0_B = 0x740004,
  kAudioChannelLayoutTag_Logic_4_0_C = 0xc50004,
  kAudioChannelLayoutTag_Logic_5_0_A = 0x750005,
  kAudioChannelLayoutTag_Logic_5_0_B = 0x760005,
  kAudioChannelLayoutTag_Logic_5_0_C = 0x770005,
  kAudioChannelLayoutTag_Logic_5_0_D = 0x780005,
  kAudioChannelLayoutTag_Logic_5_1_A = 0x790006,
  kAudioChannelLayoutTag_Logic_5_1_B = 0x7a0006,
  kAudioChannelLayoutTag_Logic_5_1_C = 0x7b0006,
  kAudioChannelLayoutTag_Logic_5_1_D = 0x7c0006,
  kAudioChannelLayoutTag_Logic_6_0_A = 0x8d0006,
  kAudioChannelLayoutTag_Logic_6_0_B = 0xc60006,
  kAudioChannelLayoutTag_Logic_6_0_C = 0x8b0006,
  kAudioChannelLayoutTag_Logic_6_1_A = 0x8e0007,
  kAudioChannelLayoutTag_Logic_6_1_B = 0xc70007,
  kAudioChannelLayoutTag_Logic_6_1_C = 0x7d0007,
  kAudioChannelLayoutTag_Logic_6_1_D = 0xc80007,
  kAudioChannelLayoutTag_Logic_7_1_A = 0x800008,
  kAudioChannelLayoutTag_Logic_7_1_B = 0xc90008,
  kAudioChannelLayoutTag_Logic_7_1_C = 0x800008,
  kAudioChannelLayoutTag_Logic_7_1_SDDS_A = 0x7e0008,
  kAudioChannelLayoutTag_Logic_7_1_SDDS_B = 0x7f0008,
  kAudioChannelLayoutTag_Logic_7_1_SDDS_C = 0x810008,
  kAudioChannelLayoutTag_Logic_Atmos_5_1_2 = 0xc20008,
  kAudioChannelLayoutTag_Logic_Atmos_5_1_4 = 0xc3000a,
  kAudioChannelLayoutTag_Logic_Atmos_7_1_2 = 0xc4000a,
  kAudioChannelLayoutTag_Logic_Atmos_7_1_4_A = 0xc0000c,
  kAudioChannelLayoutTag_Logic_Atmos_7_1_4_B = 0xca000c,
  kAudioChannelLayoutTag_Logic_Atmos_7_1_6 = 0xcb000e,
  kAudioChannelLayoutTag_DiscreteInOrder = 0x930000,
  kAudioChannelLayoutTag_CICP_1 = 0x640001,
  kAudioChannelLayoutTag_CICP_2 = 0x650002,
  kAudioChannelLayoutTag_CICP_3 = 0x710003,
  kAudioChannelLayoutTag_CICP_4 = 0x730004,
  kAudioChannelLayoutTag_CICP_5 = 0x750005,
  kAudioChannelLayoutTag_CICP_6 = 0x790006,
  kAudioChannelLayoutTag_CICP_7 = 0x7f0008,
  kAudioChannelLayoutTag_CICP_9 = 0x830003,
  kAudioChannelLayoutTag_CICP_10 = 0x840004,
  kAudioChannelLayoutTag_CICP_11 = 0x7d0007,
  kAudioChannelLayoutTag_CICP_12 = 0x800008,
  kAudioChannelLayoutTag_CICP_13 = 0xcc0018,
  kAudioChannelLayoutTag_CICP_14 = 0xcd0008,
  kAudioChannelLayoutTag_CICP_15 = 0xce000c,
  kAudioChannelLayoutTag_CICP_16 = 0xcf000a,
  kAudioChannelLayoutTag_CICP_17 = 0xd0000c,
  kAudioChannelLayoutTag_CICP_18 = 0xd1000e,
  kAudioChannelLayoutTag_CICP_19 = 0xd2000c,
  kAudioChannelLayoutTag_CICP_20 = 0xd3000e,
  kAudioChannelLayoutTag_Ogg_3_0 = 0x960003,
  kAudioChannelLayoutTag_Ogg_4_0 = 0xb90004,
  kAudioChannelLayoutTag_Ogg_5_0 = 0xd40005,
  kAudioChannelLayoutTag_Ogg_5_1 = 0xd50006,
  kAudioChannelLayoutTag_Ogg_6_1 = 0xd60007,
  kAudioChannelLayoutTag_Ogg_7_1 = 0xd70008,
};
#define kAudioChannelLayoutTag_BeginReserved ((AudioChannelLayoutTag)0xf0000000u)
#define kAudioChannelLayoutTag_EndReserved ((AudioChannelLayoutTag)0xfffeffffu)
#define kAudioChannelLayoutTag_Unknown ((AudioChannelLayoutTag)0xffff0000u)

// One channel of a layout.
typedef struct AudioChannelDescription {
  AudioChannelLabel mChannelLabel;
  AudioChannelFlags mChannelFlags;
  Float32 mCoordinates[3];
} AudioChannelDescription;

// A layout: by tag, by bitmap (tag UseChannelBitmap) or by descriptions (tag
// UseChannelDescriptions). The array goes on for mNumberChannelDescriptions items: 12 + 20 * n
// bytes in all.
typedef struct AudioChannelLayout {
  AudioChannelLayoutTag mChannelLayoutTag;
  AudioChannelBitmap mChannelBitmap;
  UInt32 mNumberChannelDescriptions;
  AudioChannelDescription mChannelDescriptions[1];
} AudioChannelLayout;

// How many channels a tag stands for.
static inline UInt32 AudioChannelLayoutTag_GetNumberOfChannels(AudioChannelLayoutTag tag) {
  return tag & 0x0000ffffu;
}

#endif
