// The functions of AudioFile.h for chunks by their code.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
public import CAudioToolbox

/// Counts the chunks of a code.
///
/// - Returns: `op??` for containers without chunks.
///
/// Context: control.
@c @implementation
public func AudioFileCountUserData(
  _ file: AudioFileHandle?, _ code: UInt32, _ outCount: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let outCount = unsafe outCount else { return kAudio_ParamError }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    unsafe outCount.pointee = UInt32(try file.chunkCount(code))
  }
}

/// Returns the size of a chunk without its header.
///
/// - Returns: `chk?` without such a chunk; -50 for one beyond 4 GiB.
///
/// Context: control.
@c @implementation
public func AudioFileGetUserDataSize(
  _ file: AudioFileHandle?, _ code: UInt32, _ index: UInt32,
  _ outByteCount: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let outByteCount = unsafe outByteCount else { return kAudio_ParamError }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    guard let size = UInt32(exactly: try file.chunkSize(code, Int(index))) else {
      throw .parameter
    }
    unsafe outByteCount.pointee = size
  }
}

/// Returns the size of a chunk of any length.
///
/// Context: control.
@c @implementation
public func AudioFileGetUserDataSize64(
  _ file: AudioFileHandle?, _ code: UInt32, _ index: UInt32,
  _ outByteCount: UnsafeMutablePointer<UInt64>?
) -> OSStatus {
  guard let outByteCount = unsafe outByteCount else { return kAudio_ParamError }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    unsafe outByteCount.pointee = UInt64(try file.chunkSize(code, Int(index)))
  }
}

/// Copies a chunk's bytes, as many as there is room for.
///
/// Context: control.
@c @implementation
public func AudioFileGetUserData(
  _ file: AudioFileHandle?, _ code: UInt32, _ index: UInt32,
  _ ioByteCount: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe AudioFileGetUserDataAtOffset(file, code, index, 0, ioByteCount, outData)
}

/// Copies a chunk's bytes from a place on.
///
/// Context: control.
@c @implementation
public func AudioFileGetUserDataAtOffset(
  _ file: AudioFileHandle?, _ code: UInt32, _ index: UInt32, _ offset: Int64,
  _ ioByteCount: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let ioByteCount = unsafe ioByteCount, let outData = unsafe outData else {
    return kAudio_ParamError
  }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let bytes = try unsafe file.chunkBytes(
      code, Int(index), from: offset, count: Int(ioByteCount.pointee))
    unsafe outData.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe ioByteCount.pointee = UInt32(bytes.count)
  }
}

/// Stores a chunk in place of one with its code, or as a further one.
///
/// - Returns: `chk?` for an index behind the next; -50 for the chunk of the sound.
///
/// Context: control.
@c @implementation
public func AudioFileSetUserData(
  _ file: AudioFileHandle?, _ code: UInt32, _ index: UInt32, _ byteCount: UInt32,
  _ data: UnsafeRawPointer?
) -> OSStatus {
  guard unsafe data != nil || byteCount == 0 else { return kAudio_ParamError }
  return unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: Int(byteCount)))
    try file.setChunk(code, Int(index), bytes)
  }
}

/// Removes a chunk.
///
/// Context: control.
@c @implementation
public func AudioFileRemoveUserData(
  _ file: AudioFileHandle?, _ code: UInt32, _ index: UInt32
) -> OSStatus {
  unsafe OpenedFile.call(file) { (file) throws(AudioFileFailure) in
    try file.removeChunk(code, Int(index))
  }
}
