// Audio File: the kinds of files, their errors, and the records that their properties exchange.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOFILETYPES_H
#define AURICLE_AUDIOFILETYPES_H

#include <stddef.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "../CoreFoundation/CoreFoundation.h"

typedef UInt32 AudioFileTypeID;
AURICLE_ENUM(AudioFileTypeID) {
  kAudioFileAIFFType = 0x41494646,  // 'AIFF'
  kAudioFileAIFCType = 0x41494643,  // 'AIFC'
  kAudioFileWAVEType = 0x57415645,  // 'WAVE'
  kAudioFileRF64Type = 0x52463634,  // 'RF64'
  kAudioFileBW64Type = 0x42573634,  // 'BW64'
  kAudioFileWave64Type = 0x57363466,  // 'W64f'
  kAudioFileSoundDesigner2Type = 0x53643266,  // 'Sd2f'
  kAudioFileNextType = 0x4E655854,  // 'NeXT'
  kAudioFileMP3Type = 0x4D504733,  // 'MPG3'
  kAudioFileMP2Type = 0x4D504732,  // 'MPG2'
  kAudioFileMP1Type = 0x4D504731,  // 'MPG1'
  kAudioFileAC3Type = 0x61632D33,  // 'ac-3'
  kAudioFileAAC_ADTSType = 0x61647473,  // 'adts'
  kAudioFileMPEG4Type = 0x6D703466,  // 'mp4f'
  kAudioFileM4AType = 0x6D346166,  // 'm4af'
  kAudioFileM4BType = 0x6D346266,  // 'm4bf'
  kAudioFileCAFType = 0x63616666,  // 'caff'
  kAudioFile3GPType = 0x33677070,  // '3gpp'
  kAudioFile3GP2Type = 0x33677032,  // '3gp2'
  kAudioFileAMRType = 0x616D7266,  // 'amrf'
  kAudioFileFLACType = 0x666C6163,  // 'flac'
  kAudioFileLATMInLOASType = 0x6C6F6173,  // 'loas'
};

AURICLE_ENUM(OSStatus) {
  kAudioFileUnspecifiedError = 0x7768743F,  // 'wht?'
  kAudioFileUnsupportedFileTypeError = 0x7479703F,  // 'typ?'
  kAudioFileUnsupportedDataFormatError = 0x666D743F,  // 'fmt?'
  kAudioFileUnsupportedPropertyError = 0x7074793F,  // 'pty?'
  kAudioFileBadPropertySizeError = 0x2173697A,  // '!siz'
  kAudioFilePermissionsError = 0x70726D3F,  // 'prm?'
  kAudioFileNotOptimizedError = 0x6F70746D,  // 'optm'
  kAudioFileInvalidChunkError = 0x63686B3F,  // 'chk?'
  kAudioFileDoesNotAllow64BitDataSizeError = 0x6F66663F,  // 'off?'
  kAudioFileInvalidPacketOffsetError = 0x70636B3F,  // 'pck?'
  kAudioFileInvalidPacketDependencyError = 0x6465703F,  // 'dep?'
  kAudioFileInvalidFileError = 0x6474613F,  // 'dta?'
  kAudioFileOperationNotSupportedError = 0x6F703F3F,  // 'op??'
  kAudioFileNotOpenError = -38,
  kAudioFileEndOfFileError = -39,
  kAudioFilePositionError = -40,
  kAudioFileFileNotFoundError = -43,
};

typedef UInt32 AudioFileFlags;
AURICLE_ENUM(AudioFileFlags) {
  kAudioFileFlags_EraseFile = 1,
  kAudioFileFlags_DontPageAlignAudioData = 2,
};

typedef SInt8 AudioFilePermissions;
AURICLE_ENUM(AudioFilePermissions) {
  kAudioFileReadPermission = 1,
  kAudioFileWritePermission = 2,
  kAudioFileReadWritePermission = 3,
};

AURICLE_ENUM(UInt32) {
  kAudioFileLoopDirection_NoLooping = 0,
  kAudioFileLoopDirection_Forward = 1,
  kAudioFileLoopDirection_ForwardAndBackward = 2,
  kAudioFileLoopDirection_Backward = 3,
};

