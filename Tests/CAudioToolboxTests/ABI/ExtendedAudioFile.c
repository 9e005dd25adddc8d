// The numbers and functions of ExtendedAudioFile.h.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/ExtendedAudioFile.h>

#include "Assertions.h"

ABI_CODE(kExtAudioFileProperty_FileDataFormat, 1717988724, 'f', 'f', 'm', 't');
ABI_CODE(kExtAudioFileProperty_FileChannelLayout, 1717791855, 'f', 'c', 'l', 'o');
ABI_CODE(kExtAudioFileProperty_ClientDataFormat, 1667657076, 'c', 'f', 'm', 't');
ABI_CODE(kExtAudioFileProperty_ClientChannelLayout, 1667460207, 'c', 'c', 'l', 'o');
ABI_CODE(kExtAudioFileProperty_CodecManufacturer, 1668112750, 'c', 'm', 'a', 'n');
ABI_CODE(kExtAudioFileProperty_AudioConverter, 1633906294, 'a', 'c', 'n', 'v');
ABI_CODE(kExtAudioFileProperty_AudioFile, 1634101612, 'a', 'f', 'i', 'l');
ABI_CODE(kExtAudioFileProperty_FileMaxPacketSize, 1718448243, 'f', 'm', 'p', 's');
ABI_CODE(kExtAudioFileProperty_ClientMaxPacketSize, 1668116595, 'c', 'm', 'p', 's');
ABI_CODE(kExtAudioFileProperty_FileLengthFrames, 593916525, '#', 'f', 'r', 'm');
ABI_CODE(kExtAudioFileProperty_ConverterConfig, 1633903462, 'a', 'c', 'c', 'f');
ABI_CODE(kExtAudioFileProperty_IOBufferSizeBytes, 1768907379, 'i', 'o', 'b', 's');
ABI_CODE(kExtAudioFileProperty_IOBuffer, 1768907366, 'i', 'o', 'b', 'f');
ABI_CODE(kExtAudioFileProperty_PacketTable, 2020635753, 'x', 'p', 't', 'i');
ABI_VALUE(kExtAudioFilePacketTableInfoOverride_UseFileValue, -1);
ABI_VALUE(kExtAudioFilePacketTableInfoOverride_UseFileValueIfValid, -2);
ABI_VALUE(kExtAudioFileError_CodecUnavailableInputConsumed, -66559);
ABI_VALUE(kExtAudioFileError_CodecUnavailableInputNotConsumed, -66560);
ABI_VALUE(kExtAudioFileError_InvalidProperty, -66561);
ABI_VALUE(kExtAudioFileError_InvalidPropertySize, -66562);
ABI_VALUE(kExtAudioFileError_NonPCMClientFormat, -66563);
ABI_VALUE(kExtAudioFileError_InvalidChannelMap, -66564);
ABI_VALUE(kExtAudioFileError_InvalidOperationOrder, -66565);
ABI_VALUE(kExtAudioFileError_InvalidDataFormat, -66566);
ABI_VALUE(kExtAudioFileError_MaxPacketSizeUnknown, -66567);
ABI_VALUE(kExtAudioFileError_InvalidSeek, -66568);
ABI_VALUE(kExtAudioFileError_AsyncWriteTooLarge, -66569);
ABI_VALUE(kExtAudioFileError_AsyncWriteBufferOverflow, -66570);
ABI_ASSERT(sizeof(ExtAudioFileRef) == 8);
ABI_ASSERT(sizeof(ExtAudioFilePropertyID) == 4);
ABI_ASSERT(sizeof(ExtAudioFilePacketTableInfoOverride) == 4);

#if defined(__cplusplus)
extern "C" {
#endif
ABI_FUNCTION(OSStatus, ExtAudioFileOpenURL, (CFURLRef, ExtAudioFileRef *));
ABI_FUNCTION(OSStatus, ExtAudioFileWrapAudioFileID, (AudioFileID, Boolean, ExtAudioFileRef *));
ABI_FUNCTION(OSStatus, ExtAudioFileCreateWithURL, (CFURLRef, AudioFileTypeID,
    const AudioStreamBasicDescription *, const AudioChannelLayout *, UInt32, ExtAudioFileRef *));
ABI_FUNCTION(OSStatus, ExtAudioFileDispose, (ExtAudioFileRef));
ABI_FUNCTION(OSStatus, ExtAudioFileRead, (ExtAudioFileRef, UInt32 *, AudioBufferList *));
ABI_FUNCTION(OSStatus, ExtAudioFileWrite, (ExtAudioFileRef, UInt32, const AudioBufferList *));
ABI_FUNCTION(OSStatus, ExtAudioFileWriteAsync, (ExtAudioFileRef, UInt32, const AudioBufferList *));
ABI_FUNCTION(OSStatus, ExtAudioFileSeek, (ExtAudioFileRef, SInt64));
ABI_FUNCTION(OSStatus, ExtAudioFileTell, (ExtAudioFileRef, SInt64 *));
ABI_FUNCTION(OSStatus, ExtAudioFileGetPropertyInfo,
    (ExtAudioFileRef, ExtAudioFilePropertyID, UInt32 *, Boolean *));
ABI_FUNCTION(OSStatus, ExtAudioFileGetProperty,
    (ExtAudioFileRef, ExtAudioFilePropertyID, UInt32 *, void *));
ABI_FUNCTION(OSStatus, ExtAudioFileSetProperty,
    (ExtAudioFileRef, ExtAudioFilePropertyID, UInt32, const void *));
#if defined(__cplusplus)
}
#endif
