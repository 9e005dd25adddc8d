// Extended Audio File: sound files of any format read and written as linear PCM.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_EXTENDEDAUDIOFILE_H
#define AURICLE_EXTENDEDAUDIOFILE_H

#include "AudioConverter.h"
#include "AudioFile.h"

typedef struct OpaqueExtAudioFile *ExtAudioFileRef;

/// In place of a number of a packet table that is set.
typedef SInt32 ExtAudioFilePacketTableInfoOverride;
AURICLE_ENUM(ExtAudioFilePacketTableInfoOverride) {
  kExtAudioFilePacketTableInfoOverride_UseFileValue = -1,
  kExtAudioFilePacketTableInfoOverride_UseFileValueIfValid = -2,
};

typedef UInt32 ExtAudioFilePropertyID;
AURICLE_ENUM(ExtAudioFilePropertyID) {
  kExtAudioFileProperty_FileDataFormat = 0x66666d74,  // 'ffmt', AudioStreamBasicDescription
  kExtAudioFileProperty_FileChannelLayout = 0x66636c6f,  // 'fclo', AudioChannelLayout
  kExtAudioFileProperty_ClientDataFormat = 0x63666d74,  // 'cfmt', AudioStreamBasicDescription: linear PCM
  kExtAudioFileProperty_ClientChannelLayout = 0x63636c6f,  // 'cclo', AudioChannelLayout, after the format
  kExtAudioFileProperty_CodecManufacturer = 0x636d616e,  // 'cman', UInt32, before the client's format
  kExtAudioFileProperty_AudioConverter = 0x61636e76,  // 'acnv', AudioConverterRef; NULL without one
  kExtAudioFileProperty_AudioFile = 0x6166696c,  // 'afil', AudioFileID
  kExtAudioFileProperty_FileMaxPacketSize = 0x666d7073,  // 'fmps', UInt32, bytes
  kExtAudioFileProperty_ClientMaxPacketSize = 0x636d7073,  // 'cmps', UInt32, bytes
  kExtAudioFileProperty_FileLengthFrames = 0x2366726d,  // '#frm', SInt64, at the file's rate
  // 'accf', CFArrayRef: a converter's settings; NULL, or nothing, after the converter was changed
  kExtAudioFileProperty_ConverterConfig = 0x61636366,
  kExtAudioFileProperty_IOBufferSizeBytes = 0x696f6273,  // 'iobs', UInt32
  kExtAudioFileProperty_IOBuffer = 0x696f6266,  // 'iobf', void *, with as many bytes as 'iobs' says
  kExtAudioFileProperty_PacketTable = 0x78707469,  // 'xpti', AudioFilePacketTableInfo
};

AURICLE_ENUM(OSStatus) {
  kExtAudioFileError_CodecUnavailableInputConsumed = -66559,
  kExtAudioFileError_CodecUnavailableInputNotConsumed = -66560,
  kExtAudioFileError_InvalidProperty = -66561,
  kExtAudioFileError_InvalidPropertySize = -66562,
  kExtAudioFileError_NonPCMClientFormat = -66563,
  kExtAudioFileError_InvalidChannelMap = -66564,  // a layout of other channels than the format's
  kExtAudioFileError_InvalidOperationOrder = -66565,  // such as a format after sound was written
  kExtAudioFileError_InvalidDataFormat = -66566,
  kExtAudioFileError_MaxPacketSizeUnknown = -66567,
  kExtAudioFileError_InvalidSeek = -66568,
  kExtAudioFileError_AsyncWriteTooLarge = -66569,  // more at once than is ever kept
  kExtAudioFileError_AsyncWriteBufferOverflow = -66570,  // faster than the file accepts it
};

AURICLE_BEGIN_DECLS

/// Opens a file to read. Its frames are the file's own until there is a client's format.
extern OSStatus ExtAudioFileOpenURL(CFURLRef url, ExtAudioFileRef *outFile);
/// Uses a file that stays its opener's to close.
extern OSStatus ExtAudioFileWrapAudioFileID(
    AudioFileID fileID, Boolean forWriting, ExtAudioFileRef *outFile);
/// Makes a file; layout may be NULL, flags are those of AudioFileCreateWithURL.
extern OSStatus ExtAudioFileCreateWithURL(
    CFURLRef url, AudioFileTypeID type, const AudioStreamBasicDescription *format,
    const AudioChannelLayout *layout, UInt32 flags, ExtAudioFileRef *outFile);
/// Writes the rest, and closes.
extern OSStatus ExtAudioFileDispose(ExtAudioFileRef file);

/// *ioFrames and the sizes in ioData are room on entry; none with noErr is the end of the sound.
extern OSStatus ExtAudioFileRead(
    ExtAudioFileRef file, UInt32 *ioFrames, AudioBufferList *ioData);
extern OSStatus ExtAudioFileWrite(
    ExtAudioFileRef file, UInt32 frames, const AudioBufferList *data);
/// From a render thread, after a first call elsewhere with no frames and NULL, which makes ring and thread.
/// Not to be mixed with ExtAudioFileWrite.
extern OSStatus ExtAudioFileWriteAsync(
    ExtAudioFileRef file, UInt32 frames, const AudioBufferList *data);
/// Places are frames at the file's rate, from the first audible one.
extern OSStatus ExtAudioFileSeek(ExtAudioFileRef file, SInt64 frameOffset);
extern OSStatus ExtAudioFileTell(ExtAudioFileRef file, SInt64 *outFrameOffset);

extern OSStatus ExtAudioFileGetPropertyInfo(
    ExtAudioFileRef file, ExtAudioFilePropertyID property, UInt32 *outSize, Boolean *outWritable);
extern OSStatus ExtAudioFileGetProperty(
    ExtAudioFileRef file, ExtAudioFilePropertyID property, UInt32 *ioSize, void *outData);
extern OSStatus ExtAudioFileSetProperty(
    ExtAudioFileRef file, ExtAudioFilePropertyID property, UInt32 size, const void *data);

AURICLE_END_DECLS

#endif
