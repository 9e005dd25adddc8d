// The Core Audio Format as stored in files: big-endian numbers, records without padding.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CAFFILE_H
#define AURICLE_CAFFILE_H

#include "../CoreAudioTypes/CoreAudioTypes.h"

AURICLE_ENUM(UInt32) {
  kCAF_FileType = 0x63616666,  // 'caff'
  kCAF_FileVersion_Initial = 1,
};

AURICLE_ENUM(UInt32) {
  kCAF_StreamDescriptionChunkID = 0x64657363,  // 'desc'
  kCAF_AudioDataChunkID = 0x64617461,  // 'data'
  kCAF_ChannelLayoutChunkID = 0x6368616E,  // 'chan'
  kCAF_FillerChunkID = 0x66726565,  // 'free'
  kCAF_MarkerChunkID = 0x6D61726B,  // 'mark'
  kCAF_RegionChunkID = 0x7265676E,  // 'regn'
  kCAF_InstrumentChunkID = 0x696E7374,  // 'inst'
  kCAF_MagicCookieID = 0x6B756B69,  // 'kuki'
  kCAF_InfoStringsChunkID = 0x696E666F,  // 'info'
  kCAF_EditCommentsChunkID = 0x65646374,  // 'edct'
  kCAF_PacketTableChunkID = 0x70616B74,  // 'pakt'
  kCAF_StringsChunkID = 0x73747267,  // 'strg'
  kCAF_UUIDChunkID = 0x75756964,  // 'uuid'
  kCAF_PeakChunkID = 0x7065616B,  // 'peak'
  kCAF_OverviewChunkID = 0x6F767677,  // 'ovvw'
  kCAF_MIDIChunkID = 0x6D696469,  // 'midi'
  kCAF_UMIDChunkID = 0x756D6964,  // 'umid'
  kCAF_FormatListID = 0x6C647363,  // 'ldsc'
  kCAF_iXMLChunkID = 0x69584D4C,  // 'iXML'
};

// Flags of linear PCM in a file: not those of AudioStreamBasicDescription.
AURICLE_ENUM(UInt32) {
  kCAFLinearPCMFormatFlagIsFloat = 1,
  kCAFLinearPCMFormatFlagIsLittleEndian = 2,
};

AURICLE_ENUM(UInt32) {
  kCAFMarkerType_Generic = 0,
  kCAFMarkerType_ProgramStart = 0x70626567,  // 'pbeg'
  kCAFMarkerType_ProgramEnd = 0x70656E64,  // 'pend'
  kCAFMarkerType_TrackStart = 0x74626567,  // 'tbeg'
  kCAFMarkerType_TrackEnd = 0x74656E64,  // 'tend'
  kCAFMarkerType_Index = 0x696E6478,  // 'indx'
  kCAFMarkerType_RegionStart = 0x72626567,  // 'rbeg'
  kCAFMarkerType_RegionEnd = 0x72656E64,  // 'rend'
  kCAFMarkerType_RegionSyncPoint = 0x72737963,  // 'rsyc'
  kCAFMarkerType_SelectionStart = 0x73626567,  // 'sbeg'
  kCAFMarkerType_SelectionEnd = 0x73656E64,  // 'send'
  kCAFMarkerType_EditSourceBegin = 0x63626567,  // 'cbeg'
  kCAFMarkerType_EditSourceEnd = 0x63656E64,  // 'cend'
  kCAFMarkerType_EditDestinationBegin = 0x64626567,  // 'dbeg'
  kCAFMarkerType_EditDestinationEnd = 0x64656E64,  // 'dend'
  kCAFMarkerType_SustainLoopStart = 0x736C6267,  // 'slbg'
  kCAFMarkerType_SustainLoopEnd = 0x736C656E,  // 'slen'
  kCAFMarkerType_ReleaseLoopStart = 0x726C6267,  // 'rlbg'
  kCAFMarkerType_ReleaseLoopEnd = 0x726C656E,  // 'rlen'
  kCAFMarkerType_SavedPlayPosition = 0x73706C79,  // 'sply'
  kCAFMarkerType_Tempo = 0x746D706F,  // 'tmpo'
  kCAFMarkerType_TimeSignature = 0x74736967,  // 'tsig'
  kCAFMarkerType_KeySignature = 0x6B736967,  // 'ksig'
};

AURICLE_ENUM(UInt32) {
  kCAFRegionFlag_LoopEnable = 1,
  kCAFRegionFlag_PlayForward = 2,
  kCAFRegionFlag_PlayBackward = 4,
};

