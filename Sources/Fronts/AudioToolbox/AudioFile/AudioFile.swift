// The functions of AudioFile.h that open, make, optimize and close files.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioTypes
public import CAudioToolbox
import MacSystem

/// The path of a file's URL, and the ending of its name.
private func place(_ url: CFURLRef?) throws(AudioFileFailure) -> (path: String, suffix: String) {
  guard let url = unsafe url else { throw .parameter }
  guard let bytes = unsafe filePath(of: url) else {
    throw AudioFileFailure(kAudio_BadFilePathError)
  }
  let path = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  let name = path.split(separator: "/").last ?? ""
  let suffix = name.contains(".") ? name.split(separator: ".").last ?? "" : ""
  return (path, String(suffix))
}

/// Makes a sound file; it may be read and written through the handle.
///
/// - Returns: `prm?` when the file exists and the flags do not say to erase it, or somebody else writes it; `typ?`,
///   `fmt?` for a container that cannot be written or cannot hold the format; -43 without the folder.
///
/// Context: control.
@c @implementation
public func AudioFileCreateWithURL(
  _ url: CFURLRef?, _ type: AudioFileTypeID,
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: AudioFileFlags,
  _ outFile: UnsafeMutablePointer<AudioFileHandle?>?
) -> OSStatus {
  guard let format = unsafe format, let outFile = unsafe outFile else { return kAudio_ParamError }
  return OpenedFile.status { () throws(AudioFileFailure) in
    let path = try unsafe place(url).path
    let wanted = unsafe format.pointee
    // Before anything of an old file is lost.
    _ = try FormatTables.completed(wanted, for: type)
    let store = try FileStore(
      creating: path, erasing: flags & kAudioFileFlags_EraseFile != 0)
    let file = try PacketFile.create(
      store, type: type, format: wanted,
      alignsSound: flags & kAudioFileFlags_DontPageAlignAudioData == 0)
    unsafe outFile.pointee = OpenedFile.insert(file)
  }
}

/// Opens a sound file; of a kind without packets, its decoded frames, to be read alone.
///
/// - Returns: -43 without the file. `prm?` where it may not be read or written so, or another
///   program writes it. `typ?` when no container knows its content, or it is no regular file;
///   `dta?`, `fmt?` for damage inside.
///
/// Context: control.
@c @implementation
public func AudioFileOpenURL(
  _ url: CFURLRef?, _ permissions: AudioFilePermissions, _ typeHint: AudioFileTypeID,
  _ outFile: UnsafeMutablePointer<AudioFileHandle?>?
) -> OSStatus {
  guard let outFile = unsafe outFile else { return kAudio_ParamError }
  return OpenedFile.status { () throws(AudioFileFailure) in
    let (path, suffix) = try unsafe place(url)
    guard permissions & kAudioFileReadPermission != 0, permissions <= kAudioFileReadWritePermission
    else { throw .permission }
    let isWritable = permissions & kAudioFileWritePermission != 0
    let file = try PacketFile.openAny(
      FileStore(opening: path, writable: isWritable), hint: typeHint, fileExtension: suffix,
      path: path, isWritable: isWritable)
    unsafe outFile.pointee = OpenedFile.insert(file)
  }
}

/// Makes a sound file in a caller's store, which is emptied.
///
/// - Returns: -54 without a procedure that writes; otherwise as `AudioFileCreateWithURL`.
///
/// Context: control.
@c @implementation
public func AudioFileInitializeWithCallbacks(
  _ clientData: UnsafeMutableRawPointer?, _ read: AudioFile_ReadProc?,
  _ write: AudioFile_WriteProc?, _ getSize: AudioFile_GetSizeProc?,
  _ setSize: AudioFile_SetSizeProc?, _ type: AudioFileTypeID,
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: AudioFileFlags,
  _ outFile: UnsafeMutablePointer<AudioFileHandle?>?
) -> OSStatus {
  guard let read = unsafe read, let getSize = unsafe getSize, let format = unsafe format,
    let outFile = unsafe outFile
  else { return kAudio_ParamError }
  guard unsafe write != nil else { return kAudio_FilePermissionError }
  return OpenedFile.status { () throws(AudioFileFailure) in
    let wanted = unsafe format.pointee
    _ = try FormatTables.completed(wanted, for: type)
    let store = unsafe CallbackStore(
      clientData, read: read, write: write, size: getSize, resize: setSize)
    let file = unsafe try PacketFile.create(
      store, type: type, format: wanted,
      alignsSound: flags & kAudioFileFlags_DontPageAlignAudioData == 0)
    unsafe outFile.pointee = OpenedFile.insert(file)
  }
}

/// Opens a sound file in a caller's store: to read, unless there is a procedure that writes.
///
/// Context: control.
@c @implementation
public func AudioFileOpenWithCallbacks(
  _ clientData: UnsafeMutableRawPointer?, _ read: AudioFile_ReadProc?,
  _ write: AudioFile_WriteProc?, _ getSize: AudioFile_GetSizeProc?,
  _ setSize: AudioFile_SetSizeProc?, _ typeHint: AudioFileTypeID,
  _ outFile: UnsafeMutablePointer<AudioFileHandle?>?
) -> OSStatus {
  guard let read = unsafe read, let getSize = unsafe getSize, let outFile = unsafe outFile else {
    return kAudio_ParamError
  }
  return OpenedFile.status { () throws(AudioFileFailure) in
    let store = unsafe CallbackStore(
      clientData, read: read, write: write, size: getSize, resize: setSize)
    let file = unsafe try PacketFile.openAny(
      store, hint: typeHint, path: "", isWritable: write != nil)
    unsafe outFile.pointee = OpenedFile.insert(file)
  }
}

/// Writes open data and closes a file.
///
/// Context: control.
@c @implementation
public func AudioFileClose(_ file: AudioFileHandle?) -> OSStatus { unsafe OpenedFile.close(file) }

/// Moves all chunks in front of the sound, so that it can grow, and writes open data.
///
/// Context: control.
@c @implementation
public func AudioFileOptimize(_ file: AudioFileHandle?) -> OSStatus {
  unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in try file.optimize() }
}
