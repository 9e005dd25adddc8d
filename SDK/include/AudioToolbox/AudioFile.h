// Audio File: sound files read and written by bytes and by packets.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOFILE_H
#define AURICLE_AUDIOFILE_H

#include "AudioFileProperties.h"
#include "AudioFileTypes.h"

typedef struct OpaqueAudioFileID *AudioFileID AURICLE_SWIFT_NAME("AudioFileHandle");

/// Delivers fewer bytes than asked for, with noErr, at the end of the store.
typedef OSStatus (*AudioFile_ReadProc)(
    void *clientData, SInt64 position, UInt32 requestCount, void *buffer, UInt32 *actualCount);
typedef OSStatus (*AudioFile_WriteProc)(
    void *clientData, SInt64 position, UInt32 requestCount, const void *buffer,
    UInt32 *actualCount);
typedef SInt64 (*AudioFile_GetSizeProc)(void *clientData);
typedef OSStatus (*AudioFile_SetSizeProc)(void *clientData, SInt64 size);

AURICLE_BEGIN_DECLS

extern OSStatus AudioFileCreateWithURL(
    CFURLRef url, AudioFileTypeID type, const AudioStreamBasicDescription *format,
    AudioFileFlags flags, AudioFileID *outFile);
extern OSStatus AudioFileOpenURL(
    CFURLRef url, AudioFilePermissions permissions, AudioFileTypeID typeHint, AudioFileID *outFile);
extern OSStatus AudioFileInitializeWithCallbacks(
    void *clientData, AudioFile_ReadProc read, AudioFile_WriteProc write,
    AudioFile_GetSizeProc getSize, AudioFile_SetSizeProc setSize, AudioFileTypeID type,
    const AudioStreamBasicDescription *format, AudioFileFlags flags, AudioFileID *outFile);
extern OSStatus AudioFileOpenWithCallbacks(
    void *clientData, AudioFile_ReadProc read, AudioFile_WriteProc write,
    AudioFile_GetSizeProc getSize, AudioFile_SetSizeProc setSize, AudioFileTypeID typeHint,
    AudioFileID *outFile);
/// The same by references to files, as until macOS 10.6. A new file is named in its folder, and is not there before;
/// one that is there is emptied by AudioFileInitialize.
struct FSRef;
extern OSStatus AudioFileCreate(
    const struct FSRef *parent, CFStringRef name, AudioFileTypeID type,
    const AudioStreamBasicDescription *format, AudioFileFlags flags, struct FSRef *outReference,
    AudioFileID *outFile);
extern OSStatus AudioFileInitialize(
    const struct FSRef *reference, AudioFileTypeID type, const AudioStreamBasicDescription *format,
    AudioFileFlags flags, AudioFileID *outFile);
extern OSStatus AudioFileOpen(
    const struct FSRef *reference, AudioFilePermissions permissions, AudioFileTypeID typeHint,
    AudioFileID *outFile);
extern OSStatus AudioFileClose(AudioFileID file);
extern OSStatus AudioFileOptimize(AudioFileID file);

extern OSStatus AudioFileReadBytes(
    AudioFileID file, Boolean useCache, SInt64 startingByte, UInt32 *ioByteCount, void *outBuffer);
extern OSStatus AudioFileWriteBytes(
    AudioFileID file, Boolean useCache, SInt64 startingByte, UInt32 *ioByteCount,
    const void *buffer);
/// *ioByteCount is the room in the buffer on entry.
extern OSStatus AudioFileReadPacketData(
    AudioFileID file, Boolean useCache, UInt32 *ioByteCount,
    AudioStreamPacketDescription *outPacketDescriptions, SInt64 startingPacket,
    UInt32 *ioPacketCount, void *outBuffer);
/// Trusts the buffer to hold all the packets that are asked for.
extern OSStatus AudioFileReadPackets(
    AudioFileID file, Boolean useCache, UInt32 *outByteCount,
    AudioStreamPacketDescription *outPacketDescriptions, SInt64 startingPacket,
    UInt32 *ioPacketCount, void *outBuffer);
extern OSStatus AudioFileWritePackets(
    AudioFileID file, Boolean useCache, UInt32 byteCount,
    const AudioStreamPacketDescription *packetDescriptions, SInt64 startingPacket,
    UInt32 *ioPacketCount, const void *buffer);
/// 'dep?' where packets depend on others: no format that is written here has such. NULL: none does.
extern OSStatus AudioFileWritePacketsWithDependencies(
    AudioFileID file, Boolean useCache, UInt32 byteCount,
    const AudioStreamPacketDescription *packetDescriptions,
    const AudioStreamPacketDependencyDescription *packetDependencies, SInt64 startingPacket,
    UInt32 *ioPacketCount, const void *buffer);

/// User data are chunks of the file by their code; the bytes are without the chunk's header.
extern OSStatus AudioFileCountUserData(AudioFileID file, UInt32 code, UInt32 *outCount);
extern OSStatus AudioFileGetUserDataSize(
    AudioFileID file, UInt32 code, UInt32 index, UInt32 *outByteCount);
extern OSStatus AudioFileGetUserDataSize64(
    AudioFileID file, UInt32 code, UInt32 index, UInt64 *outByteCount);
extern OSStatus AudioFileGetUserData(
    AudioFileID file, UInt32 code, UInt32 index, UInt32 *ioByteCount, void *outData);
extern OSStatus AudioFileGetUserDataAtOffset(
    AudioFileID file, UInt32 code, UInt32 index, SInt64 offset, UInt32 *ioByteCount,
    void *outData);
extern OSStatus AudioFileSetUserData(
    AudioFileID file, UInt32 code, UInt32 index, UInt32 byteCount, const void *data);
extern OSStatus AudioFileRemoveUserData(AudioFileID file, UInt32 code, UInt32 index);

extern OSStatus AudioFileGetPropertyInfo(
    AudioFileID file, AudioFilePropertyID property, UInt32 *outByteCount, UInt32 *outIsWritable);
extern OSStatus AudioFileGetProperty(
    AudioFileID file, AudioFilePropertyID property, UInt32 *ioByteCount, void *outData);
extern OSStatus AudioFileSetProperty(
    AudioFileID file, AudioFilePropertyID property, UInt32 byteCount, const void *data);

extern OSStatus AudioFileGetGlobalInfoSize(
    AudioFilePropertyID property, UInt32 specifierSize, void *specifier, UInt32 *outByteCount);
extern OSStatus AudioFileGetGlobalInfo(
    AudioFilePropertyID property, UInt32 specifierSize, void *specifier, UInt32 *ioByteCount,
    void *outData);

AURICLE_END_DECLS

#endif
