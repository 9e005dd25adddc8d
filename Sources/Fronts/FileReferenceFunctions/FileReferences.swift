// The functions of AudioFile.h with references to files in place of URLs.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MacSystem

/// Calls a body with the URL of a reference.
private func withURL(
  _ reference: UnsafePointer<FSRef>?, _ body: (CFURLRef) -> OSStatus
) -> OSStatus {
  guard let url = unsafe CFURLCreateFromFSRef(nil, reference) else { return kAudio_ParamError }
  defer { unsafe CFRelease(UnsafeRawPointer(url)) }
  return unsafe body(url)
}

/// Opens a sound file, as `AudioFileOpenURL`.
///
/// - Returns: -50 for a reference that was not made in this process.
///
/// Context: control.
@c @implementation
public func AudioFileOpen(
  _ reference: UnsafePointer<FSRef>?, _ permissions: AudioFilePermissions,
  _ typeHint: AudioFileTypeID, _ outFile: UnsafeMutablePointer<AudioFileHandle?>?
) -> OSStatus {
  unsafe withURL(reference) { unsafe AudioFileOpenURL($0, permissions, typeHint, outFile) }
}

/// Makes a sound file of an existing one, and discards its content.
///
/// - Returns: -50 for a reference that was not made in this process; otherwise as `AudioFileCreateWithURL`.
///
/// Context: control.
@c @implementation
public func AudioFileInitialize(
  _ reference: UnsafePointer<FSRef>?, _ type: AudioFileTypeID,
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: AudioFileFlags,
  _ outFile: UnsafeMutablePointer<AudioFileHandle?>?
) -> OSStatus {
  unsafe withURL(reference) {
    unsafe AudioFileCreateWithURL($0, type, format, flags | kAudioFileFlags_EraseFile, outFile)
  }
}

/// Makes a sound file in a folder, and a reference to it.
///
/// - Returns: -50 for a reference that was not made in this process, or no name; otherwise as
///   `AudioFileCreateWithURL`.
///
/// Context: control.
@c @implementation
public func AudioFileCreate(
  _ parent: UnsafePointer<FSRef>?, _ name: CFStringRef?, _ type: AudioFileTypeID,
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ flags: AudioFileFlags,
  _ outReference: UnsafeMutablePointer<FSRef>?, _ outFile: UnsafeMutablePointer<AudioFileHandle?>?
) -> OSStatus {
  guard let name = unsafe name, unsafe outReference != nil else { return kAudio_ParamError }
  return unsafe withURL(parent) { folder in
    guard let url = unsafe CFURLCreateCopyAppendingPathComponent(nil, folder, name, false) else {
      return kAudio_ParamError
    }
    defer { unsafe CFRelease(UnsafeRawPointer(url)) }
    let status = unsafe AudioFileCreateWithURL(url, type, format, flags, outFile)
    guard status == noErr else { return status }
    return unsafe CFURLGetFSRef(url, outReference) ? noErr : kAudio_FileNotFoundError
  }
}
