// Streams of audio: formats and buffers; results of the toolbox.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOFORMATS_H
#define AURICLE_AUDIOFORMATS_H

#include "../MacTypes.h"

// ---- Results of the toolbox. More of them are in AudioToolbox/AUComponent.h.

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

// Sources ask it for names that came with a release.
#define COREAUDIOTYPES_VERSION 20150414

// ---- Linear and compressed formats.

// The samples of a unit, and those of a file or a device.
typedef Float32 AudioSampleType;
typedef Float32 AudioUnitSampleType;

typedef UInt32 AudioFormatID;
typedef UInt32 AudioFormatFlags;

// The kind of a stream's data.
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

// The layout of linear samples: kind of number, byte order, alignment, one buffer or many.
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

// Combinations, for the byte order of this machine. A unit uses AudioUnitCanonical by default:
// 32-bit float, native byte order, packed, one buffer a channel.
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

// The place of one packet in a buffer of compressed packets.
typedef struct AudioStreamPacketDescription {
  SInt64 mStartOffset;             // bytes from the start of the buffer
  UInt32 mVariableFramesInPacket;  // 0: as the format says
  UInt32 mDataByteSize;
} AudioStreamPacketDescription;

// The packets that must be decoded before a packet.
typedef struct AudioStreamPacketDependencyDescription {
  UInt32 mIsIndependentlyDecodable;  // 1: nothing but the packets of mPreRollCount
  UInt32 mPreRollCount;              // packets in front of it
  UInt32 mFlags;
  UInt32 mReserved;
} AudioStreamPacketDependencyDescription;

// The samples of one channel, or of several interleaved ones.
typedef struct AudioBuffer {
  UInt32 mNumberChannels;
  UInt32 mDataByteSize;
  void *mData;
} AudioBuffer;

// The buffers of one bus. The array has mNumberBuffers items: 8 + 16 * n bytes in all.
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

// The kind of an MPEG-4 stream: the flags of an 'aac ' format, where 0 leaves it open.
typedef UInt32 MPEG4ObjectID;
AURICLE_ENUM(MPEG4ObjectID) {
  kMPEG4Object_AAC_Main = 1,
  kMPEG4Object_AAC_LC = 2,
  kMPEG4Object_AAC_SSR = 3,
  kMPEG4Object_AAC_LTP = 4,
  kMPEG4Object_AAC_SBR = 5,
  kMPEG4Object_AAC_Scalable = 6,
  kMPEG4Object_TwinVQ = 7,
  kMPEG4Object_CELP = 8,
  kMPEG4Object_HVXC = 9,
};

// A range of values, both ends included.
typedef struct AudioValueRange {
  Float64 mMinimum;
  Float64 mMaximum;
} AudioValueRange;

#endif
