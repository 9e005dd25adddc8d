// Audio File Stream: packets out of a sound file that arrives in pieces.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOFILESTREAM_H
#define AURICLE_AUDIOFILESTREAM_H

#include "AudioFile.h"

typedef struct OpaqueAudioFileStreamID *AudioFileStreamID AURICLE_SWIFT_NAME("AudioFileStreamHandle");
typedef UInt32 AudioFileStreamPropertyID;

typedef UInt32 AudioFileStreamPropertyFlags;
AURICLE_ENUM(AudioFileStreamPropertyFlags) {
  kAudioFileStreamPropertyFlag_PropertyIsCached = 1,  // for listeners: the value stays
  kAudioFileStreamPropertyFlag_CacheProperty = 2,  // set by a listener: keep the value
};

typedef UInt32 AudioFileStreamParseFlags;
AURICLE_ENUM(AudioFileStreamParseFlags) {
  kAudioFileStreamParseFlag_Discontinuity = 1,  // these bytes do not follow the last ones
};

typedef UInt32 AudioFileStreamSeekFlags;
AURICLE_ENUM(AudioFileStreamSeekFlags) {
  kAudioFileStreamSeekFlag_OffsetIsEstimated = 1,  // the packet begins near the offset
};

AURICLE_ENUM(OSStatus) {
  kAudioFileStreamError_UnsupportedFileType = 0x7479703F,  // 'typ?'
  kAudioFileStreamError_UnsupportedDataFormat = 0x666D743F,  // 'fmt?'
  kAudioFileStreamError_UnsupportedProperty = 0x7074793F,  // 'pty?'
  kAudioFileStreamError_BadPropertySize = 0x2173697A,  // '!siz'
  kAudioFileStreamError_NotOptimized = 0x6F70746D,  // 'optm', the packet table is behind the packets
  kAudioFileStreamError_InvalidPacketOffset = 0x70636B3F,  // 'pck?'
  kAudioFileStreamError_InvalidFile = 0x6474613F,  // 'dta?'
  kAudioFileStreamError_ValueUnknown = 0x756E6B3F,  // 'unk?', unknown before the sound
  kAudioFileStreamError_DataUnavailable = 0x6D6F7265,  // 'more', not yet
  kAudioFileStreamError_IllegalOperation = 0x6E6F7065,  // 'nope'
  kAudioFileStreamError_UnspecifiedError = 0x7768743F,  // 'wht?'
  kAudioFileStreamError_DiscontinuityCantRecover = 0x64736321,  // 'dsc!'
};

AURICLE_ENUM(AudioFileStreamPropertyID) {
  kAudioFileStreamProperty_ReadyToProducePackets = 0x72656479,  // 'redy'
  kAudioFileStreamProperty_FileFormat = 0x66666D74,  // 'ffmt'
  kAudioFileStreamProperty_DataFormat = 0x64666D74,  // 'dfmt'
  kAudioFileStreamProperty_FormatList = 0x666C7374,  // 'flst'
  kAudioFileStreamProperty_MagicCookieData = 0x6D676963,  // 'mgic'
  kAudioFileStreamProperty_AudioDataByteCount = 0x62636E74,  // 'bcnt'
  kAudioFileStreamProperty_AudioDataPacketCount = 0x70636E74,  // 'pcnt'
  kAudioFileStreamProperty_MaximumPacketSize = 0x70737A65,  // 'psze'
  kAudioFileStreamProperty_DataOffset = 0x646F6666,  // 'doff'
  kAudioFileStreamProperty_ChannelLayout = 0x636D6170,  // 'cmap'
  kAudioFileStreamProperty_PacketToFrame = 0x706B6672,  // 'pkfr'
  kAudioFileStreamProperty_FrameToPacket = 0x6672706B,  // 'frpk'
  kAudioFileStreamProperty_RestrictsRandomAccess = 0x72726170,  // 'rrap'
  kAudioFileStreamProperty_PacketToRollDistance = 0x706B726C,  // 'pkrl'
  kAudioFileStreamProperty_PreviousIndependentPacket = 0x70696E64,  // 'pind'
  kAudioFileStreamProperty_NextIndependentPacket = 0x6E696E64,  // 'nind'
  kAudioFileStreamProperty_PacketToDependencyInfo = 0x706B6470,  // 'pkdp'
  kAudioFileStreamProperty_PacketToByte = 0x706B6279,  // 'pkby'
  kAudioFileStreamProperty_ByteToPacket = 0x6279706B,  // 'bypk'
  kAudioFileStreamProperty_PacketTableInfo = 0x706E666F,  // 'pnfo'
  kAudioFileStreamProperty_PacketSizeUpperBound = 0x706B7562,  // 'pkub'
  kAudioFileStreamProperty_AverageBytesPerPacket = 0x61627070,  // 'abpp'
  kAudioFileStreamProperty_BitRate = 0x62726174,  // 'brat'
  kAudioFileStreamProperty_InfoDictionary = 0x696E666F,  // 'info'
};

/// Called from AudioFileStreamParseBytes for each property that became known; the one that
/// announces packets comes last.
typedef void (*AudioFileStream_PropertyListenerProc)(
    void *clientData, AudioFileStreamID stream, AudioFileStreamPropertyID property,
    AudioFileStreamPropertyFlags *ioFlags);
/// Called from AudioFileStreamParseBytes with whole packets, which are valid during the call.
/// packetDescriptions is NULL for packets that all have the size the format says.
typedef void (*AudioFileStream_PacketsProc)(
    void *clientData, UInt32 byteCount, UInt32 packetCount, const void *inputData,
    AudioStreamPacketDescription *packetDescriptions);

AURICLE_BEGIN_DECLS

extern OSStatus AudioFileStreamOpen(
    void *clientData, AudioFileStream_PropertyListenerProc propertyListener,
    AudioFileStream_PacketsProc packets, AudioFileTypeID typeHint, AudioFileStreamID *outStream);
/// A call without bytes ends the stream: packets that waited for it are delivered.
extern OSStatus AudioFileStreamParseBytes(
    AudioFileStreamID stream, UInt32 byteCount, const void *data, AudioFileStreamParseFlags flags);
/// Returns the place where the bytes of a packet begin, counted from the sound; the next bytes must be those.
extern OSStatus AudioFileStreamSeek(
    AudioFileStreamID stream, SInt64 packet, SInt64 *outByteOffset,
    AudioFileStreamSeekFlags *ioFlags);
extern OSStatus AudioFileStreamGetPropertyInfo(
    AudioFileStreamID stream, AudioFileStreamPropertyID property, UInt32 *outByteCount,
    Boolean *outIsWritable);
extern OSStatus AudioFileStreamGetProperty(
    AudioFileStreamID stream, AudioFileStreamPropertyID property, UInt32 *ioByteCount,
    void *outData);
/// No property can be set: kAudioFileStreamError_UnsupportedProperty.
extern OSStatus AudioFileStreamSetProperty(
    AudioFileStreamID stream, AudioFileStreamPropertyID property, UInt32 byteCount,
    const void *data);
extern OSStatus AudioFileStreamClose(AudioFileStreamID stream);

AURICLE_END_DECLS

#endif