AURICLE_ENUM(UInt32) {
  kCAF_SMPTE_TimeTypeNone = 0,
  kCAF_SMPTE_TimeType24 = 1,
  kCAF_SMPTE_TimeType25 = 2,
  kCAF_SMPTE_TimeType30Drop = 3,
  kCAF_SMPTE_TimeType30 = 4,
  kCAF_SMPTE_TimeType2997 = 5,
  kCAF_SMPTE_TimeType2997Drop = 6,
  kCAF_SMPTE_TimeType60 = 7,
  kCAF_SMPTE_TimeType5994 = 8,
  kCAF_SMPTE_TimeType60Drop = 9,
  kCAF_SMPTE_TimeType5994Drop = 10,
  kCAF_SMPTE_TimeType50 = 11,
  kCAF_SMPTE_TimeType2398 = 12,
};

#pragma pack(push, 1)

typedef struct CAFFileHeader {
  UInt32 mFileType;
  UInt16 mFileVersion;
  UInt16 mFileFlags;
} CAFFileHeader;

/// The size is that of the body: the twelve bytes of the header are not in it.
typedef struct CAFChunkHeader {
  UInt32 mChunkType;
  SInt64 mChunkSize;
} CAFChunkHeader;

typedef struct CAF_UUID_ChunkHeader {
  CAFChunkHeader mHeader;
  UInt8 mUUID[16];
} CAF_UUID_ChunkHeader;

typedef struct CAFAudioDescription {
  Float64 mSampleRate;
  UInt32 mFormatID;
  UInt32 mFormatFlags;
  UInt32 mBytesPerPacket;
  UInt32 mFramesPerPacket;
  UInt32 mChannelsPerFrame;
  UInt32 mBitsPerChannel;
} CAFAudioDescription;

typedef struct CAFAudioFormatListItem {
  CAFAudioDescription mFormat;
  UInt32 mChannelLayoutTag;
} CAFAudioFormatListItem;

typedef struct CAFPacketTableHeader {
  SInt64 mNumberPackets;
  SInt64 mNumberValidFrames;
  SInt32 mPrimingFrames;
  SInt32 mRemainderFrames;
  UInt8 mPacketDescriptions[1];
} CAFPacketTableHeader;

typedef struct CAFDataChunk {
  UInt32 mEditCount;
  UInt8 mData[1];
} CAFDataChunk;

typedef struct CAF_SMPTE_Time {
  SInt8 mHours;
  SInt8 mMinutes;
  SInt8 mSeconds;
  SInt8 mFrames;
  UInt32 mSubFrameSampleOffset;
} CAF_SMPTE_Time;

typedef struct CAFMarker {
  UInt32 mType;
  Float64 mFramePosition;
  UInt32 mMarkerID;
  CAF_SMPTE_Time mSMPTETime;
  UInt32 mChannel;
} CAFMarker;

typedef struct CAFMarkerChunk {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberMarkers;
  CAFMarker mMarkers[1];
} CAFMarkerChunk;

typedef struct CAFRegion {
  UInt32 mRegionID;
  UInt32 mFlags;
  UInt32 mNumberMarkers;
  CAFMarker mMarkers[1];
} CAFRegion;

typedef struct CAFRegionChunk {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberRegions;
  CAFRegion mRegions[1];
} CAFRegionChunk;

static inline CAFRegion *NextCAFRegion(CAFRegion *region) {
  return (CAFRegion *)((char *)region + 12 + region->mNumberMarkers * sizeof(CAFMarker));
}

typedef struct CAFInstrumentChunk {
  Float32 mBaseNote;
  UInt8 mMIDILowNote;
  UInt8 mMIDIHighNote;
  UInt8 mMIDILowVelocity;
  UInt8 mMIDIHighVelocity;
  Float32 mdBGain;
  UInt32 mStartRegionID;
  UInt32 mSustainRegionID;
  UInt32 mReleaseRegionID;
  UInt32 mInstrumentID;
} CAFInstrumentChunk;

typedef struct CAFStringID {
  UInt32 mStringID;
  SInt64 mStringStartByteOffset;
} CAFStringID;

typedef struct CAFStrings {
  UInt32 mNumEntries;
  CAFStringID mStringsIDs[1];
} CAFStrings;

typedef struct CAFInfoStrings {
  UInt32 mNumEntries;
} CAFInfoStrings;

typedef struct CAFPositionPeak {
  Float32 mValue;
  UInt64 mFrameNumber;
} CAFPositionPeak;

typedef struct CAFPeakChunk {
  UInt32 mEditCount;
  CAFPositionPeak mPeaks[1];
} CAFPeakChunk;

typedef struct CAFOverviewSample {
  SInt16 mMinValue;
  SInt16 mMaxValue;
} CAFOverviewSample;

typedef struct CAFOverviewChunk {
  UInt32 mEditCount;
  UInt32 mNumFramesPerOVWSample;
  CAFOverviewSample mData[1];
} CAFOverviewChunk;

typedef struct CAFUMIDChunk {
  UInt8 mBytes[64];
} CAFUMIDChunk;

#pragma pack(pop)

#endif