AURICLE_ENUM(UInt32) { kAudioFileMarkerType_Generic = 0 };

typedef UInt32 AudioFileRegionFlags;
AURICLE_ENUM(AudioFileRegionFlags) {
  kAudioFileRegionFlag_LoopEnable = 1,
  kAudioFileRegionFlag_PlayForward = 2,
  kAudioFileRegionFlag_PlayBackward = 4,
};

typedef UInt32 AudioBytePacketTranslationFlags;
AURICLE_ENUM(AudioBytePacketTranslationFlags) { kBytePacketTranslationFlag_IsEstimate = 1 };

typedef struct AudioFile_SMPTE_Time {
  SInt8 mHours;
  UInt8 mMinutes;
  UInt8 mSeconds;
  UInt8 mFrames;
  UInt32 mSubFrameSampleOffset;
} AudioFile_SMPTE_Time;

/// mName is the receiver's to release; mChannel 0 is every channel.
typedef struct AudioFileMarker {
  Float64 mFramePosition;
  CFStringRef mName;
  SInt32 mMarkerID;
  AudioFile_SMPTE_Time mSMPTETime;
  UInt32 mType;
  UInt16 mReserved;
  UInt16 mChannel;
} AudioFileMarker;

typedef struct AudioFileMarkerList {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberMarkers;
  AudioFileMarker mMarkers[1];
} AudioFileMarkerList;

typedef struct AudioFileRegion {
  UInt32 mRegionID;
  CFStringRef mName;
  AudioFileRegionFlags mFlags;
  UInt32 mNumberMarkers;
  AudioFileMarker mMarkers[1];
} AudioFileRegion;

typedef struct AudioFileRegionList {
  UInt32 mSMPTE_TimeType;
  UInt32 mNumberRegions;
  AudioFileRegion mRegions[1];
} AudioFileRegionList;

static inline size_t NumBytesToNumAudioFileMarkers(size_t byteCount) {
  return byteCount < offsetof(AudioFileMarkerList, mMarkers)
             ? 0
             : (byteCount - offsetof(AudioFileMarkerList, mMarkers)) / sizeof(AudioFileMarker);
}

static inline size_t NumAudioFileMarkersToNumBytes(size_t markerCount) {
  return offsetof(AudioFileMarkerList, mMarkers) + markerCount * sizeof(AudioFileMarker);
}

static inline AudioFileRegion *NextAudioFileRegion(const AudioFileRegion *region) {
  return (AudioFileRegion *)((char *)region + offsetof(AudioFileRegion, mMarkers)
                             + region->mNumberMarkers * sizeof(AudioFileMarker));
}

typedef struct AudioFramePacketTranslation {
  SInt64 mFrame;
  SInt64 mPacket;
  UInt32 mFrameOffsetInPacket;
} AudioFramePacketTranslation;

typedef struct AudioBytePacketTranslation {
  SInt64 mByte;
  SInt64 mPacket;
  UInt32 mByteOffsetInPacket;
  AudioBytePacketTranslationFlags mFlags;
} AudioBytePacketTranslation;

typedef struct AudioFilePacketTableInfo {
  SInt64 mNumberValidFrames;
  SInt32 mPrimingFrames;
  SInt32 mRemainderFrames;
} AudioFilePacketTableInfo;

typedef struct AudioPacketRangeByteCountTranslation {
  SInt64 mPacket;
  SInt64 mPacketCount;
  SInt64 mByteCountUpperBound;
} AudioPacketRangeByteCountTranslation;

typedef struct AudioPacketRollDistanceTranslation {
  SInt64 mPacket;
  SInt64 mRollDistance;
} AudioPacketRollDistanceTranslation;

typedef struct AudioIndependentPacketTranslation {
  SInt64 mPacket;
  SInt64 mIndependentlyDecodablePacket;
} AudioIndependentPacketTranslation;

typedef struct AudioPacketDependencyInfoTranslation {
  SInt64 mPacket;
  UInt32 mIsIndependentlyDecodable;
  UInt32 mNumberPrerollPackets;
} AudioPacketDependencyInfoTranslation;

typedef struct AudioFileTypeAndFormatID {
  AudioFileTypeID mFileType;
  UInt32 mFormatID;
} AudioFileTypeAndFormatID;

#endif
