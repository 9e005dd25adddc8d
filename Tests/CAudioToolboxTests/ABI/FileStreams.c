// The numbers and functions of AudioFileStream.h, and Auricle's own additions for files.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleFiles.h>

#include "Assertions.h"

ABI_VALUE(kAudioFileStreamError_UnsupportedFileType, 1954115647);
ABI_VALUE(kAudioFileStreamError_UnsupportedDataFormat, 1718449215);
ABI_VALUE(kAudioFileStreamError_UnsupportedProperty, 1886681407);
ABI_VALUE(kAudioFileStreamError_BadPropertySize, 561211770);
ABI_VALUE(kAudioFileStreamError_NotOptimized, 1869640813);
ABI_VALUE(kAudioFileStreamError_InvalidPacketOffset, 1885563711);
ABI_VALUE(kAudioFileStreamError_InvalidFile, 1685348671);
ABI_VALUE(kAudioFileStreamError_ValueUnknown, 1970170687);
ABI_VALUE(kAudioFileStreamError_DataUnavailable, 1836020325);
ABI_VALUE(kAudioFileStreamError_IllegalOperation, 1852797029);
ABI_VALUE(kAudioFileStreamError_UnspecifiedError, 2003334207);
ABI_VALUE(kAudioFileStreamError_DiscontinuityCantRecover, 1685283617);
ABI_CODE(kAudioFileStreamProperty_ReadyToProducePackets, 1919247481, 'r', 'e', 'd', 'y');
ABI_CODE(kAudioFileStreamProperty_FileFormat, 1717988724, 'f', 'f', 'm', 't');
ABI_CODE(kAudioFileStreamProperty_DataFormat, 1684434292, 'd', 'f', 'm', 't');
ABI_CODE(kAudioFileStreamProperty_FormatList, 1718383476, 'f', 'l', 's', 't');
ABI_CODE(kAudioFileStreamProperty_MagicCookieData, 1835493731, 'm', 'g', 'i', 'c');
ABI_CODE(kAudioFileStreamProperty_AudioDataByteCount, 1650683508, 'b', 'c', 'n', 't');
ABI_CODE(kAudioFileStreamProperty_AudioDataPacketCount, 1885564532, 'p', 'c', 'n', 't');
ABI_CODE(kAudioFileStreamProperty_MaximumPacketSize, 1886616165, 'p', 's', 'z', 'e');
ABI_CODE(kAudioFileStreamProperty_DataOffset, 1685022310, 'd', 'o', 'f', 'f');
ABI_CODE(kAudioFileStreamProperty_ChannelLayout, 1668112752, 'c', 'm', 'a', 'p');
ABI_CODE(kAudioFileStreamProperty_PacketToFrame, 1886086770, 'p', 'k', 'f', 'r');
ABI_CODE(kAudioFileStreamProperty_FrameToPacket, 1718775915, 'f', 'r', 'p', 'k');
ABI_CODE(kAudioFileStreamProperty_RestrictsRandomAccess, 1920098672, 'r', 'r', 'a', 'p');
ABI_CODE(kAudioFileStreamProperty_PacketToRollDistance, 1886089836, 'p', 'k', 'r', 'l');
ABI_CODE(kAudioFileStreamProperty_PreviousIndependentPacket, 1885957732, 'p', 'i', 'n', 'd');
ABI_CODE(kAudioFileStreamProperty_NextIndependentPacket, 1852403300, 'n', 'i', 'n', 'd');
ABI_CODE(kAudioFileStreamProperty_PacketToDependencyInfo, 1886086256, 'p', 'k', 'd', 'p');
ABI_CODE(kAudioFileStreamProperty_PacketToByte, 1886085753, 'p', 'k', 'b', 'y');
ABI_CODE(kAudioFileStreamProperty_ByteToPacket, 1652125803, 'b', 'y', 'p', 'k');
ABI_CODE(kAudioFileStreamProperty_PacketTableInfo, 1886283375, 'p', 'n', 'f', 'o');
ABI_CODE(kAudioFileStreamProperty_PacketSizeUpperBound, 1886090594, 'p', 'k', 'u', 'b');
ABI_CODE(kAudioFileStreamProperty_AverageBytesPerPacket, 1633841264, 'a', 'b', 'p', 'p');
ABI_CODE(kAudioFileStreamProperty_BitRate, 1651663220, 'b', 'r', 'a', 't');
ABI_CODE(kAudioFileStreamProperty_InfoDictionary, 1768842863, 'i', 'n', 'f', 'o');
ABI_VALUE(kAudioFileStreamPropertyFlag_PropertyIsCached, 1);
ABI_VALUE(kAudioFileStreamPropertyFlag_CacheProperty, 2);
ABI_VALUE(kAudioFileStreamParseFlag_Discontinuity, 1);
ABI_VALUE(kAudioFileStreamSeekFlag_OffsetIsEstimated, 1);
ABI_CODE(kAuricleAudioFileOggType, 1332176723, 'O', 'g', 'g', 'S');
ABI_CODE(kAuricleAudioFormatVorbis, 1987015266, 'v', 'o', 'r', 'b');

ABI_FUNCTION(
    OSStatus, AudioFileStreamOpen,
    (void *, AudioFileStream_PropertyListenerProc, AudioFileStream_PacketsProc, AudioFileTypeID,
     AudioFileStreamID *));
ABI_FUNCTION(
    OSStatus, AudioFileStreamParseBytes,
    (AudioFileStreamID, UInt32, const void *, AudioFileStreamParseFlags));
ABI_FUNCTION(
    OSStatus, AudioFileStreamSeek,
    (AudioFileStreamID, SInt64, SInt64 *, AudioFileStreamSeekFlags *));
ABI_FUNCTION(
    OSStatus, AudioFileStreamGetPropertyInfo,
    (AudioFileStreamID, AudioFileStreamPropertyID, UInt32 *, Boolean *));
ABI_FUNCTION(
    OSStatus, AudioFileStreamGetProperty,
    (AudioFileStreamID, AudioFileStreamPropertyID, UInt32 *, void *));
ABI_FUNCTION(
    OSStatus, AudioFileStreamSetProperty,
    (AudioFileStreamID, AudioFileStreamPropertyID, UInt32, const void *));
ABI_FUNCTION(OSStatus, AudioFileStreamClose, (AudioFileStreamID));
